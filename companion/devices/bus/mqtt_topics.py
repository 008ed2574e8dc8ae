"""The topics of the bus at an MQTT broker, and its messages on them. Knows no message's meaning.

A service writes PREFIX/up/SERVICE, and PREFIX/here/SERVICE as long as it is there (retained; emptied by the broker when
it is gone); it reads PREFIX/down/SERVICE, PREFIX/down/all and PREFIX/here/table. The table says every second that it is
there: what was retained of a table that is gone, or of a second one, is told apart by that.
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
"""A table that has not said for so long that it is there is not there."""
FLEETING = (Health, ClockAsked, ClockTold)
"""What is said again anyway need not be acknowledged."""
FAULTS = FaultLog(logging.getLogger(__name__))


def said(link: MqttLink, topic: str, message: Message) -> int | None:
    """Say something; return its number, None where nobody takes it."""
    return link.publish(topic, encode(message).rstrip(b"\n"), 0 if isinstance(message, FLEETING) else 1)


def read(payload: bytes, peer: str = "") -> AnyMessage | None:
    """Return a message of a peer; None where it is none, which is logged once."""
    if len(payload) > LONGEST_LINE:
        FAULTS.note("a message that is too long was passed over", peer, f"{len(payload)} bytes")
        return None
    try:
        return decode(payload)
    except msgspec.DecodeError as error:
        FAULTS.note("a message that is none was passed over", peer, str(error))
        return None


def there(payload: bytes, service: str) -> Here | None:
    """Return who says to be there; None where nobody does any more, or somebody in another's name."""
    if not payload:
        return None
    message = read(payload, service)
    if isinstance(message, Here) and message.service == service:
        return message
    FAULTS.note("refused on the bus", service, "somebody else says to be it")
    return None
