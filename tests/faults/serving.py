"""An evening at the live server (`companion run`), with four people who tap at once, and plugs that are pulled."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from types import TracebackType

import msgspec

from companion import config
from companion.bots.bot import policy_of
from companion.engine import COLOURS, SHAPES, Event, legal
from companion.journal.journal import Journal, JournalError
from companion.match.match import Match
from tests.bench.processes import LOOP, free_port
from tests.bench.tapping import Browser
from tests.faults.disk import ROOT
from tests.support.paces import write_pace

PEOPLE = ("Jane", "Bill", "Tom", "Céline")
PATIENCE = 60.0
"""Seconds after which a server counts as dead."""
BUSY = (0.05, 0.6)
"""Seconds for which people tap before the plug is pulled, at least and at most."""
Tap = tuple[str, str]
"""Who said it, and the event as the journal keeps it."""


class Figures(msgspec.Struct):
    """Milliseconds until the match was on a page again; answered taps; what was wrong."""

    started: list[float] = []
    taps: int = 0
    faults: list[str] = []

    def add(self, other: Figures) -> None:
        """Take another evening's figures in."""
        self.started += other.started
        self.taps += other.taps
        self.faults += other.faults


class Evening:
    """A game of four at a server of its own, which writes into `log`."""

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        self.folder, self.port, self.log = folder, free_port(), log or folder / "log"
        self.server: subprocess.Popen[bytes] | None = None
        self.seats: list[str] = []
        self.room = ""

    def __enter__(self) -> Evening:
        self.start()
        self._sit_down()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.kill()

    # --- the server -------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the server as a service does; it is up when a page answers."""
        if not (self.folder / config.NAME).exists():  # the disk may be read-only by the second time
            write_pace(self.folder)
        command = [sys.executable, "-m", "companion", "run", "--host", LOOP, "--port", str(self.port)]
        command += ["--pins", "none", "--camera", "none", "--data", str(self.folder)]
        with self.log.open("ab") as log:
            self.server = subprocess.Popen(command, cwd=ROOT, start_new_session=True, stdout=log, stderr=log)
        self.answered(self.seats[0] if self.seats else "/")

    def kill(self) -> None:
        """Kill every process of the server."""
        if self.server is not None:
            os.killpg(self.server.pid, signal.SIGKILL)
            self.server.wait()
            self.server = None

    def answered(self, page: str) -> None:
        """Wait until a page is answered."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                browser = Browser(self.port)
                with closing(browser):
                    status, _, text = browser.ask("GET", page)
                if status == 200 and (page == "/" or "data-shown=" in text):
                    return
            except (OSError, ConnectionError):
                time.sleep(0.005)
        raise TimeoutError(f"the server did not answer: {self.log.read_text()[-2000:]}")

    # --- the people -------------------------------------------------------------------------------

    def _sit_down(self) -> None:
        """Set a game up and give everybody a seat."""
        browser = Browser(self.port)
        form = [("deck", "dealt"), ("pin", "123456"), ("edition", "en")]
        for player in zip(PEOPLE, COLOURS, SHAPES, strict=False):
            form += list(zip(("name", "colour", "shape"), player, strict=True))
        self.host = browser.submit("/setup", form, "/")
        room = re.search(r'class="pin">(\d+)', browser.ask("GET", self.host)[2])
        assert room is not None
        for seat in range(len(PEOPLE)):
            own = [("room", room.group(1)), ("seat", str(seat)), ("pin", f"000{seat}")]
            self.seats.append(browser.submit("/join", own, "/join"))
        self.table = browser.submit("/tablet", [("room", room.group(1))], "/join")
        self.cookies = browser.cookies
        self.tokens = {page: browser.csrf(page) for page in (*self.seats, self.table)}
        browser.close()

    def tap(self, page: str, action: str, event: Event) -> tuple[str, str, list[tuple[str, str]]]:
        """Return the request of a tap: method, path and form."""
        form = [("csrf", self.tokens[page])]
        for name, value in msgspec.to_builtins(event).items() if action == "propose" else ():
            items = value if isinstance(value, list | tuple) else [value]
            form += [(name, "" if item is None else str(item)) for item in items]
        return "POST", page + action, form

    def first_tap(self) -> tuple[str, str, list[tuple[str, str]]]:
        """Return the request of something that somebody may do now."""
        with Journal(self.folder / "journal.db", read_only=True) as journal:
            match = Match.open(journal, "1")
        found = (Person(self, seat, "1").choose(match) for seat in range(len(PEOPLE)))
        return self.tap(*next(each for each in found if each is not None))

    def kills(self, count: int, seed: int) -> Figures:
        """Let everybody tap, pull the plug, look, and go on: so many times."""
        luck, figures = random.Random(seed), Figures()
        answered: Counter[Tap] = Counter()
        for number in range(count):
            people = [Person(self, seat, f"{seed}-{number}-{seat}") for seat in range(len(PEOPLE))]
            for person in people:
                person.start()
            until = time.monotonic() + PATIENCE
            while not any(person.answered for person in people) and time.monotonic() < until:
                time.sleep(0.002)
            time.sleep(luck.uniform(*BUSY))
            self.kill()
            for person in people:
                person.stop.set()
                person.join()
                answered += person.answered
            begun = time.perf_counter()
            self.start()
            figures.started.append(1000 * (time.perf_counter() - begun))
            figures.faults += [f"{number}: {fault}" for fault in self.missing(answered)]
        figures.taps = answered.total()
        return figures

    def missing(self, answered: Counter[Tap]) -> list[str]:
        """Return what was answered and is not in the journal, and what was found damaged."""
        with Journal(self.folder / "journal.db", read_only=True) as journal:
            kept = Counter((record.by, record.body) for record in journal.records("1"))
            return [f"lost: {tap}" for tap in answered - kept] + journal.findings


class Person(threading.Thread):
    """Somebody at a seat (the first at the shared tablet, too), who taps whenever there is something to do."""

    def __init__(self, evening: Evening, seat: int, seed: str) -> None:
        super().__init__(daemon=True)
        self.evening, self.seat = evening, seat
        self.luck = random.Random(seed).random
        self.stop = threading.Event()
        self.answered: Counter[Tap] = Counter()

    def run(self) -> None:
        """Tap until the plug is pulled."""
        try:
            browser = Browser(self.evening.port)
            browser.cookies = dict(self.evening.cookies)
            path = self.evening.folder / "journal.db"
            with closing(browser), Journal(path, read_only=True) as journal:
                while not self.stop.is_set():
                    self._tap(browser, journal)
        except (OSError, ConnectionError, ValueError, IndexError):
            pass  # the plug

    def _tap(self, browser: Browser, journal: Journal) -> None:
        try:
            match = Match.open(journal, "1")
        except JournalError:
            return
        found = self.choose(match)
        if found is None:
            if match.state.over:
                self.stop.set()
            time.sleep(0.01)
            return
        page, action, event = found
        status, _, _ = browser.ask(*self.evening.tap(*found), script=True)
        if status == 204 and action == "propose":
            by = f"seat:{self.seat}" if page != self.evening.table else "table"
            self.answered[by, msgspec.json.encode(event).decode()] += 1

    def choose(self, match: Match) -> tuple[str, str, Event] | None:
        """Return what this person does now: page, action and event."""
        game, state, seats = match.game, match.state, self.evening.seats
        mind = policy_of(game, "sensible")
        for seat in mind.asked(state):
            if seat == self.seat:
                event = mind.choose(mind.look(state, seat), self.luck)
                if event is not None:
                    return seats[seat], "propose", event
        chance = [offer for offer in legal(game, state) if offer.chance]
        if self.seat or not chance:
            return None
        event = chance[0].pick(self.luck)
        said = event.facts.entered
        return self.evening.table, "propose" if said else "draw", event
