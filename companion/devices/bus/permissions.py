"""Who may say what: a service says only what is a service's to say, and only as itself. Knows no meaning."""

from __future__ import annotations

from companion.messages import (
    Answered,
    AnyMessage,
    Asked,
    ClockTold,
    Health,
    Here,
    Message,
    PinDriven,
    Press,
    Sighted,
)

TABLE = "table"
SAYS: dict[str, tuple[type[Message], ...]] = {
    "buttons": (Press, PinDriven, Health, Answered),
    "camera": (Health, Sighted, Answered),
    "doctor": (Asked,),
}
"""What each service may say to the table."""
EVERYBODY = (Here, ClockTold)
"""What the bus itself has to say, between its own ends."""
SOURCES = ("pin", "radio")
"""Whence a press may come that crosses the bus; pages and programs press at the table itself."""


def refused(service: str, message: AnyMessage) -> str:
    """Return why a service may not say this, as a part of a sentence; nothing where it may."""
    kind = type(message).__name__
    if not isinstance(message, (*SAYS.get(service, ()), *EVERYBODY)):
        return f"{kind} is not for {service} to say"
    if isinstance(message, (Health, Here)) and message.service != service:
        return f"{kind} of {message.service[:20]!r} is not for {service} to say"
    if isinstance(message, Press) and message.source not in SOURCES:
        return f"a press of a {message.source} does not come from {service}"
    return ""
