"""Bots at a live table act through the table, think at a human pace, and stop when told."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.engine import Seat, Setup
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.events import StarterNamed
from companion.match.actor import Actor
from companion.table.bot_seat import AT_ONCE, MAX_THOUGHT, MIN_THOUGHT, BotSeat
from companion.table.table import Table
from tests.support.paces import HURRIED

A, B, C = Seat(0), Seat(1), Seat(2)


class Sleeper:
    """A clock that records how long a bot slept, in seconds."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def __call__(self, seconds: float) -> None:
        """Record the time."""
        self.slept.append(seconds)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Yield a table with a match of three seats in which the first player is named."""
    with Table(tmp_path / "journal.db", pace=HURRIED) as found:
        found.start(Setup("take-a-train", 3))
        assert found.propose(StarterNamed(A), Actor.TABLE).accepted
        yield found


def bots(table: Table, sleeper: Sleeper | None = None) -> BotSeat:
    """Return a bot driver with its own clock and random source."""
    return BotSeat(table, sleeper or Sleeper(), random.Random(3).random)


def test_bots_play_a_whole_match_through_the_table(table: Table) -> None:
    """Three bots play a match to its end, and each record names its seat."""
    driver = bots(table)
    for seat in (A, B, C):
        driver.sit(seat)
    answers = 0
    while (answer := driver.turn()) is not None:
        assert answer.accepted, answer
        answers += 1
    shown = table.snapshot()
    assert shown.over
    assert answers > 100
    assert {entry.by for entry in shown.entries} == {Actor.TABLE, Actor.DEALER, *map(Actor.bot, range(3))}
    for entry in shown.entries:
        seat = getattr(entry.event, "seat", None)
        if entry.by.role == "bot" and seat is not None:
            assert entry.by == Actor.bot(seat)


def test_a_calm_bot_thinks_so_that_people_can_follow(table: Table) -> None:
    """A calm bot waits before each action, from the shortest thought to at most a second."""
    sleeper = Sleeper()
    driver = bots(table, sleeper)
    for seat in (A, B, C):
        driver.sit(seat)
    for _ in range(60):
        assert driver.turn() is not None
    assert len(sleeper.slept) == 60
    assert all(MIN_THOUGHT <= slept <= MAX_THOUGHT for slept in sleeper.slept)
    assert MAX_THOUGHT <= 1
    assert max(sleeper.slept) - min(sleeper.slept) > (MAX_THOUGHT - MIN_THOUGHT) / 2


def test_a_bot_that_plays_at_once_hardly_thinks(table: Table) -> None:
    """The pace `at_once` shortens the next thought."""
    sleeper = Sleeper()
    driver = bots(table, sleeper)
    driver.sit(A)
    driver.pace = "at_once"
    assert driver.turn() is not None
    assert sleeper.slept == [AT_ONCE]


def test_bots_asked_together_think_together(tmp_path: Path) -> None:
    """Bots that are asked at the same time act after one thought, and otherwise each action needs its own."""
    with Table(tmp_path / "blind.db", pace=HURRIED) as table:
        table.start(Setup("take-a-train", 3, deck="ours"))
        cards = ev.LocosRevealed(("steam-1", "steam-4", "diesel-1"))
        for event in (StarterNamed(A), ev.TokenDrawn("blind"), cards):
            assert table.propose(event, Actor.TABLE).accepted
        sleeper = Sleeper()
        driver = bots(table, sleeper)
        for seat in (A, B, C):
            driver.sit(seat)
        assert driver.turn() is not None and len(sleeper.slept) == 1
        assert [type(entry.event) for entry in table.snapshot().entries[3:]] == [ev.Nominated]
        assert driver.turn() is not None and len(sleeper.slept) == 2
        committed = [entry.by for entry in table.snapshot().entries if isinstance(entry.event, ev.Committed)]
        assert set(committed) == {Actor.bot(seat) for seat in (A, B, C)}


def test_a_bot_acts_for_its_own_seats_only(table: Table) -> None:
    """A driver acts only for its own seats, and no longer for a seat that it has left."""
    driver = bots(table)
    driver.sit(B)
    assert driver.turn() is None  # seat 1, the first player, draws the auction token
    driver.sit(A)
    answer = driver.turn()
    assert answer is not None and answer.accepted
    driver.leave(A)
    driver.leave(B)
    assert driver.turn() is None


def test_a_seat_given_back_during_a_thought_is_not_played(table: Table) -> None:
    """If a person takes the seat back while the bot thinks, the bot does not act."""
    driver = bots(table)
    driver.sleep = lambda seconds: driver.leave(A)
    driver.sit(A)
    before = table.snapshot().seq
    assert driver.turn() is None
    assert table.snapshot().seq == before


def test_bots_wait_while_the_host_has_paused(table: Table) -> None:
    """Bots do not act while the host has paused the game."""
    driver = bots(table)
    driver.sit(A)
    table.pause(Actor.HOST)
    assert driver.turn() is None
    table.unpause(Actor.HOST)
    assert driver.turn() is not None


def test_bots_do_not_follow_to_another_match(table: Table) -> None:
    """A new match starts without bots."""
    driver = bots(table)
    driver.sit(A)
    table.start(Setup("take-a-train", 3))
    assert table.propose(StarterNamed(A), Actor.TABLE).accepted
    assert driver.turn() is None
    assert driver.seats == frozenset()


def test_bots_play_in_a_thread_of_their_own_until_stopped(table: Table) -> None:
    """A started driver plays in its own thread to the end, and `stop` ends the thread."""
    driver = bots(table)
    for seat in (A, B, C):
        driver.sit(seat)
    driver.start()
    shown = table.snapshot()
    while not shown.over:
        newer = table.wait(shown.number, 20)
        assert newer.number > shown.number
        shown = newer
    driver.stop()
    assert driver.seats == frozenset()
    assert driver._thread is None


def sealed_lot(path: Path, now: list[int]) -> Table:
    """Return a table with a Blind lot that opens at a signal, in which all fists but the third are closed."""
    table = Table(path / "signal.db", clock=lambda: now[0], pace=HURRIED)
    table.start(Setup("take-a-train", 3, {"reveal": "signal"}, deck="ours"))
    begun = (StarterNamed(A), ev.TokenDrawn("blind"), ev.LocosRevealed(("steam-1", "steam-4", "diesel-1")))
    closed = (ev.Nominated(A, "steam-4"), ev.Committed(A, 300), ev.Committed(B, 200))
    for event in (*begun, *closed):
        assert table.propose(event, Actor.at_seat(getattr(event, "seat", 0))).accepted
    return table


def test_a_bot_says_that_it_is_ready(tmp_path: Path) -> None:
    """A bot with a closed fist says after a thought that it is ready, and repeats that only after a reset."""
    now = [10**12]
    with sealed_lot(tmp_path, now) as table:
        sleeper = Sleeper()
        driver = BotSeat(table, sleeper, random.Random(3).random, clock=lambda: now[0])
        driver.sit(B)
        assert driver.turn() is not None
        assert table.snapshot().ready == (B,)
        assert sleeper.slept[0] >= MIN_THOUGHT
        assert driver.turn() is None
        driver.sit(C)
        while driver.turn() is not None:
            assert len(sleeper.slept) < 5
        assert table.snapshot().ready == (B, C)
        now[0] += 10**9
        table.pause(Actor.HOST)
        table.unpause(Actor.HOST)
        assert table.snapshot().ready == ()
        assert driver.turn() is not None
        assert table.snapshot().ready == (B, C)


def test_a_bot_leaves_counting_to_the_companion(tmp_path: Path) -> None:
    """If the companion counts, a leading bot starts the count and says no further number."""
    pace = msgspec.structs.replace(HURRIED, count_gap_ms=10_000)
    with Table(tmp_path / "open.db", pace=pace) as table:
        table.start(Setup("take-a-train", 3, {"counting": "companion"}, deck="ours"))
        for event in (StarterNamed(A), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-4",)), ev.Opened(A, 4000)):
            assert table.propose(event, Actor.at_seat(getattr(event, "seat", 0))).accepted, event
        driver = bots(table)
        driver.sit(A)
        assert driver.turn() is not None
        counts = [entry.event for entry in table.snapshot().entries if isinstance(entry.event, ev.Counted)]
        assert counts == [ev.Counted(A, 1)]
        assert driver.turn() is None
