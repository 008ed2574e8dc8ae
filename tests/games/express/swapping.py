"""Build pairs of Express states that differ only in cards hidden from a viewer."""

from __future__ import annotations

import random

from msgspec.structs import replace

from companion.engine import Event, Seat, State
from companion.games.express import events as ev
from companion.games.express.table import Table
from companion.mechanics.zones import ZoneCard, Zones


def swapped(state: State[Table], viewer: Seat | None, luck: random.Random) -> State[Table]:
    """Return the state with all cards that are hidden from a viewer shuffled among their places."""
    bit = -1 if viewer is None else 1 << viewer
    zones = state.table.zones.zones
    unknown = [
        (name, at)
        for name, zone in zones.items()
        for at, card in enumerate(zone.cards)
        if card.name is not None and (card.known != -1 if viewer is None else not card.known & bit)
    ]
    names = [zones[name].cards[at].name for name, at in unknown]
    luck.shuffle(names)
    changed: dict[str, list[ZoneCard[str]]] = {name: list(zone.cards) for name, zone in zones.items()}
    for (name, at), other in zip(unknown, names, strict=True):
        changed[name][at] = replace(changed[name][at], name=other)
    new = {name: replace(zone, cards=tuple(changed[name])) for name, zone in zones.items()}
    table = replace(state.table, zones=Zones(new, state.table.zones.pools))
    return replace(state, table=table)


def other_event(event: Event, viewer: Seat, luck: random.Random) -> Event:
    """Return the event with other cards in the fields that are hidden from the viewer."""
    match event:
        case ev.HandsDealt(cards):
            return ev.HandsDealt(tuple(luck.sample(cards, len(cards))))
        case ev.CardsDrawn(seat, cards) if seat != viewer:
            return ev.CardsDrawn(seat, tuple([luck.choice(("hopper", "mail_baggage", "wild")) for _ in cards]))
        case ev.TrainBegun(seat, card, locomotive) if seat != viewer and locomotive:
            return ev.TrainBegun(seat, card, luck.choice(("hopper", "mail_baggage", "wild")))
        case ev.LocomotiveExchanged(seat, train) if seat != viewer:
            return ev.LocomotiveExchanged(seat, train, luck.choice(("hopper", "mail_baggage", "wild")))
    return event
