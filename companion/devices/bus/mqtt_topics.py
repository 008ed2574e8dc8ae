"""The topics of a bus at an MQTT broker, and the messages on them.

A service writes PREFIX/up/SERVICE and, while connected, PREFIX/here/SERVICE (retained; the broker clears it
afterwards); it reads PREFIX/down/SERVICE, PREFIX/down/all and PREFIX/here/table. The table announces itself every
second, which distinguishes it from the retained message of a vanished table and reveals a second table.
"""

from __future__ import annotations

import logging

import msgspec

from companion.devices.bus.mqtt_link import MqttLink
from companion.devices.bus.protocol import LONGEST_LINE
from companion.devices.fault_log import FaultLog
from companion.messages import SECOND, AnyMessage, ClockAsked, ClockTold, Health, Here, Message, decode, encode

UP, DOWN, HERE, ALL = "up", "down", "here", "all"
SILENT = 3 * SECOND
"""A table that has not announced itself for this long is gone."""
FLEETING = (Health, ClockAsked, ClockTold)
"""Messages that are repeated anyway and need no acknowledgement."""
FAULTS = FaultLog(logging.getLogger(__name__))


def publish(link: MqttLink, topic: str, message: Message) -> int | None:
    """Publish a message; return its number, or None if it was not accepted."""
    return link.publish(topic, encode(message).rstrip(b"\n"), 0 if isinstance(message, FLEETING) else 1)


def read_message(payload: bytes, peer: str = "") -> AnyMessage | None:
    """Return a peer's message, or None for an invalid one, which is logged once."""
    if len(payload) > LONGEST_LINE:
        FAULTS.note("skipped a message that is too long", peer, f"{len(payload)} bytes")
        return None
    try:
        return decode(payload)
    except msgspec.DecodeError as error:
        FAULTS.note("skipped an invalid message", peer, str(error))
        return None


def read_announcement(payload: bytes, service: str) -> Here | None:
    """Return the announcement of a service; None if it is gone, or if another service uses its name."""
    if not payload:
        return None
    message = read_message(payload, service)
    if isinstance(message, Here) and message.service == service:
        return message
    FAULTS.note("refused on the bus", service, "somebody else says to be it")
    return None
