"""People's names, in any script: which names a table or a hall accepts, which look alike, and their order."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations

import regex

LONGEST_NAME = 40
"""Letters as people count them: grapheme clusters (Unicode UAX #29)."""
MOST_CODE_POINTS = 4 * LONGEST_NAME
"""A family of emoji is up to 11 code points."""
MOST_OF_LETTER = 16
"""A letter with more code points is a tower of accents."""
TYPED = 2 * MOST_CODE_POINTS
"""The most UTF-16 units of a name, the unit in which browsers limit input."""
LETTER = regex.compile(r"\X")
UNSEEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
"""Characters that are invisible or turn the text around: controls, direction marks, fillers, unassigned ones."""
JOINED = regex.compile(r"[\u200c\u200d\ufe0e\ufe0f]")
"""Invisible characters that Persian and emoji need: (non-)joiners and variation selectors."""
FLAG = regex.compile(r"\U0001F3F4[\U000E0061-\U000E007A]+\U000E007F")
"""A flag of a part of a country, such as Scotland's, spelt in tags."""
SHOWN = regex.compile(r"[\p{L}\p{N}\p{S}\p{P}]")
SPELT = str.maketrans(
    {"æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "n", "ə": "e"}
    | dict.fromkeys("-‐–", " ")
    | dict.fromkeys("'’ʼ‘`´")
)
"""Letters that Unicode decomposes neither by mapping nor by name, with the letters that people write instead (CLDR,
transform Latin-ASCII); hyphens and apostrophes, which people omit.
"""
MARKED_LETTER = regex.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]) WITH ")
"""The name of a letter with a built-in mark, such as ł, ø and đ: Unicode's names never change."""


def composed(text: str) -> str:
    """Return a typed name in composed form, with single spaces; an empty name stays empty."""
    return unicodedata.normalize("NFC", " ".join(text.split()))


def name_key(name: str) -> str:
    """Return a key that is equal for two spellings of the same name."""
    return unicodedata.normalize("NFC", composed(name).casefold())


def why_unfit(name: str) -> str:
    """Return why nobody may have this name: `unseen` or `long`; empty if it is allowed."""
    if has_unseen(name) or (name and not SHOWN.search(FLAG.sub("x", name))):
        return "unseen"
    letters = LETTER.findall(name)
    towers = any(len(letter) > MOST_OF_LETTER for letter in letters)
    return "long" if towers or len(name) > MOST_CODE_POINTS or len(letters) > LONGEST_NAME else ""


def has_unseen(name: str) -> bool:
    """Return whether a name has an invisible character that no letter needs."""
    return bool(UNSEEN.search(name) and UNSEEN.search(JOINED.sub("", FLAG.sub("", name))))


def seen(name: str) -> str:
    """Return the beginning of a name without invisible characters."""
    return "".join(LETTER.findall(UNSEEN.sub("", name))[:LONGEST_NAME])


def shortened(name: str) -> str:
    """Return the beginning of an overlong name, cut between letters."""
    found = ""
    for letter in LETTER.findall(name)[: LONGEST_NAME - 1]:
        if len(found) + len(letter) >= MOST_CODE_POINTS or len(letter) > MOST_OF_LETTER:
            break
        found += letter
    return f"{found}…"


def look_alike(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the first two names that people can hardly tell apart, or None.

    Letters of different scripts that look the same count as equal (Unicode's confusables), and so do capitals.
    """
    return next((pair for pair in combinations(names, 2) if are_alike(*pair)), None)


def are_alike(one: str, other: str) -> bool:
    """Return whether two names look alike, as written or in lower case: a capital I looks like an l, not an i."""
    return not likeness(one).isdisjoint(likeness(other))


@lru_cache(maxsize=1 << 14)
def likeness(name: str) -> frozenset[tuple[bool, str]]:
    """Return the looks of a name, as written and in lower case; two names that share one look alike."""
    return frozenset({(False, skeleton(name)), (True, skeleton(name.casefold()))})


def skeleton(name: str) -> str:
    """Return the look of a name: every letter replaced by the representative of its lookalikes."""
    visible = JOINED.sub("", unicodedata.normalize("NFKC", name))
    return "".join([lookalike_of(letter) for letter in visible]).casefold()


@cache
def lookalike_of(letter: str) -> str:
    """Return the representative of a character's lookalikes, which may be the character itself.

    The table lists only the representative for each character, and every lookalike for a representative.
    """
    like = listed(letter)
    if len(like) != 1:
        return letter
    return min(letter, like[0]) if listed(like[0]) == [letter] else like[0]


def listed(letter: str) -> list[str]:
    """Return the table's entries for a character."""
    from confusable_homoglyphs import confusables  # a long table, not needed before a name is typed

    return [each["c"] for each in confusables.confusables_data.get(letter, ())]


def in_order(name: str) -> tuple[str, str]:
    """Return the sorting key of a name: first without marks and capitals, then as it is.

    Unicode's collation does the same in more steps. ICU implements it but has no wheels for a Raspberry Pi; its further
    rules, such as the order of Han characters, need tables of several megabytes.
    """
    return plain_letters(name), name.casefold()


@lru_cache(maxsize=1 << 14)
def plain_letters(name: str) -> str:
    """Return a name as people type it in a search, without marks and capitals: `lukasz` for Łukasz."""
    apart = unicodedata.normalize("NFKD", name.casefold()).translate(SPELT)
    return " ".join("".join(map(_plain_letter, apart)).split())


@cache
def _plain_letter(letter: str) -> str:
    """Return a letter without its mark; nothing for a mark by itself."""
    if letter.isascii():
        return letter
    if unicodedata.combining(letter) or unicodedata.category(letter) == "Cf":
        return ""
    found = MARKED_LETTER.match(unicodedata.name(letter, ""))
    return letter if found is None else found[1].lower()
