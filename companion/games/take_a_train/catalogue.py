"""The cards and tokens of Take a Train as data: catalogues, and the book for a match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from companion.engine import BadSetup, JsonObject
from companion.games.take_a_train import refusals
from companion.mechanics.definition import Catalogues, Listing
from companion.mechanics.game_files import checked_list, read_data

Drive = Literal["steam", "diesel", "electric"]
Source = Literal["rulebook", "public", "reconstruction", "assumed", "owner", "unknown"]

DRIVES: dict[Drive, int] = {"steam": 7, "diesel": 6, "electric": 5}
"""Locomotive cards of each drive (both rulebooks, contents; R-01)."""
CARGO: dict[str, int] = {"food": 25, "cattle": 19, "coal": 15, "oil": 11, "luxury": 7, "passenger": 5}
"""Wagon cards of each type (both rulebooks, contents; R-02)."""
SPECIALS = ("bin", "longer", "multiplier", "bonus", "twin")
"""The five special cards, one of each (both rulebooks; R-02)."""
TAKEABLE_SPECIALS = ("multiplier", "bonus", "twin")
"""Specials that a player may take (R-67c to R-67e)."""
MONEY: Mapping[int, int] = {5000: 10, 1000: 35, 500: 35, 100: 25, 50: 20}
"""Money tokens by value (both rulebooks; R-04): 125 tokens, 106,000 dollars."""
NAMES = ("reconstruction", "box")
"""The shipped lists; `box`: of an owner's box, before any card has been read."""
UNIT = 50
"""The smallest token: every amount is a multiple of it (R-04)."""
FIGURES = {
    "power": range(UNIT, 5000 + UNIT, UNIT),
    "speed": range(1, 1000),
    "multiplier": range(1, 10),
    "value": range(UNIT, 500 + UNIT, UNIT),
    "price": range(0, 5000 + UNIT, UNIT),
}
"""The possible figures of a card or token. Wagon values: both rulebooks (R-02). The others are wide: nobody begins with
more than 5,000, a speed has three digits and a multiplier one.
"""
LOCO_FIGURES = ("power", "speed", "multiplier")
"""The figures of a locomotive."""


class Loco(msgspec.Struct, frozen=True, gc=False):
    """One locomotive card. Figures are null until the owner's card has been read.

    `power` and minimum price in dollars, `speed` in km/h.
    """

    id: str
    drive: Drive
    power: int | None = None
    speed: int | None = None
    multiplier: int | None = None
    source: Source = "unknown"
    sources: dict[str, Source] = {}
    """The figures whose source differs from the card's, by the figure's name."""

    @property
    def known(self) -> bool:
        """Whether the figures have been read."""
        return self.power is not None and self.speed is not None and self.multiplier is not None


class WagonCount(msgspec.Struct, frozen=True):
    """The number of wagon cards of a type and value; a null value means that values are still unknown."""

    type: str
    value: int | None
    count: int
    source: Source = "unknown"
    sources: dict[str, Source] = {}
    """The different source of the `value` or the `count`: the rulebook shows some values, but no counts."""


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A complete list of cards. `sequence` holds the exchange prices of tokens 1 to 6, null if unread."""

    name: str
    locomotives: tuple[Loco, ...]
    wagons: tuple[WagonCount, ...]
    sequence: tuple[int | None, ...]
    sequence_source: Source = "assumed"
    sequence_sources: dict[str, Source] = {}
    """The tokens whose price has a different source, by their number."""
    second_of_two: int = 300
    """The price for the second of two players instead of the print on token 2 (both rulebooks; R-58)."""

    @property
    def open_values(self) -> bool:
        """Whether wagon values are still to be read off the owner's cards."""
        return any(w.value is None for w in self.wagons)

    @property
    def known(self) -> bool:
        """Whether nothing is left to be read off the owner's cards."""
        return not self.open_values and all(loco.known for loco in self.locomotives)


def wagon_id(cargo: str, value: int) -> str:
    """Return the name of a wagon card in events, such as `coal-200`."""
    return f"{cargo}-{value}"


def wagon_parts(card: str) -> tuple[str, int]:
    """Return type and value of a wagon card's name; raise `ValueError` for anything else."""
    cargo, _, value = card.partition("-")
    if cargo not in CARGO or not value.isascii() or not value.isdigit() or str(int(value)) != value:
        raise ValueError(f"{card!r} is not a wagon card: give a type and a value, such as coal-200")
    return cargo, int(value)


def can_be(figure: str, value: int) -> bool:
    """Return whether a figure (`power`, `speed`, `multiplier`, `value` or `price`) can have this value (R-01, R-02,
    R-58)."""
    return value in FIGURES[figure]


def misprints(of: str, **values: int | None) -> list[str]:
    """Return a sentence for each impossible figure of a card or token; an unknown one is not a fault."""
    said = []
    for figure, value in values.items():
        if value is not None and not can_be(figure, value):
            can = FIGURES[figure]
            kind = "whole numbers" if can.step == 1 else f"multiples of {can.step}"
            said.append(f"{of}: the {figure} cannot be {value}, only {kind} from {can[0]:,} to {can[-1]:,}.")
    return said


def complaints(catalogue: Catalogue) -> list[str]:
    """Return the faults of a catalogue as sentences; empty if it can be played."""
    said: list[str] = []
    for kind, count in (DRIVES | CARGO).items():
        what = "locomotives" if kind in DRIVES else "wagons"
        found = sum(loco.drive == kind for loco in catalogue.locomotives)
        found += sum(row.count for row in catalogue.wagons if row.type == kind)
        if found != count:
            said.append(f"There must be {count} {kind} {what}, and there are {found}.")
    names = [loco.id for loco in catalogue.locomotives]
    said += [f"Two locomotives are called {name}." for name in sorted({n for n in names if names.count(n) > 1})]
    for loco in catalogue.locomotives:
        said += misprints(loco.id, **{figure: getattr(loco, figure) for figure in LOCO_FIGURES})
        if not loco.known and catalogue.name != "box" and loco.source != "unknown":
            said.append(f"{loco.id}: give power, speed and multiplier, or set the source to unknown.")
    for wagon in catalogue.wagons:
        if wagon.type not in CARGO:
            said.append(f"{wagon.type!r} is not a type of wagon: choose one of {', '.join(CARGO)}.")
        said += misprints(f"{wagon.type} wagon", value=wagon.value)
        if wagon.count <= 0:
            said.append(f"The count of {wagon.type} wagons of {wagon.value} must be above 0, not {wagon.count}.")
    if len(catalogue.sequence) != 6:
        said.append(f"There must be prices for 6 sequence tokens, and there are {len(catalogue.sequence)}.")
    for token, price in enumerate(catalogue.sequence, 1):
        said += misprints(f"Sequence token {token}", price=price)
    return said + misprints("Sequence token 2 of two players", price=catalogue.second_of_two)


def gaps(catalogue: Catalogue) -> list[str]:
    """Return a sentence about missing figures; nothing if all are known."""
    return [] if catalogue.known else ["The table asks for missing figures when it first sees a card."]


def read(data: JsonObject) -> Catalogue:
    """Return a catalogue from decoded data; raise `BadSetup` for invalid data."""
    return checked_list(data, Catalogue, complaints, refusals.BAD_CATALOGUE)


class Book(msgspec.Struct, frozen=True):
    """The catalogue in the form for a match: cards by name, prices by token, and the unread figures."""

    locos: dict[str, Loco]
    sequence: tuple[int | None, ...]
    second_of_two: int
    wagons: tuple[str, ...]
    """Every wagon and special card of the deck by name; the type alone (`coal`) if values are unknown."""
    open_values: bool

    def price(self, token: int, players: int) -> int | None:
        """Return the price of an exchange for the holder of a sequence token (1 to 6), None if unread (R-58)."""
        if players == 2 and token == 2:
            return self.second_of_two
        return self.sequence[token - 1]


def book_of(catalogue: Catalogue, sequence: tuple[int | None, ...] | None = None) -> Book:
    """Return the book of a catalogue, with the option's sequence prices if given."""
    wagons: tuple[str, ...] = ()
    for row in catalogue.wagons:
        wagons += (row.type if row.value is None else wagon_id(row.type, row.value),) * row.count
    locos = {loco.id: loco for loco in catalogue.locomotives}
    prices = sequence or catalogue.sequence
    return Book(locos, prices, catalogue.second_of_two, wagons + SPECIALS, catalogue.open_values)


def unread() -> Catalogue:
    """Return the catalogue of an owner's box before any card has been read."""
    return Catalogue(
        name="box",
        locomotives=tuple(Loco(f"{d}-{n}", d) for d, count in DRIVES.items() for n in range(1, count + 1)),
        wagons=tuple(WagonCount(cargo, None, count) for cargo, count in CARGO.items()),
        sequence=(None, 500, None, None, None, None),
        sequence_source="unknown",
    )


@cache
def shipped(name: str) -> Catalogue:
    """Return a shipped catalogue; raise `BadSetup` for an unknown name."""
    if name == "box":
        return unread()
    if name != "reconstruction":
        raise BadSetup(refusals.BAD_CATALOGUE(why=name), f"there is no catalogue called {name!r}")
    return read(read_data(__package__, "catalogue.toml"))


def given(catalogue: str | JsonObject) -> Catalogue:
    """Return a list of cards by its name, or from its data as read from a file; raise `BadSetup` for invalid data."""
    return shipped(catalogue) if isinstance(catalogue, str) else read(catalogue)


# --- listing --------------------------------------------------------------------------------------


def listing(catalogue: Catalogue) -> Listing:
    """Return every card of a catalogue with the source of its figures, as tables."""
    locos = [
        (loco.id, loco.drive, *[_told(getattr(loco, figure)) for figure in LOCO_FIGURES], _origin(loco))
        for loco in catalogue.locomotives
    ]
    wagons = [(wagon.type, _told(wagon.value), str(wagon.count), _origin(wagon)) for wagon in catalogue.wagons]
    origins = [catalogue.sequence_sources.get(str(token), catalogue.sequence_source) for token in range(1, 7)]
    prices = [(str(n), _told(price), origins[n - 1]) for n, price in enumerate(catalogue.sequence, 1)]
    return (
        (f"Locomotives of {catalogue.name}", ("locomotive", "drive", "power", "speed", "×", "source"), tuple(locos)),
        ("Wagons", ("wagon", "value", "cards", "source"), tuple(wagons)),
        ("Exchange prices", ("sequence token", "exchange price", "source"), tuple(prices)),
    )


def _origin(card: Loco | WagonCount) -> str:
    """Return the source of a card's figures, with exceptions."""
    return ", ".join([card.source, *(f"{figure}: {source}" for figure, source in card.sources.items())])


def _told(figure: int | None) -> str:
    """Return a figure as text, or a question mark if it is unknown."""
    return "?" if figure is None else f"{figure:,}"


CATALOGUES = Catalogues(Catalogue, NAMES, shipped, complaints, gaps, listing)
"""The lists of cards."""
