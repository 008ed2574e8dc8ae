"""Keeps open pages up to date: each is rendered once per language, and every stream gets the changed parts.

Times in parts are the hall's, and every message carries the hall's time, so no other machine's clock matters.
"""

from __future__ import annotations

import logging
import re
import secrets
import threading
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import NamedTuple

import msgspec

from companion.threads.quotas import who_gives_way
from web.serving.event_stream import Flow
from web.serving.slow_clients.pushed_streams import PushedStream

LOG = logging.getLogger(__name__)
REST_S = 0.09
"""The fewest seconds between two renderings, however many changes there are. A move reaches the boards within 110
ms.
"""
LOOK_S = 5.0
"""Seconds after which pages are rendered again without news: codes expire, for instance."""
MOST, KEPT = 300, 40
"""Concurrent streams, and extra ones for judges and organisers; the server takes 400 connections."""
SPARED = 2
"""How many more streams than a newcomer a sender must have to lose one; otherwise two senders with equal numbers
would alternate.
"""
JUDGES = "judges"
"""The role of the streams of judges and organisers."""
SINCE = re.compile(r'<time data-(since|at)="([0-9.]+)"></time>')


class FeedKey(NamedTuple):
    """A page that is the same for all its readers in one language: its `kind`, such as `board`, and its subject."""

    kind: str
    lang: str
    about: Hashable = ""


Parts = Mapping[str, str]
"""Elements by id, in their order."""


class _Feed:
    """A page as last sent, and its recipients."""

    def __init__(self, parts: Parts) -> None:
        self.parts = dict(parts)
        self.number, self.tag = 0, secrets.token_hex(4)
        self.streams: list[PushedStream] = []

    @property
    def id(self) -> str:
        """The name of the current content, as in messages and pages."""
        return f"{self.tag}-{self.number}"

    def message(self, parts: Parts, order: bool) -> bytes:
        """Return parts as a message."""
        body = {"now": round(time.monotonic(), 1), "at": round(time.time(), 1), "parts": parts}
        if order:
            body["order"] = list(self.parts)
        return b"id: %s\nevent: parts\ndata: %s\n\n" % (self.id.encode(), msgspec.json.encode(body))

    def update(self, parts: Parts) -> None:
        """Send the changed parts."""
        changed = {name: html for name, html in parts.items() if self.parts.get(name) != html}
        order = list(parts) != list(self.parts)
        if changed or order:
            self.parts = dict(parts)
            self.number += 1
            message = self.message(changed, order)
            for stream in self.streams:
                stream.put(message)


class HallFeeds:
    """All open pages. Any thread may call it.

    `kinds` maps each kind of page to the function that makes its parts; `watching` is held while such a page is open.
    """

    def __init__(self) -> None:
        self.kinds: dict[str, Callable[[FeedKey], Parts]] = {}
        self.watching: dict[str, Callable[[FeedKey], AbstractContextManager[object]]] = {}
        self._lock = threading.RLock()
        self._feeds: dict[FeedKey, _Feed] = {}
        self._bell, self._closing = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="hall pages", daemon=True)

    def start(self) -> None:
        """Start sending changes."""
        self._thread.start()

    def changed(self) -> None:
        """Request that pages be rendered soon; never waits."""
        self._bell.set()

    def stop(self) -> None:
        """End all streams; the pages reconnect to the next server."""
        self._closing.set()
        self._bell.set()
        with self._lock:
            for feed in self._feeds.values():
                for stream in feed.streams:
                    stream.put(None)

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return sum(len(feed.streams) for feed in self._feeds.values())

    def page(self, key: FeedKey) -> tuple[Parts, str]:
        """Return a page's current parts and the name of their state."""
        with self._lock:
            feed = self._feeds.get(key)
            if feed is None:
                return self.kinds[key.kind](key), ""
            feed.update(self.kinds[key.kind](key))
            return dict(feed.parts), feed.id

    def open(self, key: FeedKey, shown: str = "", sender: str = "", trusted: bool = False) -> Flow:
        """Open a stream for a page that shows a given state; those of judges and organisers (`trusted`) count
        separately.

        When there are too many, end one stream of the sender with the most, or raise `QuotaExceeded`.
        """
        stream, held = PushedStream(JUDGES if trusted else "", address=sender), ExitStack()
        with self._lock:
            alive = [each for feed in self._feeds.values() for each in feed.streams if not each.ended]
            same = [(each, each.address) for each in alive if each.role == stream.role]
            gone = who_gives_way(same, sender, KEPT if trusted else MOST, SPARED)
            if gone is not None:
                gone.put(None)
            feed = self._feeds.get(key)
            if feed is None:
                feed = self._feeds[key] = _Feed(self.kinds[key.kind](key))
            else:
                feed.update(self.kinds[key.kind](key))
            missed = feed.message({}, False) if shown == feed.id else feed.message(feed.parts, True)
            feed.streams.append(stream)
            if self._closing.is_set():
                stream.put(None)
        held.enter_context(self.watching.get(key.kind, nullcontext)(key))
        return Flow(stream.outbox, iter([b"retry: 1000\n\n" + missed]), lambda: self._leave(key, stream, held))

    def _leave(self, key: FeedKey, stream: PushedStream, held: ExitStack) -> None:
        """Forget an ended stream, and a page without readers."""
        held.close()
        with self._lock:
            feed = self._feeds.get(key)
            if feed is not None:
                feed.streams = [each for each in feed.streams if each is not stream]
                if not feed.streams:
                    del self._feeds[key]

    def refresh(self) -> None:
        """Render every open page once and send the changes."""
        with self._lock:
            for key, feed in list(self._feeds.items()):
                try:
                    feed.update(self.kinds[key.kind](key))
                except LookupError:  # its subject no longer exists: its readers learn that when they reconnect
                    for stream in feed.streams:
                        stream.put(None)
                except Exception:
                    LOG.exception("a page of kind %s could not be rendered", key.kind)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._bell.wait(LOOK_S)
            self._bell.clear()
            self.refresh()
            self._closing.wait(REST_S)


def fill_ages(html: str, say: Callable[[float], str]) -> str:
    """Return a page with its times filled in, for readers without JavaScript; `say` puts seconds into words."""
    clocks = {"since": time.monotonic(), "at": time.time()}

    def filled(found: re.Match[str]) -> str:
        said = say(max(0.0, clocks[found[1]] - float(found[2])))
        return f"{found[0].removesuffix('</time>')}{said}</time>"

    return SINCE.sub(filled, html)
