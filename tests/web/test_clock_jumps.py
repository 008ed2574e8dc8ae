"""Test that a wall clock that is set back by a day during a game changes only displayed times."""

from __future__ import annotations

import datetime
import random
import time

import pytest

from companion.journal import journal
from companion.journal.journal import Journal
from companion.match.notation import export
from companion.messages import Press
from tests.support.web.visitors import JOURNAL, Room
from tests.web.security.test_secrecy import step

DAY = 86400


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the adjustable offset of the wall clock in seconds; the monotonic clock is not changed."""
    off = [0.0]
    real = time.time

    class Moved(datetime.datetime):
        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Moved:
            return cls.fromtimestamp(real() + off[0], tz)

    monkeypatch.setattr(time, "time", lambda: real() + off[0])
    monkeypatch.setattr(journal, "datetime", Moved)
    return off


def test_a_game_goes_on_though_the_clock_is_set_back_by_a_day(room: Room, wall: list[float]) -> None:
    """Pages, forms, PINs, seats, presses, a restart, the rest of the game and its text all work as usual."""
    room.set_up(3)
    room.join_all()
    luck = random.Random(7)
    for _ in range(60):
        assert step(room, luck)
    token = room.anybody.token(room.host)
    before = room.count
    wall[0] = -DAY
    paused = room.anybody.client.post(
        room.host + "pause", data={"csrf": token, "on": "1"}, headers={"HX-Request": "true"}
    )
    assert paused.status_code == 204 and room.table.snapshot().paused
    assert room.anybody.tap(room.host, "pause", {"on": "0"}).status_code == 204
    for page in (room.host, *room.seats):
        assert room.anybody.get(page).status_code == 200
    assert room.join(1, "1111", room.visitor()).status_code == 303
    room.table.press(Press(0, time.monotonic_ns()))
    room.restart()
    assert room.count >= before
    while step(room, luck):
        pass
    snapshot = room.table.snapshot()
    assert snapshot.over
    with Journal(room.folder / JOURNAL, read_only=True) as found:
        (match, *_) = found.matches()
        records = found.records(match.id)
        lines = list(export(found, match.id))
    assert [record.seq for record in records] == list(range(1, len(records) + 1))
    moments = [record.at for record in records]
    assert moments != sorted(moments)  # the pages show the clock's time, and nothing depends on it
    assert len(lines) == len(records) + 1
    assert room.anybody.get("/past/").status_code == 200
    assert room.anybody.get(f"/past/{snapshot.match_id}/").status_code == 200


def test_nobody_who_guesses_is_let_in_sooner_by_another_clock(game: Room, wall: list[float]) -> None:
    """Another wall clock does not shorten the wait after wrong PINs, which uses the monotonic clock."""
    for _ in range(5):
        game.join(1, "0000", game.visitor())
    wall[0] = DAY
    assert game.join(1, "1111", game.visitor()).status_code == 429
