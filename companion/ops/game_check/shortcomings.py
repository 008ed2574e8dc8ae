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
        except Exception as error:  # whatever somebody's game does
            found.append(Shortcoming(files.path(), f"{subject(check)}: {reason(error, package_of(game))}"))
    return list(dict.fromkeys(found))


def subject(check: Check) -> str:
    """Return what a check looks at, as the beginning of a sentence: `place words cannot be examined`."""
    return f"The check of {check.__name__.replace('_', ' ')} fails"
