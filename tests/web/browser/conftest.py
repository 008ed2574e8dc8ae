"""One server, one browser and one room for all tests of the live table; skipped where there is no Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.web.browser.devices import Server, chromium, missing, served
from tests.web.browser.room import Room


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Give a server that runs, or skip; `COMPANION_MUST_RUN=browser` makes a missing browser a failure."""
    why = missing()
    if why:
        if "browser" in os.environ.get("COMPANION_MUST_RUN", ""):
            pytest.fail(why)
        pytest.skip(why)
    with served() as found:
        yield found


@pytest.fixture(scope="session")
def only_room(server: Server) -> Iterator[Room]:
    """Give the room with its five devices."""
    with chromium() as browser:
        yield Room(browser, server)


@pytest.fixture
def room(only_room: Room) -> Iterator[Room]:
    """Give the room; afterwards no page may have been unfit for its screen, nor have complained of an error."""
    for device in only_room.devices:
        device.complaints.clear()
        device.wanted.clear()
    only_room.unfit.clear()
    yield only_room
    complaints = [complaint for device in only_room.devices for complaint in device.complaints]
    only_room.leave()
    assert complaints == []
    assert only_room.unfit == set()
