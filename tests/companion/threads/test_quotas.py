"""Limits on one sender's share: places that others need, and turns at a long computation."""

from __future__ import annotations

import threading

import pytest

from companion.threads.quotas import QuotaExceeded, Quotas, Rate, Turns, who_gives_way
from tests.support.brokers import until


def test_the_greediest_gives_its_first_place_up() -> None:
    """The sender with most places loses its oldest one to a newcomer, unless the newcomer would then have as many."""
    held = [(1, "ada"), (2, "ben"), (3, "ben"), (4, "cleo")]
    assert who_gives_way(held, "dev", 5) is None
    assert who_gives_way(held, "dev", 4) == 2
    assert who_gives_way(held, "dev", 4, margin=2) == 2
    assert who_gives_way(held, "ada", 4) == 2
    for sender, margin in (("ben", 1), ("ada", 2)):
        with pytest.raises(QuotaExceeded):
            who_gives_way(held, sender, 4, margin)
    with pytest.raises(QuotaExceeded):
        who_gives_way([], "ada", 0)


def test_what_was_given_back_is_there_again() -> None:
    """A returned unit can be taken again, and a quota never exceeds its size."""
    quotas = Quotas(Rate(2, 0), lambda: 0.0)
    assert [quotas.take("ada"), quotas.take("ada"), quotas.take("ada"), quotas.take("ben")] == [True, True, False, True]
    for _ in range(5):
        quotas.take("ada", -1)
    assert [quotas.take("ada") for _ in range(3)] == [True, True, False]


def test_turns_come_one_at_a_time_and_few_wait() -> None:
    """Turns come one at a time, with limits on waiting requests per sender and reserved places for trusted ones."""
    turns, inside, go = Turns(3, 2, kept=1), threading.Semaphore(0), threading.Event()

    def work(sender: str, trusted: bool = False) -> None:
        with turns.turn(sender, trusted):
            inside.release()
            go.wait(30)

    threads = [threading.Thread(target=work, args=(sender,)) for sender in ("ada", "ada", "ben")]
    for thread in threads:
        thread.start()
    assert inside.acquire(timeout=30)
    until(lambda: turns._waiting.total() == 3)
    assert not inside.acquire(blocking=False)
    for sender, trusted in (("ada", True), ("cleo", False)):
        with pytest.raises(QuotaExceeded), turns.turn(sender, trusted):
            pass
    threads.append(threading.Thread(target=work, args=("cleo", True)))
    threads[-1].start()
    until(lambda: turns._waiting.total() == 4)
    go.set()
    for thread in threads:
        thread.join()
    assert not turns._waiting
