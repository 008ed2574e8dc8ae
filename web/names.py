"""People's names, in any script: which ones a table takes, which look alike, and how they stand in a sentence."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations

import msgspec
import regex
from confusable_homoglyphs import confusables

from companion.engine import Player
from web.forms import InvalidForm

LONGEST_NAME = 24
"""Letters as people count them: grapheme clusters (Unicode UAX #29)."""
MOST_CODE_POINTS = 96
"""A family of emoji is up to 11 code points."""
TYPED = 2 * MOST_CODE_POINTS
"""The most UTF-16 units of a name, by which browsers count what is typed."""
LETTER = regex.compile(r"\X")
UNSEEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")
"""Characters that show nothing or turn the text around: controls, marks of direction, fillers, unassigned ones."""
JOINED = regex.compile(r"[\u200c\u200d\ufe0e\ufe0f]")
"""What Persian and emoji need although it shows nothing: (non-)joiners and variation selectors."""
FLAG = regex.compile(r"\U0001F3F4[\U000E0061-\U000E007A]+\U000E007F")
"""A flag of a part of a country, such as Scotland's, spelt in tags."""
SHOWN = regex.compile(r"[\p{L}\p{N}\p{S}\p{P}]")
RIGHT_TO_LEFT = ("R", "AL", "AN")
SPELT = str.maketrans(
    {"æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "ŋ": "n", "ə": "e"}
    | dict.fromkeys("-‐–", " ")
    | dict.fromkeys("'’ʼ‘`´")
)
"""Letters that Unicode takes apart neither by decomposition nor by name, as people write them without (CLDR, transform
Latin-ASCII); hyphens and apostrophes, which people leave out."""
MARKED_LETTER = regex.compile(r"LATIN (?:SMALL|CAPITAL) LETTER ([A-Z]) WITH ")
"""The name of a letter with a mark that is part of it, such as ł, ø and đ: Unicode's names never change."""
ISOLATE, END = "\u2068", "\u2069"
"""Unicode's first strong isolate, and its end (UAX #9)."""


def read_name(text: str) -> str:
    """Return a typed name in composed form, empty for none; raise `InvalidForm` for one that no page can show well."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name:
        return ""
    if UNSEEN.search(JOINED.sub("", FLAG.sub("", name))) or not SHOWN.search(FLAG.sub("x", name)):
        raise InvalidForm("error.name_unseen", name="".join(LETTER.findall(UNSEEN.sub("", name))[:LONGEST_NAME]))
    if len(name) > MOST_CODE_POINTS or len(LETTER.findall(name)) > LONGEST_NAME:
        raise InvalidForm("error.name_long", name=shortened(name), most=LONGEST_NAME)
    return name


def shortened(name: str) -> str:
    """Return the beginning of a name that is too long, cut between letters."""
    found = ""
    for letter in LETTER.findall(name)[: LONGEST_NAME - 1]:
        if len(found) + len(letter) >= MOST_CODE_POINTS:
            break
        found += letter
    return f"{found}…"


def look_alike(names: Sequence[str]) -> tuple[str, str] | None:
    """Return the first two names that people can hardly tell apart, None if there are none.

    Letters of other scripts that look the same count as the same (Unicode's confusables), as do capitals.
    """
    return next((pair for pair in combinations(names, 2) if are_alike(*pair)), None)


def are_alike(one: str, other: str) -> bool:
    """Whether two names look alike, as they are written or in small letters: a capital I looks like an l, not an i."""
    return skeleton(one) == skeleton(other) or skeleton(one.casefold()) == skeleton(other.casefold())


def check_alike(names: Sequence[str]) -> None:
    """Raise `InvalidForm` if two names look alike."""
    if alike := look_alike(names):
        key = "error.same_name" if alike[0].casefold() == alike[1].casefold() else "error.names_alike"
        raise InvalidForm(key, one=alike[0], other=alike[1])


def skeleton(name: str) -> str:
    """Return what a name looks like: every letter replaced by the one that stands for all like it."""
    seen = JOINED.sub("", unicodedata.normalize("NFKC", name))
    return "".join([lookalike_of(letter) for letter in seen]).casefold()


@cache
def lookalike_of(letter: str) -> str:
    """Return the character that stands for all that look like this one, which may be itself.

    The table lists for each character its model alone, and for a model all that look like it.
    """
    like = listed(letter)
    if len(like) != 1:
        return letter
    return min(letter, like[0]) if listed(like[0]) == [letter] else like[0]


def listed(letter: str) -> list[str]:
    """Return what the table lists for a character."""
    return [each["c"] for each in confusables.confusables_data.get(letter, ())]


def in_order(name: str) -> tuple[str, str]:
    """Return what names are sorted by: first without marks and capitals, then as they are.

    Unicode's collation does the same in more steps. ICU, which has it, has no wheels for a Raspberry Pi; what it knows
    besides, such as the order of Han characters, needs tables of some megabytes.
    """
    return plain_letters(name), name.casefold()


def plain_letters(name: str) -> str:
    """Return a name as people type it who look for it: without marks and capitals, `lukasz` for Łukasz."""
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


def isolated(name: str) -> str:
    """Return a name as it stands in sentences: one written from right to left turns nothing beside it around."""
    turns = any(unicodedata.bidirectional(letter) in RIGHT_TO_LEFT for letter in name)
    return f"{ISOLATE}{name}{END}" if turns else name


def as_shown(players: Iterable[Player]) -> tuple[Player, ...]:
    """Return players with their names as they stand in sentences."""
    return tuple([msgspec.structs.replace(player, name=isolated(player.name)) for player in players])
