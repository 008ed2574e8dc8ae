"""The figures of Express as lists of cards that people check and show; `profile.py` reads them."""

from __future__ import annotations

from companion.games.express import profile
from companion.games.express.profile import FIGURES, VALUED_BY, Card
from companion.games.express.profile import Profile as Catalogue

__all__ = ["NAMES", "Catalogue", "complaints", "gaps", "listing", "shipped"]

NAMES = ("ours", "reconstruction", "box")
"""The lists that come with the game; `box`: of an owner who has not entered anything."""

SOURCES = {
    "FR": "the French fragment of the rules",
    "SA": "http://www.superfred.de/express.html",
    "SP": "http://spotlightongames.com/summary/express.html",
    "RV": "http://www.robotviking.com/2010/08/27/express-quick-casual-railroad-fun/",
    "OWN": "our own figure",
}
"""The initials by which the shipped lists name where a figure comes from."""

Sheet = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A printable table: title, columns, rows; all cells are text."""


def shipped(name: str) -> Catalogue:
    """Return a list that comes with the game."""
    return profile.unconfirmed() if name == "box" else profile.shipped(name)


def complaints(catalogue: Catalogue) -> list[str]:
    """Return what is wrong with a list, in sentences; a figure that nobody has entered is no fault."""
    return profile.faults(catalogue)


def gaps(catalogue: Catalogue) -> list[str]:
    """Return which figures nobody has entered, each with the rule that needs it: no match begins without them."""
    return [str(hole) for hole in profile.holes(catalogue)]


def listing(catalogue: Catalogue) -> tuple[Sheet, ...]:
    """Return every card with the source of its figures, the other figures with their rules, and the sources."""
    cards = [
        (card.id.replace("_", " "), card.group, counted(card), valued(card), card.source) for card in catalogue.cards
    ]
    figures = [(name.replace("_", " "), told(getattr(catalogue, name)), rule) for name, rule in FIGURES.items()]
    return (
        (f"Cards of {catalogue.name}", ("card", "group", "cards", "points", "source"), tuple(cards)),
        ("Other figures", ("figure", "", "rule"), tuple(figures)),
        ("Sources", ("initials", "source"), tuple(SOURCES.items())),
    )


def counted(card: Card) -> str:
    """Return how many there are of a card, and how many with certain numbers of players."""
    few = {
        count: [n for n, other in card.by_players.items() if other == count] for count in set(card.by_players.values())
    }
    return "; ".join([told(card.count), *[f"{count} with {' or '.join(few[count])} players" for count in sorted(few)]])


def valued(card: Card) -> str:
    """Return a card's points; nothing for a card that has none."""
    return told(card.value) if card.group in VALUED_BY else ""


def told(figure: int | str | None) -> str:
    """Return a figure as text, a question mark if nobody has entered it."""
    return "?" if figure is None else str(figure)
