"""Publishes cues to every page. It tells a seat's own pages why a press had no effect, without waiting for rendering.

Cues are public. They have no number and are not stored: a new stream gets the current ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import msgspec

from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.engine import Refusal, Seat
from companion.games import teller_of
from companion.messages import Cue, Sold, encode
from companion.table.table import Table
from web.live.channels import ChannelKey
from web.live.hub import Hub
from web.presenters.match_log import players_of, table_of
from web.words import package, words

QUIET = ("just_raised", "pressed_twice")
"""Refusals of a press that cost nobody anything; the page shows them unobtrusively."""


def stream_message(name: str, data: bytes) -> bytes:
    """Return data as a stream message without a number."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), data)


class CuePublisher:
    """Forwards a table's cues from its scheduler; `clock` gives nanoseconds of CLOCK_MONOTONIC."""

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
        hub.greeting = self.current
        table.cues.listen(self.show)
        table.cues.listen_to_refusals(self.tell)

    def current(self, key: ChannelKey) -> list[bytes]:
        """Return the current cues, for a new stream."""
        return [*self.messages(self.table.cues.standing_cues()), *([self.pins_message()] if key.role == "host" else [])]

    def messages(self, cues: Iterable[Cue]) -> list[bytes]:
        """Return cues as messages, with `now` for pages that have not synchronised their clocks yet."""
        now = self.clock()
        return [stream_message("cue", b'{"now":%d,"cue":%s}' % (now, encode(cue).strip())) for cue in cues]

    def show(self, cues: tuple[Cue, ...]) -> None:
        """Send cues to every stream, except those of sales: pages show sales as moments, with the price and after
        the fists.
        """
        shown = [cue for cue in cues if not isinstance(cue, Sold)]
        if shown:
            message = b"".join(self.messages(shown))
            self.hub.send(lambda key: message)

    def tell(self, seat: Seat, refusal: Refusal) -> None:
        """Tell only a seat's own pages, each in its language, why its press had no effect."""
        messages: dict[str, bytes] = {}

        def own(key: ChannelKey) -> bytes | None:
            if key.role != "seat" or key.seat != seat:
                return None
            if key.lang not in messages:
                sentence = self.sentence(seat, refusal, key.lang)
                quiet = {"quiet": True} if refusal.key in QUIET else {}
                messages[key.lang] = stream_message("said", msgspec.json.encode({"sentence": sentence, **quiet}))
            return messages[key.lang]

        self.hub.send(own)

    def sentence(self, seat: Seat, refusal: Refusal, lang: str) -> str:
        """Return the sentence of a refusal as far as this seat may know the reason, in a language."""
        snapshot = self.table.snapshot()
        if not snapshot.match_id:
            return ""
        say = words(lang, package(snapshot.game))
        if refusal.audience is not None and refusal.audience != seat:
            return say("correct.not_accepted")
        teller = teller_of(snapshot.game)
        return str(teller.refused(refusal, players_of(snapshot), say, table_of(snapshot)))

    def pins(self) -> None:
        """Send the state of buttons and lamps to the host's pages; only they show pins."""
        message = self.pins_message()
        self.hub.send(lambda key: message if key.role == "host" else None)

    def pins_message(self) -> bytes:
        """Return the state of buttons and lamps as a message."""
        buttons = self.registry.buttons if self.registry else ButtonsStatus()
        data = {
            "alive": buttons.alive,
            "lamps": {str(lamp.pin): lamp.on for lamp in buttons.lamps},
            "buttons": {str(button.pin): button.condition for button in buttons.buttons},
        }
        return stream_message("pins", msgspec.json.encode(data))
