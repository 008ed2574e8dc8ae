"""Which result belongs to which table of a round, and which results nobody expected."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.hall.entries import SeatedTable
from companion.hall.messages import Placing, Result
from companion.hall.phones import phone_result, words_by_table
from companion.hall.state import HallState, ResultRecord, TournamentRound
from companion.hall.tournament.player_list import name_key


class RoundResult(msgspec.Struct, frozen=True):
    """The result of a table of a round. The placings' seats are positions in `players`, which are their numbers."""

    number: int
    players: tuple[int, ...]
    placings: tuple[Placing, ...]
    status: str
    """As of `ResultRecord`; `typed` by the organiser or a judge."""
    result: str = ""
    """The id of the table's own result; empty if it was typed, or said by phones alone."""

    @property
    def holds(self) -> bool:
        """Whether it counts."""
        return self.status in ("confirmed", "typed")


def round_results(state: HallState, number: int) -> Mapping[int, RoundResult]:
    """Return the results of a round by table number, those that do not count yet among them.

    A table speaks for itself: what it reports of people who were seated at another one counts only once a judge agrees.
    """
    current = state.rounds.get(number)
    if current is None:
        return {}
    found: dict[int, RoundResult] = {}
    for table, typed in current.typed.items():
        found[table] = RoundResult(table, typed.players, typed.placings, "typed")
    seated = {_expected(current, table): table for table in current.tables}
    numbers = _numbers(state)
    for record in sorted(state.results.values(), key=lambda each: (each.status == "confirmed", each.entry)):
        result = record.result
        ours = result.round == number and result.tournament in (-1, len(state.past))
        players = _players_of(numbers, result) if ours else None
        place = seated.get(frozenset(players)) if players is not None else None
        if players is None or place is None or place.number in current.typed:
            continue
        if record.number == place.number or record.judged:
            found[place.number] = RoundResult(place.number, players, result.placings, record.status, record.id)
    for number, words in words_by_table(current).items():
        own = found.get(number)
        record_of = None if own is None else state.find_result(own.result)
        said = phone_result(words, record_of, () if own is None else own.players)
        if said is not None and number not in current.typed:
            found[number] = RoundResult(number, *said, result=own.result if own is not None and not own.holds else "")
    return found


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
    """Return the results of rounds that fit no table of the round: other people sat there than were seated."""
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
            and record.id not in used
            and (record.result.round, frozenset(_players_of(numbers, record.result) or ())) not in fits_typed
        ]
    )


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
