"""Decks for printing and for rendered tables: as games draw them, or plain cards, in millimetres and as pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.drawing import Design, DrawError
from companion.drawing.plain import plain_design
from companion.engine import AnyGame
from companion.games import GAMES, files, has_part, part, teller_of
from companion.i18n import LANGUAGES, load_cached
from vision.print.drawing import to_pixels

if TYPE_CHECKING:
    from vision.image import Image


def printable_games() -> tuple[str, ...]:
    """Return the names of the games that have a deck."""
    return tuple([name for name, game in GAMES.items() if is_printable(game)])


def is_printable(game: AnyGame) -> bool:
    """Whether a game draws its cards (`deck`) or lists them (`cards`)."""
    return has_part(game, "deck") or has_part(game, "cards")


def design(game: str, catalogue: str | dict[str, Any] | None = None, lang: str = LANGUAGES[0]) -> Design:
    """Return a game's deck as it is printed; raise `DrawError` where there is none.

    `catalogue`: a shipped list of cards by its name, or its data. `lang`: the language of the names on plain cards.
    """
    return _draw_shipped(game, lang) if catalogue is None else _draw(game, catalogue, lang)


@lru_cache(maxsize=4)
def _draw_shipped(game: str, lang: str) -> Design:
    return _draw(game, None, lang)


def _draw(game: str, catalogue: str | dict[str, Any] | None, lang: str) -> Design:
    """Return the cards of the game of this name; raise `DrawError` where there are none."""
    rules = GAMES.get(game)
    if rules is None or not is_printable(rules):
        raise DrawError(f"There is no deck of {game!r}. There are decks of: {', '.join(printable_games())}.")
    return design_of(rules, catalogue, lang)


def design_of(rules: AnyGame, catalogue: str | dict[str, Any] | None = None, lang: str = LANGUAGES[0]) -> Design:
    """Return the cards of a printable game as it draws them, else plain ones."""
    own = part(rules, "deck")
    if own is not None:
        drawn: Design = own.design(catalogue)
        return drawn
    if catalogue is not None:
        raise DrawError(f"The cards of {rules.name} are always the same: there is no list of cards to choose.")
    listed = part(rules, "cards")
    words, teller = load_cached(lang, (files(rules, "words"),)), teller_of(rules)
    names = {card: teller.card_name(card, words).replace("-", " ") for card in listed.CARDS}
    return plain_design(rules.name, listed.CARDS, names, getattr(listed, "BACKS", None))


def faces(game: str, scale: float = 1.0) -> dict[str, Image]:
    """Return every card and back of a game as pixels, CARD-size times `scale`, BGR, right to its edges. Needs OpenCV.

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
