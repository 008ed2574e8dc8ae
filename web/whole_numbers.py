"""Reads whole numbers as pages show them and as people type or paste them: 1200, $1,200, 1 200 $, 1’200, 1.200."""

from __future__ import annotations

import re
import unicodedata

MOST_DIGITS = 15
"""Digits of the longest number that scripts represent exactly."""
DIGITS = re.compile(rf"[0-9]{{1,{MOST_DIGITS}}}")
GROUPED = re.compile(r"[1-9][0-9]{0,2}([ ,.'])[0-9]{3}(?:\1[0-9]{3})*")
"""Thousands with one separator throughout. Amounts are whole dollars, so 1.200 can only be 1,200."""
NO_CENTS = re.compile(r"(.*[0-9])([,.])00")
PARTED = re.compile(r"[0-9 ,.']*[0-9][0-9 ,.']*")
"""A text of only digits and separators."""
ALIKE = str.maketrans(dict.fromkeys("‘’ʼ′´`", "'") | {"\N{MINUS SIGN}": "-", "＄": "$", "，": ",", "．": "."})


class NotWhole(ValueError):
    """A text that is not a whole number; `key` is `no_number`, or `unclear_number` if it could be several."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def whole_number(text: str) -> int:
    """Return a whole number from its usual spellings, with an optional dollar sign or minus; raise `NotWhole`.

    Refuse fractions of a dollar, and digits in groups other than thousands, because they are ambiguous.
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
    """Return the number in digits with optional separators; raise `NotWhole`."""
    cents = NO_CENTS.fullmatch(text)
    whole = text if cents is None else cents[1]
    grouped = GROUPED.fullmatch(whole)
    if grouped is not None and (cents is None or cents[2] != grouped[1]):
        whole = whole.replace(grouped[1], "")
    if DIGITS.fullmatch(whole):
        return int(whole)
    raise NotWhole("unclear_number" if PARTED.fullmatch(text) and not text.isdecimal() else "no_number")


def _plain(text: str) -> str:
    """Return a text with plain digits, spaces, apostrophes and minus, and without invisible marks."""
    return "".join(map(_plain_letter, text)).translate(ALIKE).strip()


def _plain_letter(letter: str) -> str:
    """Return a character's meaning in a number. Digits of other scripts are digits; ² is not."""
    kind = unicodedata.category(letter)
    if kind in ("Cf", "Zs"):
        return " " if kind == "Zs" else ""
    return str(unicodedata.decimal(letter, letter))
