"""A shortcoming of a game: what is wrong, and the file to open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from companion.engine import AnyGame
from companion.games import package_of, reason
from companion.ops.game_check.game_files import GameFiles


class Shortcoming(NamedTuple):
    """Something that a game lacks, or that people would see broken."""

    file: str
    """The file to open; it may have to be made."""
    text: str
    """What is wrong, as a sentence."""
    key: str = ""
    """What several looks find in the same words, such as a sentence's key: the first of them counts."""


def missing(file: str, key: str, more: str = ".") -> Shortcoming:
    """Return that a sentence is missing; `more` goes on after that."""
    return Shortcoming(file, f"{key} is missing{more}", key)


def unique(found: Iterable[Shortcoming]) -> list[Shortcoming]:
    """Return every shortcoming once, in order."""
    first: dict[tuple[str, str], Shortcoming] = {}
    for each in found:
        first.setdefault((each.file, each.key or each.text), each)
    return list(first.values())


Shortcomings = Iterator[Shortcoming]
Check = Callable[[AnyGame, GameFiles], Shortcomings]
"""Yields what one look at a game finds."""


def run_checks(game: AnyGame, checks: Iterable[Check]) -> list[Shortcoming]:
    """Return what the checks find, each shortcoming once. A check that fails is a shortcoming itself."""
    files = GameFiles(game)
    found: list[Shortcoming] = []
    for check in checks:
        try:
            found += check(game, files)
        except Exception as error:  # the game's own code may raise anything
            why = reason(error, package_of(game))
            text = f"The check of {check.__name__.replace('_', ' ')} fails: {why}"
            found.append(Shortcoming(str(files.folder), text, why))
    return unique(found)
