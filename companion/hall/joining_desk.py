"""The hall's end of joining: shows codes, answers tables, and lets the organiser decide."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec
from spake2 import SPAKE2_B

from companion.devices.hall_link import joining as j
from companion.devices.hall_link.messages import fits
from companion.devices.hall_link.signing import fingerprint, proves
from companion.threads.listeners import Listeners
from companion.threads.quotas import QuotaExceeded, Quotas, Rate, Turns, who_gives_way

CODE_S, SHEET_S = 600.0, 3600.0
"""Seconds for which a code is valid, and a code on a printed sheet."""
TRIES, WRONG = 3, 1000
"""Number of wrong tries that end a code for one sender, and for everybody. There are 25^6 codes."""
OPEN, SILENT_S = 100, 60.0
"""Maximum number of unconfirmed exchanges; seconds after which a silent table is forgotten."""
OPENINGS = Rate(40, 1)
"""Exchanges that a sender may begin. Each takes some 10 ms of this process, on a Pi several times as much."""
RECKONING, RECKONING_EACH = 12, 4
"""Exchanges that may wait for their turn to begin, in all and per sender: pages need the server's other threads."""


class JoinCandidate(msgspec.Struct, frozen=True):
    """A table with the right code that waits for the organiser."""

    exchange: str
    name: str
    public: bytes
    remote: str
    number: int = 0
    """The table's number on the printed sheet; 0: its code was not on a sheet."""
    again: bool = False
    """Whether it used the code for former tables."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint that the organiser compares."""
        return fingerprint(self.public)


class ShownCode(msgspec.Struct, frozen=True):
    """A printed code: its table, its form for typing, and the seconds for which it is still valid."""

    number: int
    shown: str
    left_s: int


class _Code:
    def __init__(self, number: int, ends: float) -> None:
        self.text = "".join(secrets.choice(j.ALPHABET) for _ in range(j.CODE_LENGTH))
        self.number, self.ends = number, ends
        self.shown = f"{f'{number}-' if number != j.SINGLE else ''}{self.text[:2]}-{self.text[2:]}"
        self.wrong: Counter[str] = Counter()
        """Wrong tries by sender."""


class _Exchange:
    """The hall's end of one exchange. It is confirmed once it has a candidate."""

    def __init__(self, code: _Code, channel: j.JoinChannel, remote: str, sender: str, now: float) -> None:
        self.code, self.channel, self.remote, self.sender = code, channel, remote, sender
        self.heard = now
        self.request: j.JoinRequest | None = None
        self.verdict = j.JoinVerdict(j.WAITING)
        self.count = 0
        """The last message's count; it is a nonce, so no count is used twice."""
        self.last: tuple[bytes, bytes] = (b"", b"")
        """The last message and its answer, to be repeated together: the answer may have been lost."""

    @property
    def waits(self) -> bool:
        """Whether it waits for the organiser."""
        return self.request is not None and self.verdict.state == j.WAITING


class JoiningDesk:
    """The hall's end: shows codes, answers tables, and lets the organiser decide. Any thread may call it.

    `clock` returns seconds and never goes back. `hall` is the hall's id; `knows` says whether a key belongs to a former
    table that may return.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        hall: str = "",
        knows: Callable[[bytes], bool] = lambda public: False,
    ) -> None:
        self._clock, self._hall, self._knows = clock, hall, knows
        self._lock = threading.Lock()
        self._listeners: Listeners[[]] = Listeners("A listener to the tables that join failed")
        self._codes: dict[int, _Code] = {}
        """By the table's number on the sheet, or `SINGLE`, or `AGAIN`."""
        self._exchanges: dict[str, _Exchange] = {}
        self._openings, self._turns = Quotas(OPENINGS, clock), Turns(RECKONING, RECKONING_EACH)

    def listen(self, callback: Callable[[], object]) -> None:
        """Call a function, with no lock held, after every change of the codes or of the waiting tables."""
        self._listeners.add(callback)

    def code(self) -> str:
        """Return the code to show for one table, such as `K7-F3QD`; make a new one if there is none or it has ended."""
        with self._changing() as now:
            return (self._codes.get(j.SINGLE) or self._make_code(j.SINGLE, now + CODE_S)).shown

    def new_code(self) -> str:
        """Return a new code for one table and end the previous one."""
        with self._changing() as now:
            return self._make_code(j.SINGLE, now + CODE_S).shown

    def print_codes(self, numbers: Iterable[int]) -> None:
        """Make a code for each of these tables, or for all former ones (`AGAIN`); their earlier codes end."""
        with self._changing() as now:
            for number in numbers:
                self._make_code(number, now + SHEET_S)

    def printed(self) -> tuple[ShownCode, ...]:
        """Return the valid printed codes by number, without the shown one."""
        with self._changing() as now:
            kept = sorted(self._codes.values(), key=lambda code: code.number)
            return tuple(ShownCode(of.number, of.shown, int(of.ends - now)) for of in kept if of.number != j.SINGLE)

    def waiting(self) -> tuple[JoinCandidate, ...]:
        """Return the tables that wait for the organiser, the longest first."""
        with self._changing():
            return tuple(
                JoinCandidate(
                    key,
                    of.request.name,
                    of.request.public,
                    of.remote,
                    max(of.code.number, 0),
                    of.code.number == j.AGAIN,
                )
                for key, of in self._exchanges.items()
                if of.request is not None and of.waits
            )

    def approve(self, exchange: str, grant: j.JoinGrant) -> None:
        """Admit a table; raise `JoinError` if it no longer waits, or if the grant is impossible."""
        j.check_grant(grant)
        self._decide(exchange, j.JoinVerdict(j.APPROVED, grant))

    def refuse(self, exchange: str) -> None:
        """Reject a table; raise `JoinError` if it no longer waits."""
        self._decide(exchange, j.JoinVerdict(j.REFUSED))

    def answer(self, body: bytes, remote: str, sender: str = "") -> tuple[int, bytes]:
        """Return the HTTP status and the answer to a message from an address; never raises.

        `sender` names the quota that pays for it, such as the address's network; empty: the address.
        """
        try:
            if len(body) > j.REQUEST_BYTES:
                raise j.JoinError("hall.fault.too_large")
            step = j.decode_step(body, j.JoinOpening | j.JoinConfirmation | j.JoinPoll)  # type: ignore[arg-type]
            if isinstance(step, j.JoinOpening):
                return 200, self._open(step, remote, sender or remote)
            return 200, self._go_on(step, body)
        except QuotaExceeded:
            return j.FAULTS["hall.fault.busy"], msgspec.json.encode(j.JoinAnswer(fault="hall.fault.busy"))
        except j.JoinError as error:
            return j.FAULTS[error.key], msgspec.json.encode(j.JoinAnswer(fault=error.key))

    # --- inside -----------------------------------------------------------------------------------

    @contextmanager
    def _changing(self) -> Iterator[float]:
        """Hold the lock, drop what has expired and yield the time; then tell the listeners about changes."""
        changed = False
        try:
            with self._lock:
                before, now = self._shown(), self._clock()
                self._codes = {number: code for number, code in self._codes.items() if now < code.ends}
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
        """Return everything that listeners follow: the codes and the waiting tables."""
        return (*self._codes.values(), *[key for key, of in self._exchanges.items() if of.waits])

    def _make_code(self, number: int, ends: float) -> _Code:
        self._codes[number] = _Code(number, ends)
        return self._codes[number]

    def _ready(self, number: int, sender: str) -> _Code:
        """Return the code for a new exchange; raise `JoinError` if it has ended, if only for this sender."""
        code = self._codes.get(number)
        if code is None or code.wrong[sender] >= TRIES:
            raise j.JoinError("hall.fault.code_ended")
        return code

    def _open(self, step: j.JoinOpening, remote: str, sender: str) -> bytes:
        """Answer the first message; raise `QuotaExceeded` for a sender who begins too many exchanges."""
        with self._changing():
            code = self._ready(step.number, sender)
        if not self._openings.take(sender):
            raise QuotaExceeded
        with self._turns.turn(sender):  # the calculation takes tens of milliseconds on a Pi
            side = SPAKE2_B(code.text.encode(), idA=j.PURPOSE + b" table", idB=j.PURPOSE + b" hall")
            message: bytes = side.start()
            shared, key = j.agree(side, step.message), secrets.token_hex(8)
        channel = j.JoinChannel(shared, key, step.message, message)
        with self._changing() as now:
            if self._ready(step.number, sender) is not code:
                raise j.JoinError("hall.fault.code_ended")
            begun = [(other, of.sender) for other, of in self._exchanges.items() if of.request is None]
            self._exchanges.pop(who_gives_way(begun, sender, OPEN) or "", None)
            self._exchanges[key] = _Exchange(code, channel, remote, sender, now)
        return msgspec.json.encode(j.JoinAnswer(exchange=key, message=message, hall=self._hall))

    def _go_on(self, step: j.JoinConfirmation | j.JoinPoll, body: bytes) -> bytes:
        """Answer any later message; a repeated one gets the same answer again."""
        with self._changing() as now:
            exchange = self._exchanges.get(step.exchange)
            if exchange is None:
                raise j.JoinError("hall.fault.unknown_exchange")
            said, answer = exchange.last
            if body == said:
                return answer
            if isinstance(step, j.JoinConfirmation):
                self._confirm(step, exchange, now)
                count = 0
            else:
                self._hear(step, exchange, now)
                count = step.count
            answer = msgspec.json.encode(
                j.JoinAnswer(sealed=j.seal(exchange.channel.to_table, count, exchange.verdict))
            )
            exchange.last = body, answer
            return answer

    def _confirm(self, step: j.JoinConfirmation, exchange: _Exchange, now: float) -> None:
        """Let a table with the right code wait, which uses up the code; otherwise end the exchange."""
        if exchange.request is not None:
            raise j.JoinError("hall.fault.wrong_order")
        del self._exchanges[step.exchange]
        code = self._ready(exchange.code.number, exchange.sender)
        if code is not exchange.code:
            raise j.JoinError("hall.fault.code_ended")
        if not hmac.compare_digest(exchange.channel.proof, step.proof):
            code.wrong[exchange.sender] += 1
            if code.wrong.total() >= WRONG:
                self._make_code(code.number, code.ends)
            raise j.JoinError("hall.fault.wrong_code")
        request = j.unseal(exchange.channel.to_hall, 0, step.sealed, j.JoinRequest)
        # The sentence for an older table says: update.
        if not request.signature or not fits(request.name):
            raise j.JoinError("hall.fault.unreadable")
        if not proves(request.public, request.signature, exchange.channel.transcript, self._hall):
            raise j.JoinError("hall.fault.tampered")
        if code.number == j.AGAIN and not self._knows(request.public):
            raise j.JoinError("hall.fault.not_known")
        exchange.request, exchange.heard = request, now
        self._exchanges[step.exchange] = exchange
        if code.number != j.AGAIN:
            del self._codes[code.number]

    def _hear(self, step: j.JoinPoll, exchange: _Exchange, now: float) -> None:
        """Check that a table may ask, and has not asked this before."""
        if exchange.request is None or step.count <= exchange.count:
            raise j.JoinError("hall.fault.wrong_order")
        j.unseal(exchange.channel.to_hall, step.count, step.sealed, type(None))
        exchange.count = step.count
        # A decided exchange expires even if the table keeps asking.
        if exchange.verdict.state == j.WAITING:
            exchange.heard = now

    def _decide(self, key: str, verdict: j.JoinVerdict) -> None:
        with self._changing() as now:
            exchange = self._exchanges.get(key)
            if exchange is None or not exchange.waits:
                raise j.JoinError("hall.fault.unknown_exchange")
            exchange.verdict, exchange.heard = verdict, now
