"""All records of the rules are immutable, because history, threads and views share them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

import msgspec

ROOMS = ("companion.engine", "companion.mechanics", "companion.match", "companion.referee", "companion.games")


def records(kind: type[msgspec.Struct] = msgspec.Struct) -> Iterator[type[msgspec.Struct]]:
    """Yield all record classes defined in the packages."""
    for each in kind.__subclasses__():
        if each.__module__.startswith(ROOMS):
            yield each
        yield from records(each)


def load_all() -> None:
    """Import every module of the packages."""
    for room in ROOMS:
        package = importlib.import_module(room)
        for each in pkgutil.walk_packages(package.__path__, f"{room}."):
            importlib.import_module(each.name)


def test_no_record_of_the_rules_can_be_changed() -> None:
    """All events, effects, steps, tables, views and offers of the rules are frozen."""
    load_all()
    found = set(records())
    assert len(found) > 300
    assert (
        sorted({f"{each.__module__}.{each.__qualname__}" for each in found if not each.__struct_config__.frozen}) == []
    )
