"""The result of a match is withheld while pages tell its end, in phases that an undo can stop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.engine import Seat
from companion.games import GAMES
from companion.journal.journal import Journal
from companion.match.actor import Actor
from companion.messages import MILLISECOND, SECOND
from companion.table.ending import Over, Telling
from companion.table.table import Table
from companion.table.take_back import WINDOW
from tests.support.paces import HURRIED
from tests.support.web.finished import all_but_the_last

TOLD = replace(HURRIED, ending_ms=20_000)
LASTS = (2000 + 2 * 2000 + 4500 + 3500) * MILLISECOND
"""The time (ns) that telling the end takes with three players."""
NAMES = ("express", "game-of-trains", "take-a-train", "trains")


class LastMove:
    """A table before the last event of a match, with its own clock."""

    def __init__(self, folder: Path, game: str, pace: object = TOLD) -> None:
        self.now = 10 * SECOND
        with Journal(folder / "journal.db") as journal:
            self.event, self.by = all_but_the_last(journal, game)
        self.table = Table(folder / "journal.db", lambda: self.now, pace)  # type: ignore[arg-type]
        self.before = self.table.snapshot()

    def end(self) -> None:
        """Let the last event happen."""
        assert self.table.propose(self.event, self.by).accepted

    def after(self, time: int) -> str:
        """Advance the time (ns) and return the phase that the table shows."""
        self.now += time
        self.table.tick()
        shown = self.table.snapshot()
        return "told" if shown.telling is None else shown.telling.phase(shown.at)


@pytest.fixture
def last(tmp_path: Path) -> Iterator[LastMove]:
    """Yield a match of Game of Trains before its last event, which its seat can take back."""
    found = LastMove(tmp_path, "game-of-trains")
    with found.table:
        yield found


def test_the_phases_follow_the_table_s_clock(last: LastMove) -> None:
    """The end of a match passes through three phases: closing, telling and told."""
    last.end()
    shown = last.table.snapshot()
    assert shown.own_move is not None
    begins = last.now + WINDOW
    assert shown.telling == Telling(begins, begins + LASTS)
    assert last.after(begins - last.now) == "telling"
    assert last.after(LASTS - 1) == "telling"
    assert not last.table.snapshot().told
    assert last.after(1) == "told"
    assert last.table.snapshot().told


def test_what_nobody_may_take_back_is_told_at_once(tmp_path: Path) -> None:
    """If nobody can take the last move back, telling begins at once."""
    found = LastMove(tmp_path, "express")
    with found.table:
        found.end()
        assert found.table.snapshot().own_move is None
        assert found.after(0) == "telling"


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_shown_of_the_last_event_before(tmp_path: Path, name: str) -> None:
    """Until the end is told, pages show the state before the last event, without offers and winners."""
    found = LastMove(tmp_path, name)
    with found.table:
        found.end()
        real = found.table.snapshot()
        assert real.state is not None and real.state.over
        shown = real.shown()
        entries = tuple([entry for entry in real.entries if not entry.after.over])
        assert shown.state is not None and shown.entries == entries
        assert (shown.state.table, shown.state.agenda) == (entries[-1].after.table, (Over(),))
        assert (shown.over, shown.told, shown.seed, shown.timing) == (True, False, "", None)
        assert (shown.view(None).moment, shown.view(None).awaited) == ("over", ())
        assert [getattr(shown.view(Seat(seat)), "offers", ()) for seat in range(3)] == [()] * 3
        assert GAMES[name].winners(shown.state) == ()


def test_the_last_move_may_be_taken_back_while_nothing_is_told(tmp_path: Path) -> None:
    """The last move can be taken back for five seconds, and not after telling begins."""
    found = LastMove(tmp_path, "game-of-trains")
    with found.table:
        found.end()
        assert found.after(WINDOW - 1) == "closing"
        own = found.table.snapshot().own_move
        assert own is not None and found.table.take_back(own.seat).accepted
        assert not found.table.snapshot().over
        found.end()
        assert found.after(WINDOW) == "telling"
        assert not found.table.take_back(own.seat).accepted
        assert found.table.snapshot().over


def test_where_ends_are_not_told_the_last_move_binds(tmp_path: Path) -> None:
    """If the table does not tell ends, the last move cannot be taken back."""
    found = LastMove(tmp_path, "game-of-trains", HURRIED)
    with found.table:
        found.end()
        assert found.table.snapshot().told and found.table.snapshot().own_move is None


@pytest.mark.parametrize("phase", ["closing", "telling", "told"])
def test_an_undo_stops_it_in_every_phase(last: LastMove, phase: str) -> None:
    """An undo in any phase continues the game, and its next end is told again."""
    last.end()
    for _ in range(2):
        if phase != "closing":
            last.after(WINDOW)
    if phase == "told":
        assert last.after(LASTS) == "told"
    last.table.ask_undo(last.before.entries[-1].seq, Actor.HOST)
    for seat in range(3):
        last.table.consent(Seat(seat), True)
    assert not last.table.snapshot().over and last.table.snapshot().telling is None
    last.end()
    telling = last.table.snapshot().telling
    assert telling is not None and telling.begins >= last.now


def test_while_an_undo_is_asked_for_nothing_is_told(tmp_path: Path) -> None:
    """While an undo is being decided, telling waits, and after a refusal it begins again."""
    found = LastMove(tmp_path, "express")
    with found.table:
        found.end()
        assert found.after(WINDOW + 3 * SECOND) == "telling"
        found.table.ask_undo(0, Actor.HOST)
        assert found.table.snapshot().undo is not None
        assert found.after(60 * SECOND) == "closing"
        found.table.consent(Seat(0), False)
        telling = found.table.snapshot().telling
        assert telling is not None and telling.begins == found.now


def test_after_a_restart_all_is_told(tmp_path: Path) -> None:
    """After a restart the end counts as told, and the result is shown."""
    found = LastMove(tmp_path, "trains")
    with found.table:
        found.end()
        assert found.after(0) in ("closing", "telling")
        winners = found.table.snapshot().state
    with Table(tmp_path / "journal.db", pace=TOLD) as table:
        assert table.snapshot().told
        assert table.snapshot().state == winners


def test_who_plays_slowly_waits_no_longer(tmp_path: Path) -> None:
    """Telling the end never takes longer than the configured time."""
    found = LastMove(tmp_path, "trains", replace(HURRIED, ending_ms=3000))
    with found.table:
        found.end()
        telling = found.table.snapshot().telling
        assert telling is not None and telling.ends - telling.begins == 3000 * MILLISECOND
