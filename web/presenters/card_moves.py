"""Card moves on a rendered table: those that make it match a layout, and those that turn up the next cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from companion.devices.camera_requests.table import LaidCard
from companion.engine import AnySeenGame, AnyState, Layout, Luck, Place, Spot, follow, legal
from companion.messages import CardLaid

Face = Literal["up", "down"]
HIDDEN = ""
"""Any face-down card."""


class CardTarget(msgspec.Struct, frozen=True):
    """One place of the table: its cards in order, those that should not lie there, and those that are missing."""

    place: Place
    cards: tuple[LaidCard, ...] = ()
    extra: tuple[str, ...] = ()
    """As in `LaidCard.shows`."""
    missing: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()
    """All cards that should lie there, the first of a row first."""
    ruled: bool = True
    """Whether the rules say anything about this place now."""

    @property
    def upended(self) -> bool:
        """Whether the place is a row that starts with the wrong card, so that all of it must be laid again."""
        return bool(self.place.kind == "row" and self.cards and self.wanted and self.cards[0].shows != self.wanted[0])


def compare_places(lain: Sequence[LaidCard], said: Layout, places: Iterable[Place]) -> tuple[CardTarget, ...]:
    """Compare each place with cards to read with the rules. A seat's trains may lie in any order."""
    read = [place for place in places if place.kind != "pile"]
    there = {place.name: tuple([each for each in lain if each.place == place.name]) for place in read}
    _, where = said.aligned(Layout({name: _spot(cards) for name, cards in there.items()}))
    named = {real: name for name, real in where.items()}
    return tuple([_compare_place(place, there[place.name], said.spots.get(named[place.name])) for place in read])


def _spot(cards: Sequence[LaidCard]) -> Spot:
    return Spot(tuple([each.card for each in cards if each.face == "up"]), sum(each.face == "down" for each in cards))


def _compare_place(place: Place, cards: tuple[LaidCard, ...], spot: Spot | None) -> CardTarget:
    if spot is None:
        return CardTarget(place, cards, ruled=False)
    wanted = (HIDDEN,) * spot.down + spot.up
    shown = [each.shows for each in cards]
    extra, missing = Counter(shown) - Counter(wanted), Counter(wanted) - Counter(shown)
    return CardTarget(place, cards, tuple(extra.elements()), tuple(missing.elements()), wanted)


def settling_moves(found: Iterable[CardTarget], back: str) -> tuple[CardLaid, ...]:
    """Return the moves that make the table match the rules: cards to take off, then to lay; `back` is a face-down
    card.
    """
    off: list[CardLaid] = []
    on: list[CardLaid] = []
    for target in found:
        name = target.place.name
        leaving = Counter([each.shows for each in target.cards] if target.upended else target.extra)
        for each in reversed(target.cards):
            if leaving[each.shows] > 0:
                leaving[each.shows] -= 1
                off.append(CardLaid(each.card, "", name, each.face))
        coming = target.wanted if target.upended else _in_order(target.wanted, target.missing)
        on += [CardLaid(card, name) if card else CardLaid(back, name, face="down") for card in coming]
    return (*off, *on)


def _in_order(wanted: Sequence[str], missing: Sequence[str]) -> Iterator[str]:
    """Yield the missing cards in the order in which they should lie."""
    left = Counter(missing)
    for card in wanted:
        if left[card] > 0:
            left[card] -= 1
            yield card


def cards_to_turn_up(game: AnySeenGame, state: AnyState, luck: Luck) -> Mapping[str, tuple[str, ...]]:
    """Return cards that may turn up now, by their place in the rules; empty if nothing turns up."""
    now = game.layout(state)
    for offer in legal(game, state):
        if not offer.chance:
            continue
        after = game.layout(follow(game, state, offer.pick(luck)))
        found: dict[str, tuple[str, ...]] = {}
        for name, spot in after.spots.items():
            # Include cards that the rules clear away at once.
            cards = Counter((*spot.up, *after.lingering.get(name, ()))) - Counter(now.spots.get(name, Spot()).up)
            if cards:
                found[name] = tuple(cards.elements())
        if found:
            return found
    return {}


def turning_moves(found: Iterable[CardTarget], cards: Mapping[str, tuple[str, ...]]) -> tuple[CardLaid, ...]:
    """Return the moves that turn cards up, without cards that already lie there."""
    here = {target.place.name: len(target.extra) for target in found}
    return tuple([CardLaid(card, name) for name, new in cards.items() for card in new[here.get(name, 0) :]])
