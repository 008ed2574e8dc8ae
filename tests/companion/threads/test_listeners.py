"""Listeners are called in order, even if others are added or fail meanwhile."""

from __future__ import annotations

import pytest

from companion.threads.listeners import Listeners
from companion.threads.worker import WorkerClosed


def test_one_that_joins_while_they_are_called_hears_the_next_word() -> None:
    """A listener added during a call hears only later messages, and the others hear every message once."""
    listeners: Listeners[str] = Listeners("failed")
    heard: list[tuple[str, str]] = []

    def late(word: str) -> None:
        heard.append(("late", word))

    def first(word: str) -> None:
        heard.append(("first", word))
        if word == "one":
            listeners.add(late)

    listeners.add(first)
    listeners.add(lambda word: heard.append(("second", word)))
    listeners.tell("one")
    listeners.tell("two")
    assert heard == [("first", "one"), ("second", "one"), ("first", "two"), ("second", "two"), ("late", "two")]


@pytest.mark.parametrize(("error", "logged"), [(RuntimeError("page"), 1), (WorkerClosed("The table is closed."), 0)])
def test_one_that_fails_keeps_no_other_from_hearing(
    caplog: pytest.LogCaptureFixture, error: Exception, logged: int
) -> None:
    """An exception in a listener is logged, unless the table is closed, and other listeners are called."""
    listeners: Listeners[str] = Listeners("a page could not be shown")
    heard: list[str] = []

    def broken(word: str) -> None:
        raise error

    listeners.add(broken)
    listeners.add(heard.append)
    listeners.tell("one")
    assert heard == ["one"]
    assert caplog.text.count("a page could not be shown") == logged
