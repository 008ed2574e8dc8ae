"""The line of play: what a match's records say, read in order. Knows no files, clocks, threads or people.

A record is an event of the game, or it changes the line: `rewound`, `restored`, `amended`. Every line that ever was
stays reachable, for states are frozen and share what did not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from companion.engine import Event, Game, Moved, MoveRefused, Refusal, SeatEvent, Setup, State, apply, follow
from companion.match.verdict import Kind, PressMark
from companion.mechanics.money import Ledger, Payment, take, tokens


class Rewound(Event, frozen=True):
    """Undo: from now on the line of play ends at record `to`; 0 is the beginning."""

    to: int


class Restored(Event, frozen=True):
    """Redo: the line of play is again as it was after record `to`."""

    to: int


class Amended(Event, frozen=True, rename={"instead": "with"}):
    """The event of record `seq` is replaced by another one, and all after it follows anew."""

    seq: int
    instead: Any


class Judged(Event, frozen=True):
    """The referee's verdict on presses of buttons. It changes nothing in the line of play."""

    kind: Kind
    lot: str
    marks: tuple[PressMark, ...]


class SeatFreed(SeatEvent, frozen=True):
    """The host took a seat back from its device. It changes nothing in the line of play."""


class SeatTaken(SeatEvent, frozen=True):
    """A freed seat was taken again, on any device. It changes nothing in the line of play."""


CONTROLS = (Rewound, Restored, Amended)
"""Records that change the line of play."""
NOTES = (Judged, SeatFreed, SeatTaken)
"""Records that leave the line of play as it is; an undo does not touch them."""


VERDICTS = 24
"""So many of the last verdicts are shown."""


class BadRecord(ValueError):
    """A record that cannot follow; `refusal` says which rule forbids it, if it is a rule that does."""

    def __init__(self, message: str, refusal: Refusal | None = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class HistoryEntry(msgspec.Struct, frozen=True):
    """One event of the line of play, with what followed from it.

    `payments` say in tokens what each `Moved` effect says in dollars, in the same order. `after` is the state after it.
    """

    seq: int
    at: str
    by: str
    move: int
    event: Event
    effects: tuple[Any, ...]
    payments: tuple[Payment, ...]
    after: State[Any]
    ledger: Ledger


class HistoryNode:
    """An entry and the one before it. The beginning has none."""

    __slots__ = ("depth", "entry", "parent")

    def __init__(self, entry: HistoryEntry, parent: HistoryNode | None) -> None:
        self.entry, self.parent = entry, parent
        self.depth: int = 0 if parent is None else parent.depth + 1


def back(node: HistoryNode) -> Iterator[HistoryNode]:
    """Yield the entries of the line that ends with this one, last first; the beginning is none."""
    here: HistoryNode | None = node
    while here is not None and here.parent is not None:
        yield here
        here = here.parent


class AmendConflict(msgspec.Struct, frozen=True):
    """An amendment that cannot be: the event of record `seq` would have become impossible, and why."""

    seq: int
    event: Event
    refusal: Refusal


class History:
    """The line of play of one match, built by adding records. `node` is its last entry, `nodes` all of them."""

    def __init__(self, game: Game[Any], setup: Setup) -> None:
        self.game, self.setup = game, setup
        first = game.begin(setup)
        start = HistoryEntry(0, "", "", 0, _BEGUN, (), (), first, first_ledger(game, len(setup.seated())))
        self.root = HistoryNode(start, None)
        self.nodes: list[HistoryNode] = []
        self.ends: list[HistoryNode] = [self.root]
        """Where the line ended after each record, record 0 being the beginning."""
        self.bodies: list[Event] = [_BEGUN]
        """Each record's body as it was written."""
        self.made: list[HistoryNode | None] = [self.root]
        """The entry each record made when it came, None for records that only change the line."""
        self.devices: list[tuple[int, SeatFreed | SeatTaken]] = []
        """Seats that were freed and taken again, each with the number of its record, in order."""
        self.undone: list[int] = []
        """Records after which the line stood as it could be restored to, the next one last."""

    @property
    def node(self) -> HistoryNode:
        """The last entry of the line."""
        return self.nodes[-1] if self.nodes else self.root

    @property
    def entries(self) -> tuple[HistoryEntry, ...]:
        """The line of play as it is now."""
        return tuple([node.entry for node in self.nodes])

    @property
    def state(self) -> State[Any]:
        """The state of the match now."""
        return self.node.entry.after

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return len(self.ends) - 1

    def at(self, seq: int) -> HistoryNode | None:
        """Return the entry of a record if it is in the line of play now; the beginning for 0."""
        if seq == 0:
            return self.root
        low, high = 0, len(self.nodes)
        while low < high:
            middle = (low + high) // 2
            if self.nodes[middle].entry.seq < seq:
                low = middle + 1
            else:
                high = middle
        found = self.nodes[low] if low < len(self.nodes) else None
        return found if found is not None and found.entry.seq == seq else None

    def step(
        self, node: HistoryNode, event: Event, seq: int, at: str, by: str, move: int, check: bool = True
    ) -> HistoryNode:
        """Return the entry that an event makes after another; raise `MoveRefused` when it is checked and illegal."""
        before = node.entry
        after = (apply if check else follow)(self.game, before.after, event)
        return HistoryNode(entry_of(before.ledger, after, event, seq, at, by, move), node)

    def push(self, node: HistoryNode) -> None:
        """Take a new entry, made by `step`, into the line as its next record."""
        self.nodes.append(node)
        self.ends.append(node)
        self.bodies.append(node.entry.event)
        self.made.append(node)
        self.undone.clear()

    def add(self, body: Event, at: str = "", by: str = "", move: int = 0, *, check: bool = True) -> None:
        """Read the next record; raise `BadRecord` when it cannot follow, and change nothing then."""
        match body:
            case Rewound(to):
                self.rewind(body, to)
            case Restored(to):
                self.restore(body, to)
            case Amended(seq, instead):
                nodes = self.amended(seq, instead)
                if isinstance(nodes, AmendConflict):
                    raise BadRecord(f"after it record {nodes.seq} is impossible", nodes.refusal)
                self.replace(body, nodes)
            case Judged() | SeatFreed() | SeatTaken():
                self.note(body)
            case _:
                try:
                    self.push(self.step(self.node, body, self.seq + 1, at, by, move, check))
                except MoveRefused as error:
                    raise BadRecord("the rules do not allow it here", error.refusal) from error

    def rewind(self, body: Rewound, to: int) -> None:
        """End the line at an earlier record of it."""
        node = self.at(to)
        if node is None:
            raise BadRecord(f"record {to} is not in the line of play")
        redoable = not self.reveals_after(to)
        del self.nodes[node.depth :]
        undone = [*self.undone, self.seq] if redoable else []
        self._changed(body, undone)

    def restore(self, body: Restored, to: int) -> None:
        """Let the line be as it was after an earlier record."""
        if not 0 <= to <= self.seq:
            raise BadRecord(f"there is no record {to} before this one")
        undone = self.undone[:-1] if self.undone and self.undone[-1] == to else []
        tail: list[HistoryNode] = []
        node = self.ends[to]
        while node.parent is not None and (node.depth > len(self.nodes) or self.nodes[node.depth - 1] is not node):
            tail.append(node)
            node = node.parent
        self.nodes[node.depth :] = tail[::-1]
        self._changed(body, undone)

    def amended(self, seq: int, event: Event) -> list[HistoryNode] | AmendConflict:
        """Return the entries from a record on with its event replaced by another; or the first that no longer fits."""
        old = self.at(seq) if seq else None
        if old is None or old.parent is None:
            raise BadRecord(f"record {seq} is no event in the line of play")
        node, fresh = old.parent, []
        for at, was in enumerate(self.nodes[old.depth - 1 :]):
            entry = was.entry
            said = event if at == 0 else entry.event
            try:
                node = self.step(node, said, entry.seq, entry.at, entry.by, entry.move)
            except MoveRefused as error:
                return AmendConflict(entry.seq, said, error.refusal)
            fresh.append(node)
        return fresh

    def replace(self, body: Amended, nodes: Sequence[HistoryNode]) -> None:
        """Take the entries that `amended` gave into the line."""
        self.nodes[nodes[0].depth - 1 :] = nodes
        self._changed(body, [])

    def note(self, body: Judged | SeatFreed | SeatTaken) -> None:
        """Add a record that changes nothing; what can be restored stays so."""
        if isinstance(body, SeatFreed | SeatTaken):
            self.devices.append((self.seq + 1, body))
        self.ends.append(self.node)
        self.bodies.append(body)
        self.made.append(None)

    def verdicts(self) -> tuple[Judged, ...]:
        """Return the verdicts since the line of play was last changed, the latest last."""
        found: list[Judged] = []
        for body in reversed(self.bodies):
            if isinstance(body, CONTROLS) or len(found) == VERDICTS:
                break
            if isinstance(body, Judged):
                found.append(body)
        return tuple(found[::-1])

    def _changed(self, body: Event, undone: list[int]) -> None:
        self.ends.append(self.node)
        self.bodies.append(body)
        self.made.append(None)
        self.undone = undone

    def reveals_after(self, to: int) -> bool:
        """Whether anything was turned up after record `to` that cannot be unlearned."""
        node = self.at(to)
        if node is None:
            return False
        return any(self.game.reveals(n.entry.event, n.entry.after) for n in self.nodes[node.depth :])

    def landing(self, to: int) -> int:
        """Return where a rewind to record `to` must end: earlier, where opened bids would lie sealed, or in a count."""
        node = self.at(to)
        if node is None:
            return to
        if self.reveals_after(to):
            while node.parent is not None and self.game.sealed(node.entry.after):
                node = node.parent
        # A count that has been undone begins anew: its moments are gone.
        while node.parent is not None and self.game.interrupted(node.entry.after, "undo") is not None:
            node = node.parent
        return node.entry.seq


class _Begun(Event, frozen=True):
    """What stands before the first event."""


_BEGUN = _Begun()


def first_ledger(game: Game[Any], players: int) -> Ledger:
    """Return where every token lies when a match begins."""
    bank, own = tokens(game.money), tokens({value: game.first_tokens.get(value, 0) for value in game.money})
    for _ in range(players):
        bank = take(bank, own)
    return Ledger(bank, (own,) * players)


def entry_of(ledger: Ledger, after: State[Any], event: Event, seq: int, at: str, by: str, move: int) -> HistoryEntry:
    """Return an event's entry, with the ledger after all that it moved."""
    effects = after.effects
    payments: tuple[Payment, ...] = ()
    for effect in effects:
        if isinstance(effect, Moved):
            ledger, payment = ledger.pay(effect.seat, effect.amount)
            payments += (payment,)
    return HistoryEntry(seq, at, by, move, event, effects, payments, after, ledger)


@cache
def kinds(events: Any) -> Any:
    """Return the union of a game's events and the records that change the line."""
    return events | Rewound | Restored | Amended | Judged | SeatFreed | SeatTaken


def read_body(game: Game[Any], data: Any) -> Event:
    """Return a record's body from decoded JSON; raise `msgspec.ValidationError` saying what does not fit."""
    body: Event = msgspec.convert(data, kinds(game.events))
    if isinstance(body, Amended):
        instead = msgspec.convert(body.instead, game.events)
        return Amended(body.seq, instead)
    return body


def decoded(game: Game[Any], text: str | bytes) -> Event:
    """Return a record's body from JSON; raise `msgspec.DecodeError` saying what does not fit."""
    body: Event = _decoder(game.events).decode(text)
    if isinstance(body, Amended):
        return Amended(body.seq, msgspec.convert(body.instead, game.events))
    return body


@cache
def _decoder(events: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kinds(events))
