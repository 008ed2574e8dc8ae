"""The hall's end of joining: it shows a code, answers tables, and lets the organiser decide."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from spake2 import SPAKE2_B

from companion.hall.joining import (
    ALPHABET,
    APPROVED,
    CODE_LENGTH,
    FAULTS,
    PURPOSE,
    REFUSED,
    REQUEST_BYTES,
    WAITING,
    JoinAnswer,
    JoinChannel,
    JoinConfirmation,
    JoinError,
    JoinGrant,
    JoinOpening,
    JoinPoll,
    JoinRequest,
    JoinVerdict,
    agree,
    check_grant,
    decode_step,
    seal,
    unseal,
)
from companion.hall.messages import fits
from companion.hall.signing import fingerprint
from companion.threads.listeners import Listeners

CODE_S = 600.0
"""The number of seconds that a code holds."""
WRONG, OPEN, SILENT_S = 3, 20, 60.0
"""Wrong codes until the code is void; exchanges at once; seconds after which a silent table is forgotten."""


class JoinCandidate(msgspec.Struct, frozen=True):
    """A table that has the code right and waits for the organiser."""

    exchange: str
    name: str
    public: bytes
    fingerprint: str
    remote: str
    waited_s: int


class _Code:
    def __init__(self, ends: float) -> None:
        self.text = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
        self.shown = f"{self.text[:2]}-{self.text[2:]}"
        self.ends, self.wrong = ends, 0


class _Exchange:
    """The hall's end of one exchange. It is confirmed once it has a candidate."""

    def __init__(self, code: _Code, channel: JoinChannel, remote: str, now: float) -> None:
        self.code, self.channel, self.remote = code, channel, remote
        self.began = self.heard = now
        self.request: JoinRequest | None = None
        self.verdict = JoinVerdict(WAITING)
        self.count = 0
        """Of the last message; no count is used twice, as it is a nonce."""
        self.last: tuple[bytes, bytes] = (b"", b"")
        """The last message and its answer: said again, it is answered the same, as an answer may have been lost."""


class JoiningDesk:
    """The hall's end: shows a code, answers tables, and lets the organiser decide. Any thread may call it.

    `clock` returns seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._listeners: Listeners[[]] = Listeners("A listener to the tables that join failed")
        self._code: _Code | None = None
        self._exchanges: dict[str, _Exchange] = {}

    def listen(self, callback: Callable[[], object]) -> None:
        """Call a function, without holding any lock, whenever the code or the tables that wait have changed."""
        self._listeners.add(callback)

    def code(self) -> str:
        """Return the code to show, as `K7-F3QD`; a new one if there is none, or if it has ended."""
        with self._changing() as now:
            return (self._code or self._make_code(now)).shown

    def new_code(self) -> str:
        """Return a new code; the one before does not hold any more."""
        with self._changing() as now:
            return self._make_code(now).shown

    def close_code(self) -> None:
        """Let no table join until there is a code again. Tables that wait go on waiting."""
        with self._changing():
            self._code = None

    def waiting(self) -> tuple[JoinCandidate, ...]:
        """Return the tables that wait for the organiser, the longest first."""
        with self._changing() as now:
            return tuple(
                JoinCandidate(
                    key,
                    of.request.name,
                    of.request.public,
                    fingerprint(of.request.public),
                    of.remote,
                    int(now - of.began),
                )
                for key, of in self._exchanges.items()
                if of.request is not None and of.verdict.state == WAITING
            )

    def approve(self, exchange: str, grant: JoinGrant) -> None:
        """Let a table in; raise `JoinError` if it does not wait any more, or if the grant is impossible."""
        check_grant(grant)
        self._decide(exchange, JoinVerdict(APPROVED, grant))

    def refuse(self, exchange: str) -> None:
        """Turn a table away; raise `JoinError` if it does not wait any more."""
        self._decide(exchange, JoinVerdict(REFUSED))

    def answer(self, body: bytes, remote: str) -> tuple[int, bytes]:
        """Return the HTTP status and the answer to a message from an address; never raises."""
        try:
            if len(body) > REQUEST_BYTES:
                raise JoinError("hall.fault.too_large")
            step = decode_step(body, JoinOpening | JoinConfirmation | JoinPoll)  # type: ignore[arg-type]
            return 200, self._open(step, remote) if isinstance(step, JoinOpening) else self._go_on(step, body)
        except JoinError as error:
            return FAULTS[error.key], msgspec.json.encode(JoinAnswer(fault=error.key))

    # --- inside -----------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[float]:
        """Hold the lock, forget what has ended and yield the time; then tell the listeners if anything has changed."""
        changed = False
        try:
            with self._lock:
                before, now = self._shown(), self._clock()
                if self._code is not None and now >= self._code.ends:
                    self._code = None
                for key in [key for key, of in self._exchanges.items() if now >= of.heard + SILENT_S]:
                    del self._exchanges[key]
                try:
                    yield now
                finally:
                    changed = self._shown() != before
        finally:
            if changed:
                self._listeners.tell()

    def _shown(self) -> tuple[object, ...]:
        """Return what listeners are told of: the code, and who waits."""
        candidates = [key for key, of in self._exchanges.items() if of.request and of.verdict.state == WAITING]
        return (self._code, *candidates)

    def _make_code(self, now: float) -> _Code:
        self._code = _Code(now + CODE_S)
        return self._code

    def _ready(self) -> _Code:
        """Return the code for an exchange that begins; raise `JoinError` if none can begin."""
        if self._code is None:
            raise JoinError("hall.fault.code_ended")
        if sum(of.verdict.state == WAITING for of in self._exchanges.values()) >= OPEN:
            raise JoinError("hall.fault.busy")
        return self._code

    def _open(self, step: JoinOpening, remote: str) -> bytes:
        """Answer the first message."""
        with self._changing():
            code = self._ready()
        # The reckoning takes tens of milliseconds on a Pi: nobody else waits for it.
        side = SPAKE2_B(code.text.encode(), idA=PURPOSE + b" table", idB=PURPOSE + b" hall")
        message: bytes = side.start()
        shared, key = agree(side, step.message), secrets.token_hex(8)
        channel = JoinChannel(shared, key, step.message, message)
        with self._changing() as now:
            if self._ready() is not code:
                raise JoinError("hall.fault.code_ended")
            self._exchanges[key] = _Exchange(code, channel, remote, now)
        return msgspec.json.encode(JoinAnswer(exchange=key, message=message))

    def _go_on(self, step: JoinConfirmation | JoinPoll, body: bytes) -> bytes:
        """Answer any later message; the last one that was answered is answered the same when it is said again."""
        with self._changing() as now:
            exchange = self._exchanges.get(step.exchange)
            if exchange is None:
                raise JoinError("hall.fault.unknown_exchange")
            said, answer = exchange.last
            if body == said:
                return answer
            if isinstance(step, JoinConfirmation):
                self._confirm(step, exchange, now)
                count = 0
            else:
                self._hear(step, exchange, now)
                count = step.count
            answer = msgspec.json.encode(JoinAnswer(sealed=seal(exchange.channel.to_table, count, exchange.verdict)))
            exchange.last = body, answer
            return answer

    def _confirm(self, step: JoinConfirmation, exchange: _Exchange, now: float) -> None:
        """Let a table wait whose code is right; the code is used up. Otherwise the exchange ends."""
        if exchange.request is not None:
            raise JoinError("hall.fault.wrong_order")
        del self._exchanges[step.exchange]
        if exchange.code is not self._code:
            raise JoinError("hall.fault.code_ended")
        if not hmac.compare_digest(exchange.channel.proof, step.proof):
            exchange.code.wrong += 1
            if exchange.code.wrong >= WRONG:
                self._code = None
            raise JoinError("hall.fault.wrong_code")
        request = unseal(exchange.channel.to_hall, 0, step.sealed, JoinRequest)
        if len(request.public) != 32 or not fits(request.name):
            raise JoinError("hall.fault.unreadable")
        exchange.request, exchange.began, exchange.heard = request, now, now
        self._exchanges[step.exchange] = exchange
        self._code = None

    def _hear(self, step: JoinPoll, exchange: _Exchange, now: float) -> None:
        """Check that a table may ask, and has not asked this before."""
        if exchange.request is None or step.count <= exchange.count:
            raise JoinError("hall.fault.wrong_order")
        unseal(exchange.channel.to_hall, step.count, step.sealed, type(None))
        exchange.count = step.count
        if exchange.verdict.state == WAITING:  # a decided exchange ends, however often it is asked about
            exchange.heard = now

    def _decide(self, key: str, verdict: JoinVerdict) -> None:
        with self._changing() as now:
            exchange = self._exchanges.get(key)
            if exchange is None or exchange.request is None or exchange.verdict.state != WAITING:
                raise JoinError("hall.fault.unknown_exchange")
            exchange.verdict, exchange.heard = verdict, now
