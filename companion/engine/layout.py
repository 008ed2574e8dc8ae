"""Layout: which cards lie where, as the rules say or as a camera sees. The two are compared here. Knows no game."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Literal

import msgspec

from companion.engine.event import Seat

Kind = Literal["spread", "row", "pile"]
"""Cards side by side in any order; a row of cards tucked behind one another, the first one whole; a pile that is
not read."""

BEFORE = ".before"
"""At the end of a place's name: what lay there since the last event and is gone again."""
AGAIN = ".again"
"""At the end of a place's name: cards that left it since the last event, and others like them lie there now."""
MEMORIES = (BEFORE, AGAIN)


class Place(msgspec.Struct, frozen=True):
    """A named place on the table."""

    name: str
    """Such as `market` or `seat.1.train.3`: numbers count from 1, as people do."""
    kind: Kind
    most: int = 1
    """The most cards that may lie there."""
    seat: Seat | None = None
    """Whose it is, where it is somebody's."""


class Spot(msgspec.Struct, frozen=True):
    """What lies at one place."""

    up: tuple[str, ...] = ()
    """Cards face up, by their names; in a row the first one first, the others in any order."""
    down: int = 0
    """How many lie face down."""
    unnamed: int = 0
    """How many of those that are seen face up have no name; the rules name them all."""

    @property
    def empty(self) -> bool:
        """Whether nothing lies there."""
        return not (self.up or self.down or self.unnamed)

    def could_be(self, said: Spot, lingering: tuple[str, ...] = ()) -> bool:
        """Whether this, as it is seen, is what is said: the same cards, one without a name standing for any.

        What lingers may lie there besides, or not.
        """
        more = Counter(self.up) - Counter(said.up)
        if more and more - Counter(lingering):
            return False
        named = len(self.up) - more.total()
        return self.down == said.down and named <= len(said.up) <= named + self.unnamed <= len(said.up) + len(lingering)

    def likeness(self, said: Spot) -> int:
        """Return how much this looks like what is said, in cards that agree; the first card of a row counts more."""
        agreed = (Counter(self.up) & Counter(said.up)).total() + min(self.down, said.down)
        first = bool(self.up and said.up and self.up[0] == said.up[0])
        return 4 * agreed + 2 * first - abs(len(self.up) + self.unnamed - len(said.up)) + (self.empty and said.empty)


class Layout(msgspec.Struct, frozen=True):
    """What lies on the whole table. A place that is not in it is not spoken of and not compared."""

    spots: dict[str, Spot]
    alike: tuple[tuple[str, ...], ...] = ()
    """Places of one kind and owner, whose contents may lie in any order: a seat's trains."""
    lingering: dict[str, tuple[str, ...]] = {}
    """Cards that the rules have just cleared away from a place, and that people may not have cleared yet."""
    loose: bool = False
    """Whether people are clearing or dealing now: nothing has to match until the next event."""
    held: tuple[str, ...] = ()
    """Cards that are known and lie nowhere: somebody holds them."""
    strict: tuple[str, ...] = ()
    """Places where nothing is passed over: what the rules have cleared away has to go before anything else counts."""

    def differing(self, seen: Layout) -> tuple[str, ...]:
        """Return the places that both speak of and where what is seen cannot be what this layout says."""
        other, linger = seen.spots, self.lingering
        return tuple(
            [
                name
                for name, said in self.spots.items()
                if name in other and other[name] != said and not other[name].could_be(said, linger.get(name, ()))
            ]
        )

    def aligned(self, seen: Layout) -> tuple[Layout, dict[str, str]]:
        """Return what is seen as this layout would name its places, and for each of its names where that really is.

        A seat lays its trains down in whatever order it likes; each is taken for the one it looks most like.
        """
        spots, where = dict(seen.spots), {name: name for name in seen.spots}
        for group in self.alike:
            names = [name for name in group if name in seen.spots]
            if not all(name in self.spots for name in names):
                continue
            best = max(
                permutations(names),
                key=lambda order: sum(
                    [seen.spots[real].likeness(self.spots[name]) for name, real in zip(names, order, strict=True)]
                ),
            )  # the first of equals is the order as it lies
            for name, real in zip(names, best, strict=True):
                spots[name], where[name] = seen.spots[real], real
        return msgspec.structs.replace(seen, spots=spots), where


class Fault(msgspec.Struct, frozen=True):
    """A table as no rule lets it lie, at one place: said in the game's own words, and mended before play goes on."""

    place: str
    """Where, as the rules name it."""
    key: str
    """Of the sentence: `fault.<key>` in the game's words, with the fields `name`, `cards` and `number`."""
    seat: Seat | None = None
    """Whose cards they are: `name` in the sentence."""
    cards: tuple[str, ...] = ()
    """Cards that the sentence names, as a deck does: `cards`."""
    number: int = 0
    """A position that it names: `number`."""
    besides: tuple[str, ...] = ()
    """Other places that do not fit for the same reason: nothing more is said of them."""
