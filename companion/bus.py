"""The bus: messages between the table and its services, as JSON lines over a Unix socket. Knows no meaning.

The table listens; a service connects, again and again until somebody listens. Nothing is kept for who is not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import socket
import stat
import struct
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import msgspec

from companion.messages import AnyMessage, Message, decode, encode

LONGEST_LINE = 64 * 1024
"""Bytes of one message at most; who sends more is cut off."""
SLOW = 2.0
"""Seconds after which a service that takes nothing is cut off: it must not hold up the table."""
LONGEST_PATH = 100
"""Bytes that the address of a Unix socket may have, with some to spare (the kernel takes 108)."""
LOG = logging.getLogger(__name__)


class BusError(ValueError):
    """The bus cannot be opened; the message says why and what to do."""


class Peer(Protocol):
    """The other end of a connection."""

    def send(self, message: Message) -> bool:
        """Send a message; False where the other end is gone or takes nothing."""
        ...


class Connection:
    """One end of a connection: a thread that reads, and `send` from any thread."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._lock = threading.Lock()
        self._open = True
        end.settimeout(None)
        seconds, micro = int(SLOW), int(SLOW % 1 * 1_000_000)
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(seconds, micro))

    def send(self, message: Message) -> bool:
        """Send a message; False where the other end is gone or takes nothing."""
        with self._lock:
            if not self._open:
                return False
            try:
                self._end.sendall(encode(message))
            except OSError:
                self._shut()
                return False
        return True

    def read(self, heard: Callable[[AnyMessage], None]) -> None:
        """Hand over every message until the other end goes; lines that are none are passed over."""
        rest = b""
        while True:
            try:
                piece = self._end.recv(65536)
            except OSError:
                piece = b""
            if not piece:
                return
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                try:
                    message = decode(line)
                except msgspec.DecodeError as error:
                    LOG.warning("a message that is none was passed over: %s", error)
                    continue
                heard(message)
            if len(rest) > LONGEST_LINE:
                LOG.warning("a service that sends lines without end was cut off")
                return

    def close(self) -> None:
        """End the connection; a thread that reads from it ends."""
        with self._lock:
            self._shut()

    def release(self) -> None:
        """Give the socket back, once nobody reads from it any more."""
        self.close()
        self._end.close()

    def _shut(self) -> None:
        if self._open:
            self._open = False
            with contextlib.suppress(OSError):
                self._end.shutdown(socket.SHUT_RDWR)


def _timeval(seconds: int, micro: int) -> bytes:
    """Return a `struct timeval` for a socket option."""
    return struct.pack("@ll", seconds, micro)


class BusServer:
    """The table's end. `heard(peer, message)`, `joined(peer)` and `left(peer)` are called in threads of the bus."""

    def __init__(
        self,
        path: Path,
        heard: Callable[[Peer, AnyMessage], None],
        joined: Callable[[Peer], None] = lambda peer: None,
        left: Callable[[Peer], None] = lambda peer: None,
    ) -> None:
        self.path = path
        self._heard, self._joined, self._left = heard, joined, left
        self._peers: set[Connection] = set()
        self._lock = threading.Lock()
        self._closed = False
        self._listener = listening(path)
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
        """End all connections and listen no more."""
        with self._lock:
            self._closed = True
            peers = tuple(self._peers)
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for peer in peers:
            peer.close()
        self._thread.join(SLOW)
        with contextlib.suppress(OSError):
            if self.path.stat().st_ino == self._inode:  # a table that has come after this one listens there by now
                self.path.unlink()

    def _accept(self) -> None:
        while True:
            try:
                end, _ = self._listener.accept()
            except OSError:
                return
            peer = Connection(end)
            with self._lock:
                if self._closed:
                    peer.release()
                    return
                self._peers.add(peer)
            threading.Thread(target=self._serve, args=(peer,), name="bus peer", daemon=True).start()

    def _serve(self, peer: Connection) -> None:
        try:
            self._joined(peer)
            peer.read(lambda message: self._heard(peer, message))
        except Exception:
            LOG.exception("a message of a service could not be dealt with")
        finally:
            with self._lock:
                self._peers.discard(peer)
            peer.release()
            self._left(peer)


class BusClient:
    """A service's end: connects, and again whenever the table comes back. `heard` is called in the bus's thread."""

    AGAIN = 0.2
    """Seconds between attempts to connect."""

    def __init__(
        self,
        path: Path,
        heard: Callable[[AnyMessage], None],
        joined: Callable[[], None] = lambda: None,
        left: Callable[[], None] = lambda: None,
    ) -> None:
        self.path = path
        self._heard, self._joined, self._left = heard, joined, left
        self._peer: Connection | None = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)
        self._thread.start()

    def send(self, message: Message) -> bool:
        """Send a message; False where the table is not there."""
        peer = self._peer
        return peer is not None and peer.send(message)

    def close(self) -> None:
        """Leave the bus."""
        self._closing.set()
        if self._peer is not None:
            self._peer.close()
        if threading.current_thread() is not self._thread:
            self._thread.join(SLOW)

    def _run(self) -> None:
        while not self._closing.is_set():
            end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                end.connect(str(self.path))
            except OSError:
                end.close()
                self._closing.wait(self.AGAIN)
                continue
            peer = self._peer = Connection(end)
            if self._closing.is_set():  # `close` may have come before there was a peer to close
                peer.close()
            try:
                self._joined()
                peer.read(self._heard)
            except Exception:
                LOG.exception("a message of the table could not be dealt with")
            finally:
                self._peer = None
                peer.release()
                self._left()
            self._closing.wait(self.AGAIN)


def listening(path: Path) -> socket.socket:
    """Return a socket that listens at a path, for this user and group; raise `BusError` where it cannot."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise BusError(f"The path {path} is too long for a socket: choose a shorter data folder.")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()
        old = os.umask(0o117)
        try:
            listener.bind(str(path))
        finally:
            os.umask(old)
        listener.listen(8)
    except OSError as error:
        listener.close()
        raise BusError(f"The bus cannot be opened at {path}: {error.strerror or error}.") from error
    return listener


def path_for(folder: Path) -> Path:
    """Return where a folder's bus is: `COMPANION_BUS`, else in the folder, else (too long) among temporary files."""
    named = os.environ.get("COMPANION_BUS")
    if named:
        return Path(named)
    path = folder.absolute() / "bus"
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return path
    mark = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"companion-{os.getuid()}" / mark
