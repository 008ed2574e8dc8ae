"""Test when the table reports to systemd that it is ready and alive."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.devices.camera_link import CameraSnapshot
from companion.devices.registry import ButtonsStatus
from companion.messages import CameraState
from companion.ops.systemd import SystemdNotifier
from companion.table.table import Table
from web.systemd_watchdog import SystemdWatchdog, status

PATIENCE = 20.0


class Heard(SystemdNotifier):
    """Records reports, and lets a test wait for them."""

    def __init__(self, limit: float) -> None:
        super().__init__("@nobody", limit)
        self.said: list[str] = []
        self.news = threading.Condition()

    def _send(self, *lines: str) -> None:
        with self.news:
            self.said += lines
            self.news.notify_all()

    def until(self, wanted: Callable[[list[str]], bool]) -> None:
        """Wait until this has been reported."""
        with self.news:
            assert self.news.wait_for(lambda: wanted(self.said), PATIENCE), self.said


@pytest.fixture
def pages() -> Iterator[Any]:
    """Yield a web server whose status a test sets in `pages.code`; `pages.asked` counts its requests."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            server: Any = self.server
            server.asked.release()
            self.send_response(server.code)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        found: Any = server
        found.code, found.asked = 200, threading.Semaphore(0)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """Yield a table in a folder of its own."""
    with Table(tmp_path / "journal.db") as table:
        yield table


@pytest.fixture
def beating(table: Table, pages: Any) -> Iterator[Callable[[], Heard]]:
    """Yield a function that starts the reports, which end with the test."""
    begun: list[SystemdWatchdog] = []

    def begin() -> Heard:
        heard = Heard(0.06)
        begun.append(SystemdWatchdog(heard, table.go_round, ("127.0.0.1", pages.server_port), None))
        begun[-1].start()
        return heard

    yield begin
    for each in begun:
        each.close()
        each._thread.join(PATIENCE)


def test_it_is_ready_when_a_page_answers_and_alive_from_then_on(beating: Callable[[], Heard]) -> None:
    """ "Ready" is reported first and once, and "alive" repeatedly after it."""
    heard = beating()
    heard.until(lambda said: said.count("WATCHDOG=1") > 3)
    assert heard.said[0] == "READY=1" and heard.said.count("READY=1") == 1


def test_pages_that_fail_are_no_life(beating: Callable[[], Heard], pages: Any) -> None:
    """A server that answers with an error is not reported as ready until it recovers."""
    pages.code = 500
    heard = beating()
    for _ in range(3):
        assert pages.asked.acquire(timeout=PATIENCE)
    assert heard.said == []
    pages.code = 200
    heard.until(lambda said: "READY=1" in said)


def test_a_writer_that_stands_still_is_no_life(beating: Callable[[], Heard], table: Table, pages: Any) -> None:
    """While the journal's writer hangs, the table is not reported as alive, even if pages answer."""
    heard = beating()
    heard.until(lambda said: "WATCHDOG=1" in said)
    held, stuck = threading.Event(), threading.Event()

    def stand_still(session: object) -> None:
        stuck.set()
        assert held.wait(PATIENCE)

    blocking = threading.Thread(target=table._writer.do, args=(stand_still,))
    blocking.start()
    assert stuck.wait(PATIENCE)
    while pages.asked.acquire(timeout=0.3):  # wait for the earlier requests, after which there are no more
        pass
    before = heard.said.count("WATCHDOG=1")
    assert not pages.asked.acquire(timeout=0.3)
    assert heard.said.count("WATCHDOG=1") == before
    held.set()
    blocking.join()
    heard.until(lambda said: said.count("WATCHDOG=1") > before)


def test_it_ends_with_the_table(beating: Callable[[], Heard], table: Table) -> None:
    """After the table is closed, it gets no more requests."""
    heard = beating()
    heard.until(lambda said: "WATCHDOG=1" in said)
    table.close()


def test_the_status_says_which_services_are_there() -> None:
    """The status names the connected services and nothing of the game."""
    there, lost = ButtonsStatus(expected=True, alive=True), ButtonsStatus(expected=True)
    seeing, blind = CameraSnapshot(expected=True, alive=True, state=CameraState()), CameraSnapshot(expected=True)
    assert status(there, seeing) == "pages answer; buttons and camera are there"
    assert status(lost, seeing) == "pages answer; camera is there, buttons are missing"
    assert status(lost, blind) == "pages answer; buttons and camera are missing"
    assert status(ButtonsStatus(), CameraSnapshot()) == "pages answer; no buttons, no camera"


def test_what_is_said_last_is_true() -> None:
    """A camera that connects while "ready" is being sent appears in the next status, because none follows without a
    change."""
    said: list[str] = []
    board = SimpleNamespace(buttons=ButtonsStatus(alive=True), camera=CameraSnapshot())

    def ready(status: str) -> None:
        board.camera = CameraSnapshot(alive=True)
        joining.start()
        joining.join(0.2)  # sending stops here
        said.append(status)

    notify = SimpleNamespace(ready=ready, status=said.append, every=None, alive=lambda: beating.close(), address="x")
    beating: Any = SystemdWatchdog(notify, lambda: None, ("", 0), board)  # type: ignore[arg-type]
    beating._answers = lambda: True
    joining = threading.Thread(target=beating._tell)
    beating._run()
    joining.join()
    assert said[-1] == "pages answer; buttons and camera are there"
