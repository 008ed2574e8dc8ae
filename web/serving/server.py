"""The event loop: accepts connections, receives whole requests before a thread sees them, and pushes streams.

A slow client costs no thread. A stalled connection costs one file descriptor for a while; where there are too many, the
address that has most of them gives way first.
"""

from __future__ import annotations

import errno
import logging
import resource
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer

from web.serving.connection import FLOW, HttpConnection, Largest
from web.serving.flow import Flow
from web.serving.pool import THREADS, Pool
from web.serving.stalled import LARGEST_HEADER, is_stalled, victims
from web.serving.tls import SecureEntrance, secured

CONNECTIONS = 400
"""Connections at once. Each may hold two descriptors (its own and a file's): together they stay below 1,024, beyond
which other libraries of this process could not wait for theirs by select()."""
FILES = 1024
"""The most descriptors that this process needs."""
AT_A_TIME = 64
"""Connections to accept before serving others."""
TICK = 1.0
"""Seconds between two checks for stalled connections."""
LOG = logging.getLogger(__name__)
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
GIVEN_UP = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class QuietLog(logging.Filter):
    """Leaves a request's path out of waitress's own log: paths hold tokens."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten the message to what comes before the path."""
        said = record.getMessage()
        if " while serving " in said:
            record.msg, record.args = said.partition(" while serving ")[0] + " while serving a request", ()
        return True


class Listener(TcpWSGIServer):  # type: ignore[misc]
    """Serves an application on a socket that listens already.

    `first` says of a path whether its requests go before all others; `largest` limits bodies. `secure` is a second
    entrance, over TLS.
    """

    channel_class = HttpConnection

    def __init__(
        self,
        application: WSGIApplication,
        listener: socket.socket,
        first: Callable[[str], bool],
        largest: Largest,
        secure: SecureEntrance | None = None,
    ) -> None:
        self.largest = largest
        self._selector = selectors.DefaultSelector()
        self._restless: set[HttpConnection] = set()
        """Connections whose interest in reading and writing may have changed."""
        self._ready: deque[HttpConnection] = deque()
        """Streams with new messages in their outbox."""
        self._woken = False
        self._ending: float | None = None
        self._deaf = False
        self._over = False
        self._stopping: list[Callable[[], None]] = []
        self._bell = threading.RLock()
        settings = Adjustments(
            sockets=[listener],
            ident="companion",
            trusted_proxy="127.0.0.1",
            trusted_proxy_headers="x-forwarded-proto x-forwarded-for",
            outbuf_high_watermark=256 * 1024,
            max_request_header_size=LARGEST_HEADER,
            max_request_body_size=1 << 40,  # `largest` bounds bodies
            log_socket_errors=False,
            backlog=1024,
        )
        pool = Pool(lambda task: not isinstance(task, HttpConnection) or first(getattr(task.requests[0], "path", "")))
        pool.set_thread_count(THREADS)
        address = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(
            hand_over_flows(application), {}, True, listener, pool, adj=settings, sockinfo=address, bind_socket=False
        )
        self._secure = secure
        self._entrances = [self._fileno]
        if secure is not None:
            secure.listener.setblocking(False)
            self._entrances.append(secure.listener.fileno())
        self._interest(self.trigger._fileno, READ)
        self._listen(True)

    # --- what connections tell --------------------------------------------------------------------

    def watch(self, connection: HttpConnection) -> None:
        """Begin to serve a connection."""
        self._restless.add(connection)

    def unwatch(self, connection: HttpConnection) -> None:
        """Stop serving a connection: it is about to be closed."""
        self._restless.discard(connection)
        self._forget(connection._fileno)

    def look_again(self, connection: HttpConnection) -> None:
        """Check soon what a connection waits for; any thread may call this."""
        self._restless.add(connection)
        self.pull_trigger()

    def push(self, connection: HttpConnection) -> None:
        """Push a stream soon; any thread may call this."""
        self._ready.append(connection)
        if not self._woken:
            self._woken = True
            self.pull_trigger()

    def close_later(self, flow: Flow) -> None:
        """End a flow in a thread of the pool."""
        self.task_dispatcher.add_task(ServerEnding(flow))

    def pull_trigger(self) -> None:
        """Wake the event loop; any thread, and a signal handler, may call this."""
        with self._bell:
            if not self._over:  # else the trigger's descriptor may be somebody else's by now
                super().pull_trigger()

    # --- the loop ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Serve until `stop`, then until all begun requests are answered or the grace is over."""
        tick = 0.0
        while not self._is_over():
            self._push()
            self._register()
            for key, events in self._selector.select(TICK if self._ending is None else 0.05):
                self._handle(key.fd, events)
            now = time.monotonic()
            if now >= tick:
                tick = now + TICK
                self.tidy(now)
        self.task_dispatcher.shutdown(timeout=1)
        for connection in list(self.active_channels.values()):
            connection.handle_close()
        with self._bell:
            self._over = True
            self.close()
        self._selector.close()

    def when_stopping(self, what: Callable[[], None]) -> None:
        """Call a function in the event loop as soon as it is to stop."""
        self._stopping.append(what)

    def stop(self, grace: float) -> None:
        """Accept nothing more and end within so many seconds; a signal handler may call this."""
        if self._ending is None:
            self._ending = time.monotonic() + grace
            self.pull_trigger()

    def _is_over(self) -> bool:
        if self._ending is None:
            return False
        if not self._deaf:
            self._listen(False)
        while self._stopping:
            self._stopping.pop(0)()
        busy = any(not connection.idle for connection in list(self.active_channels.values()))
        return not busy or time.monotonic() > self._ending

    def _push(self) -> None:
        self._woken = False
        while self._ready:
            connection = self._ready.popleft()
            connection.push()
            self._restless.add(connection)

    def _register(self) -> None:
        """Register with the system what each connection waits for, where that has changed."""
        working: list[HttpConnection] = []
        while self._restless:
            connection = self._restless.pop()  # before the look: what changes during it makes us look again
            number, busy = connection._fileno, bool(connection.requests)
            sent = connection.close_when_flushed and not connection.total_outbufs_len
            if connection.will_close or (sent and not busy):
                connection.handle_close()
            elif number is not None:
                self._interest(number, READ * bool(connection.readable()) | WRITE * bool(connection.writable()))
                if busy:  # a thread works on it, and may change what it waits for
                    working.append(connection)
        self._restless.update(working)

    def _interest(self, number: int, events: int) -> None:
        """Wait for these events of a descriptor, for none if 0."""
        known = self._selector.get_map().get(number)
        if known is None and events:
            self._selector.register(number, events)
        elif known is not None and not events:
            self._selector.unregister(number)
        elif known is not None and known.events != events:
            self._selector.modify(number, events)

    def _forget(self, number: int | None) -> None:
        if number is not None and number in self._selector.get_map():
            self._selector.unregister(number)

    def _handle(self, number: int, events: int) -> None:
        found = self._map.get(number)
        if number in self._entrances:
            self._accept(number)
        elif isinstance(found, HttpConnection):
            self._restless.add(found)
            try:
                self._serve(found, events)
            except Exception:
                LOG.exception("a connection failed")
                found.handle_close()
        elif found is not None:
            found.handle_read_event()

    def _serve(self, connection: HttpConnection, events: int) -> None:
        if events & READ:
            connection.handle_read_event()
        if events & WRITE and connection.connected:
            connection.handle_write_event()
            connection.push()

    # --- accepting --------------------------------------------------------------------------------

    def _listen(self, on: bool) -> None:
        """Accept connections, or leave them in the system's queue."""
        for entrance in self._entrances:
            if on:
                self._interest(entrance, READ)
            else:
                self._forget(entrance)
        self._deaf = not on

    def _accept(self, entrance: int) -> None:
        secure = self._secure if entrance != self._fileno else None
        for _ in range(AT_A_TIME):
            if len(self.active_channels) >= CONNECTIONS and not self._make_room():
                self._listen(False)
                return
            try:
                connection, address = (self.socket if secure is None else secure.listener).accept()
            except OSError as error:
                if error.errno in GIVEN_UP and not self._make_room():
                    self._listen(False)
                return
            try:
                self.set_socket_options(connection)
                if secure is not None:
                    connection = secured(secure.context, connection)
            except OSError:
                connection.close()
                continue
            self.channel_class(self, connection, address, self.adj, map=self._map)

    def _make_room(self) -> bool:
        """Close connections for newer ones; False where all are at work or stream."""
        found = victims(self.active_channels.values(), time.monotonic())
        for each in found:
            each.handle_close()
        return bool(found)

    # --- what has stalled -------------------------------------------------------------------------

    def tidy(self, now: float) -> None:
        """Close stalled connections and send heartbeats; `now` is in seconds of the monotonic clock."""
        for connection in list(self.active_channels.values()):
            if is_stalled(connection, now, now - connection.last_activity):
                connection.handle_close()
            elif connection.flow is not None:
                connection.beat(now)
                self._restless.add(connection)
        if self._deaf and self._ending is None:
            self._listen(True)


class ServerEnding:
    """Closes a flow, as a task for the pool."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def service(self) -> None:
        """Close the flow."""
        self._flow.close()

    def cancel(self) -> None:
        """Close the flow even when the pool has stopped."""
        self._flow.close()


def hand_over_flows(application: WSGIApplication) -> WSGIApplication:
    """Wrap the application: of a flow only the opening is iterated, the event loop pushes the rest."""

    def answered(environment: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        found = application(environment, start_response)
        if isinstance(found, Flow):
            environment[FLOW] = found
            return found.opening
        return found

    return answered


def raise_limit(wanted: int = FILES * 2) -> None:
    """Raise the limit of open files for this process, as far as allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            LOG.warning("no more than %d files may be open", soft)


for _name in ("waitress", "waitress.queue"):
    logging.getLogger(_name).addFilter(QuietLog())
logging.getLogger("waitress.queue").setLevel(logging.ERROR)
