"""A table at which programs play one match after another, for demonstrations, measurements and tests of a hall."""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.devices.hall_link.reports import Tell
from companion.devices.hall_link.table_hall import TableHall
from companion.engine import Seat, Setup, legal
from companion.games import GAMES
from companion.match.actor import Actor
from companion.referee.pace import Pace
from companion.table.bot_seat import BotSeat
from companion.table.table import Snapshot, Table, WorkerClosed

LOG = logging.getLogger(__name__)
JOURNAL = "matches.sqlite"
PEOPLE = ("Ada", "Ben", "Cleo", "Dev", "Emma", "Finn", "Gita", "Hugo", "Ines", "Jan", "Kaya", "Leo", "Mona", "Nils")
AWAIT_S = 0.5
"""Seconds to wait for news while no program can act, such as during a count."""
UNTOLD = Pace(ending_ms=0)
"""Such a table has no pages that could tell its end: the hall hears a result at once."""


class SelfPlayingTable:
    """A table in its own folder, in a hall if it joins one. Close it when done."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        pace_s: float = 1.0,
        game: str = "game-of-trains",
        tell: Tell = lambda snapshot, lang: (),
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.table = Table(folder / JOURNAL, pace=UNTOLD)
        self.hall = TableHall(self.table, folder / JOURNAL, tell)
        self.game, self.pace_s = game, pace_s
        self.matches = 0
        """The number of finished matches."""
        self.confirming: tuple[int, ...] = (0, 1)
        """The seats that confirm a result."""
        self._luck = random.Random(seed)
        self._bots = BotSeat(self.table, lambda seconds: None, self._luck.random)
        self._bots.pace = "at_once"
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._play, name="self-play", daemon=True)

    def start(self) -> None:
        """Begin to play."""
        self._thread.start()

    def close(self) -> None:
        """Stop playing, leave the hall's broker and close the journal."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()
        self.hall.close()
        self.table.close()

    def begin(self, names: Sequence[str]) -> None:
        """Put a match of these people on the table, all played by programs."""
        self.table.start(Setup(self.game, tuple(names)))
        for seat in range(len(names)):
            self._bots.sit(Seat(seat))

    def act(self) -> bool:
        """Make the next move; return whether the match is over."""
        snapshot = self.table.snapshot()
        if snapshot.state is None or snapshot.over:
            return True
        if self._bots.turn() is None and not self._enter_chance(snapshot):
            self.table.wait(snapshot.number, AWAIT_S)
        return self.table.snapshot().over

    def _enter_chance(self, snapshot: Snapshot) -> bool:
        """Enter random events that people would report, such as the first player; return whether there were any."""
        offers = legal(snapshot.game, snapshot.state) if snapshot.state is not None else ()
        events = [offer.pick(self._luck.random) for offer in offers if offer.chance]
        entered = [event for event in events if event.facts.entered]
        return bool(entered) and self.table.propose(self._luck.choice(entered), Actor.HOST).accepted

    def play_match(self, names: Sequence[str]) -> None:
        """Play a match to its end, and have seats confirm its result."""
        self.begin(names)
        while not self._closing.is_set() and not self.act():
            self._closing.wait(self.pace_s * self._luck.uniform(0.5, 1.5))
        self.matches += 1
        self.confirm()

    def confirm(self, wait: Callable[[float], object] | None = None) -> None:
        """Have seats confirm the result as soon as there is one."""
        member = self.hall.member
        while member is not None and member.result() is None and not self._closing.is_set():
            (wait or self._closing.wait)(0.02)
        if member is not None and not self._closing.is_set():
            for seat in self.confirming:
                member.say(seat, True)

    def _play(self) -> None:
        most, played = max(GAMES[self.game].seats), 0
        while not self._closing.is_set():
            status = self.hall.status()
            if status.round and status.round == played:  # play each round of a tournament only once
                self._closing.wait(AWAIT_S)
                continue
            names = status.players or self._luck.sample(PEOPLE, self._luck.randint(2, min(4, most)))
            try:
                self.play_match(names)
                played = status.round
            except WorkerClosed:
                return
            except Exception:
                LOG.exception("a table that plays by itself has stopped")
                return
            self._closing.wait(3 * self.pace_s)
