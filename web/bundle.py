"""Several channels over one connection: browsers open six at most to one machine. Knows no pages and no rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.inbox import Inbox
from web.hub import Hub, Key, Stream, sent


class Part(Stream):
    """One channel's stream within a bundle: every message says at which place of the bundle it belongs."""

    def __init__(self, key: Key, page: str, queue: Inbox[bytes | None], at: int) -> None:
        super().__init__(key, page)
        self.queue = queue
        self._to = b"to: %d\n" % at

    def put(self, message: bytes | None) -> None:
        """Queue a message with its address."""
        super().put(message if message is None else self.addressed(message))

    def addressed(self, message: bytes) -> bytes:
        """Return a message, or several, each with its address."""
        return b"".join([self._to + block + b"\n\n" for block in message.split(b"\n\n") if block])


class Bundle:
    """An open connection that carries several channels. Close it when the browser is gone."""

    def __init__(self, hub: Hub, keys: Sequence[Key], page: str) -> None:
        """Open all of them; raise `Full` where there are too many streams, `LookupError` where one is not there."""
        self.hub = hub
        self.parts: list[Part] = []
        self._queue: Inbox[bytes | None] = Inbox()
        self._missed: list[bytes] = []
        self._closed = False
        try:
            for at, key in enumerate(keys):
                self._open(Part(key, page, self._queue, at))
        except Exception:
            self.close()
            raise
        self._flow = self._sending()

    def _open(self, part: Part) -> None:
        opened = self.hub.open(part.key, part.page, "", part)
        if opened is None:
            raise LookupError(part.key)
        self.parts.append(part)
        self._missed += [part.addressed(each) for each in (*opened[1], *self.hub.greeting(part.key))]

    def _sending(self) -> Iterator[bytes]:
        """Yield what stands, then whatever comes, until one of the channels ends."""
        yield b"retry: 1000\n\n" + b"".join(self._missed)
        yield from sent(self._queue)

    def __iter__(self) -> Iterator[bytes]:
        return self._flow

    def close(self) -> None:
        """Give the streams' places back, once."""
        if not self._closed:
            self._closed = True
            for part in self.parts:
                self.hub.close(part)
