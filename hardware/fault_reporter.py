"""A service that only reports why the settings cannot be used, so that pages can show the reason."""

from __future__ import annotations

import logging
import signal
import threading
import time

from companion.config import ConfigError
from companion.devices.bus import Address, join
from companion.findings import Finding, answer_of
from companion.messages import Answered, AnyMessage, Asked, Health
from companion.ops.systemd import SystemdNotifier

HEALTH_EVERY = 0.4
"""Seconds between two health messages."""
LOG = logging.getLogger(__name__)


def report(bus: Address, why: tuple[Finding, ...], ending: threading.Event | None = None) -> None:
    """Report why there are no buttons until SIGTERM, SIGINT or the event ends it."""
    notify = SystemdNotifier.from_environment()
    said = " ".join(str(ConfigError(each)) for each in why)
    LOG.error("%s", said)
    ending = ending or _end_event()

    def on_message(message: AnyMessage) -> None:
        if isinstance(message, Asked) and message.service == "buttons":
            client.send(Answered(message.number, True, "", answer_of(why)))

    client = join(bus, "buttons", on_message)
    notify.ready(said)
    while not ending.wait(HEALTH_EVERY):
        client.send(Health("buttons", time.monotonic_ns(), said=said))
        notify.alive()
    notify.stopping()
    client.close()


def _end_event() -> threading.Event:
    """Return an event that SIGTERM and SIGINT set."""
    ending = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ending.set())
    return ending
