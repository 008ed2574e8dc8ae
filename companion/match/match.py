"""One match: its journal and its line of play, always in step.

Every event is checked by the rules, then written durably, and only then takes effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from companion.engine import (
    AnyGame,
    AnyState,
    BadSetup,
    Event,
    MoveRefused,
    Refusal,
    Seat,
    Setup,
    layout_for,
    seen,
)
from companion.games import GAMES, package_of, reason
from companion.journal.journal import PLAYERS, Journal, JournalError, Record, now
from companion.match.actor import Actor
from companion.match.chance import Dealer, hash_seed, new_seed
from companion.match.diff import Difference, compare_states
from companion.match.history import (
    AdviceAsked,
    AmendConflict,
    Amended,
    BadRecord,
    History,
    HistoryEntry,
    HistoryNode,
    Restored,
    Rewound,
    SeatFreed,
    SeatRenamed,
    SeatTaken,
    Stamp,
    renamed,
    walk_back,
)
from companion.mechanics.money import Ledger
from companion.referee.verdict import Judged

__all__ = ["AmendConflict", "Difference", "HistoryEntry", "Match", "MatchError"]

Keeper = Callable[[Sequence[HistoryNode], bool], Mapping[str, bytes]]
"""Returns further values to store, by key, in the commit that adds these nodes; True: the whole line was rebuilt."""


class MatchError(ValueError):
    """A match that cannot be opened; the message names it and gives the reason."""


@contextmanager
def own_faults(game: AnyGame) -> Iterator[None]:
    """Turn any error of a game's own code into a `MatchError` that names file and line."""
    try:
        yield
    except (BadSetup, JournalError, MatchError):
        raise
    except Exception as error:
        raise MatchError(f"{game.name} fails: {reason(error, package_of(game))}") from error


class Match:
    """One match. Start one with `Match.begin`, or open one from the journal with `Match.open`.

    A match is the only mutable object of a game; use it in the journal's thread.
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
        self.keeps: Keeper | None = None
        """Called in every commit for further values to store."""

    @classmethod
    def begin(cls, journal: Journal, setup: Setup, seed: str | None = None) -> Match:
        """Start a match and write its header; raise `BadSetup` for an unplayable set-up."""
        with own_faults(game := game_of(setup)):
            seed = new_seed() if seed is None else seed
            deals = setup.deck == "dealt"
            setup = msgspec.structs.replace(game.resolve_setup(setup), seed_hash=hash_seed(seed) if deals else "")
            if game.rulings:
                setup = msgspec.structs.replace(setup, rulings=setup.held(game.rulings))
            line = History(game, setup)
            at = now()
            match = cls(journal, journal.create(setup, seed if deals else "", at), line, seed if deals else "", at)
            match._write(Actor.NOBODY)
        return match

    @classmethod
    def open(cls, journal: Journal, match_id: str, check: bool = False) -> Match:
        """Open a match from the journal; with `check`, the rules check again whether each event was legal."""
        header = journal.header(match_id)
        game = game_of(header.setup)
        try:
            with own_faults(game):
                line = History(game, header.setup)
        except BadSetup as error:
            raise MatchError(
                f"Match {match_id} cannot begin by these rules: {error.message} ({error.refusal.rule})"
            ) from error
        moves = 0
        for record in journal.records(match_id):
            try:
                line.add(line.reader.decode(record.body), record.at, Actor.parse(record.by), record.move, check=check)
            except (BadRecord, msgspec.DecodeError) as error:
                raise MatchError(f"Match {match_id}, record {record.seq} cannot be read: {error}.") from error
            except Exception as error:  # rules may fail in any way on an event they would have refused
                raise MatchError(f"Match {match_id}, record {record.seq} does not fit the rules: {error}.") from error
            moves = record.move
        match = cls(journal, match_id, line, header.seed, header.started)
        match._moves = moves
        return match

    def require_view(self) -> None:
        """Raise `MatchError` if the game's own code fails to return its views or layouts."""
        with own_faults(self.game):
            for seat in (None, *map(Seat, range(len(self.setup.seated())))):
                self.game.view(self.state, seat)
                if seen(self.game):
                    layout_for(self.game, self.state, seat)

    @property
    def game(self) -> AnyGame:
        """The rules of its game."""
        return self.line.game

    @property
    def setup(self) -> Setup:
        """Its set-up, with the whole catalogue and everybody's current names."""
        return self.line.setup

    @property
    def state(self) -> AnyState:
        """The current state."""
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
        """The position of every token if all payments were made as shown."""
        return self.line.node.entry.ledger

    def reveals_after(self, to: int) -> bool:
        """Return whether record `to` is followed by a revelation that people cannot forget."""
        return self.line.reveals_after(to)

    def last_move(self) -> int | None:
        """Return the record to rewind to when taking back the last move, or None."""
        nodes = self.line.nodes
        if not nodes:
            return None
        at = len(nodes) - 1
        while at and nodes[at - 1].entry.move == nodes[at].entry.move:
            at -= 1
        return nodes[at - 1].entry.seq if at else 0

    @property
    def can_redo(self) -> bool:
        """Whether the last undo can be reversed."""
        return bool(self.line.undone)

    # --- playing ----------------------------------------------------------------------------------

    def propose(self, event: Event, by: Actor, *more: Event) -> Refusal | None:
        """Apply events and the chance that follows them in one durable commit, or return why nothing was changed.

        Raises `JournalError` if the journal cannot be written.
        """
        try:
            self._write(by, event, *more)
        except MoveRefused as error:
            return error.refusal
        return None

    def judge(self, judged: Judged, by: Actor, *events: Event) -> Refusal | None:
        """Write a referee's verdict and the events it caused in one durable commit, or return why nothing was."""
        try:
            self._write(by, *events, judged=judged)
        except MoveRefused as error:
            return error.refusal
        return None

    def rename(self, seat: Seat, name: str, by: Actor) -> None:
        """Write the new name of the person at a seat durably, also in the list of matches."""
        body = SeatRenamed(seat, name)
        players = msgspec.json.encode(renamed(self.setup, body).players)
        self.note(body, by, {PLAYERS + self.id: players})

    def note(
        self, body: SeatFreed | SeatTaken | SeatRenamed | AdviceAsked, by: Actor, keep: Mapping[str, bytes | None]
    ) -> None:
        """Write a note about a seat, and further values to store, in one durable commit."""
        stamp = Stamp(self.seq + 1, self.clock(), by, self._moves + 1)
        self.journal.append(self.id, [make_record(body, stamp)], keep=keep)
        self._moves += 1
        self.line.note(body)

    def draw(self, by: Actor) -> Refusal | None:
        """Draw now for a person's request (a token), if the companion deals."""
        event = self.dealer.event_on_request(self.state, self.seq + 1)
        if event is None:
            return Refusal("R-00", "nothing_to_draw")
        return self.propose(event, by)

    def rewind(self, to: int, by: Actor) -> Refusal | None:
        """Undo: go back to record `to`, or further if opened bids would be sealed again."""
        if self.line.at(to) is None:
            return Refusal("R-00", "no_such_record", {"seq": to})
        now = self.line.node.entry.seq
        if to == now or (to := self.line.landing(to)) == now:
            return Refusal("R-00", "nothing_to_undo")
        node = self.line.at(to)
        assert node is not None
        self._change_line(Rewound(to), by, node, lambda: self.line.rewind(to, by))
        return None

    def redo(self, by: Actor) -> Refusal | None:
        """Reverse the last undo."""
        if not self.can_redo:
            return Refusal("R-00", "nothing_to_redo")
        to = self.line.undone[-1]
        self._change_line(Restored(to), by, self.line.ends[to], lambda: self.line.restore(to), deal=False)
        return None

    def amend(self, seq: int, event: Event, by: Actor, *, dry_run: bool = False) -> Difference | AmendConflict:
        """Replace the event of an old record and apply all later events again, or return the conflict.

        With `dry_run` the match does not change.
        """
        try:
            nodes = self.line.try_amendment(seq, event)
        except BadRecord as error:
            return AmendConflict(seq, event, Refusal("R-00", "no_such_record", {"seq": seq, "why": str(error)}))
        if isinstance(nodes, AmendConflict):
            return nodes
        old, before = self.line.at(seq), self.state
        assert old is not None
        body = Amended(seq, event)
        found = compare_states(self.game, seq, (old.entry.event, event), before, nodes[-1].entry.after)
        if not dry_run:
            self._change_line(body, by, nodes[-1], lambda: self.line.amend(body, nodes))
        return found

    # --- writing ----------------------------------------------------------------------------------

    def _write(self, by: Actor, *events: Event, judged: Judged | None = None) -> None:
        """Write events and the chance that follows them; raise `MoveRefused` and change nothing for an illegal one."""
        stamp = Stamp(self.seq + 1, self.clock(), by, self._moves + 1)
        nodes = self._chain(self.line.node, events, stamp)
        if not nodes and judged is None:
            return
        records = [make_record(node.entry.event, node.entry.stamp) for node in nodes]
        if judged is not None:
            after = Stamp(stamp.seq + len(nodes), stamp.at, Actor.REFEREE, stamp.move)
            records.append(make_record(judged, after))
        keep = self.keeps(nodes, False) if self.keeps else None
        self._append(records, nodes[-1] if nodes else self.line.node, keep)
        for node in nodes:
            self.line.push(node)
        if judged is not None:
            self.line.note(judged)

    def _chain(self, node: HistoryNode, events: Sequence[Event], stamp: Stamp) -> list[HistoryNode]:
        """Return the nodes that events, and the chance that follows them, add after a node."""
        nodes: list[HistoryNode] = []

        def add(event: Event, by: Actor) -> None:
            end = nodes[-1] if nodes else node
            nodes.append(self.line.step(end, event, Stamp(stamp.seq + len(nodes), stamp.at, by, stamp.move)))

        for event in events:
            add(event, stamp.by)
        while True:
            state = (nodes[-1] if nodes else node).entry.after
            drawn = self.dealer.next_event(state, stamp.seq + len(nodes))
            if drawn is None:
                return nodes
            add(drawn, Actor.DEALER)

    def _change_line(
        self, body: Event, by: Actor, end: HistoryNode, change: Callable[[], None], *, deal: bool = True
    ) -> None:
        """Write a record that changes the line and the chance that follows it, then change the line.

        `end` is the end of the line after the change; a redo deals nothing.
        """
        stamp = Stamp(self.seq + 1, self.clock(), by, self._moves + 1)
        following = Stamp(stamp.seq + 1, stamp.at, by, stamp.move)
        nodes = self._chain(end, (), following) if deal else []
        records = [make_record(body, stamp), *[make_record(node.entry.event, node.entry.stamp) for node in nodes]]
        last = nodes[-1] if nodes else end
        keep = self.keeps([*walk_back(last)][::-1], True) if self.keeps else None
        self._append(records, last, keep)
        change()
        for node in nodes:
            self.line.push(node)

    def _append(self, records: Sequence[Record], end: HistoryNode, keep: Mapping[str, bytes] | None) -> None:
        """Write the records of one move, which ends the line at a node."""
        over = end.entry.after.over
        self.journal.append(self.id, records, ended=over if over != self.state.over else None, keep=keep)
        self._moves = records[0].move


def game_of(setup: Setup) -> AnyGame:
    """Return the game of a setup."""
    game = GAMES.get(setup.game)
    if game is None:
        raise MatchError(f"There is no game called {setup.game!r}: choose one of {', '.join(GAMES)}.")
    return game


def encode_body(body: Event) -> str:
    """Return a record's body as JSON."""
    return msgspec.json.encode(body).decode()


def make_record(body: Event, stamp: Stamp) -> Record:
    """Return a body as a record of the journal."""
    return Record(stamp.seq, stamp.at, str(stamp.by), stamp.move, encode_body(body))
