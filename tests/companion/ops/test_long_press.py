"""The host's button held for long: what is announced when, what lets go of it, and what never switches anything off."""

from __future__ import annotations

import pytest

from companion.messages import HOST, Contact, Press, Source
from companion.ops.long_press import LongPress, Stage
from tests.support.presses import MS, S

T = 100 * S
"""When the button closes."""


def closed(at: int = T, seat: int = HOST, source: Source = "pin") -> Press:
    """Return a closing."""
    return Press(seat, at, "closed", source=source)


def opened(at: int, since: int = T, seat: int = HOST, source: Source = "pin") -> Press:
    """Return an opening."""
    return Press(seat, at, "opened", since, source)


def held_for(span: int, since: int = 0) -> LongPress:
    """Return a button that has been held for so long, looked at whenever something was due."""
    found = LongPress(since)
    found.hear(closed(), T)
    now = T
    while (due := found.due(now)) is not None and due <= T + span:
        found.tick(due)
        now = due
    found.tick(T + span)
    return found


@pytest.mark.parametrize(
    ("span", "stage", "then"),
    [
        (50 * MS, "", ""),
        (700 * MS, "", ""),
        (1999 * MS, "", ""),
        (2 * S, "hold", ""),
        (5999 * MS, "hold", ""),
        (6 * S, "release", "off"),
        (14_999 * MS, "release", "off"),
        (15 * S, "", ""),
        (60 * S, "", ""),
    ],
)
def test_it_is_announced_from_two_seconds_on_and_done_by_letting_go_after_six(
    span: int, stage: Stage, then: Stage
) -> None:
    """Letting go before stops it; held for too long it is no finger."""
    found = held_for(span)
    assert found.stage == stage
    assert found.hear(opened(T + span), T + span) == then


def test_what_is_due_is_said() -> None:
    """Its follower wakes up three times, and then no more."""
    found = LongPress(0)
    assert found.due(T) is None
    found.hear(closed(), T)
    dues = []
    now = T
    while (due := found.due(now)) is not None:
        dues.append((due - T, found.tick(due)))
        now = due
    assert dues == [(2 * S, "hold"), (6 * S, "release"), (15 * S, "")]


def test_nothing_happens_while_the_button_is_down() -> None:
    """A button that is stuck, or that a cup stands on, never opens."""
    found = held_for(3600 * S)
    assert found.stage == "" and found.tick(T + 7200 * S) == ""


def test_a_button_that_is_declared_stuck_is_forgotten() -> None:
    """Its opening afterwards is nobody's, however long it was down."""
    found = held_for(7 * S)
    assert found.stage == "release"
    assert found.forget() == ""
    assert found.hear(opened(T + 8 * S), T + 8 * S) == ""


def test_a_press_that_is_older_than_the_process_is_nobody_s() -> None:
    """Who starts the companion with a finger on the button does not switch it off."""
    found = held_for(7 * S, since=T + 1)
    assert found.stage == "" and found.hear(opened(T + 7 * S), T + 7 * S) == ""


def test_what_was_not_announced_is_not_done() -> None:
    """Closing and opening that arrive together, late, were seen by nobody; nor was what a busy machine did not say."""
    for closing, opening in ((T + 9 * S, T + 9 * S), (T + 5 * S, T + 7 * S)):
        found = LongPress(0)
        found.hear(closed(), closing)
        found.tick(opening)
        assert found.hear(opened(T + 7 * S), opening) == ""
    found = LongPress(0)
    found.hear(closed(), T)
    assert found.hear(opened(T + 7 * S), T + 7 * S) == ""


def test_an_opening_of_another_press_does_not_count() -> None:
    """The opening says when its own contact closed."""
    found = held_for(7 * S)
    assert found.hear(opened(T + 7 * S, since=T - 30 * S), T + 7 * S) == ""


def test_after_a_lost_opening_holding_begins_anew() -> None:
    """A short press whose opening was lost on its way, and another one: nobody has held anything."""
    found = held_for(5 * S)
    found.hear(closed(T + 5 * S), T + 5 * S)
    assert found.tick(T + 6 * S) == "" and found.due(T + 6 * S) == T + 7 * S


def test_a_press_that_is_delivered_twice_is_one() -> None:
    """The moment of the closing is what counts."""
    found = held_for(7 * S)
    found.hear(closed(), T + 7 * S)
    assert found.stage == "release" and found.hear(opened(T + 7 * S), T + 7 * S) == "off"


@pytest.mark.parametrize(("seat", "source"), [(0, "pin"), (HOST, "screen"), (HOST, "bot")])
def test_only_the_host_s_own_button_counts(seat: int, source: Source) -> None:
    """Nobody else's, no page's and no program's."""
    found = LongPress(0)
    found.hear(closed(seat=seat, source=source), T)
    assert found.due(T) is None and found.tick(T + 7 * S) == ""


def test_a_hold_s_own_news_changes_nothing() -> None:
    """The contact `held` after 0.7 s is a game's business."""
    found = LongPress(0)
    found.hear(closed(), T)
    contact: Contact = "held"
    assert found.hear(Press(HOST, T + 700 * MS, contact, T), T + 700 * MS) == ""
    assert found.due(T + 700 * MS) == T + 2 * S


def test_a_press_in_the_future_is_nobody_s() -> None:
    """A clock that is wrong switches nothing off."""
    found = LongPress(0)
    found.hear(closed(T + 100 * S), T)
    assert found.due(T) is None
