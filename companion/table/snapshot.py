"""The table's display and its answers: frozen records that any thread may read."""

from __future__ import annotations

from zlib import crc32

import msgspec
from msgspec.structs import replace

from companion.engine import AnyGame, AnySeenGame, AnyState, Refusal, Seat, Setup, Timing, View, seen
from companion.journal.held import Held
from companion.match.actor import Actor
from companion.match.diff import Difference
from companion.match.history import AmendConflict, HistoryEntry, SeatFreed, SeatTaken, TakenBack
from companion.mechanics.money import Ledger
from companion.referee.pace import USUAL, Pace
from companion.referee.verdict import Judged
from companion.table.ending import Over, Telling
from companion.table.sight_records import SightState
from companion.table.take_back import OwnMove


class TableAnswer(msgspec.Struct, frozen=True):
    """The answer to a request. `seq` is the match's current last record.

    `stale` means that the page was outdated; `changes` are the events that it did not show yet. `outcome` gives an
    amendment's changes, or why it is impossible.
    """

    accepted: bool
    seq: int = 0
    refusal: Refusal | None = None
    stale: bool = False
    changes: tuple[HistoryEntry, ...] = ()
    outcome: Difference | AmendConflict | None = None


class UndoRequest(msgspec.Struct, frozen=True):
    """A request to go back to record `to`, before something was revealed. The seats in `agreed` have consented."""

    to: int
    by: Actor
    agreed: tuple[Seat, ...]


class Snapshot(msgspec.Struct, frozen=True):
    """The table at one moment. `number` grows with every change, `seq` is the match's last record.

    Without a match on the table, `match_id` is empty and `match_game`, `setup`, `state` and `ledger` are None. `seed`
    is empty until the match is over. Rewinding to record `last_move` takes back one move.
    """

    number: int
    match_id: str = ""
    seq: int = 0
    match_game: AnyGame | None = None
    setup: Setup | None = None
    state: AnyState | None = None
    entries: tuple[HistoryEntry, ...] = ()
    ledger: Ledger | None = None
    started: str = ""
    paused: bool = False
    undo: UndoRequest | None = None
    can_redo: bool = False
    last_move: int | None = None
    seed: str = ""
    findings: tuple[str, ...] = ()
    unsaved: Held = ""
    """Why the journal accepts no writes now, so that every move is refused; empty if it does."""
    verdicts: tuple[Judged, ...] = ()
    """The referee's last verdicts, the latest last."""
    ready: tuple[Seat, ...] = ()
    """The seats ready for their fists to open."""
    sight: SightState = SightState()
    """The camera's accepted events, questions and mismatches."""
    devices: tuple[tuple[int, SeatFreed | SeatTaken], ...] = ()
    """Seats freed and taken again, each with its record number, in order."""
    advised: tuple[tuple[int, Seat], ...] = ()
    """Who asked for advice, each with the record number, in order."""
    veiled: frozenset[Seat] = frozenset()
    """Seats whose current device must not show their sealed bids or cards, since another device sealed them."""
    own_move: OwnMove | None = None
    """The move that its seat may take back for a few seconds; only that seat's page shows it."""
    taken_back: tuple[TakenBack, ...] = ()
    """The moves that seats have taken back, the latest last."""
    redo_lost: str = ""
    """Why the last undo cannot be reversed: `revealed` or `corrected`; empty if it can, or if play has continued."""
    begun_as: Setup | None = None
    """The setup with the original names: somebody may have been renamed since."""
    amended: frozenset[int] = frozenset()
    """The records whose events the host has replaced."""
    pace: Pace = USUAL
    """How long the referee waits."""
    at: int = 0
    """When the snapshot was made, in nanoseconds of CLOCK_MONOTONIC: before any cue or page showed it."""

    telling: Telling | None = None
    """The times of telling a finished match's end; None during play and after the end was told."""

    @property
    def game(self) -> AnyGame:
        """The match's game; there must be a match on the table."""
        assert self.match_game is not None, "no match is on the table"
        return self.match_game

    @property
    def seen_game(self) -> AnySeenGame:
        """The match's game; there must be a match on the table that a camera can follow."""
        game = self.game
        assert seen(game), "no camera can follow this game"
        return game

    @property
    def timing(self) -> Timing | None:
        """The present meaning of a button press; None between games, during a pause, or if nothing can be saved."""
        state = self.state
        stands = self.paused or self.unsaved
        return None if state is None or stands or not state.agenda else state.agenda[0].timing(state.table)

    def view(self, seat: Seat | None) -> View:
        """Return the view that a seat's device may know now; None for the public view."""
        assert self.state is not None
        game = self.game
        return game.veiled_view(self.state, seat) if seat in self.veiled else game.view(self.state, seat)

    def known_as(self, seat: int | None) -> Seat | None:
        """Return the seat whose secrets its device may know; None if another device has sealed some of them."""
        return None if seat is None or seat in self.veiled else Seat(seat)

    def freed_at(self, seat: Seat | None) -> int:
        """Return the last record that freed a seat, or 0."""
        return max((seq for seq, body in self.devices if isinstance(body, SeatFreed) and body.seat == seat), default=0)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' current names in seat order; empty without a match."""
        return () if self.setup is None else tuple([player.name for player in self.setup.seated()])

    @property
    def shown_as(self) -> str:
        """A key of open pages: the match and, after a renaming, its names. Pages with another key reload."""
        if self.begun_as in (None, self.setup):
            return self.match_id
        return f"{self.match_id}.{crc32(msgspec.json.encode(self.names)):08x}"

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.telling is not None or (self.state is not None and self.state.over)

    @property
    def told(self) -> bool:
        """Whether the match has ended and everybody may know the result."""
        return self.over and self.telling is None

    def shown(self) -> Snapshot:
        """Return the public snapshot: before the end is told, the table as it was, with nothing to do."""
        if self.telling is None or self.state is None or not self.state.over or self.setup is None:
            return self
        at = len(self.entries) - 1
        while at > 0 and self.entries[at - 1].after.over:
            at -= 1
        before = self.entries[at - 1].after if at > 0 else self.game.begin(self.setup)
        state = replace(before, agenda=(Over(),), effects=())
        return replace(self, state=state, entries=self.entries[: max(at, 0)], seed="")
