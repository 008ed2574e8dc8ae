"""What holds after every event of Trains, whatever is played (§8 of the rules)."""

from __future__ import annotations

from collections import Counter

from companion.engine import Event, State
from companion.games.trains.catalogue import NORMAL, WASTE
from companion.games.trains.events import Ended, TurnPassed
from companion.games.trains.steps.turn import Act, end_of_game
from companion.games.trains.table import (
    CUBES,
    GAINED,
    HAND,
    MARKERS,
    PLAY,
    REVEALED,
    Table,
    deck_of,
    discard_of,
    hand_of,
)


def cards_are_conserved(state: State[Table]) -> None:
    """Waste is in the supply or owned; no pile or possession has more than were printed."""
    table = state.table
    owned = Counter({WASTE: 0})
    for own in table.owned:
        owned.update(own)
        assert min(own.values()) > 0
    assert table.supply[WASTE] + owned[WASTE] == table.card(WASTE).count
    for card, count in owned.items():
        assert count + table.supply.get(card, 0) <= table.card(card).count or card == NORMAL


def owned_cards_are_in_zones(state: State[Table]) -> None:
    """A seat's cards are as many as it owns; the named ones are among them, and its pools have the others."""
    table, zones = state.table, state.table.zones
    for seat, own in enumerate(table.owned):
        mine = [deck_of(seat), hand_of(seat), discard_of(seat)]
        mine += [PLAY, GAINED, REVEALED] if seat == table.turn else []
        assert sum(map(zones.count, mine)) == sum(own.values())
        named = Counter([card for zone in mine for card in zones.named(zone)])
        pools = {card.pool for zone in mine for card in zones.zones[zone].cards if card.name is None}
        unseen = Counter([card for pool in pools for card in zones.pools[pool]])
        assert named + unseen == Counter(own)


def the_map_is_legal(state: State[Table]) -> None:
    """One own cube a cell, networks hang together, no cube in the sea, stations within the buildings."""
    table, board = state.table, state.table.board
    for seat, own in enumerate(table.rails):
        assert len(set(own)) == len(own) <= CUBES
        for at, cell in enumerate(own[1:], 1):
            assert set(board.neighbours(cell)) & set(own[:at]), seat
        assert all(board.by_name[cell].kind != "sea" for cell in own)
    assert all(count <= board.by_name[cell].sites for cell, count in table.stations.items())
    assert sum(table.stations.values()) + table.markers == MARKERS


def turns_begin_clean(before: State[Table], event: Event, state: State[Table]) -> None:
    """At the beginning of a turn there are no coins, nothing in play or gained, and five cards in the hand."""
    table, zones = state.table, state.table.zones
    assert table.coins >= 0 and len(table.in_play) == zones.count(PLAY)
    head = state.agenda[0] if state.agenda else None
    if isinstance(event, Ended | TurnPassed) and isinstance(head, Act):
        assert (table.coins, zones.count(PLAY), zones.count(GAINED)) == (0, 0, 0)
    if isinstance(head, Act) and not table.acted:
        assert zones.count(hand_of(head.seat)) == min(HAND, sum(table.owned[head.seat].values()))


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Check all of it after one event."""
    cards_are_conserved(state)
    owned_cards_are_in_zones(state)
    the_map_is_legal(state)
    turns_begin_clean(before, event, state)
    assert all(now >= was for now, was in zip(state.table.track, before.table.track, strict=True))
    assert state.over == (not state.agenda)
    if state.over:
        assert end_of_game(state.table)
