"""Requests sent over the bus that wait for their answers."""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Protocol

from companion.messages import Answered, Asked, Message

LOG = logging.getLogger(__name__)


class RequestSender(Protocol):
    """A recipient of messages: a peer of the bus, or the bus's other end."""

    def send(self, message: Message) -> bool:
        """Send a message; False if the other end is gone or does not accept it."""
        ...


class Requests:
    """Pending requests. Any thread may ask; the bus's threads deliver the answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._pending: dict[int, _PendingRequest] = {}

    def ask(
        self, whom: RequestSender | None, what: str, fields: dict[str, Any], service: str, timeout: float
    ) -> Answered:
        """Send a request and wait up to `timeout` seconds for the answer.

        The answer's key is `absent` if no service can answer, `late` if it takes too long.
        """
        with self._lock:
            number = next(self._numbers)
            waiting = self._pending[number] = _PendingRequest(whom)
        try:
            if whom is None or not whom.send(Asked(number, what, fields, service)):
                return Answered(number, False, "absent")
            if not waiting.done.wait(timeout):
                return Answered(number, False, "late")
            return waiting.answer or Answered(number, False, "absent")
        finally:
            with self._lock:
                del self._pending[number]

    def answered(self, message: Answered, by: RequestSender | None = None) -> None:
        """Deliver an answer. If its sender `by` is given, only a request sent to that peer accepts it."""
        with self._lock:
            waiting = self._pending.get(message.number)
        if waiting is None or (by is not None and waiting.whom is not by):
            LOG.info("an answer came too late (number %s)", message.number)
        else:
            waiting.end(message)

    def left(self, whom: RequestSender) -> None:
        """Note that a peer has gone, and stop waiting for its answers."""
        with self._lock:
            waiting = [each for each in self._pending.values() if each.whom is whom]
        for each in waiting:
            each.end(None)


class _PendingRequest:
    """One pending request."""

    def __init__(self, whom: RequestSender | None) -> None:
        self.whom = whom
        self.done = threading.Event()
        self.answer: Answered | None = None

    def end(self, answer: Answered | None) -> None:
        """Deliver the answer, or None, and stop waiting."""
        self.answer = answer
        self.done.set()
