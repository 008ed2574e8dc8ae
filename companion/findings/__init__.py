"""Findings of an examination: each one says what was examined, its state, and what to do if it is not well.

A finding is a key, a state and fields; the sentences are in the words files beside this module, so that the terminal,
a page and `--json` say the same in every language.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources
from typing import Literal, NamedTuple

import msgspec

from companion.i18n import LANGUAGES, Words, load_cached
from companion.messages import Answered

Grade = Literal["bad", "look", "well"]
"""The worst first: it stops something or may lose data; it works, but somebody should look; all is well."""
GRADES: tuple[Grade, ...] = ("bad", "look", "well")
Value = str | int | float | list[str]
"""A field of a sentence. Elements of a list are keys of words, `word` or `word:n`."""
PARTS = (
    "settings", "power", "disk", "memory", "clock", "network", "services", "buttons", "radio", "camera", "versions",
)  # fmt: skip
"""What is examined, in the order shown: the first part of every key."""
FOLDER = resources.files("companion.findings")
"""The folder of the words files."""


class Finding(msgspec.Struct, frozen=True):
    """One finding. `key` has the form `disk.space` and never changes; `state` says what was found."""

    key: str
    state: str = "ok"
    grade: Grade = "well"
    fields: dict[str, Value] = {}

    @property
    def part(self) -> str:
        """The part it belongs to, one of `PARTS`."""
        return self.key.partition(".")[0]

    @property
    def well(self) -> bool:
        """Whether nobody needs to do anything."""
        return self.grade == "well"


class FindingText(NamedTuple):
    """A finding in words: the subject, its state, and what to do (empty if it is well)."""

    what: str
    how: str
    advice: str


def bad(key: str, state: str, /, **fields: Value) -> Finding:
    """Return a finding about something that is stopped or at risk."""
    return Finding(key, state, "bad", fields)


def look(key: str, state: str, /, **fields: Value) -> Finding:
    """Return a finding that somebody should look at."""
    return Finding(key, state, "look", fields)


def well(key: str, state: str = "ok", /, **fields: Value) -> Finding:
    """Return a finding that needs no attention."""
    return Finding(key, state, "well", fields)


def sentences(lang: str) -> Words:
    """Return the words of findings in a language."""
    return load_cached(lang if lang in LANGUAGES else LANGUAGES[0], (FOLDER,))


def finding_text(finding: Finding, words: Words) -> FindingText:
    """Return a finding in the words of a language."""
    fields = {name: format_field(value, words) for name, value in finding.fields.items()}
    what = _fill(words, f"check.{finding.key}.what", fields)
    how = next((key for key in _candidates(finding) if _has_key(words, key)), f"check.{finding.key}.{finding.state}")
    advice = next((key for key in _candidates(finding, "_do") if _has_key(words, key)), "")
    named = finding.part != "settings"  # those begin with a file's name
    if named and any(
        isinstance(value, list) and what.startswith(fields[name]) for name, value in finding.fields.items()
    ):
        what = what[:1].upper() + what[1:]
    return FindingText(what, _fill(words, how, fields), _fill(words, advice, fields) if advice else "")


def _candidates(finding: Finding, end: str = "") -> tuple[str, ...]:
    """Return the keys of a state's sentence, in order: its own, one of all findings, one of its part, one of the pages.

    Advice may also be the same for all states (`remedy`).
    """
    own, state = f"check.{finding.key}", finding.state
    remedy = (f"{own}.remedy",) if end and not finding.well else ()
    parts = (f"check.{finding.part}.{state}{end}", f"{finding.part}.{state}{end}")
    return f"{own}.{state}{end}", f"check.any.{state}{end}", *parts, *remedy


def _has_key(words: Words, key: str) -> bool:
    return key in words or (words.fallback is not None and key in words.fallback)


def _fill(words: Words, key: str, fields: dict[str, str]) -> str:
    """Return a sentence with its fields; if one is missing, return the key and the fields."""
    try:
        return words(key, **fields)
    except (KeyError, IndexError, ValueError):
        return f"{key} {fields}"


def format_field(value: Value, words: Words) -> str:
    """Return a field's value as people read it."""
    if isinstance(value, list):
        pairs = (each.partition(":") for each in value)
        return ", ".join(words(f"check.word.{name}", n=number) for name, _, number in pairs)
    if isinstance(value, float):
        text = f"{value:g}"
        return text.replace(".", ",") if words.lang == "fr" else text
    return str(value)


def worst_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings by part: the part with the worst finding first, and the worst of each part first."""
    found = tuple(findings)
    worst = {each.part: min(GRADES.index(one.grade) for one in found if one.part == each.part) for each in found}

    def key(each: Finding) -> tuple[int, int, int]:
        place = PARTS.index(each.part) if each.part in PARTS else len(PARTS)
        return worst[each.part], place, GRADES.index(each.grade)

    return tuple(sorted(found, key=key))


def without_duplicates(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings without duplicates: two services may read the same file."""
    found: list[Finding] = []
    for each in findings:
        if each not in found:
            found.append(each)
    return found


def to_plain(finding: Finding, words: Words) -> dict[str, object]:
    """Return a finding as printed by `--json`: its stable fields, and the words of a language."""
    what, how, advice = finding_text(finding, words)
    return {
        "key": finding.key,
        "state": finding.state,
        "grade": finding.grade,
        "fields": finding.fields,
        "what": what,
        "how": how,
        "advice": advice,
    }


# --- over the bus -----------------------------------------------------------------------------------


def answer_of(findings: Iterable[Finding]) -> dict[str, object]:
    """Return findings as the fields of an answer to `examine`."""
    return {"findings": msgspec.to_builtins(list(findings))}


def findings_of(answer: Answered) -> list[Finding] | None:
    """Return the findings in an answer; None if it has none."""
    if not answer.done:
        return None
    try:
        return msgspec.convert(answer.fields.get("findings"), list[Finding])
    except msgspec.ValidationError:
        return None
