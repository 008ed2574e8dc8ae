"""Which cards a hand has to move on a rendered table: until it lies as a layout says, or to turn up what comes now.

Pure. Knows no single game, no camera and no page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from companion.devices.camera_requests import LaidCard
from companion.engine import Layout, Luck, Place, SeenGame, Spot, State, follow, legal
from companion.messages import CardLaid

Face = Literal["up", "down"]
HIDDEN = ""
"""Stands for any card that lies face down: which one it is does not show."""


class CardTarget(msgspec.Struct, frozen=True):
    """One place of the table: what lies there in its order, what should not, and what is missing."""

    place: Place
    cards: tuple[LaidCard, ...] = ()
    extra: tuple[str, ...] = ()
    """As `LaidCard.shows` says it."""
    missing: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    """All that should lie there, the first of a row first."""
    spoken: bool = True
    """Whether the rules say anything of this place now."""

    @property
    def upended(self) -> bool:
        """Whether it is a row that begins with another card than it should: it has to be laid anew."""
        return bool(self.place.kind == "row" and self.cards and self.wanted and self.cards[0].shows != self.wanted[0])


def steads(lain: Sequence[LaidCard], said: Layout, places: Iterable[Place]) -> tuple[CardTarget, ...]:
    """Return every place on which cards are read, compared with what the rules say.

    A seat may lay its trains in any order; each is compared with the one that it looks most like.
    """
    read = [place for place in places if place.kind != "pile"]
    there = {place.name: tuple([each for each in lain if each.place == place.name]) for place in read}
    _, where = said.aligned(Layout({name: _spot(cards) for name, cards in there.items()}))
    named = {real: name for name, real in where.items()}
    return tuple([_stead(place, there[place.name], said.spots.get(named[place.name])) for place in read])


def _spot(cards: Sequence[LaidCard]) -> Spot:
    return Spot(tuple([each.card for each in cards if each.face == "up"]), sum(each.face == "down" for each in cards))


def _stead(place: Place, cards: tuple[LaidCard, ...], spot: Spot | None) -> CardTarget:
    if spot is None:
        return CardTarget(place, cards, spoken=False)
    wanted = (HIDDEN,) * spot.down + spot.up
    shown = [each.shows for each in cards]
    extra, missing = Counter(shown) - Counter(wanted), Counter(wanted) - Counter(shown)
    return CardTarget(place, cards, tuple(extra.elements()), tuple(missing.elements()), wanted)


def settling(found: Iterable[CardTarget], back: str) -> tuple[CardLaid, ...]:
    """Return the moves after which all lies as the rules say: first what is taken off, then what is laid.

    `back` is the card that is laid where one lies face down.
    """
    off: list[CardLaid] = []
    on: list[CardLaid] = []
    for stead in found:
        name = stead.place.name
        leaving = Counter([each.shows for each in stead.cards] if stead.upended else stead.extra)
        for each in reversed(stead.cards):
            if leaving[each.shows] > 0:
                leaving[each.shows] -= 1
                off.append(CardLaid(each.card, "", name, each.face))
        coming = stead.wanted if stead.upended else _in_order(stead.wanted, stead.missing)
        on += [CardLaid(card, name) if card else CardLaid(back, name, face="down") for card in coming]
    return (*off, *on)


def _in_order(wanted: Sequence[str], missing: Sequence[str]) -> Iterator[str]:
    """Yield what is missing in the order in which it is to lie."""
    left = Counter(missing)
    for card in wanted:
        if left[card] > 0:
            left[card] -= 1
            yield card


def turned_up(game: SeenGame[Any], state: State[Any], luck: Luck) -> Mapping[str, tuple[str, ...]]:
    """Return cards that may turn up now, by the place where the rules lay them; nothing where nothing turns up."""
    now = game.layout(state)
    for offer in legal(game, state):
        if not offer.chance:
            continue
        after = game.layout(follow(game, state, offer.pick(luck)))
        found: dict[str, tuple[str, ...]] = {}
        for name, spot in after.spots.items():
            # What the rules clear away at once was turned up, too.
            cards = Counter((*spot.up, *after.lingering.get(name, ()))) - Counter(now.spots.get(name, Spot()).up)
            if cards:
                found[name] = tuple(cards.elements())
        if found:
            return found
    return {}


def turning(found: Iterable[CardTarget], cards: Mapping[str, tuple[str, ...]]) -> tuple[CardLaid, ...]:
    """Return the moves that turn cards up; as many as somebody has laid there already are not laid again."""
    here = {stead.place.name: len(stead.extra) for stead in found}
    return tuple([CardLaid(card, name) for name, new in cards.items() for card in new[here.get(name, 0) :]])
