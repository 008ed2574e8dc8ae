"""The hall's state as its entries make it: tables, results, calls, players and rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.hall import entries as e
from companion.hall.messages import Placing, Result, read_result

CONFIRMING_SEATS = 2
"""A result holds once this many seats say that it is right, and none that it is not; or a judge."""


class HallTable(msgspec.Struct, frozen=True):
    """A table that was admitted."""

    id: str
    name: str
    number: int
    key: bytes
    secret: str
    removed: bool = False


class ResultRecord(msgspec.Struct, frozen=True):
    """A result, where it comes from, and what a judge said of it."""

    id: str
    result: Result
    entry: int
    """The number of the entry that brought it last."""
    judged: bool | None = None
    number: int = 0
    """The number that its table had then."""

    @property
    def status(self) -> str:
        """`confirmed`, `disputed`, `rejected` or `waiting` for a second seat or a judge."""
        if self.judged is not None:
            return "confirmed" if self.judged else "rejected"
        if self.result.disputed:
            return "disputed"
        return "confirmed" if len(self.result.confirmed) >= CONFIRMING_SEATS else "waiting"


class CallRecord(msgspec.Struct, frozen=True):
    """A judge's call: open, taken by a judge, or closed."""

    id: str
    table: str
    seat: int
    at: float
    judge: str = ""
    closed: bool = False


class TournamentPlayer(msgspec.Struct, frozen=True):
    """A player of the tournament; `id` is also the number that walls may show."""

    id: int
    name: str
    present: bool = True
    family: str = ""
    """The family name in the name as it was entered; empty where nobody said."""


class TypedResult(msgspec.Struct, frozen=True):
    """A result that the organiser typed."""

    players: tuple[int, ...]
    placings: tuple[Placing, ...]
    entry: int


class TournamentRound(msgspec.Struct, frozen=True):
    """A round: its tables, byes, absences, and what was typed, by table."""

    number: int
    tables: tuple[e.SeatedTable, ...]
    byes: tuple[int, ...]
    begins: int = 0
    """The hall's time in seconds since 1970; 0: not called yet."""
    absent: tuple[int, ...] = ()
    typed: Mapping[int, TypedResult] = {}


class HallState(msgspec.Struct, frozen=True):
    """Everything that the hall remembers. `number` is the last entry's."""

    number: int = 0
    hall: str = ""
    name: str = ""
    names: str = "full"
    tables: Mapping[str, HallTable] = {}
    results: Mapping[str, ResultRecord] = {}
    """By match, as `table:match`; of each match its latest."""
    calls: Mapping[str, CallRecord] = {}
    tournament: e.TournamentPlanned | None = None
    players: Mapping[int, TournamentPlayer] = {}
    rounds: Mapping[int, TournamentRound] = {}

    @property
    def present(self) -> tuple[HallTable, ...]:
        """The tables that may come in, by number."""
        return tuple(sorted([table for table in self.tables.values() if not table.removed], key=lambda t: t.number))

    @property
    def round(self) -> TournamentRound | None:
        """The latest round."""
        return self.rounds[max(self.rounds)] if self.rounds else None

    def at_number(self, number: int) -> HallTable | None:
        """Return the table with a number."""
        return next((table for table in self.present if table.number == number), None)

    def find_result(self, result: str) -> ResultRecord | None:
        """Return a result by its id, if it is the latest of its match."""
        found = self.results.get(result.rpartition(":")[0])
        return found if found is not None and found.id == result else None


def match_key(result: Result) -> str:
    """Return the key of a result's match in `HallState.results`."""
    return f"{result.table}:{result.match}"


def supersedes(new: Result, old: Result) -> bool:
    """Whether a result of the same match says more than the one that is recorded.

    A higher sequence replaces. In the same sequence seats may only add what they say; nothing is withdrawn by an old
    message that comes late.
    """
    if new.sequence != old.sequence:
        return new.sequence > old.sequence
    said = {*old.confirmed, *old.disputed}
    return said < {*new.confirmed, *new.disputed} and set(old.confirmed) <= set(new.confirmed)


def fold(entries: Iterable[e.Entry], state: HallState | None = None) -> HallState:
    """Return the state after entries; entries that were undone are left out."""
    listed = list(entries)
    undone = {entry.body.entry for entry in listed if isinstance(entry.body, e.Undone)}
    builder = _Builder(state or HallState())
    for entry in listed:
        if entry.number not in undone:
            builder.apply(entry)
    return builder.state(listed[-1].number if listed else builder.before.number)


def last_undoable(entries: Iterable[e.Entry]) -> e.Entry | None:
    """Return the latest entry that the organiser may take back."""
    listed = list(entries)
    undone = {entry.body.entry for entry in listed if isinstance(entry.body, e.Undone)}
    for entry in reversed(listed):
        if isinstance(entry.body, e.UNDOABLE) and entry.number not in undone:
            return entry
    return None


class _Builder:
    """A state while it is being folded."""

    def __init__(self, before: HallState) -> None:
        self.before = before
        self.hall, self.name, self.names = before.hall, before.name, before.names
        self.tables, self.results = dict(before.tables), dict(before.results)
        self.calls, self.players, self.rounds = dict(before.calls), dict(before.players), dict(before.rounds)
        self.tournament = before.tournament

    def state(self, number: int) -> HallState:
        return HallState(
            number, self.hall, self.name, self.names, self.tables, self.results, self.calls, self.tournament,
            self.players, self.rounds,
        )  # fmt: skip

    def apply(self, entry: e.Entry) -> None:
        match entry.body:
            case e.HallOpened(hall, name):
                self.hall, self.name = hall, name
            case e.NamesShown(how):
                self.names = how
            case e.TableAdmitted(table, name, number, key, secret):
                self.tables[table] = HallTable(table, name, number, key, secret)
            case e.TableNumbered(table, number):
                self._change(self.tables, table, number=number)
            case e.TableRemoved(table):
                self._change(self.tables, table, removed=True)
            case e.ResultReported(_, payload, _):
                self._report(read_result(payload), entry.number)
            case e.ResultJudged(judged, right):
                match = judged.rpartition(":")[0]
                if match in self.results and self.results[match].id == judged:
                    self._change(self.results, match, judged=right)
            case e.CallMade(call, table, seat):
                self.calls[call] = CallRecord(call, table, seat, entry.at)
            case e.CallTaken(call, judge):
                self._change(self.calls, call, judge=judge)
            case e.CallClosed(call):
                self._change(self.calls, call, closed=True)
            case _:
                self._apply_tournament(entry)

    def _report(self, result: Result, entry: int) -> None:
        """Take a result; what a judge said holds as long as nothing but the seats' own words changes."""
        old = self.results.get(match_key(result))
        same = old is not None and (old.result.placings, old.result.names) == (result.placings, result.names)
        judged = old.judged if old is not None and same else None
        table = self.tables.get(result.table)
        number = 0 if table is None else table.number
        self.results[match_key(result)] = ResultRecord(result.id, result, entry, judged, number)

    def _apply_tournament(self, entry: e.Entry) -> None:
        match entry.body:
            case e.TournamentPlanned():
                self.tournament = entry.body
            case e.PlayersEntered(names, families):
                for name, family in zip_longest(names, families, fillvalue=""):
                    player = len(self.players) + 1
                    self.players[player] = TournamentPlayer(player, name, family=family)
            case e.PlayerRenamed(player, name):
                self._change(self.players, player, name=name)
            case e.PlayerLeft(player):
                self._change(self.players, player, present=False)
            case e.PlayerBack(player):
                self._change(self.players, player, present=True)
            case e.RoundSeated(number, tables, byes):
                self.rounds[number] = TournamentRound(number, tables, byes)
            case e.RoundCalled(number, begins):
                self._change(self.rounds, number, begins=begins)
            case e.NoShow(number, player):
                if number in self.rounds:
                    absent = (*self.rounds[number].absent, player)
                    self._change(self.rounds, number, absent=absent)
            case e.ResultTyped(number, table, players, placings):
                if number in self.rounds:
                    typed = {**self.rounds[number].typed, table: TypedResult(players, placings, entry.number)}
                    self._change(self.rounds, number, typed=typed)

    @staticmethod
    def _change(records: dict[Any, Any], key: Any, **fields: Any) -> None:
        """Change a record, if it is there: what it was based on may have been undone."""
        if key in records:
            records[key] = replace(records[key], **fields)
