"""What the table shows and answers: frozen records that any thread may read. Knows no thread itself."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Game, Refusal, Seat, Setup, State
from companion.match.diff import Difference
from companion.match.history import AmendConflict, HistoryEntry, Judged, SeatFreed, SeatTaken
from companion.mechanics.money import Ledger
from companion.table.sight_records import SightState


class TableAnswer(msgspec.Struct, frozen=True):
    """What became of a proposal. `seq` is the match's last record now.

    `stale`: the page no longer showed what the table asks; `changes` are the events that it had not seen.
    `outcome` says what an amendment changed, or why it cannot be.
    """

    accepted: bool
    seq: int = 0
    refusal: Refusal | None = None
    stale: bool = False
    changes: tuple[HistoryEntry, ...] = ()
    outcome: Difference | AmendConflict | None = None


class UndoRequest(msgspec.Struct, frozen=True):
    """Somebody asks to go back to record `to`, past something that was turned up; `agreed` have said yes."""

    to: int
    by: str
    agreed: tuple[Seat, ...]


class Snapshot(msgspec.Struct, frozen=True):
    """The table at one moment. `number` grows with every change of anything, `seq` is the match's last record.

    Without a match on the table `match_id` is empty and `game`, `setup`, `state` and `ledger` are None.
    `seed` is empty until the match is over. `last_move` is the record to rewind to for taking back one move.
    """

    number: int
    match_id: str = ""
    seq: int = 0
    game: Any = None
    setup: Setup | None = None
    state: State[Any] | None = None
    entries: tuple[HistoryEntry, ...] = ()
    ledger: Ledger | None = None
    started: str = ""
    paused: bool = False
    undo: UndoRequest | None = None
    can_redo: bool = False
    last_move: int | None = None
    seed: str = ""
    findings: tuple[str, ...] = ()
    verdicts: tuple[Judged, ...] = ()
    """The referee's last verdicts, the latest last."""
    ready: tuple[Seat, ...] = ()
    """The seats that are ready for their fists to open."""
    sight: SightState = SightState()
    """What the camera's eye took, asks, and cannot explain."""
    devices: tuple[tuple[int, SeatFreed | SeatTaken], ...] = ()
    """Seats that were freed and taken again, each with the number of its record, in order."""
    veiled: frozenset[Seat] = frozenset()
    """The seats whose device may not read what lies sealed from them: another device put it there."""
    opened: bool = False
    """The signal to open the fists has been given, and the table waits for the amounts."""

    def view(self, seat: Seat | None) -> Any:
        """Return what the device of a seat (None: everybody) may know now."""
        game: Game[Any] = self.game
        assert self.state is not None
        return game.veiled_view(self.state, seat) if seat in self.veiled else game.view(self.state, seat)

    def freed_at(self, seat: Seat | None) -> int:
        """Return the number of the record that freed a seat last, 0 where none did."""
        return max((seq for seq, body in self.devices if isinstance(body, SeatFreed) and body.seat == seat), default=0)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state is not None and self.state.over
