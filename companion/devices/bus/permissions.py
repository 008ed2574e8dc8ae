"""The messages that each service may send; every service speaks only in its own name."""

from __future__ import annotations

from companion import messages as m

TABLE = "table"
ALLOWED: dict[str, tuple[type[m.Message], ...]] = {
    "buttons": (m.Press, m.PinDriven, m.Health, m.Answered),
    "camera": (m.Health, m.Sighted, m.Answered),
    "doctor": (m.Asked,),
}
"""Messages that each service may send to the table."""
ALWAYS_ALLOWED = (m.Here, m.ClockTold)
"""Messages of the bus itself, between its two ends."""
SOURCES = ("pin", "radio")
"""Sources of a press that may cross the bus; pages and programs press directly at the table."""


def why_refused(service: str, message: m.AnyMessage) -> str:
    """Return why a service may not send this message, as part of a sentence; empty if it may."""
    kind = type(message).__name__
    if not isinstance(message, (*ALLOWED.get(service, ()), *ALWAYS_ALLOWED)):
        return f"{kind} is not for {service} to say"
    if isinstance(message, (m.Health, m.Here)) and message.service != service:
        return f"{kind} of {message.service[:20]!r} is not for {service} to say"
    if isinstance(message, m.Press) and message.source not in SOURCES:
        return f"a press of a {message.source} does not come from {service}"
    return ""
