"""The hall's end of joining: it shows a code, answers tables, and lets the organiser decide."""

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
"""The number of seconds that a code holds, and one on a printed sheet."""
TRIES, WRONG = 3, 1000
"""Wrong tries that a code bears of one sender, and of all: then another takes its place. There are 25^6 codes."""
OPEN, SILENT_S = 100, 60.0
"""Exchanges that are begun and not confirmed; seconds after which a silent table is forgotten."""
OPENINGS = Rate(40, 1)
"""Exchanges that a sender may begin. Each takes a hundredth of a second of this process, on a Pi several."""
RECKONING, RECKONING_EACH = 12, 4
"""Exchanges that may wait for their turn to be begun: of the server's two dozen threads, some go on with pages."""


class JoinCandidate(msgspec.Struct, frozen=True):
    """A table that has the code right and waits for the organiser."""

    exchange: str
    name: str
    public: bytes
    remote: str
    number: int = 0
    """The table's number on the printed sheet; 0: its code came from no sheet."""
    again: bool = False
    """Whether it used the code for tables that were here before."""

    @property
    def fingerprint(self) -> str:
        """What the organiser compares."""
        return fingerprint(self.public)


class ShownCode(msgspec.Struct, frozen=True):
    """A code from a sheet: for which table, as it is typed, and for how many seconds it still holds."""

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
        """Of the last message; no count is used twice, as it is a nonce."""
        self.last: tuple[bytes, bytes] = (b"", b"")
        """The last message and its answer: said again, it is answered the same, as an answer may have been lost."""

    @property
    def waits(self) -> bool:
        """Whether it waits for the organiser."""
        return self.request is not None and self.verdict.state == j.WAITING


class JoiningDesk:
    """The hall's end: shows codes, answers tables, and lets the organiser decide. Any thread may call it.

    `clock` returns seconds and never goes back. `hall` is the hall's id; `knows` says whether a key is one of a table
    that was here before and may come again.
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
        """Call a function, without holding any lock, whenever the codes or the tables that wait have changed."""
        self._listeners.add(callback)

    def code(self) -> str:
        """Return the code to show for one table, as `K7-F3QD`; a new one if there is none, or if it has ended."""
        with self._changing() as now:
            return (self._codes.get(j.SINGLE) or self._make_code(j.SINGLE, now + CODE_S)).shown

    def new_code(self) -> str:
        """Return a new code for one table; the one before does not hold any more."""
        with self._changing() as now:
            return self._make_code(j.SINGLE, now + CODE_S).shown

    def print_codes(self, numbers: Iterable[int]) -> None:
        """Make a code for each of these tables, or for all of before (`AGAIN`); earlier ones of theirs end."""
        with self._changing() as now:
            for number in numbers:
                self._make_code(number, now + SHEET_S)

    def printed(self) -> tuple[ShownCode, ...]:
        """Return the codes that hold beside the one that is shown, by number."""
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
        """Let a table in; raise `JoinError` if it does not wait any more, or if the grant is impossible."""
        j.check_grant(grant)
        self._decide(exchange, j.JoinVerdict(j.APPROVED, grant))

    def refuse(self, exchange: str) -> None:
        """Turn a table away; raise `JoinError` if it does not wait any more."""
        self._decide(exchange, j.JoinVerdict(j.REFUSED))

    def answer(self, body: bytes, remote: str, sender: str = "") -> tuple[int, bytes]:
        """Return the HTTP status and the answer to a message from an address; never raises.

        `sender` is whose quota it takes from, such as the address's network; empty: the address.
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
        """Hold the lock, forget what has ended and yield the time; then tell the listeners if anything has changed."""
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
        """Return what listeners are told of: the codes, and who waits."""
        return (*self._codes.values(), *[key for key, of in self._exchanges.items() if of.waits])

    def _make_code(self, number: int, ends: float) -> _Code:
        self._codes[number] = _Code(number, ends)
        return self._codes[number]

    def _ready(self, number: int, sender: str) -> _Code:
        """Return the code for an exchange that begins; raise `JoinError` if it has ended, for this sender at least."""
        code = self._codes.get(number)
        if code is None or code.wrong[sender] >= TRIES:
            raise j.JoinError("hall.fault.code_ended")
        return code

    def _open(self, step: j.JoinOpening, remote: str, sender: str) -> bytes:
        """Answer the first message; raise `QuotaExceeded` for a sender who begins too much."""
        with self._changing():
            code = self._ready(step.number, sender)
        if not self._openings.take(sender):
            raise QuotaExceeded
        with self._turns.turn(sender):  # the reckoning takes tens of milliseconds on a Pi
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
        """Answer any later message; the last one that was answered is answered the same when it is said again."""
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
        """Let a table wait whose code is right; the code is used up. Otherwise the exchange ends."""
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
        # An older table's sentence says: update.
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
        # A decided exchange ends, however often it is asked about.
        if exchange.verdict.state == j.WAITING:
            exchange.heard = now

    def _decide(self, key: str, verdict: j.JoinVerdict) -> None:
        with self._changing() as now:
            exchange = self._exchanges.get(key)
            if exchange is None or not exchange.waits:
                raise j.JoinError("hall.fault.unknown_exchange")
            exchange.verdict, exchange.heard = verdict, now
