"""Several channels over one connection, because browsers open at most six to one machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from web.live.channels import ChannelKey, Stream
from web.live.hub import Hub
from web.serving.flow import Flow, Outbox


class BundledStream(Stream):
    """One channel's stream within a bundle; every message names its place in the bundle."""

    def __init__(self, key: ChannelKey, page: str, queue: Outbox, at: int) -> None:
        super().__init__(key, page)
        self.queue = queue
        self._to = b"to: %d\n" % at

    def put(self, message: bytes | None) -> None:
        """Queue a message with its place."""
        super().put(message if message is None else self.add_place(message))

    def add_place(self, message: bytes) -> bytes:
        """Return one message or several, each with its place."""
        return b"".join([self._to + block + b"\n\n" for block in message.split(b"\n\n") if block])


class StreamBundle(Flow):
    """An open connection that carries several channels. Close it when the browser is gone."""

    def __init__(self, hub: Hub, keys: Sequence[ChannelKey], page: str) -> None:
        """Open all channels; raise `StreamsFull` for too many streams, `LookupError` for a missing channel."""
        self.hub = hub
        self.parts: list[BundledStream] = []
        self._missed: list[bytes] = []
        super().__init__(Outbox(), self._begin(), self._leave)
        try:
            for at, key in enumerate(keys):
                self._join(BundledStream(key, page, self.outbox, at))
        except Exception:
            self.close()
            raise

    def _join(self, part: BundledStream) -> None:
        opened = self.hub.open(part.key, part.page, "", part)
        if opened is None:
            raise LookupError(part.key)
        self.parts.append(part)
        self._missed += [part.add_place(each) for each in (*opened[1], *self.hub.greeting(part.key))]

    def _begin(self) -> Iterator[bytes]:
        """Yield what each channel sends first."""
        yield b"retry: 1000\n\n" + b"".join(self._missed)

    def _leave(self) -> None:
        for part in self.parts:
            self.hub.close(part)
