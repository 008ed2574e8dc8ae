"""A shortcoming of a game, with the file to open."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from inspect import getsourcefile, getsourcelines
from typing import Concatenate, NamedTuple, ParamSpec

from companion.engine import AnyGame
from companion.games import package_of, reason
from companion.ops.game_check.game_files import GameFiles, fields


class Shortcoming(NamedTuple):
    """A missing part of a game, or a part that people would see broken."""

    file: str
    """The file to open; it may have to be created."""
    text: str
    """The fault as a sentence."""
    key: str = ""
    """Identifies a shortcoming that several checks find, such as a sentence's key: only the first one counts."""


def missing(file: str, key: str, more: str = ".") -> Shortcoming:
    """Return the shortcoming of a missing sentence; `more` continues its text."""
    return Shortcoming(file, f"{key} is missing{more}", key)


def unique(found: Iterable[Shortcoming]) -> list[Shortcoming]:
    """Return every shortcoming once, in order."""
    first: dict[tuple[str, str], Shortcoming] = {}
    for each in found:
        first.setdefault((each.file, each.key or each.text), each)
    return list(first.values())


def unsaid(file: str, said: Mapping[str, str], key: str, given: Collection[str], giver: str) -> Shortcomings:
    """Yield a shortcoming if a sentence is missing, or if it uses a field that is not given."""
    if key not in said:
        yield missing(file, key)
    elif more := fields(said[key]).difference(given):
        yield Shortcoming(file, f"{key} fills in {', '.join(sorted(more))}, which {giver}.")


def at_source(thing: Callable[..., object], text: str) -> Shortcoming:
    """Return a shortcoming of a class or function, at its file and line."""
    return Shortcoming(str(getsourcefile(thing)), f"line {getsourcelines(thing)[1]}: {text}")


Shortcomings = Iterator[Shortcoming]
P = ParamSpec("P")
"""The ports that a check uses."""
Check = Callable[Concatenate[AnyGame, GameFiles, P], Shortcomings]
"""Yields the shortcomings that one check finds."""


def run_checks(game: AnyGame, checks: Iterable[Check[P]], *ports: P.args, **named: P.kwargs) -> list[Shortcoming]:
    """Return the shortcomings that the checks find, each once. A failing check is a shortcoming itself."""
    files = GameFiles(game)
    found: list[Shortcoming] = []
    for check in checks:
        try:
            found += check(game, files, *ports, **named)
        except Exception as error:  # the game's own code may raise anything
            why = reason(error, package_of(game))
            text = f"The check of {check.__name__.replace('_', ' ')} fails: {why}"
            found.append(Shortcoming(str(files.folder), text, why))
    return unique(found)
