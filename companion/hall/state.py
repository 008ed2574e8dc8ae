"""The hall's state as computed from its entries: tables, results, calls, players and rounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from companion.devices.hall_link.messages import CONFIRMING_SEATS, Placing, Result, read_result
from companion.engine.names import name_key
from companion.hall import entries as e

WAITING = ("disputed", "waiting")
"""Results that wait for a seat or a judge, the urgent ones first."""

K = TypeVar("K")
S = TypeVar("S", bound=msgspec.Struct)


class HallTable(msgspec.Struct, frozen=True):
    """A table that was admitted."""

    id: str
    name: str
    number: int
    key: bytes
    secret: str
    removed: bool = False

    def admitted(self) -> e.TableAdmitted:
        """Return the entry that admits it in its current form."""
        return e.TableAdmitted(self.id, self.name, self.number, self.key, self.secret)


class ResultRecord(msgspec.Struct, frozen=True):
    """A result, its origin, and a judge's decision on it."""

    id: str
    result: Result
    entry: int
    """The number of the latest entry that reported it."""
    judged: bool | None = None
    number: int = 0
    """The number of its table at that time."""
    held: int = 0
    """The entry by which it became its table's first confirmed match in the round; 0: it did not."""
    stood: Result | None = None
    """The counting result of this match until a judge decides on a report made after the next round was seated."""

    @property
    def status(self) -> str:
        """`confirmed`, `disputed`, `rejected`, or `waiting` for a second seat or a judge."""
        if self.judged is not None:
            return "confirmed" if self.judged else "rejected"
        if self.result.disputed:
            return "disputed"
        enough = len(self.result.confirmed) >= CONFIRMING_SEATS and self.stood is None
        return "confirmed" if enough else "waiting"

    @property
    def counting(self) -> tuple[Result, str]:
        """This match's counting result, and its status."""
        return (self.result, self.status) if self.stood is None else (self.stood, "confirmed")


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
    """The family name within the entered name; empty if unknown."""


class TypedResult(msgspec.Struct, frozen=True):
    """A result typed by the organiser or a judge."""

    players: tuple[int, ...]
    placings: tuple[Placing, ...]
    entry: int


class TournamentRound(msgspec.Struct, frozen=True):
    """A round: its tables, byes, absences, and typed results by table."""

    number: int
    tables: tuple[e.SeatedTable, ...]
    byes: tuple[int, ...]
    begins: int = 0
    """The hall's time in seconds since 1970; 0: not called yet."""
    absent: tuple[int, ...] = ()
    typed: Mapping[int, TypedResult] = {}
    final: int = 0
    """The number of the final table; 0: none."""
    minutes: int = 0
    """The length for which it was called; 0: no clock."""
    ends: int = 0
    """The hall's time at which its clock ends; 0: no clock."""
    more: Mapping[int, int] = {}
    """Extra seconds by table."""
    said: Mapping[tuple[int, bool], e.ResultSaid] = {}
    """Phones' results, by player and by whether they knew the code."""

    def ends_at(self, table: int) -> int:
        """Return the hall's time at which a table's clock ends; 0: no clock."""
        return self.ends and self.ends + self.more.get(table, 0)

    def people(self, number: int) -> tuple[int, ...]:
        """Return the players who should be at a table, by seat; none if there is no such table."""
        seated = next((each.players for each in self.tables if each.number == number), ())
        return tuple([player for player in seated if player not in self.absent])

    used: Mapping[int, str] = {}
    """The match that a judge lets count, by table; as in `HallState.results`."""
    entry: int = 0
    """The latest entry that seated it, called it, or noted who came."""


class HallState(msgspec.Struct, frozen=True, weakref=True):
    """Everything that the hall remembers. `number` is the last entry's."""

    number: int = 0
    hall: str = ""
    name: str = ""
    names: str = "full"
    tables: Mapping[str, HallTable] = {}
    results: Mapping[str, ResultRecord] = {}
    """The latest result of each match, by `table:match`."""
    calls: Mapping[str, CallRecord] = {}
    tournament: e.TournamentPlanned | None = None
    players: Mapping[int, TournamentPlayer] = {}
    rounds: Mapping[int, TournamentRound] = {}
    past: tuple[HallState, ...] = ()
    """The hall as it was at the end of each earlier tournament, in order."""
    codes: str = ""
    """The secret behind the tables' codes."""
    announcement: str = ""
    advice: bool = False
    """Whether tables may give advice."""

    @property
    def present(self) -> tuple[HallTable, ...]:
        """The tables that may enter, by number."""
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
    """Whether a result adds to the recorded one of the same match.

    A higher sequence replaces it. Within a sequence, seats can only add their word: a late old message withdraws
    nothing.
    """
    if new.sequence != old.sequence:
        return new.sequence > old.sequence
    said = {*old.confirmed, *old.disputed}
    return said < {*new.confirmed, *new.disputed} and set(old.confirmed) <= set(new.confirmed)


def with_numbers(entries: Iterable[e.Entry], state: HallState | None = None) -> list[e.Entry]:
    """Return entries with explicit numbers of entered players; old entries get those valid when they were written.

    Undoing an entry later removes its numbers and leaves the others unchanged.
    """
    last: dict[int, int] = {}
    before: Iterable[int] = () if state is None else state.players
    found = []
    for entry in entries:
        body = entry.body
        if isinstance(body, e.Undone):
            last.pop(body.entry, None)
        elif isinstance(body, e.TournamentClosed):
            last, before = {}, ()
        elif isinstance(body, e.PlayersEntered):
            body = replace(body, first=body.first or max([*last.values(), *before], default=0) + 1)
            last[entry.number] = body.first + len(body.names) - 1
            entry = replace(entry, body=body)
        found.append(entry)
    return found


def undone_entries(entries: Iterable[e.Entry]) -> frozenset[int]:
    """Return the numbers of the undone entries."""
    return frozenset([entry.body.entry for entry in entries if isinstance(entry.body, e.Undone)])


def fold(entries: Iterable[e.Entry], state: HallState | None = None) -> HallState:
    """Return the state after entries, leaving out undone ones."""
    listed = with_numbers(entries, state)
    undone = undone_entries(listed)
    builder = StateBuilder(state or HallState())
    for entry in listed:
        if entry.number not in undone:
            builder.apply(entry)
    return builder.state(listed[-1].number if listed else builder.before.number)


def last_undoable(entries: Iterable[e.Entry]) -> e.Entry | None:
    """Return the latest entry that the organiser may undo."""
    listed = list(entries)
    undone = undone_entries(listed)
    for entry in reversed(listed):
        if isinstance(entry.body, e.TournamentClosed):
            return None  # earlier entries can no longer change
        if isinstance(entry.body, e.UNDOABLE) and entry.number not in undone:
            return entry
    return None


class StateBuilder:
    """A state under construction. The result of `state` changes with the next entry."""

    def __init__(self, before: HallState) -> None:
        self.before = before
        self.hall, self.name, self.names = before.hall, before.name, before.names
        self.tables, self.results = dict(before.tables), dict(before.results)
        self.calls, self.players, self.rounds = dict(before.calls), dict(before.players), dict(before.rounds)
        self.tournament, self.past = before.tournament, before.past
        self.codes, self.announcement, self.advice = before.codes, before.announcement, before.advice
        self._at_tables: dict[tuple[str, int, int], set[str]] | None = None
        """The confirmed matches by table, tournament and round; None before the first request."""

    def state(self, number: int) -> HallState:
        """Return the state so far, after the entry with this number."""
        return HallState(
            number, self.hall, self.name, self.names, self.tables, self.results, self.calls, self.tournament,
            self.players, self.rounds, self.past, self.codes, self.announcement, self.advice,
        )  # fmt: skip

    def apply(self, entry: e.Entry) -> None:
        """Apply an entry with its numbers."""
        match entry.body:
            case e.HallOpened(hall, name, codes):
                self.hall, self.name, self.codes = hall, name, codes
            case e.Announced(text):
                self.announcement = text
            case e.AdviceAllowed(allowed):
                self.advice = allowed
            case e.NamesShown(how):
                self.names = how
            case e.TableAdmitted(table, name, number, key, secret):
                self.tables[table] = HallTable(table, name, number, key, secret)
            case e.TableNumbered(table, number):
                self._change(self.tables, table, number=number)
            case e.TableRenamed(table, name):
                self._change(self.tables, table, name=name)
            case e.TableRemoved(table):
                self._remove_table(table)
            case e.ResultReported(_, payload, _):
                self._report(read_result(payload), entry.number)
            case e.ResultJudged(judged, right):
                self._judge(judged, right, entry.number)
            case e.CallMade(call, table, seat):
                self.calls[call] = CallRecord(call, table, seat, entry.at)
            case e.CallTaken(call, judge):
                self._change(self.calls, call, judge=judge)
            case e.CallClosed(call):
                self._change(self.calls, call, closed=True)
            case _:
                self._apply_tournament(entry)

    def _remove_table(self, table: str) -> None:
        """Remove a table with its calls and its waiting results; counting results stay."""
        self._change(self.tables, table, removed=True)
        for call in [call for call, found in self.calls.items() if found.table == table]:
            self._change(self.calls, call, closed=True)
        for match, found in list(self.results.items()):
            if found.result.table == table and found.status in WAITING:
                del self.results[match]

    def _report(self, result: Result, entry: int) -> None:
        """Add a result; a judge's decision stays valid while only the seats' confirmations change."""
        if any(match_key(result) in past.results for past in self.past):
            return  # its tournament is closed
        old = self.results.get(match_key(result))
        same = old is not None and _same(old.result, result)
        judged = old.judged if old is not None and same else None
        table = self.tables.get(result.table)
        number = 0 if table is None else table.number
        record = ResultRecord(result.id, result, entry, judged, number, old.held if old is not None else 0)
        late = result.round > 0 and result.round + 1 in self.rounds
        counted, status = old.counting if old is not None else (None, "")
        if late and counted is not None and status == "confirmed":
            if not (_same(counted, result) and record.status == "confirmed"):
                record = replace(record, stood=counted)
        elif record.status == "confirmed" and not late:
            record = self._holding(record, entry)
        self.results[match_key(result)] = record

    def _judge(self, judged: str, right: bool, entry: int) -> None:
        """Apply a judge's decision: it settles late reports, and a rejected match no longer counts for its table."""
        match = judged.rpartition(":")[0]
        record = self.results.get(match)
        if record is None or record.id != judged:
            return
        said, stood = record.result, record.stood
        kept = stood if not right and stood is not None and not _same(said, stood) else None
        record = replace(record, judged=right, stood=kept)
        if right:
            record = self._holding(record, entry)
        elif kept is None:
            record = replace(record, held=0)
        self.results[match] = record

    def _holding(self, record: ResultRecord, entry: int) -> ResultRecord:
        """Return a confirmed result that counts for its table, unless another match of the same people already does."""
        mine = record.result
        if record.held or not mine.round:
            return record
        if self._at_tables is None:
            self._at_tables = {}
            for key, other in self.results.items():
                self._at_tables.setdefault(_place(other.result), set()).add(key)
        keys = self._at_tables.setdefault(_place(mine), set())
        others = [self.results[key] for key in keys - {match_key(mine)}]
        taken = any(other.held and _people(other.result) == _people(mine) for other in others)
        keys.add(match_key(mine))
        return record if taken else replace(record, held=entry)

    def _apply_tournament(self, entry: e.Entry) -> None:
        match entry.body:
            case e.TournamentPlanned():
                self.tournament = entry.body
            case e.PlayersEntered(names, first, families):
                for player, (name, family) in enumerate(zip_longest(names, families, fillvalue=""), start=first):
                    self.players[player] = TournamentPlayer(player, name, family=family)
            case e.PlayerRenamed(player, name):
                self._change(self.players, player, name=name)
            case e.PlayerLeft(player):
                self._change(self.players, player, present=False)
            case e.PlayerBack(player):
                self._change(self.players, player, present=True)
            case e.RoundSeated(number, tables, byes, final, swap):
                before = self.rounds.get(number) if swap else None
                kept = before or TournamentRound(number, tables, byes)
                seated = {player for table in tables for player in table.players}
                absent = tuple([player for player in kept.absent if player in seated])
                new = {"tables": tables, "byes": byes, "final": final, "absent": absent, "entry": entry.number}
                self.rounds[number] = replace(kept, **new)
            case e.TournamentClosed():
                self.past = (*self.past, self.state(entry.number))
                self.tournament, self.players, self.rounds, self.results = None, {}, {}, {}
                self._at_tables = None
            case e.RoundCalled(number, begins, minutes):
                ends = begins + 60 * minutes if minutes else 0
                called = {"begins": begins, "minutes": minutes, "ends": ends, "more": {}}
                self._change(self.rounds, number, **called, entry=entry.number)
            case e.NoShow(number) | e.PlayerCame(number) | e.ResultTyped(number) | e.ResultUsed(_, number):
                if isinstance(entry.body, e.ResultUsed):
                    self._judge(entry.body.result, True, entry.number)
                if number in self.rounds:
                    self.rounds[number] = _round_after(self.rounds[number], entry)
            case e.MinutesAdded() | e.ResultSaid():
                if entry.body.round in self.rounds:
                    self.rounds[entry.body.round] = heard(self.rounds[entry.body.round], entry.body, entry.at)

    @staticmethod
    def _change(records: dict[K, S], key: K, **fields: object) -> None:
        """Change a record if it exists: an undo may have removed it."""
        if key in records:
            records[key] = replace(records[key], **fields)


def heard(current: TournamentRound, body: e.MinutesAdded | e.ResultSaid, at: float) -> TournamentRound:
    """Return a round with more minutes or a phone's result. Minutes added after the end count from now."""
    if isinstance(body, e.ResultSaid):
        said = {which: each for which, each in current.said.items() if which != (body.player, body.coded)}
        return replace(current, said=said | ({(body.player, body.coded): body} if body.placings else {}))
    was = current.ends_at(body.table)
    if not was:
        return current
    ends = max(max(was, int(at)) + 60 * body.minutes if body.minutes > 0 else was + 60 * body.minutes, current.begins)
    if not body.table:
        return replace(current, ends=ends)
    return replace(current, more={**current.more, body.table: ends - current.ends})


def _round_after(current: TournamentRound, entry: e.Entry) -> TournamentRound:
    """Return a round after a player was missing or came, or a table got its result."""
    match entry.body:
        case e.NoShow(_, player) if player not in current.absent:
            return replace(current, absent=(*current.absent, player), entry=entry.number)
        case e.PlayerCame(_, player) if player in current.absent:
            absent = tuple([each for each in current.absent if each != player])
            return replace(current, absent=absent, entry=entry.number)
        case e.ResultTyped(_, table, players, placings):
            typed = TypedResult(players, placings, entry.number)
            used = {at: match for at, match in current.used.items() if at != table}
            return replace(current, typed={**current.typed, table: typed}, used=used)
        case e.ResultUsed(result, _, table):
            others = {at: each for at, each in current.typed.items() if at != table}
            return replace(current, typed=others, used={**current.used, table: result.rpartition(":")[0]})
    return current


def _same(one: Result, other: Result) -> bool:
    """Whether two results of a match agree about its players."""
    return (one.placings, one.names) == (other.placings, other.names)


def _place(result: Result) -> tuple[str, int, int]:
    """Return the table, the tournament and the round of a result."""
    return result.table, result.tournament, result.round


def _people(result: Result) -> frozenset[str]:
    return frozenset(map(name_key, result.names))
