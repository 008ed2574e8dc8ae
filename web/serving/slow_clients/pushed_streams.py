"""Streams of messages, each of which ends if its client is too slow."""

from __future__ import annotations

from web.serving.event_stream import Outbox

BACKLOG = 48
"""Messages queued for one slow stream before it ends; its page then catches up by itself."""


class PushedStream:
    """A stream with its queue of messages. `None` in the outbox ends it."""

    def __init__(self, role: str, token: str = "", address: str = "") -> None:
        """`token` is the one in its page's address, `address` the client's; both may be empty."""
        self.role, self.token, self.address = role, token, address
        self.outbox, self.backlog = Outbox(), BACKLOG
        self.ended = False

    def put(self, message: bytes | None) -> None:
        """Queue a message, or end a stream that is too far behind."""
        if self.ended:
            return
        if message is None or len(self.outbox) >= self.backlog:
            self.ended, message = True, None
        self.outbox.put(message)
