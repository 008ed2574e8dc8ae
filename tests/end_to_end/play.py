"""A game as programs play it, to its end or a part of it, and how it went."""

from __future__ import annotations

import msgspec

from companion.demo.play_loop import OutOfStep, PlayLoop


class PlayReport(msgspec.Struct, frozen=True):
    """The result of a game. `counts` is the loop's."""

    over: bool
    counts: dict[str, int]
    differs: tuple[str, ...] = ()
    """The fields in which an out-of-step companion differs from the truth; empty: it never was out of step."""
    at: str = ""
    """The event after which it was out of step, or which was refused."""


def play(playing: PlayLoop, until: int = 1 << 30) -> PlayReport:
    """Play until the game is over, or so many events have happened, or the companion is out of step."""
    try:
        while not playing.truth.state.over and playing.counts["events"] < until:
            playing.step()
    except OutOfStep as error:
        return PlayReport(False, dict(playing.counts), error.differs, str(error.event))
    return PlayReport(playing.truth.state.over, dict(playing.counts))
