"""Which result belongs to which table of a round, and which results nobody expected."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from companion.hall.entries import SeatedTable
from companion.hall.messages import Placing, Result
from companion.hall.state import HallState, ResultRecord, TournamentRound, match_key
from companion.hall.tournament.player_list import name_key


class RoundResult(msgspec.Struct, frozen=True):
    """The result of a table of a round. The placings' seats are positions in `players`, which are their numbers."""

    number: int
    players: tuple[int, ...]
    placings: tuple[Placing, ...]
    status: str
    """As of `ResultRecord`; `typed` by the organiser."""
    result: str = ""
    """The id of the table's own result; empty if it was typed."""
    challenged: bool = False
    """Whether the table has said something else since the next round was seated; a judge decides on it."""

    @property
    def holds(self) -> bool:
        """Whether it counts."""
        return self.status in ("confirmed", "typed")


def round_results(state: HallState, number: int) -> Mapping[int, RoundResult]:
    """Return the results of a round by table number, those that do not count yet among them.

    A table speaks for itself: what it reports of people who were seated at another one counts only once a judge agrees.
    The first match that is confirmed takes its table; another one counts only where a judge uses it instead.
    """
    current = state.rounds.get(number)
    if current is None:
        return {}
    found: dict[int, RoundResult] = {}
    for table in current.tables:
        typed = current.typed.get(table.number)
        if typed is not None and _expected(current, table) <= set(typed.players):
            found[table.number] = RoundResult(table.number, typed.players, typed.placings, "typed")
    seated = _seated(current)
    numbers, used = _numbers(state), set(current.used.values())
    records = [record for record in state.results.values() if record.result.round == number]
    for record in sorted(records, key=lambda each: _rank(each, used)):
        result, status = record.counting
        players = _players_of(numbers, result)
        place = seated.get(frozenset(players)) if players is not None else None
        if players is None or place is None:
            continue
        chosen = match_key(result) in used
        own = record.number == place.number or record.judged
        in_time = record.held or (status != "confirmed" and number + 1 not in state.rounds)
        if chosen or (own and in_time):
            challenged = record.stood is not None and record.judged is None
            here = RoundResult(place.number, players, result.placings, status, record.id, challenged)
            found.setdefault(place.number, here)
    return found


def _rank(record: ResultRecord, used: Collection[str]) -> tuple[bool, bool, int, bool, int]:
    """Return where a match comes among those of its table: a judge's choice, the first confirmed one, the latest."""
    chosen = match_key(record.result) in used
    return not chosen, not record.held, record.held, record.status == "rejected", -record.entry


def open_tables(state: HallState, number: int) -> tuple[int, ...]:
    """Return the numbers of the tables of a round whose results are still missing.

    A table to which at most one player came needs none.
    """
    current = state.rounds.get(number)
    if current is None:
        return ()
    results = round_results(state, number)
    return tuple(
        [
            table.number
            for table in current.tables
            if table.number not in results or not results[table.number].holds
            if len(_expected(current, table)) > 1
        ]
    )


def unexpected_results(state: HallState) -> tuple[ResultRecord, ...]:
    """Return the results of rounds that do not count, until a judge uses or drops them.

    Other people sat there than were seated, or another match of that round stands at the table already.
    """
    numbers = _numbers(state)
    used = {each.result for number in state.rounds for each in round_results(state, number).values()}
    typed = [(number, table) for number, each in state.rounds.items() for table in each.typed]
    fits_typed = {
        (number, _expected(state.rounds[number], table))
        for number, at in typed
        for table in state.rounds[number].tables
        if table.number == at
    }
    return tuple(
        [
            record
            for record in state.results.values()
            if record.result.round
            and record.judged is not False
            and record.id not in used
            and (record.result.round, frozenset(_players_of(numbers, record.result) or ())) not in fits_typed
        ]
    )


def fitting_table(state: HallState, record: ResultRecord) -> int:
    """Return the number of the table of its round at which exactly the people of a result were to play; 0: none."""
    current = state.rounds.get(record.result.round)
    players = _players_of(_numbers(state), record.result)
    table = _seated(current).get(frozenset(players)) if current is not None and players is not None else None
    return 0 if table is None else table.number


def passed_over(state: HallState) -> tuple[tuple[int, int], ...]:
    """Return round and table of every result after which another one was confirmed or said, which does not count."""
    found = set()
    for record in unexpected_results(state):
        if record.status == "confirmed" and fitting_table(state, record):
            found.add((record.result.round, fitting_table(state, record)))
    for number in state.rounds:
        found |= {(number, each.number) for each in round_results(state, number).values() if each.challenged}
    return tuple(sorted(found))


def _seated(current: TournamentRound) -> Mapping[frozenset[int], SeatedTable]:
    """Return a round's tables by those who are expected there."""
    return {_expected(current, table): table for table in current.tables}


def _expected(current: TournamentRound, table: SeatedTable) -> frozenset[int]:
    """Return the players who should be at a table: those seated, without those who did not come."""
    return frozenset(table.players) - set(current.absent)


def _numbers(state: HallState) -> Mapping[str, int]:
    """Return the players' numbers by name, as names are compared."""
    return {name_key(player.name): player.id for player in state.players.values()}


def _players_of(numbers: Mapping[str, int], result: Result) -> tuple[int, ...] | None:
    """Return the numbers of a result's players by seat; None if somebody is unknown or named twice."""
    found = [numbers.get(name_key(name)) for name in result.names]
    known = tuple([number for number in found if number is not None])
    return known if len(known) == len(found) == len(set(known)) else None
