"""Rounds of a tournament: seatings, standings and places, computed from the hall's entries."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import msgspec
import pytest

from companion.devices.hall_link.messages import Placing, Result
from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.round_results import open_tables
from companion.hall.rounds import (
    couples_together,
    everywhere,
    meetings_again,
    next_seating,
    standing_after,
    standings,
    swapped,
)
from companion.hall.state import HallState, fold, last_undoable
from companion.hall.tournament.seating import SeatingError
from tests.support.standings_by_hand import by_hand, places_by_hand

NUMBERS = (5, 2, 9, 7)


class HallBook:
    """A hall's entries without a database, checked as the hall does."""

    def __init__(self, players: int, rounds: int = 6, sizes: tuple[int, ...] = (3, 4)) -> None:
        self.entries: list[e.Entry] = []
        self.write(e.HallOpened("h" * 8, "Hall"))
        for place, number in enumerate(NUMBERS):
            self.write(e.TableAdmitted(f"table{place:03}", f"Table {number}", number, b"", ""))
        self.write(e.TournamentPlanned("Open", "", rounds, "swiss", sizes, sizes[-1]))
        self.write(e.PlayersEntered(tuple([f"Player {number}" for number in range(1, players + 1)])))

    @property
    def state(self) -> HallState:
        """Return the state after all entries."""
        return fold(self.entries)

    def write(self, body: e.Body) -> None:
        """Check and append an entry."""
        check(self.state, body)
        self.entries.append(e.Entry(len(self.entries) + 1, 0.0, "organiser", body))

    def undo(self) -> None:
        """Undo the last entry."""
        last = last_undoable(self.entries)
        assert last is not None
        self.write(e.Undone(last.number))

    def seat(self, luck: Random) -> e.RoundSeated:
        """Seat the next round and return its entry."""
        body = next_seating(self.state, luck)
        self.write(body)
        return body

    def report(self, number: int, players: Sequence[int], places: Sequence[int]) -> None:
        """Record a result that all seats of a table confirm."""
        state = self.state
        assert state.round is not None
        names = tuple([state.players[player].name for player in players])
        placings = tuple([Placing((seat,), place, 100 - place) for seat, place in enumerate(places)])
        own = state.at_number(number)
        table = own.id if own is not None else f"t{number:07}"
        if own is None:  # a table that exists in the hall only for this result, so that the numbers of others stay
            self.write(e.TableAdmitted(table, f"Spare {number}", number, b"", ""))
        result = Result(
            hall=state.hall, table=table, round=state.round.number, match=f"match{state.round.number}", sequence=1,
            game="g", names=names, placings=placings, confirmed=tuple(range(len(names))),
        )  # fmt: skip
        self.write(e.ResultReported(table, msgspec.json.encode(result), b""))
        if own is None:
            self.write(e.TableRemoved(table))


def ranking(size: int, luck: Random) -> list[int]:
    """Return random places for a table, sometimes with a tie."""
    order = list(range(1, size + 1))
    luck.shuffle(order)
    return [1 if place == 2 else place for place in order] if luck.random() < 0.2 else order


def test_six_swiss_rounds_with_everything_that_happens() -> None:
    """Six rounds with a late entry, a drop-out, a no-show, a correction and an undo are computed correctly."""
    luck, book = Random(4), HallBook(23)
    tables: list[list[tuple[int, int]]] = []
    byes: list[int] = []
    pairs: set[frozenset[int]] = set()
    for number in range(1, 7):
        if number == 2:
            book.write(e.PlayersEntered(("Late",)))
        if number == 4:
            book.write(e.PlayerLeft(11))
        seating = book.seat(luck)
        assert seating.round == number and [table.number for table in seating.tables] == [2, 5, 7, 9, 10, 11]
        byes += seating.byes
        absent = seating.tables[1].players[0] if number == 3 else 0
        if absent:
            book.write(e.NoShow(3, absent))
        for place, table in enumerate(seating.tables):
            players = [player for player in table.players if player != absent]
            pairs |= {frozenset(pair) for pair in combinations(players, 2)}
            places = ranking(len(players), luck)
            if place == 3:
                book.write(
                    e.ResultTyped(
                        number, table.number, tuple(players),
                        tuple([Placing((seat,), at, 0) for seat, at in enumerate(places)]),
                    )
                )  # fmt: skip
            else:
                book.report(table.number, players, places)
            if number == 5 and place == 0:
                places = places[::-1]
                right = tuple([Placing((seat,), at, 0) for seat, at in enumerate(places)])
                book.write(e.ResultTyped(number, table.number, tuple(players), right))
                book.write(e.ResultTyped(number, table.number, tuple(players), right[::-1]))
                book.undo()
            tables.append(list(zip(players, places, strict=True)))
    state = book.state
    expected = by_hand(range(1, 25), tables, byes)
    found = standings(state)
    assert standing_after(state) == 6 and not open_tables(state, 6)
    assert {line.player: (line.points, line.wins, line.opposition) for line in found} == expected
    order = [expected[line.player] for line in found]
    assert order == sorted(order, reverse=True)
    assert {line.player: line.place for line in found} == places_by_hand(expected, tables)
    assert [line.player for line in found if line.absent] == [absent_of(state, 3)]
    assert len(pairs) > 0.9 * sum([len(table) * (len(table) - 1) // 2 for table in tables])
    assert 11 not in {player for table in state.rounds[6].tables for player in table.players}
    with pytest.raises(HallError, match="rounds_over"):
        next_seating(state, luck)


def absent_of(state: HallState, number: int) -> int:
    """Return the only player who is absent from a round."""
    (player,) = state.rounds[number].absent
    return player


def test_the_best_sit_at_the_first_table() -> None:
    """In the second round the best players sit at the first table."""
    book = HallBook(8, sizes=(4,))
    for table in book.seat(Random(1)).tables:
        book.report(table.number, table.players, (1, 2, 3, 4))
    best = {line.player for line in standings(book.state) if line.place == 1}
    assert best == {table.players[0] for table in book.state.rounds[1].tables}
    assert best <= set(book.seat(Random(1)).tables[0].players)


def test_places_of_a_round() -> None:
    """Each player's place shows table, seat and opponents, or a bye, a late entry or an absence."""
    book = HallBook(5, rounds=1, sizes=(2,))
    assert everywhere(book.state)[3].round == 0
    seating = book.seat(Random(1))
    one, two = seating.tables[0].players
    book.write(e.PlayersEntered(("Late",)))
    book.write(e.RoundCalled(1, 900))
    found = everywhere(book.state)[two]
    assert (found.table, found.seat, found.others, found.begins, found.last) == (2, 2, (one,), 900, True)
    assert [player for player, place in everywhere(book.state).items() if place.bye] == list(seating.byes)
    late = everywhere(book.state)[6]
    assert (late.round, late.table, late.bye, late.absent, late.standing) == (1, 0, False, False, 0)
    book.write(e.NoShow(1, one, alone=True))
    assert everywhere(book.state)[one].absent and not everywhere(book.state)[one].table
    assert (everywhere(book.state)[two].seat, everywhere(book.state)[two].others) == (1, ())


def test_a_place_at_the_table_and_in_the_standings() -> None:
    """A valid result gives a place at once, and the standings wait for the whole round."""
    book = HallBook(4, sizes=(2,))
    first, second = book.seat(Random(1)).tables
    book.report(first.number, first.players, (2, 1))
    assert open_tables(book.state, 1) == (second.number,)
    assert standing_after(book.state) == 0
    found = everywhere(book.state)[first.players[1]]
    assert (found.place, found.finished, found.standing) == (1, False, 0)
    assert {line.points for line in standings(book.state)} == {0}
    book.report(second.number, second.players, (1, 1))
    found = everywhere(book.state)[first.players[1]]
    assert (found.place, found.finished, found.standing, found.of) == (1, True, 1, 4)


def test_whoever_sits_alone_wins_and_whoever_stays_away_loses() -> None:
    """A player alone at a table wins it without a result, and absent players get no points."""
    book = HallBook(4, sizes=(2,))
    first, second = book.seat(Random(1)).tables
    book.write(e.NoShow(1, first.players[0], alone=True))
    for player in second.players:
        book.write(e.NoShow(1, player, alone=True))
    assert open_tables(book.state, 1) == ()
    points = {line.player: (line.points, line.absent) for line in standings(book.state)}
    gone = (first.players[0], *second.players)
    assert points == {first.players[1]: (Fraction(100), 0)} | dict.fromkeys(gone, (Fraction(), 1))


def test_a_round_is_seated_again_from_the_same_history() -> None:
    """A round that is seated again keeps its number and ignores the discarded seating."""
    book = HallBook(16, rounds=5, sizes=(4,))
    for table in book.seat(Random(1)).tables:
        book.report(table.number, table.players, (1, 2, 3, 4))
    thrown = book.seat(Random(2))
    again = next_seating(book.state, Random(2), again=True)
    assert again == thrown
    other = next_seating(book.state, Random(3), again=True)
    assert other.round == 2 and other.tables != thrown.tables
    book.write(other)
    assert next_seating(HallBook(4).state, Random(1), again=True).round == 1


def test_a_result_that_was_disputed_later_leaves_the_other_tables_counted() -> None:
    """If a result of a finished round is rejected later, the other tables still count."""
    book = HallBook(4, sizes=(2,))
    first, second = book.seat(Random(1)).tables
    book.report(first.number, first.players, (1, 2))
    book.report(second.number, second.players, (1, 2))
    book.seat(Random(1))
    (record,) = [each for each in book.state.results.values() if each.number == first.number]
    book.write(e.ResultJudged(record.id, False))
    points = {line.player: line.points for line in standings(book.state)}
    assert points == {second.players[0]: 100, second.players[1]: 0} | dict.fromkeys(first.players, 0)


def test_partners_share_what_their_side_wins() -> None:
    """Partners share a place, and both get its points."""
    book = HallBook(4, sizes=(4,))
    (table,) = book.seat(Random(1)).tables
    sides = (Placing((0, 2), 2, 10), Placing((1, 3), 1, 20))
    book.write(e.ResultTyped(1, table.number, table.players, sides))
    one, two, three, four = table.players
    found = {line.player: (line.place, line.points) for line in standings(book.state)}
    won, lost = (1, Fraction(100)), (3, Fraction())
    assert found == {two: won, four: won, one: lost, three: lost}


def test_one_player_is_no_tournament() -> None:
    """Seating needs at least two players and a plan."""
    with pytest.raises(SeatingError) as refused:
        next_seating(HallBook(1).state, Random(1))
    assert refused.value.key == "hall.fault.too_few"
    with pytest.raises(HallError, match="no_tournament"):
        next_seating(HallState(), Random(1))


def test_a_player_marked_absent_after_a_result_keeps_it() -> None:
    """A player in a typed result counts as present, even if marked absent later."""
    book = HallBook(2, sizes=(2,))
    (table,) = book.seat(Random(1)).tables
    book.write(e.ResultTyped(1, table.number, table.players, (Placing((0,), 1, 0), Placing((1,), 2, 0))))
    book.write(e.NoShow(1, table.players[0], alone=True))
    assert [(line.points, line.absent) for line in standings(book.state)] == [
        (Fraction(100), 0),
        (Fraction(), 0),
    ]


# --- manual changes -------------------------------------------------------------------------------


def plan(book: HallBook, **changes: object) -> None:
    """Record the plan with some fields changed."""
    tournament = book.state.tournament
    assert tournament is not None
    book.write(msgspec.structs.replace(tournament, **changes))


def finish(book: HallBook) -> None:
    """Record a result for each table of the latest round, with the seats placed in order."""
    current = book.state.round
    assert current is not None
    for table in current.tables:
        book.report(table.number, table.players, range(1, len(table.players) + 1))


@pytest.mark.parametrize(("one", "other"), [(0, 5), (0, 1), (3, 12)])
def test_two_change_places(one: int, other: int) -> None:
    """Two players can swap places between tables, at one table or with a bye, and nothing else changes."""
    book = HallBook(13, sizes=(4,))
    seating = book.seat(Random(1))
    spots = [player for table in seating.tables for player in table.players] + [*seating.byes]
    book.write(swapped(book.state.rounds[1], spots[one], spots[other]))
    after = book.state.rounds[1]
    spots[one], spots[other] = spots[other], spots[one]
    assert [player for table in after.tables for player in table.players] + [*after.byes] == spots
    assert [table.number for table in after.tables] == [table.number for table in seating.tables]


@pytest.mark.parametrize(("one", "other"), [(1, 1), (1, 9)])
def test_nobody_changes_places_alone_or_with_a_stranger(one: int, other: int) -> None:
    """A swap needs two different players of the round."""
    book = HallBook(4, sizes=(4,))
    book.seat(Random(1))
    with pytest.raises(HallError, match="swap_two"):
        swapped(book.state.rounds[1], one, other)


def test_a_table_is_held_while_the_rest_is_seated_again() -> None:
    """A held table keeps its number and seats when the rest is seated again, without a player who has left."""
    book = HallBook(14)
    held = book.seat(Random(1)).tables[1]
    for seed in range(5):
        again = next_seating(book.state, Random(seed), again=True, held=[held.number])
        assert held in again.tables
        others = {frozenset(table.players) for table in again.tables if table != held}
        assert sum(map(len, others)) == 14 - len(held.players) and all(len(each) in (3, 4) for each in others)
    book.write(e.PlayerLeft(held.players[0]))
    book.write(e.PlayersEntered(("Late",)))
    again = next_seating(book.state, Random(1), again=True, held=[held.number])
    assert e.SeatedTable(held.number, held.players[1:]) in again.tables
    book.write(again)


def test_too_few_beside_a_held_table_have_a_bye() -> None:
    """Players who are too few for a table beside a held one get a bye."""
    book = HallBook(5, sizes=(3,))
    held = book.seat(Random(1)).tables[0]
    again = next_seating(book.state, Random(1), again=True, held=[held.number])
    assert again.tables == (held,) and set(again.byes) == set(range(1, 6)) - set(held.players)


@pytest.mark.parametrize("method", ["swiss", "random"])
def test_a_couple_is_kept_apart(method: str) -> None:
    """Players of a couple sit apart in every round, except where there is only one table."""
    book = HallBook(8, sizes=(4,))
    plan(book, method=method, apart=((1, 2), (1, 3)))
    for seed in range(6):
        book.seat(Random(seed))
        current = book.state.round
        assert current is not None and couples_together(book.state, current) == ()
        finish(book)
    assert (
        meetings_again(book.state, book.state.rounds[6]) >= 12 and meetings_again(book.state, book.state.rounds[1]) == 0
    )
    alone = HallBook(4, sizes=(4,))
    plan(alone, apart=((1, 2),))
    alone.seat(Random(1))
    assert couples_together(alone.state, alone.state.rounds[1]) == ((1, 2, 2),)


def test_the_best_meet_in_a_final_that_decides() -> None:
    """The best players meet at the first table of the last round, and its winner is first overall."""
    book = HallBook(11, rounds=2)
    plan(book, final=4)
    assert book.seat(Random(1)).final == 0
    finish(book)
    best = {line.player for line in standings(book.state)[:3]}
    seating = book.seat(Random(2))
    table = seating.tables[0]
    assert (seating.final, table.number, len(table.players)) == (2, 2, 4) and best <= set(table.players)
    again = next_seating(book.state, Random(3), again=True, held=[2])
    assert again.final == 2 and again.tables[0] == table
    finish(book)
    lines = standings(book.state)
    assert [line.player for line in lines[:4]] == list(table.players)
    assert {line.reasons for line in lines[:4]} == {("final",)} and "final" not in lines[4].reasons


def test_points_by_place_are_those_of_the_plan() -> None:
    """The points by place follow the plan, and a changed plan recalculates all points."""
    book = HallBook(4, sizes=(4,))
    book.seat(Random(1))
    finish(book)
    plan(book, points=(5, 3, 2, 1))
    assert [line.points for line in standings(book.state)] == [5, 3, 2, 1]


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("scale", {"points": (3, 5)}), ("scale", {"points": (3, 3)}), ("scale", {"points": (1001, 1)}),
        ("scale", {"points": (9, 8, 7, 6, 5, 4, 3)}), ("scale", {"points": (1, -1)}),
        ("final_size", {"final": 7}), ("final_size", {"final": 1}),
        ("couple", {"apart": ((1, 1),)}), ("couple", {"apart": ((0, 1),)}),
    ],
)  # fmt: skip
def test_an_impossible_plan_is_refused(key: str, changes: dict[str, object]) -> None:
    """Each impossible plan is refused with its own key."""
    with pytest.raises(HallError, match=key):
        plan(HallBook(4), **changes)


def test_a_plan_and_a_seating_of_before_are_read_as_they_were() -> None:
    """Plans and seatings of older logs are read without points by place, final and couples."""
    plan_of_before = (
        b'{"type":"tournament","name":"Open","game":"","rounds":2,"method":"swiss","sizes":[4],"preferred":4}'
    )
    assert e.decode_body(plan_of_before) == e.TournamentPlanned("Open", "", 2, "swiss", (4,), 4, (), 0, ())
    seating = b'{"type":"round","round":1,"tables":[{"number":1,"players":[1,2,3,4]}],"byes":[5]}'
    assert e.decode_body(seating) == e.RoundSeated(1, (e.SeatedTable(1, (1, 2, 3, 4)),), (5,), 0)


# --- consecutive tournaments ----------------------------------------------------------------------


def test_an_earlier_tournament_stays_as_it_was() -> None:
    """A closed tournament keeps its standings, and the next one starts empty."""
    book = HallBook(4, sizes=(4,))
    with pytest.raises(HallError, match="no_tournament"):
        check(fold(book.entries[:1]), e.TournamentClosed())
    table = book.seat(Random(1)).tables[0]
    finish(book)
    before, names = book.state, ("Player 1", "Player 2", "Player 3", "Player 4")
    book.write(e.TournamentClosed())
    state = book.state
    assert (state.tournament, state.players, state.rounds, state.results) == (None, {}, {}, {})
    assert state.tables == before.tables and last_undoable(book.entries) is None
    assert standings(state.past[0]) == standings(before)
    book.write(e.PlayersEntered(names))
    book.write(e.TournamentPlanned("Second", "", 2, "swiss", (4,), 4))
    book.write(e.RoundSeated(1, (table,)))
    (late,) = [entry.body for entry in book.entries if isinstance(entry.body, e.ResultReported)]
    book.write(late)
    assert open_tables(book.state, 1) == (table.number,)
    assert standings(book.state.past[0]) == standings(before)
    assert fold(book.entries[5:], fold(book.entries[:5])) == book.state
