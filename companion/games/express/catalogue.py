"""The figures of Express as lists of cards to check and to show; `profile.py` reads them."""

from __future__ import annotations

from companion.games.express.profile import FIGURES, VALUED_BY, Card, Profile, faults, holes, shipped, unconfirmed
from companion.mechanics.definition import Catalogues, Listing

SOURCES = {
    "FR": "the French fragment of the rules",
    "SA": "http://www.superfred.de/express.html",
    "SP": "http://spotlightongames.com/summary/express.html",
    "RV": "http://www.robotviking.com/2010/08/27/express-quick-casual-railroad-fun/",
    "OWN": "our own figure",
}
"""The initials in the shipped lists for the source of a figure."""


def listing(catalogue: Profile) -> Listing:
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
    """Return the number of copies of a card, in general and with certain numbers of players."""
    few: dict[int, list[str]] = {}
    for players, count in card.by_players.items():
        few.setdefault(count, []).append(players)
    return "; ".join([told(card.count), *[f"{count} with {' or '.join(few[count])} players" for count in sorted(few)]])


def valued(card: Card) -> str:
    """Return a card's points; nothing if it has none."""
    return told(card.value) if card.group in VALUED_BY else ""


def told(figure: int | str | None) -> str:
    """Return a figure as text, a question mark if nobody has entered it."""
    return "?" if figure is None else str(figure)


CATALOGUES = Catalogues(
    kind=Profile,
    names=("ours", "reconstruction", "box"),  # box: of an owner without any entries
    shipped=lambda name: unconfirmed() if name == "box" else shipped(name),
    complaints=faults,
    gaps=lambda profile: list(map(str, holes(profile))),
    listing=listing,
)
