"""Hands that lay tokens and follow the companion's requests about tokens."""

from __future__ import annotations

from collections import Counter

from companion.demo.acts import LayTokens, TakeClaim
from companion.demo.http_world import HttpWorld
from companion.demo.physical_table import PhysicalTable
from companion.demo.token_truth import TokenTruth
from companion.demo_records import PageState
from companion.engine import Seat, Timing, Unveiling

HEEDED = ("open_hand", "take_back", "put_back", "spread", "edge", "less", "again", "moved", "two_tokens", "sequence")
"""The keys of notices after which people lay the named seat's tokens correctly."""
TIMES = 3
"""The maximum number of times that people lay tokens again for each event."""
CLAIM = 4.0
"""Seconds that people wait for the companion to offer a claim for open tokens."""
POLL = 0.25
"""Seconds between two looks at the pages."""


class TokenHands:
    """The hands of all people in a world. `counts` has the keys tokens laid, heeded, presses and taps."""

    def __init__(self, world: HttpWorld, lying: PhysicalTable, counts: Counter[str], truth: TokenTruth) -> None:
        self.world, self.lying, self.counts, self.truth = world, lying, counts, truth
        self.wanted: dict[str, tuple[str, ...]] = {}
        """The correct tokens of each place."""
        self._heeded: set[tuple[str, int | None]] = set()
        self._anew = 0

    def begin(self) -> None:
        """Start the next event, after the companion has understood the last one's tokens."""
        self._anew = 0

    def lay(self, act: LayTokens) -> None:
        """Lay tokens, correctly or wrongly."""
        if act.slip != "early":
            self.wanted[act.place] = act.tokens
        if act.slip != "left":
            self._lay(act.place, act.tokens, act.slip == "heaped")

    def heed(self, shown: PageState) -> bool:
        """Follow new requests about tokens; return whether there was one."""
        asked = {(each.key, each.seat) for each in shown.notices if each.key in HEEDED}
        fresh, self._heeded = asked - self._heeded, asked
        if not fresh or self._anew >= TIMES:
            return False
        self._anew += 1
        for seat in {seat for _, seat in fresh}:
            self._lay_properly(seat, ("open_hand", seat) in fresh)
        self.counts["heeded"] += len(fresh)
        self.world.settle()
        return True

    def try_again(self) -> None:
        """Follow the current requests once more."""
        self._heeded.clear()

    def lay_all_again(self) -> None:
        """Lay all tokens correctly."""
        for place, tokens in self.wanted.items():
            self._lay(place, tokens)
        self.world.settle()

    def take(self, act: TakeClaim, timing: Timing | None) -> None:
        """Take a seat's claim once the companion offers it."""
        for _ in range(int(CLAIM / POLL)):
            mark = next((each.mark for each in self.world.look((act.seat,)).claims), "")
            if mark:
                self._take(act.seat, mark, timing)
                return
            self.world.rest(POLL)

    def _take(self, seat: Seat, mark: str, timing: Timing | None) -> None:
        if timing is None or (isinstance(timing, Unveiling) and seat not in timing.seats):
            self.world.press(seat)
            self.counts["presses"] += 1
        else:
            self.world.claim(seat, mark)
            self.counts["taps"] += 1

    def _lay_properly(self, seat: int | None, is_open: bool) -> None:
        """Lay the tokens at a seat's places, or at those of no seat, correctly: the wrong ones, or else all.

        `is_open`: the companion sees an open hand, so take everything up for a moment.
        """
        own = [name for name, place in self.truth.places.items() if place.seat == seat]
        wrong = [name for name in own if self.lying.tokens.get(name, ()) != self.wanted.get(name, ())]
        for name in wrong or [name for name in own if self.wanted.get(name)]:
            if name not in wrong:
                self._lay(name, ())  # take them up first, or each token keeps its place
                if is_open:
                    self.world.settle()
            self._lay(name, self.wanted.get(name, ()))

    def _lay(self, place: str, tokens: tuple[str, ...], heaped: bool = False) -> None:
        self.world.lay_tokens(place, tokens, heaped)
        self.lying.tokens[place] = tokens
        self.counts["tokens"] += len(tokens)
