"""What a game's mat and deck lack, in words, for `companion game check`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from companion.drawing import DrawError
from companion.engine import AnyGame, Place, TokenPlace, seen, tokens_seen
from companion.engine.board import plays_on_board
from companion.games import definition_of
from companion.i18n import LANGUAGES
from companion.mechanics.definition import nothing
from companion.ops.game_check import Check, Shortcoming, run_checks
from companion.ops.game_check.game_files import GameFiles, fields
from companion.ops.game_check.shortcomings import missing
from companion.ops.game_check.walk import walk
from vision.print.cards import design_of, is_printable

CARD = (63.0, 88.0)
"""The size of printed cards, in millimetres."""


def examine(game: AnyGame) -> list[Shortcoming]:
    """Return what the mat and the deck of a game lack."""
    return run_checks(game, CHECKS)


def deck(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every card that can turn up is drawn, with a back, so that people can print the game. A board may need none."""
    if not is_printable(game):
        rules: object = game
        if plays_on_board(rules) and not known_cards(game, files):
            return
        yield Shortcoming(
            files.path("__init__.py"), "It declares neither `cards`, which lists them, nor a `deck`, which draws them."
        )
        return
    file = files.part_file("cards" if definition_of(game).deck is nothing else "deck")
    try:
        drawn = design_of(game)
    except DrawError as error:
        yield Shortcoming(file, str(error))
        return
    for card in sorted(known_cards(game, files)):
        if card not in drawn.faces or not drawn.counts.get(card):
            yield Shortcoming(file, f"{card} is not drawn.")
        elif drawn.backs.get(card) not in drawn.faces:
            yield Shortcoming(file, f"{card} has no back.")


def tokens(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every token that a camera reads is drawn as often as it is in the box, where a game draws tokens."""
    draw, rules = definition_of(game).tokens(), game
    if draw is None or not tokens_seen(rules):
        return
    drawn = {token.name: (token.count, token.back) for token in draw(None)}
    for kind in rules.token_kinds:
        if drawn.get(kind.name) != (kind.count, kind.back):
            back = f", back {kind.back}" if kind.back else ""
            yield Shortcoming(
                files.part_file("token_art"), f"{kind.name} is not drawn as in the box: {kind.count}{back}."
            )


def known_cards(game: AnyGame, files: GameFiles) -> set[str]:
    """Return the names of all cards: those that the game's parts know, and those that lie on the table of a game."""
    cards, pages = definition_of(game).cards(), definition_of(game).pages()
    known = set() if cards is None else set(cards.counts)
    if pages is not None and pages.card_names is not None:
        known |= set(pages.card_names(next(walk(game))[1]))
    if seen(game):
        known |= {card for _, state in walk(game) for spot in game.layout(state).spots.values() for card in spot.up}
    return known


def mat(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """There is a mat for every number of players, and every board fits a table."""
    if not seen(game):
        return
    if find_spec("cv2") is None:
        yield Shortcoming(files.rules_module, "Mats were not examined: OpenCV is missing on this machine.")
        return
    from vision.mat import MatError, make_board_mat, mat_of_game, token_places_of

    alike: dict[tuple[Place | TokenPlace, ...], int] = {}
    for players in game.seats:
        if game.places(players):  # the number of players changes nothing but the markers' numbers
            alike.setdefault((*game.places(players), *token_places_of(game, players)), players)
    for players in alike.values():
        try:
            mat_of_game(game, players, CARD)
        except MatError as error:
            yield Shortcoming(files.rules_module, f"There is no mat for {players} players: {error}")
    for number, board in enumerate(game.boards if plays_on_board(game) else ()):
        try:
            make_board_mat(board, number)
        except MatError as error:
            yield Shortcoming(files.rules_module, f"The board {board.name!r} cannot be printed: {error}")


def mat_labels(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every place has a label on the mat in every language: the game's own, or one that the mat has for all games."""
    if not seen(game) or find_spec("cv2") is None:
        return
    from vision.mat import token_places_of
    from vision.mat.drawing import label_parts, words

    most = game.seats[-1]
    names = [place.name for place in game.places(most)] + [place.name for place in token_places_of(game, most)]
    labels = dict(map(label_parts, names))
    for lang in LANGUAGES:
        for label, numbers in labels.items():
            key, said = f"mat.{label}", files.words(lang)
            if f"place.{label}" not in words(lang) and key not in said:
                yield missing(files.words_file(lang), key, ": the label on the printed mat.")
            if more := fields(said.sentences.get(key, "")) - {"number", *numbers}:
                text = f"{key} fills in {', '.join(sorted(more))}, which the place does not have."
                yield Shortcoming(files.words_file(lang), text)


CHECKS: tuple[Check, ...] = (deck, tokens, mat, mat_labels)
