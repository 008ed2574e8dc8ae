"""The table of a demonstration: a game's mat or board, with the companion's deck and tokens.

`python -m vision.simulate.demonstration_table` draws everything for the first demonstration of each game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.games import GAMES, SEEN, is_example
from vision.board.board_reader import usual_board
from vision.image import Image
from vision.mat import mat_of_game
from vision.mat.camera_resolution import picture_size
from vision.print.token_pictures import games_with_tokens
from vision.settings import CameraSettings
from vision.simulate import drawn_deck
from vision.simulate.drawn_deck import DrawnCards
from vision.simulate.painted_tokens import DrawnTokens
from vision.simulate.picture_cache import KeptTables
from vision.simulate.rendered_camera import RenderedCamera
from vision.simulate.rendered_table import RenderedTable

PAPER = "a3"
SHAPE = (16, 9)
"""The aspect ratio of its pictures."""
PLAYERS = 4
"""The number of players in a demonstration, unless its command sets another."""


def demonstration_camera(known: CameraSettings, cards: Callable[[], DrawnCards] | None = None) -> RenderedCamera:
    """Return a camera above a game's table, ready for pictures. Raise `DrawError` if the game has no drawn deck.

    cards: returns the drawn deck, which another process may still be drawing.
    """
    game = SEEN[known.game]
    players = known.players or game.seats[1]
    board = usual_board(known.game, players, PAPER)
    pictures: Mapping[str, Image] = {}
    backs: Mapping[str, str] = {}
    if game.places(players) or board is None:
        drawn = cards() if cards is not None else drawn_deck.drawn_cards(known.game)
        mat = mat_of_game(game, players, known.card, PAPER)
        pictures, backs = drawn, drawn.backs
    else:  # no cards: the board is the mat
        mat, board = board, None
    kept = KeptTables(f"{known.game}-{players}")
    table = RenderedTable(mat, pictures, backs, known.difficulty, size=SHAPE, board=board, empty=kept)
    if mat.token_slots and known.game in games_with_tokens():
        table.tokens.use(DrawnTokens(known.game))
    left, top, right, low = table.area
    table.size = picture_size((right - left, low - top))
    camera = RenderedCamera(table)
    camera.prepare()
    return camera


def main() -> None:
    """Draw the decks of all games but the examples, several in parallel, then their tables."""
    drawn_deck.main(())
    for name, game in SEEN.items():
        if not is_example(GAMES[name]) and PLAYERS in game.seats:
            demonstration_camera(CameraSettings(game=name, players=PLAYERS))


if __name__ == "__main__":
    main()
