"""Publishes moments to every page, each in its language, from the public part of durable events.

A moment has no number and is not stored: pages that open later do not see it. The closing ceremony also goes to new
pages while it lasts: it names its start, and they join in the middle.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec
from jinja2 import Environment

from companion.games import teller_of
from companion.mechanics.moments import FistReveal, Moment, Sale
from companion.messages import MILLISECOND
from companion.table.ending import Telling
from companion.table.snapshot import Snapshot
from companion.table.table import Table
from web.live.channels import ChannelKey
from web.live.cue_publisher import stream_message
from web.live.hub import Hub
from web.presenters.match_log import players_of, table_of
from web.presenters.moments import ShownMoment, moments_of, shown_moment, signed
from web.presenters.standings import sides_with_partners
from web.presenters.story import story_of
from web.presenters.timeline import timeline
from web.words import package, words

LOG = logging.getLogger(__name__)
WAIT = 1.0
"""Seconds between two checks whether to stop."""
MOST = 3
"""The most entries to show if several arrive together: the last ones."""


class _Seen(NamedTuple):
    """The position in a match up to which moments have been shown."""

    number: int = -1
    match: str = ""
    seq: int = 0
    telling: Telling | None = None
    """The end whose ceremony is being shown."""


class MomentPublisher:
    """Shows the moments of each new entry; `environment` returns the pages' templates."""

    def __init__(
        self,
        table: Table,
        hub: Hub,
        environment: Callable[[], Environment],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.table = table
        self.hub = hub
        self.environment = environment
        self.clock = clock
        self._closing = threading.Event()
        self._looking = threading.Lock()
        """The lock held during a check, so that the next check knows that all earlier moments are sent."""
        self._seen = _Seen()
        self._ending: tuple[Telling, dict[str, bytes | None]] | None = None
        """The ceremony by language, each made once."""
        before = hub.greeting
        hub.greeting = lambda key: [*before(key), *self.current(key)]
        self._thread = threading.Thread(target=self._watch, name="moments", daemon=True)

    def start(self) -> None:
        """Start watching the table; past events are not shown."""
        self._seen = seen(self.table.snapshot())
        self._thread.start()

    def stop(self) -> None:
        """Tell the thread to end soon."""
        self._closing.set()

    def _watch(self) -> None:
        number = 0
        while not self._closing.is_set():
            snapshot = self.table.wait(number, WAIT)
            if snapshot.number > number:
                number = snapshot.number
                try:
                    self.look(snapshot)
                except Exception:  # a game's own moments may raise anything; the next event's are shown again
                    LOG.exception("moments of match %s could not be shown", snapshot.match_id)

    def look(self, snapshot: Snapshot) -> None:
        """Show the moments since the last check; none after an undo, a correction or at the start of a match."""
        with self._looking:
            self._show(snapshot)

    def _show(self, snapshot: Snapshot) -> None:
        if snapshot.number <= self._seen.number:
            return
        before, self._seen = self._seen, seen(snapshot)
        if before.match != snapshot.match_id or not snapshot.match_id or not self.hub.streams:
            return
        at = self.clock()
        for entry in snapshot.entries[-MOST:]:
            if entry.seq > before.seq:
                for moment in moments_of(snapshot.game, entry):
                    if snapshot.telling is None or isinstance(moment, FistReveal | Sale):  # the ceremony shows the rest
                        self._send(partial(in_language, moment, snapshot), snapshot, at)
        if self._seen.telling not in (None, before.telling):
            self.hub.send(lambda key: next(iter(self.current(key)), None))

    def current(self, key: ChannelKey) -> list[bytes]:
        """Return the ceremony for a stream that opens while it is being shown; otherwise nothing."""
        snapshot = self.table.snapshot()
        telling = seen(snapshot).telling
        if telling is None or key.match != snapshot.match_id:
            return []
        if self._ending is None or self._ending[0] is not telling:
            self._ending = telling, {}
        made = self._ending[1]
        if key.lang not in made:
            made[key.lang] = self.message(partial(ending_moment, snapshot), snapshot, key.lang, telling.begins)
        found = made[key.lang]
        return [] if found is None else [found]

    def _send(self, make: Callable[[str], ShownMoment], snapshot: Snapshot, at: int) -> None:
        """Send a moment to every stream, made once per language in use."""
        messages: dict[str, bytes | None] = {}

        def message(key: ChannelKey) -> bytes | None:
            if key.match != snapshot.match_id:
                return None
            if key.lang not in messages:
                messages[key.lang] = self.message(make, snapshot, key.lang, at)
            return messages[key.lang]

        self.hub.send(message)

    def message(self, make: Callable[[str], ShownMoment], snapshot: Snapshot, lang: str, at: int) -> bytes | None:
        """Return a moment as a message; None if drawing fails, because a moment must not disturb the game."""
        try:
            shown = make(lang)
            template = self.environment().get_template(f"moments/{shown.kind}.html")
            html = template.render(page_values(snapshot, lang), **shown.values)
        except Exception:
            LOG.exception("a moment of match %s could not be drawn", snapshot.match_id)
            return None
        colour = None if shown.seat is None else players_of(snapshot)[shown.seat].colour
        data = {"kind": shown.kind, "at": at, "now": self.clock(), "colour": colour, "html": html, **shown.data}
        return stream_message("moment", msgspec.json.encode(data))


def seen(snapshot: Snapshot) -> _Seen:
    """Return the position of a snapshot."""
    telling = snapshot.telling
    being_told = telling is not None and telling.phase(snapshot.at) == "telling"
    return _Seen(snapshot.number, snapshot.match_id, snapshot.seq, telling if being_told else None)


def in_language(moment: Moment, snapshot: Snapshot, lang: str) -> ShownMoment:
    """Return a moment in a language."""
    return shown_moment(moment, snapshot.game, words(lang, package(snapshot.game)), table_of(snapshot))


def ending_moment(snapshot: Snapshot, lang: str) -> ShownMoment:
    """Return the ceremony of a finished game, with its beats in milliseconds from the beginning."""
    story = story_of(snapshot, lang, words(lang, package(snapshot.game)))
    telling = snapshot.telling
    lasts = 0 if telling is None else telling.ends - telling.begins
    values: dict[str, object] = {
        "story": story,
        "beats": timeline([each.standing for each in story.places], lasts // MILLISECOND),
    }
    return ShownMoment("ending", values, min(story.winner_seats, default=None), {"lasts": lasts})


def page_values(snapshot: Snapshot, lang: str) -> dict[str, object]:
    """Return the context of every template of a moment."""
    say, players, teller = words(lang, package(snapshot.game)), players_of(snapshot), teller_of(snapshot.game)
    assert snapshot.setup is not None

    def score(amount: int) -> str:
        return str(teller.score(amount, say))

    return {
        "words": say,
        "lang": lang,
        "players": players,
        "static": "/static",
        "score": score,
        "sums": lambda amounts: [score(amount) for amount in amounts],
        "signed": lambda amount: signed(amount, score),
        "name": lambda seat: players[seat].name,
        "names": lambda seats: teller.names(seats, players, say),
        "sides": sides_with_partners(snapshot.game, snapshot.setup),
    }
