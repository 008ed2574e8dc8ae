"""Check what must hold after every event of Freight Whist."""

from __future__ import annotations

from collections import Counter

from companion.engine import Event, State
from companion.games.examples.freight_whist.rules import DECK, MOST_HANDS, PLAYERS, CardPlayed, CardSeen, Table
from companion.mechanics.zones_game import hand_of

HANDS = [hand_of(seat) for seat in range(PLAYERS)]


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Hands have the right size, every card exists once, and exactly one side scores in each hand."""
    table, zones = state.table, state.table.zones
    lying = [card for zone in zones.zones for card in (*zones.named(zone),)]
    assert not [card for card, count in Counter(lying).items() if count > 1]
    assert sum(map(zones.count, zones.zones)) == len(DECK)
    assert len(lying) + len(zones.remaining("pile") or max(map(zones.remaining, HANDS), key=len)) == len(DECK)
    if isinstance(event, CardPlayed | CardSeen) and not state.over and table.match == before.table.match:
        played = [13 - sum(table.tricks) - (card != "") for card in table.lying]
        assert [zones.count(hand) for hand in HANDS] == played
    for points in table.match.history:
        assert min(points) == 0 and 1 <= max(points) <= 7
    assert (max(table.match.totals) >= 5) == state.over
    assert table.match.played <= MOST_HANDS
