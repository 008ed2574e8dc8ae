"""The hub: renders every viewer channel once per commit and sends each stream the changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple

from web.live.channels import Channel, ChannelKey, Stream, ViewerGroup
from web.presenters.scene import Scene
from web.serving.slow_clients.stream_places import StreamPlaces

IDLE = 600.0
"""Seconds after which a channel without viewers is no longer rendered."""

MOVED = b"event: moved\ndata: {}\n\n"
"""Tells a page that another match, or other names, are on the table. The page then asks whether it still belongs
there.
"""


class StreamPage(NamedTuple):
    """A page's current regions, and the name of the message with which they agree."""

    regions: dict[str, str]
    id: str
    turn: bool


class Hub:
    """All channels. `look` returns the current scene; `make` makes the regions of a group, given those made before.

    Any thread may call any method; only the hub takes its lock.
    """

    def __init__(
        self,
        look: Callable[[], Scene | None],
        groups_of: Callable[[ChannelKey], tuple[Hashable, ...]],
        make: Callable[[Any, Mapping[Hashable, ViewerGroup]], ViewerGroup],
    ) -> None:
        self.look = look
        self.groups_of = groups_of
        self.make = make
        self._lock = threading.Lock()
        self.channels: dict[ChannelKey, Channel] = {}
        self.groups: dict[Hashable, ViewerGroup] = {}
        self.scene: Scene | None = None
        self.closed = False
        self.greeting: Callable[[ChannelKey], list[bytes]] = lambda key: []
        """Returns the messages for a new stream that follow its missed ones."""
        self._limits = StreamPlaces()
        self._open: tuple[Stream, ...] = ()
        """Every open stream, for messages that must not wait for rendering."""

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return len(self._open)

    def send(self, message: Callable[[ChannelKey], bytes | None]) -> None:
        """Send every stream its channel's message, if any; never waits for rendering."""
        for stream in self._open:
            found = message(stream.key)
            if found is not None:
                stream.put(found)

    def refresh(self) -> None:
        """Render all changes since the last call and send them to the streams."""
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        scene = self.look()
        if scene is self.scene:
            return
        if self.scene is not None and (scene is None or scene.shown_as != self.scene.shown_as):
            for channel in self.channels.values():
                channel.end(MOVED)
            self.channels.clear()
            self.groups.clear()
            self._limits.forget()
        self.scene = scene
        if scene is None:
            return
        now = time.monotonic()
        for key, channel in list(self.channels.items()):
            if not channel.streams and now - channel.used > IDLE:
                del self.channels[key]
        used = {group for channel in self.channels.values() for group in channel.groups}
        self.groups = {name: group for name, group in self.groups.items() if group in used}
        first = scene.first_served()
        served = (
            [each for each in self.channels.values() if each.streams and each.key.seat in first],
            [each for each in self.channels.values() if each.streams and each.key.seat not in first],
            [each for each in self.channels.values() if not each.streams],
        )
        for channels in served:
            for channel in channels:
                channel.render(scene)
            for channel in channels:
                channel.publish(scene)

    def _channel(self, key: ChannelKey) -> Channel | None:
        """Return the viewer's channel, up to date; None if there is nothing to show."""
        self._refresh()
        scene = self.scene
        if scene is None or scene.match != key.match:
            return None
        channel = self.channels.get(key)
        if channel is None:
            groups: list[ViewerGroup] = []
            for name in self.groups_of(key):
                if name not in self.groups:
                    self.groups[name] = self.make(name, self.groups)
                groups.append(self.groups[name])
            channel = self.channels[key] = Channel(key, tuple(groups), scene)
        channel.used = time.monotonic()
        return channel

    def page(self, key: ChannelKey) -> StreamPage | None:
        """Return a page's current regions."""
        with self._lock:
            channel = self._channel(key)
            return None if channel is None else StreamPage(channel.html(), channel.id, channel.turn)

    def seq(self, match: str, role: str, seat: int | None, name: str) -> int:
        """Return the last record known to a page that shows this message; -1 for a page too old to tell."""
        with self._lock:
            for key, channel in self.channels.items():
                if key[:3] == (match, role, seat) and channel.number_of(name) is not None:
                    return channel.seq(name)
            return -1

    def open(
        self, key: ChannelKey, page: str, last: str, stream: Stream | None = None
    ) -> tuple[Stream, list[bytes]] | None:
        """Open a stream, or use the one given, and return it with its missed messages; None if there is no such
        channel.

        A page's older stream ends. During shutdown the new one ends at once, so that its page reconnects to the next
        server. Raises `StreamsFull`.
        """
        with self._lock:
            new = stream or Stream(key, page)
            if self.closed:
                new.put(None)
                return new, []
            channel = self._channel(key)
            if channel is None:
                return None
            older = channel.streams.get(page)
            for each in [older] if older else self._limits.admit(new, self._open, channel.streams.values()):
                each.put(None)
                self._leave(each)
            channel.streams[page] = new
            self._open += (new,)
            return new, channel.missed_since(last)

    def _leave(self, stream: Stream) -> None:
        """Take a stream out of its channel; it closes when its client has received the end."""
        channel = self.channels.get(stream.key)
        if channel is not None and channel.streams.get(stream.page) is stream:
            del channel.streams[stream.page]
            channel.used = time.monotonic()

    def close(self, stream: Stream) -> None:
        """Forget an ended stream."""
        with self._lock:
            self._open = tuple([each for each in self._open if each is not stream])
            self._leave(stream)

    def dismiss(self, match: str, role: str, seat: int | None) -> None:
        """End the streams of a role whose tokens have expired; a viewer with a valid one opens a new stream."""
        with self._lock:
            for key, channel in self.channels.items():
                if key[:3] == (match, role, seat):
                    channel.end()

    def stop(self) -> None:
        """End all streams and refuse new ones."""
        with self._lock:
            self.closed = True
            for channel in self.channels.values():
                channel.end()
