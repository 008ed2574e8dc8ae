"""The herald: cues to every page, and to a seat's own pages why its press came to nothing. At once, past all rendering.

Cues are public. They carry no number and are not kept: what stands is said again to every stream that opens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import msgspec

from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.engine import Refusal, Seat
from companion.messages import Cue, encode
from companion.table.service import Table
from web.game_pages import teller_of
from web.live.hub import ChannelKey, Hub
from web.presenters.scene import players_of, table_of
from web.words import package, words

QUIET = ("just_raised", "pressed_twice")
"""Refusals of a press that nobody has lost anything by: the page mentions them without alarm."""


def event(name: str, data: bytes) -> bytes:
    """Return data as a message of the stream that has no number."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


class CuePublisher:
    """Listens to a table's timekeeper and hands on what it says; `clock` gives nanoseconds of CLOCK_MONOTONIC."""

    def __init__(
        self,
        table: Table,
        hub: Hub,
        registry: DeviceRegistry | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.table = table
        self.registry = registry
        self.hub = hub
        self.clock = clock
        hub.greeting = self.standing
        table.cues.listen(self.show)
        table.cues.listen_to_refusals(self.tell)

    def standing(self, key: ChannelKey) -> list[bytes]:
        """Return the cues that stand now, for a stream that opens."""
        return [*self.messages(self.table.cues.standing()), *([self.bench()] if key.role == "host" else [])]

    def messages(self, cues: Iterable[Cue]) -> list[bytes]:
        """Return cues as messages. `now` lets a page that has measured nothing yet show them when it should."""
        now = self.clock()
        return [event("cue", b'{"now":%d,"cue":%s}' % (now, encode(cue).strip())) for cue in cues]

    def show(self, cues: tuple[Cue, ...]) -> None:
        """Hand cues to every stream."""
        if cues:
            message = b"".join(self.messages(cues))
            self.hub.tell(lambda key: message)

    def tell(self, seat: Seat, refusal: Refusal) -> None:
        """Tell a seat's own pages why its press came to nothing, each in its language; nobody else hears of it."""
        said: dict[str, bytes] = {}

        def own(key: ChannelKey) -> bytes | None:
            if key.role != "seat" or key.seat != seat:
                return None
            if key.lang not in said:
                sentence = self.sentence(seat, refusal, key.lang)
                quiet = {"quiet": True} if refusal.key in QUIET else {}
                said[key.lang] = event("said", msgspec.json.encode({"sentence": sentence, **quiet}))
            return said[key.lang]

        self.hub.tell(own)

    def sentence(self, seat: Seat, refusal: Refusal, lang: str) -> str:
        """Return a refusal as this seat may read it."""
        snapshot = self.table.snapshot()
        if not snapshot.match_id:
            return ""
        say = words(lang, package(snapshot.game))
        if refusal.audience is not None and refusal.audience != seat:
            return say("mend.not_accepted")
        teller = teller_of(snapshot.game)
        return str(teller.refused(refusal, players_of(snapshot), say, table_of(snapshot)))

    def pins(self) -> None:
        """Show the bench how buttons and lamps are; only the host's pages have one."""
        message = self.bench()
        self.hub.tell(lambda key: message if key.role == "host" else None)

    def bench(self) -> bytes:
        """Return how buttons and lamps are, as a message."""
        buttons = self.registry.buttons if self.registry else ButtonsStatus()
        data = {
            "alive": buttons.alive,
            "lamps": {str(lamp.pin): lamp.on for lamp in buttons.lamps},
            "buttons": {str(button.pin): button.condition for button in buttons.buttons},
        }
        return event("pins", msgspec.json.encode(data))
