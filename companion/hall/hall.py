"""The hall: tables' messages and the organiser's entries arrive from any thread, and its state goes out.

Nothing is shown or acknowledged before the database has it. The tables' current situation is kept only in memory.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from msgspec.structs import replace

from companion.devices.bus.address import BrokerAddress
from companion.devices.fault_log import FaultLog
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.cluster_link import ClusterLink
from companion.devices.hall_link.signing import verify
from companion.hall import entries as e
from companion.hall.heard_table import HeardTable
from companion.hall.phones import table_code
from companion.hall.record import HallRecord
from companion.hall.round_results import round_results
from companion.hall.state import WAITING, HallState, match_key, supersedes
from companion.hall.store import AnyStore, StoreError
from companion.threads.listeners import Listeners
from companion.threads.quotas import Quotas, Rate

LOG = logging.getLogger(__name__)
SPOKEN, WRITTEN = Rate(600, 60), Rate(120, 0.5)
"""Limits for one table's messages and entries: a hostile table must not fill the hall's time or its database."""
MOST_CALLS, MOST_WAITING = 4, 30
"""Limits for a table's open calls, and for its results that wait for a judge. A table repeats what we reject."""
TOO_MUCH = "more than one table can have to say"
LOOK_S = 1.0
"""Seconds between reads of the entries that other servers of this hall wrote."""


class Hall:
    """A hall around its database and its end of the broker. Any thread may call it; close it when done."""

    def __init__(
        self, store: AnyStore, broker: BrokerAddress, name: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self._record, self._clock = HallRecord(store, clock), clock
        self._lock = self._record.lock
        self._live: dict[str, HeardTable] = {}
        self._watchers: dict[str, int] = {}
        self._spoken, self._written = Quotas(SPOKEN), Quotas(WRITTEN)
        self._told: dict[str, bytes] = {}
        self._untold = False
        """Whether the broker had no room for a message."""
        self._session = secrets.token_hex(8)
        self._listeners: Listeners[str] = Listeners("a listener of the hall failed")
        self._store_faults: dict[str, str] = {}
        """The database's problem, by the failed action: `read` or `write`."""
        self._faults = FaultLog(LOG)
        state = self.state
        if not state.codes or (name and name != state.name):
            opened = state.hall or secrets.token_hex(8), name or state.name or "Hall"
            self._record.add("hall", [e.HallOpened(*opened, state.codes or secrets.token_hex(16))])
        self._link = ClusterLink(broker, m.HALL, m.up(m.HALL, "here"))
        self._link.on_connected = self._on_connected
        self._link.on_lost = self._on_lost
        self._link.on_message = self._on_message
        self._link.on_tock = self._on_tock
        self._closing = threading.Event()
        self._looking = threading.Thread(target=self._look, name="hall", daemon=True)

    def start(self) -> None:
        """Begin to listen to the tables."""
        self._link.start()
        self._looking.start()

    def close(self) -> None:
        """Leave the broker and close the database."""
        self._closing.set()
        self._link.close(m.up(m.HALL, "here"))
        if self._looking.is_alive():
            self._looking.join()
        self._record.store.close()

    def go_round(self) -> None:
        """Wait until the current write has ended."""
        with self._lock:
            return

    # --- what is shown ----------------------------------------------------------------------------

    @property
    def state(self) -> HallState:
        """The hall's current state."""
        return self._record.state

    @property
    def faults(self) -> tuple[str, ...]:
        """The problems of broker and database, as sentences in English."""
        return tuple([fault for fault in dict.fromkeys((self._link.said, *self._store_faults.values())) if fault])

    @property
    def findings(self) -> Sequence[str]:
        """The problems found in the database when it was opened, as sentences in English."""
        return self._record.store.findings

    def entries(self) -> tuple[e.Entry, ...]:
        """Return all entries in order."""
        return self._record.entries()

    def live(self, table: str) -> HeardTable:
        """Return a table's latest messages."""
        return self._live.get(table) or HeardTable(table)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call a function after every change with a table's id, or an empty text for the hall; it must not block."""
        self._listeners.add(listener)

    @contextmanager
    def watching(self, table: str) -> Iterator[None]:
        """Have a table send its full public view for the duration of the context."""
        self._count_watchers(table, 1)
        try:
            yield
        finally:
            self._count_watchers(table, -1)

    # --- what is written down ---------------------------------------------------------------------

    def record(self, by: str, *bodies: e.Body) -> None:
        """Write all of these entries, or raise `HallError` or `StoreError` and write none."""
        self._record.add(by, bodies)
        self._after_change()

    def undo(self, by: str, entry: int | None = None) -> None:
        """Undo an entry or the latest possible one; raise `HallError` if there is none or others depend on it."""
        self._record.undo(by, entry)
        self._after_change()

    def forget(self, by: str) -> None:
        """Delete all personal data for good: players, rounds, results, calls. The tables stay."""
        self._record.forget(by)
        for table, live in list(self._live.items()):
            self._link.publish(m.up(table, "players"), b"", 1, True)
            self._live[table] = HeardTable(table, live.here, live.newer, lost_at=live.lost_at)
        self._session = secrets.token_hex(8)
        self._announce()  # tables then repeat their current messages
        self._after_change()

    def _look(self) -> None:
        """Read the entries of this hall's other servers at intervals."""
        while not self._closing.wait(LOOK_S):
            try:
                changed = self._record.refresh()
                self._set_store_fault("read", "")
            except StoreError as error:
                changed = False
                self._set_store_fault("read", str(error))
            if changed:
                self._tell_all()

    def _set_store_fault(self, tried: str, sentence: str) -> None:
        """Note the database's problem, or that it is solved."""
        if self._store_faults.get(tried, "") != sentence:
            self._store_faults[tried] = sentence
            self._listeners.tell("")

    def _after_change(self) -> None:
        """Publish our new entries."""
        self._set_store_fault("write", "")
        self._tell_all()

    def _tell_all(self) -> None:
        """Send the changes to the tables and the pages."""
        self._tell_tables()
        self._listeners.tell("")

    # --- the broker -------------------------------------------------------------------------------

    def _on_connected(self) -> None:
        with self._lock:
            self._told = {}
        self._link.subscribe(m.up("+", "+"))
        self._announce()
        self._tell_tables()

    def _on_lost(self) -> None:
        now = time.monotonic()
        for table, live in list(self._live.items()):
            self._live[table] = live.heard(None, now)
        self._listeners.tell("")

    def _on_tock(self) -> None:
        """Once a second: detect a broker that keeps no messages, and repeat those that it had no room for."""
        self._link.ask(m.down(m.HALL, "here"))
        if self._untold:
            self._tell_tables()

    def _announce(self) -> None:
        self._link.publish(m.up(m.HALL, "here"), m.encode(m.Presence(self._session, name=self.state.name)), 1, True)

    def _tell(self, table: str, message: m.Down) -> None:
        """Publish a message, unless it is a retained one that this broker already has."""
        topic, payload = m.down(table, m.NAMES[type(message)]), m.encode(message)
        if isinstance(message, m.RETAINED):
            if self._told.get(topic) == payload:
                return
            self._told[topic] = payload
        # The time does not make a message new, but it must be right when sent.
        if isinstance(message, m.Assigned):
            payload = m.encode(replace(message, now=round(self._clock(), 2)))
        if self._link.publish(topic, payload, 1, isinstance(message, m.RETAINED)) is None:
            self._told.pop(topic, None)
            self._untold = True

    def _tell_tables(self) -> None:
        """Send every table its number, players and clock, and the state of its call."""
        with self._lock:  # the last message must be the valid one
            self._untold = False
            state = self.state
            results = {} if state.round is None else round_results(state, state.round.number)
            played = {at for at, result in results.items() if result.status != "rejected"}
            for table in state.present:
                self._tell(table.id, assigned(state, table.number, table.number in played))
                self._tell(table.id, m.Watched(self._watchers.get(table.id, 0) > 0))
            for call in state.calls.values():
                self._answer(call.id)

    def _answer(self, call: str) -> None:
        """Tell a table the new state of its call."""
        found = self.state.calls[call]
        answer = m.CallAnswered(call, "closed" if found.closed else "taken" if found.judge else "waiting", found.judge)
        payload = m.encode(answer)
        if self._told.get(call) != payload and self._link.connected:
            self._told[call] = payload
            self._tell(found.table, answer)

    def _count_watchers(self, table: str, more: int) -> None:
        with self._lock:
            self._watchers[table] = self._watchers.get(table, 0) + more
        self._tell_tables()

    def _on_message(self, topic: str, payload: bytes, retained: bool, at: int) -> None:
        try:
            table, _, kind = m.split_topic(topic)
            if table == m.HALL:
                if kind == "here" and not payload:
                    # Another server of this hall has left, which cleared our announcement.
                    self._announce()
                return
            self._require_present(table)
            if not self._spoken.take(table):
                raise m.MessageError(TOO_MUCH)
            message = m.decode(kind, payload) if payload else None
            if isinstance(message, m.Down):
                raise m.MessageError("only the hall says this")
            self._receive(table, kind, message)
        except m.MessageError as error:
            self._refuse(topic.split("/")[1] if "/" in topic else "", str(error))
        except StoreError as error:
            self._set_store_fault("write", str(error))

    def _require_present(self, table: str) -> None:
        known = self.state.tables.get(table)
        if known is None or known.removed:
            raise m.MessageError("not a table of this hall")

    def _receive(self, table: str, kind: str, message: m.Up | None) -> None:
        """Handle a message of an admitted table."""
        match message:
            case m.JudgeCall():
                self._receive_call(table, message)
            case m.SignedResult():
                self._receive_result(table, message)
            case None if kind != "here":
                return
            case _:
                self._live[table] = self.live(table).heard(message, time.monotonic())
                if isinstance(message, m.Presence):
                    with self._lock:  # also the time: a message kept by the broker would have an old one
                        if self._told.pop(m.down(table, m.NAMES[m.Assigned]), None) is not None:
                            self._tell_tables()
                self._listeners.tell(table)

    def _receive_call(self, table: str, call: m.JudgeCall) -> None:
        """Write down a new or withdrawn call, and answer."""

        def decide() -> Sequence[e.Body]:
            found = self.state.calls.get(call.id)
            if found is not None and found.table != table:
                raise m.MessageError("a call of another table")
            if found is None:
                calls = [each for each in self.state.calls.values() if each.table == table and not each.closed]
                if len(calls) >= MOST_CALLS:
                    raise m.MessageError(TOO_MUCH)
                return () if call.withdrawn else (e.CallMade(call.id, table, call.seat),)
            return (e.CallClosed(call.id),) if call.withdrawn and not found.closed else ()

        self._write_for(table, decide)
        self._told.pop(call.id, None)
        if call.id in self.state.calls:
            self._answer(call.id)
        else:
            self._tell(table, m.CallAnswered(call.id, "closed"))

    def _receive_result(self, table: str, signed: m.SignedResult) -> None:
        """Write down a result that adds to the recorded one, and tell the table that it can stop sending."""
        result = verify(signed, self.state.tables[table].key)
        if result.table != table or result.hall != self.state.hall:
            raise m.MessageError("a result of another table or hall")

        def decide() -> Sequence[e.Body]:
            old = self.state.results.get(match_key(result))
            if old is not None and not supersedes(result, old.result):
                return ()
            results = [each for each in self.state.results.values() if each.result.table == table]
            if old is None and sum(each.status in WAITING for each in results) >= MOST_WAITING:
                raise m.MessageError(TOO_MUCH)
            return (e.ResultReported(table, signed.payload, signed.signature),)

        self._write_for(table, decide)
        self._tell(table, m.Recorded(m.receipt(signed)))

    def _write_for(self, table: str, decide: Callable[[], Sequence[e.Body]]) -> None:
        """Write a table's entries, or reject them while it sends too many; it will then repeat them."""

        def checked() -> Sequence[e.Body]:
            self._require_present(table)  # it may have been removed since its message
            return decide()

        if checked() and not self._written.take(table):
            raise m.MessageError(TOO_MUCH)
        if self._record.write(table, checked):
            self._after_change()

    def _refuse(self, table: str, why: str) -> None:
        """Log a rejected message, without letting one table fill the log."""
        self._faults.note("a message of a table was refused", table, why)


def assigned(state: HallState, number: int, played: bool = False) -> m.Assigned:
    """Return a table's assignment: its people, their phones' code, clock and announcement, whether it has `played`."""
    current = state.round
    people = () if current is None else current.people(number)
    if current is None or not people:
        return m.Assigned(number, tournament=len(state.past), announcement=state.announcement, advice=state.advice)
    names = tuple([state.players[player].name for player in people])
    code, ends = table_code(state, current, number), current.ends_at(number)
    return m.Assigned(
        number, current.number, names, len(state.past), code, state.announcement, current.begins, ends, over=played,
        advice=state.advice,
    )  # fmt: skip
