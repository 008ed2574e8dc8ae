"""What is to be shown at one moment: views of the match, what happened in words, and who sits where. No pages, no HTTP.

Templates get nothing but what is here: a view built up from nothing, and told sentences. No state reaches a page.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Moved, Player, Seat, State, name_of
from companion.findings import Finding
from companion.match.actor import Actor
from companion.match.history import HistoryEntry
from companion.mechanics.money import Payment, Tokens
from companion.referee.rulings import name_of_lot
from companion.table.service import Snapshot
from web.game_pages import extras_of, teller_of
from web.presenters.buttons import ButtonsView, pressing
from web.presenters.camera_status import CameraStatus
from web.presenters.sight import SightText, sight_said
from web.presenters.verdicts import PressTimeline, case_of, picture
from web.security.knocks import Knock
from web.words import package, words

LOG, READ = 40, 24
"""Entries that the host can mend on the page itself, and sentences that everybody's log shows: the last ones."""


class LogLine(msgspec.Struct, frozen=True):
    """What everybody may hear of one entry; `number` counts public entries from 1, `at` is the wall clock.

    Records are never numbered on a page: a gap would tell that something secret happened in between.
    """

    number: int
    at: str
    amendable: bool
    sentences: tuple[str, ...]


class Lobby(msgspec.Struct, frozen=True):
    """Who sits where: seats with a person, seats the host freed, seats a bot plays, and what is asked of whom.

    `freed` seats have not been taken again, `retaken` ones have; both stay for the match.
    """

    taken: tuple[bool, ...] = ()
    freed: tuple[int, ...] = ()
    retaken: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    asked: tuple[tuple[int, str], ...] = ()
    room: str = ""
    knocks: tuple[Knock, ...] = ()
    """Newcomers who wait for the host to let them in."""

    def asks(self, seat: int) -> str:
        """Return what the host asks of a seat, empty for nothing."""
        return dict(self.asked).get(seat, "")


class ShownTable(msgspec.Struct, frozen=True):
    """What everybody may know besides the game's public view."""

    log: tuple[LogLine, ...]
    sentences: tuple[str, ...]
    paused: bool
    over: bool
    undo_by: str
    undo: tuple[LogLine, ...]
    """What would be taken back, the latest first."""
    undo_agreed: tuple[int, ...]
    can_redo: bool
    last_move: bool
    seed_hash: str
    seed: str
    number: str


class LedgerView(msgspec.Struct, frozen=True):
    """Tokens "if paid as shown": the bank's where its money is public, and a seat's own for that seat alone."""

    bank: Tokens
    seats: dict[int, Tokens] = {}
    debts: dict[int, int] = {}

    def owed(self, seat: int) -> int:
        """Return what the bank owes a seat, in dollars; nothing where that is not this viewer's to know."""
        return self.debts.get(seat, 0)


class Scene:
    """One moment of the table. Made once a change; views of seats are made when first asked for."""

    def __init__(
        self,
        snapshot: Snapshot,
        lobby: Lobby,
        teller: Teller,
        wires: ButtonsView | None = None,
        lens: CameraStatus | None = None,
        threats: tuple[Finding, ...] = (),
    ) -> None:
        assert snapshot.state is not None and snapshot.setup is not None
        self.snapshot = snapshot
        self.lobby = lobby
        self.teller = teller
        self.match = snapshot.match_id
        self.seq = snapshot.seq
        self.view = teller.view(snapshot)
        self.press = pressing(snapshot)
        self.wires = wires or ButtonsView()
        self.lens = lens or CameraStatus()
        self.threats = threats
        self.seats: dict[int, Any] = {}
        self.shown: dict[str, ShownTable] = {}
        self._extras: dict[str, Any] | None = None
        self._sights: dict[str, SightText] = {}

    def turn(self, seat: int | None) -> bool:
        """Whether the table waits for this seat, or asks it something."""
        if seat is None or self.snapshot.over:
            return False
        undo = self.snapshot.undo
        return (
            seat in self.view.awaited
            or seat in self.press.waiting()
            or bool(self.lobby.asks(seat))
            or (undo is not None and seat not in undo.agreed)
        )

    def verdict(self) -> PressTimeline | None:
        """Return the last verdict as a picture, None where there is nothing to see."""
        case = case_of(self.snapshot.verdicts)
        return None if case is None else picture(case, fresh(self.snapshot, case.judged.lot))

    def me(self, seat: int) -> Any:
        """Return the seat's own view."""
        if seat not in self.seats:
            self.seats[seat] = self.snapshot.view(Seat(seat))
        return self.seats[seat]

    def extras(self) -> dict[str, Any]:
        """Return what the game's regions know besides the view."""
        if self._extras is None:
            assert self.snapshot.state is not None
            self._extras = extras_of(self.snapshot.game).extras(self.snapshot.state)
        return self._extras

    def ledger(self, seat: int | None) -> LedgerView | None:
        """Return the tokens that a seat (None: everybody) may know of."""
        ledger = self.snapshot.ledger
        assert ledger is not None
        shown = getattr(self.view, "bank", None) is not None
        if not shown and seat is None:
            return None
        own = {} if seat is None else {seat: ledger.seats[seat]}
        debts = {} if seat is None else {seat: ledger.owed(seat)}
        return LedgerView(ledger.bank if shown else (), own, debts)

    def sight(self, lang: str) -> SightText:
        """Return what the camera's eye took, asks and cannot explain, in a language."""
        if lang not in self._sights:
            snapshot = self.snapshot
            say, teller = words(lang, package(snapshot.game)), teller_of(snapshot.game)

            def taken(after: int) -> list[str]:
                own = [at for at, e in enumerate(snapshot.entries) if e.seq > after and e.by == Actor.CAMERA]
                return [sentence for at in own for sentence in self.teller.line(snapshot, at, 0, lang).sentences]

            self._sights[lang] = sight_said(snapshot, say, teller, taken)
        return self._sights[lang]

    def payments(self, seat: int) -> tuple[tuple[int, Payment], ...]:
        """Return how the seat's last payment is handed over, for that seat alone."""
        for entry in reversed(self.snapshot.entries[-LOG:]):
            moves = [effect for effect in entry.effects if isinstance(effect, Moved)]
            mine = [(seat, p) for e, p in zip(moves, entry.payments, strict=True) if e.seat == seat and e.amount]
            if mine:
                return tuple(mine[-1:])
        return ()

    def told(self, lang: str) -> ShownTable:
        """Return what everybody may know besides the view, in a language."""
        if lang not in self.shown:
            snapshot = self.snapshot
            undo = snapshot.undo
            assert snapshot.setup is not None
            log = self.teller.log(snapshot, lang)
            self.shown[lang] = ShownTable(
                log=log,
                sentences=tuple([sentence for line in log for sentence in reversed(line.sentences)][:READ]),
                paused=snapshot.paused,
                over=snapshot.over,
                undo_by=str(undo.by) if undo else "",
                undo=self.teller.after(snapshot, undo.to, lang) if undo else (),
                undo_agreed=undo.agreed if undo else (),
                can_redo=snapshot.can_redo,
                last_move=snapshot.last_move is not None,
                seed_hash=snapshot.setup.seed_hash,
                seed=snapshot.seed,
                number=snapshot.match_id,
            )
        return self.shown[lang]


class Teller:
    """Words for the entries of the match on the table, each told once. Used under the hub's lock."""

    def __init__(self) -> None:
        self.match = ""
        self.seen: dict[int, tuple[HistoryEntry, bool]] = {}
        self.lines: dict[tuple[int, str, bool], tuple[HistoryEntry, LogLine]] = {}
        self.told: tuple[HistoryEntry, ...] = ()
        self.placed: list[int] = []
        """Where in the line of play, as last told, the public entries are."""
        self.viewed: tuple[object, Any] = (None, None)

    def view(self, snapshot: Snapshot) -> Any:
        """Return the public view of a snapshot's state, made once."""
        if self.viewed[0] is not snapshot.state:
            self.viewed = (snapshot.state, snapshot.game.view(snapshot.state, None))
        return self.viewed[1]

    def log(self, snapshot: Snapshot, lang: str, most: int = LOG) -> tuple[LogLine, ...]:
        """Return what happened last, the latest first."""
        found: list[LogLine] = []
        places = self.places(snapshot)
        for number in range(len(places), 0, -1):
            if len(found) == most:
                break
            line = self.line(snapshot, places[number - 1], number, lang)
            if line.sentences:
                found.append(line)
        return tuple(found)

    def after(self, snapshot: Snapshot, seq: int, lang: str) -> tuple[LogLine, ...]:
        """Return what happened after a record, the latest first."""
        count = sum(snapshot.entries[at].seq > seq for at in self.places(snapshot))
        return self.log(snapshot, lang, count) if count else ()

    def places(self, snapshot: Snapshot) -> list[int]:
        """Return where in the line of play the entries are that everybody could see."""
        if snapshot.match_id != self.match:
            self.match = snapshot.match_id
            self.seen.clear()
            self.lines.clear()
            self.told = ()
            self.placed = []
        entries, told = snapshot.entries, self.told
        if told and not (len(told) <= len(entries) and entries[len(told) - 1] is told[-1]):
            told = ()  # the line of play was changed: an entry that stays has all before it unchanged
            self.placed.clear()
        self.placed += [at for at in range(len(told), len(entries)) if self.public(snapshot, at)]
        self.told = entries
        return self.placed

    def public(self, snapshot: Snapshot, at: int) -> bool:
        """Whether anybody could see the entry: else not even that it happened is told (a fist closed anew)."""
        entries = snapshot.entries
        entry = entries[at]
        known = self.seen.get(entry.seq)
        if known is None or known[0] is not entry:
            game = snapshot.game
            assert snapshot.setup is not None
            before = entries[at - 1].after if at else game.begin(snapshot.setup)
            known = self.seen[entry.seq] = (entry, game.view(before, None) != game.view(entry.after, None))
        return known[1]

    def line(self, snapshot: Snapshot, at: int, number: int, lang: str) -> LogLine:
        """Return an entry's line, told anew only when the amounts are to be left out."""
        entry, before = snapshot.entries[at], snapshot.entries[at - 1] if at else None
        assert snapshot.state is not None
        hide = extras_of(snapshot.game).hides(snapshot.state, (before or entry).after)
        key = (entry.seq, lang, hide)
        known = self.lines.get(key)
        if known is None or known[0] is not entry or known[1].number != number:
            line = LogLine(number, entry.at, editable(snapshot, entry), tuple(sentences(snapshot, entry, lang, hide)))
            known = self.lines[key] = (entry, line)
        return known[1]


def fresh(snapshot: Snapshot, lot: str) -> bool:
    """Whether a lot that was judged is still open, or nobody has done anything since it was closed."""
    done = 0
    for entry in reversed(snapshot.entries):
        if lot_of(entry.after) == lot:
            return True
        done += entry.by != Actor.DEALER
        if done > 1:
            break
    return False


def lot_of(state: State[Any]) -> str:
    """Return the lot for which presses meant something, as verdicts name it; empty where they meant nothing."""
    now = state.agenda[0].timing(state.table) if state.agenda else None
    lot = getattr(now, "lot", None)
    return "" if lot is None else name_of_lot(lot)


def editable(snapshot: Snapshot, entry: HistoryEntry) -> bool:
    """Whether an event of the log can be put right: one that the game lists, and that the dealer did not draw."""
    return name_of(entry.event) in extras_of(snapshot.game).AMENDABLE and entry.by != Actor.DEALER


def table_of(snapshot: Snapshot) -> Any:
    """Return the game's record of the table, on which names of cards may depend."""
    assert snapshot.state is not None
    return snapshot.state.table


def players_of(snapshot: Snapshot) -> tuple[Player, ...]:
    """Return the players in seat order."""
    assert snapshot.setup is not None
    return snapshot.setup.seated()


def sentences(snapshot: Snapshot, entry: HistoryEntry, lang: str, hide: bool = False) -> list[str]:
    """Return what everybody may hear of an entry."""
    return teller_of(snapshot.game).tell(
        entry.event,
        entry.effects,
        players_of(snapshot),
        words(lang, package(snapshot.game)),
        hide,
        table_of(snapshot),
    )
