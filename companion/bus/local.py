"""The bus on one machine: JSON lines over a Unix socket.

The table listens; a service connects, again and again until somebody listens. Nothing is kept for who is not there.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import logging
import os
import secrets
import socket
import stat
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from companion.bus.address import LONGEST_PATH
from companion.bus.clocks import boot
from companion.bus.peers import LONGEST_LINE, SLOW, BusError, Heard, HeardFrom, Peer, nobody, nothing
from companion.bus.rights import SAYS, refused
from companion.messages import AnyMessage, ClockTold, Here, Message, decode, encode

BACKLOG = 8
LOG = logging.getLogger(__name__)


class Connection:
    """One end of a connection: a thread that reads, and `send` from any thread."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self.service = ""
        self.user = _user(end)
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
                if not self._open:
                    return
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


def _user(end: socket.socket) -> int:
    """Return the number of the user at the other end, as the kernel tells it; -1 where it does not."""
    try:
        told = end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    except OSError:
        return -1
    _, user, _ = struct.unpack("3i", told)
    return int(user)


def _timeval(seconds: int, micro: int) -> bytes:
    """Return a `struct timeval` for a socket option."""
    return struct.pack("@ll", seconds, micro)


class LocalServer:
    """The table's end. `heard(peer, message)`, `joined(peer)` and `left(peer)` are called in threads of the bus."""

    def __init__(
        self,
        path: Path,
        heard: HeardFrom,
        joined: Callable[[Peer], None] = nobody,
        left: Callable[[Peer], None] = nobody,
    ) -> None:
        self.path = path
        self.said = ""
        self._heard, self._joined, self._left = heard, joined, left
        self._comers: set[Connection] = set()
        self._peers: set[Connection] = set()  # those who have said who they are
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
            peers = tuple(self._comers)
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
                self._comers.add(peer)
            threading.Thread(target=self._serve, args=(peer,), name="bus peer", daemon=True).start()

    def _serve(self, peer: Connection) -> None:
        try:
            peer.read(lambda message: self._take(peer, message))
        except Exception:
            LOG.exception("a message of a service could not be dealt with")
        finally:
            with self._lock:
                self._comers.discard(peer)
                self._peers.discard(peer)
            peer.release()
            if peer.service:
                self._left(peer)

    def _take(self, peer: Connection, message: AnyMessage) -> None:
        """Take what a service says, where it may say that; first of all it says who it is."""
        if peer.service:
            why = refused(peer.service, message)
            if why:
                LOG.warning("refused on the bus: %s (user %s)", why, peer.user)
            elif not isinstance(message, (Here, ClockTold)):
                self._heard(peer, message)
            return
        if not isinstance(message, Here) or message.service not in SAYS:
            LOG.warning("somebody on the bus who does not say who it is was cut off (user %s)", peer.user)
            peer.close()
            return
        peer.service = message.service
        with self._lock:
            self._peers.add(peer)
        self._joined(peer)


class LocalClient:
    """A service's end: connects, and again whenever the table comes back. `heard` is called in the bus's thread."""

    AGAIN = 0.2
    """Seconds between attempts to connect."""

    def __init__(
        self,
        path: Path,
        service: str,
        heard: Heard,
        joined: Callable[[], None] = nothing,
        left: Callable[[], None] = nothing,
    ) -> None:
        self.path = path
        self.service = service
        self.said = ""
        self._session, self._boot = secrets.token_hex(8), boot()
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
            peer = Connection(end)
            peer.send(Here(self.service, self._session, self._boot))
            self._peer = peer
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


def unreachable(path: Path) -> str:
    """Return why nobody can be reached at a path, as a sentence; nothing where somebody listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(SLOW)
        try:
            probe.connect(str(path))
        except PermissionError:
            return f"The bus {path} may not be used by this user: it must be in the group of the table's user."
        except (ConnectionRefusedError, FileNotFoundError, NotADirectoryError):
            return f"No table listens at {path}: start one (companion table, or companion run)."
        except OSError as error:
            return f"The bus {path} does not answer: {error.strerror or error}. Is the table too busy?"
    return ""


def listening(path: Path) -> socket.socket:
    """Return a socket that listens at a path, for this user and group; raise `BusError` where it cannot."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise BusError(f"The path {path} is too long for a socket: choose a shorter data folder.")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _alone(path.parent):
            _bind(listener, path)
    except OSError as error:
        listener.close()
        raise BusError(f"The bus cannot be opened at {path}: {error.strerror or error}.") from error
    except BusError:
        listener.close()
        raise
    return listener


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Be the only one who looks for a place in a folder: two tables that start together must not both find it free."""
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def _deserted(path: Path) -> bool:
    """Whether a socket is what is left of a table that is gone; one that is only busy, or not for us, is not."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        return probe.connect_ex(str(path)) == errno.ECONNREFUSED


def _bind(listener: socket.socket, path: Path) -> None:
    """Listen at a path, in the place of a table that is gone; raise `BusError` where one still listens."""
    if path.exists() and stat.S_ISSOCK(path.stat().st_mode):
        if not _deserted(path):
            raise BusError(f"Another table listens at {path} already: end that one first, or give this one other data.")
        path.unlink()
    old = os.umask(0o117)
    try:
        listener.bind(str(path))
    finally:
        os.umask(old)
    listener.listen(BACKLOG)
