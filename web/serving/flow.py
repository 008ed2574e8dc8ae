"""Messages for one open connection, until it ends. Any WSGI server may iterate a flow; ours pushes it instead."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from queue import Empty

from companion.threads.inbox import Inbox

BEAT = 10.0
"""Seconds between heartbeats."""
BEATING = b": beat\n\n"


class Outbox(Inbox[bytes | None]):
    """Messages for one connection; `None` ends it. Each message calls `wake`, in the thread that put it."""

    def __init__(self) -> None:
        super().__init__()
        self.wake: Callable[[], None] = lambda: None

    def put(self, item: bytes | None) -> None:
        """Queue a message and wake the server; never waits."""
        super().put(item)
        self.wake()


class Packing:
    """Compresses the messages of one stream (gzip), so that each can be unpacked as soon as it arrives.

    What a region says is mostly what it said before: with the window of 32 KB a move takes a fifth of what it takes
    compressed by itself. A stream holds 160 KB for that.
    """

    LEVEL, WINDOW, MEMORY = 6, 15, 6

    def __init__(self) -> None:
        self._packer = zlib.compressobj(self.LEVEL, zlib.DEFLATED, 16 + self.WINDOW, self.MEMORY)

    def pack(self, message: bytes) -> bytes:
        """Return a message compressed."""
        return self._packer.compress(message) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        """Return the end of what was compressed."""
        return self._packer.flush()


class Flow:
    """One stream as a response: an opening, then an outbox's messages, in order. Close it when the client is gone."""

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
        """Return a message as it is sent."""
        return self._packing.pack(message) if self._packing else message

    def end(self) -> bytes:
        """Return what is sent after the last message."""
        return self._packing.end() if self._packing else b""

    def __iter__(self) -> Iterator[bytes]:
        return self._flow

    def close(self) -> None:
        """Give the stream's place back, once."""
        if self._open.acquire(blocking=False):
            self._closing()


def sent_messages(outbox: Outbox, beat: float = BEAT) -> Iterator[bytes]:
    """Yield the messages of an outbox until `None` comes, and heartbeats in between."""
    while True:
        try:
            message = outbox.get(timeout=beat)
        except Empty:
            yield BEATING
            continue
        if message is None:
            return
        yield message
