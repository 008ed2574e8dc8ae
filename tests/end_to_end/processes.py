"""Table, buttons and camera as three processes on one bus, each of which can be killed at any moment.

People press on the pins panel. This process first sets up the match, at an Open auction in which all can press; the
result is then read from the journal, even while the match is running.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from companion.devices.bus import Address, BrokerAddress
from companion.devices.bus.clock_sync import BOOT
from companion.engine import Event
from companion.games.take_a_train import events as ev
from companion.journal.journal import Journal
from companion.match.match import Match
from companion.referee.verdict import Judged
from hardware.wiring.wiring import DEFAULT
from tests.support.brokers import free_port
from tests.support.paces import as_settings
from tests.support.web.visitors import JOURNAL, Room

LOOP = "127.0.0.1"
PATIENCE = 40.0
"""Seconds that a process may take to start on a busy machine before a test fails."""
SHORT = 1.5
"""Seconds after which a press is repeated, because it was lost with the killed process."""
START = 200
A, B = 0, 1


class Split:
    """Three processes in a folder, as a context; `start` and `kill` take `table`, `buttons` or `camera`."""

    again = SHORT
    """Seconds after which a press is repeated."""

    def __init__(self, folder: Path, where: Address, expect: tuple[str, ...] = ("buttons", "camera")) -> None:
        self.folder, self.where, self.port = folder, where, free_port()
        self.data = folder / "data"
        self.data.mkdir()
        self.host = ""
        self.running: dict[str, subprocess.Popen[bytes]] = {}
        self._cookies: dict[str, str] = {}
        self._settings = folder / "companion.toml"
        secret = (
            f'password_file = "{where.password_file}"\n'
            if isinstance(where, BrokerAddress) and where.password_file
            else ""
        )
        self._settings.write_text(f'[bus]\nurl = "{where}"\n{secret}{as_settings()}', encoding="utf-8")
        expected = [word for service in expect for word in ("--expect", service)]
        companion = [sys.executable, "-m", "companion"]
        self.commands = {
            "table": [
                *companion,
                "table",
                "--host",
                LOOP,
                "--port",
                str(self.port),
                "--data",
                str(self.data),
                *expected,
            ],
            "buttons": [*companion, "buttons", "--pins", "simulated", "--data", str(folder / "buttons")],
            "camera": [*companion, "camera", "--source", "none", "--data", str(folder / "camera")],
        }

    def __enter__(self) -> Split:
        """Return the processes, none of them started."""
        return self

    def __exit__(self, *error: object) -> None:
        """End all processes, the last one first."""
        for service in tuple(self.running):
            self.kill(service)

    # --- the match

    def set_up(self, **options: str) -> None:
        """Begin a match of three at an Open auction that Jane has opened."""
        with Room(self.data) as room:
            self.host = room.set_up(3, deck="ours", **options)
            room.join_all()
            room.begin("open")
            for seat, event, fields in ((A, "locos_revealed", {"cards": "steam-4"}), (A, "opened", {"amount": START})):
                answer = room.anybody.say(room.seats[seat], event, **fields)
                assert answer.status_code == 204, answer.text

    def events(self) -> list[Event]:
        """Return the events in the journal."""
        with Journal(self.data / JOURNAL, read_only=True) as journal:
            match = Match.open(journal, journal.matches()[0].id)
            return [entry.event for entry in match.entries]

    def money(self) -> tuple[int, ...]:
        """Return each player's money."""
        with Journal(self.data / JOURNAL, read_only=True) as journal:
            match = Match.open(journal, journal.matches()[0].id)
            table: Any = match.state.table
            return tuple(table.cash)

    def verdicts(self) -> list[Judged]:
        """Return the referee's verdicts on presses."""
        with Journal(self.data / JOURNAL, read_only=True) as journal:
            return list(Match.open(journal, journal.matches()[0].id).line.verdicts())

    def leader(self) -> int:
        """Return the leading player."""
        return next(event.seat for event in reversed(self.events()) if isinstance(event, ev.Raised | ev.Opened))

    def sold(self) -> bool:
        """Return whether the third count was accepted."""
        return ev.Counted(self.leader(), 3) in self.events()  # type: ignore[arg-type]

    # --- processes

    def elsewhere(self, service: str, ahead: int) -> None:
        """Run a service as if on another machine: another boot, and a clock some seconds ahead. Needs root."""
        boot = self.folder / "boot_id"
        boot.write_text("another-boot\n", encoding="utf-8")
        script = f'mount --bind {boot} {BOOT} && exec "$@"'
        machine = ["unshare", "--mount", "--time", "--monotonic", str(ahead), "--fork", "sh", "-c", script, "sh"]
        self.commands[service] = [*machine, *self.commands[service]]

    def start(self, *services: str) -> None:
        """Start processes without waiting for them."""
        environment = {**os.environ, "COMPANION_CONFIG": str(self._settings), "PYTHONPATH": os.pathsep.join(sys.path)}
        environment.pop("COMPANION_BUS", None)
        for service in services:
            log = (self.folder / f"{service}.log").open("ab")
            with log:
                self.running[service] = subprocess.Popen(
                    self.commands[service], env=environment, stdout=log, stderr=log, start_new_session=True
                )

    def kill(self, service: str) -> None:
        """Kill a process and its children at once, as a power cut would."""
        process = self.running.pop(service)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def said(self, service: str) -> str:
        """Return the output of a process."""
        return (self.folder / f"{service}.log").read_text(encoding="utf-8", errors="replace")

    # --- people

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        """Return a page's status and text, with status 0 if the server does not answer."""
        connection = HTTPConnection(LOOP, self.port, timeout=PATIENCE)
        head = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        if form is not None:
            head |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        try:
            connection.request(method, path, urlencode(form or {}), head)
            answer = connection.getresponse()
            text = answer.read().decode()
        except (OSError, HTTPException):
            return 0, ""
        finally:
            connection.close()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, rest = value.partition("=")
                self._cookies[key] = rest.partition(";")[0]
        return answer.status, text

    def page(self) -> str:
        """Return the host's page, or an empty text if the server does not answer."""
        status, text = self.ask("GET", self.host)
        return text if status == 200 else ""

    def drive(self, seat: int, high: bool) -> bool:
        """Press or release a simulated button and return whether the table passed it on."""
        token = re.search(r'name="csrf" content="([^"]+)"', self.page())
        if token is None:
            return False
        pin = str(DEFAULT.seats[seat].button)
        return self.ask("POST", f"{self.host}drive", {"csrf": token[1], "pin": pin, "high": str(int(high))})[0] == 204

    def press(self, seat: int) -> None:
        """Press and release once; the press can be lost."""
        if self.drive(seat, False):
            self.drive(seat, True)

    def press_until(self, seat: int, true: Callable[[], bool]) -> None:
        """Press repeatedly until the condition is true."""
        end = time.monotonic() + PATIENCE
        while not true():
            assert time.monotonic() < end, (self.events()[-8:], self.said("table")[-800:], self.said("buttons")[-800:])
            self.press(seat)
            short = time.monotonic() + self.again
            while not true() and time.monotonic() < short:
                time.sleep(0.02)

    def until(self, true: Callable[[], Any], longer: float = 0.0) -> None:
        """Wait until the condition is true, and fail after the timeout. `longer`: extra seconds."""
        end = time.monotonic() + PATIENCE + longer
        while not true():
            assert time.monotonic() < end, (self.said("table")[-800:], self.said("buttons")[-800:])
            time.sleep(0.02)

    def all_there(self) -> bool:
        """Return whether the host's page shows no lost service, working pins and a camera service without a camera."""
        page = self.page()
        camera = self.ask("GET", f"{self.host}camera/live.json")[1].replace(" ", "")
        return "devices lost" not in page and 'href="pins"' in page and '"alive":true' in camera
