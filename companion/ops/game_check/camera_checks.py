"""Checks of the table as a camera follows it: room at places, names of cards, and where the rules lay cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.engine import AnyGame, AnySeenGame, seen
from companion.engine.board import plays_on_board
from companion.games.discovery import CARD_NAME
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings
from companion.ops.game_check.walk import walk


def camera(game: AnyGame, files: GameFiles) -> Shortcomings:
    """A camera can follow the game: every place has its own name, and the rules say which cards lie there."""
    if not seen(game):
        text = "The game has no places, layout, candidate_events, faults and with_other_card: no camera can follow it."
        yield Shortcoming(files.rules_module, text)
        return
    for players in game.seats:
        names = [place.name for place in game.places(players)]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield Shortcoming(files.rules_module, f"Two places of a table of {players} are called {name!r}.")
    for players in {game.seats[0], game.seats[-1]}:
        yield from laid(game, files, players)


def laid(game: AnySeenGame, files: GameFiles, players: int) -> Shortcomings:
    """Every card that the rules lay has room at its place."""
    places = {place.name: place for place in game.places(players)}
    for _, state in walk(game, players=players):
        layout = game.layout(state)
        for name, spot in layout.spots.items():
            if name not in places:
                yield Shortcoming(files.rules_module, f"Cards lie at {name}, which is no place.")
            elif (count := len(spot.up) + spot.down) > places[name].most:
                text = f"{count} cards lie at {name}, which has room for {places[name].most}."
                yield Shortcoming(files.rules_module, text)
            for card in [card for card in spot.up if not CARD_NAME.fullmatch(card)]:
                yield Shortcoming(files.rules_module, f"{card!r} lies at {name} and is no name of a card.")
        if state.agenda:
            list(game.candidate_events(state, layout, layout))
        for fault in game.faults(state, layout, layout):
            text = f"A table as the rules lay it is called wrong: {fault}."
            yield Shortcoming(files.rules_module, text)


def pieces(game: AnyGame, files: GameFiles) -> Shortcomings:
    """Pieces stand on cells of the board, and nobody has more of them there than exist."""
    rules: object = game
    if not plays_on_board(rules) or not seen(game):
        return
    counts: Mapping[str, int] = getattr(game, "piece_counts", {})
    for _, state in walk(game):
        board, standing = rules.board(state), game.layout(state).pieces
        for cell in sorted(standing.keys() - (board.by_name.keys() if board else ())):
            yield Shortcoming(files.rules_module, f"Pieces stand on {cell}, which is no cell of the board.")
        owned = Counter([(piece.kind, piece.owner) for there in standing.values() for piece in there])
        for (kind, owner), count in owned.items():
            if kind in counts and count > counts[kind]:
                whose = "of nobody" if owner is None else f"of seat {owner + 1}"
                text = f"{count} pieces {whose} of the kind {kind!r} stand on the board: there are {counts[kind]}."
                yield Shortcoming(files.rules_module, text)


CHECKS = (camera, pieces)
