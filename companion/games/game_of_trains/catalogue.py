"""The wagons of Game of Trains as data: what a list must hold, and the book a match plays by."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from companion.engine import BadSetup
from companion.i18n import LANGUAGES, cached

Ability = Literal[
    "swap_adjacent",
    "swap_one_between",
    "move_right_2",
    "move_left_2",
    "remove_left",
    "remove_middle",
    "remove_right",
    "protect",
]
Source = Literal["rulebook", "public", "reconstruction", "owner", "unknown"]

ABILITIES: dict[str, str] = {
    "swap_adjacent": "B-1",
    "swap_one_between": "B-2",
    "move_right_2": "B-3",
    "move_left_2": "B-4",
    "remove_left": "B-5",
    "remove_middle": "B-6",
    "remove_right": "B-7",
    "protect": "B-8",
}
"""The eight abilities and their rules (rulebook, pages 5 to 8)."""
WAGONS = 84
"""Wagons in the box (rulebook, contents; R-01)."""
MOST = 999
"""No wagon has a greater number."""


Fault = tuple[str, dict[str, Any]]
"""What is wrong with a list: its key in the words, and what fills the sentence in."""


class Wagon(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One wagon card. Its ability is null until the owner's card has been read."""

    number: int
    ability: str | None = None
    source: Source = "unknown"


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole list of wagons."""

    name: str
    wagons: tuple[Wagon, ...]

    @property
    def known(self) -> bool:
        """Whether every wagon's ability has been read."""
        return all(wagon.ability is not None for wagon in self.wagons)


class Book(msgspec.Struct, frozen=True):
    """The list as a match uses it."""

    numbers: tuple[int, ...]
    """Every wagon's number, the smallest first."""
    abilities: tuple[str | None, ...]
    """Each wagon's ability at its number: None where it is still to be read, and where no wagon has that number."""

    def reading(self, number: int, ability: str) -> Book:
        """Return the book with an ability that was read off a card."""
        return Book(self.numbers, (*self.abilities[:number], ability, *self.abilities[number + 1 :]))


def faults(catalogue: Catalogue) -> list[Fault]:
    """Return what is missing or wrong in a list: what the words call it, and what fills the sentence in."""
    found: list[Fault] = []
    count = Counter(wagon.number for wagon in catalogue.wagons)
    if len(catalogue.wagons) != WAGONS:
        found.append(("count", {"wanted": WAGONS, "count": len(catalogue.wagons)}))
        missing = [str(number) for number in range(1, WAGONS + 1) if number not in count]
        if missing and max(count, default=0) <= WAGONS:
            found.append(("missing", {"numbers": ", ".join(missing)}))
    for number in sorted(count):
        if not 1 <= number <= MOST:
            found.append(("range", {"number": number, "most": MOST}))
        if count[number] > 1:
            found.append(("double", {"number": number, "count": count[number]}))
    for wagon in catalogue.wagons:
        if wagon.ability is not None and wagon.ability not in ABILITIES:
            known = ", ".join(ABILITIES)
            found.append(("ability", {"number": wagon.number, "ability": wagon.ability, "known": known}))
    return found


def complaints(catalogue: Catalogue, lang: str = LANGUAGES[0]) -> list[str]:
    """Return what is missing or wrong in a list, in words; an empty one when it can be played."""
    say = cached(lang, (resources.files(__package__).joinpath("words"),))
    return [say(f"list_fault.{key}", **fields) for key, fields in faults(catalogue)]


def read(data: Any) -> Catalogue:
    """Return a list from decoded data; raise `BadSetup` saying what does not fit (R-01)."""
    try:
        catalogue = msgspec.convert(data, Catalogue)
    except msgspec.ValidationError as error:
        raise BadSetup("R-01", "bad_catalogue", f"The list of wagons does not fit: {error}", why=str(error)) from None
    said = complaints(catalogue)
    if said:
        raise BadSetup("R-01", "bad_catalogue", " ".join(said), why=" ".join(said))
    return catalogue


@cache
def shipped(name: str) -> Catalogue:
    """Return a list that comes with the game; raise `BadSetup` when there is none of that name."""
    if name == "box":
        return unread()
    if name != "reconstruction":
        raise BadSetup("R-01", "bad_catalogue", f"there is no list of wagons called {name!r}", why=name)
    text = resources.files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8")
    return read(tomllib.loads(text))


def given(catalogue: str | dict[str, Any]) -> Catalogue:
    """Return the list that a set-up names or holds."""
    return shipped(catalogue) if isinstance(catalogue, str) else read(catalogue)


def unread() -> Catalogue:
    """Return the list of an owner's box before any card has been read: numbers 1 to 84, abilities asked for once."""
    return Catalogue("box", tuple([Wagon(number) for number in range(1, WAGONS + 1)]))


def book_of(catalogue: Catalogue) -> Book:
    """Return the book of a list."""
    found = {wagon.number: wagon.ability for wagon in catalogue.wagons}
    return Book(tuple(sorted(found)), tuple([found.get(number) for number in range(max(found) + 1)]))


def wagon_id(number: int) -> str:
    """Return the name of a wagon as a deck of pictures calls it, such as `wagon-42`."""
    return f"wagon-{number}"


def number_of(card: str) -> int:
    """Return a wagon's number by its name in a deck of pictures; 0 for what is no wagon."""
    kind, _, number = card.partition("-")
    return int(number) if kind == "wagon" and number.isdecimal() else 0


# --- shown ----------------------------------------------------------------------------------------

Sheet = tuple[str, tuple[str, ...], tuple[tuple[str, ...], ...]]
"""A table of a list: its title, its columns, its rows; numbers are written out."""


def listing(catalogue: Catalogue) -> tuple[Sheet, ...]:
    """Return every wagon with its ability and where that comes from, and how many there are of each ability."""
    rows = [
        (str(wagon.number), wagon.ability or "?", ABILITIES.get(wagon.ability or "", "?"), wagon.source)
        for wagon in catalogue.wagons
    ]
    count = Counter(wagon.ability for wagon in catalogue.wagons)
    counts = [(ability, rule, str(count[ability])) for ability, rule in ABILITIES.items()]
    return (
        (f"Wagons of {catalogue.name}", ("number", "ability", "rule", "source"), tuple(rows)),
        ("Abilities", ("ability", "rule", "wagons"), tuple(counts)),
    )
