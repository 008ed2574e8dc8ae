"""The line of play of a match, built from its records in order, with undo, redo and amendment.

A record is either an event of the game or a change of the line: `rewound`, `restored`, `amended`. Every former line
stays reachable: states are frozen and share their unchanged parts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice
from types import UnionType
from typing import Any, get_args

import msgspec

from companion.engine import (
    AnyGame,
    AnyState,
    Effect,
    Event,
    Moved,
    MoveRefused,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    apply,
    follow,
)
from companion.match.actor import Actor
from companion.mechanics.money import Ledger, Payment, take, tokens
from companion.referee.verdict import Judged


class Rewound(Event, frozen=True):
    """Undo: the line of play now ends at record `to`; 0 is the beginning."""

    to: int


class Restored(Event, frozen=True):
    """Redo: the line of play returns to its state after record `to`."""

    to: int


class Amended(Event, frozen=True, rename={"instead": "with"}):
    """The event of record `seq` is replaced by another; all later events are applied again."""

    seq: int
    instead: Any


class SeatFreed(SeatEvent, frozen=True):
    """The host took a seat away from its device. It does not change the line of play."""


class SeatTaken(SeatEvent, frozen=True):
    """A freed seat was taken again, on any device. It does not change the line of play."""


class SeatRenamed(SeatEvent, frozen=True):
    """The host gave the person at a seat another name. It does not change the line of play."""

    name: str


class AdviceAsked(SeatEvent, frozen=True):
    """A seat asked the companion what to do. It does not change the line of play."""


Note = Judged | SeatFreed | SeatTaken | SeatRenamed | AdviceAsked
"""A record that does not change the line of play; an undo does not touch it."""


class TakenBack(msgspec.Struct, frozen=True):
    """A move that a seat took back: record `seq`, its own last one. The line returned to record `to` with state
    `before`.

    It is derived from the seat's `Rewound`; the journal stores nothing more.
    """

    seq: int
    seat: Seat
    to: int
    before: AnyState
    entries: tuple[HistoryEntry, ...]


CONTROLS = (Rewound, Restored, Amended)
"""Records that change the line of play."""
NOTES = get_args(Note)
"""The kinds of notes."""
VERDICTS = 24
"""The number of latest verdicts to show."""


class BadRecord(ValueError):
    """A record that cannot follow; `refusal` names the violated rule, if there is one."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class Stamp(msgspec.Struct, frozen=True, gc=False):
    """The position of a record: its number from 1, its wall clock (ISO 8601), its actor and the number of its move."""

    seq: int = 0
    at: str = ""
    by: Actor = Actor.NOBODY
    move: int = 0


class HistoryEntry(msgspec.Struct, frozen=True):
    """One event of the line of play and its consequences.

    `payments` gives each `Moved` effect in tokens, in the same order. `after` is the state after the event, `ledger`
    the tokens after it.
    """

    seq: int
    at: str
    by: Actor
    move: int
    event: Event
    effects: tuple[Effect, ...]
    payments: tuple[Payment, ...]
    after: AnyState
    ledger: Ledger

    @property
    def stamp(self) -> Stamp:
        """The position of its record."""
        return Stamp(self.seq, self.at, self.by, self.move)


class HistoryNode:
    """An entry and its predecessor; the beginning has none."""

    __slots__ = ("depth", "entry", "parent")

    def __init__(self, entry: HistoryEntry, parent: HistoryNode | None) -> None:
        self.entry, self.parent = entry, parent
        self.depth: int = 0 if parent is None else parent.depth + 1


def walk_back(node: HistoryNode) -> Iterator[HistoryNode]:
    """Yield the line that ends with this node, last entry first, without the beginning."""
    here: HistoryNode | None = node
    while here is not None and here.parent is not None:
        yield here
        here = here.parent


class AmendConflict(msgspec.Struct, frozen=True):
    """The reason against an amendment: the event of record `seq` would no longer be legal."""

    seq: int
    event: Event
    refusal: Refusal


class History:
    """The line of play of one match. Add records one by one; `node` is the last entry, `nodes` all of them."""

    def __init__(self, game: AnyGame, setup: Setup) -> None:
        self.game = game
        self.begun_as = setup.recorded(game.rulings)
        """The set-up with everybody's first names."""
        self.setup = self.begun_as
        """The set-up with everybody's current names."""
        self.reader = RecordReader(game)
        state, ledger = game.begin(self.setup), starting_ledger(game, len(setup.seated()))
        start = HistoryEntry(0, "", Actor.NOBODY, 0, _BEGUN, (), (), state, ledger)
        self.root = HistoryNode(start, None)
        self.nodes: list[HistoryNode] = []
        self.ends: list[HistoryNode] = [self.root]
        """The end of the line after each record; record 0 is the beginning."""
        self.bodies: list[Event] = [_BEGUN]
        """The body of each record."""
        self.made: list[HistoryNode | None] = [self.root]
        """The entry that each record added; None for a record that only changed the line."""
        self.devices: list[tuple[int, SeatFreed | SeatTaken]] = []
        """Seats freed and taken again, each with its record number, in order."""
        self.advised: list[tuple[int, Seat]] = []
        """The seats that asked for advice, each with the record number, in order."""
        self.undone: list[int] = []
        """Records to which a redo can return, the next one last."""
        self.redo_lost = ""
        """The reason why the last undo cannot be reversed: `revealed` or `corrected`; empty if it can, or if play
        has continued."""
        self.taken_back: tuple[TakenBack, ...] = ()
        """The moves that seats took back and that are still missing from the line, the latest last."""
        self.amended: frozenset[int] = frozenset()
        """The records whose events the host has ever replaced."""
        self._verdicts: tuple[Judged, ...] = ()
        self._listed: tuple[HistoryNode, tuple[HistoryEntry, ...]] = (self.root, ())

    @property
    def node(self) -> HistoryNode:
        """The last entry of the line."""
        return self.nodes[-1] if self.nodes else self.root

    @property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """The current line of play, reusing the last result while its beginning is unchanged."""
        end, found = self._listed
        added = [*islice(walk_back(self.node), max(0, self.node.depth - end.depth))]
        if (added[-1].parent if added else self.node) is end:
            found += tuple([node.entry for node in reversed(added)])
        else:
            found = tuple([node.entry for node in self.nodes])
        self._listed = (self.node, found)
        return found

    @property
    def state(self) -> AnyState:
        """The current state of the match."""
        return self.node.entry.after

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return len(self.ends) - 1

    def at(self, seq: int) -> HistoryNode | None:
        """Return the node of a record in the current line of play, or None; the beginning for 0."""
        if seq == 0:
            return self.root
        found = bisect_left(self.nodes, seq, key=lambda node: node.entry.seq)
        return self.nodes[found] if found < len(self.nodes) and self.nodes[found].entry.seq == seq else None

    def step(self, node: HistoryNode, event: Event, stamp: Stamp, check: bool = True) -> HistoryNode:
        """Return the node that an event adds after another; with `check`, raise `MoveRefused` for an illegal event."""
        before = node.entry
        after = (apply if check else follow)(self.game, before.after, event)
        return HistoryNode(make_entry(before.ledger, after, event, stamp), node)

    def push(self, node: HistoryNode) -> None:
        """Append a node made by `step` to the line, as the next record."""
        self.nodes.append(node)
        self.ends.append(node)
        self.bodies.append(node.entry.event)
        self.made.append(node)
        self.undone.clear()
        if node.entry.by != Actor.DEALER:
            self.redo_lost = ""

    def add(self, body: Event, at: str = "", by: Actor = Actor.NOBODY, move: int = 0, *, check: bool = True) -> None:
        """Add the next record; raise `BadRecord` and change nothing if it cannot follow."""
        match body:
            case Rewound(to):
                self.rewind(to, by)
            case Restored(to):
                self.restore(to)
            case Amended(seq, instead):
                nodes = self.try_amendment(seq, instead)
                if isinstance(nodes, AmendConflict):
                    raise BadRecord(f"after it record {nodes.seq} is impossible", nodes.refusal)
                self.amend(body, nodes)
            case SeatRenamed(seat) | AdviceAsked(seat) if not 0 <= seat < len(self.setup.seated()):
                raise BadRecord(f"nobody sits at seat {seat}")
            case Judged() | SeatFreed() | SeatTaken() | SeatRenamed() | AdviceAsked():
                self.note(body)
            case _:
                try:
                    self.push(self.step(self.node, body, Stamp(self.seq + 1, at, by, move), check))
                except MoveRefused as error:
                    raise BadRecord("the rules do not allow it here", error.refusal) from error

    def rewind(self, to: int, by: Actor = Actor.NOBODY) -> None:
        """End the line at one of its earlier records."""
        node = self.at(to)
        if node is None:
            raise BadRecord(f"record {to} is not in the line of play")
        redoable = not self.reveals_after(to)
        gone = tuple([each.entry for each in self.nodes[node.depth :]])
        del self.nodes[node.depth :]
        self.taken_back = tuple([each for each in self.taken_back if self.at(each.to) is not None])
        if redoable and by.role == "seat" and by.seat is not None and self._is_own_and_open(gone, node, by):
            self.taken_back += (TakenBack(self.seq + 1, by.seat, to, node.entry.after, gone),)
        undone = [*self.undone, self.seq] if redoable else []
        self._add_control(Rewound(to), undone, "" if redoable else "revealed")

    def _is_own_and_open(self, gone: Sequence[HistoryEntry], node: HistoryNode, by: Actor) -> bool:
        """Return whether one actor made all these entries after a node, and none of them holds a secret."""
        states = [node.entry.after, *[entry.after for entry in gone]]
        secret = any(self.game.secret(was, entry.event) for was, entry in zip(states, gone, strict=False))
        return all(entry.by == by for entry in gone) and not secret

    def restore(self, to: int) -> None:
        """Restore the line to its state after an earlier record."""
        if not 0 <= to <= self.seq:
            raise BadRecord(f"there is no record {to} before this one")
        undone = self.undone[:-1] if self.undone and self.undone[-1] == to else []
        tail: list[HistoryNode] = []
        node = self.ends[to]
        while node.parent is not None and (node.depth > len(self.nodes) or self.nodes[node.depth - 1] is not node):
            tail.append(node)
            node = node.parent
        self.nodes[node.depth :] = tail[::-1]
        self.taken_back = tuple([each for each in self.taken_back if each.seq <= to])
        self._add_control(Restored(to), undone)

    def try_amendment(self, seq: int, event: Event) -> list[HistoryNode] | AmendConflict:
        """Return the line from a record on with its event replaced, or the first entry that is no longer legal."""
        old = self.at(seq) if seq else None
        if old is None or old.parent is None:
            raise BadRecord(f"record {seq} is no event in the line of play")
        node, fresh = old.parent, []
        for at, was in enumerate(self.nodes[old.depth - 1 :]):
            entry = was.entry
            applied = event if at == 0 else entry.event
            try:
                node = self.step(node, applied, entry.stamp)
            except MoveRefused as error:
                return AmendConflict(entry.seq, applied, error.refusal)
            fresh.append(node)
        return fresh

    def amend(self, body: Amended, nodes: Sequence[HistoryNode]) -> None:
        """Put the nodes that `try_amendment` returned into the line."""
        self.nodes[nodes[0].depth - 1 :] = nodes
        self.amended |= {body.seq}
        self._add_control(body, [], "corrected" if self.undone else "")

    def note(self, body: Note) -> None:
        """Add a record that does not change the line; a redo stays possible."""
        if isinstance(body, SeatRenamed):
            self.setup = renamed(self.setup, body)
        if isinstance(body, Judged):
            self._verdicts = (*self._verdicts, body)[-VERDICTS:]
        if isinstance(body, SeatFreed | SeatTaken):
            self.devices.append((self.seq + 1, body))
        if isinstance(body, AdviceAsked):
            self.advised.append((self.seq + 1, body.seat))
        self.ends.append(self.node)
        self.bodies.append(body)
        self.made.append(None)

    def verdicts(self) -> tuple[Judged, ...]:
        """Return the verdicts since the line of play last changed, the latest last."""
        return self._verdicts

    def _add_control(self, body: Event, undone: list[int], lost: str = "") -> None:
        self.ends.append(self.node)
        self.bodies.append(body)
        self.made.append(None)
        self.undone, self.redo_lost, self._verdicts = undone, lost, ()

    def reveals_after(self, to: int) -> bool:
        """Return whether record `to` is followed by a revelation that people cannot forget."""
        node = self.at(to)
        if node is None:
            return False
        return any(self.game.reveals(n.entry.event, n.entry.after) for n in self.nodes[node.depth :])

    def landing(self, to: int) -> int:
        """Return the record at which a rewind to `to` must end: earlier inside a count, or before opened bids are
        sealed again.
        """
        node = self.at(to)
        if node is None:
            return to
        if self.reveals_after(to):
            while node.parent is not None and self.game.has_sealed(node.entry.after):
                node = node.parent
        # A count starts over after an undo: the moments of its presses are lost.
        while node.parent is not None and self.game.interruption(node.entry.after, "undo") is not None:
            node = node.parent
        return node.entry.seq


def renamed(setup: Setup, body: SeatRenamed) -> Setup:
    """Return a set-up with a new name at a seat."""
    players = list(setup.seated())
    players[body.seat] = msgspec.structs.replace(players[body.seat], name=body.name)
    return msgspec.structs.replace(setup, players=tuple(players))


class _Begun(Event, frozen=True):
    """The body of record 0, before the first event."""


_BEGUN = _Begun()


def starting_ledger(game: AnyGame, players: int) -> Ledger:
    """Return the ledger at the beginning of a match."""
    bank, own = tokens(game.money), tokens({value: game.first_tokens.get(value, 0) for value in game.money})
    for _ in range(players):
        bank = take(bank, own)
    return Ledger(bank, (own,) * players)


def make_entry(ledger: Ledger, after: AnyState, event: Event, stamp: Stamp) -> HistoryEntry:
    """Return an event's entry, with the ledger after its payments."""
    effects = after.effects
    payments: tuple[Payment, ...] = ()
    for effect in effects:
        if isinstance(effect, Moved):
            ledger, payment = ledger.pay(effect.seat, effect.amount)
            payments += (payment,)
    return HistoryEntry(stamp.seq, stamp.at, stamp.by, stamp.move, event, effects, payments, after, ledger)


class RecordReader:
    """Reads the bodies of one game's records: its events, changes of the line, and notes."""

    def __init__(self, game: AnyGame) -> None:
        self._events = game.events
        self._kinds: UnionType = game.events | Rewound | Restored | Amended | Note
        self._decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(self._kinds)

    def decode(self, text: str | bytes) -> Event:
        """Return a record's body from JSON; raise `msgspec.DecodeError` for invalid text."""
        return self._complete(self._decoder.decode(text))

    def convert(self, data: object) -> Event:
        """Return a record's body from decoded JSON; raise `msgspec.ValidationError` for invalid data."""
        body: Event = msgspec.convert(data, self._kinds)
        return self._complete(body)

    def _complete(self, body: Event) -> Event:
        """Return a record's body with the event of an amendment also converted."""
        return Amended(body.seq, msgspec.convert(body.instead, self._events)) if isinstance(body, Amended) else body
