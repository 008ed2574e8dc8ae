"""Seats answer separately and at once: they confirm open hands and agree to corrections (R-32a, R-32b)."""

from __future__ import annotations

import pytest

from companion.games.take_a_train.events import (
    CorrectionAnswered,
    FistConfirmed,
    FistCorrected,
    FistCounted,
    FistsOpened,
    RevealSignalled,
)
from companion.messages import Refused, Stopped
from companion.referee.confirmations import GUARD
from companion.referee.verdict import Judged, PressMark
from tests.games.take_a_train.build import A, B, C, after, sale
from tests.support.presses import MS, Court, Played, S, held, hit, why

BEGAN = 5 * S


def court(*counts: int, silence_s: int = 0) -> Court:
    """Return a referee at 5 s for a lot with open hands, of which the given amounts were counted."""
    state = after(sale("blind", "s300", options={"bid_channel": "hand", "silence_s": silence_s}), RevealSignalled())
    return Court(Played(after(state, *map(FistCounted, (A, B, C), counts))), BEGAN)


def counted() -> Court:
    """Return a court with counted hands: A 300, B 750, C 800."""
    return court(300, 750, 800)


def test_a_press_confirms_what_was_counted() -> None:
    """All three seats confirm by a press, in any order, and the highest hand wins."""
    found = counted().play([hit(C, 8 * S), hit(A, 9 * S), hit(B, 10 * S)])
    assert found.events == [FistConfirmed(C, 800), FistConfirmed(A, 300), FistConfirmed(B, 750)]
    assert found.verdicts[0] == Judged("pass", "", (PressMark(C, 0, "decided"),))
    assert found.state.effects[0] == FistsOpened((300, 750, 800))


def test_seats_confirm_at_the_same_instant() -> None:
    """Seats can confirm at the same instant, because each has its own question."""
    found = counted().play([hit(A, 8 * S), hit(B, 8 * S), hit(C, 8 * S + 1)])
    assert found.events == [FistConfirmed(A, 300), FistConfirmed(B, 750), FistConfirmed(C, 800)]
    assert found.told == []


@pytest.mark.parametrize("after_count", [-MS, 0, GUARD - 1])
def test_a_press_as_the_count_comes_was_meant_for_what_was_before(after_count: int) -> None:
    """A press up to 300 ms after A's hand was counted confirms nothing, and A is told."""
    found = counted().play([hit(A, BEGAN + after_count, 10 * MS)])
    assert found.events == []
    assert why(found, A) == ("R-00", "not_open", None)
    assert found.shown(Refused) == [Refused(seat=A)]
    assert found.play([hit(A, BEGAN + GUARD)]).events == [FistConfirmed(A, 300)]


def test_each_hand_has_a_moment_of_its_own() -> None:
    """Each hand has its own guard time: when B is counted a second after A, only A's press confirms."""
    found = court(300)
    found.lot.happen(FistCounted(B, 750))
    found.referee.watch(found.lot.timing(), BEGAN + S)
    found.play([hit(A, BEGAN + S), hit(B, BEGAN + S)])
    assert found.events == [FistConfirmed(A, 300)]
    assert why(found, B) == ("R-00", "not_open", None)


def test_what_was_not_counted_no_press_confirms() -> None:
    """A press confirms nothing and is not answered if the hand is uncounted, already confirmed, or only held."""
    found = court(300, 750).play([hit(C, 8 * S), hit(A, 9 * S), hit(A, 10 * S), held(B, 11 * S)])
    assert found.events == [FistConfirmed(A, 300)]
    assert found.told == []


def test_a_press_delivered_twice_counts_once() -> None:
    """A press that is delivered twice confirms once, and does not answer a later correction."""
    found = counted().play([hit(B, 8 * S), hit(A, 9 * S)], 9 * S)
    found.lot.happen(FistCorrected(A, 350))
    found.referee.watch(found.lot.timing(), 9 * S)
    found.play([hit(B, 8 * S, 2 * S)])
    assert found.events == [FistConfirmed(B, 750), FistConfirmed(A, 300)]


def test_a_press_agrees_to_a_correction() -> None:
    """A press of another seat agrees to A's correction, and A's own press does nothing."""
    found = counted().play([hit(A, 8 * S), hit(B, 9 * S)], 9 * S)
    found.lot.happen(FistCorrected(A, 350))
    found.referee.watch(found.lot.timing(), 10 * S)
    found.play([hit(A, 11 * S), hit(B, 12 * S), hit(C, 13 * S), hit(C, 14 * S)])
    assert found.events[2:] == [CorrectionAnswered(B, True), CorrectionAnswered(C, True), FistConfirmed(C, 800)]
    assert found.state.effects[0] == FistsOpened((350, 750, 800))


def test_a_press_that_the_rules_refuse_is_told_to_its_seat_alone() -> None:
    """If the rules refuse a press, only its seat gets the reason, and others see that it was not accepted."""
    found = counted()
    said = found.lot.rule(FistConfirmed(A, 5050))
    assert said is not None
    found.lot.rule = lambda event: said  # type: ignore[method-assign]
    found.play([hit(A, 8 * S)])
    assert (found.events, found.told) == ([], [(A, said)])
    assert found.verdicts[0].marks[0].outcome == "not_accepted"


# --- silence --------------------------------------------------------------------------------------


def test_silence_is_no_consent() -> None:
    """By default silence never confirms a hand."""
    found = counted()
    assert found.referee.due() is None
    assert found.wait(3600 * S).events == []


def test_silence_consents_where_the_table_wants_it() -> None:
    """With `silence_s` at 20, a hand is confirmed 20 seconds after its count, and the verdict names the companion."""
    found = court(300, 750, silence_s=20).play([hit(B, 8 * S)], BEGAN + 20 * S - 1)
    assert found.events == [FistConfirmed(B, 750)]
    found.lot.happen(FistCounted(C, 800))
    found.referee.watch(found.lot.timing(), BEGAN + 10 * S)
    assert found.wait(BEGAN + 20 * S).events[1:] == [FistConfirmed(A, 300)]
    assert found.verdicts[-1] == Judged("pass", "", (PressMark(A, 0, "decided", source="companion"),))
    assert found.wait(BEGAN + 30 * S).events[2:] == [FistConfirmed(C, 800)]
    assert found.shown(Stopped) == []


def test_silence_agrees_to_no_correction() -> None:
    """While a correction is open, silence confirms nothing, and the time starts again after the answer."""
    found = court(300, 750, 800, silence_s=20).play([hit(A, 8 * S)], 9 * S)
    found.lot.happen(FistCorrected(A, 350))
    found.referee.watch(found.lot.timing(), 9 * S)
    assert found.wait(99 * S).events == [FistConfirmed(A, 300)]
    found.lot.happen(CorrectionAnswered(B, False))
    found.referee.watch(found.lot.timing(), 100 * S)
    assert found.wait(120 * S - 1).events == [FistConfirmed(A, 300)]
    assert found.wait(120 * S).events[1:] == [FistConfirmed(B, 750), FistConfirmed(C, 800)]


def test_silence_agrees_to_nothing_while_other_tokens_lie_there() -> None:
    """If a seat's tokens have moved since the count, only its press confirms, until they lie as counted."""
    found = court(300, 750, silence_s=20)
    found.referee.ignore_silence({A})
    assert found.wait(BEGAN + 30 * S).events == [FistConfirmed(B, 750)]
    found.referee.watch(found.lot.timing(), BEGAN + 30 * S)
    assert found.wait(BEGAN + 40 * S).events == [FistConfirmed(B, 750)]
    found.referee.ignore_silence(())
    found.referee.watch(found.lot.timing(), BEGAN + 40 * S)
    assert found.wait(BEGAN + 40 * S).events == [FistConfirmed(B, 750), FistConfirmed(A, 300)]


def test_moved_tokens_do_not_stop_a_press() -> None:
    """A press confirms a hand even if its tokens have moved."""
    found = court(300, silence_s=20)
    found.referee.ignore_silence({A})
    assert found.play([hit(A, 8 * S)]).events == [FistConfirmed(A, 300)]


def test_after_a_pause_silence_begins_anew() -> None:
    """After a pause the time for silence starts again."""
    found = court(300, silence_s=20)
    found.referee.clear(None, 20 * S)
    assert found.wait(60 * S).events == []
    found.clear()
    found.referee.watch(found.lot.timing(), 60 * S)
    assert found.wait(80 * S - 1).events == []
    assert found.wait(80 * S).events == [FistConfirmed(A, 300)]
