"""The wall clock jumps, and a boot gives the other clock a new beginning: the order comes from numbers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from companion.engine import state_hash
from companion.games.take_a_train import events as ev
from companion.journal import journal as kept
from companion.journal.journal import Journal
from companion.match import match as played
from companion.match.actor import Actor
from companion.match.match import Match
from companion.match.notation import export, read_text
from companion.table.table import Table
from tests.support.matches import OPEN_LOT, begun, dealt, ours, quick, say, stroll  # noqa: F401
from tests.support.paces import HURRIED
from tests.support.web.visitors import Room

YEARS = 40


def jumping() -> Iterator[str]:
    """Yield moments that jump about between decades, the first after all others."""
    luck = Random(7)
    yield "2038-01-19T03:14:08.000Z"
    while True:
        moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=luck.randrange(YEARS * 365))
        yield moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.fixture
def _jumps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every look at the wall clock show another year."""
    clock = jumping()
    for module in (kept, played):
        monkeypatch.setattr(module, "now", lambda: next(clock))


@pytest.mark.usefixtures("_jumps", "quick")
def test_records_are_in_the_order_in_which_they_happened(tmp_path: Path) -> None:
    """Opened again, exported and read back, a match whose clock jumped is the same; later matches are listed first."""
    with begun(tmp_path, dealt(3)) as match:
        stroll(match, Random(3), 60)
        match.rewind(match.last_move() or 0, Actor.HOST)
        stroll(match, Random(4), 90)
        moments = [entry.at for entry in match.entries]
        assert moments != sorted(moments)
        stood = match.seq, state_hash(match.state)
        Match.begin(match.journal, ours())
    with Journal(tmp_path / "journal.db") as journal:
        again = Match.open(journal, "1")
        assert (again.seq, state_hash(again.state)) == stood
        assert journal.findings == []
        assert [summary.id for summary in journal.matches()] == ["2", "1"]
        text = list(export(journal, "1", secrets=True))
        assert state_hash(read_text(text).state) == stood[1]


@pytest.mark.usefixtures("_jumps")
def test_pages_are_shown_whatever_the_clock_says(tmp_path: Path) -> None:
    """Start page, list of games and seats' pages, before and after a restart; the seat's address still holds."""
    with Room(tmp_path) as room:
        room.set_up(2)
        room.join_all()
        room.begin()
        for _ in range(2):
            for page in ("/", "/past/", room.host, *room.seats):
                assert room.anybody.get(page).status_code == 200
            room.restart()


def test_a_count_of_another_boot_is_broken(tmp_path: Path) -> None:
    """After a boot the monotonic clock starts again: its old counts are void, price and leader stand."""
    with begun(tmp_path, ours(), *OPEN_LOT[:5]) as match:
        say(match, ev.Counted(OPEN_LOT[4].seat, 1))  # type: ignore[attr-defined]
        journal, match_id = match.journal.path, match.id
    time = 10**6

    with Table(journal, clock=lambda: time, pace=HURRIED) as table:
        table.resume(match_id)
        shown = table.snapshot()
        assert isinstance(shown.entries[-1].event, ev.CountBroken)
        assert shown.game.view(shown.state, None) is not None
