"""Test the watcher's quiet moments, in which slow tasks run while nobody waits for a page."""

from __future__ import annotations

import gc
import queue
import weakref
from types import SimpleNamespace
from typing import Any

import pytest

from web.live import watcher
from web.live.watcher import TIDY_AFTER, Watcher
from web.server import COLLECT_AFTER, keep_all

CALM = True
BUSY = False


class PlannedTable:
    """A table with planned snapshots: the match, the number, and whether the wait ends without a change.

    A match whose name ends with "!" is over.
    """

    def __init__(self, *plan: tuple[str, int, bool]) -> None:
        self.plan = list(plan)
        self.last = SimpleNamespace(match_id="", number=0, over=False)
        self.stopped: list[Watcher] = []

    def snapshot(self) -> Any:
        """Return the last snapshot."""
        return self.last

    def wait(self, number: int, seconds: float) -> Any:
        """Return the next planned snapshot, and stop the watcher at the last one."""
        match, at, calm = self.plan.pop(0)
        if not self.plan:
            self.stopped[0].stop()
        assert (at == number) is calm
        self.last = SimpleNamespace(match_id=match.rstrip("!"), number=at, over=match.endswith("!"))
        return self.last


@pytest.mark.parametrize(
    ("plan", "used"),
    [
        ((("m", 5, BUSY), ("m", 6, BUSY)), 0),
        ((("m", 5, BUSY), ("m", 5, CALM), ("m", 5, CALM), ("m", 6, BUSY), ("m", 6, CALM)), 1),
        ((("m", 5, BUSY), ("m", 5, CALM), ("n", 6, BUSY), ("n", 6, CALM)), 2),
        ((("m", 5, BUSY), ("m", 5, CALM), ("m!", 6, BUSY), ("m!", 6, CALM), ("m!", 6, CALM), ("m!", 7, BUSY)), 2),
        ((("m", 5, BUSY), ("m", 5, CALM), ("m", 5 + TIDY_AFTER, BUSY), ("m", 5 + TIDY_AFTER, CALM)), 2),
    ],
)
def test_a_quiet_moment_is_used_once_a_match_at_its_end_and_after_many_changes(
    plan: tuple[tuple[str, int, bool], ...], used: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slow tasks run at the start, once for each match, at its end and after many changes, but never during a
    change."""
    monkeypatch.setattr(watcher, "WARM_AFTER", 0)
    table, done = PlannedTable(*plan), queue.SimpleQueue[str]()
    watched = Watcher(
        table, SimpleNamespace(refresh=lambda: None), None, None, None,  # type: ignore[arg-type]
        lambda: done.put("templates"), lambda: done.put("quiet"),
    )  # fmt: skip
    table.stopped.append(watched)
    watched._watch_table()
    assert [done.get() for _ in range(done.qsize())] == ["templates", "quiet", *["quiet"] * used]


class Knot:
    """An object that refers to itself, so that only the garbage collector can free it."""

    def __init__(self) -> None:
        self.itself = self


def test_what_is_kept_is_looked_through_again_at_the_next_quiet_moment() -> None:
    """Objects of a match that is gone are freed at the next quiet moment, and not before."""
    usual = gc.get_threshold()
    try:
        knot = Knot()
        there = weakref.ref(knot)
        keep_all()
        assert gc.get_threshold() == COLLECT_AFTER
        del knot
        gc.collect()
        assert there() is not None
        keep_all()
        assert there() is None
    finally:
        gc.set_threshold(*usual)
