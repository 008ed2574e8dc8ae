"""The outcome of a game: its differences from the truth.

The same checks apply to each game, however it was played.
"""

from __future__ import annotations

import time
from typing import Any

from companion.demo.play_loop import PlayLoop
from companion.demo_records import PageState, own_fields, public_fields
from companion.engine import Seat
from companion.messages import SECOND
from tests.end_to_end.figures import Figures, figures, keep
from tests.end_to_end.play import PlayReport, play
from tests.end_to_end.world import BEGAN, Evening

COMPARED = {"take-a-train": ("cash", "bank", "trains", "claimed")}
"""The fields of a game's table that must agree, if not all must, because a market may lie in another order."""


def wrong(evening: Evening, playing: PlayLoop, report: PlayReport) -> tuple[str, ...]:
    """Return the names of views, table fields, scores and winners that differ from the truth; empty if none."""
    game, state, true = playing.truth.game, evening.table.snapshot().state, playing.truth.state
    if report.differs or state is None:
        return report.differs or ("match",)
    seats: dict[int, Any] = {seat: own_fields(game.view(state, Seat(seat))) for seat in playing.truth.seats}
    found = playing.truth.differs(PageState(public_fields(game.view(state, None)), seats))
    fields = COMPARED.get(evening.game, state.table.__struct_fields__)
    found += tuple([f"table.{name}" for name in fields if getattr(state.table, name) != getattr(true.table, name)])
    ends = {"scores": game.scores, "winners": game.winners}
    return found + tuple([name for name, of in ends.items() if of(state) != of(true)])


def agreed(evening: Evening, playing: PlayLoop, report: PlayReport) -> None:
    """Check that the companion's match equals the true one."""
    assert wrong(evening, playing, report) == (), (report, evening.look().odd)


def measured(evening: Evening, playing: PlayLoop, seed: int, difficulty: str) -> Figures:
    """Play to the end, store the figures and return them."""
    began = time.process_time()
    report = play(playing)
    spent, passed = time.process_time() - began, (evening.time - BEGAN) / SECOND
    differs = wrong(evening, playing, report)
    found = figures(evening.game, evening.players, difficulty, seed, report, differs, processor=spent, people=passed)
    keep(found)
    return found
