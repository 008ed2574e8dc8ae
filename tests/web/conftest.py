"""A table, its context and people with browsers, for the tests of the web."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from werkzeug.routing import Rule

from companion.ops import host_pin
from tests.support.web.visitors import Room
from web.live.regions import Region


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an error in a template fail the test."""
    monkeypatch.setattr(Region, "strict", True)


@pytest.fixture(autouse=True)
def quick_pins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the hashes of host PINs cheap; `tests/companion` uses the full cost."""
    monkeypatch.setitem(host_pin._SCRYPT, "n", 2)


@pytest.fixture(scope="session", autouse=True)
def quick_routes() -> Iterator[None]:
    """Compile each route once for all applications of a run, which halves the time to make one."""
    compiled: dict[object, Any] = {}
    compile_builder = Rule._compile_builder

    def once(rule: Rule, append_unknown: bool = True) -> Any:
        key = (rule.rule, rule.subdomain, rule.host, repr(rule.defaults), append_unknown)
        if key not in compiled:
            compiled[key] = compile_builder(rule, append_unknown)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "_compile_builder", once)
        yield


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[ExitStack]:
    """Yield the stack of everything that is closed after a test."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def room(tmp_path: Path, rooms: ExitStack) -> Room:
    """Return a room without a game."""
    return rooms.enter_context(Room(tmp_path))


@pytest.fixture
def game(room: Room) -> Room:
    """Return a game of three people, dealt by the companion, in which Jane starts and the token is drawn."""
    room.set_up()
    room.join_all()
    return room
