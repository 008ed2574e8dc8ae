"""Reads whole numbers as pages show them and as people type or paste them: 1200, $1,200, 1 200 $, 1’200, 1.200."""

from __future__ import annotations

import re
import unicodedata

MOST_DIGITS = 15
"""Digits of the longest number: scripts count exactly so far."""
DIGITS = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}")
GROUPED = re.compile(r"[1-9][0-9]{0,2}([ ,.'])[0-9]{3}(?:\1[0-9]{3})*")
"""Thousands parted by one sign throughout. Money is whole dollars, so that 1.200 means nothing else."""
NO_CENTS = re.compile(r"(.*[0-9])([,.])00")
PARTED = re.compile(r"[0-9 ,.']*[0-9][0-9 ,.']*")
"""What has nothing but digits and signs that part them."""
ALIKE = str.maketrans(dict.fromkeys("‘’ʼ′´`", "'") | {"\N{MINUS SIGN}": "-", "＄": "$", "，": ",", "．": "."})


class NotWhole(ValueError):
    """A text that is no whole number; `key` is `no_number`, or `unclear_number` where it could be several."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def whole_number(text: str) -> int:
    """Return a whole number as people write it, perhaps with a dollar sign or a minus; raise `NotWhole`.

    A part of a dollar, and digits in other groups than thousands, could be several numbers: nothing is guessed.
    """
    plain = _plain(text)
    minus = plain.startswith("-")
    plain = plain.removeprefix("-").strip()
    plain = (plain.removeprefix("$") if plain.startswith("$") else plain.removesuffix("$")).strip()
    if not minus and plain.startswith("-"):
        minus, plain = True, plain.removeprefix("-")
    digits = _digits(plain)
    return -digits if minus else digits


def _digits(text: str) -> int:
    """Return the number of digits that may be parted; raise `NotWhole`."""
    cents = NO_CENTS.fullmatch(text)
    whole = text if cents is None else cents[1]
    grouped = GROUPED.fullmatch(whole)
    if grouped is not None and (cents is None or cents[2] != grouped[1]):
        whole = whole.replace(grouped[1], "")
    if DIGITS.fullmatch(whole):
        return int(whole)
    raise NotWhole("unclear_number" if PARTED.fullmatch(text) and not text.isdecimal() else "no_number")


def _plain(text: str) -> str:
    """Return a text with plain digits, spaces, apostrophes and minus, and without marks that nobody sees."""
    return "".join(map(_plain_letter, text)).translate(ALIKE).strip()


def _plain_letter(letter: str) -> str:
    """Return what a character stands for in a number: digits of other scripts are digits, ² is not."""
    kind = unicodedata.category(letter)
    if kind in ("Cf", "Zs"):
        return " " if kind == "Zs" else ""
    return str(unicodedata.decimal(letter, letter))
