"""The table's pages show settings that cannot be used, not only the log."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import config
from companion.config import SettingLocation
from companion.devices.bus import BusPeer, SocketAddress, serve
from companion.findings import findings_of
from companion.messages import Answered, AnyMessage, Asked, Health
from hardware.fault_reporter import report

PATIENCE = 30.0


class Table:
    """The table's end of a bus, with the first health of the buttons service and its first answer."""

    def __init__(self, folder: Path) -> None:
        self.health: Health | None = None
        self.answer: Answered | None = None
        self.news = threading.Condition()
        self.bus = serve(SocketAddress(folder / "bus"), self.heard)

    def heard(self, peer: BusPeer, message: AnyMessage) -> None:
        """Store a message, and send a question after the first one."""
        with self.news:
            if isinstance(message, Health) and self.health is None:
                self.health = message
                peer.send(Asked(1, "examine", {}, "buttons"))
            elif isinstance(message, Answered):
                self.answer = message
            self.news.notify_all()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Return a table's end of the bus."""
    found = Table(tmp_path)
    yield found
    found.bus.close()


def test_why_there_are_no_buttons_is_said_and_answered(tmp_path: Path, table: Table) -> None:
    """The service repeats the sentence in its health, and returns it as a finding on request."""
    ending = threading.Event()
    why = SettingLocation("wiring").wrong("pin_twice", pin=17, first=["button:1"], second=["host"]).finding
    service = threading.Thread(target=report, args=(SocketAddress(tmp_path / "bus"), (why,), ending))
    service.start()
    with table.news:
        assert table.news.wait_for(lambda: table.answer is not None, PATIENCE)
    ending.set()
    service.join()
    assert table.health is not None and (table.health.said, table.health.kind) == (
        "[wiring]: GPIO 17 is used twice, for the button of seat 1 and for the host's button.",
        "",
    )
    assert table.answer is not None
    assert findings_of(table.answer) == [why]


def test_a_service_with_a_bad_wiring_stays_and_says_so(tmp_path: Path, table: Table) -> None:
    """With a bad wiring the child of the table stays and says why, instead of ending and starting again; a signal ends
    it."""
    config.path_in(tmp_path).write_text("[wiring]\nseats = [{ button = 17 }, { button = 99 }]\n", encoding="utf-8")
    command = [sys.executable, "-m", "companion", "buttons", "--child", "--data", str(tmp_path)]
    environment = {name: value for name, value in os.environ.items() if name != "COMPANION_BUS"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
    try:
        with table.news:
            assert table.news.wait_for(lambda: table.health is not None, PATIENCE)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert table.health is not None
    assert "the button of seat 2 cannot be on 99" in table.health.said and table.health.said in told
    assert process.returncode == 0 and "Traceback" not in told
