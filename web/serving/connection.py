"""One connection: limits on the size of requests, and streams that the event loop pushes without holding a thread."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from queue import Empty
from typing import Any

from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import WSGITask
from waitress.utilities import RequestEntityTooLarge

from web.serving.flow import BEAT, BEATING, Flow
from web.serving.tls import TlsSocket

FLOW = "companion.flow"
"""The key of the WSGI environment that holds a response's flow."""
DEAD_AFTER = 5000
"""Milliseconds after which a stream gives up a client that takes nothing (TCP_USER_TIMEOUT)."""
UNSENT = 32 * 1024
"""Bytes of a stream that may wait in this process; more messages wait in the outbox, whose owner limits them."""
Largest = Callable[[str, str, int], int]
"""Returns the bytes that a body may have, from the request's method, path and announced length."""


class HttpRequest(HTTPRequestParser):  # type: ignore[misc]
    """A request while it is received. A body that is too large is never read: the application refuses it."""

    completed: bool
    content_length: int

    def __init__(self, adjustments: object, largest: Largest, secure: bool = False) -> None:
        super().__init__(adjustments)
        self._largest, self._secure = largest, secure

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header; leave out a body that is longer than allowed and close the connection afterwards."""
        super().parse_header(header_plus)
        if self._secure:
            self.url_scheme = "https"
        length = self.content_length
        if length > 0 and length > self._largest(self.command, self.path, length):
            self.body_rcv, self.content_length, self.expect_continue = None, 0, False
            self.headers["CONNECTION"] = "close"

    def received(self, data: bytes) -> int:
        """Take bytes in and return how many belong to this request; limits a body in chunks as it grows."""
        consumed = int(super().received(data))
        if self.chunked and not self.completed:
            most = self._largest(self.command, self.path, 0)
            if self.body_bytes_received > most:
                self.error = RequestEntityTooLarge(f"more than {most} bytes")
                self.completed = True
        return consumed


class ResponseTask(WSGITask):  # type: ignore[misc]
    """An answer of the application. A flow is handed to the connection once its opening is written."""

    def execute(self) -> None:
        """Run the application."""
        try:
            super().execute()
        except BaseException:
            flow = self.flow
            if flow is not None:
                flow.close()
            raise

    @property
    def flow(self) -> Flow | None:
        """The flow that the application answered with, if it did."""
        found = (self.environ or {}).get(FLOW)
        return found if isinstance(found, Flow) else None

    def set_close_on_finish(self) -> None:
        """Close the connection after this answer, but not merely because an answer without a body has no length."""
        asked = str(self.request.headers.get("CONNECTION", "")).lower()
        if self.has_body or self.version != "1.1" or asked == "close":
            super().set_close_on_finish()

    def finish(self) -> None:
        """End the answer, or leave it open for the event loop."""
        flow = self.flow
        if flow is None:
            super().finish()
        else:
            self.close_on_finish = False  # else the connection would close once the opening is sent
            self.channel.follow(flow, self)


class HttpConnection(HTTPChannel):  # type: ignore[misc]
    """A client's connection. The event loop alone closes it; `server` is a `web.serving.server.Listener`."""

    task_class = ResponseTask
    close_when_flushed: bool

    def __init__(self, server: Any, sock: socket.socket, addr: object, adj: object, map: object = None) -> None:
        self.flow: Flow | None = None
        self.answer: ResponseTask | None = None
        self.pushed = 0.0
        self.begun: float | None = time.monotonic()
        """When the wait for an unfinished request began; None: between two requests."""
        super().__init__(server, sock, addr, adj, map)
        self.parser_class = lambda adjustments: HttpRequest(adjustments, server.largest, self.secure)

    @property
    def last_activity(self) -> float:
        """When a byte last went either way, in seconds of the monotonic clock."""
        return self._active

    @last_activity.setter
    def last_activity(self, wall: float) -> None:
        """Note that a byte went, by the monotonic clock: waitress gives the wall clock, which may be set meanwhile."""
        self._active = time.monotonic()

    @property
    def secure(self) -> bool:
        """Whether the client speaks TLS."""
        return isinstance(self.socket, TlsSocket) and bool(self.socket.secure)

    def handle_read(self) -> None:
        """Take bytes in; over TLS, bytes may come that say nothing to us."""
        try:
            if isinstance(self.socket, TlsSocket) and not self.socket.has_news():
                return
        except OSError:
            self.handle_close()
            return
        super().handle_read()

    # --- bookkeeping of the loop ------------------------------------------------------------------

    def add_channel(self, map: object = None) -> None:
        """Register the connection with the server."""
        super().add_channel(map)
        self.server.watch(self)

    def del_channel(self, map: object = None) -> None:
        """Unregister the connection from the server."""
        self.server.unwatch(self)
        super().del_channel(map)

    @property
    def idle(self) -> bool:
        """Whether no answer is being made or sent: closing loses at most an incomplete request."""
        return not (self.requests or self.flow or self.total_outbufs_len)

    def received(self, data: bytes) -> bool:
        """Take bytes in; drop those that come on a stream's connection."""
        if self.flow is not None:
            return True
        taken = bool(super().received(data))
        if self.request is None:
            self.begun = None
        elif self.begun is None:
            self.begun = time.monotonic()
        return taken

    def service(self) -> None:
        """Answer one request, in a thread of the pool."""
        try:
            super().service()
        finally:
            self.server.look_again(self)

    def handle_close(self) -> None:
        """Close the connection; its stream ends in another thread, because that may have to wait."""
        super().handle_close()
        if self.flow is not None:
            self.server.close_later(self.flow)

    # --- streams ----------------------------------------------------------------------------------

    def follow(self, flow: Flow, answer: ResponseTask) -> None:
        """Send a flow's messages from now on; called in the thread that wrote its opening."""
        connection = self.socket
        try:
            if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
        except OSError:
            pass  # the client hung up: the loop will see it
        self.answer, self.pushed = answer, time.monotonic()
        self.flow = flow
        flow.outbox.wake = lambda: self.server.push(self)
        if self.connected:
            self.server.push(self)
        else:
            flow.close()

    def push(self) -> None:
        """Send the flow's waiting messages as long as the client takes them; called by the event loop."""
        flow, answer = self.flow, self.answer
        while flow and answer and self.connected and not self.close_when_flushed and self.total_outbufs_len <= UNSENT:
            try:
                message = flow.outbox.get()
            except Empty:
                return
            try:
                if message is not None:
                    answer.write(flow.pack(message))
                else:
                    answer.write(flow.end())
                    WSGITask.finish(answer)
                    self.close_when_flushed = True
            except ClientDisconnected:
                return
            self.pushed = time.monotonic()

    def beat(self, now: float) -> None:
        """Send a heartbeat if nothing was sent for a while."""
        flow, answer = self.flow, self.answer
        if flow and answer and now - self.pushed >= BEAT and not self.total_outbufs_len:
            self.pushed = now
            try:
                answer.write(flow.pack(BEATING))
            except ClientDisconnected:
                return
