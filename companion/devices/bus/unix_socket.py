"""The bus on one machine: JSON lines over a Unix socket. The table listens; each service retries until it connects."""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion.devices.bus.clock_sync import read_boot_id
from companion.devices.bus.kernel_readings import has_unread_bytes
from companion.devices.bus.permissions import ALLOWED, why_refused
from companion.devices.bus.protocol import LONGEST_LINE, SLOW, BusPeer, OnMessage, OnPeerMessage, ignore, ignore_peer
from companion.devices.bus.socket_path import explain_failure, listen
from companion.devices.fault_log import FaultLog
from companion.messages import AnyMessage, ClockTold, Here, Message, decode, encode

MOST_PEERS = 32
"""Maximum number of connections: one for each service and each doctor; each holds a thread."""
FIRST_WORD = 5.0
"""Seconds within which a new connection must name its service."""
LOG = logging.getLogger(__name__)


class SocketConnection:
    """One end of a connection; one thread reads, and any thread may `send`."""

    def __init__(self, end: socket.socket, faults: FaultLog) -> None:
        self._end = end
        self._faults = faults
        self.service = ""
        self.process, self.user = _credentials(end)
        self._lock = threading.Lock()
        self._open = True
        self._handling = False
        end.settimeout(None)
        seconds, micro = int(SLOW), int(SLOW % 1 * 1_000_000)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(seconds, micro))

    @property
    def unheard(self) -> bool:
        """Whether an unhandled message from the other end has arrived."""
        return self._handling or has_unread_bytes(self._end)

    def send(self, message: Message) -> bool:
        """Send a message; return False if the other end is gone or does not accept it."""
        with self._lock:
            if not self._open:
                return False
            try:
                self._end.sendall(encode(message))
            except OSError:
                self._disconnect()
                return False
        return True

    def read(self, on_message: Callable[[AnyMessage], None]) -> None:
        """Pass on every message until the other end leaves; skip lines that are not messages."""
        rest = b""
        while True:
            try:
                piece = self._end.recv(65536)
            except OSError:
                piece = b""
            if not piece:
                return
            self._handling = True
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                if not self._open:
                    return
                try:
                    message = decode(line)
                except msgspec.DecodeError as error:
                    self._faults.note("skipped an invalid message", self.name, str(error))
                    continue
                on_message(message)
            if len(rest) > LONGEST_LINE:
                self._faults.note("disconnected a service that sent an endless line", self.name)
                return
            self._handling = False

    @property
    def name(self) -> str:
        """The peer's name in the log."""
        return f"{self.service or 'somebody'} (user {self.user})"

    def hurry(self, seconds: float) -> None:
        """End `read` if nothing arrives for this many seconds; 0 means wait for ever."""
        self._end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(int(seconds), int(seconds % 1 * 1e6)))

    def close(self) -> None:
        """End the connection and the thread that reads from it."""
        with self._lock:
            self._disconnect()

    def release(self) -> None:
        """Release the socket after its reading thread has ended."""
        self.close()
        self._end.close()

    def _disconnect(self) -> None:
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                self._end.shutdown(socket.SHUT_RDWR)


def _credentials(end: socket.socket) -> tuple[int, int]:
    """Return the other end's process and user ids according to the kernel, or 0 and -1."""
    try:
        told = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    except OSError:
        return 0, -1
    process, user, _ = struct.unpack("3i", told)
    return int(process), int(user)


def _timeval(seconds: int, micro: int) -> bytes:
    """Return a `struct timeval` for a socket option."""
    return struct.pack("@ll", seconds, micro)


class UnixServer:
    """The table's end. It calls `on_message`, `on_joined` and `on_left` in threads of the bus."""

    def __init__(
        self,
        path: Path,
        on_message: OnPeerMessage,
        on_joined: Callable[[BusPeer], None] = ignore_peer,
        on_left: Callable[[BusPeer], None] = ignore_peer,
    ) -> None:
        self.path = path
        self.said = ""
        self._deliver, self._joined, self._left = on_message, on_joined, on_left
        self._connections: set[SocketConnection] = set()
        self._peers: set[SocketConnection] = set()  # peers that have named their service
        self._lock = threading.Lock()
        self._closed = False
        self._faults = FaultLog(LOG)
        self._listener = listen(path)
        self._inode = path.stat().st_ino
        self._thread = threading.Thread(target=self._accept, name="bus", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> None:
        """Send a message to every service."""
        with self._lock:
            peers = tuple(self._peers)
        for peer in peers:
            peer.send(message)

    def close(self) -> None:
        """End all connections and stop listening."""
        with self._lock:
            self._closed = True
            peers = tuple(self._connections)
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for peer in peers:
            peer.close()
        self._thread.join(SLOW)
        with contextlib.suppress(OSError):
            # Otherwise a newer table already listens there.
            if self.path.stat().st_ino == self._inode:
                self.path.unlink()

    def _accept(self) -> None:
        while True:
            try:
                end, _ = self._listener.accept()
            except OSError:
                return
            peer = SocketConnection(end, self._faults)
            with self._lock:
                if self._closed:
                    peer.release()
                    return
                full = len(self._connections) >= MOST_PEERS
                if not full:
                    self._connections.add(peer)
            if full:
                self._faults.note("a connection was refused: there are too many on the bus", peer.name)
                peer.release()
                continue
            peer.hurry(FIRST_WORD)
            threading.Thread(target=self._serve, args=(peer,), name="bus peer", daemon=True).start()

    def _serve(self, peer: SocketConnection) -> None:
        try:
            peer.read(lambda message: self._receive(peer, message))
        except Exception as error:
            self._faults.trace("a message of a service could not be dealt with", error)
        finally:
            with self._lock:
                self._connections.discard(peer)
                self._peers.discard(peer)
            peer.release()
            if peer.service:
                self._left(peer)

    def _receive(self, peer: SocketConnection, message: AnyMessage) -> None:
        """Handle a message if the peer may send it; the first one must name the service."""
        if peer.service:
            why = why_refused(peer.service, message)
            if why:
                self._faults.note(f"refused on the bus: {why}", peer.name)
            elif not isinstance(message, (Here, ClockTold)):
                self._deliver(peer, message)
            return
        if not isinstance(message, Here) or message.service not in ALLOWED:
            self._faults.note("disconnected a client that did not identify itself", f"user {peer.user}")
            peer.close()
            return
        peer.service = message.service
        peer.hurry(0)
        with self._lock:
            self._peers.add(peer)
        self._joined(peer)


class UnixClient:
    """A service's end: connects, and reconnects once the table returns; calls `on_message` in the bus's thread."""

    AGAIN = 0.2
    """Seconds between attempts to connect."""
    ALONE = 3.0
    """Seconds without a table before the reason is logged."""

    def __init__(
        self,
        path: Path,
        service: str,
        on_message: OnMessage,
        on_joined: Callable[[], None] = ignore,
        on_left: Callable[[], None] = ignore,
    ) -> None:
        self.path = path
        self.service = service
        self.said = ""
        self._session, self._boot = secrets.token_hex(8), read_boot_id()
        self._faults = FaultLog(LOG)
        self._deliver, self._joined, self._left = on_message, on_joined, on_left
        self._peer: SocketConnection | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> bool:
        """Send a message to the table; return False if there is no table."""
        peer = self._peer
        return peer is not None and peer.send(message)

    def close(self) -> None:
        """Leave the bus."""
        self._closing.set()
        if self._peer is not None:
            self._peer.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(SLOW)

    def _note_failure(self, error: OSError, since: float) -> None:
        """Note why no table was reached; log it only after a while, since services often start before the table."""
        why = explain_failure(self.path, error)
        if why != self.said and time.monotonic() - since > self.ALONE:
            self.said = why
            LOG.warning("%s", why)

    def _run(self) -> None:
        since = time.monotonic()
        while not self._closing.is_set():
            end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                end.connect(str(self.path))
            except OSError as error:
                end.close()
                self._note_failure(error, since)
                self._closing.wait(self.AGAIN)
                continue
            self.said = ""
            peer = SocketConnection(end, self._faults)
            peer.service = "table"
            peer.send(Here(self.service, self._session, self._boot))
            self._peer = peer
            # `close` may come before there is a peer to close.
            if self._closing.is_set():
                peer.close()
            try:
                self._joined()
                peer.read(self._deliver)
            except Exception as error:
                self._faults.trace("a message of the table could not be dealt with", error)
            finally:
                self._peer = None
                peer.release()
                self._left()
            since = time.monotonic()
            self._closing.wait(self.AGAIN)
