"""A cable between one device and the server, which can be pulled and plugged in again."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

PIECE = 65536


class Cable:
    """A cable that forwards data between its address and the server's while it is plugged in."""

    def __init__(self, listener: socket.socket, server: tuple[str, int]) -> None:
        self.address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener, self._server = listener, server
        self._lock = threading.Lock()
        self._plugged = True
        self._ends: list[socket.socket] = []

    def run(self) -> None:
        """Carry every connection until the listener is closed."""
        with suppress(OSError):
            while True:
                near = self._listener.accept()[0]
                with self._lock:
                    if not self._plugged:
                        near.close()
                        continue
                    far = socket.create_connection(self._server)
                    self._ends += (near, far)
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=carry, args=(one, other), daemon=True).start()

    def pull(self) -> None:
        """Cut every connection; new ones fail until it is plugged in."""
        with self._lock:
            self._plugged = False
            for end in self._ends:
                cut(end)
            self._ends.clear()

    def plug(self) -> None:
        """Forward connections again."""
        with self._lock:
            self._plugged = True


def cut(end: socket.socket) -> None:
    """Shut a connection down; the thread that reads from it closes it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)


def carry(one: socket.socket, other: socket.socket) -> None:
    """Forward data from one end to the other, until either is cut."""
    with one, suppress(OSError):
        while piece := one.recv(PIECE):
            other.sendall(piece)
    cut(other)


@contextmanager
def cable(server: str) -> Iterator[Cable]:
    """Yield a cable to a server's address."""
    parts = urlsplit(server)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        found = Cable(listener, (str(parts.hostname), int(parts.port or 80)))
        thread = threading.Thread(target=found.run, daemon=True)
        thread.start()
        try:
            yield found
        finally:
            found.pull()
            cut(listener)
            thread.join()
