"""An event stream: messages for one open connection, until it ends. Any WSGI server can iterate over it; ours pushes
it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from queue import Empty

from companion.threads.inbox import Inbox
from web.serving.compression import Packing

BEAT = 10.0
"""Seconds between heartbeats."""
BEATING = b": beat\n\n"


class Outbox(Inbox[bytes | None]):
    """Messages for one connection; `None` ends it. Each message calls `wake`, in the thread that queued it."""

    def __init__(self) -> None:
        super().__init__()
        self.wake: Callable[[], None] = lambda: None

    def put(self, item: bytes | None) -> None:
        """Queue a message and wake the server; never waits."""
        super().put(item)
        self.wake()


class Flow:
    """One stream as a response: an opening, then an outbox's messages, in order. Close it when the client
    disconnects.
    """

    def __init__(
        self, outbox: Outbox, opening: Iterator[bytes], closing: Callable[[], None], packing: Packing | None = None
    ) -> None:
        self.outbox = outbox
        self._packing = packing
        self.opening = (self.pack(message) for message in opening)
        self._closing = closing
        self._open = threading.Lock()
        self._flow = self._sending()

    def _sending(self) -> Iterator[bytes]:
        yield from self.opening
        for message in sent_messages(self.outbox):
            yield self.pack(message)
        yield self.end()

    @property
    def packed(self) -> bool:
        """Whether everything is compressed."""
        return self._packing is not None

    def pack(self, message: bytes) -> bytes:
        """Return a message in its transmitted form."""
        return self._packing.pack(message) if self._packing else message

    def end(self) -> bytes:
        """Return the bytes after the last message."""
        return self._packing.end() if self._packing else b""

    def __iter__(self) -> Iterator[bytes]:
        return self._flow

    def close(self) -> None:
        """Release the stream's place, once."""
        if self._open.acquire(blocking=False):
            self._closing()


def sent_messages(outbox: Outbox, beat: float = BEAT) -> Iterator[bytes]:
    """Yield an outbox's messages until `None` comes, and heartbeats in between."""
    while True:
        try:
            message = outbox.get(timeout=beat)
        except Empty:
            yield BEATING
            continue
        if message is None:
            return
        yield message
