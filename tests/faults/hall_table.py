"""A table of a hall as a process of its own that can be killed: programs play the match of each round to its end.

Each letter that it tells is a moment at which a kill may hurt: `m` before a match, `o` when one is over. `c` and `l`
say that the hall is there and that it is not, `f` that nothing more will be played.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.engine import Seat
from companion.hall.self_play import JOURNAL, SelfPlayingTable
from companion.journal import journal
from companion.match import match

GUESTS = ("Guest 1", "Guest 2", "Guest 3")
"""They are in no tournament: their results are recorded like any other."""
Say = Callable[[str], None]


class ResumingTable(SelfPlayingTable):
    """A table that takes up the match that it was killed in."""

    def resume(self) -> bool:
        """Have programs play on; return whether there is a match on the table."""
        setup = self.table.snapshot().setup
        for seat in range(len(setup.seated()) if setup is not None else 0):
            self._bots.sit(Seat(seat))
        return setup is not None

    def finish(self, say: Say) -> None:
        """Play the match on the table to its end, and have two seats say that its result is right."""
        while not self.act():
            self._closing.wait(self.pace_s * self._luck.uniform(0.5, 1.5))
        say("o")
        self.confirm()

    def play_rounds(self, finished: Path, say: Say) -> None:
        """Play a match for each round that the hall assigns, and guests' matches in between, until told to finish."""
        if self.resume():
            self.finish(say)
        while True:
            status = self.hall.status()
            if status.players and status.players not in {match.players for match in self.table.matches()}:
                names = status.players
            elif not finished.exists():
                names = GUESTS
            else:
                say("f")
                self._closing.wait()
            say("m")
            self.begin(names)
            self.finish(say)


def play(folder: Path, seed: int, pace_s: float, clock_off_s: float, finished: Path, say: Say) -> None:
    """Be a table until killed; its wall clock is off by so many seconds. Once there is a file, no guests come."""

    def off() -> str:
        moment = datetime.now(UTC) + timedelta(seconds=clock_off_s)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    for module in (journal, match):
        vars(module)["now"] = off
    table = ResumingTable(folder, seed, pace_s)
    member = table.hall.member
    assert member is not None and (folder / JOURNAL).exists()
    table.hall.listen(lambda: say("c" if member.connected else "l"))
    table.play_rounds(finished, say)
