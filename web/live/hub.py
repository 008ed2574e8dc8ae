"""The hub: renders every viewer channel once per commit and hands each stream what changed.

A channel is all viewers who may see the same in the same language. It remembers its last messages, so that a stream
that was away goes on where it stopped, without gap or double. Each channel numbers its own messages: not even the
numbers tell of secret moves.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, Protocol

import msgspec

from web.live.regions import Region
from web.live.stream_limits import StreamLimits
from web.serving.flow import Outbox

RING, RING_BYTES = 64, 512 * 1024
"""Messages and bytes that a channel remembers."""
BACKLOG = 48
"""Messages that may wait for one slow stream before it ends; its page then catches up by itself."""
LONGEST_NUMBER = 16
"""Digits of a message's number, at most."""
IDLE = 600.0
"""Seconds after which a channel that nobody watches is no longer rendered."""


class ChannelKey(NamedTuple):
    """Whom a channel is for."""

    match: str
    role: str
    seat: int | None
    lang: str


class HubScene(Protocol):
    """What pages show at one moment."""

    @property
    def match(self) -> str:
        """The match it belongs to."""
        ...

    @property
    def seq(self) -> int:
        """The number of the last record in it."""
        ...

    def turn(self, seat: int | None) -> bool:
        """Whether the table waits for this seat."""
        ...


Sources = tuple[Mapping[str, object], Mapping[str, object]]
"""What regions are rendered from: watched records by name, and plain values by name."""


class ViewerGroup:
    """Regions that several channels share, such as the public ones of one language."""

    def __init__(self, regions: tuple[Region, ...], sources: Callable[[Any], Sources]) -> None:
        self.regions = regions
        self.sources = sources
        self.changed: frozenset[Region] = frozenset()
        self.rendered: object = None

    def render(self, scene: HubScene) -> None:
        """Render every region from the scene, once, and note which changed."""
        if self.rendered is not scene:
            watched, plain = self.sources(scene)
            self.changed = frozenset([region for region in self.regions if region.render(watched, plain)])
            self.rendered = scene


class Stream:
    """One open connection with the messages to send to it. `None` in the queue ends it."""

    def __init__(self, key: ChannelKey, page: str, address: str = "") -> None:
        """`page` is the page's token and its own name, `TOKEN/NAME`; `address` is where it comes from."""
        self.key = key
        self.page = page
        self.address = address
        self.queue = Outbox()
        self.ended = False

    @property
    def role(self) -> str:
        """The role of the page's viewer."""
        return self.key.role

    @property
    def token(self) -> str:
        """The token in the page's address."""
        return self.page.partition("/")[0]

    def put(self, message: bytes | None) -> None:
        """Queue a message, or end a stream that is too far behind."""
        if self.ended:
            return
        if message is None or len(self.queue) >= BACKLOG:
            self.ended = True
            message = None
        self.queue.put(message)


class Channel:
    """One viewer channel: its regions, its last messages and its streams. Used by the hub alone, under its lock.

    Of two regions with one name, that of the later group counts.
    """

    def __init__(self, key: ChannelKey, groups: tuple[ViewerGroup, ...], scene: HubScene) -> None:
        self.key = key
        self.groups = groups
        self.regions = {region.name: (region, group) for group in groups for region in group.regions}
        self.tag = secrets.token_hex(4)
        self.number = 0
        self.ring: deque[tuple[int, bytes]] = deque()
        self.held = 0
        self.seqs: deque[tuple[int, int]] = deque(maxlen=RING)
        self.streams: dict[str, Stream] = {}
        self.used = time.monotonic()
        for group in groups:
            group.render(scene)
        self.turn = scene.turn(key.seat)
        self.seqs.append((0, scene.seq))

    @property
    def id(self) -> str:
        """The name of the last message, as streams and pages give it."""
        return f"{self.tag}-{self.number}"

    def html(self) -> dict[str, str]:
        """Return every region's text."""
        return {name: region.html for name, (region, _) in self.regions.items()}

    def number_of(self, name: str) -> int | None:
        """Return the number of a message by its name, None where it is not one of this channel's."""
        tag, _, number = name.partition("-")
        if tag != self.tag or not (number.isascii() and number.isdecimal() and len(number) < LONGEST_NUMBER):
            return None
        if int(number) > self.number:
            return None
        return int(number)

    def seq(self, name: str) -> int:
        """Return the last record that a page showing this message knew of; -1 for a page too old to tell."""
        at = self.number_of(name)
        return next((seq for number, seq in self.seqs if number == at), -1)

    def publish(self, scene: HubScene) -> None:
        """Hand the streams what the last rendering changed, if anything."""
        changed = {name: region.html for name, (region, group) in self.regions.items() if region in group.changed}
        turn = scene.turn(self.key.seat)
        if not changed and turn == self.turn:
            self.seqs[-1] = (self.number, scene.seq)
            return
        self.turn = turn
        self.number += 1
        self.seqs.append((self.number, scene.seq))
        message = self.message(changed)
        self.ring.append((self.number, message))
        self.held += len(message)
        while len(self.ring) > RING or (self.held > RING_BYTES and len(self.ring) > 1):
            self.held -= len(self.ring.popleft()[1])
        for stream in self.streams.values():
            stream.put(message)

    def message(self, regions: Mapping[str, str]) -> bytes:
        """Return regions as one message of the stream."""
        body = msgspec.json.encode({"regions": regions, "turn": self.turn})
        return b"id: %s\nevent: regions\ndata: %s\n\n" % (self.id.encode(), body)

    def since(self, name: str) -> list[bytes]:
        """Return what a stream missed: the messages after the one it names, or one with every region."""
        at = self.number_of(name)
        if at == self.number:
            return []
        if at is None or not self.ring or at + 1 < self.ring[0][0]:
            return [self.message(self.html())]
        return [message for number, message in self.ring if number > at]

    def end(self) -> None:
        """End all streams."""
        for stream in self.streams.values():
            stream.put(None)
        self.streams.clear()


class StreamPage(NamedTuple):
    """A page's regions as they are now, and the name of the message they are as of."""

    regions: dict[str, str]
    id: str
    turn: bool


class Hub:
    """All channels. `look` returns the scene to show now; `make` makes the regions of a group, given those made before.

    Any thread may call any method; nobody else takes the hub's lock.
    """

    def __init__(
        self,
        look: Callable[[], HubScene | None],
        groups_of: Callable[[ChannelKey], tuple[Hashable, ...]],
        make: Callable[[Any, Mapping[Hashable, ViewerGroup]], ViewerGroup],
    ) -> None:
        self.look = look
        self.groups_of = groups_of
        self.make = make
        self._lock = threading.Lock()
        self.channels: dict[ChannelKey, Channel] = {}
        self.groups: dict[Hashable, ViewerGroup] = {}
        self.scene: HubScene | None = None
        self.closed = False
        self.greeting: Callable[[ChannelKey], list[bytes]] = lambda key: []
        """Returns what a stream is sent when it opens, after what it missed."""
        self._limits = StreamLimits()
        self._open: tuple[Stream, ...] = ()
        """Every open stream, for messages that must not wait until regions are rendered."""

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return len(self._open)

    def send(self, message: Callable[[ChannelKey], bytes | None]) -> None:
        """Hand every stream the message for its channel, if any; never waits for rendering."""
        for stream in self._open:
            found = message(stream.key)
            if found is not None:
                stream.put(found)

    def refresh(self) -> None:
        """Render what is new since the last time and hand it to the streams."""
        with self._lock:
            self._refresh()

    def _refresh(self) -> None:
        scene = self.look()
        if scene is self.scene:
            return
        if self.scene is not None and (scene is None or scene.match != self.scene.match):
            for channel in self.channels.values():
                channel.end()
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
        for group in self.groups.values():
            group.render(scene)
        for channel in self.channels.values():
            channel.publish(scene)

    def _channel(self, key: ChannelKey) -> Channel | None:
        """Return the viewer's channel, up to date; None where there is nothing to show."""
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
        """Return a page's regions as they are now."""
        with self._lock:
            channel = self._channel(key)
            return None if channel is None else StreamPage(channel.html(), channel.id, channel.turn)

    def seq(self, match: str, role: str, seat: int | None, name: str) -> int:
        """Return the last record that a page showing this message knew of; -1 for a page too old to tell."""
        with self._lock:
            for key, channel in self.channels.items():
                if key[:3] == (match, role, seat) and channel.number_of(name) is not None:
                    return channel.seq(name)
            return -1

    def open(
        self, key: ChannelKey, page: str, last: str, stream: Stream | None = None
    ) -> tuple[Stream, list[bytes]] | None:
        """Open a stream, or the one given, and return it with what it missed; None where there is no such channel.

        A page's older stream ends. Raises `StreamsFull`.
        """
        with self._lock:
            channel = self._channel(key)
            if channel is None or self.closed:
                return None
            new = stream or Stream(key, page)
            older = channel.streams.get(page)
            for each in [older] if older else self._limits.admit(new, self._open, channel.streams.values()):
                each.put(None)
                self._leave(each)
            channel.streams[page] = new
            self._open += (new,)
            return new, channel.since(last)

    def _leave(self, stream: Stream) -> None:
        """Take a stream out of its channel; it closes when its client has received the end."""
        channel = self.channels.get(stream.key)
        if channel is not None and channel.streams.get(stream.page) is stream:
            del channel.streams[stream.page]
            channel.used = time.monotonic()

    def close(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        with self._lock:
            self._open = tuple([each for each in self._open if each is not stream])
            self._leave(stream)

    def dismiss(self, match: str, role: str, seat: int | None) -> None:
        """End the streams of a role whose tokens have ended; a viewer who still has one opens a new stream."""
        with self._lock:
            for key, channel in self.channels.items():
                if key[:3] == (match, role, seat):
                    channel.end()

    def stop(self) -> None:
        """End all streams and open no more."""
        with self._lock:
            self.closed = True
            for channel in self.channels.values():
                channel.end()
