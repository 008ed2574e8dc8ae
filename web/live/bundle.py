"""Several channels over one connection, because browsers open at most six to one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from web.live.channels import ChannelKey, Stream
from web.live.hub import Hub
from web.serving.compression import Packing
from web.serving.event_stream import Flow, Outbox
from web.serving.slow_clients.stream_places import StreamsFull


class Wanted(NamedTuple):
    """A page's subscription: its channel, its own name, the last message it has received, its client's address.

    A page without a channel gets only `instead`.
    """

    key: ChannelKey | None
    page: str
    last: str = ""
    address: str = ""
    instead: bytes = b""


class BundledStream(Stream):
    """One channel's stream within a bundle. Every message carries the stream's position in the bundle."""

    def __init__(self, key: ChannelKey, wanted: Wanted, outbox: Outbox, at: int, pages: int) -> None:
        """`pages` is the number of pages that share the outbox."""
        super().__init__(key, wanted.page, wanted.address)
        self.outbox, self.backlog, self._at = outbox, self.backlog * pages, at

    def put(self, message: bytes | None) -> None:
        """Queue a message with the stream's position."""
        super().put(message if message is None else add_place(self._at, message))


def add_place(at: int, message: bytes) -> bytes:
    """Return a text of one or more messages, each with a position in a bundle."""
    return b"".join([b"to: %d\n%s\n\n" % (at, block) for block in message.split(b"\n\n") if block])


class StreamBundle(Flow):
    """An open connection that carries several channels. Close it when the browser disconnects.

    `refuse` returns the message for a page that cannot be kept up to date: there are too many streams, or its match has
    left the table. Without it the whole bundle fails.
    """

    def __init__(
        self,
        hub: Hub,
        pages: Sequence[Wanted],
        packing: Packing | None = None,
        refuse: Callable[[StreamsFull | LookupError, Wanted], bytes] | None = None,
    ) -> None:
        """Open all channels; raise `StreamsFull` for too many streams, `LookupError` for a missing channel."""
        self.hub = hub
        self.parts: list[BundledStream] = []
        self._missed: list[bytes] = []
        self._count = sum([page.key is not None for page in pages])
        super().__init__(Outbox(), self._begin(), self._leave, packing)
        try:
            for at, page in enumerate(pages):
                try:
                    self._join(at, page)
                except (StreamsFull, LookupError) as error:
                    if refuse is None:
                        raise
                    self._missed.append(add_place(at, refuse(error, page)))
        except Exception:
            self.close()
            raise

    def _join(self, at: int, page: Wanted) -> None:
        if page.key is None:
            self._missed.append(add_place(at, page.instead))
            return
        part = BundledStream(page.key, page, self.outbox, at, self._count)
        opened = self.hub.open(part.key, part.page, page.last, part)
        if opened is None:
            raise LookupError(part.key)
        self.parts.append(part)
        self._missed += [add_place(at, each) for each in (*opened[1], *self.hub.greeting(part.key))]

    def _begin(self) -> Iterator[bytes]:
        """Yield each channel's first message."""
        yield b"retry: 1000\n\n" + b"".join(self._missed)

    def _leave(self) -> None:
        for part in self.parts:
            self.hub.close(part)
