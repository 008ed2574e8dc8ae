"""A client's connection: uvicorn's, with hooks for the limits on stalled clients. Only the event loop uses it."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import suppress
from queue import Empty

from h11 import LocalProtocolError
from uvicorn import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from web.serving.event_stream import Flow

LARGEST_HEADER = 16 * 1024
"""Bytes of a request's first line and header fields."""
STEP = 1024
"""How many bytes a header may exceed that limit if it is then complete."""
DEAD_AFTER = 5000
"""Milliseconds after which a stream gives up a client that receives nothing (TCP_USER_TIMEOUT)."""
UNSENT = 32 * 1024
"""Bytes of a stream buffered in this process; further messages wait in the outbox, whose owner limits them."""


class Pushed:
    """A stream's messages as bytes of HTTP/1.1. They bypass the state machine of h11, which takes longer than the
    write.
    """

    def __init__(self, flow: Flow, chunked: bool) -> None:
        self._flow = flow
        self._chunked = chunked
        self.at = time.monotonic()
        """When a message was last taken, in seconds of the monotonic clock."""
        self.ended = False
        """Whether the outbox's end was reached."""

    @property
    def waiting(self) -> int:
        """The number of waiting messages."""
        return len(self._flow.outbox)

    def take(self) -> bytes:
        """Return waiting messages as they are transmitted, all or as many as may be buffered."""
        found, size = [], 0
        with suppress(Empty):
            while size < UNSENT and not self.ended:
                message = self._flow.outbox.get()
                self.ended = message is None
                found.append(b"" if message is None else self._flow.pack(message))
                size += len(found[-1])
        data = b"".join(found)
        if not data:
            return b""
        self.at = time.monotonic()
        return b"%x\r\n%b\r\n" % (len(data), data) if self._chunked else data


class HttpConnection(H11Protocol):
    """A connection from its acceptance on. `arrival` is the task that makes it speak HTTP; `drop` cancels it."""

    arrival: asyncio.Task[None]

    def __init__(self, config: Config, state: ServerState, address: str) -> None:
        super().__init__(config, state, {"connection": self})
        self.address = address
        self.last_activity = time.monotonic()
        """When a byte was last sent or received, in seconds of the monotonic clock."""
        self.begun: float | None = self.last_activity
        """When the wait for an unfinished request began; None between requests."""
        self.length: int | None = None
        """Bytes announced for a request's body; None while its header is incomplete."""
        self.busy = self.sending = self.streaming = self.lost = False
        """Whether a thread or a stream works on an answer; whether it is being sent; whether it is a stream; whether
        the client is gone.
        """
        self.news = asyncio.Event()
        """An event that is set when a stream's task has something to do, or the client is gone."""
        self.pushed: Pushed | None = None
        """The stream's messages, while its task waits for news."""
        self._early, self._waited = False, 0

    @property
    def unsent(self) -> int:
        """Bytes of answers buffered in this process."""
        return self.transport.get_write_buffer_size() if self.transport and not self.lost else 0

    @property
    def idle(self) -> bool:
        """Whether no answer is being made or sent; closing then loses at most an incomplete request."""
        return not (self.busy or self.sending or self.unsent)

    # --- events from asyncio ----------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start speaking HTTP."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(UNSENT)

    def data_received(self, data: bytes) -> None:
        """Receive bytes; discard those on a stream's connection."""
        self.last_activity = time.monotonic()
        if self.streaming:
            return
        self._early = not self.idle
        if self.begun is None and self.idle:
            self.begun = self.last_activity
        # h11 measures a header only while it is incomplete, so feed it in small pieces.
        step = STEP if self.length is None else LARGEST_HEADER
        for at in range(0, len(data), step):
            if self.transport.is_closing():
                return
            try:
                super().data_received(data[at : at + step])
            except LocalProtocolError:  # a malformed body, after its answer has begun
                self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake the stream, if any, so that it ends."""
        self.lost = True
        self.news.set()
        super().connection_lost(exc)

    # --- events from requests ---------------------------------------------------------------------

    def begin_answer(self) -> None:
        """Record that a request is complete."""
        self.busy, self.begun, self._early = True, None, False

    def begin_sending(self) -> None:
        """Record that a thread has made the answer, or its beginning."""
        self.busy, self.sending = False, True

    def begin_stream(self) -> None:
        """Record that messages follow as long as the client receives them."""
        self.busy = self.streaming = True
        with suppress(OSError, AttributeError):  # the client hung up, or this system has no such limit
            self.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)

    def end_answer(self) -> None:
        """Record that the answer is complete; the next request may have begun already."""
        self.busy = self.sending = self.streaming = False
        self.last_activity = time.monotonic()
        self.length, self.begun = None, self.last_activity if self._early else None

    def push(self) -> None:
        """Write a stream's new messages at once, or wake its task if the client is behind or the stream ends."""
        pushed = self.pushed
        if pushed is None or self.unsent or not self.transport or self.transport.is_closing():
            self.news.set()
            return
        if data := pushed.take():
            self.transport.write(data)
        if pushed.ended or pushed.waiting:
            self.news.set()

    # --- calls from the server --------------------------------------------------------------------

    def watch_progress(self, now: float) -> None:
        """Record whether the client has received anything since the last call."""
        waits = self.unsent
        if waits < self._waited:
            self.last_activity = now
        self._waited = waits

    def drop(self) -> None:
        """Close the connection at once."""
        self.connections.discard(self)
        if self.transport:
            self.transport.abort()
        else:
            self.arrival.cancel()
