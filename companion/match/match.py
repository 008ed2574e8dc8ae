"""A match: its journal and its line of play, always in step. Knows no threads and no people.

Whatever happens is ruled on first, then written durably, and only then true.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.engine import Event, Game, MoveRefused, Refusal, Setup, State
from companion.games import GAMES
from companion.journal.journal import Journal, Record, now
from companion.match.chance import DEALER, Dealer, hashed, new_seed
from companion.match.diff import Difference, difference
from companion.match.history import (
    AmendConflict,
    Amended,
    BadRecord,
    History,
    HistoryEntry,
    HistoryNode,
    Judged,
    Restored,
    Rewound,
    SeatFreed,
    SeatTaken,
    back,
    decoded,
)
from companion.mechanics.money import Ledger

__all__ = ["AmendConflict", "Difference", "HistoryEntry", "Match", "MatchError"]


REFEREE = "referee"
"""Who writes verdicts."""


class MatchError(ValueError):
    """A match that cannot be opened; the message says which and why."""


class Match:
    """One match. Begin one with `Match.begin`, open one that the journal holds with `Match.open`.

    The one mutable object of a game: use it in the journal's thread.
    """

    def __init__(self, journal: Journal, match_id: str, line: History, seed: str, started: str) -> None:
        self.journal = journal
        self.id = match_id
        self.line = line
        self.seed = seed
        self.started = started
        self.dealer = Dealer(line.game, line.setup, seed)
        self.clock: Callable[[], str] = now
        self._moves = max((node.entry.move for node in line.nodes), default=0)
        self.keeps: Callable[[Sequence[HistoryNode], bool], Mapping[str, bytes]] | None = None
        """Asked for what is to be kept besides, in the commit that makes these entries (True: the whole line anew)."""

    @classmethod
    def begin(cls, journal: Journal, setup: Setup, seed: str | None = None) -> Match:
        """Begin a match and write its header; raise `BadSetup` for one that cannot be played."""
        game = game_of(setup)
        seed = new_seed() if seed is None else seed
        deals = setup.deck == "dealt"
        setup = msgspec.structs.replace(game.resolved(setup), seed_hash=hashed(seed) if deals else "")
        line = History(game, setup)
        at = now()
        match = cls(journal, journal.create(setup, seed if deals else "", at), line, seed if deals else "", at)
        match._write("")
        return match

    @classmethod
    def open(cls, journal: Journal, match_id: str) -> Match:
        """Open a match that the journal holds."""
        header = journal.header(match_id)
        line = History(game_of(header.setup), header.setup)
        moves = 0
        for record in journal.records(match_id):
            try:
                line.add(decoded(line.game, record.body), record.at, record.by, record.move, check=False)
            except (BadRecord, msgspec.DecodeError) as error:
                raise MatchError(f"Match {match_id}, record {record.seq} cannot be read: {error}.") from error
            except Exception as error:  # whatever a rule says of an event that it would never have let in
                raise MatchError(f"Match {match_id}, record {record.seq} does not fit the rules: {error}.") from error
            moves = record.move
        match = cls(journal, match_id, line, header.seed, header.started)
        match._moves = moves
        return match

    @property
    def game(self) -> Game[Any]:
        """The rules it is played by."""
        return self.line.game

    @property
    def setup(self) -> Setup:
        """How it was set up, the whole catalogue in it."""
        return self.line.setup

    @property
    def state(self) -> State[Any]:
        """The state now."""
        return self.line.state

    @property
    def seq(self) -> int:
        """The number of the last record."""
        return self.line.seq

    @property
    def entries(self) -> Sequence[HistoryEntry]:
        """The line of play."""
        return self.line.entries

    @property
    def ledger(self) -> Ledger:
        """Where each token lies if all was paid as shown."""
        return self.line.node.entry.ledger

    def reveals_after(self, to: int) -> bool:
        """Whether something was turned up after record `to` that cannot be unlearned."""
        return self.line.reveals_after(to)

    def last_move(self) -> int | None:
        """Return the record to rewind to in order to take back the last move, None when there is none."""
        nodes = self.line.nodes
        if not nodes:
            return None
        at = len(nodes) - 1
        while at and nodes[at - 1].entry.move == nodes[at].entry.move:
            at -= 1
        return nodes[at - 1].entry.seq if at else 0

    @property
    def can_redo(self) -> bool:
        """Whether the last undo can be taken back."""
        return bool(self.line.undone)

    # --- what may be done -------------------------------------------------------------------------

    def propose(self, event: Event, by: str, *more: Event) -> Refusal | None:
        """Let events happen, and what chance brings after them, in one durable commit; or nothing.

        Raises `JournalError` when it cannot be written.
        """
        try:
            self._write(by, event, *more)
        except MoveRefused as error:
            return error.refusal
        return None

    def judge(self, judged: Judged, by: str, *events: Event) -> Refusal | None:
        """Write a verdict of the referee, with the events it led to, in one durable commit; or nothing."""
        try:
            self._write(by, *events, judged=judged)
        except MoveRefused as error:
            return error.refusal
        return None

    def note(self, body: SeatFreed | SeatTaken, by: str, keep: Mapping[str, bytes | None]) -> None:
        """Write that a seat was freed or taken again, and what is kept of it, in one durable commit."""
        self.journal.append(
            self.id, [Record(self.seq + 1, self.clock(), by, self._moves + 1, text_of(body))], keep=keep
        )
        self._moves += 1
        self.line.note(body)

    def draw(self, by: str) -> Refusal | None:
        """Let chance decide now what a person sets off (a token drawn), where the companion deals."""
        event = self.dealer.asked(self.state, self.seq + 1)
        if event is None:
            return Refusal("R-00", "nothing_to_draw")
        return self.propose(event, by)

    def rewind(self, to: int, by: str) -> Refusal | None:
        """Undo: go back to record `to`, or further where opened bids would lie sealed again."""
        if self.line.at(to) is None:
            return Refusal("R-00", "no_such_record", {"seq": to})
        now = self.line.node.entry.seq
        if to == now or (to := self.line.landing(to)) == now:
            return Refusal("R-00", "nothing_to_undo")
        body = Rewound(to)
        node = self.line.at(to)
        assert node is not None
        self._control(body, by, node, lambda: self.line.rewind(body, to))
        return None

    def redo(self, by: str) -> Refusal | None:
        """Take back the last undo."""
        if not self.can_redo:
            return Refusal("R-00", "nothing_to_redo")
        body = Restored(self.line.undone[-1])
        self._control(body, by, self.line.ends[body.to], lambda: self.line.restore(body, body.to), deal=False)
        return None

    def amend(self, seq: int, event: Event, by: str, *, only_ask: bool = False) -> Difference | AmendConflict:
        """Replace the event of an old record and let all after it follow anew; or say what would be impossible.

        `only_ask`: say what would change, and change nothing.
        """
        try:
            nodes = self.line.amended(seq, event)
        except BadRecord as error:
            return AmendConflict(seq, event, Refusal("R-00", "no_such_record", {"seq": seq, "why": str(error)}))
        if isinstance(nodes, AmendConflict):
            return nodes
        old, before = self.line.at(seq), self.state
        assert old is not None
        body = Amended(seq, event)
        found = difference(self.game, seq, old.entry.event, event, before, nodes[-1].entry.after)
        if not only_ask:
            self._control(body, by, nodes[-1], lambda: self.line.replace(body, nodes))
        return found

    # --- writing ----------------------------------------------------------------------------------

    def _write(self, by: str, *events: Event, judged: Judged | None = None) -> None:
        """Write events and what chance brings after them; raise `MoveRefused` and change nothing for an illegal one."""
        at, move = self.clock(), self._moves + 1
        nodes = self._chain(self.line.node, self.seq + 1, events, at, by, move)
        if not nodes and judged is None:
            return
        records = [_record(node.entry) for node in nodes]
        if judged is not None:
            records.append(Record(self.seq + 1 + len(nodes), at, REFEREE, move, text_of(judged)))
        over, was = (nodes[-1] if nodes else self.line.node).entry.after.over, self.state.over
        keep = self.keeps(nodes, False) if self.keeps else None
        self.journal.append(self.id, records, ended=over if over != was else None, keep=keep)
        self._moves = move
        for node in nodes:
            self.line.push(node)
        if judged is not None:
            self.line.note(judged)

    def _chain(
        self, node: HistoryNode, seq: int, events: Sequence[Event], at: str, by: str, move: int
    ) -> list[HistoryNode]:
        """Return the entries that events make one after another, and chance's after them."""
        nodes: list[HistoryNode] = []
        for event in events:
            node = self.line.step(node, event, seq + len(nodes), at, by, move)
            nodes.append(node)
        while (event_ := self.dealer.follows(node.entry.after, seq + len(nodes))) is not None:
            node = self.line.step(node, event_, seq + len(nodes), at, DEALER, move)
            nodes.append(node)
        return nodes

    def _control(self, body: Event, by: str, end: HistoryNode, change: Callable[[], None], deal: bool = True) -> None:
        """Write a record that changes the line, and what chance brings after it, then change the line."""
        at, move, seq = self.clock(), self._moves + 1, self.seq + 1
        nodes = self._chain(end, seq + 1, (), at, by, move) if deal else []
        records = [Record(seq, at, by, move, text_of(body)), *(_record(node.entry) for node in nodes)]
        over, was = (nodes[-1] if nodes else end).entry.after.over, self.state.over
        keep = self.keeps([*back(nodes[-1] if nodes else end)][::-1], True) if self.keeps else None
        self.journal.append(self.id, records, ended=over if over != was else None, keep=keep)
        self._moves = move
        change()
        for node in nodes:
            self.line.push(node)


def game_of(setup: Setup) -> Game[Any]:
    """Return the game of a setup."""
    game = GAMES.get(setup.game)
    if game is None:
        raise MatchError(f"There is no game called {setup.game!r}: choose one of {', '.join(GAMES)}.")
    return game


def text_of(body: Event) -> str:
    """Return a record's body as JSON."""
    return msgspec.json.encode(body).decode()


def _record(entry: HistoryEntry) -> Record:
    return Record(entry.seq, entry.at, entry.by, entry.move, text_of(entry.event))
