"""The event loop: uvicorn's connections, limited in number and time, in front of a WSGI application.

A slow client costs no thread. A stalled connection costs one file descriptor for a while; when there are too many, the
address with the most gives way first.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from typing import cast
from wsgiref.types import WSGIApplication

from uvicorn import Config
from uvicorn.server import ServerState

from web.serving.connection import LARGEST_HEADER, HttpConnection
from web.serving.requests import Largest, ThreadedApplication
from web.serving.slow_clients.stalled_connections import HEADER, is_stalled, victims
from web.serving.tls import SecureEntrance, speaks_tls

CONNECTIONS = 400
"""Concurrent connections. Each may hold two descriptors (its own and a file's): together they stay below 1,024, beyond
which other libraries of this process could not use select().
"""
TICK = 1.0
"""Seconds between two checks for stalled connections."""
GIVEN_UP = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Listener:
    """Serves an application on a listening socket.

    `first` decides by path which requests are served first; `largest` limits bodies. `secure` is a second entrance,
    over TLS.
    """

    def __init__(
        self,
        application: WSGIApplication,
        listener: socket.socket,
        first: Callable[[str], bool],
        largest: Largest,
        secure: SecureEntrance | None = None,
    ) -> None:
        self._entrances: list[tuple[socket.socket, ssl.SSLContext | None]] = [(listener, None)]
        if secure is not None:
            self._entrances.append((secure.listener, secure.context))
        self._config = Config(
            ThreadedApplication(application, first, largest),
            http=HttpConnection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            forwarded_allow_ips="127.0.0.1",
            h11_max_incomplete_event_size=LARGEST_HEADER,
            timeout_keep_alive=3600,  # `slow_clients` ends idle connections
        )
        self._config.load()
        self._state = ServerState()
        self.connections = cast("set[HttpConnection]", self._state.connections)
        self._stopping: list[Callable[[], None]] = []
        self._grace: float | None = None
        self._ending = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self) -> None:
        """Serve until `stop`, then until all begun requests are answered or the grace period is over."""
        asyncio.run(self._run())

    def when_stopping(self, what: Callable[[], None]) -> None:
        """Call a function in the event loop as soon as the server begins to stop."""
        self._stopping.append(what)

    def stop(self, grace: float) -> None:
        """Accept nothing more and end within these seconds; any thread and a signal handler may call this."""
        if self._grace is None:
            self._grace = grace
            with suppress(RuntimeError):  # the loop has ended
                if self._loop is not None:
                    self._loop.call_soon_threadsafe(self._ending.set)

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        accepting = [self._loop.create_task(self._accept(*each)) for each in self._entrances]
        while self._grace is None:
            self.tidy(time.monotonic())
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), TICK)
        end = time.monotonic() + self._grace
        for task in accepting:
            task.cancel()
        for what in self._stopping:
            what()
        while any(not each.idle for each in self.connections) and time.monotonic() < end:
            await asyncio.sleep(0.02)
        for connection in list(self.connections):
            connection.drop()
        if self._state.tasks:
            await asyncio.wait(self._state.tasks, timeout=0.1)

    # --- accepting --------------------------------------------------------------------------------

    async def _accept(self, entrance: socket.socket, context: ssl.SSLContext | None) -> None:
        """Accept connections; beyond the limit, they wait in the system's queue."""
        loop = asyncio.get_running_loop()
        entrance.setblocking(False)
        while True:
            try:
                arrived, address = await loop.sock_accept(entrance)
            except OSError as error:
                full = error.errno in GIVEN_UP and not self._make_room()
                # A recurring error must not stop the loop.
                await asyncio.sleep(TICK if full else 0)
                continue
            try:
                while len(self.connections) >= CONNECTIONS and not self._make_room():
                    await asyncio.sleep(TICK)
            except asyncio.CancelledError:
                arrived.close()
                raise
            connection = HttpConnection(self._config, self._state, address[0])
            self.connections.add(connection)
            connection.arrival = loop.create_task(self._welcome(connection, arrived, context))
            await asyncio.sleep(0)  # let other tasks run during a crowd of newcomers

    async def _welcome(
        self, connection: HttpConnection, arrived: socket.socket, context: ssl.SSLContext | None
    ) -> None:
        """Start HTTP on a connection, after a handshake if the client starts one at the secure entrance."""
        try:
            try:
                arrived.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                secure = context if context is not None and await speaks_tls(arrived) else None
            except BaseException:
                arrived.close()  # from here on the connection's transport closes the socket
                raise
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: connection, arrived, ssl=secure, ssl_handshake_timeout=HEADER if secure else None
            )
        except (OSError, asyncio.CancelledError):
            self.connections.discard(connection)

    def _make_room(self) -> bool:
        """Close connections to make room for newer ones; return False if all are working or streaming."""
        found = victims(self.connections, time.monotonic())
        for each in found:
            each.drop()
        return bool(found)

    # --- stalled connections ----------------------------------------------------------------------

    def tidy(self, now: float) -> None:
        """Close stalled connections and have streams send due heartbeats; `now` is monotonic."""
        self._state.default_headers = [(b"Date", formatdate(usegmt=True).encode()), (b"Server", b"companion")]
        for connection in list(self.connections):
            connection.watch_progress(now)
            if is_stalled(connection, now):
                connection.drop()
            elif connection.streaming:
                connection.news.set()


logging.getLogger("uvicorn").setLevel(logging.ERROR)  # uvicorn logs malformed requests
logging.getLogger("uvicorn.access").disabled = True  # paths contain tokens
