"""Ask a hall over HTTP to admit a table, in a separate thread, until the organiser decides.

The other end is a stranger until it proves that it knows the code: its answers must be short and quick, and we do not
follow redirects.
"""

from __future__ import annotations

import http.client
import ipaddress
import re
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import TypeVar

from companion.devices.hall_link.joining import WAITING, JoinError, JoinGrant, JoiningTable, KeyFor
from companion.threads.listeners import Listeners

PORT, PATH = 8090, "/join"
"""The default port and path of a hall for joining."""
TIMEOUT_S, ANSWER_BYTES = 4.0, 64 * 1024
"""The time limit of an answer, and its largest size."""
POLL_S = 2.0
"""Seconds between two polls of the organiser's decision."""
TRIES, MISSED = 3, 15
"""The number of attempts to send the confirmation, and of polls in a row that may fail, as a hall's radio may fail
for a while."""
UNREACHABLE, NOT_A_HALL, BUSY = PASSING = "hall.fault.unreachable", "hall.fault.not_a_hall", "hall.fault.busy"
"""Faults that may pass. Before a hall's first answer, only BUSY counts as such."""
STATES = {
    UNREACHABLE: "unreachable",
    BUSY: "unreachable",
    "hall.fault.wrong_code": "wrong_code",
    "hall.fault.not_known": "wrong_code",
    "hall.fault.code_ended": "expired",
    "hall.fault.unknown_exchange": "expired",
}
"""The final state of an attempt for each fault; `not_a_hall` for any other."""
T = TypeVar("T")
GOING_ON = ("connecting", "waiting")
LABEL = r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?"
ADDRESS = re.compile(r"(?:http://)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?(?:[/?#].*)?", re.ASCII)
HOST = re.compile(rf"{LABEL}(\.{LABEL})*", re.ASCII)


def parse_hall_address(text: str) -> tuple[str, int]:
    """Return host and port of an address that people type or copy; raise `JoinError` if it is invalid."""
    found = ADDRESS.fullmatch(text.strip().lower())
    if found is not None:
        host, port = found[1].strip("[]").rstrip("."), int(found[2] or PORT)
        if 0 < port < 2**16 and _is_host(host, found[1].startswith("[")):
            return host, port
    raise JoinError("hall.fault.bad_address", address=text.strip()[:80])


def _is_host(host: str, bracketed: bool) -> bool:
    """Return whether a text is a name or an IP address; numbers and dots must form a complete one."""
    if bracketed or re.fullmatch(r"[0-9.]*", host):
        try:
            return isinstance(ipaddress.ip_address(host), ipaddress.IPv6Address) == bracketed
        except ValueError:
            return False
    return len(host) <= 253 and HOST.fullmatch(host) is not None


def _post(host: str, port: int, body: bytes) -> bytes:
    """Return the answer to a message, even one with an error status; raise `JoinError` if no hall answers.

    The opener handles only HTTP: no redirects, proxies, files or the like.
    """
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.HTTPHandler())
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}{PATH}"
    question = urllib.request.Request(url, body, {"Content-Type": "application/json"}, method="POST")
    ends = time.monotonic() + TIMEOUT_S
    try:
        with opener.open(question, timeout=TIMEOUT_S) as response:
            if 300 <= response.status < 400:
                raise JoinError(NOT_A_HALL)
            answer = b""
            while chunk := response.read1(ANSWER_BYTES):
                answer += chunk
                if len(answer) > ANSWER_BYTES:
                    raise JoinError(NOT_A_HALL)
                # The time-out applies to each chunk, and a chunk may be one byte.
                if time.monotonic() > ends:
                    raise JoinError(UNREACHABLE)
            return answer
    except JoinError:
        raise
    except OSError:
        raise JoinError(UNREACHABLE) from None
    except (http.client.HTTPException, ValueError):
        raise JoinError(NOT_A_HALL) from None


class JoinAttempt:
    """One attempt to join a hall. Each new state calls `on_change` with it, in its thread or the canceller's.

    States: `connecting`, `waiting` (for the organiser), and finally `approved` (with `grant`), `refused`, `closed`
    (cancelled), or, with `fault`, `wrong_code`, `unreachable`, `not_a_hall` or `expired` (the code or the exchange). An
    invalid address or code raises `JoinError` at once.
    """

    def __init__(
        self, address: str, code: str, name: str, key_for: KeyFor, on_change: Callable[[JoinAttempt], object]
    ) -> None:
        self.host, self.port = parse_hall_address(address)
        self.state = "connecting"
        self.grant: JoinGrant | None = None
        self.fault: JoinError | None = None
        """The reason why the attempt has ended, for the sentence."""
        self._table = JoiningTable(code, name, key_for)
        self._listeners: Listeners[[JoinAttempt]] = Listeners("A listener to an attempt to join a hall failed")
        self._listeners.add(on_change)
        self._lock = threading.Lock()
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._run, name="join", daemon=True)

    @property
    def public(self) -> bytes:
        """The table's key for this hall; empty before the hall's first answer."""
        return self._table.public

    def start(self) -> None:
        """Start asking in a separate thread."""
        self._thread.start()

    def cancel(self) -> None:
        """Give up: the state becomes `closed` at once, unless the attempt has already ended."""
        self._cancelled.set()
        self._become("closed")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the thread ends; return whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    # --- the thread -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            confirmation = self._insist(lambda: self._table.confirmation(self._ask(self._table.opening())), TRIES, BUSY)
            verdict = self._insist(lambda: self._table.verdict(self._ask(confirmation)), TRIES)
            while verdict.state == WAITING:
                self._become(WAITING)
                if self._cancelled.wait(POLL_S):
                    return
                verdict = self._insist(lambda: self._table.verdict(self._ask(self._table.poll())), MISSED)
            self._become(verdict.state, verdict.grant)
        except JoinError as error:
            self._become(STATES.get(error.key, "not_a_hall"), fault=error)

    def _ask(self, body: bytes) -> bytes:
        return _post(self.host, self.port, body)

    def _insist(self, ask: Callable[[], T], tries: int, *passing: str) -> T:
        """Return a hall's answer; ask again after a `passing` fault, at most `tries` times."""
        while True:
            try:
                return ask()
            except JoinError as error:
                tries -= 1
                if error.key not in (passing or PASSING) or not tries or self._cancelled.wait(POLL_S):
                    raise

    def _become(self, state: str, grant: JoinGrant | None = None, fault: JoinError | None = None) -> None:
        with self._lock:
            if self.state not in GOING_ON or self.state == state:
                return
            self.grant, self.fault, self.state = grant, fault, state
        self._listeners.tell(self)
