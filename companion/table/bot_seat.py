"""Programs at a live table: they see only what their seats may know, and propose events like any other player."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, get_args

from companion.bots.bot import RandomPolicy, policy_of
from companion.engine import AnyGame, AnyState, Event, Luck, Raising, Seat, Unveiling
from companion.games import package_of, reason
from companion.match.actor import Actor
from companion.messages import Press
from companion.table.snapshot import Snapshot
from companion.table.table import Table

LOG = logging.getLogger(__name__)
Sleep = Callable[[float], None]
"""Waits for some seconds."""

Pace = Literal["calm", "at_once"]
"""How long bots think: long enough for people to follow, or hardly at all."""
PACES: tuple[Pace, ...] = get_args(Pace)
MIN_THOUGHT, MAX_THOUGHT = 0.5, 1.0
"""The range of a calm bot's thinking time in seconds. It is random, so it reveals nothing about cards or cash."""
AT_ONCE = 0.1
"""The thinking time of a bot at full speed, with which pages can keep up."""
NEWS = 1.0
"""Seconds for which a bot waits for a change before it checks whether to stop."""


class BotMove(NamedTuple):
    """A bot's decision: press the button, propose an event, or, with neither, draw (the auction token)."""

    seat: Seat
    event: Event | None = None
    presses: bool = False


class BotSeat:
    """Plays seats at a live table; people may take over at any moment. `clock` returns monotonic nanoseconds."""

    def __init__(
        self,
        table: Table,
        sleep: Sleep,
        luck: Luck | None = None,
        kind: str = "sensible",
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.table = table
        self.clock = clock
        self.sleep = sleep
        self.luck = luck or random.SystemRandom().random
        self.kind = kind
        self.pace: Pace = "calm"
        """Any thread may set it; it applies from the next thought on."""
        self._lock = threading.Lock()
        self._sat: tuple[str, frozenset[Seat]] = ("", frozenset())
        """A match and the bot's seats in it, always replaced together."""
        self._failed: set[str] = set()
        """The games whose own policy has failed."""
        self._leaving = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that the bot plays in the match on the table."""
        return self._seats_in(self.table.snapshot())

    def _seats_in(self, shown: Snapshot) -> frozenset[Seat]:
        """Return the bot's seats in a match; none if it joined another match."""
        match_id, seats = self._sat
        return seats if shown.match_id == match_id else frozenset()

    def sit(self, seat: Seat) -> None:
        """Take over a seat of the match on the table."""
        with self._lock:
            shown = self.table.snapshot()
            self._sat = (shown.match_id, self._seats_in(shown) | {seat})

    def leave(self, seat: Seat) -> None:
        """Give a seat back to a person; drop any decision in progress."""
        with self._lock:
            match_id, seats = self._sat
            self._sat = (match_id, seats - {seat})

    def turn(self) -> object | None:
        """Act once for every seat asked at the same time; return the last answer, or the decision for a press.

        Seats that decide together, as in a Blind bid, also think together. The thinking time is random and independent
        of the decision, which is made again afterwards from the current state.
        """
        seats = dict.fromkeys(move.seat for move in self.moves(self.table.snapshot()))
        if not seats:
            return None
        calm = self.pace == "calm"
        self.sleep(MIN_THOUGHT + (MAX_THOUGHT - MIN_THOUGHT) * self.luck() if calm else AT_ONCE)
        answer: object | None = None
        for seat in seats:
            shown = self.table.snapshot()
            move = next((move for move in self.moves(shown) if move.seat == seat), None)
            if move is None or self._leaving.is_set():
                continue
            answer = self._act(move, shown)
            if not leaves_others_asked(shown, self.table.snapshot(), seat):
                break
        return answer

    def _act(self, move: BotMove, shown: Snapshot) -> object:
        """Carry out a decision made from a snapshot; return the answer, or the decision for a press."""
        by = Actor.bot(move.seat)
        if move.presses:
            self.table.press(Press(move.seat, self.clock(), source="bot"))
            return move
        if move.event is None:
            return self.table.draw(by, shown.seq, shown.match_id)
        return self.table.propose(move.event, by, shown.seq, shown.match_id)

    def moves(self, shown: Snapshot) -> Iterator[BotMove]:
        """Yield the moves of the bot's seats, the most eager first; none means wait."""
        state, seats = shown.state, self._seats_in(shown)
        if state is None or state.over or shown.paused or shown.unsaved or not seats:
            return
        timing = state.agenda[0].timing(state.table) if state.agenda else None
        if isinstance(timing, Unveiling):
            for seat in timing.seats:
                if seat in seats and seat in timing.closed and seat not in shown.ready:
                    yield BotMove(seat, presses=True)
        for seat, event in self._wanted(shown.game, state, seats):
            if not _counts_on(timing, event):
                yield BotMove(seat, event)
        if shown.setup is not None and shown.setup.deck == "dealt":
            view = shown.game.view(state, None)
            for seat in view.awaited:
                if view.chance and seat in seats:
                    yield BotMove(seat, None)

    def _wanted(self, game: AnyGame, state: AnyState, seats: frozenset[Seat]) -> Iterator[tuple[Seat, Event]]:
        """Yield each seat's intended event; if the game's own policy fails, report it and play at random."""
        failed = game.name in self._failed
        policy = RandomPolicy(game, asks_own=False) if failed else policy_of(game, self.kind)
        try:
            for seat in [seat for seat in policy.asked(state) if seat in seats]:
                event = policy.choose(policy.look(state, seat), self.luck)
                if event is not None:
                    yield seat, event
        except Exception as error:  # the game's own code may raise anything
            if failed:
                raise
            self._failed.add(game.name)
            LOG.warning("The bot of %s fails: its seats play at random. %s", game.name, reason(error, package_of(game)))
            yield from self._wanted(game, state, seats)

    def run(self) -> None:
        """Play until stopped."""
        while not self._leaving.is_set():
            before = self.table.snapshot().number
            if self.turn() is None:
                self.table.wait(before, NEWS)

    def start(self) -> None:
        """Play in a thread."""
        if self._thread is None:
            self._leaving.clear()
            self._thread = threading.Thread(target=self.run, name="bots", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Leave all seats and end the thread."""
        self._leaving.set()
        with self._lock:
            self._sat = ("", frozenset())
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def leaves_others_asked(before: Snapshot, after: Snapshot, seat: Seat) -> bool:
    """Whether the table asks the same seats except one that has acted: the others then need not think anew."""
    if before.state is None or after.state is None or before.match_id != after.match_id:
        return False
    if after.state is before.state:  # a press, which takes effect only when all are ready
        return True
    was, now = before.game.view(before.state, None), after.game.view(after.state, None)
    return was.moment == now.moment and set(now.awaited) == set(was.awaited) - {seat}


def _counts_on(timing: object, event: Event) -> bool:
    """Whether an event is a count that the companion makes by itself after the leader has begun."""
    if not isinstance(timing, Raising) or timing.counting != "companion" or not timing.count:
        return False
    return type(event) is type(timing.counted(timing.leader, 1))
