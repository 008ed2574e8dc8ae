"""Make standard output and error safe for any terminal: every text can be encoded, and no text is obeyed as a command.

A terminal may not know Unicode (`LC_ALL=en_US.ISO-8859-1`), and printed names may come from files and peers.
"""

from __future__ import annotations

import codecs
import io
import logging
import sys
import textwrap
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from companion.files.untrusted import printable, printable_lines

ERRORS = "companion-ascii"
"""The name of our handler for characters that an encoding lacks."""
PLAIN = {
    "✓": "+", "✗": "x", "×": "x", "…": "...", "–": "-", "—": "-", "−": "-", "·": ".", "•": "*", "→": "->", "←": "<-",
    "↔": "<->", "≤": "<=", "≥": ">=", "≈": "~", "‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"', "°": " deg",
    "±": "+/-", "µ": "u", "μ": "u", "Ω": "ohm", "€": "EUR", "£": "GBP", "⁄": "/", "ß": "ss", "æ": "ae",
    "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "þ": "th",
    "─": "-", "━": "=", "═": "=", "│": "|", "┃": "|", "║": "|", "●": "o", "○": "o", "■": "#", "□": "#", "█": "#",
    "▀": "#", "▄": "#",
}  # fmt: skip
"""ASCII replacements for characters that stay non-ASCII without their marks."""
CORNERS = range(0x2500, 0x2580)
"""Unicode's box-drawing characters."""


def in_ascii(char: str) -> str:
    """Return a character in ASCII: `e` for é, `...` for …, `?` for any unknown one."""
    if char in PLAIN or ord(char) in CORNERS:
        return PLAIN.get(char, "+")
    parts = unicodedata.normalize("NFKD", char)
    found = "".join(PLAIN.get(part, part) for part in parts).encode("ascii", "ignore").decode()
    return found or ("" if unicodedata.combining(char) else "?")


def _replace(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(in_ascii(char) for char in error.object[error.start : error.end]), error.end


codecs.register_error(ERRORS, _replace)


class SafeStream:
    """A text stream that shows control characters and bidi marks instead of sending them to the terminal.

    `stream` is the stream below, for programs that must send some. There is no `buffer`: click would bypass us.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write a text."""
        self.stream.write(printable_lines(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """Return anything else from the stream below."""
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.stream, name)


class OneLine(logging.Formatter):
    """Writes each message on one line and indents each traceback, so that neither can look like another message."""

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return a record's line."""
        record.message = printable(record.message)
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:
        """Return a traceback."""
        return textwrap.indent(super().formatException(ei), "  ")


def log_to_terminal(form: str = "%(levelname)s %(name)s: %(message)s") -> None:
    """Send the log to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine(form))
    logging.basicConfig(handlers=[handler])


@contextmanager
def safe_streams() -> Iterator[None]:
    """Make standard output, standard error and an unconfigured log safe; restore the streams afterwards."""
    before = sys.stdout, sys.stderr
    modes = [getattr(stream, "errors", None) for stream in before]
    for stream in before:
        _set_errors(stream, ERRORS)
    sys.stdout, sys.stderr = (SafeStream(stream) for stream in before)
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(OneLine("%(message)s"))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream, mode in zip(before, modes, strict=True):
            _set_errors(stream, mode)


def below(stream: TextIO) -> TextIO:
    """Return the stream below a safe one, or any other stream itself."""
    return stream.stream if isinstance(stream, SafeStream) else stream


def can_show(stream: TextIO, text: str) -> bool:
    """Return whether a stream's encoding has all characters of a text."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _set_errors(stream: TextIO, mode: str | None) -> None:
    """Set how a stream handles characters that its encoding lacks, if it supports that."""
    if isinstance(stream, io.TextIOWrapper) and mode is not None:
        stream.reconfigure(errors=mode)
