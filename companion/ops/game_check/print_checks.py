"""Checks of printing: draw decks, tokens, mats and boards as people would print them."""

from __future__ import annotations

from companion.drawing import DrawError
from companion.engine import AnyGame, seen, tokens_seen
from companion.engine.board import plays_on_board
from companion.games import definition_of
from companion.i18n import LANGUAGES
from companion.mechanics.definition import nothing
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.ports import PrintPort
from companion.ops.game_check.shortcomings import Shortcoming, Shortcomings, unsaid
from companion.ops.game_check.walk import walk


def deck(game: AnyGame, files: GameFiles, prints: PrintPort) -> Shortcomings:
    """Every card that can turn up can be printed, with a back. A game with a board may need no cards."""
    definition, rules = definition_of(game), game
    if not definition.printable:
        if not plays_on_board(rules) or known_cards(game):
            text = "It declares neither `cards`, which lists them, nor a `deck`, which draws them."
            yield Shortcoming(files.path("__init__.py"), text)
        return
    file = files.part_file("cards" if definition.deck is nothing else "deck")
    try:
        drawn, *_ = [prints.draw_cards(game, lang) for lang in LANGUAGES]
    except DrawError as error:
        yield Shortcoming(file, str(error))
        return
    for card in sorted(known_cards(game)):
        if card not in drawn.faces or not drawn.counts.get(card):
            yield Shortcoming(file, f"{card} is not drawn.")
        elif drawn.backs.get(card) not in drawn.faces:
            yield Shortcoming(file, f"{card} has no back.")


def tokens(game: AnyGame, files: GameFiles, prints: PrintPort) -> Shortcomings:
    """If a game draws tokens, it draws every token that a camera reads as often as it is in the box."""
    draw, rules = definition_of(game).tokens(), game
    if draw is None or not tokens_seen(rules):
        return
    drawn = {token.name: (token.count, token.back) for token in draw(None)}
    for kind in [kind for kind in rules.token_kinds if drawn.get(kind.name) != (kind.count, kind.back)]:
        back = f", back {kind.back}" if kind.back else ""
        text = f"{kind.name} is not drawn as in the box: {kind.count}{back}."
        yield Shortcoming(files.part_file("token_art"), text)


def known_cards(game: AnyGame) -> set[str]:
    """Return the names of all cards: those known to the game's parts, and those on the table of a game."""
    cards, pages = definition_of(game).cards(), definition_of(game).pages()
    known = set() if cards is None else set(cards.counts)
    if pages is not None and pages.card_names is not None:
        known |= set(pages.card_names(next(walk(game))[1]))
    if seen(game):
        known |= {card for _, state in walk(game) for spot in game.layout(state).spots.values() for card in spot.up}
    return known


def mat(game: AnyGame, files: GameFiles, prints: PrintPort) -> Shortcomings:
    """Every number of players has a mat, every board fits a table, and the largest mat exists in every language."""
    if seen(game):
        alike: dict[object, int] = {}
        for players in [players for players in game.seats if game.places(players)]:
            tokens = game.token_places(players) if tokens_seen(game) else ()
            alike.setdefault(
                (game.places(players), tokens), players
            )  # otherwise the number of players changes only the markers' numbers
        for players in alike.values():
            for lang in LANGUAGES if players == max(alike.values()) else LANGUAGES[:1]:
                try:
                    prints.draw_mat(game, players, lang)
                except DrawError as error:
                    yield Shortcoming(files.rules_module, f"There is no mat for {players} players: {error}")
                    break
    for number, board in enumerate(game.boards if plays_on_board(game) else ()):
        try:
            prints.draw_board(board, number, files.words(LANGUAGES[0]))
        except DrawError as error:
            yield Shortcoming(files.rules_module, f"The board {board.name!r} cannot be printed: {error}")


def mat_labels(game: AnyGame, files: GameFiles, prints: PrintPort) -> Shortcomings:
    """Every place has a label on the mat in every language, the game's own or the one for all games."""
    labels = prints.labels(game, game.seats[-1]) if seen(game) else {}
    for lang in LANGUAGES:
        said, house, file = files.words(lang).sentences, prints.words(lang), files.words_file(lang)
        for label, numbers in labels.items():
            if f"mat.{label}" in said or f"place.{label}" not in house:
                given = ("number", *numbers)
                yield from unsaid(file, said, f"mat.{label}", given, "the place on the printed mat does not have")


CHECKS = (deck, tokens, mat, mat_labels)
