"""What the "?" of a game's sign says: three short sentences and a picture for every moment, or no "?" at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from companion.engine import AnyGame
from companion.i18n import LANGUAGES
from companion.ops.game_check import Check, Shortcoming
from companion.ops.game_check.game_files import GameFiles
from companion.ops.game_check.shortcomings import missing
from companion.ops.game_check.words import steps

LINES = ("one", "two", "three")
"""What is happening, what you can do, and what that leads to or costs."""
PICTURE = "picture"
LONGEST = 140
"""Characters of a sentence that a child still reads."""
SPRITE = "static/img/help.svg"


@cache
def pictures() -> frozenset[str]:
    """Return the names of the pictures."""
    text = resources.files("web").joinpath(SPRITE).read_text(encoding="utf-8")
    return frozenset(re.findall(r'<symbol id="([\w-]+)"', text))


def has_help(files: GameFiles) -> bool:
    """Whether the game brings help at all; one without it shows no "?"."""
    return any(key.startswith("help.") for lang in LANGUAGES for key in files.sentences(lang))


def moments(files: GameFiles) -> list[str]:
    """Return everything that a sign can say: all steps that wait, the end, and each moment that has a sentence."""
    said = [key.split(".")[1] for lang in LANGUAGES for key in files.sentences(lang) if key.startswith("moment.")]
    told = [key.split(".")[1] for lang in LANGUAGES for key in files.sentences(lang) if key.startswith("help.")]
    return sorted({*steps(files.package), *said, *told})


def help_words(game: AnyGame, files: GameFiles) -> Iterator[Shortcoming]:
    """Every moment has three sentences that are short enough and a picture that exists, in every language."""
    if not has_help(files):
        return
    for lang in LANGUAGES:
        said, file = files.sentences(lang), files.words_file(f"help.{lang}")
        for moment in moments(files):
            for part in (*LINES, PICTURE):
                if not said.get(f"help.{moment}.{part}", "").strip():
                    yield missing(file, f"help.{moment}.{part}")
        for key in [key for key in said if key.startswith("help.")]:
            if key.endswith(f".{PICTURE}"):
                if said[key] not in pictures():
                    known = ", ".join(sorted(pictures()))
                    yield Shortcoming(file, f"{key} names {said[key]!r}, which is no picture of {SPRITE}: {known}.")
            elif len(said[key]) > LONGEST:
                yield Shortcoming(file, f"{key} has {len(said[key])} characters, more than {LONGEST}.")


CHECKS: tuple[Check, ...] = (help_words,)
