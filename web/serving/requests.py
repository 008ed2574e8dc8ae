"""Serves requests: receives a whole body before a thread sees it, and pushes streams without a thread."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import Empty
from tempfile import SpooledTemporaryFile
from typing import IO, Any
from wsgiref.types import WSGIApplication

from h11 import LocalProtocolError

from web.serving.connection import HttpConnection, Pushed
from web.serving.event_stream import BEAT, BEATING, Flow
from web.serving.wsgi import Answer, Threads, environment

THREADS, OTHERS = 22, 2
"""Threads for the table's own requests, and for those of strangers and spectators. Streams hold none."""
SPOOLED = 512 * 1024
"""The most bytes of a body to keep in memory; a larger body goes into a file."""
Largest = Callable[[str, str, int], int]
"""Returns the largest allowed body in bytes, from the request's method, path and announced length."""


class ThreadedApplication:
    """An ASGI application around a WSGI one."""

    def __init__(self, application: WSGIApplication, first: Callable[[str], bool], largest: Largest) -> None:
        self._application, self._first, self._largest = application, first, largest
        self._own, self._others = Threads(THREADS), Threads(OTHERS)
        self._ready: deque[HttpConnection] = deque()
        """Streams with new messages in their outbox."""
        self._woken = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a request."""
        connection: HttpConnection = scope["state"]["connection"]
        with suppress(asyncio.CancelledError), SpooledTemporaryFile(SPOOLED) as body:
            length, refused = await self._receive(connection, scope, receive, body)
            if connection.lost:
                return
            body.seek(0)
            connection.begin_answer()
            threads = self._own if self._first(scope["path"]) else self._others
            asked = environment(scope, body, length)
            answer = await threads.run(Answer, self._application, asked)
            if refused:
                answer.headers.append((b"Connection", b"close"))
            try:
                await self._send(connection, answer, threads, scope, send)
            except LocalProtocolError:  # malformed data arrived in the meantime
                connection.drop()
                await connection.news.wait()
            finally:
                connection.end_answer()
                if answer.more or answer.flow is not None:
                    self._own.submit(answer.close)  # closing a flow may have to wait

    async def _receive(self, connection: HttpConnection, scope: Any, receive: Any, body: IO[bytes]) -> tuple[int, bool]:
        """Return the bytes of a request's body, and whether they exceed the limit; the application then refuses
        them.
        """
        headers = dict(scope["headers"])
        connection.length = length = int(headers.get(b"content-length", 0))
        most, size, more = self._largest(scope["method"], scope["path"], length), 0, True
        if length > most:
            return length, True
        if not length and b"transfer-encoding" not in headers:
            return 0, False
        while more and size <= most:
            came = await receive()
            size += body.write(came.get("body", b""))
            more = came.get("more_body", False)
        return size, size > most

    async def _send(self, connection: HttpConnection, answer: Answer, threads: Threads, scope: Any, send: Any) -> None:
        """Send an answer as fast as the client receives it."""
        connection.begin_sending()
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        while not connection.lost:
            await send(part(answer.piece, answer.more or answer.flow is not None))
            connection.last_activity = time.monotonic()
            if not answer.more:
                break
            await threads.run(answer.advance)
        if answer.flow is not None:
            await self._stream(connection, answer.flow, scope, send)

    async def _stream(self, connection: HttpConnection, flow: Flow, scope: Any, send: Any) -> None:
        """Send a flow's messages, and heartbeats in between, until it ends or the client disconnects.

        Most messages are written by `HttpConnection.push`; this task sends those for which the client is not ready.
        """
        connection.begin_stream()
        loop, pushed = asyncio.get_running_loop(), Pushed(flow, scope["http_version"] == "1.1")
        flow.outbox.wake = lambda: self._push_soon(loop, connection)
        while not connection.lost:
            connection.news.clear()
            with suppress(Empty):
                while not pushed.ended and (message := flow.outbox.get()) is not None:
                    await send(part(flow.pack(message)))
                    pushed.at = time.monotonic()
                await send(part(flow.end(), more=False))
                connection.transport.close()
                return
            if time.monotonic() - pushed.at >= BEAT and not connection.unsent:
                await send(part(flow.pack(BEATING)))
                pushed.at = time.monotonic()
            if not len(flow.outbox):
                connection.pushed = pushed if scope["method"] == "GET" else None
                await connection.news.wait()
                connection.pushed = None

    def _push_soon(self, loop: asyncio.AbstractEventLoop, connection: HttpConnection) -> None:
        """Push a stream soon; any thread may call this."""
        self._ready.append(connection)
        if not self._woken:
            self._woken = True
            with suppress(RuntimeError):  # the server has stopped
                loop.call_soon_threadsafe(self._push)

    def _push(self) -> None:
        self._woken = False
        while self._ready:
            self._ready.popleft().push()


def part(body: bytes, more: bool = True) -> dict[str, object]:
    """Return a part of an answer as an ASGI message."""
    return {"type": "http.response.body", "body": body, "more_body": more}
