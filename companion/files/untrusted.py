"""Read files that people bring without blocking, within limits, and with a sentence for each failure.

Texts from outside (such as names and services' reports) reach a terminal or a log only through `printable`.
"""

from __future__ import annotations

import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import IO

KINDS = ((stat.S_ISDIR, "folder"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
MOST_DOTS = 200
"""Maximum number of dots in a line of TOML: parsing a key with very many parts takes minutes."""
MESSAGES = {
    "no_file": "it is a {kind}, not a file",
    "too_large": "it is larger than {most} KiB",
    "too_deep": "its brackets or keys are nested too deeply",
    "bad_number": "it holds a number or a date that no computer takes",
}


class Unreadable(ValueError):
    """The file cannot be read or exceeds a limit. `state` and `fields` give the reason, the message in English."""

    def __init__(self, state: str, **fields: str | int) -> None:
        self.state, self.fields = state, fields
        super().__init__(MESSAGES[state].format(**fields))


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading; raise `Unreadable` or `OSError`. Never open a pipe or a device."""
    _ensure_file(path.stat())
    file = open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")  # noqa: SIM115  # the caller's
    try:
        _ensure_file(os.fstat(file.fileno()))
    except Unreadable:
        file.close()
        raise
    return file


def read_bytes(path: Path, most: int) -> bytes:
    """Return a file's bytes, at most `most`; raise `Unreadable` or `OSError`."""
    with open_regular(path) as file:
        data = file.read(most + 1) if os.fstat(file.fileno()).st_size <= most else None
    if data is None or len(data) > most:
        raise Unreadable("too_large", most=most // 1024)
    return data


def parse_toml(text: str) -> dict[str, object]:
    """Return the data of a TOML text; raise `Unreadable` or `tomllib.TOMLDecodeError`."""
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise Unreadable("too_deep")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Unreadable("too_deep") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise Unreadable("bad_number") from None


UNSAFE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff]"
)
"""Control characters that a terminal obeys instead of showing, characters that reorder or hide text, and surrogates.

Joiners (U+200C, U+200D) are safe: names and emoji need them.
"""


def printable(text: str, longest: int = 0) -> str:
    """Return a text from outside as one line with every character visible: `\u001b` for an escape character.

    `longest`: maximum number of characters to keep; 0: all.
    """
    text = text[:longest] if longest else text
    return UNSAFE.sub(_escaped, text)


def printable_lines(text: str) -> str:
    """Return a text like `printable`, but keep its lines and tabs. JSON keeps its meaning."""
    return UNSAFE.sub(lambda found: found[0] if found[0] in "\n\t" else _escaped(found), text)


def _escaped(found: re.Match[str]) -> str:
    return "\\u007f" if found[0] == "\x7f" else json.dumps(found[0])[1:-1]


def _ensure_file(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable("no_file", kind=next((name for is_it, name in KINDS if is_it(found.st_mode)), "device"))
