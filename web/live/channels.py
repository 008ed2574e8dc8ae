"""Viewer channels: the regions, recent messages and open streams of all viewers who may see the same.

A channel keeps its last messages, so that a reconnecting stream resumes without gaps or duplicates. Each channel
numbers its own messages: not even the numbers reveal secret moves.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from web.live.parts import changed_parts
from web.live.regions import Changes, LazyValues, Region, Sources
from web.presenters.scene import Scene
from web.serving.slow_clients.pushed_streams import PushedStream

RING, RING_BYTES = 64, 512 * 1024
"""The most messages and bytes that a channel keeps."""
LONGEST_NUMBER = 16
"""The most digits of a message's number."""


class ChannelKey(NamedTuple):
    """The key of a channel: all viewers who see the same."""

    match: str
    role: str
    seat: int | None
    lang: str


@lru_cache(maxsize=64)
def encoded(html: str) -> msgspec.Raw:
    """Return a region's text as JSON, made once for all channels that show it."""
    return msgspec.Raw(msgspec.json.encode(html))


class ViewerGroup:
    """Regions that several channels share, such as the public ones of one language."""

    def __init__(self, regions: tuple[Region, ...], sources: Callable[[Scene], Sources]) -> None:
        self.regions = regions
        self.sources = sources
        self.changed: frozenset[Region] = frozenset()
        self.rendered: object = None
        self._last: Sources = ({}, LazyValues({}, {}))
        """The input of the last rendering."""

    def render(self, scene: Scene) -> None:
        """Render every region from the scene, once, and note the changed ones."""
        if self.rendered is not scene:
            watched, plain = self.sources(scene)
            changes = Changes(self._last, (watched, plain))
            self._last = watched, plain
            self.changed = frozenset([region for region in self.regions if region.render(watched, plain, changes)])
            self.rendered = scene


class Stream(PushedStream):
    """One open connection to a channel, or its part of one."""

    def __init__(self, key: ChannelKey, page: str, address: str = "") -> None:
        """`page` is the page's token and its own name, `TOKEN/NAME`; `address` is the client's."""
        super().__init__(key.role, page.partition("/")[0], address)
        self.key, self.page = key, page


class Channel:
    """One viewer channel: its regions, its last messages and its streams. Used by the hub only, under its lock.

    If two regions have the same name, that of the later group counts.
    """

    def __init__(self, key: ChannelKey, groups: tuple[ViewerGroup, ...], scene: Scene) -> None:
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
        self.render(scene)
        self.sent = self.html()
        self.turn = scene.turn(key.seat)
        self.seqs.append((0, scene.seq))

    @property
    def id(self) -> str:
        """The name of the last message, as in streams and pages."""
        return f"{self.tag}-{self.number}"

    def html(self) -> dict[str, str]:
        """The text of every region, by name."""
        return {name: region.html for name, (region, _) in self.regions.items()}

    def number_of(self, name: str) -> int | None:
        """Return the number of a message by its name; None if it is not one of this channel's."""
        tag, _, number = name.partition("-")
        if tag != self.tag or not (number.isascii() and number.isdecimal() and len(number) < LONGEST_NUMBER):
            return None
        if int(number) > self.number:
            return None
        return int(number)

    def seq(self, name: str) -> int:
        """Return the last record known to a page that shows this message; -1 for a page too old to tell."""
        at = self.number_of(name)
        return next((seq for number, seq in self.seqs if number == at), -1)

    def render(self, scene: Scene) -> None:
        """Render the channel's regions, except those that another channel has already rendered."""
        for group in self.groups:
            group.render(scene)

    def publish(self, scene: Scene) -> None:
        """Send the streams the changes of the last rendering, if any."""
        changed = {name: region.html for name, (region, group) in self.regions.items() if region in group.changed}
        turn = scene.turn(self.key.seat)
        if not changed and turn == self.turn:
            self.seqs[-1] = (self.number, scene.seq)
            return
        self.turn = turn
        self.number += 1
        self.seqs.append((self.number, scene.seq))
        message = self.message(*self._whole_and_parts(changed))
        self.sent |= changed
        self.ring.append((self.number, message))
        self.held += len(message)
        while len(self.ring) > RING or (self.held > RING_BYTES and len(self.ring) > 1):
            self.held -= len(self.ring.popleft()[1])
        for stream in self.streams.values():
            stream.put(message)

    def _whole_and_parts(self, changed: Mapping[str, str]) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        """Return the regions to send whole, and the changed parts of the others."""
        parts = {name: changed_parts(self.sent[name], html) for name, html in changed.items()}
        whole = {name: changed[name] for name, found in parts.items() if found is None}
        return whole, {name: found for name, found in parts.items() if found is not None}

    def message(
        self, regions: Mapping[str, str], parts: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    ) -> bytes:
        """Return whole regions, and changed parts of others, as one message."""
        whole = {name: encoded(html) for name, html in regions.items()}
        body = msgspec.json.encode({"regions": whole, "turn": self.turn} | ({"parts": parts} if parts else {}))
        return b"id: %s\nevent: regions\ndata: %s\n\n" % (self.id.encode(), body)

    def missed_since(self, name: str) -> list[bytes]:
        """Return a stream's missed messages: those after its last one, or one message with every region."""
        at = self.number_of(name)
        if at == self.number:
            return []
        if at is None or not self.ring or at + 1 < self.ring[0][0]:
            return [self.message(self.html())]
        return [message for number, message in self.ring if number > at]

    def end(self, last: bytes = b"") -> None:
        """End all streams, after an optional last message."""
        for stream in self.streams.values():
            if last:
                stream.put(last)
            stream.put(None)
        self.streams.clear()
