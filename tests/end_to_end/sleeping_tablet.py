"""A sleeping tablet: its page is frozen, its stream is dead, and after waking it catches up.

It handles stream messages exactly as the page's script does.
"""

from __future__ import annotations

from companion.engine import Seat
from companion.threads.inbox import Inbox
from tests.end_to_end.world import Evening
from tests.support.web.visitors import messages
from web.live.channels import ChannelKey, Stream
from web.live.hub import Hub


class Tablet:
    """The current page of a seat, or the shared one, with an open stream."""

    def __init__(self, evening: Evening, seat: Seat | None = None) -> None:
        self.evening = evening
        match = evening.table.snapshot().match_id
        self.key = ChannelKey(match, "table" if seat is None else "seat", seat, "en")
        self.regions, self.last = self._fresh()
        self.hub, self.stream = self._open()

    @property
    def right(self) -> bool:
        """Return whether it shows the same as a newly opened page."""
        return self.regions == self._fresh()[0]

    def sleep(self) -> None:
        """Lose the connection."""
        self.hub.close(self.stream)

    def doze(self) -> None:
        """Stop reading the stream without closing it."""

    def wake(self) -> None:
        """Read the rest of the stream and, if it has ended, open another from the last message seen."""
        self._take()
        if self.stream.ended or self.hub is not self.evening.context.hub or self.stream not in self.hub._open:
            self.hub, self.stream = self._open()

    def _fresh(self) -> tuple[dict[str, str], str]:
        found = self.evening.context.hub.page(self.key)
        assert found is not None
        return found.regions, found.id

    def _open(self) -> tuple[Hub, Stream]:
        hub = self.evening.context.hub
        opened = hub.open(self.key, f"tablet {id(self)}", self.last)
        assert opened is not None
        self._apply(opened[1])
        return hub, opened[0]

    def _take(self) -> None:
        self.evening.context.hub.refresh()
        queue: Inbox[bytes | None] = self.stream.outbox
        self._apply([message for message in (queue.get() for _ in range(len(queue))) if message is not None])

    def _apply(self, sent: list[bytes]) -> None:
        for message in messages(sent):
            self.regions, self.last = self.regions | message["regions"], message["id"]
