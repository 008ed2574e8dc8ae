"""Asking: questions that are sent over the bus and wait for their answers. Knows not what is asked."""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Protocol

from companion.messages import Answered, Asked, Message

LOG = logging.getLogger(__name__)


class RequestSender(Protocol):
    """Who takes messages: a peer of the bus, or its other end."""

    def send(self, message: Message) -> bool:
        """Send a message; False where the other end is gone or takes nothing."""
        ...


class Requests:
    """Questions under way. Any thread may ask; the bus's threads hand in the answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._asked: dict[int, _Waiting] = {}

    def ask(
        self, whom: RequestSender | None, what: str, fields: dict[str, Any], service: str, timeout: float
    ) -> Answered:
        """Ask, and wait for the answer for so many seconds at most.

        The answer's key is `absent` where nobody is there to answer, `late` where it takes too long.
        """
        with self._lock:
            number = next(self._numbers)
            waiting = self._asked[number] = _Waiting(whom)
        try:
            if whom is None or not whom.send(Asked(number, what, fields, service)):
                return Answered(number, False, "absent")
            if not waiting.done.wait(timeout):
                return Answered(number, False, "late")
            return waiting.answer or Answered(number, False, "absent")
        finally:
            with self._lock:
                del self._asked[number]

    def answered(self, message: Answered, by: RequestSender | None = None) -> None:
        """Hand in an answer. Where it is known who gives it, nobody else's question is answered."""
        with self._lock:
            waiting = self._asked.get(message.number)
        if waiting is None or (by is not None and waiting.whom is not by):
            LOG.info("an answer came too late (number %s)", message.number)
        else:
            waiting.end(message)

    def left(self, whom: RequestSender) -> None:
        """Notice that somebody has gone; whoever waits for that answer waits no longer."""
        with self._lock:
            waiting = [each for each in self._asked.values() if each.whom is whom]
        for each in waiting:
            each.end(None)


class _Waiting:
    """One question that waits for its answer."""

    def __init__(self, whom: RequestSender | None) -> None:
        self.whom = whom
        self.done = threading.Event()
        self.answer: Answered | None = None

    def end(self, answer: Answered | None) -> None:
        """Wait no longer."""
        self.answer = answer
        self.done.set()
