"""Assign results to the tables of a round, and find the results that nobody expected."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from typing import Any, TypeVar
from weakref import ref

import msgspec

from companion.devices.hall_link.messages import Placing, Result
from companion.engine.names import name_key
from companion.hall.entries import SeatedTable
from companion.hall.phones import phone_result, words_by_table
from companion.hall.state import HallState, ResultRecord, TournamentRound, match_key

T = TypeVar("T")
_latest: tuple[Callable[[], HallState | None], dict[Hashable, Any]] = (lambda: None, {})
"""The last state asked about, and the answers derived from it; they disappear with the state, and so do names."""


class RoundResult(msgspec.Struct, frozen=True):
    """The result of a table of a round. The placings' seats are positions in `players`, which holds player numbers."""

    number: int
    players: tuple[int, ...]
    placings: tuple[Placing, ...]
    status: str
    """As in `ResultRecord`, or `typed` by the organiser or a judge."""
    result: str = ""
    """The id of the table's own result; empty if it was typed or came only from phones."""
    challenged: bool = False
    """Whether the table has changed its result since the next round was seated; a judge decides on that."""

    @property
    def holds(self) -> bool:
        """Whether it counts."""
        return self.status in ("confirmed", "typed")


def once(state: HallState, what: Hashable, find: Callable[[], T]) -> T:
    """Return a fact derived from a state, computed only once, since many pages and their parts need the same."""
    global _latest
    kept, found = _latest
    if kept() is not state:
        found = {}
        _latest = (ref(state, lambda _: found.clear()), found)
    if what not in found:
        found[what] = find()
    known: T = found[what]
    return known


def round_results(state: HallState, number: int) -> Mapping[int, RoundResult]:
    """Return the results of a round by table number, including those that do not count yet.

    A table speaks only for itself: its report about people seated elsewhere counts only once a judge agrees. The first
    confirmed match counts for its table; another counts only if a judge uses it instead.
    """
    return once(state, ("results", number), lambda: _round_results(state, number))


def _round_results(state: HallState, number: int) -> Mapping[int, RoundResult]:
    current = state.rounds.get(number)
    if current is None:
        return {}
    found: dict[int, RoundResult] = {}
    for table in current.tables:
        typed = current.typed.get(table.number)
        if typed is not None and _expected(current, table) <= set(typed.players):
            found[table.number] = RoundResult(table.number, typed.players, typed.placings, "typed")
    used = set(current.used.values())
    records = [record for record in state.results.values() if record.result.round == number]
    for record in sorted(records, key=lambda each: _rank(each, used)):
        result, status = record.counting
        at, players = _place(state, result)
        chosen = match_key(result) in used
        own = record.number == at or record.judged
        in_time = record.held or (status != "confirmed" and number + 1 not in state.rounds)
        if at and result.round == number and (chosen or (own and in_time)):
            challenged = record.stood is not None and record.judged is None
            found.setdefault(at, RoundResult(at, players, result.placings, status, record.id, challenged))
    for at, words in words_by_table(current).items():
        there = found.get(at)
        record_of = None if there is None else state.find_result(there.result)
        said = phone_result(words, record_of, () if there is None else there.players)
        if said is not None and at not in current.typed:
            found[at] = RoundResult(at, *said, result=there.result if there is not None and not there.holds else "")
    return found


def _rank(record: ResultRecord, used: Collection[str]) -> tuple[bool, bool, int, bool, int]:
    """Return a match's rank among those of its table: a judge's choice, the first confirmed one, the latest."""
    chosen = match_key(record.result) in used
    return not chosen, not record.held, record.held, record.status == "rejected", -record.entry


def open_tables(state: HallState, number: int) -> tuple[int, ...]:
    """Return the numbers of a round's tables without a result, except tables to which only one player came."""
    current = state.rounds.get(number)
    if current is None:
        return ()
    results = round_results(state, number)
    return tuple(
        table.number
        for table in current.tables
        if table.number not in results or not results[table.number].holds
        if len(_expected(current, table)) > 1
    )


def unexpected_results(state: HallState) -> tuple[ResultRecord, ...]:
    """Return the results that do not count until a judge decides: by other people, or of a second match."""
    used = {each.result for number in state.rounds for each in round_results(state, number).values()}
    return tuple(
        record
        for record in state.results.values()
        if record.result.round and record.judged is not False and record.id not in used
        if record.result.round not in state.rounds
        or fitting_table(state, record.result) not in state.rounds[record.result.round].typed
    )


def fitting_table(state: HallState, result: Result) -> int:
    """Return the number of its round's table that seats exactly the people of a result; 0: none."""
    return _place(state, result)[0]


def passed_over(state: HallState) -> tuple[tuple[int, int], ...]:
    """Return round and table of every result that was later confirmed or reported differently without effect."""
    unused = [record.result for record in unexpected_results(state) if record.status == "confirmed"]
    found = {(result.round, table) for result in unused if (table := fitting_table(state, result))}
    for number in state.rounds:
        found |= {(number, each.number) for each in round_results(state, number).values() if each.challenged}
    return tuple(sorted(found))


def _place(state: HallState, result: Result) -> tuple[int, tuple[int, ...]]:
    """Return a result's table (0: none) and its people by seat (none if one is unknown or appears twice)."""
    numbers = once(state, "numbers", lambda: {name_key(player.name): player.id for player in state.players.values()})
    players = tuple([numbers.get(name_key(name), 0) for name in result.names])
    if not all(players) or len(set(players)) < len(players):
        return 0, ()
    current = state.rounds.get(result.round)
    if current is None or result.tournament not in (-1, len(state.past)):
        return 0, players
    tables = once(
        state, ("tables", current.number), lambda: {_expected(current, each): each.number for each in current.tables}
    )
    return tables.get(frozenset(players), 0), players


def _expected(current: TournamentRound, table: SeatedTable) -> frozenset[int]:
    """Return the players who should be at a table: those seated, except those who did not come."""
    return frozenset(table.players).difference(current.absent)
