"""Unanswered requests over the bus."""

from __future__ import annotations

import itertools
import logging
import threading

from companion.devices.bus import BusClient, BusPeer
from companion.messages import Answered, Asked

LOG = logging.getLogger(__name__)


RequestSender = BusPeer | BusClient
"""A peer of the bus, or its other end."""


class Requests:
    """The pending requests. Any thread may ask; the bus's threads deliver the answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._pending: dict[int, _PendingRequest] = {}

    def ask(
        self, peer: RequestSender | None, what: str, fields: dict[str, object], service: str, timeout: float
    ) -> Answered:
        """Send a request and wait at most `timeout` seconds. Without an answer the key is `absent` or `late`."""
        with self._lock:
            number = next(self._numbers)
            pending = self._pending[number] = _PendingRequest(peer)
        try:
            if peer is None or not peer.send(Asked(number, what, fields, service)):
                return Answered(number, False, "absent")
            if not pending.done.wait(timeout):
                return Answered(number, False, "late")
            return pending.answer or Answered(number, False, "absent")
        finally:
            with self._lock:
                del self._pending[number]

    def on_answer(self, message: Answered, by: RequestSender | None = None) -> None:
        """Deliver an answer. With `by`, it counts only for a request to that peer."""
        with self._lock:
            pending = self._pending.get(message.number)
        if pending is None or (by is not None and pending.peer is not by):
            LOG.info("an answer arrived too late (number %s)", message.number)
        else:
            pending.finish(message)

    def on_disconnect(self, peer: RequestSender) -> None:
        """End all requests to a peer that has gone."""
        with self._lock:
            pending = [each for each in self._pending.values() if each.peer is peer]
        for each in pending:
            each.finish(None)


class _PendingRequest:
    """One request without an answer."""

    def __init__(self, peer: RequestSender | None) -> None:
        self.peer = peer
        self.done = threading.Event()
        self.answer: Answered | None = None

    def finish(self, answer: Answered | None) -> None:
        """Stop waiting; None means that no answer will come."""
        self.answer = answer
        self.done.set()
