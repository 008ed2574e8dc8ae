"""Share one server, one browser and one room among all tests of the live table; skip them without a browser."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.chromium import CHROMIUM
from tests.support.must_run import must_run
from web.live import hub

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.web.browser.devices import Server
    from tests.web.browser.room import Room

MUST_RUN = must_run("browser")
LONGEST = 600.0
"""Seconds after which a running test counts as hanging; on two busy cores the longest takes four minutes."""


def missing() -> str:
    """Return why no browser can be driven here, or an empty text if one can."""
    if find_spec("playwright") is None:
        return "there is no Playwright: pip install playwright"
    return "" if CHROMIUM else "there is no Chromium: apt install chromium-headless-shell"


class Unrun(pytest.Module):
    """A file of tests that cannot run here, with the reason."""

    def collect(self) -> list[pytest.Item]:
        """Skip, or fail where the tests must run."""
        if MUST_RUN:
            raise self.CollectError(missing())
        pytest.skip(missing(), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Skip files that cannot run before their imports fail."""
    return Unrun.from_parent(parent, path=module_path) if missing() else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give each process its share of the slow tests first, so that none starts a long test at the end.

    xdist gives the first process the first part of the list and the next process the next part. Then idle processes
    steal tests.
    """
    if not all(item.get_closest_marker("browser") for item in items):
        return
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = [item for first in range(processes) for item in items[first::processes]]


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Fail a test whose page hangs."""
    from tests.web.browser.devices import end_browsers

    watch = threading.Timer(LONGEST, end_browsers)
    watch.daemon = True
    watch.start()
    yield
    watch.cancel()


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip drawing abandoned pages while a match is played to the next examined moment."""
    monkeypatch.setattr(hub, "IDLE", 0.0)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Yield a running server."""
    from tests.web.browser.devices import started

    with started() as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Yield the one Chromium of all tests: a process cannot drive a second one at the same time."""
    from tests.web.browser.devices import chromium

    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def only_room(server: Server, browser: Browser) -> Room:
    """Return the room with its five devices."""
    from tests.web.browser.room import Room

    return Room(browser, server)


@pytest.fixture
def room(only_room: Room) -> Iterator[Room]:
    """Yield the room; afterwards check that every page fitted its screen and logged no error."""
    with watched(only_room):
        yield only_room


@pytest.fixture
def paced_room(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Room]:
    """Yield a separate room with the referee's pace from the test's parameter."""
    from tests.web.browser.devices import started
    from tests.web.browser.room import Room

    with started(pace=request.param) as server:
        found = Room(browser, server)
        with watched(found):
            yield found


@contextmanager
def watched(room: Room) -> Iterator[None]:
    """Check that every page of a room fits its screen and logs no error."""
    for device in room.devices:
        device.complaints.clear()
        device.wanted.clear()
    room.unfit.clear()
    yield
    complaints = [complaint for device in room.devices for complaint in device.complaints]
    room.leave()
    assert complaints == []
    assert room.unfit == set()
