"""The wagons of Game of Trains as data: catalogues, and the book for a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Literal, get_args

import msgspec

from companion.engine import BadSetup, JsonObject
from companion.games.game_of_trains import refusals
from companion.mechanics.definition import Catalogues, Listing
from companion.mechanics.game_files import Fault, checked_list, read_data, say_faults, words_of

Ability = Literal[
    "swap_adjacent", "swap_one_between", "move_right_2", "move_left_2", "remove_left", "remove_middle", "remove_right",
    "protect",
]  # fmt: skip
Source = Literal["rulebook", "public", "reconstruction", "owner", "unknown"]
HOME = "companion.games.game_of_trains"
"""The package of the game's files."""
ABILITIES: dict[str, str] = {ability: f"B-{number}" for number, ability in enumerate(get_args(Ability), 1)}
"""The eight abilities and their rules (rulebook, pages 5 to 8)."""
WAGONS = 84
"""Wagons in the box (rulebook, contents; R-01)."""
NAMES = ("reconstruction", "box")
"""The shipped lists; `box`: of an owner's box, before any card has been read."""
MOST = 999
"""The highest number of a wagon."""


class Wagon(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One wagon card. Its ability is null until the owner's card has been read."""

    number: int
    ability: str | None = None
    source: Source = "unknown"


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A complete list of wagons."""

    name: str
    wagons: tuple[Wagon, ...]

    @property
    def known(self) -> bool:
        """Whether every wagon's ability has been read."""
        return all(wagon.ability is not None for wagon in self.wagons)


class Book(msgspec.Struct, frozen=True):
    """The list in the form for a match."""

    numbers: tuple[int, ...]
    """Every wagon's number in ascending order."""
    abilities: tuple[str | None, ...]
    """Each wagon's ability at the index of its number; None if it is unread or the number is unused."""

    def reading(self, number: int, ability: str) -> Book:
        """Return the book with an ability read off a card."""
        return Book(self.numbers, (*self.abilities[:number], ability, *self.abilities[number + 1 :]))


def faults(catalogue: Catalogue) -> Iterator[Fault]:
    """Yield the faults of a catalogue."""
    count, known = Counter(wagon.number for wagon in catalogue.wagons), ", ".join(ABILITIES)
    if len(catalogue.wagons) != WAGONS:
        yield "count", {"wanted": WAGONS, "count": len(catalogue.wagons)}
        missing = [str(number) for number in range(1, WAGONS + 1) if number not in count]
        if missing and max(count, default=0) <= WAGONS:
            yield "missing", {"numbers": ", ".join(missing)}
    for number in sorted(count):
        if not 1 <= number <= MOST:
            yield "range", {"number": number, "most": MOST}
        if count[number] > 1:
            yield "double", {"number": number, "count": count[number]}
    for number, ability in [(wagon.number, wagon.ability) for wagon in catalogue.wagons]:
        if ability is not None and ability not in ABILITIES:
            yield "ability", {"number": number, "ability": ability, "known": known}


def complaints(catalogue: Catalogue) -> list[str]:
    """Return the faults of a catalogue as sentences; empty if it can be played."""
    return say_faults(faults(catalogue), words_of(HOME))


def gaps(catalogue: Catalogue) -> list[str]:
    """Return a sentence about missing figures; nothing if all are known."""
    return [] if catalogue.known else ["The table asks for missing figures when it first sees a card."]


def read(data: JsonObject) -> Catalogue:
    """Return a catalogue from decoded data; raise `BadSetup` for invalid data (R-01)."""
    return checked_list(data, Catalogue, complaints, refusals.BAD_CATALOGUE)


@cache
def shipped(name: str) -> Catalogue:
    """Return a shipped catalogue; raise `BadSetup` for an unknown name."""
    if name == "box":
        return unread()
    if name != "reconstruction":
        raise BadSetup(refusals.BAD_CATALOGUE(why=name), f"there is no list of wagons called {name!r}")
    return read(read_data(HOME, "catalogue.toml"))


def given(catalogue: str | JsonObject) -> Catalogue:
    """Return the catalogue that a set-up names or contains."""
    return shipped(catalogue) if isinstance(catalogue, str) else read(catalogue)


def unread() -> Catalogue:
    """Return the catalogue of an owner's box before any card has been read: numbers 1 to 84, without abilities."""
    return Catalogue("box", tuple([Wagon(number) for number in range(1, WAGONS + 1)]))


def book_of(catalogue: Catalogue) -> Book:
    """Return the book of a list."""
    found = {wagon.number: wagon.ability for wagon in catalogue.wagons}
    return Book(tuple(sorted(found)), tuple([found.get(number) for number in range(max(found) + 1)]))


def wagon_id(number: int) -> str:
    """Return a wagon's card name, such as `wagon-42`."""
    return f"wagon-{number}"


def number_of(card: str) -> int:
    """Return a wagon's number by its card name; 0 for any other card."""
    kind, _, number = card.partition("-")
    return int(number) if kind == "wagon" and number.isdecimal() else 0


def listing(catalogue: Catalogue) -> Listing:
    """Return every wagon with its ability and source, and the number of wagons of each ability."""
    rows = [(str(each.number), each.ability or "?", ABILITIES.get(each.ability or "", "?"), each.source)
            for each in catalogue.wagons]  # fmt: skip
    count = Counter(wagon.ability for wagon in catalogue.wagons)
    counts = [(ability, rule, str(count[ability])) for ability, rule in ABILITIES.items()]
    wagons = (f"Wagons of {catalogue.name}", ("number", "ability", "rule", "source"), tuple(rows))
    return wagons, ("Abilities", ("ability", "rule", "wagons"), tuple(counts))


CATALOGUES = Catalogues(Catalogue, NAMES, shipped, complaints, gaps, listing)
