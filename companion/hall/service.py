"""The hall: tables' messages and the organiser's entries come in from any thread, its state goes out.

Nothing is shown or acknowledged before the database has it. What tables say of the moment is kept in memory alone.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from companion.devices.bus.address import BrokerAddress
from companion.devices.bus.mqtt_link import MqttLink
from companion.hall import entries as e
from companion.hall import messages as m
from companion.hall.checks import HallError, check
from companion.hall.heard_table import HeardTable
from companion.hall.signing import verify
from companion.hall.state import HallState, fold, last_undoable, match_key, supersedes
from companion.hall.store import EntryStore, StoreError
from companion.threads.listeners import Listeners

LOG = logging.getLogger(__name__)
ATTEMPTS = 20
"""How often an entry is decided anew while other servers of the same hall write."""
REFUSALS = 50
"""The number of refused messages that the organiser can look at."""
LOOK_S = 1.0
"""How often the database is asked what other servers of this hall have written."""


class RefusedMessage(msgspec.Struct, frozen=True):
    """A message that was refused: when (the hall's time), whose, and why."""

    at: float
    table: str
    why: str


class Hall:
    """A hall around its database and its end of the broker. Any thread may call it; close it when done."""

    def __init__(
        self, store: EntryStore, broker: BrokerAddress, name: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self._store, self._clock = store, clock
        self._lock = threading.RLock()
        self._entries: list[e.Entry] = []
        self._state = HallState()
        self._live: dict[str, HeardTable] = {}
        self._watchers: dict[str, int] = {}
        self._told: dict[str, bytes] = {}
        self._refused: deque[RefusedMessage] = deque(maxlen=REFUSALS)
        self._session = secrets.token_hex(8)
        self._listeners: Listeners[str] = Listeners("a listener of the hall failed")
        self._store_fault = ""
        self._refresh()
        if not self._state.hall:
            self.record("hall", e.HallOpened(secrets.token_hex(8), name or "Hall"))
        elif name and name != self._state.name:
            self.record("hall", e.HallOpened(self._state.hall, name))
        self._link = MqttLink(broker, m.HALL, m.up(m.HALL, "here"), mqtt_5=False)
        self._link.on_connected = self._on_connected
        self._link.on_lost = self._on_lost
        self._link.on_message = self._on_message
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
        self._store.close()

    # --- what is shown ----------------------------------------------------------------------------

    @property
    def state(self) -> HallState:
        """What the hall remembers, as it is now."""
        return self._state

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the broker or the database, as sentences in English."""
        return tuple([fault for fault in (self._link.said, self._store_fault) if fault])

    @property
    def refused(self) -> tuple[RefusedMessage, ...]:
        """The last messages that were refused, the latest last."""
        return tuple(self._refused)

    def entries(self) -> tuple[e.Entry, ...]:
        """Return everything that was written down, in order."""
        with self._lock:
            return tuple(self._entries)

    def live(self, table: str) -> HeardTable:
        """Return what a table said last."""
        return self._live.get(table) or HeardTable(table)

    def listen(self, listener: Callable[[str], None]) -> None:
        """Call a function after every change from now on, with a table's id, or an empty text for the hall itself.

        It must not block.
        """
        self._listeners.add(listener)

    @contextmanager
    def watching(self, table: str) -> Iterator[None]:
        """Have a table send its full public view as long as this lasts."""
        self._count_watchers(table, 1)
        try:
            yield
        finally:
            self._count_watchers(table, -1)

    # --- what is written down ---------------------------------------------------------------------

    def record(self, by: str, *bodies: e.Body) -> None:
        """Write down what happened, all of it or none.

        Raises `HallError` if it is impossible, `StoreError` if the database does not take it; then nothing has changed.
        """

        def decide() -> Sequence[e.Body]:
            state = self._state
            for place, body in enumerate(bodies):
                check(state, body)
                state = fold([e.Entry(state.number + 1 + place, 0.0, by, body)], state)
            return bodies

        self._write(by, decide)

    def undo(self, by: str) -> None:
        """Take back the latest entry that can be taken back; raise `HallError` if there is none."""

        def decide() -> Sequence[e.Body]:
            last = last_undoable(self._entries)
            if last is None:
                raise HallError("nothing_to_undo")
            return (e.Undone(last.number),)

        self._write(by, decide)

    def forget(self, by: str) -> None:
        """Delete everything about persons for good: players, rounds, results, calls. The tables stay."""
        with self._lock:
            state = self._state
            kept: list[e.Body] = [e.HallOpened(state.hall, state.name), e.NamesShown(state.names)]
            kept += [e.TableAdmitted(t.id, t.name, t.number, t.key, t.secret) for t in state.present]
            self._entries = self._store.replace_all(self._clock(), by, kept)
            self._state = fold(self._entries)
            self._refused.clear()
            for table in self._live:
                self._link.publish(m.up(table, "players"), b"", 1, True)
            self._live = {}
        self._after_change()

    def _write(self, by: str, decide: Callable[[], Sequence[e.Body]]) -> None:
        """Write what is decided on the state; decide anew whenever another server was first."""
        with self._lock:
            for _ in range(ATTEMPTS):
                bodies = decide()
                if not bodies:
                    return
                written = self._store.append(self._state.number, self._clock(), by, bodies)
                if written is not None:
                    self._take(written)
                    break
                self._refresh()
            else:
                raise StoreError("other servers of this hall write all the time")
        self._after_change()

    def _take(self, written: Sequence[e.Entry]) -> None:
        """Fold entries that the database has."""
        self._entries.extend(written)
        undoing = any(isinstance(entry.body, e.Undone) for entry in written)
        self._state = fold(self._entries) if undoing else fold(written, self._state)

    def _refresh(self) -> bool:
        """Read what other servers have written; return whether there was anything."""
        with self._lock:
            if self._entries and self._store.first() != self._entries[0].number:
                self._entries, self._state = [], HallState()  # another server has deleted all about persons
            found = self._store.read(self._state.number)
            if found:
                self._take(found)
            return bool(found)

    def _look(self) -> None:
        """Look again and again for what other servers of this hall have written."""
        while not self._closing.wait(LOOK_S):
            try:
                changed = self._refresh()
                self._store_fault = ""
            except StoreError as error:
                changed, self._store_fault = False, str(error)
            if changed:
                self._after_change()

    def _after_change(self) -> None:
        """Tell the tables and the pages what has changed."""
        self._tell_tables()
        self._listeners.tell("")

    # --- the broker -------------------------------------------------------------------------------

    def _on_connected(self) -> None:
        self._told = {}
        self._link.subscribe(m.up("+", "+"))
        self._announce()
        self._tell_tables()

    def _on_lost(self) -> None:
        now = time.monotonic()
        for table, live in list(self._live.items()):
            self._live[table] = live.heard(None, now)
        self._listeners.tell("")

    def _announce(self) -> None:
        self._link.publish(
            m.up(m.HALL, "here"), m.encode(m.Presence(self._session, name=self._state.name[: m.NAME_LENGTH])), 1, True
        )

    def _tell(self, table: str, message: m.Down) -> None:
        """Publish a message, unless it is a standing one that this broker has already."""
        topic, payload = m.down(table, m.NAMES[type(message)]), m.encode(message)
        if isinstance(message, m.RETAINED):
            if self._told.get(topic) == payload:
                return
            self._told[topic] = payload
        if self._link.publish(topic, payload, 1, isinstance(message, m.RETAINED)) is None:
            self._told.pop(topic, None)

    def _tell_tables(self) -> None:
        """Tell every table its number, its people, and what became of its call."""
        with self._lock:  # what is told last is what holds
            state = self._state
            current = state.round
            seated = {} if current is None else {table.number: table.players for table in current.tables}
            for table in state.present:
                players = seated.get(table.number, ())
                absent = () if current is None else current.absent
                names = tuple([state.players[player].name for player in players if player not in absent])
                number = current.number if current is not None and names else 0
                self._tell(table.id, m.Assigned(table.number, number, names))
                self._tell(table.id, m.Watched(self._watchers.get(table.id, 0) > 0))
            for call in state.calls.values():
                self._answer(call.id)

    def _answer(self, call: str) -> None:
        """Tell a table what became of its call, if that is news."""
        found = self._state.calls[call]
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
                    self._announce()  # another server of this hall has left and was thought to be us
                return
            known = self._state.tables.get(table)
            if known is None or known.removed:
                raise m.MessageError("not a table of this hall")
            self._receive(known.id, kind, m.decode(kind, payload) if payload else None)
        except m.MessageError as error:
            self._refuse(topic.split("/")[1] if "/" in topic else "", str(error))
        except StoreError as error:
            self._store_fault = str(error)

    def _receive(self, table: str, kind: str, message: m.Up | None) -> None:
        """Take a message of an admitted table."""
        match message:
            case m.JudgeCall():
                self._receive_call(table, message)
            case m.SignedResult():
                self._receive_result(table, message)
            case None if kind != "here":
                return
            case _:
                self._live[table] = self.live(table).heard(message, time.monotonic())
                self._listeners.tell(table)

    def _receive_call(self, table: str, call: m.JudgeCall) -> None:
        """Write down a call that is new, or that was withdrawn, and answer."""

        def decide() -> Sequence[e.Body]:
            found = self._state.calls.get(call.id)
            if found is not None and found.table != table:
                raise m.MessageError("a call of another table")
            if found is None:
                return () if call.withdrawn else (e.CallMade(call.id, table, call.seat),)
            return (e.CallClosed(call.id),) if call.withdrawn and not found.closed else ()

        self._write(table, decide)
        self._told.pop(call.id, None)
        if call.id in self._state.calls:
            self._answer(call.id)
        else:
            self._tell(table, m.CallAnswered(call.id, "closed"))

    def _receive_result(self, table: str, signed: m.SignedResult) -> None:
        """Write down a result that says more than the one there, and tell the table that it need not send it again."""
        result = verify(signed, self._state.tables[table].key)
        if result.table != table or result.hall != self._state.hall:
            raise m.MessageError("a result of another table or hall")

        def decide() -> Sequence[e.Body]:
            old = self._state.results.get(match_key(result))
            if old is not None and not supersedes(result, old.result):
                return ()
            return (e.ResultReported(table, signed.payload, signed.signature),)

        self._write(table, decide)
        self._tell(table, m.Recorded(m.receipt(signed)))

    def _refuse(self, table: str, why: str) -> None:
        """Note a message that was refused."""
        LOG.warning("a message of table %s was refused: %s", table or "?", why)
        self._refused.append(RefusedMessage(self._clock(), table, why))
        self._listeners.tell("")
