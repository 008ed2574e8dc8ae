"""Seats filled by programs: what a bot must be, which there are, and how one sits down at a live table.

A bot sees what its seat sees and proposes like anybody else. It knows no web and never writes a journal.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any, Protocol

from companion.engine import Event, Game, Luck, Seat, State, legal
from companion.games import take_a_train
from companion.games.take_a_train.bot import MIND


class Mind(Protocol):
    """How a program plays one game. `look` alone gets a state; `choose` gets only what its seat may know."""

    def asked(self, state: State[Any], /) -> tuple[Seat, ...]:
        """Return the seats that may want to act now, most eager first."""
        ...

    def look(self, state: State[Any], seat: Seat, /) -> Any:
        """Return what the seat may know, built up from nothing."""
        ...

    def choose(self, known: Any, luck: Luck, /) -> Event | None:
        """Return what the seat does, or None when it waits."""
        ...

    def together(self, state: State[Any], luck: Luck, /) -> Event | None:
        """Return an event that all seats make at once by hand (fists), or None when there is none."""
        ...


SENSIBLE: dict[str, Mind] = {take_a_train.GAME.name: MIND}
"""Bots that play to win, by game."""


class RandomMind:
    """A bot that does anything legal; where several may act it waits every other time."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.sensible = SENSIBLE[game.name]

    def asked(self, state: State[Any]) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        return self.sensible.asked(state)

    def look(self, state: State[Any], seat: Seat) -> Any:
        """Return the seat's own offers, and whether others may act too."""
        offers = [offer for offer in legal(self.game, state) if offer.by == seat]
        return offers, len(self.sensible.asked(state)) > 1

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return one of the legal events."""
        offers, others = known
        if not offers or (others and luck() < WAITS):
            return None
        event: Event = offers[int(luck() * len(offers))].pick(luck)
        return event

    def together(self, state: State[Any], luck: Luck) -> Event | None:
        """Return any event that no single seat makes."""
        offers = [offer for offer in legal(self.game, state) if offer.by is None and not offer.chance]
        return offers[0].pick(luck) if offers else None


WAITS = 0.5
"""How often a random bot waits when others may act as well."""


def mind(game: Game[Any], kind: str) -> Mind:
    """Return a bot for a game: `sensible` or `random`."""
    if kind == "random":
        return RandomMind(game)
    if kind != "sensible":
        raise ValueError(f"There are no {kind!r} bots: choose sensible or random.")
    return SENSIBLE[game.name]


# --- at a live table ------------------------------------------------------------------------------


class Snapshot(Protocol):
    """What a bot needs of the Table's snapshot."""

    @property
    def seq(self) -> int: ...
    @property
    def state(self) -> State[Any] | None: ...
    @property
    def paused(self) -> bool: ...


class LiveTable(Protocol):
    """What a bot needs of the Table: to wait for news, and to propose like anybody else."""

    def snapshot(self) -> Any: ...
    def wait(self, after: int, timeout: float) -> Any: ...
    def propose(self, event: Event, by: str, seen: int | None = None) -> Any: ...


Sleep = Callable[[float], None]
"""How a bot lets time pass; tests pass their own."""

LEAST_THOUGHT, MOST_THOUGHT = 1.5, 4.0
"""A bot thinks so long, in seconds, whatever it holds: its timing must tell nothing about its cards or cash."""
NEWS = 1.0
"""How long a bot waits for news before it looks whether it has been told to leave, in seconds."""


class BotSeat:
    """Plays seats that somebody left, through the Table's own door. Seats are switched on and off at any moment."""

    def __init__(
        self, table: LiveTable, game: Game[Any], sleep: Sleep, luck: Luck | None = None, kind: str = "sensible"
    ) -> None:
        self.table = table
        self.sleep = sleep
        self.luck = luck or random.SystemRandom().random
        self.mind = mind(game, kind)
        self.seats: frozenset[Seat] = frozenset()
        self._leaving = threading.Event()
        self._thread: threading.Thread | None = None

    def sit(self, seat: Seat) -> None:
        """Let the bot play a seat from now on."""
        self.seats = self.seats | {seat}

    def leave(self, seat: Seat) -> None:
        """Give a seat back to a person; a thought already begun comes to nothing."""
        self.seats = self.seats - {seat}

    def turn(self) -> Any | None:
        """Think once about the table as it is now, and act for one seat if there is something to do.

        The thought's length is drawn before anything is decided, and the decision is made after it, so that
        neither tells anything; whoever acts meanwhile is taken into account.
        """
        if self.deciding(self.table.snapshot()) is None:
            return None
        self.sleep(LEAST_THOUGHT + (MOST_THOUGHT - LEAST_THOUGHT) * self.luck())
        snapshot = self.table.snapshot()
        found = self.deciding(snapshot)
        if found is None or self._leaving.is_set():
            return None
        seat, event = found
        return self.table.propose(event, f"bot:{seat}", seen=snapshot.seq)

    def deciding(self, snapshot: Any) -> tuple[Seat, Event] | None:
        """Return which of the bot's seats acts now, and how; None while it waits."""
        state = snapshot.state
        if state is None or state.over or snapshot.paused:
            return None
        for seat in self.mind.asked(state):
            if seat in self.seats:
                event = self.mind.choose(self.mind.look(state, seat), self.luck)
                if event is not None:
                    return seat, event
        return None

    def run(self) -> None:
        """Play until told to stop."""
        while not self._leaving.is_set():
            before = self.table.snapshot().seq
            if not self.seats or self.turn() is None:
                self.table.wait(before, NEWS)

    def start(self) -> None:
        """Play in a thread of its own."""
        if self._thread is None:
            self._leaving.clear()
            self._thread = threading.Thread(target=self.run, name="bots", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Leave every seat and wait until the thread has ended."""
        self._leaving.set()
        self.seats = frozenset()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
