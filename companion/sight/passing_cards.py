"""Remember which cards came, went or moved since the last event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import dist

from msgspec.structs import replace

from companion.engine import Layout
from companion.messages import Sighted, Sighting

SHIFTED = 1.0
"""Millimetres by which a corner of a card must have moved: untouched cards of a difficult rendered game varied by a
tenth of this."""


class PassingCards:
    """The cards of one table that came, went or moved since the last event."""

    def __init__(self) -> None:
        self._passed: dict[str, tuple[str, ...]] = {}
        """Cards by place that came and have gone again."""
        self._left: dict[str, Counter[str]] = {}
        """The rules' cards seen to be missing, by place, since the place last matched the rules."""
        self._lay: dict[str, tuple[Sighting, ...]] = {}
        """The cards at each place when it was first fully visible since the last event."""
        self._shifted: dict[str, Counter[str]] = {}
        """The rules' cards that have moved slightly since then, by place: nudged, or replaced by equal ones."""
        self._last_seen: dict[str, tuple[Sighting, ...]] = {}
        """The cards at each place when it was last fully visible; a hand may have covered it since."""
        self._before = self._last_seen
        """The same at the last event."""
        self._unseen: dict[str, Counter[str]] = {}
        """The rules' cards not seen since the last event, nor just before it, by place."""

    def clear(self) -> None:
        """Forget everything after an event."""
        self._passed, self._left, self._lay, self._shifted, self._unseen = {}, {}, {}, {}, {}
        self._before = dict(self._last_seen)

    def lose_camera(self) -> None:
        """Forget the cards: those present when the camera returns are not new."""
        self._last_seen, self._before = {}, {}

    def note_missing(self, expected: Layout, places: Iterable[str], now: Sighted, ghosts: Collection[Sighting]) -> None:
        """Note which expected cards are missing or moved; `ghosts` are cards that the rules have removed.

        People lift a card and put it back: a place that matches again has lost nothing. Places with an unnamed card are
        skipped, since that card may be any of the others. `places` are the uncovered spreads.
        """
        for place in places:
            here = [s for s in now.sightings if s.place == place and s.face == "up" and s not in ghosts]
            said = Counter(expected.spot(place).up)
            gone = said - Counter([s.card for s in here if s.card])
            before = said - Counter([s.card for s in self._before.get(place, here) if s.card])
            self._unseen[place] = self._unseen.get(place, before) & gone
            if all(s.card is not None for s in here):
                self._left[place] = self._left.get(place, Counter()) | gone if gone else Counter()
                lay = self._lay.setdefault(place, tuple(here))
                self._shifted[place] = Counter([s.card for s in here if s.card and _has_moved(s, lay)])

    def note_passing(
        self, expected: Layout, places: Iterable[str], now: Sighted, cleared: Collection[Sighting]
    ) -> None:
        """Note cards that came and went without an event: Bin is turned up, then cleared away with the market.

        `cleared` are earlier sightings that the rules had already removed. `places` are the uncovered spreads.
        """
        for place in places:
            before = sorted(self._last_seen.get(place, ()), key=lambda s: s.at)
            self._last_seen[place] = tuple([s for s in now.sightings if s.place == place and s.card])
            here = {s.card for s in self._last_seen[place]}
            left = Counter[str | None](expected.spot(place).up) + Counter([s.card for s in cleared if s.place == place])
            for card in [s.card for s in before if s.card]:
                if left[card] > 0:
                    left[card] -= 1
                elif card not in here:
                    self._passed[place] = (*self._passed.get(place, ()), card)

    def unseen(self) -> tuple[tuple[str, str], ...]:
        """Return the places and names of cards missing before any event: apparently overlooked."""
        return tuple([(name, card) for name, cards in self._unseen.items() for card in cards.elements()])

    def recall(self, expected: Layout, seen: Layout, shifted: bool = False) -> Layout:
        """Return a layout seen, with the cards that passed and returned since the last event.

        `shifted`: treat slightly moved cards as replaced by equal ones.
        """
        returned: dict[str, tuple[str, ...]] = {}
        for name, left in self._left.items():
            still = Counter(expected.spot(name).up) - Counter(seen.spot(name).up)
            again = (left | self._shifted[name] if shifted else left) - still
            if again and still and name in seen.spots:
                returned[name] = tuple(again.elements())
        return replace(seen, passed=dict(self._passed), returned=returned)


def _has_moved(card: Sighting, lay: Iterable[Sighting]) -> bool:
    """Whether a card of this name lay there, but not exactly here."""
    before = [each for each in lay if each.card == card.card]
    return bool(before) and all(
        any(dist(a, b) > SHIFTED for a, b in zip(card.corners, each.corners, strict=False)) for each in before
    )
