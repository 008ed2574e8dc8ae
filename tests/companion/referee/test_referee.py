"""Verdicts depend on contacts, not on the order of delivery (R-49), and a press passes one's own turn (R-64)."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Seat
from companion.games.take_a_train.events import Counted, Opened, TurnPassed
from companion.messages import Press, Refused
from companion.ops.game_check.refusals import declared_reasons
from companion.referee.confirmations import GUARD
from companion.referee.referee import FINISHED
from companion.referee.verdict import Judged, PressMark
from tests.bench.bench_referee import HASTY, Case, Lot, by_arrival, case, delivered, judged, terms, truth
from tests.games.proofs import provoked
from tests.games.take_a_train.build import GAME, A, B, C, after, sale, turn
from tests.support.presses import (
    MS,
    Arrival,
    Court,
    Outcome,
    Played,
    S,
    Touch,
    Verdict,
    Words,
    held,
    hit,
    outcome_of,
    why,
)

T = 12 * S
GRACE = 150 * MS


def bounded(examples: int) -> Any:
    """Return settings for a number of examples, the same ones in each run."""
    return settings(max_examples=examples, deadline=None, database=None, derandomize=True)


# --- turns ----------------------------------------------------------------------------------------


def act() -> Court:
    """Return a court in the wagon stage, in which it has been A's turn since 5 s."""
    return Court(Played(turn("food-50")), 5 * S)


def test_on_ones_own_turn_the_button_passes() -> None:
    """A press on one's own turn passes it."""
    found = act().play([hit(A, 8 * S)])
    assert found.events == [TurnPassed(A)]
    assert found.verdicts == [Judged("pass", "", (PressMark(A, 0, "passed"),))]
    assert GAME.view(found.state, None).awaited == (B,)


def test_on_anothers_turn_the_button_says_nothing() -> None:
    """A press on another seat's turn does nothing and is not answered."""
    found = act().play([hit(B, 8 * S), hit(C, 9 * S)])
    assert (found.events, found.verdicts, found.told) == ([], [], [])


@pytest.mark.parametrize("after_turn", [-MS, 0, GUARD - 1])
def test_a_press_as_the_turn_begins_was_meant_for_what_was_before(after_turn: int) -> None:
    """A press up to 300 ms after A's turn began passes nothing, and A is told."""
    found = act().play([hit(A, 5 * S + after_turn, 10 * MS)])
    assert found.events == []
    assert why(found, A) == ("R-00", "not_open", None)
    assert found.verdicts[0].marks[0].outcome == "not_open"
    assert found.shown(Refused) == [Refused(seat=A)]
    assert found.play([hit(A, 5 * S + GUARD)]).events == [TurnPassed(A)]


def test_who_presses_late_passes_for_itself_alone() -> None:
    """A second quick press does not pass the next seat's turn."""
    found = act().play([hit(A, 8 * S), hit(A, 8 * S + 200 * MS), hit(B, 8 * S + 250 * MS)])
    assert found.events == [TurnPassed(A)]
    assert why(found, B) == ("R-00", "not_open", None)


def test_holding_does_not_pass() -> None:
    """Holding a button across turns does not pass again."""
    found = act().play([hit(A, 8 * S), held(A, 8 * S), hit(B, 10 * S), hit(C, 11 * S)], 12 * S)
    found.play([held(A, 8 * S, 5 * S)])
    assert found.events == [TurnPassed(seat) for seat in (A, B, C)]


def test_a_turn_that_cannot_be_passed_is_not_passed() -> None:
    """If the rules refuse to pass, only the seat gets the reason."""
    found = act()
    said = found.lot.rule(TurnPassed(B))
    assert said is not None
    found.lot.rule = lambda event: said  # type: ignore[method-assign]
    found.play([hit(A, 8 * S)])
    assert (found.events, found.told) == ([], [(A, said)])
    assert found.verdicts[0].marks[0].outcome == "not_accepted"


def test_a_raise_after_three_passes_no_turn() -> None:
    """A press 40 ms after the third count passes no turn of the next stage, and its seat is told how late it was."""
    found = Court(Played(after(sale("open", "s300"), Opened(A, 300))), 5 * S)
    found.play([hit(A, T - 2 * S), hit(A, T - S), hit(A, T)], T + GRACE)
    assert found.events[-1] == Counted(A, 3)
    found.lot = Played(turn("food-50", order=(B, C, A)))
    found.referee.watch(found.lot.timing(), found.now)
    found.play([hit(B, T + 40 * MS, 120 * MS)], 20 * S)
    assert why(found, B) == ("R-00", "too_late", None)
    assert found.told[-1][1].fields == {"ms": 40}
    assert found.play([hit(B, 20 * S)]).events[-1] == TurnPassed(B)


def test_where_a_press_means_nothing_nothing_happens() -> None:
    """Presses before any lot and in an auction without buttons leave no trace."""
    found = Court(Played(sale("pass", "s300")), 5 * S).play([hit(A, 6 * S), held(A, 6 * S), hit(B, 7 * S)])
    assert (found.events, found.verdicts, found.told, found.cues) == ([], [], [], [])


def test_every_refusal_of_the_referee_is_provoked() -> None:
    """Every reason with which the referee refuses a press occurs in a test."""
    said = {(each.rule, each.key) for _, each in declared_reasons("companion.referee")}
    assert {rule for rule, _ in said} == {"R-00"}
    here = Path(__file__).parent
    assert sorted(said - provoked([here / f"test_{name}.py" for name in ("open_auction", "referee", "reveal")])) == []


# --- the order of delivery ------------------------------------------------------------------------


def rearranged(case: Case, luck: random.Random) -> list[Arrival]:
    """Return the presses of a case, each delayed by a random time up to the grace."""
    found = [hit(touch.seat, touch.at, luck.randrange(GRACE)) for touch in case.touches]
    return found + [
        held(touch.seat, touch.at, touch.held - touch.at, luck.randrange(GRACE))
        for touch in case.touches
        if touch.held is not None
    ]


def at_once(case: Case) -> list[Arrival]:
    """Return the presses of a case, each delivered at its contact."""
    found = [Arrival(touch.at, Press(touch.seat, touch.at)) for touch in case.touches]
    return found + [held(t.seat, t.at, t.held - t.at) for t in case.touches if t.held is not None]


def record(case: Case, arrivals: list[Arrival]) -> list[tuple[Any, Any]]:
    """Return the journalled verdicts without the delays of presses.

    After a sale presses that are too late are reported on arrival, so they are sorted by their contacts here.
    """
    court = Court(Lot(case.terms, case.cash)).play(arrivals)
    found: list[tuple[Any, Any]] = []
    for ruling in court.rulings:
        if ruling.judged is not None:
            marks = tuple([msgspec.structs.replace(mark, late=0) for mark in ruling.judged.marks])
            found.append((ruling.event, msgspec.structs.replace(ruling.judged, marks=marks)))
    sold = next((n for n, (_, verdict) in enumerate(found) if verdict.kind == "sold"), len(found))
    return found[: sold + 1] + sorted(found[sold + 1 :], key=lambda each: (each[1].marks[0].at, each[1].marks[0].seat))


@st.composite
def crowds(draw: st.DrawFn) -> Case:
    """Return a case with presses of up to four seats, many of them close together or equal, some held."""
    near = st.sampled_from([0, 0, 1, 5 * MS, 149 * MS, 150 * MS, 150 * MS + 1, 399 * MS, 400 * MS, 700 * MS, S, S + 1])
    moments = [10 * S]
    touches: set[tuple[int, int]] = set()
    for _ in range(draw(st.integers(1, 14))):
        moments.append(draw(st.sampled_from(moments[-3:])) + draw(near))
        touches.add((moments[-1], draw(st.integers(0, 3))))
    long: list[tuple[int, int]] = []
    for at, seat in sorted(touches):
        if any(seat == other and 0 < at - begun <= 700 * MS for begun, other in long):
            touches.discard((at, seat))  # this finger is still on the button
        elif draw(st.integers(0, 4)) == 0:
            long.append((at, seat))
    cash = tuple(draw(st.sampled_from([300, 400, 5000])) for _ in range(4))
    counting = draw(st.sampled_from(["leader", "leader", "companion"]))
    made = tuple([Touch(at, s, at + 700 * MS if (at, s) in long else None) for at, s in sorted(touches)])
    return Case(terms(seats=4, counting=counting), cash, made, ())


@given(crowds(), st.randoms(use_true_random=False))
@bounded(300)
def test_no_order_of_delivery_changes_anything(case: Case, luck: random.Random) -> None:
    """Any order of delivery within the grace leads to the same journal as immediate delivery."""
    assert record(case, rearranged(case, luck)) == record(case, at_once(case))


@given(crowds())
@bounded(300)
def test_verdicts_are_those_of_the_rules_words(case: Case) -> None:
    """Verdicts equal those of a separate, plain implementation of the rule over the true contacts."""
    assert judged(case, at_once(case), case.terms) == truth(case)


@pytest.mark.parametrize("seed", range(40))
def test_contested_counts_through_bouncing_contacts(seed: int) -> None:
    """Presses from bouncing contacts, debounced and delivered late, get the verdicts of the true contacts."""
    luck = random.Random(seed)
    given_case = case(luck)
    assert judged(given_case, delivered(luck, given_case), given_case.terms) == truth(given_case)


def test_the_order_of_arrival_would_be_unjust() -> None:
    """Judging by arrival instead of contact would sell to the wrong seat, which shows that the comparison can fail."""
    touches = tuple([Touch(T + n * S, 0) for n in (-2, -1, 0)] + [Touch(T - MS, 1)])
    late = [*[hit(0, T + n * S) for n in (-2, -1, 0)], hit(1, T - MS, 60 * MS)]
    contested = Case(terms(seats=2), (5000, 5000), touches, ())
    assert judged(contested, late, contested.terms)[:3] == truth(contested)[:3] == (1, 350, False)
    assert judged(contested, by_arrival(late), contested.terms)[:3] == (0, 300, True)
    assert judged(contested, late, contested.terms, pace=HASTY)[:3] == (0, 300, True)


def test_the_words_are_read_as_they_are_written() -> None:
    """The plain implementation itself judges an example correctly."""
    touches = [
        Touch(10 * S, 1),
        Touch(10 * S + 5 * MS, 2),
        *[Touch(T + n * S, 1) for n in range(3)],
        Touch(T + 2 * S, 2),
    ]
    found = Words(terms(seats=3), lambda seat, amount: True).judge(touches)
    assert found == Outcome(
        leader=2,
        price=400,
        sold=False,
        tied=(),
        verdicts=(
            Verdict(10 * S, 1, "leads", 350),
            Verdict(10 * S + 5 * MS, 2, "same_moment", 350, 5 * MS),
            Verdict(T, 1, "counted", 1),
            Verdict(T + S, 1, "counted", 2),
            Verdict(T + 2 * S, 2, "leads", 400),
            Verdict(T + 2 * S, 1, "outbid", 0, 0),
        ),
    )


# --- memory ---------------------------------------------------------------------------------------


def test_only_the_last_presses_are_remembered() -> None:
    """The memory of delivered presses is limited, and presses older than it do nothing."""
    lot = Lot(terms(seats=3), (5000, 5000, 5000))
    found = Court(lot).play([hit(1, 10 * S)])
    many = [hit(2, 20 * S + n * MS) for n in range(FINISHED + 1)]
    found.play(many, 30 * S)
    before = lot.terms.price
    found.play([hit(1, 10 * S, 20 * S)], 40 * S)
    assert found.referee.due() is None
    assert lot.terms.price == before


def test_a_pause_forgets_what_waits() -> None:
    """Presses from before a pause are not judged after it."""
    lot = Lot(terms(seats=3), (5000, 5000, 5000))
    found = Court(lot, 5 * S).play([hit(1, 10 * S)], 10 * S + 20 * MS)
    found.clear()
    found.play([hit(2, 10 * S, 100 * MS), hit(2, 11 * S)])
    assert outcome_of(found, 2, 350, False).verdicts == (Verdict(11 * S, 2, "leads", 350),)
    assert lot.terms.leader == Seat(2)
