"""Decks for printing and for rendered tables: a game's own drawings or plain cards, in millimetres and as pixels."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.drawing import Design, DrawError
from companion.drawing.plain import plain_design
from companion.engine import AnyGame
from companion.games import GAMES, definition_of, files, load_part, teller_of
from companion.i18n import LANGUAGES, load_cached
from companion.mechanics.definition import CatalogueData, DeckArt
from vision.print.drawing.raster import to_pixels

if TYPE_CHECKING:
    from vision.image import Image

MOST = 200
"""The maximum number of copies of a card to print at once."""


def printable_games() -> tuple[str, ...]:
    """Return the names of the games that have a deck."""
    return tuple([name for name, game in GAMES.items() if is_printable(game)])


def is_printable(game: AnyGame) -> bool:
    """Whether a game draws its cards or lists them."""
    return definition_of(game).printable


def design(game: str, catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return a game's printed deck. Raise `DrawError` if there is none.

    catalogue: a shipped list of cards by its name, or its data. lang: the language of the names on plain cards.
    """
    return _draw_shipped(game, lang) if catalogue is None else _draw(game, catalogue, lang)


@lru_cache(maxsize=4)
def _draw_shipped(game: str, lang: str) -> Design:
    return _draw(game, None, lang)


def _draw(game: str, catalogue: CatalogueData, lang: str) -> Design:
    """Return the cards of the game of this name. Raise `DrawError` if there are none."""
    rules = GAMES.get(game)
    if rules is None or not is_printable(rules):
        raise DrawError(f"There is no deck of {game!r}. There are decks of: {', '.join(printable_games())}.")
    return design_of(rules, catalogue, lang)


def design_of(rules: AnyGame, catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return the cards of a printable game as it draws them, or plain ones."""
    own, listed = load_part(rules, definition_of(rules).deck, DeckArt), definition_of(rules).cards()
    if own is not None:
        return own.design(catalogue, lang)
    if catalogue is not None:
        raise DrawError(f"The cards of {rules.name} are always the same: there is no list of cards to choose.")
    if listed is None:
        raise DrawError(f"{rules.name} neither draws nor lists its cards.")
    words, teller = load_cached(lang, (files(rules, "words"),)), teller_of(rules)
    names = {card: teller.card_name(card, words).replace("-", " ") for card in listed.counts}
    return plain_design(rules.name, listed.counts, names, listed.backs)


def dividers(game: str, catalogue: CatalogueData = None, lang: str = LANGUAGES[0]) -> Design:
    """Return the dividers of a game's piles, as cards without backs. Raise `DrawError` if it draws none."""
    own = load_part(GAMES[game], definition_of(GAMES[game]).deck, DeckArt)
    if own is None or own.dividers is None:
        raise DrawError(f"There are no dividers for the cards of {game}.")
    return own.dividers(catalogue, lang)


def chosen(deck: Design, only: Iterable[str]) -> Design:
    """Return a deck reduced to the named cards. Raise `DrawError` for an unknown name.

    A name is a card's (`tunnel`: as many as in the box, `tunnel=3`: three of them), or that of a set that the game
    prints together.
    """
    own = load_part(GAMES[deck.game], definition_of(GAMES[deck.game]).deck, DeckArt)
    sets = own.sets if own is not None else {}
    counts: dict[str, int] = {}
    for name in only:
        card, _, number = name.partition("=")
        known = sets.get(card, (card,))
        copies = int(number) if number.isdecimal() else 0
        if not deck.counts.keys() >= set(known) or (number and not 1 <= copies <= MOST):
            there = ", ".join([*sets, *deck.counts])
            raise DrawError(f"{name!r} is neither a card nor a set of cards of {deck.game}. There are: {there}.")
        counts |= {each: copies or deck.counts[each] for each in known}
    backs = {card: deck.backs[card] for card in counts}
    return replace(deck, counts=counts, backs=backs)


def faces(game: str, scale: float = 1.0) -> dict[str, Image]:
    """Return every card and back of a game as pixels, CARD's size times `scale`, BGR, without margin. Needs OpenCV.

    The pictures are cached and shared: copy one before changing it.
    """
    return dict(_faces(game, scale))


@lru_cache(maxsize=4)
def _faces(game: str, scale: float) -> dict[str, Image]:
    from vision.image import CARD

    size = (round(CARD[0] * scale), round(CARD[1] * scale))
    made = design(game)
    pictures = {name: to_pixels(made.drawing(name), CARD[0] * scale / made.width, size) for name in made.faces}
    for picture in pictures.values():
        picture.setflags(write=False)
    return pictures
