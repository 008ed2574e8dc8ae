"""A game played by programs, whole or in part, and its report."""

from __future__ import annotations

import msgspec

from companion.demo.play_loop import OutOfStep, PlayLoop


class PlayReport(msgspec.Struct, frozen=True):
    """The result of a game. `counts` is the loop's counter."""

    over: bool
    counts: dict[str, int]
    differs: tuple[str, ...] = ()
    """The fields in which the companion differs from the truth; empty if none does."""
    at: str = ""
    """The event after which the companion differed, or which was refused."""


def play(playing: PlayLoop, until: int = 1 << 30) -> PlayReport:
    """Play until the game is over, the limit of events is reached or the companion differs from the truth."""
    try:
        while not playing.truth.state.over and playing.counts["events"] < until:
            playing.step()
    except OutOfStep as error:
        return PlayReport(False, dict(playing.counts), error.differs, str(error.event))
    return PlayReport(playing.truth.state.over, dict(playing.counts))
