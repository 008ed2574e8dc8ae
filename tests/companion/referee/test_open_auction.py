"""An Open auction by buttons: raises, holds, counts, and presses at the same moment (R-46 to R-49)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Seat
from companion.games.take_a_train.events import CountBroken, Counted, Opened, Raised, RaisedTogether, RaiseGrown
from companion.messages import Count, Raise, Refused, Source, Stopped
from companion.referee.open_auction import REACTION
from companion.referee.pace import USUAL, Pace
from companion.referee.press_rulings import OWN
from companion.referee.verdict import Judged, Outcome, PressMark
from tests.games.take_a_train.build import A, B, C, D, after, head, sale
from tests.support.presses import MS, Arrival, Court, Played, S, held, hit, why

T1, T2, T3 = 10 * S, 11 * S, 12 * S
"""The leader's three contacts, one second apart."""
COUNTS = (hit(A, T1), hit(A, T2), hit(A, T3))
THREE = ("s100", "s100", "s100")


def court(
    *, opened: bool = True, cash: Any = 5000, owned: Any = (), players: int = 4, pace: Pace = USUAL, **options: Any
) -> Court:
    """Return a court at 5 s with an Open lot of power 300, which A has opened at 300."""
    owned = owned or ((),) * players
    state = sale("open", "s300", players=players, options=options, cash=cash, owned=owned)
    return Court(Played(after(state, Opened(A, 300)) if opened else state), 5 * S, pace)


def marks(judged: Judged) -> list[tuple[int, int, Outcome, int]]:
    """Return seat, time (µs), outcome and number of each mark."""
    return [(mark.seat, mark.at, mark.outcome, mark.number) for mark in judged.marks]


def leads(found: Court) -> tuple[Seat, int, int]:
    """Return the leader, the price and the count."""
    step = head(found.state)
    return step.leader, step.price, step.count  # type: ignore[attr-defined]


# --- raises and counts ----------------------------------------------------------------------------


def test_three_presses_of_the_leader_sell_the_lot() -> None:
    """Three presses of the leader, a second apart, sell the lot, and the verdict shows the whole count."""
    found = court().play(COUNTS)
    assert found.events == [Counted(A, 1), Counted(A, 2), Counted(A, 3)]
    assert found.state.table.cash == (4700, 5000, 5000, 5000)
    assert [judged.kind for judged in found.verdicts] == ["count", "count", "sold"]
    assert found.verdicts[-1] == Judged(
        "sold",
        "1 s300",
        (PressMark(A, -2_000_000, "counted", 1), PressMark(A, -1_000_000, "counted", 2), PressMark(A, 0, "counted", 3)),
    )
    assert found.told == []


def test_a_press_of_anybody_else_raises_by_the_step() -> None:
    """A press of another seat raises by one step and resets the count, and its next presses count."""
    found = court().play([COUNTS[0], hit(B, T1 + 400 * MS)], T2 - 1)
    assert found.events == [Counted(A, 1), Raised(B, 350)]
    assert found.shown(Raise) == [Raise(seat=B, amount=350)]
    assert found.shown(Stopped) == [Stopped()]
    found.play([hit(B, T2), hit(B, T2 + S), hit(B, T2 + 2 * S)])
    assert found.events[2:] == [Counted(B, 1), Counted(B, 2), Counted(B, 3)]
    assert found.state.table.cash == (5000, 4650, 5000, 5000)


def test_the_step_is_the_tables() -> None:
    """With a step of 100, B's press raises to 400."""
    assert court(open_step=100).play([hit(B, T1)]).events == [Raised(B, 400)]


def test_a_count_too_soon_does_not_count() -> None:
    """A count 999 ms after the last is refused and shown, and after exactly a second it is valid."""
    found = court().play([hit(A, T1), hit(A, T1 + 999 * MS), hit(A, T2)])
    assert found.events == [Counted(A, 1), Counted(A, 2)]
    assert why(found, A) == ("R-00", "too_soon", None)
    assert marks(found.verdicts[1]) == [(A, 999_000, "too_soon", 0)]
    assert found.shown(Refused) == [Refused(seat=A)]
    assert found.shown(Count) == [Count(number=1, seat=A), Count(number=2, seat=A)]


def test_a_leaders_count_is_shown_at_once_and_counts_after_the_grace() -> None:
    """A leader's count is shown on delivery and becomes an event 150 ms after the contact."""
    found = court()
    found.deliver(T1 + 3 * MS, hit(A, T1).what)
    assert found.cues[-1] == (T1 + 3 * MS, Count(number=1, seat=A))
    found.wait(T1 + 150 * MS - 1)
    assert found.events == []
    found.wait(T1 + 150 * MS)
    assert found.events == [Counted(A, 1)]


def test_every_count_is_shown_once() -> None:
    """A count that cannot be shown on delivery, because another press waits, is shown when it becomes valid."""
    found = court(cash=(5000, 0, 5000, 5000))
    found.play([hit(B, T1 - 50 * MS), hit(A, T1), Arrival(T2, Counted(A, 2)), hit(B, T3 - MS), hit(A, T3)])
    assert [(now, cue) for now, cue in found.cues if isinstance(cue, Count)] == [
        (at + 150 * MS, Count(number=n, seat=A)) for n, at in ((1, T1), (2, T2), (3, T3))
    ]


# --- the third count ------------------------------------------------------------------------------


def test_a_press_before_three_wins_though_it_comes_late() -> None:
    """A press 1 ms before the third count wins, even if it is delivered 100 ms later."""
    found = court().play([*COUNTS, hit(B, T3 - MS, 101 * MS)])
    assert found.events == [Counted(A, 1), Counted(A, 2), Raised(B, 350)]
    assert leads(found) == (B, 350, 0)
    assert found.verdicts[2] == Judged("raise", "1 s300", (PressMark(B, 0, "leads", 350, late=101_000),))
    assert why(found, A) == ("R-00", "outbid", None)
    assert marks(found.verdicts[3]) == [(A, 1000, "outbid", 0)]


def test_a_press_at_the_very_instant_of_three_wins() -> None:
    """A press with the same time stamp as the third count wins, in either order of delivery."""
    for late in ((0, 50), (50, 0)):
        found = court().play([*COUNTS[:2], hit(A, T3, late[0] * MS), hit(B, T3, late[1] * MS)])
        assert found.events == [Counted(A, 1), Counted(A, 2), Raised(B, 350)]


@pytest.mark.parametrize(("after_three", "ms", "shown"), [(MS, 1, 1000), (1, 1, 1), (12_400_000, 13, 12_400)])
def test_a_press_after_three_loses_though_it_comes_first(after_three: int, ms: int, shown: int) -> None:
    """A press after the third count loses, even if it is delivered first, and its seat is told the margin."""
    found = court().play([*COUNTS[:2], hit(A, T3, 90 * MS), hit(B, T3 + after_three)])
    assert found.events[-1] == Counted(A, 3)
    assert why(found, B) == ("R-00", "too_late", None)
    assert found.told[-1][1].fields == {"ms": ms}
    assert found.verdicts[-1].kind == "missed"
    assert marks(found.verdicts[-1]) == [(B, shown, "too_late", 0)]


def test_every_press_after_three_is_told_for_three_seconds() -> None:
    """For three seconds after the sale late presses are answered, except the buyer's own."""
    found = court().play([*COUNTS, hit(A, T3 + 200 * MS), hit(B, T3 + 3 * S), hit(C, T3 + 3 * S + 1)])
    assert [(seat, refusal.key) for seat, refusal in found.told] == [(B, "too_late")]


def test_a_press_delivered_after_the_grace_is_told_so() -> None:
    """A press before the third count that is delivered after the grace loses, and its seat is told why."""
    found = court().play([*COUNTS, hit(B, T3 - 5 * MS, 300 * MS)])
    assert found.events[-1] == Counted(A, 3)
    assert why(found, B) == ("R-00", "undelivered", None)
    assert found.told[-1][1].fields == {"ms": 300}
    assert found.verdicts[-1].marks == (PressMark(B, -5000, "undelivered", late=300_000),)


def test_a_press_delivered_after_the_grace_still_counts_while_the_lot_is_open() -> None:
    """A press delivered after the grace still raises while the lot is open, as of the earliest possible moment."""
    found = court().play([hit(A, T1), hit(B, T1 + 100 * MS, 400 * MS)])
    assert found.events == [Counted(A, 1), Raised(B, 350)]
    assert found.verdicts[-1].marks[0].late == 400_000


def test_who_counts_while_a_late_raise_is_on_its_way_does_not_raise() -> None:
    """A leader who counts while a late raise is still on its way does not raise by that press."""
    found = court().play([hit(A, T1), hit(B, T1 - 500 * MS, 900 * MS), hit(A, T1 + 380 * MS)])
    assert found.events == [Counted(A, 1), Raised(B, 350)]
    assert why(found, A) == ("R-00", "outbid", None)


# --- the same moment and the same instant ---------------------------------------------------------


@pytest.mark.parametrize("late", [0, 80])
def test_two_raises_in_the_same_moment_are_one_amount(late: int) -> None:
    """Of two raises 5 ms apart the first contact leads, and the other seat is told and can press again."""
    found = court().play([hit(B, T1, late * MS), hit(C, T1 + 5 * MS)])
    assert found.events == [Raised(B, 350)]
    assert why(found, C) == ("R-00", "same_moment", None)
    assert found.told[-1][1].fields == {"seat": B}
    assert marks(found.verdicts[-1]) == [(C, 5000, "same_moment", 350)]
    found.play([hit(C, T1 + S)])
    assert found.events[-1] == Raised(C, 400)


def test_the_same_moment_ends() -> None:
    """A press up to 150 ms after B's contact means the same amount, and a later one raises again."""
    assert court().play([hit(B, T1), hit(C, T1 + 150 * MS)]).events == [Raised(B, 350)]
    assert court().play([hit(B, T1), hit(C, T1 + 150 * MS + 1)]).events == [Raised(B, 350), Raised(C, 400)]


def test_the_same_moment_is_measured_from_the_contact_that_leads() -> None:
    """The same moment is measured from the leading contact, and not from a losing one within it."""
    found = court().play([hit(B, T1), hit(C, T1 + 100 * MS), hit(D, T1 + 200 * MS)])
    assert found.events == [Raised(B, 350), Raised(D, 400)]


@pytest.mark.parametrize("late", [(0, 0, 90), (90, 50, 0)])
def test_equal_stamps_are_a_tie(late: tuple[int, int, int]) -> None:
    """Seats that press at the same nanosecond tie, and the beginner decides who leads."""
    found = court().play([hit(seat, T1, ms * MS) for seat, ms in zip((B, C, D), late, strict=True)])
    assert found.events == [RaisedTogether((B, C, D), 350)]
    assert found.verdicts[-1].kind == "raise"
    assert marks(found.verdicts[-1]) == [(seat, 0, "tied", 350) for seat in (B, C, D)]
    assert head(found.state).beginner == A  # type: ignore[attr-defined]
    assert found.play([hit(B, T1 + S)]).events == [RaisedTogether((B, C, D), 350)]


def test_who_cannot_raise_is_no_part_of_a_tie() -> None:
    """A seat without enough money takes no part in a tie."""
    found = court(cash=(5000, 5000, 300, 5000)).play([hit(seat, T1) for seat in (B, C, D)])
    assert found.events == [RaisedTogether((B, D), 350)]


def test_who_meant_to_count_is_no_part_of_a_tie() -> None:
    """A seat that was just outbid and meant to count takes no part in a tie."""
    for order in ((A, C), (C, A)):
        found = court().play([hit(B, T1), *[hit(seat, T1 + 200 * MS) for seat in order]])
        assert found.events == [Raised(B, 350), Raised(C, 400)]
        assert why(found, A) == ("R-00", "outbid", None)


# --- secrets --------------------------------------------------------------------------------------


def test_a_seat_without_cash_makes_no_moment() -> None:
    """A press that its seat cannot pay does not block the next seat, and only its seat gets the reason."""
    found = court(cash=(5000, 300, 5000, 5000)).play([hit(B, T1), hit(C, T1 + 5 * MS)])
    assert found.events == [Raised(C, 350)]
    assert why(found, B) == ("R-16", "bid_exceeds_cash", B)
    assert [seat for seat, _ in found.told] == [B]
    assert found.verdicts[0] == Judged("missed", "1 s300", (PressMark(B, 0, "not_accepted"),))
    assert found.shown(Refused) == [Refused(seat=B)]


def test_a_seat_with_three_locomotives_is_not_accepted() -> None:
    """A seat with three locomotives and a seat without money look alike to everybody else."""
    full = court(owned=((), THREE, (), ())).play([hit(B, T1)])
    poor = court(cash=(5000, 300, 5000, 5000)).play([hit(B, T1)])
    assert full.events == []
    assert why(full, B) == ("R-14", "already_has_three", None)
    assert full.verdicts == poor.verdicts
    assert full.cues == poor.cues


# --- holding --------------------------------------------------------------------------------------


def test_holding_upgrades_ones_own_raise_once() -> None:
    """Holding a raise increases it once, to the leap from the price before the press."""
    found = court().play([hit(B, T1), held(B, T1), held(B, T1, 900 * MS)])
    assert found.events == [Raised(B, 350), RaiseGrown(B, 500)]
    assert found.verdicts[-1] == Judged("raise", "1 s300", (PressMark(B, 0, "grown", 500),))
    assert found.shown(Raise)[-1] == Raise(seat=B, amount=500)


def test_holding_breaks_the_count_that_was_begun() -> None:
    """Holding a raise resets a count that its seat began on a page meanwhile."""
    found = court().play([hit(B, T1), hit(B, T1 + 600 * MS, source="screen"), held(B, T1)])
    assert found.events == [Raised(B, 350), Counted(B, 1), RaiseGrown(B, 500)]
    assert leads(found) == (B, 500, 0)


def test_holding_does_nothing_once_outbid() -> None:
    """Holding does nothing after another seat has raised, even at the same instant."""
    for moment in (500 * MS, 700 * MS):
        found = court().play([hit(B, T1), hit(C, T1 + moment), held(B, T1)])
        assert found.events == [Raised(B, 350), Raised(C, 400)]
        assert found.told == []


def test_holding_does_nothing_after_three() -> None:
    """Holding does nothing after the sale: the price is the counted one."""
    pressed = [hit(B, T1), *[hit(B, T1 + n * S, source="screen") for n in (1, 2, 3)], held(B, T1, 3500 * MS)]
    found = court().play(pressed)
    assert found.events[-1] == Counted(B, 3)
    assert found.state.table.cash == (5000, 4650, 5000, 5000)


def test_holding_a_press_that_counted_is_no_raise() -> None:
    """Holding a press that counted, or that lost in the same moment, does nothing."""
    found = court().play([hit(A, T1), held(A, T1)])
    assert found.events == [Counted(A, 1)]
    found = court().play([hit(B, T1), hit(C, T1 + 5 * MS), held(C, T1 + 5 * MS)])
    assert found.events == [Raised(B, 350)]


def test_a_hold_beyond_the_cash_keeps_the_raise() -> None:
    """If the leap exceeds the seat's cash, its raise stands, and only the seat gets the reason."""
    found = court(cash=(5000, 400, 5000, 5000)).play([hit(B, T1), held(B, T1)])
    assert found.events == [Raised(B, 350)]
    assert why(found, B) == ("R-16", "bid_exceeds_cash", B)
    assert marks(found.verdicts[-1]) == [(B, 0, "not_accepted", 0)]


def test_a_leap_no_bigger_than_the_step_is_none() -> None:
    """If the leap is not larger than the step, holding does nothing."""
    found = court(open_step=200, open_leap=200).play([hit(B, T1), held(B, T1)])
    assert found.events == [Raised(B, 500)]
    assert found.told == []


# --- two quick taps -------------------------------------------------------------------------------


@pytest.mark.parametrize("source", ["pin", "screen"])
@pytest.mark.parametrize("apart", [80 * MS, 300 * MS, 600 * MS - 1])
def test_the_second_of_two_quick_taps_is_no_count(source: Source, apart: int) -> None:
    """The second of two quick taps counts nothing, and only its seat is told, without an alarm."""
    found = court().play([hit(B, T1, source=source), hit(B, T1 + apart, source=source)])
    assert found.events == [Raised(B, 350)]
    assert leads(found) == (B, 350, 0)
    assert [seat for seat, _ in found.told] == [B]
    assert why(found, B) == ("R-00", "just_raised", None)
    assert found.verdicts[-1] == Judged(
        "missed", "1 s300", (PressMark(B, -(-apart // 1000), "too_soon", source=source),)
    )
    assert (found.shown(Count), found.shown(Refused), found.shown(Stopped)) == ([], [], [])


def test_a_press_600_ms_after_ones_own_raise_counts() -> None:
    """A press exactly 600 ms after the seat's own raise counts."""
    found = court().play([hit(B, T1), hit(B, T1 + 600 * MS)])
    assert found.events == [Raised(B, 350), Counted(B, 1)]
    assert found.shown(Count) == [Count(number=1, seat=B)]


def test_every_tap_is_measured_from_the_raise() -> None:
    """Each tap is measured from the raise: taps within 600 ms do nothing, and later ones count at the usual pace."""
    found = court().play([hit(B, T1 + n * 200 * MS) for n in range(9)])
    assert found.events == [Raised(B, 350), Counted(B, 1), Counted(B, 2)]
    assert [mark.outcome for judged in found.verdicts for mark in judged.marks] == [
        "leads",
        "too_soon",
        "too_soon",
        "counted",
        *["too_soon"] * 4,
        "counted",
    ]


@pytest.mark.parametrize("late", [(0, 140), (140, 0), (400, 0), (900, 0), (0, 900), (900, 700)])
def test_two_quick_taps_are_measured_by_contact(late: tuple[int, int]) -> None:
    """Two quick taps are recognised by their contacts, in any order of delivery."""
    found = court().play([hit(B, T1, late[0] * MS), hit(B, T1 + 200 * MS, late[1] * MS)])
    assert found.events == [Raised(B, 350)]
    assert why(found, B) == ("R-00", "just_raised", None)


def test_a_raise_that_is_refused_is_no_raise_of_ones_own() -> None:
    """After a refused raise the seat's second tap is judged like a first one."""
    found = court(cash=(5000, 300, 5000, 5000)).play([hit(B, T1), hit(B, T1 + 200 * MS)])
    assert [refusal.key for _, refusal in found.told] == ["bid_exceeds_cash"] * 2
    found = court().play([hit(C, T1), hit(B, T1 + 5 * MS), hit(B, T1 + 205 * MS)])
    assert found.events == [Raised(C, 350), Raised(B, 400)]


def test_what_others_press_is_judged_as_ever() -> None:
    """Presses of other seats are judged as usual between two quick taps."""
    found = court().play([hit(B, T1), hit(C, T1 + 200 * MS), hit(B, T1 + 201 * MS)])
    assert found.events == [Raised(B, 350), Raised(C, 400)]
    assert why(found, B) == ("R-00", "outbid", None)
    found = court(pace=Pace(open_grace_ms=0)).play([hit(B, T1), hit(C, T1 + 160 * MS), hit(B, T1 + 500 * MS)])
    assert found.events == [Raised(B, 350), Raised(C, 400), Raised(B, 450)]
    found.play([hit(B, T1 + 1099 * MS), hit(B, T1 + 1100 * MS)])
    assert found.events[3:] == [Counted(B, 1)]


def test_a_second_tap_leaves_holding_alone() -> None:
    """A second tap does not affect holding the first one."""
    found = court().play([hit(B, T1), hit(B, T1 + 300 * MS, source="screen"), held(B, T1), hit(B, T1 + 800 * MS)])
    assert found.events == [Raised(B, 350), RaiseGrown(B, 500), Counted(B, 1)]
    held_again = [hit(B, T1), hit(B, T1 + 200 * MS), held(B, T1 + 200 * MS)]
    assert court().play(held_again).events == [Raised(B, 350)]


def test_a_second_tap_does_not_make_the_companion_count() -> None:
    """If the companion counts, a second tap within 600 ms of the raise does not start its count."""
    found = court(counting="companion").play([hit(B, T1), hit(B, T1 + 300 * MS)], T1 + 5 * S)
    assert found.events == [Raised(B, 350)]
    assert found.shown(Count) == []
    found.play([hit(B, T1 + 5 * S)])
    assert found.events[1:] == [Counted(B, 1), Counted(B, 2), Counted(B, 3)]


def test_a_table_may_have_no_double_taps() -> None:
    """With `double_tap_ms` at 0 the second tap counts at once, as does a press after a typed raise."""
    assert court(pace=Pace(double_tap_ms=0)).play([hit(B, T1), hit(B, T1 + 80 * MS)]).events == [
        Raised(B, 350),
        Counted(B, 1),
    ]
    found = court().play([said(T1, Raised(B, 400)), hit(B, T1 + 80 * MS)])
    assert found.events == [Raised(B, 400), Counted(B, 1)]


def test_who_says_a_count_means_it() -> None:
    """A typed count is valid at once after a press."""
    found = court().play([hit(B, T1), said(T1 + 200 * MS, Counted(B, 1))])
    assert found.events == [Raised(B, 350), Counted(B, 1)]


# --- leaders who were just outbid -----------------------------------------------------------------


def test_a_leader_who_was_just_outbid_does_not_raise() -> None:
    """A leader who meant to count but was outbid 160 ms before does not raise, and is told by whom."""
    found = court().play([hit(A, T1), hit(B, T2 - 160 * MS), hit(A, T2)])
    assert found.events == [Counted(A, 1), Raised(B, 350)]
    assert why(found, A) == ("R-00", "outbid", None)
    assert found.told[-1][1].fields == {"seat": B}


def test_a_leader_outbid_for_a_while_raises() -> None:
    """250 ms after the raise could be shown, a press of the former leader raises again."""
    known = T1 + 150 * MS + REACTION
    assert court().play([hit(B, T1), hit(A, known)]).events == [Raised(B, 350)]
    assert court().play([hit(B, T1), hit(A, known + 1)]).events == [Raised(B, 350), Raised(A, 400)]


def test_a_long_grace_protects_the_leader_longer() -> None:
    """With a grace of one second the former leader is protected for longer."""
    found = court(pace=Pace(open_grace_ms=1000)).play([hit(B, T1), hit(A, T1 + 900 * MS)])
    assert found.events == [Raised(B, 350)]


def test_a_leader_outbid_twice_meant_to_count_all_the_same() -> None:
    """A leader who was outbid twice does not raise the last price."""
    found = court().play([hit(B, T1), hit(C, T1 + 200 * MS), hit(A, T1 + 380 * MS)])
    assert found.events == [Raised(B, 350), Raised(C, 400)]
    assert why(found, A) == ("R-00", "outbid", None)


# --- typed and spoken events ----------------------------------------------------------------------


def said(at: int, event: Any) -> Arrival:
    """Return the arrival of an event that is typed at a moment (ns)."""
    return Arrival(at, event)


def test_typed_amounts_take_their_turn_among_the_presses() -> None:
    """Typed amounts and presses are judged in the order of their times."""
    found = court().play([hit(B, T1, 90 * MS), said(T1 + 20 * MS, Raised(C, 600))])
    assert found.events == [Raised(B, 350), Raised(C, 600)]
    assert found.verdicts[-1].marks == (PressMark(C, 0, "leads", 600, "said"),)
    found = court().play([hit(B, T1, 90 * MS), said(T1 + 20 * MS, Raised(C, 350))])
    assert found.events == [Raised(B, 350)]
    assert why(found, C) == ("R-00", "same_moment", None)
    found = court().play([hit(B, T1), said(T1 + 200 * MS, Raised(C, 350))])
    assert why(found, C) == ("R-47", "must_raise", None)


def test_a_press_beside_a_typed_amount_raises_nothing_unseen() -> None:
    """A press 10 ms after a typed raise of 900 does not raise to 950."""
    found = court().play([said(T1, Raised(C, 900)), hit(B, T1 + 10 * MS)])
    assert found.events == [Raised(C, 900)]
    assert why(found, B) == ("R-00", "outbid", None)
    assert found.play([hit(B, T1 + S)]).events[-1] == Raised(B, 950)


def test_a_typed_amount_does_not_grow() -> None:
    """Holding a button does not increase a typed raise."""
    found = court().play([said(T1, Raised(C, 400)), held(C, T1)])
    assert found.events == [Raised(C, 400)]


def test_the_leader_may_count_aloud() -> None:
    """Typed counts must be in order and as slow as pressed ones."""
    found = court().play([said(T1, Counted(A, 1)), said(T1 + 500 * MS, Counted(A, 2)), said(T2, Counted(A, 2))])
    assert found.events == [Counted(A, 1), Counted(A, 2)]
    assert why(found, A) == ("R-00", "too_soon", None)
    found.play([said(T3, Counted(A, 1))])
    assert why(found, A) == ("R-48", "count_out_of_order", None)
    found.play([said(T3 + S, Counted(B, 3))])
    assert why(found, B) == ("R-48", "not_leader", None)


def test_what_is_typed_after_three_is_too_late() -> None:
    """A raise typed during the grace after the third count is too late."""
    found = court().play([*COUNTS, said(T3 + 20 * MS, Raised(B, 400))])
    assert found.events[-1] == Counted(A, 3)
    assert why(found, B) == ("R-00", "too_late", None)


def test_what_the_buyer_types_after_three_is_answered() -> None:
    """A fourth count typed by the buyer is answered with `lot_closed`."""
    found = court().play([*COUNTS, said(T3 + 20 * MS, Counted(A, 4))])
    assert why(found, A) == ("R-00", "lot_closed", None)


# --- counting by the companion --------------------------------------------------------------------


def test_the_companion_counts_on_when_the_leader_has_begun() -> None:
    """After the leader's first count the companion announces two and three a second apart, and the lot is sold."""
    found = court(counting="companion").play([hit(A, T1)])
    assert found.events == [Counted(A, 1), Counted(A, 2), Counted(A, 3)]
    counts = [(now, cue) for now, cue in found.cues if isinstance(cue, Count)]
    assert counts[0] == (T1, Count(number=1, seat=A))
    assert [cue for _, cue in counts[1:]] == [Count(T2, 2), Count(T3, 3)]
    assert {now for now, _ in counts[1:]} == {T1 + 150 * MS}
    assert [(mark.seat, mark.source) for mark in found.verdicts[-1].marks] == [
        (A, "pin"),
        (OWN, "companion"),
        (OWN, "companion"),
    ]


@pytest.mark.parametrize("before", [0, 1, 5 * MS, 900 * MS])
def test_a_raise_stops_the_companions_count(before: int) -> None:
    """A raise at or before the announced third count stops the companion's count."""
    found = court(counting="companion").play([hit(A, T1), hit(B, T3 - before, 100 * MS)])
    assert found.events == [Counted(A, 1), Counted(A, 2), Raised(B, 350)]
    assert found.shown(Stopped) == [Stopped()]
    assert leads(found) == (B, 350, 0)


def test_a_raise_after_the_companions_three_is_too_late() -> None:
    """A raise one nanosecond after the announced third count is too late."""
    found = court(counting="companion").play([hit(A, T1), hit(B, T3 + 1)])
    assert found.events[-1] == Counted(A, 3)
    assert why(found, B) == ("R-00", "too_late", None)


def test_nobody_counts_beside_the_companion() -> None:
    """While the companion counts, the leader's presses are refused, and the count goes on."""
    found = court(counting="companion").play([hit(A, T1), hit(A, T2)])
    assert why(found, A) == ("R-00", "counting", None)
    assert found.events == [Counted(A, 1), Counted(A, 2), Counted(A, 3)]


# --- broken counts --------------------------------------------------------------------------------


@pytest.mark.parametrize("counting", ["leader", "companion"])
def test_a_broken_count_begins_again(counting: str) -> None:
    """A pause keeps price and leader, cancels announced counts, and counting restarts at one."""
    found = court(counting=counting).play(COUNTS[:2] if counting == "leader" else COUNTS[:1], T2 + 200 * MS)
    assert leads(found) == (A, 300, 2)
    found.clear(CountBroken("pause"))
    assert found.shown(Stopped) == [Stopped()]
    found.wait(T3 + S)
    assert leads(found) == (A, 300, 0)
    found.play([hit(A, T3 + 2 * S)], T3 + 3 * S - 1)
    assert leads(found) == (A, 300, 1)


def test_what_waited_to_be_judged_is_forgotten() -> None:
    """A pause cancels presses that wait for judgement, and their seats are told."""
    found = court().play([*COUNTS, said(T3 + 10 * MS, Raised(B, 400)), hit(C, T3 + 15 * MS)], T3 + 20 * MS)
    found.clear(CountBroken("pause"))
    assert why(found, B) == ("R-00", "recalled", None)
    assert why(found, C) == ("R-00", "recalled", None)
    found.wait(T3 + S)
    assert leads(found) == (A, 300, 0)
    assert found.state.table.cash == (5000,) * 4


def test_a_break_from_elsewhere_stops_the_count() -> None:
    """A count broken by the host also cancels the companion's announced counts."""
    found = court(counting="companion").play([hit(A, T1)], T1 + 500 * MS)
    found.lot.happen(CountBroken("host"))
    assert found.referee.watch(found.lot.timing(), found.now) == (Stopped(),)
    assert found.wait(T3 + S).events == [Counted(A, 1)]


def test_a_count_found_halfway_takes_its_time() -> None:
    """After an amendment in the middle of a count the next count is valid only a second later."""
    state = after(sale("open", "s300", players=4), Opened(A, 300), Counted(A, 1), Counted(A, 2))
    found = Court(Played(state), T1).play([hit(A, T1 + 500 * MS), hit(A, T2)])
    assert why(found, A) == ("R-00", "too_soon", None)
    assert found.events == [Counted(A, 3)]


# --- bad input ------------------------------------------------------------------------------------


def test_a_press_delivered_twice_counts_once() -> None:
    """A press that is delivered twice counts once, for raises and counts."""
    twice = [hit(B, T1), hit(B, T1, 10 * MS), hit(B, T1, 400 * MS), hit(B, T2), hit(B, T2, 300 * MS)]
    assert court().play(twice).events == [Raised(B, 350), Counted(B, 1)]


def test_presses_before_the_lot_was_open_do_nothing() -> None:
    """Contacts from before the lot was opened do nothing, even if they are delivered later."""
    found = court(opened=False).play([hit(B, 6 * S)], 7 * S)
    assert found.events == []
    found.lot.happen(Opened(A, 300))
    found.referee.watch(found.lot.timing(), found.now)
    found.play([hit(B, 7 * S - 1, 200 * MS), hit(C, 7 * S, 200 * MS)])
    assert found.events == [Raised(C, 350)]


def test_nobody_presses_in_the_future() -> None:
    """A press with a time stamp in the future counts as of its delivery."""
    found = court().play([*COUNTS, Arrival(T3 - 10 * MS, hit(B, T3 + S).what)])
    assert found.events == [Counted(A, 1), Counted(A, 2), Raised(B, 350)]


def test_letting_go_means_nothing() -> None:
    """Releasing a button is not a press."""
    assert court().play([hit(B, T1, contact="opened", since=T1 - 90 * MS)]).rulings == []


def test_the_lot_after_remembers_nothing() -> None:
    """A new lot does not remember contacts, counts and leaders of the last one."""
    found = court().play([*COUNTS[:2], hit(A, T3)])
    assert found.referee.watch(None, found.now) == ()
    state = after(sale("open", "s400", players=4, beginner=B), Opened(B, 400))
    found.lot = Played(state)
    found.referee.watch(found.lot.timing(), found.now)
    begun = found.now
    found.play([hit(A, begun + MS), hit(C, begun + 3 * MS)], begun + 5 * S)
    assert found.events[3:] == [Raised(A, 450)]
