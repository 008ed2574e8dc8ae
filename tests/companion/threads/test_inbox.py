"""An inbox passes objects between threads in order, and waits no longer than its timeout."""

from __future__ import annotations

import signal
import threading
import time
from queue import Empty

import pytest

from companion.threads.inbox import Inbox


def test_all_that_is_put_in_comes_out_in_each_ones_order() -> None:
    """Objects from several threads all arrive, each thread's in its own order."""
    inbox: Inbox[tuple[int, int]] = Inbox()
    givers = [
        threading.Thread(target=lambda who=who: [inbox.put((who, n)) for n in range(2000)])  # type: ignore[misc]
        for who in range(4)
    ]
    for giver in givers:
        giver.start()
    found = [inbox.get(timeout=30) for _ in range(8000)]
    assert all([n for giver, n in found if giver == who] == list(range(2000)) for who in range(4))
    assert not len(inbox)
    for giver in givers:
        giver.join()


def test_who_waits_is_woken_at_once() -> None:
    """A waiting thread wakes as soon as an object arrives."""
    inbox: Inbox[str] = Inbox()
    inbox.put("first")
    assert inbox.get() == "first"  # the inbox has not consumed its wake-up yet
    threading.Timer(0.05, lambda: inbox.put("second")).start()
    began = time.monotonic()
    assert inbox.get(timeout=60) == "second"
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("timeout", [0.0, -1.0, 1e-6, 0.02])
def test_nothing_comes(timeout: float) -> None:
    """If nothing arrives, the wait raises `Empty` after the timeout and not before."""
    inbox: Inbox[str] = Inbox()
    began = time.monotonic()
    with pytest.raises(Empty):
        inbox.get(timeout)
    assert time.monotonic() - began >= timeout


def test_the_shortest_waits_end() -> None:
    """Very short waits on new inboxes end, although `queue.SimpleQueue` of Python 3.11 hangs after some thousands."""
    waited = []

    def wait() -> None:
        for _ in range(20_000):
            with pytest.raises(Empty):
                Inbox[None]().get(timeout=1e-6)
        waited.append(True)

    waiter = threading.Thread(target=wait, daemon=True)
    waiter.start()
    waiter.join(120)
    assert waited


def test_a_signals_handler_hands_over_while_its_thread_waits() -> None:
    """A signal handler can put an object into the inbox on which its own thread waits."""
    inbox: Inbox[int] = Inbox()
    before = signal.signal(signal.SIGALRM, lambda *_: inbox.put(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        assert inbox.get(timeout=60) == 1
    finally:
        signal.signal(signal.SIGALRM, before)
