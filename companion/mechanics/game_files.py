"""Files in a game's folder: its data as TOML, and its words."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from importlib import resources
from typing import TypeVar

import msgspec

from companion.engine import BadSetup, JsonObject, Reason
from companion.i18n import LANGUAGES, Words, load_cached

T = TypeVar("T")
Fault = tuple[str, JsonObject]
"""A fault of a list of cards: the key of its sentence (`list_fault.<key>`) and the fields."""


def read_data(package: str, name: str) -> JsonObject:
    """Return the data of a TOML file in a package."""
    return tomllib.loads(resources.files(package).joinpath(name).read_text(encoding="utf-8"))


def words_of(package: str, lang: str = LANGUAGES[0]) -> Words:
    """Return a game's own words."""
    return load_cached(lang, (resources.files(package).joinpath("words"),))


def say_faults(faults: Iterable[Fault], words: Words) -> list[str]:
    """Return the faults of a list of cards as sentences."""
    return [words(f"list_fault.{key}", **fields) for key, fields in faults]


def checked_list(data: JsonObject, kind: type[T], complaints: Callable[[T], list[str]], bad: Reason) -> T:
    """Return a list of cards from its data; raise `BadSetup`, with the reason `bad`, if it is invalid."""
    try:
        found = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise BadSetup(bad(why=str(error)), f"The list of cards does not fit: {error}") from None
    said = " ".join(complaints(found))
    if said:
        raise BadSetup(bad(why=said), said)
    return found
