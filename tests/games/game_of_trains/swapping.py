"""Build pairs of states that differ only in one seat's secrets, and the events that a seat might try at them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec.structs import replace

from companion.engine import Event, Seat, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.table import DISCARD, HANDS, Table
from companion.mechanics.zones import OPEN, ZoneCard, Zones

POSITIONS = range(9)
"""All positions of a line, and one beyond each end."""


def swapped(state: State[Table], other: int, luck: random.Random) -> State[Table]:
    """Return the state with other hidden cards: in one seat's hand, among the rejected ones and in the pile.

    Each card is exchanged for an unseen one: the lowest, the highest, the nearest or a random one. Real cards stay,
    because the companion knows neither them nor their order.
    """
    table, zones = state.table, state.table.zones
    loose = sorted([card for pool in zones.pools for card in pool])

    def instead(card: ZoneCard[int]) -> ZoneCard[int]:
        if not loose or card.name is None or card.known == OPEN:
            return card
        name = card.name
        close = min(loose, key=lambda each: abs(each - name))
        found = luck.choice([loose[0], loose[-1], close, luck.choice(loose)])
        loose[loose.index(found)] = name
        loose.sort()
        return replace(card, name=found)

    swapped = {
        zone: replace(zones.zones[zone], cards=tuple(map(instead, zones.zones[zone].cards)))
        for zone in (HANDS[other], DISCARD)
    }
    luck.shuffle(loose)
    pools = (tuple(loose),) if zones.pools else ()
    return replace(state, table=replace(table, zones=Zones({**zones.zones, **swapped}, pools)))


def attempts(state: State[Table], seat: Seat, luck: random.Random) -> Iterator[Event]:
    """Yield a wide range of events that a seat might try now, legal or not."""
    choosing = state.agenda and isinstance(state.agenda[0], Choose)
    hands = [card for each in range(state.table.fixed.players) for card in state.table.hand(each)] if choosing else []
    cards = {*state.table.pool, *hands[:6], *luck.sample(range(1, 85), 4), 0, 99}
    yield ev.Drew(seat)
    yield ev.FirstNamed(seat)
    yield from (ev.Placed(seat, position) for position in POSITIONS)
    for card in sorted(cards):
        yield ev.Removed(seat, card)
        for position in POSITIONS:
            yield ev.Kept(seat, card, position)
            yield ev.Protected(seat, card, position)
            yield ev.Shifted(seat, card, position)
            yield ev.Swapped(seat, card, position, luck.choice(POSITIONS))
