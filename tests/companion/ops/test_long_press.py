"""Holding the host's button: announcement, release, and all cases that must not switch off."""

from __future__ import annotations

import pytest

from companion.messages import HOST, Contact, Press, Source
from companion.ops.long_press import LongPress, Stage
from tests.support.presses import MS, S

T = 100 * S
"""The moment (ns) at which the button closes."""


def closed(at: int = T, seat: int = HOST, source: Source = "pin") -> Press:
    """Return a press that closes the contact."""
    return Press(seat, at, "closed", source=source)


def opened(at: int, since: int = T, seat: int = HOST, source: Source = "pin") -> Press:
    """Return a press that opens the contact."""
    return Press(seat, at, "opened", since, source)


def held_for(span: int, since: int = 0) -> LongPress:
    """Return a long press after a time (ns), with all its ticks."""
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
    """Switching off is announced after 2 s and done on release after 6 s, and not after too long a hold."""
    found = held_for(span)
    assert found.stage == stage
    assert found.hear(opened(T + span), T + span) == then


def test_what_is_due_is_said() -> None:
    """`due` names three moments at which something changes, and then none."""
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
    """While the button is down nothing is done, for instance if something lies on it."""
    found = held_for(3600 * S)
    assert found.stage == "" and found.tick(T + 7200 * S) == ""


def test_a_button_that_is_declared_stuck_is_forgotten() -> None:
    """After a button is declared stuck, its release does nothing."""
    found = held_for(7 * S)
    assert found.stage == "release"
    assert found.forget() == ""
    assert found.hear(opened(T + 8 * S), T + 8 * S) == ""


def test_a_press_that_is_older_than_the_process_is_nobody_s() -> None:
    """A press from before the start of the process is ignored."""
    found = held_for(7 * S, since=T + 1)
    assert found.stage == "" and found.hear(opened(T + 7 * S), T + 7 * S) == ""


def test_what_was_not_announced_is_not_done() -> None:
    """A hold that nobody saw announced does nothing, for instance if its presses arrive late."""
    for closing, opening in ((T + 9 * S, T + 9 * S), (T + 5 * S, T + 7 * S)):
        found = LongPress(0)
        found.hear(closed(), closing)
        found.tick(opening)
        assert found.hear(opened(T + 7 * S), opening) == ""
    found = LongPress(0)
    found.hear(closed(), T)
    assert found.hear(opened(T + 7 * S), T + 7 * S) == ""


def test_an_opening_of_another_press_does_not_count() -> None:
    """A release that belongs to another press is ignored."""
    found = held_for(7 * S)
    assert found.hear(opened(T + 7 * S, since=T - 30 * S), T + 7 * S) == ""


def test_after_a_lost_opening_holding_begins_anew() -> None:
    """If a release is lost, the next press starts a new hold."""
    found = held_for(5 * S)
    found.hear(closed(T + 5 * S), T + 5 * S)
    assert found.tick(T + 6 * S) == "" and found.due(T + 6 * S) == T + 7 * S


def test_a_press_that_is_delivered_twice_is_one() -> None:
    """A press that is delivered twice keeps its moment."""
    found = held_for(7 * S)
    found.hear(closed(), T + 7 * S)
    assert found.stage == "release" and found.hear(opened(T + 7 * S), T + 7 * S) == "off"


@pytest.mark.parametrize(("seat", "source"), [(0, "pin"), (HOST, "screen"), (HOST, "bot")])
def test_only_the_host_s_own_button_counts(seat: int, source: Source) -> None:
    """Only the host's own wired or wireless button counts."""
    found = LongPress(0)
    found.hear(closed(seat=seat, source=source), T)
    assert found.due(T) is None and found.tick(T + 7 * S) == ""


def test_a_hold_s_own_news_changes_nothing() -> None:
    """The contact `held` does not affect a long press."""
    found = LongPress(0)
    found.hear(closed(), T)
    contact: Contact = "held"
    assert found.hear(Press(HOST, T + 700 * MS, contact, T), T + 700 * MS) == ""
    assert found.due(T + 700 * MS) == T + 2 * S


def test_a_press_in_the_future_is_nobody_s() -> None:
    """A press in the future is ignored."""
    found = LongPress(0)
    found.hear(closed(T + 100 * S), T)
    assert found.due(T) is None
