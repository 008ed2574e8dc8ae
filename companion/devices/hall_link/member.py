"""The table's end: it reports public facts, and resends each result until stored.

A separate thread does everything; the table only wakes it. A slow, missing or hostile hall delays nobody.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from companion.devices.fault_log import FaultLog
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.membership import Membership, MembershipStore
from companion.devices.hall_link.reports import Tell, known_setup, players_of, summary_of, view_of
from companion.devices.hall_link.result_book import ResultBook
from companion.engine import Setup
from companion.journal.journal import Journal, JournalError
from companion.match.history import HistoryEntry
from companion.match.match import Match, MatchError
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from companion.threads.worker import WorkerClosed

LOG = logging.getLogger(__name__)
PACE_S = 0.04
"""Seconds between a change and its message: the table's own pages come first, and quick moves share one message."""
VIEW_S = 0.25
"""Seconds between two views."""
AGAIN_S = 5.0
"""Seconds after which an unconfirmed message is sent again."""
LOOK_S = 10.0
"""Seconds after which we check the table's health even if nobody has moved."""
KEEP_S = 1.0
"""Seconds between two writes of the hall's messages to the journal."""
MOST_HEARD, HEARD_S = 300, 1.0
"""The number of messages accepted from the hall, and the seconds for it; after more, we leave the hall for a moment."""
Health = Callable[[], tuple[str, ...]]
"""Returns the table's faulty parts: `buttons`, `camera`."""


class OpenCall:
    """A judge's call that the hall has not closed."""

    def __init__(self, seat: int) -> None:
        self.id = secrets.token_hex(8)
        self.seat, self.since = seat, time.monotonic()
        self.withdrawn = False
        self.answer: m.CallAnswered | None = None
        self.sent_at = 0.0


class HallMember:
    """A table in a hall. Any thread may call it, but the table's own only `wake`; close it before the table."""

    def __init__(
        self,
        table: Table,
        journal: Path,
        store: MembershipStore,
        membership: Membership,
        tell: Tell = lambda snapshot, lang: (),
        health: Health = lambda: (),
        on_news: Callable[[], object] = lambda: None,
    ) -> None:
        self.membership = membership
        self._table, self._journal, self._store = table, journal, store
        self._tell, self._health, self._on_news = tell, health, on_news
        self._id = membership.grant.table
        self.book = ResultBook(store, membership)
        self._faults = FaultLog(LOG)
        self._sent: dict[str, bytes] = {}
        self._results_at = self._view_at = 0.0
        self._view_sent: tuple[str, int] = ("", -1)
        self._stage = ("", False)
        self._turn: tuple[object, float] = (None, time.monotonic())
        self._hall_session, self._watched = "", False
        self._heard, self._heard_since = 0, 0.0
        self._fresh = True
        """Whether to send the hall everything again."""
        self.assigned = self._assigned_kept = store.assigned()
        self._assigned_kept_at = 0.0
        self._ahead: float | None = None
        """The hall's clock minus our steady one, in seconds; our wall clock may be wrong by hours."""
        self._calls: list[OpenCall] = []
        """Calls that the hall has not closed; all but the last are withdrawn."""
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        from companion.devices.hall_link.cluster_link import ClusterLink  # late: most tables never use its MQTT

        self._link = ClusterLink(store.broker(membership), self._id, m.up(self._id, "here"))
        self._link.on_connected, self._link.on_message = self._on_connected, self._on_message
        self._link.on_lost = self._on_lost
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)

    def start(self) -> None:
        """Begin to report, and send results still owed."""
        self._link.start()
        self._thread.start()
        self._table.listen(self._on_change)

    def close(self, leave: bool = False) -> None:
        """Stop; with `leave`, also clear the table's retained messages at the broker."""
        self._closing.set()
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join()
        if leave:
            for kind in ("summary", "players"):
                self._link.publish(m.up(self._id, kind), b"", 1, True)
        self._link.close(m.up(self._id, "here"))

    def wake(self) -> None:
        """Have the thread look again."""
        self._woken.set()

    # --- what pages show and people do ------------------------------------------------------------

    @property
    def fault(self) -> str:
        """Why the hall cannot be reached, as an English sentence; empty while it can."""
        return self._link.said

    @property
    def connected(self) -> bool:
        """Whether the hall is connected."""
        return self._link.connected and bool(self._hall_session)

    @property
    def call(self) -> m.CallAnswered | None:
        """The open judge's call: `sent`, `waiting` or `taken`; None if there is none."""
        call = next((call for call in self._calls if not call.withdrawn), None)
        return None if call is None else call.answer or m.CallAnswered(call.id, "sent")

    def seconds_until(self, moment: int) -> float | None:
        """Return the seconds until a moment of the hall's clock; None if there is none or the clock is unknown."""
        return None if self._ahead is None or not moment else moment - self._ahead - time.monotonic()

    @property
    def round_over(self) -> bool:
        """Whether the round has been played here, according to the hall or a result still owed to it."""
        assigned = self.assigned
        return bool(assigned.round) and (assigned.over or self.book.owes(assigned.round, assigned.players))

    @property
    def plays_round(self) -> bool:
        """Whether a match of the hall's round is in progress, even a repeated one."""
        snapshot = self._table.snapshot()
        running = snapshot.state is not None and not snapshot.over
        return running and self.book.round_of(snapshot.match_id) == self.assigned.round

    def result(self) -> m.Result | None:
        """Return the result of the match on the table, once it is over."""
        snapshot = self._table.snapshot()
        return self.book.result(snapshot.match_id) if snapshot.told else None

    def call_judge(self, seat: int = -1) -> None:
        """Call a judge, unless a call is already open."""
        with self._lock:
            if self.call is None:
                self._calls.append(OpenCall(seat))
        self.wake()
        self._on_news()

    def withdraw_call(self) -> None:
        """Withdraw the judge's call."""
        with self._lock:
            for call in self._calls:
                if not call.withdrawn:
                    call.withdrawn, call.sent_at = True, 0.0
        self.wake()
        self._on_news()

    def say(self, seat: int, right: bool) -> bool:
        """Have a seat confirm or dispute the result; return False if it repeats itself or there is no result."""
        snapshot = self._table.snapshot()
        if not snapshot.told or not self.book.say(snapshot.match_id, seat, right):
            return False
        self._results_at = 0.0
        self.wake()
        self._on_news()
        return True

    # --- the broker's thread ----------------------------------------------------------------------

    def _on_connected(self) -> None:
        self._link.subscribe(m.down(self._id, "+"), m.up(m.HALL, "here"))
        self._link.publish(m.up(self._id, "here"), m.encode(m.Presence(secrets.token_hex(4))), 1, True)
        self._fresh = True
        self.wake()

    def _on_lost(self) -> None:
        self._hall_session, self._watched = "", False
        self._on_news()

    def _on_message(self, topic: str, payload: bytes, retained: bool, at: int) -> None:
        if self._hears_too_much():
            return
        try:
            table, _, kind = m.split_topic(topic)
            message = m.decode(kind, payload) if payload else None
        except m.MessageError as error:
            self._faults.note("a message of the hall is passed over", "", str(error))
            return
        match message:
            case m.Presence() if table == m.HALL:
                self._fresh = self._fresh or message.session != self._hall_session
                self._hall_session = message.session
            case None if kind == "here":
                self._hall_session = ""
            case m.Watched():
                self._watched, self._view_sent = message.watched, ("", -1)
            case m.Assigned():
                # A message retained by the broker gives the time at which it was sent.
                if message.now and not retained:
                    self._ahead = message.now - at / 1e9
                self.assigned = replace(message, now=0.0)
            case m.CallAnswered():
                self._take_answer(message)
            case m.Recorded():
                self.book.settle(message.receipt)
        self.wake()
        self._on_news()

    def _hears_too_much(self) -> bool:
        """Count a message; return whether the hall sends enough to disturb the table."""
        now = time.monotonic()
        if now - self._heard_since > HEARD_S:
            self._heard, self._heard_since = 0, now
        self._heard += 1
        if self._heard == MOST_HEARD + 1:
            self._link.refuse("The hall sends more than it can have to say; it is left alone for a moment.")
        return self._heard > MOST_HEARD

    def _take_answer(self, answer: m.CallAnswered) -> None:
        with self._lock:
            for call in self._calls:
                if call.id == answer.id:
                    call.answer = answer
            self._calls = [call for call in self._calls if call.answer is None or call.answer.state != "closed"]

    # --- our own thread ---------------------------------------------------------------------------

    def _on_change(self, snapshot: Snapshot, entries: tuple[HistoryEntry, ...]) -> None:
        """Called in the table's thread, so it must not wait."""
        self._woken.set()

    def _run(self) -> None:
        caught_up = False
        while not self._closing.is_set():
            self._woken.wait(self._pause())
            self._closing.wait(PACE_S)
            self._woken.clear()
            try:
                caught_up = caught_up or self._catch_up()
                self._look(self._table.snapshot().shown())
            except WorkerClosed:
                return
            except Exception as error:
                self._faults.trace("the hall could not be told of the table", error)
                self._closing.wait(AGAIN_S)

    def _pause(self) -> float:
        """Return how long the thread may sleep if nothing happens."""
        unkept = self.assigned != self._assigned_kept
        waits = self.book.owed or any(call.answer is None or call.withdrawn for call in self._calls)
        return VIEW_S if self._watched else KEEP_S if unkept else AGAIN_S if waits else LOOK_S

    def _catch_up(self) -> bool:
        """Record the results of matches that ended without us; return True."""
        current = self._table.snapshot().match_id
        for match in self.book.without_result():
            if match == current:
                continue
            try:
                with Journal(self._journal, read_only=True) as journal:
                    found = Match.open(journal, match)
            except (JournalError, MatchError):
                continue
            setup = self._known_setup(match, found.line.begun_as, found.setup)
            if found.state.over and self.book.finish(match, found.game, setup, found.state):
                self._results_at = 0.0
        return True

    def _look(self, snapshot: Snapshot) -> None:
        match = snapshot.match_id
        self._keep_assigned()
        if (match, snapshot.told) != self._stage:
            self._stage = (match, snapshot.told)
            self._on_news()
        if match:
            self.book.begin(match, 0 if self.round_over else self.assigned.round, self.assigned.tournament)
        if (
            snapshot.told
            and snapshot.state is not None
            and snapshot.setup is not None
            and snapshot.begun_as is not None
            and self.book.finish(
                match, snapshot.game, self._known_setup(match, snapshot.begun_as, snapshot.setup), snapshot.state
            )
        ):
            self._results_at = 0.0
            self._on_news()
        if not self._link.connected:
            return
        if self._fresh:
            self._fresh, self._results_at = False, 0.0
            self._sent.clear()
            self._view_sent = ("", -1)
            for call in self._calls:
                call.sent_at = 0.0
        self._say_summary(snapshot)
        self._say_calls()
        self._say_results()
        if self._watched:
            self._say_view(snapshot)

    def _known_setup(self, match: str, begun: Setup, now: Setup) -> Setup:
        """Return a match's setup with the players' names known to the hall; in another round, the first names."""
        same = self.book.round_of(match) == self.assigned.round
        return known_setup(begun, now, self.assigned.players) if same else begun

    def _keep_assigned(self) -> None:
        """Keep the hall's round and players, rarely enough that no hall fills the journal."""
        now = time.monotonic()
        if self.assigned != self._assigned_kept and now - self._assigned_kept_at > KEEP_S:
            self._assigned_kept_at = now
            with contextlib.suppress(JournalError):  # the disk accepts no writes: try again later
                self._store.keep_assigned(self.assigned)
                self._assigned_kept = self.assigned

    def _say_summary(self, snapshot: Snapshot) -> None:
        """Send summary and names after a change."""
        summary = summary_of(snapshot, self.book.round_of(snapshot.match_id), 0, self._health())
        turn = (summary.match, summary.moment, summary.awaited)
        now = time.monotonic()
        if turn != self._turn[0]:
            self._turn = (turn, now)
        self._say("players", players_of(snapshot))
        unchanged = m.encode(summary)
        if self._sent.get("summary") != unchanged:
            waited = int(now - self._turn[1])
            if self._publish("summary", m.encode(replace(summary, waited_s=waited)), retain=True):
                self._sent["summary"] = unchanged

    def _say(self, kind: str, message: m.Up) -> None:
        """Send a retained message after a change."""
        payload = m.encode(message)
        if self._sent.get(kind) != payload and self._publish(kind, payload, retain=True):
            self._sent[kind] = payload

    def _say_calls(self) -> None:
        """Send each judge's call until the hall has answered."""
        now = time.monotonic()
        for call in list(self._calls):
            settled = call.answer is not None and not call.withdrawn and call.sent_at
            if not settled and (not call.sent_at or now - call.sent_at > AGAIN_S):
                message = m.JudgeCall(call.id, call.seat, int(now - call.since), call.withdrawn)
                if self._publish("call", m.encode(message)):
                    call.sent_at = now

    def _say_results(self) -> None:
        """Send the results still owed."""
        now = time.monotonic()
        if now - self._results_at < AGAIN_S:
            return
        if all([self._publish("result", m.encode(signed)) for signed in self.book.owed_results()]):
            self._results_at = now

    def _say_view(self, snapshot: Snapshot) -> None:
        """Send the public view if it has changed and the last one is old enough."""
        now = time.monotonic()
        if self._view_sent == (snapshot.match_id, snapshot.number) or now - self._view_at < VIEW_S:
            return
        view = view_of(snapshot, self._tell)
        if view is None or self._publish("view", m.encode(view), qos=0):
            self._view_sent, self._view_at = (snapshot.match_id, snapshot.number), now

    def _publish(self, kind: str, payload: bytes, qos: int = 1, retain: bool = False) -> bool:
        return self._link.publish(m.up(self._id, kind), payload, qos, retain) is not None
