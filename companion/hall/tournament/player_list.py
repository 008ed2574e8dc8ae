"""Read a list of players: one name per line, or a table. In doubt, somebody who sees the names decides."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec
import regex

from companion.engine.names import LONGEST_NAME, composed, likeness, name_key, seen, why_unfit
from companion.hall.tournament.list_headings import heading_kind, is_sum
from companion.hall.tournament.list_text import WESTERN, PlayerListError, Row, is_likely, readings, rows_of

MOST_PLAYERS = 2000
"""Maximum number of players of a tournament."""
HEAD_WITHIN = 10
"""The headings are among this many rows; rows above them are titles."""
GAP, MARKS = (
    regex.compile(r"[\u200b\u3000]"),
    regex.compile(r"[\u00ad\u200e\u200f\u202a\u202c\u2060\u2066-\u2069\ufeff]"),
)
"""Invisible characters that pages and telephones put between and around names."""
NUMBERED = regex.compile(r"\s*(?:\d{1,4}[.)]|[-*•–])\s+(?=\S)")
"""A number or a bullet in front of each typed name."""


class ListChoice(msgspec.Struct, frozen=True):
    """The organiser's corrections to a list. Columns are numbered from 0; -1 means no column, None the proposed one."""

    encoding: str = ""
    column: int | None = None
    family: int | None = None
    kept: Collection[int] = ()
    """Lines to enter although we proposed to leave them out."""
    typed: Mapping[int, str] = {}
    """Corrected names by line; empty: nobody."""


class ListLine(msgspec.Struct, frozen=True):
    """A line that is left out or cannot be entered: its text, and the reason's key with its fields."""

    line: int
    text: str
    key: str
    fields: Mapping[str, object] = {}


class ReadList(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a list. Nothing of it can be entered while it has `faults` or an uncertain encoding."""

    names: tuple[str, ...]
    families: tuple[str, ...]
    """The family name within each name; empty if the list does not tell."""
    encoding: str = ""
    """Empty while it is uncertain."""
    encodings: Mapping[str, tuple[str, ...]] = {}
    """By encoding, the names found only in it; empty if the encoding is certain."""
    headings: tuple[str, ...] = ()
    """The columns' headings, or cells of the first row without headings."""
    column: int = 0
    family: int = -1
    left_out: tuple[ListLine, ...] = ()
    """The lines that we proposed to leave out, even those that are kept."""
    faults: tuple[ListLine, ...] = ()


def read_list(data: bytes, existing: Collection[str] = (), choice: ListChoice | None = None) -> ReadList:
    """Return the content of a list, given the `existing` players; raise `PlayerListError` if it has none."""
    choice = choice or ListChoice()
    texts = readings(data)
    if len(texts) == 1 and not (alone := next(iter(texts))).endswith(("le", "be")):
        return _read(texts[alone], existing, choice, alone)
    found: dict[str, ReadList] = {}
    for encoding, text in texts.items():
        try:
            found[encoding] = _read(text, existing, choice, encoding)
        except PlayerListError as problem:
            fault = problem
    if not found:
        raise fault
    likely = [encoding for encoding, each in found.items() if each.names and is_likely(each.names)]
    if not likely and b"\0" in data:
        raise PlayerListError("hall.fault.list_binary")
    likely = likely or list(found)
    said = {each.names: encoding for encoding in reversed(likely) for each in [found[encoding]]}
    if WESTERN in said.values() and len(said) == 1:
        return found[WESTERN]
    chosen = found.get(choice.encoding) or ReadList(names=(), families=())
    common = set.intersection(*[set(names) for names in said]) if len(said) > 1 else set()
    samples = {said[names]: tuple([name for name in names if name not in common]) for names in reversed(said)}
    return msgspec.structs.replace(chosen, encodings=samples)


def _read(text: str, existing: Collection[str], choice: ListChoice, encoding: str) -> ReadList:
    """Return the content of a list's text."""
    found, turned = rows_of(text)
    rows = [Row(row.line, [composed(MARKS.sub("", GAP.sub(" ", cell))) for cell in row.cells]) for row in found]
    rows = [row for row in _unnumbered(rows) if any(row.cells)]
    head, column, family, above = _columns(rows)
    family = turned + 1 if column == turned else family
    if head is None and len(rows) == 1 and len(rows[0].cells) > 2:
        rows = [Row(rows[0].line, [cell]) for cell in rows[0].cells]
    column = column if choice.column is None else choice.column
    family = family if choice.family is None else choice.family
    left = {row.line: "heading" if row is head else "title" for row in rows[:above]}
    if len(left) == len(rows) and not choice.kept:
        raise PlayerListError("hall.fault.list_empty")
    people = _People(existing, choice)
    for row in rows:
        people.take(row, _cell(row, column), _cell(row, family) if family != column else "", left.get(row.line, ""))
    top = head or max(rows, key=lambda row: len(row.cells))
    width = max(len(row.cells) for row in rows)
    return ReadList(
        names=tuple(people.names),
        families=tuple(people.families),
        encoding=encoding,
        headings=tuple([_cell(top, at) for at in range(width)]),
        column=column,
        family=family,
        left_out=tuple(people.left_out),
        faults=tuple(people.faults),
    )


class _People:
    """The names of a list as they are read, line by line."""

    def __init__(self, existing: Collection[str], choice: ListChoice) -> None:
        self.names: list[str] = []
        self.families: list[str] = []
        self.left_out: list[ListLine] = []
        self.faults: list[ListLine] = []
        self._choice = choice
        self._room = MOST_PLAYERS - len(existing)
        self._there = {name_key(name) for name in existing}
        self._looks = {look: (name, 0) for name in existing for look in likeness(name)}

    def take(self, row: Row, name: str, family: str, why: str) -> None:
        """Add a row's name, leave it out for a reason, or report its fault."""
        text = " · ".join([cell for cell in row.cells if cell])
        name, line = composed(f"{name} {family}"), row.line
        if line in self._choice.typed:
            name = composed(self._choice.typed[line])
            family = family if f" {name}".endswith(f" {family}") else ""
        if not name and not why:
            return
        why = why or ("sum" if is_sum(name) else "known" if name_key(name) in self._there else "")
        if why:
            self.left_out.append(ListLine(line, text, f"tournament.list.{why}"))
            if line not in self._choice.kept:
                return
        fault, fields = self._fault(name)
        if fault:
            named = {"line": line, "name": seen(name)} | fields
            self.faults.append(ListLine(line, name, f"hall.fault.list_{fault}", named))
            return
        if len(self.names) == self._room:
            raise PlayerListError("hall.fault.list_many", line=line, most=MOST_PLAYERS)
        self._looks |= dict.fromkeys(likeness(name), (name, line))
        self.names.append(name)
        self.families.append(family)

    def _fault(self, name: str) -> tuple[str, dict[str, object]]:
        """Return why a name cannot be entered."""
        if why := why_unfit(name):
            return why, {"most": LONGEST_NAME}
        other, first = next((self._looks[look] for look in likeness(name) if look in self._looks), ("", 0))
        if not other:
            return "", {}
        if name_key(other) == name_key(name):
            return ("twice", {"first": first}) if first else ("known", {})
        return "alike", {"other": other}


def _cell(row: Row, column: int) -> str:
    return row.cells[column] if 0 <= column < len(row.cells) else ""


def _unnumbered(rows: list[Row]) -> list[Row]:
    """Return rows without the numbers or bullets that people type in front of all names."""
    if len(rows) > 1 and all(NUMBERED.match(row.cells[0]) for row in rows):
        return [Row(row.line, [NUMBERED.sub("", row.cells[0], count=1), *row.cells[1:]]) for row in rows]
    return rows


def _columns(rows: Sequence[Row]) -> tuple[Row | None, int, int, int]:
    """Return the row of headings, the columns of names and of family names, and the number of rows above the people."""
    for above, row in enumerate(rows[:HEAD_WITHIN], start=1):
        kinds: dict[str, int] = {}
        for at, cell in enumerate(row.cells):
            kinds.setdefault(heading_kind(cell), at)
        name = kinds.get("name", kinds.get("player", -1))
        if "whole" in kinds:
            return row, kinds["whole"], -1, above
        if "given" in kinds or "family" in kinds:
            given = kinds.get("given", name)
            family = kinds.get("family", name)
            return row, *((given, family) if given >= 0 else (family, -1)), above
        if name >= 0:
            return row, name, -1, above
    return _unnamed_columns(rows)


def _unnamed_columns(rows: Sequence[Row]) -> tuple[Row | None, int, int, int]:
    """Return the same for a list without known headings."""
    width = max([len(row.cells) for row in rows], default=0)
    below = [[_is_text(_cell(row, at)) for row in rows[1:] if _cell(row, at)] for at in range(width)]
    head = any(cells and not any(cells) and _is_text(_cell(rows[0], at)) for at, cells in enumerate(below))
    above = int(head) or int(len(rows) > 2 and _has_digit(rows[0]) and not any(map(_has_digit, rows[1:])))
    people = rows[above:]
    texts = [at for at in range(width) if sum(_is_text(_cell(row, at)) for row in people) * 2 > len(people)]
    column, family = texts[0] if texts else 0, -1
    if len(texts) > 1:
        whole = sum(" " in _cell(row, column) for row in people) * 2 > len(people)
        family = -1 if whole else texts[1]
    return rows[0] if head else None, column, family, above


def _is_text(cell: str) -> bool:
    return bool(regex.search(r"\p{L}", cell)) and "@" not in cell


def _has_digit(row: Row) -> bool:
    return any(regex.search(r"\d", cell) for cell in row.cells)
