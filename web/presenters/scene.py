"""The content of pages at one moment: views of the match, its log in words, and the seats' occupants.

Templates get only what is here: views that leave out all secrets, and sentences. No game state reaches a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import msgspec

from companion.engine import Amounts, AnyState, Moved, PartedOffer, View
from companion.engine.board import plays_on_board
from companion.findings import Finding
from companion.games import teller_of
from companion.match.actor import Actor
from companion.mechanics.money import Payment, Tokens
from companion.referee.press_rulings import name_of_lot
from companion.table import take_back
from companion.table.table import Snapshot
from web.game_pages import pages_of
from web.presenters.board import BoardView
from web.presenters.board_moves import board_view
from web.presenters.buttons import ButtonsView, press_state
from web.presenters.camera_status import CameraStatus
from web.presenters.house_regions import HouseRegions
from web.presenters.match_log import LOG, LogLine, Teller, players_of
from web.presenters.press_timeline import PressTimeline, last_case, timeline
from web.presenters.seals import Seals, seals_of
from web.presenters.sight import SightText, sight_text
from web.presenters.taken_back import OwnMoveView, just_taken_back, with_asides
from web.presenters.token_notices import own_reason
from web.security.knocks import Knock
from web.words import package, words

AT_ONCE = ("raising", "unveiling")
"""The meanings of presses for which several seats may press at once."""
READ = 24
"""Sentences in the public log: the last ones."""


class Occupancy(msgspec.Struct, frozen=True):
    """Who sits where: `freed` seats are still free after the host freed them, `retaken` ones have been taken again."""

    taken: tuple[bool, ...] = ()
    freed: tuple[int, ...] = ()
    retaken: tuple[int, ...] = ()
    bots: tuple[int, ...] = ()
    asked: tuple[tuple[int, str], ...] = ()
    room: str = ""
    pace: str = "calm"
    """The bots' pace."""
    phones: tuple[int, ...] = ()
    """Seats with a page on a device of their own, not on the shared tablet alone."""
    tablet: tuple[int, ...] = ()
    """Seats of people without their own device, who play on the shared tablet."""
    knocks: tuple[Knock, ...] = ()
    """Newcomers waiting for the host's approval."""

    def awaited(self) -> tuple[int, ...]:
        """Return the seats without a person, a bot or a player on the shared tablet."""
        here = {*self.bots, *self.tablet}
        return tuple([seat for seat, taken in enumerate(self.taken) if not taken and seat not in here])

    def asks(self, seat: int) -> str:
        """Return the host's question to a seat, empty for none."""
        return dict(self.asked).get(seat, "")


class ShownTable(msgspec.Struct, frozen=True):
    """Public facts besides the game's public view."""

    log: tuple[LogLine, ...]
    sentences: tuple[str, ...]
    """The log's last sentences, the latest first, including moves that were taken back."""
    taken_back: str
    """The move that a seat has just taken back; empty once play has gone on."""
    paused: bool
    over: bool
    told: bool
    """Whether the end may be known; until then nothing shows the last event."""
    telling: int
    """When the ceremony of its end begins, in nanoseconds of the table's clock; 0 before that is known, and
    afterwards.
    """
    undo_by: str
    undo_seat: int | None
    """The seat that asks for the undo; None if the host or the shared tablet does."""
    undo_sentences: tuple[str, ...]
    """The moves that the undo would take back, the latest first."""
    undo_agreed: tuple[int, ...]
    can_redo: bool
    redo_lost: str
    """Why the last undo cannot be reversed: `revealed` or `corrected`; empty if it can."""
    last_move: bool
    begun: bool
    """Whether anybody has acted yet; the companion's first deal does not count."""
    seed_hash: str
    seed: str
    number: str


class LedgerView(msgspec.Struct, frozen=True):
    """Tokens if all pay as shown: the bank's if its money is public, and a seat's own for that seat only."""

    bank: Tokens
    seats: dict[int, Tokens] = {}
    debts: dict[int, int] = {}

    def owed(self, seat: int) -> int:
        """Return the bank's debt to a seat, in dollars; 0 if this viewer may not know it."""
        return self.debts.get(seat, 0)


class TableSurroundings(NamedTuple):
    """The state of buttons, camera and machine, and the plugins' values."""

    buttons: ButtonsView = ButtonsView()
    camera: CameraStatus = CameraStatus()
    threats: tuple[Finding, ...] = ()
    """Threats to the running game: too little power, a full disk."""
    of_plugins: Mapping[str, object] = {}
    """The input of plugins' regions, by name."""


NOTHING_AROUND = TableSurroundings()


class Scene:
    """One moment of the table. Made once per change; views of seats are made on first use."""

    def __init__(
        self, snapshot: Snapshot, occupancy: Occupancy, teller: Teller, surroundings: TableSurroundings = NOTHING_AROUND
    ) -> None:
        self.actual = snapshot
        self.snapshot = snapshot = snapshot.shown()
        assert snapshot.state is not None and snapshot.setup is not None
        self.occupancy = occupancy
        self.teller = teller
        self.match = snapshot.match_id
        self.shown_as = snapshot.shown_as
        self.seq = snapshot.seq
        self.view = teller.view(snapshot)
        self.press = press_state(snapshot)
        self.surroundings = surroundings
        self.house = HouseRegions(snapshot, self.view)
        self._shown: dict[str, ShownTable] = {}
        self._extras: dict[str, object] | None = None
        self._sights: dict[str, SightText] = {}
        self._boards: dict[tuple[str, int | None], BoardView | None] = {}

    def turn(self, seat: int | None) -> bool:
        """Whether the table awaits this seat, or asks it something."""
        undo = self.snapshot.undo
        if seat is None or (self.snapshot.over and undo is None):
            return False
        return (
            seat in self.view.awaited
            or seat in self.press.waiting()
            or bool(self.occupancy.asks(seat))
            or (undo is not None and seat not in undo.agreed)
        )

    def first_served(self) -> tuple[int, ...]:
        """Return the seats whose screens get news first: the one that acted, and the one awaited now.

        While several seats act at once (raising, opening fists, choosing in secret), all screens get news together.
        """
        if self.press.kind in AT_ONCE or len(self.view.awaited) > 1:
            return ()
        acted = [entry.by.seat for entry in self.snapshot.entries[-1:] if entry.by.seat is not None]
        return (*acted, *self.view.awaited)

    def verdict(self) -> PressTimeline | None:
        """Return the last verdict as a picture; None if there is none to show."""
        case = last_case(self.snapshot.verdicts)
        return None if case is None else timeline(case, is_recent(self.snapshot, case.judged.lot))

    @cached_property
    def seals(self) -> Seals | None:
        """The seals of secret bids; None if no bid can have one."""
        return seals_of(self.snapshot)

    def me(self, seat: int) -> View:
        """Return the seat's own view."""
        return self.house.me(seat)

    def board(self, lang: str, seat: int | None) -> BoardView | None:
        """Return the board, with the cells that a seat may tap; None for a game without a board."""
        if not plays_on_board(self.snapshot.game):
            return None
        if (lang, seat) not in self._boards:
            state = self.snapshot.state
            assert state is not None
            still = self.snapshot.over or self.snapshot.paused
            offers = () if seat is None or still else getattr(self.me(seat), "offers", ())
            listed = [offer for offer in offers if not offer.chance and not isinstance(offer, Amounts | PartedOffer)]
            events = [event for offer in listed for event in offer]
            self._boards[lang, seat] = board_view(
                self.snapshot.game,
                state,
                players_of(self.snapshot),
                words(lang, package(self.snapshot.game)),
                events,
                self.house.say_event(lang),
                self.snapshot.known_as(seat),
            )
        return self._boards[lang, seat]

    def may_tap(self, lang: str, seat: int | None) -> bool:
        """Whether a seat may tap a cell of the board."""
        if seat is None or not getattr(self.me(seat), "offers", ()):
            return False
        board = self.board(lang, seat)
        return board is not None and bool(board.lit)

    def extras(self) -> dict[str, object]:
        """Return the additional values of the game's regions besides the view."""
        if self._extras is None:
            assert self.snapshot.state is not None
            self._extras = dict(pages_of(self.snapshot.game).values(self.snapshot.state))
        return self._extras

    def ledger(self, seat: int | None) -> LedgerView | None:
        """Return the tokens that a seat, or everybody (None), may know of."""
        ledger = self.snapshot.ledger
        assert ledger is not None
        shown = getattr(self.view, "bank", None) is not None
        if not shown and seat is None:
            return None
        own = {} if seat is None else {seat: ledger.seats[seat]}
        debts = {} if seat is None else {seat: ledger.owed(seat)}
        return LedgerView(ledger.bank if shown else (), own, debts)

    def sight(self, lang: str) -> SightText:
        """Return the camera's entries, questions and unexplained findings, in a language."""
        if lang not in self._sights:
            snapshot = self.snapshot
            say, teller = words(lang, package(snapshot.game)), teller_of(snapshot.game)

            def lines_since(after: int) -> list[str]:
                own = [at for at, e in enumerate(snapshot.entries) if e.seq > after and e.by == Actor.CAMERA]
                return [sentence for at in own for sentence in self.teller.line(snapshot, at, 0, lang).sentences]

            self._sights[lang] = sight_text(snapshot, say, teller, lines_since)
        return self._sights[lang]

    def sight_reason(self, lang: str, seat: int) -> str:
        """Return why a seat's tokens were not accepted, for that seat only; empty for no reason."""
        snapshot = self.snapshot
        return own_reason(snapshot, seat, words(lang, package(snapshot.game)), teller_of(snapshot.game))

    def payments(self, seat: int) -> tuple[tuple[int, Payment], ...]:
        """Return the tokens of the seat's last payment, for that seat only."""
        for entry in reversed(self.snapshot.entries[-LOG:]):
            if not entry.payments:
                continue
            moves = [effect for effect in entry.effects if isinstance(effect, Moved)]
            mine = [(seat, p) for e, p in zip(moves, entry.payments, strict=True) if e.seat == seat and e.amount]
            if mine:
                return tuple(mine[-1:])
        return ()

    def own_move(self, seat: int, lang: str) -> OwnMoveView | None:
        """Return the move that this seat may take back without asking; None for other seats."""
        own = self.snapshot.own_move
        if own is None or own.seat != seat:
            return None
        lines = reversed(self.teller.after(self.snapshot, own.to, lang))
        told = " ".join([sentence for line in lines for sentence in line.sentences])
        return OwnMoveView(told, own.until, take_back.WINDOW)

    def shown_table(self, lang: str) -> ShownTable:
        """Return public facts besides the view, in a language."""
        if lang not in self._shown:
            snapshot = self.snapshot
            undo = snapshot.undo
            assert snapshot.setup is not None
            log = self.teller.log(snapshot, lang)
            self._shown[lang] = ShownTable(
                log=log,
                sentences=with_asides(self.teller, snapshot, log, lang)[:READ],
                taken_back=just_taken_back(snapshot, lang),
                paused=snapshot.paused,
                over=snapshot.over,
                told=snapshot.told,
                telling=0 if snapshot.telling is None else snapshot.telling.begins,
                undo_by=str(undo.by) if undo else "",
                undo_seat=undo.by.seat if undo else None,
                undo_sentences=self._undone(undo.to, lang) if undo else (),
                undo_agreed=undo.agreed if undo else (),
                can_redo=snapshot.can_redo,
                redo_lost=snapshot.redo_lost,
                last_move=snapshot.last_move is not None,
                begun=any(entry.by != Actor.DEALER for entry in snapshot.entries),
                seed_hash=snapshot.setup.seed_hash,
                seed=snapshot.seed,
                number=snapshot.match_id,
            )
        return self._shown[lang]

    def _undone(self, to: int, lang: str) -> tuple[str, ...]:
        """Return the events after a record in words, the latest first."""
        return tuple([each for line in self.teller.after(self.snapshot, to, lang) for each in line.sentences])


def is_recent(snapshot: Snapshot, lot: str) -> bool:
    """Whether a judged lot is still open, or nobody has acted since it closed."""
    done = 0
    for entry in reversed(snapshot.entries):
        if lot_of(entry.after) == lot:
            return True
        done += entry.by != Actor.DEALER
        if done > 1:
            break
    return False


def lot_of(state: AnyState) -> str:
    """Return the lot of the current presses, as verdicts name it; empty if presses have no meaning."""
    now = state.agenda[0].timing(state.table) if state.agenda else None
    lot = getattr(now, "lot", None)
    return "" if lot is None else name_of_lot(lot)
