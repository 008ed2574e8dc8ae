"""The cards of Trains as data: each one's cost, effect and category, and the source of each figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Literal

import msgspec

from companion.engine import BadSetup, JsonObject
from companion.games.trains import refusals
from companion.mechanics.definition import Catalogues, Listing
from companion.mechanics.game_files import Fault, checked_list, read_data, say_faults, words_of

Category = Literal["train", "action", "rail", "station", "victory", "waste"]
Source = Literal["rulebook", "public", "reconstruction", "owner", "unknown"]

HOME = "companion.games.trains"
"""The package of the game's files."""
NORMAL, EXPRESS, LIMITED = "normal_train", "express_train", "limited_express_train"
RAILS, STATION, WASTE = "lay_rails", "station_expansion", "waste"
BASIC = (NORMAL, EXPRESS, LIMITED, RAILS, STATION, WASTE, "apartment", "tower", "skyscraper")
"""The kinds in every game (R-02)."""
KINGDOM = 8
"""The number of kinds, of the thirty, that are for sale in a game (R-02)."""
STARTING = {NORMAL: 7, RAILS: 2, STATION: 1}
"""Everybody's ten starting cards (R-03)."""
NAMES = ("reconstruction", "box")
"""The shipped lists; `box`: the same, until its owner confirms cards."""
MOST_PLAYERS = 4
"""The most players whose starting cards come out of a list (R-01)."""
MOST = 99
"""The highest cost, value, number of points or of copies of a card."""


class Card(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One kind of card. A figure is null until the owner's card has been read."""

    id: str
    count: int
    cost: int | None = None
    value: int | None = None
    categories: tuple[Category, ...] = ()
    points: int = 0
    persistent: bool = False
    """Whether its effect lasts until the end of the turn (R-20)."""
    source: Source = "unknown"

    @property
    def is_train(self) -> bool:
        """Whether it is a Train."""
        return "train" in self.categories

    @property
    def is_rail(self) -> bool:
        """Whether it is a Rail card: playing it feeds the ironworks (K11)."""
        return "rail" in self.categories

    @property
    def is_action(self) -> bool:
        """Whether it is an Action."""
        return "action" in self.categories

    @property
    def is_copyable(self) -> bool:
        """Whether the stationmaster's office may copy it: an Action, or a Rail card of the kingdom (A-03)."""
        return self.is_action or (self.is_rail and self.id not in BASIC)


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A complete list of cards."""

    name: str
    cards: tuple[Card, ...]

    @property
    def kingdom(self) -> tuple[str, ...]:
        """The kinds from which eight are for sale."""
        return tuple([card.id for card in self.cards if card.id not in BASIC])


def faults(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield the faults of a list; a missing cost is a fault only if the game needs it."""
    counts = Counter(card.id for card in catalogue.cards)
    known = {card.id for card in shipped().cards}
    missing = sorted(known - counts.keys())
    if missing:
        yield "missing", {"cards": ", ".join(missing)}
    for name in sorted(counts):
        if counts[name] > 1:
            yield "double", {"card": name, "count": counts[name]}
        if name not in known:
            yield "unknown", {"card": name}
    for card in catalogue.cards:
        for part, figure in (("cost", card.cost), ("value", card.value), ("points", card.points)):
            if figure is not None and not 0 <= figure <= MOST:
                yield "range", {"card": card.id, "part": part, "figure": figure, "most": MOST}
        needed = STARTING.get(card.id, 0) * MOST_PLAYERS
        if not needed <= card.count <= MOST:
            yield "count", {"card": card.id, "count": card.count, "needed": needed, "most": MOST}


def complaints(catalogue: Catalogue) -> list[str]:
    """Return the faults of a list as sentences; empty if it can be played."""
    return say_faults(faults(catalogue), words_of(HOME))


def gaps(catalogue: Catalogue) -> list[str]:
    """Return the cards with missing figures: a match with such a card does not begin (R-10)."""
    cards = [card.id for card in catalogue.cards if card.cost is None or card.value is None]
    return [f"R-10: the cost or value of {card} has not been entered." for card in cards]


@cache
def shipped(name: str = "reconstruction") -> Catalogue:
    """Return a shipped list: the reconstruction, or `box`, the same until its owner confirms cards."""
    if name not in NAMES:
        raise BadSetup(refusals.NO_SUCH_LIST(name=name), f"There is no list of cards {name!r}.")
    return msgspec.structs.replace(msgspec.convert(read_data(HOME, "catalogue.toml"), Catalogue), name=name)


def given(catalogue: str | JsonObject) -> Catalogue:
    """Return the list of a set-up; raise `BadSetup` for an invalid one (R-02)."""
    if isinstance(catalogue, str):
        return shipped(catalogue)
    return checked_list(catalogue, Catalogue, complaints, refusals.BAD_LIST)


def shown(figure: int | None) -> str:
    """Return a figure for cards and lists; a missing one is a "?"."""
    return "?" if figure is None else str(figure)


def listing(catalogue: Catalogue) -> Listing:
    """Return the list as a table: title, columns, rows."""
    rows = [(
        each.id.replace("_", " "), str(each.count), shown(each.cost), shown(each.value), str(each.points or ""),
        ", ".join(each.categories), each.source,
    ) for each in catalogue.cards]  # fmt: skip
    return (("Cards", ("card", "count", "cost", "value", "points", "categories", "source"), tuple(rows)),)


CATALOGUES = Catalogues(Catalogue, NAMES, shipped, complaints, gaps, listing)
