"""Sealed bids that open together: readiness, countdown and signal (R-30 to R-35)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Refusal
from companion.games.take_a_train.events import Committed, RevealSignalled
from companion.messages import Count, Ready, Refused, Reveal, Stopped
from companion.referee.pace import USUAL, Pace
from companion.referee.reveal import AHEAD, FREEZE
from companion.referee.verdict import Judged, PressMark
from tests.games.take_a_train.build import GAME, A, B, C, after, sale
from tests.support.presses import MS, Court, Played, S, hit, why

SIGNAL = {"reveal": "signal"}
HAND = {"bid_channel": "hand"}
BEGAN = 5 * S
READY = (hit(A, 10 * S), hit(B, 11 * S), hit(C, 12 * S))
STARTS = 12 * S + AHEAD
"""The moment (ns) at which the countdown begins, after C as the last seat is ready."""
OPENS = STARTS + 3 * S


def court(*amounts: int, kind: str = "blind", owned: Any = (), pace: Pace = USUAL, **options: Any) -> Court:
    """Return a court at 5 s with a lot of sealed bids of the given amounts."""
    state = sale(kind, "s300", options=options or SIGNAL, owned=owned)
    return Court(Played(after(state, *map(Committed, (A, B, C), amounts))), BEGAN, pace)


def closed() -> Court:
    """Return a court with a Blind lot and three closed fists: A 300, B 750, C 800."""
    return court(300, 750, 800)


def test_all_ready_and_the_fists_open_at_the_signal() -> None:
    """When the last seat is ready, the countdown runs for three seconds and the fists open with the signal."""
    found = closed().play(READY, OPENS - 1)
    assert found.events == []
    assert found.shown(Ready)[-1] == Ready(seats=(A, B, C))
    assert [(now, cue) for now, cue in found.cues if isinstance(cue, Count | Reveal)] == [
        (12 * S, Count(STARTS, 3, to="reveal")),
        (12 * S, Count(STARTS + S, 2, to="reveal")),
        (12 * S, Count(STARTS + 2 * S, 1, to="reveal")),
        (12 * S, Reveal(OPENS)),
    ]
    assert found.wait(OPENS).events == [RevealSignalled()]
    assert found.state.table.cash == (5000, 5000, 4200)


def test_the_verdict_says_who_was_ready_when() -> None:
    """The verdict lists when each seat was ready, relative to the signal, without amounts."""
    found = closed().play([hit(C, 10 * S), hit(A, 11 * S), hit(B, 12 * S, 20 * MS)])
    after_c, after_a, after_b = 5_320_000, 4_320_000, 3_320_000
    assert found.verdicts == [
        Judged(
            "reveal",
            "1 s300 only",
            (
                PressMark(C, -after_c, "ready"),
                PressMark(A, -after_a, "ready"),
                PressMark(B, -after_b, "ready", late=20_000),
            ),
        )
    ]


def test_who_is_ready_is_shown_from_the_beginning() -> None:
    """The seats that are ready and those still awaited are shown from the beginning."""
    found = closed().play(READY[:2], 11 * S)
    assert found.shown(Ready) == [
        Ready(waiting=(A, B, C)),
        Ready(seats=(A,), waiting=(B, C)),
        Ready(seats=(A, B), waiting=(C,)),
    ]


def test_a_second_press_takes_readiness_back() -> None:
    """A second press withdraws readiness, and nothing opens until the seat presses again."""
    found = closed().play([hit(A, 9 * S), hit(B, 9 * S), hit(B, 10 * S), hit(C, 11 * S)], 20 * S)
    assert found.events == []
    assert found.shown(Ready)[-1] == Ready(seats=(A, C), waiting=(B,))
    found.play([hit(B, 20 * S)], 30 * S)
    assert found.events == [RevealSignalled()]


@pytest.mark.parametrize("late", [(0, 0), (30, 0), (900, 0)])
@pytest.mark.parametrize(("apart", "ready"), [(200 * MS, True), (600 * MS - 1, True), (600 * MS, False)])
def test_two_quick_taps_say_ready_once(apart: int, ready: bool, late: tuple[int, int]) -> None:
    """Two taps within 600 ms count as one press for readiness, and the seat is told so."""
    found = closed().play([hit(B, 9 * S, late[0] * MS), hit(B, 9 * S + apart, late[1] * MS)])
    assert found.shown(Ready)[-1].seats == ((B,) if ready else ())
    assert found.verdicts == []
    assert found.shown(Refused) == []
    if ready:
        assert why(found, B) == ("R-00", "pressed_twice", None)


def test_two_quick_taps_take_readiness_back_once() -> None:
    """Two quick taps withdraw readiness once."""
    found = closed().play([hit(B, 9 * S), hit(B, 10 * S), hit(B, 10 * S + 200 * MS), hit(A, 10 * S + 300 * MS)])
    assert found.shown(Ready)[-1] == Ready(seats=(A,), waiting=(B, C))
    assert found.play([hit(B, 11 * S)]).shown(Ready)[-1] == Ready(seats=(A, B), waiting=(C,))


def test_where_there_are_no_double_taps_every_press_counts() -> None:
    """With `double_tap_ms` at 0 a second tap withdraws readiness at once."""
    found = court(300, 750, 800, reveal="signal", pace=Pace(double_tap_ms=0)).play(
        [hit(B, 9 * S), hit(B, 9 * S + 80 * MS)]
    )
    assert found.shown(Ready)[-1].seats == ()


@pytest.mark.parametrize("before", [FREEZE, 2 * S])
def test_the_countdown_can_be_stopped(before: int) -> None:
    """A press half a second or more before the signal stops the countdown."""
    found = closed().play([*READY, hit(B, OPENS - before)], OPENS + 10 * S)
    assert found.shown(Stopped) == [Stopped()]
    assert found.events == []
    assert found.shown(Ready)[-1] == Ready(seats=(A, C), waiting=(B,))


@pytest.mark.parametrize("before", [FREEZE - 1, 1])
def test_in_the_last_half_second_nothing_stops_it(before: int) -> None:
    """A press within the last half second is refused, and the fists open."""
    found = closed().play([*READY, hit(B, OPENS - before)])
    assert why(found, B) == ("R-00", "opening", None)
    assert found.shown(Refused) == [Refused(seat=B)]
    assert found.shown(Stopped) == []
    assert found.events == [RevealSignalled()]


def test_a_press_to_stop_that_is_delivered_after_the_signal_does_nothing() -> None:
    """A press before the signal that is delivered after it does nothing."""
    found = closed().play([*READY, hit(B, OPENS - S, S + 50 * MS)])
    assert found.events == [RevealSignalled()]
    assert found.told == []


def test_an_empty_hand_is_not_ready() -> None:
    """A seat with an empty hand cannot be ready, and a press is refused until it has an amount."""
    found = court(300, 750).play(READY, 13 * S)
    assert why(found, C) == ("R-00", "fist_first", None)
    assert found.shown(Ready)[-1] == Ready(seats=(A, B), waiting=(C,))
    assert found.verdicts == [Judged("missed", "1 s300 only", (PressMark(C, 0, "not_accepted"),))]
    found.lot.happen(Committed(C, 800))
    assert found.referee.watch(found.lot.timing(), found.now) == ()
    found.play([hit(C, 14 * S)], 20 * S)
    assert found.events == [RevealSignalled()]


def test_a_seat_that_takes_no_part_is_not_waited_for() -> None:
    """A seat that takes no part is not awaited, and its press is refused."""
    state = sale("blind", "s300", options=SIGNAL, owned=((), ("s100", "s100", "s100"), ()))
    found = Court(Played(after(state, Committed(A, 300), Committed(C, 800))), BEGAN)
    found.play([hit(B, 9 * S)], 9 * S)
    assert why(found, B) == ("R-00", "not_taking_part", None)
    found.play([READY[0], READY[2]])
    assert found.events == [RevealSignalled()]


def test_a_changed_mind_about_the_amount_keeps_readiness() -> None:
    """A seat that changes its amount stays ready, and the countdown goes on."""
    found = closed().play(READY, 13 * S)
    found.lot.happen(Committed(C, 700))
    assert found.referee.watch(found.lot.timing(), found.now) == ()
    found.wait(OPENS)
    assert found.state.table.cash == (5000, 4250, 5000)


def test_holding_and_letting_go_say_nothing() -> None:
    """Holding or releasing a button, or typing an amount, does not change readiness."""
    found = closed().play(READY, 13 * S)
    for contact in ("held", "opened"):
        found.play([hit(A, 13 * S, contact=contact, since=10 * S)], 13 * S)  # type: ignore[arg-type]
    assert found.shown(Ready)[-1] == Ready(seats=(A, B, C))


def test_real_hands_open_at_the_signal_and_the_amounts_come_afterwards() -> None:
    """With real hands the signal opens them, and later presses do nothing until the amounts are counted."""
    found = court(**HAND).play([*READY, hit(B, OPENS + S)])
    assert found.events == [RevealSignalled()]
    assert [judged.kind for judged in found.verdicts] == ["reveal"]
    assert found.shown(Reveal) == [Reveal(OPENS)]
    assert GAME.view(found.state, None).moment == "open_fists"
    assert found.referee.ready() == ()


def test_double_blind_opens_twice() -> None:
    """In Double blind the seats get ready and open their fists twice, with separate verdicts."""
    found = court(300, 750, 0, kind="double_blind").play(READY)
    assert found.events == [RevealSignalled()]
    assert found.shown(Ready)[-1] == Ready(waiting=(A, B, C))
    for event in (Committed(A, 0), Committed(B, 0), Committed(C, 900)):
        found.lot.happen(event)
        found.referee.watch(found.lot.timing(), found.now)
    begun = found.now
    found.play([hit(seat, begun + S) for seat in (A, B, C)], begun + 10 * S)
    assert found.events == [RevealSignalled(), RevealSignalled()]
    assert [judged.lot for judged in found.verdicts] == ["1 s300 first", "1 s300 second"]
    assert found.state.table.cash == (5000, 5000, 4100)


def test_the_next_fists_begin_anew_though_they_look_alike() -> None:
    """When new fists follow directly on opened ones, no seat is ready yet."""
    found = closed().play(READY, OPENS - 1)
    again = found.state
    found.wait(OPENS)
    found.lot = Played(again)
    cues = found.referee.watch(found.lot.timing(), found.now)
    assert cues == (Ready(waiting=(A, B, C)),)
    begun = found.now
    found.play([hit(seat, begun + S) for seat in (A, B, C)], begun + 10 * S)
    assert found.events == [RevealSignalled(), RevealSignalled()]


def test_lost_buttons_stop_the_countdown() -> None:
    """If the buttons are lost, the countdown stops and every seat must get ready again."""
    found = closed().play(READY, 13 * S)
    found.clear()
    assert found.shown(Stopped) == [Stopped()]
    assert found.shown(Ready)[-1] == Ready(waiting=(A, B, C))
    found.wait(OPENS + S)
    assert found.events == []
    found.play([hit(A, 12 * S, 10 * S), *[hit(seat, 30 * S) for seat in (B, C)]], 40 * S)
    assert found.events == []
    found.play([hit(A, 40 * S)])
    assert found.events == [RevealSignalled()]


def test_no_cue_and_no_verdict_knows_an_amount() -> None:
    """Cues and verdicts do not depend on the amounts."""
    one, other = (court(*amounts).play(READY, OPENS - 1) for amounts in ((300, 750, 800), (1350, 0, 50)))
    assert (one.cues, one.verdicts, one.told) == (other.cues, other.verdicts, other.told)


def test_no_countdown_takes_no_time() -> None:
    """Without a countdown the signal comes as soon as all devices can receive it."""
    found = court(300, 750, 800, reveal="signal", pace=Pace(count_gap_ms=0)).play(READY, 12 * S + AHEAD)
    assert found.events == [RevealSignalled()]


def test_where_nothing_is_sealed_there_are_no_fists() -> None:
    """In a Pass auction presses do not mean readiness."""
    found = Court(Played(sale("pass", "s300")), BEGAN).play(READY)
    assert found.referee.ready() == ()
    assert (found.events, found.cues) == ([], [])


# --- hands seen by the camera ---------------------------------------------------------------------

OPEN_HAND = Refusal("R-00", "hand_open", {})


def test_a_seat_whose_hand_is_open_cannot_be_ready() -> None:
    """A seat with an open hand cannot be ready and is told why, until it closes the hand."""
    found = closed()
    assert found.referee.withhold({B: OPEN_HAND}, 6 * S) == ()
    found.play(READY, 13 * S)
    assert found.told == [(B, OPEN_HAND)]
    assert found.shown(Ready)[-1] == Ready(seats=(A, C), waiting=(B,))
    assert found.referee.withhold({}, 14 * S) == ()
    found.play([hit(B, 15 * S)], 30 * S)
    assert found.events == [RevealSignalled()]


def test_a_hand_that_opens_early_stops_the_countdown() -> None:
    """A hand that opens early stops the countdown, and its seat must press again."""
    found = closed().play(READY, STARTS + S)
    assert found.referee.withhold({B: OPEN_HAND}, STARTS + S) == (Ready(seats=(A, C), waiting=(B,)), Stopped())
    found.wait(OPENS + 5 * S)
    assert found.events == []
    found.referee.withhold({}, OPENS + 5 * S)
    found.play([hit(B, OPENS + 6 * S)], OPENS + 20 * S)
    assert found.events == [RevealSignalled()]


def test_a_hand_that_opens_with_the_signal_is_not_early() -> None:
    """A hand that opens within the last half second does not stop the signal."""
    found = closed().play(READY, OPENS - FREEZE + MS)
    assert found.referee.withhold({B: OPEN_HAND}, OPENS - FREEZE + MS) == ()
    assert found.wait(OPENS).events == [RevealSignalled()]


def test_an_open_hand_outlasts_the_lot() -> None:
    """An open hand blocks its seat from the beginning of the next lot as well."""
    found = closed()
    found.referee.withhold({B: OPEN_HAND}, 6 * S)
    found.referee.watch(None, 7 * S)
    found.referee.watch(found.lot.timing(), 8 * S)
    found.play([hit(B, 9 * S)], 10 * S)
    assert found.told == [(B, OPEN_HAND)]
