"""Seats filled by programs: what a bot must be, which there are, and how one sits down at a live table.

A bot sees what its seat sees and proposes like anybody else. It knows no web and never writes a journal.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from companion.engine import Event, Game, Luck, Raising, Seat, Setup, State, Unveiling, legal
from companion.games import game_of_trains, take_a_train
from companion.games.game_of_trains.bot import MIND as SORTER
from companion.games.take_a_train.bot import MIND as BIDDER
from companion.messages import Press


class BotPolicy(Protocol):
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


SENSIBLE: dict[str, BotPolicy] = {take_a_train.GAME.name: BIDDER, game_of_trains.GAME.name: SORTER}
"""Bots that play to win, by game."""


class RandomPolicy:
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


def mind(game: Game[Any], kind: str) -> BotPolicy:
    """Return a bot for a game: `sensible` or `random`."""
    if kind == "random":
        return RandomPolicy(game)
    if kind != "sensible":
        raise ValueError(f"There are no {kind!r} bots: choose sensible or random.")
    return SENSIBLE[game.name]


# --- at a live table ------------------------------------------------------------------------------


class BotSnapshot(Protocol):
    """What a bot needs of the table's snapshot."""

    @property
    def number(self) -> int:
        """Grows with every change of anything."""
        ...

    @property
    def match_id(self) -> str:
        """Which match lies on the table; empty: none."""
        ...

    @property
    def seq(self) -> int:
        """The match's last record."""
        ...

    @property
    def game(self) -> Any:
        """Its rules."""
        ...

    @property
    def setup(self) -> Setup | None:
        """How it was set up."""
        ...

    @property
    def state(self) -> State[Any] | None:
        """Where it stands."""
        ...

    @property
    def paused(self) -> bool:
        """Whether the host has stopped it."""
        ...

    @property
    def ready(self) -> tuple[Seat, ...]:
        """Which seats are ready for their fists to open."""
        ...

    @property
    def opened(self) -> bool:
        """Whether the signal to open them has been given."""
        ...


class LiveTable(Protocol):
    """What a bot needs of the table: to wait for news, to propose, to draw and to press like anybody else."""

    def snapshot(self) -> BotSnapshot:
        """Return the table as it is now."""
        ...

    def wait(self, after: int, timeout: float) -> BotSnapshot:
        """Wait for a newer snapshot."""
        ...

    def propose(self, event: Event, by: str, seen: int | None = None, match_id: str | None = None) -> Any:
        """Propose an event."""
        ...

    def draw(self, by: str, seen: int | None = None, match_id: str | None = None) -> Any:
        """Let chance decide now."""
        ...

    def press(self, press: Press) -> None:
        """Press the seat's button."""
        ...


Sleep = Callable[[float], None]
"""How a bot lets time pass; tests pass their own."""

LEAST_THOUGHT, MOST_THOUGHT = 1.5, 4.0
"""A bot thinks so long, in seconds, whatever it holds: its timing must tell nothing about its cards or cash."""
NEWS = 1.0
"""How long a bot waits for news before it looks whether it has been told to leave, in seconds."""


class BotMove(NamedTuple):
    """What a bot has made up its mind to do: to press its button; to propose an event; or, where there is neither, to
    draw where the companion deals (the auction token).
    """

    seat: Seat
    event: Event | None = None
    presses: bool = False


class BotSeat:
    """Plays the seats that somebody left, through the table's own door. Seats change hands at any moment.

    `sleep`, `luck` and `clock` (nanoseconds of CLOCK_MONOTONIC) are time's and chance's; tests bring their own.
    """

    def __init__(
        self,
        table: LiveTable,
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
        self._lock = threading.Lock()
        self._sat: tuple[str, frozenset[Seat]] = ("", frozenset())
        """A match and the bot's seats in it, always changed together."""
        self._leaving = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that the bot plays in the match on the table."""
        return self._seats_in(self.table.snapshot())

    def _seats_in(self, shown: BotSnapshot) -> frozenset[Seat]:
        """Return the bot's seats in a match: none in another than the one it was asked into."""
        match_id, seats = self._sat
        return seats if shown.match_id == match_id else frozenset()

    def sit(self, seat: Seat) -> None:
        """Let the bot play a seat of the match on the table from now on."""
        with self._lock:
            shown = self.table.snapshot()
            self._sat = (shown.match_id, self._seats_in(shown) | {seat})

    def leave(self, seat: Seat) -> None:
        """Give a seat back to a person; a thought already begun comes to nothing."""
        with self._lock:
            match_id, seats = self._sat
            self._sat = (match_id, seats - {seat})

    def turn(self) -> Any | None:
        """Think once about the table as it is, and act for one seat if there is something to do; return the answer,
        or for a press what was decided.

        Every thought takes as long as chance says and never less than a person's: its length is drawn without
        regard to what is decided, and the decision is made anew after it, from what lies there then.
        """
        if self.decided(self.table.snapshot()) is None:
            return None
        self.sleep(LEAST_THOUGHT + (MOST_THOUGHT - LEAST_THOUGHT) * self.luck())
        shown = self.table.snapshot()
        found = self.decided(shown)
        if found is None or self._leaving.is_set():
            return None
        by = f"bot:{found.seat}"
        if found.presses:
            self.table.press(Press(found.seat, self.clock(), source="bot"))
            return found
        if found.event is None:
            return self.table.draw(by, shown.seq, shown.match_id)
        return self.table.propose(found.event, by, shown.seq, shown.match_id)

    def decided(self, shown: BotSnapshot) -> BotMove | None:
        """Return which of the bot's seats acts now, and how; None while it waits."""
        state, seats = shown.state, self._seats_in(shown)
        if state is None or state.over or shown.paused or not seats:
            return None
        meaning = state.agenda[0].timing(state.table) if state.agenda else None
        if isinstance(meaning, Unveiling) and not shown.opened:
            for seat in meaning.seats:
                if seat in seats and seat in meaning.closed and seat not in shown.ready:
                    return BotMove(seat, presses=True)
        bot = mind(shown.game, self.kind)
        for seat in bot.asked(state):
            if seat in seats:
                event = bot.choose(bot.look(state, seat), self.luck)
                if event is not None and not _counts_on(meaning, event):
                    return BotMove(seat, event)
        if shown.setup is not None and shown.setup.deck == "dealt":
            view = shown.game.view(state, None)
            for seat in view.awaited:
                if view.chance and seat in seats:
                    return BotMove(seat, None)
        return None

    def run(self) -> None:
        """Play until told to stop."""
        while not self._leaving.is_set():
            before = self.table.snapshot().number
            if self.turn() is None:
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
        with self._lock:
            self._sat = ("", frozenset())
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def _counts_on(meaning: object, event: Event) -> bool:
    """Whether an event is a count that the companion makes by itself, once the leader has begun."""
    if not isinstance(meaning, Raising) or meaning.counting != "companion" or not meaning.count:
        return False
    return type(event) is type(meaning.counted(meaning.leader, 1))
