"""The tournament in a hall's state: the next round's seating, the standings, and everybody's place."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice
from random import Random

import msgspec

from companion.hall.checks import HallError
from companion.hall.entries import RoundSeated, SeatedTable
from companion.hall.round_results import RoundResult, once, open_tables, round_results
from companion.hall.state import HallState, TournamentRound
from companion.hall.tournament import scoring
from companion.hall.tournament.scoring import PlayedRound, PlayerStanding, SidePlacing
from companion.hall.tournament.seating import SMALLEST, RoundSeating, count_repeats, seat_round


class PlayerPlace(msgspec.Struct, frozen=True):
    """Where a player should be, and how they stand."""

    player: int
    present: bool = True
    """Whether they take part; False after they have left."""
    round: int = 0
    """The latest round; 0 before the first."""
    begins: int = 0
    """The hall's time in seconds since 1970 at which the round begins; 0 if it has not been called."""
    table: int = 0
    """The number of their table in that round; 0 if they have none."""
    seat: int = 0
    """Their seat there, counted from 1 without those who did not come."""
    others: tuple[int, ...] = ()
    """The other players there, by seat."""
    bye: bool = False
    absent: bool = False
    place: int = 0
    """Their place at that table; 0 before a result counts."""
    finished: bool = False
    """Whether all results of that round are in."""
    standing: int = 0
    """Their place in the standings; 0 before the first round is finished."""
    of: int = 0
    """The number of players in the standings."""
    last: bool = False
    """Whether that round is the last planned one."""


Standings = tuple[PlayerStanding, ...]


def next_seating(state: HallState, luck: Random, *, again: bool = False, held: Collection[int] = ()) -> RoundSeated:
    """Return a seating for the next round, or for the latest one `again`, keeping the tables `held`.

    Tables take the hall's own numbers, from the lowest, and then the following ones. In a Swiss round the best sit at
    the first table, as do the finalists. Raises `HallError` or `SeatingError`; `check` decides whether the round may
    begin.
    """
    plan = state.tournament
    if plan is None:
        raise HallError("no_tournament")
    last = max(state.rounds, default=0)
    number = last if again and last else last + 1
    if number > plan.rounds:
        raise HallError("rounds_over", rounds=plan.rounds)
    earlier = [each for each in sorted(state.rounds) if each < number]
    places = {line.player: line.place for line in _standings(state, earlier)}
    waiting = {player.id for player in state.players.values() if player.present}
    final, fixed = _fixed(state, number, held if again else (), waiting, places, luck)
    waiting -= {player for players in fixed.values() for player in players}
    found = RoundSeating((), tuple(sorted(waiting)))
    if not fixed or len(waiting) >= min(plan.sizes):
        found = seat_round(
            sorted(waiting),
            places,
            [_met(state.rounds[each]) for each in earlier],
            method=plan.method, sizes=plan.sizes, preferred=plan.preferred, luck=luck, ahead=plan.rounds - number,
            apart=plan.apart,
        )  # fmt: skip
    tables = list(found.tables)
    if plan.method == "swiss":
        tables.sort(key=lambda table: sorted([places[player] for player in table]))
    numbers = [each for each in _numbers(state, len(tables) + len(fixed)) if each not in fixed]
    seated = [SeatedTable(*each) for each in sorted([*fixed.items(), *zip(numbers, tables, strict=False)])]
    return RoundSeated(number, tuple(seated), found.byes, final)


def _fixed(
    state: HallState, number: int, held: Collection[int], present: set[int], places: Mapping[int, int], luck: Random
) -> tuple[int, dict[int, tuple[int, ...]]]:
    """Return the number of a round's final table (0: none), and the players of the final and held tables."""
    current, plan, fixed = state.rounds.get(number), state.tournament, {}
    for table in () if current is None else current.tables:
        if table.number in held and not present.isdisjoint(table.players):
            fixed[table.number] = tuple([player for player in table.players if player in present])
    if current is not None and current.final in fixed:
        return current.final, fixed
    free = present - {player for players in fixed.values() for player in players}
    if plan is None or not plan.final or number != plan.rounds or len(free) < SMALLEST:
        return 0, fixed
    best = sorted(sorted(free), key=lambda player: (places[player], luck.random()))[: plan.final]
    final = next(each for each in _numbers(state, len(fixed) + 1) if each not in fixed)
    return final, fixed | {final: tuple(best)}


def swapped(current: TournamentRound, one: int, other: int) -> RoundSeated:
    """Return a round's seating with two players exchanged; raise `HallError` if one has no place."""
    if one == other or not {one, other} <= {*current.byes, *[each for at in current.tables for each in at.players]}:
        raise HallError("swap_two")
    other_of = {one: other, other: one}
    byes, *tables = [
        tuple([other_of.get(player, player) for player in players])
        for players in (current.byes, *[table.players for table in current.tables])
    ]
    seated = [SeatedTable(table.number, players) for table, players in zip(current.tables, tables, strict=True)]
    return RoundSeated(current.number, tuple(seated), byes, current.final, swap=True)


def meetings_again(state: HallState, current: TournamentRound) -> int:
    """Return how many pairs of a round have met before, counting each earlier meeting."""
    earlier = [_met(state.rounds[each]) for each in sorted(state.rounds) if each < current.number]
    return count_repeats(_met(current).tables, earlier)


def couples_together(state: HallState, current: TournamentRound) -> tuple[tuple[int, int, int], ...]:
    """Return the couples who sit together in a round although they should not, each with the table's number."""
    apart = () if state.tournament is None else state.tournament.apart
    return tuple(
        [(*couple, table.number) for table in current.tables for couple in apart if {*couple} <= {*table.players}]
    )


def standings(state: HallState) -> Standings:
    """Return the standings after the last finished round, the best first; before that, all share the first place."""
    return once(state, "standings", lambda: _standings(state, _counting(state)))


def _standings(state: HallState, rounds: Sequence[int]) -> Standings:
    points = () if state.tournament is None else state.tournament.points
    return _scored(tuple([_played(state, number) for number in rounds]), tuple(state.players), points)


_scored = lru_cache(maxsize=2)(scoring.standings)
"""Cached, since most entries of a hall do not change the standings, such as results of an unfinished round."""


def standing_after(state: HallState) -> int:
    """Return the round that the standings include last; 0 before the first is finished."""
    return max(_counting(state), default=0)


def everywhere(state: HallState) -> Mapping[int, PlayerPlace]:
    """Return where each player should be."""
    after = standing_after(state)
    places = {line.player: line.place for line in standings(state)} if after else {}
    common = PlayerPlace(0, of=len(state.players))
    current, seated = state.round, {}
    if current is not None:
        results = round_results(state, current.number)
        common = PlayerPlace(
            0,
            of=len(state.players),
            round=current.number,
            begins=current.begins,
            finished=after == current.number,
            last=state.tournament is not None and current.number >= state.tournament.rounds,
        )
        for table in current.tables:
            for player in table.players:
                seated[player] = _at_table(common, current, table, player, results.get(table.number))
    return {
        player.id: msgspec.structs.replace(
            seated.get(player.id, common),
            player=player.id,
            present=player.present,
            bye=current is not None and player.id in current.byes,
            absent=current is not None and player.id in current.absent,
            standing=places.get(player.id, 0),
        )
        for player in state.players.values()
    }


def _at_table(
    common: PlayerPlace, current: TournamentRound, table: SeatedTable, player: int, result: RoundResult | None
) -> PlayerPlace:
    """Return the place of a player seated at a table."""
    there = [each for each in table.players if each not in current.absent]
    if player not in there:
        return common
    won = 0
    if result is not None and result.holds and player in result.players:
        seat = result.players.index(player)
        won = next(placing.place for placing in result.placings if seat in placing.seats)
    others = tuple([each for each in there if each != player])
    return msgspec.structs.replace(common, table=table.number, seat=there.index(player) + 1, others=others, place=won)


def _counting(state: HallState) -> list[int]:
    """Return the rounds that count: all before the latest, and the latest once it is finished.

    During a round, standings would compare people who have finished with people who are still playing.
    """
    numbers = sorted(state.rounds)
    return numbers[:-1] if numbers and open_tables(state, numbers[-1]) else numbers


def _met(current: TournamentRound) -> RoundSeating:
    """Return a round as it was played: players who did not come met nobody."""
    came = [tuple([player for player in table.players if player not in current.absent]) for table in current.tables]
    return RoundSeating(tuple([table for table in came if table]), current.byes)


def _played(state: HallState, number: int) -> PlayedRound:
    """Return the counting part of a round."""
    current, results = state.rounds[number], round_results(state, number)
    tables: list[tuple[SidePlacing, ...]] = []
    final: tuple[SidePlacing, ...] = ()
    for table in current.tables:
        result = results.get(table.number)
        came = [player for player in table.players if player not in current.absent]
        if result is not None and result.holds:
            tables.append(_sides(result))
            if table.number == current.final and number == max(state.rounds):
                final = tables[-1]
        elif len(came) == 1:
            tables.append((SidePlacing((came[0],), 1),))
    counted = {player for sides in tables for side in sides for player in side.players}
    absent = tuple([each for each in current.absent if each not in counted])
    return PlayedRound(tuple(tables), current.byes, absent, final)


def _sides(result: RoundResult) -> tuple[SidePlacing, ...]:
    return tuple(
        SidePlacing(tuple([result.players[seat] for seat in placing.seats]), placing.place, placing.score)
        for placing in result.placings
    )


def _numbers(state: HallState, tables: int) -> list[int]:
    """Return numbers for tables: the hall's own, then the following ones after the highest."""
    own = [table.number for table in state.present]
    return [*own, *islice(count(max(own, default=0) + 1), max(tables - len(own), 0))][:tables]
