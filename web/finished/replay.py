"""A finished match step by step: the public regions of the table's page, drawn by the templates of the live table."""

from __future__ import annotations

import threading
from bisect import bisect_left

from companion.match.history import CONTROLS, VERDICTS
from companion.match.match import Match
from companion.referee.verdict import Judged
from companion.table.snapshot import Snapshot
from web.live.channels import ViewerGroup
from web.live.rendering import SceneRenderer
from web.presenters.match_log import entry_sentences
from web.presenters.scene import Occupancy, TableSurroundings

SHOWN = ("status", "ending", "play", "board", "supply", "verdict", "display", "seats", "totals")
"""The regions of a replay: all but those about devices and possible moves."""
RECENT = 48
"""The number of last entries in a step: enough to decide whether a verdict belongs to the current lot."""


class ReplayTable:
    """A stand-in for a live table that shows one step of a match."""

    def __init__(self) -> None:
        self.shown = Snapshot(0)

    def snapshot(self) -> Snapshot:
        """Return the step shown."""
        return self.shown


class Replay:
    """The steps of a match, from 0 (before the first event). Any thread may call it; steps are drawn one at a time."""

    def __init__(self, match: Match, live: SceneRenderer) -> None:
        self.match = match
        self.entries = tuple(match.entries)
        self.begun = match.game.begin(match.setup)
        self._table = ReplayTable()
        self._renderer = live.of_another_table(
            self._table, lambda snapshot: Occupancy((True,) * len(match.setup.seated())), lambda _: TableSurroundings()
        )
        self._groups: dict[str, ViewerGroup] = {}
        self._lock = threading.Lock()
        bodies = match.line.bodies
        self._judged = [at for at, body in enumerate(bodies) if isinstance(body, Judged)]
        self._controls = [at for at, body in enumerate(bodies) if isinstance(body, CONTROLS)]

    @property
    def last(self) -> int:
        """The number of the last step."""
        return len(self.entries)

    def snapshot(self, step: int) -> Snapshot:
        """Return the table at a step."""
        match, entry = self.match, self.entries[step - 1] if step else None
        return Snapshot(
            number=step + 1,
            match_id=match.id,
            seq=entry.seq if entry else 0,
            match_game=match.game,
            setup=match.setup,
            state=entry.after if entry else self.begun,
            entries=self.entries[max(0, step - RECENT) : step],
            ledger=entry.ledger if entry else match.line.root.entry.ledger,
            started=match.started,
            seed=match.seed if step == self.last else "",
            verdicts=self._verdicts(step),
        )

    def _verdicts(self, step: int) -> tuple[Judged, ...]:
        """Return the referee's verdicts up to a step, without those from before the last undo or correction."""
        end = self.entries[step].seq if step < self.last else self.match.seq + 1
        changed = bisect_left(self._controls, end)
        since = self._controls[changed - 1] if changed else 0
        found = self._judged[bisect_left(self._judged, since) : bisect_left(self._judged, end)][-VERDICTS:]
        return tuple([body for at in found if isinstance(body := self.match.line.bodies[at], Judged)])

    def regions(self, step: int, lang: str) -> dict[str, str]:
        """Return the regions at a step, by name."""
        with self._lock:
            self._table.shown = self.snapshot(step)
            scene = self._renderer.look()
            assert scene is not None
            if lang not in self._groups:
                self._groups[lang] = self._renderer.make(("shared", None, lang), {}, SHOWN)
            group = self._groups[lang]
            group.render(scene)
            return {region.name: region.html for region in group.regions}

    def sentences(self, step: int, lang: str) -> list[str]:
        """Return the last event before a step in words; empty at the beginning."""
        return entry_sentences(self.snapshot(step), self.entries[step - 1], lang) if step else []
