"""Build pairs of Trains states that differ only in cards hidden from a viewer."""

from __future__ import annotations

import random

from msgspec.structs import replace

from companion.engine import Event, Seat, State
from companion.games.trains.events import CardsDrawn, TopSeen
from companion.games.trains.table import Table, deck_of, discard_of, hand_of
from companion.mechanics.zones import ZoneCard, Zones


def swapped(state: State[Table], viewer: Seat, luck: random.Random) -> State[Table]:
    """Return the state with all cards that are hidden from a seat shuffled among their owner's hand, deck and
    discard pile."""
    zones, pools = dict(state.table.zones.zones), list(state.table.zones.pools)
    for seat in range(state.table.fixed.players):
        names = [zone(seat) for zone in (deck_of, hand_of, discard_of)]
        lying = [card for name in names for card in zones[name].cards]
        own = {card.pool for card in lying if card.name is None}
        loose = [card for pool in own for card in pools[pool]]
        loose += [card.name for card in lying if card.name is not None and not card.known & 1 << viewer]
        luck.shuffle(loose)

        def instead(card: ZoneCard[str], loose: list[str] = loose) -> ZoneCard[str]:
            unknown = card.name is not None and not card.known & 1 << viewer
            return replace(card, name=loose.pop()) if unknown else card

        for name in names:
            zones[name] = replace(zones[name], cards=tuple(map(instead, zones[name].cards)))
        for pool in own:
            pools[pool] = tuple(sorted(loose))
    return replace(state, table=replace(state.table, zones=Zones(zones, tuple(pools))))


def other_event(event: Event, viewer: Seat, luck: random.Random) -> Event:
    """Return the event with other cards in the fields that are hidden from the viewer."""
    match event:
        case CardsDrawn(seat, cards) if seat != viewer:
            return CardsDrawn(seat, tuple([luck.choice(("waste", "normal_train", "apartment")) for _ in cards]))
        case TopSeen(seat) if seat != viewer:
            return TopSeen(seat, luck.choice(("waste", "normal_train", "apartment")))
    return event
