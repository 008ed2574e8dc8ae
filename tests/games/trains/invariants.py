"""Check what must hold after every event of Trains (§8 of the rules)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.engine import Event, State
from companion.games.trains.catalogue import WASTE
from companion.games.trains.events import Applied, Ended, GameEnded, KingdomDrawn, Rebuilt, TurnBegan, TurnPassed
from companion.games.trains.steps.effects import ApplyText
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


def there(table: Table) -> Counter[str]:
    """Return the number of cards of each kind in the supply and in all possessions."""
    found = Counter(table.supply)
    for own in table.owned:
        assert not own or min(own.values()) > 0
        found.update(own)
    return found


def cards_are_conserved(before: State[Table], event: Event, state: State[Table]) -> None:
    """The number of cards changes only when a kingdom is drawn or a card is trashed (R-02, R-19)."""
    had, has = there(before.table), there(state.table)
    assert has[WASTE] == state.table.card(WASTE).count
    assert all(0 <= count <= state.table.card(card).count for card, count in state.table.supply.items())
    trashed, head = Counter[str](), before.agenda[0]
    if isinstance(event, KingdomDrawn):
        trashed.update({card: -state.table.card(card).count for card in event.cards})
    elif isinstance(event, Rebuilt) and event.card != WASTE:
        trashed[event.card] = 1
    elif isinstance(event, Applied) and isinstance(head, ApplyText) and head.card == "holiday_timetable":
        trashed[before.table.played[head.at]] = 1
    assert {card: had[card] - trashed[card] for card in had | trashed} == {card: has[card] for card in had | trashed}


def owned_cards_are_in_zones(state: State[Table], seats: Iterable[int]) -> None:
    """The zones of a seat contain exactly the cards that it owns."""
    table, zones = state.table, state.table.zones.zones
    for seat in seats:
        own = table.owned[seat]
        mine = [deck_of(seat), hand_of(seat), discard_of(seat)]
        mine += [PLAY, GAINED, REVEALED] if seat == table.turn else []
        cards = [card for zone in mine for card in zones[zone].cards]
        assert len(cards) == sum(own.values())
        found = Counter([card.name for card in cards if card.name is not None])
        for pool in {card.pool for card in cards if card.name is None}:
            found.update(table.zones.pools[pool])
        assert found == own


def the_map_is_legal(table: Table) -> None:
    """Each seat's network is connected, no cube is in the sea, and no city has too many stations."""
    board = table.board
    for seat, own in enumerate(table.rails):
        assert len(set(own)) == len(own) <= CUBES
        for at, cell in enumerate(own[1:], 1):
            assert set(board.neighbours(cell)) & set(own[:at]), seat
        assert all(board.by_name[cell].kind != "sea" for cell in own)
    assert all(0 < count <= board.by_name[cell].sites for cell, count in table.stations.items())
    assert sum(table.stations.values()) + table.markers == MARKERS


def turns_begin_clean(before: State[Table], event: Event, state: State[Table]) -> None:
    """A turn begins without coins, with no cards in play or gained, and with five cards in hand."""
    table, zones = state.table, state.table.zones
    assert table.coins >= 0 and len(table.in_play) == zones.count(PLAY)
    head = state.agenda[0] if state.agenda else None
    if isinstance(event, Ended | TurnPassed) and isinstance(head, Act):
        assert (table.coins, zones.count(PLAY), zones.count(GAINED)) == (0, 0, 0)
    if isinstance(head, Act) and not table.acted:
        assert zones.count(hand_of(head.seat)) == min(HAND, sum(table.owned[head.seat].values()))


def the_game_ends_with_a_turn(state: State[Table]) -> None:
    """The game is over exactly when a turn ends and one of the end conditions holds (R-21)."""
    ended = any(isinstance(effect, GameEnded) for effect in state.effects)
    began = any(isinstance(effect, TurnBegan) for effect in state.effects)
    assert state.over == (not state.agenda) == ended
    assert not (ended or began) or ended == bool(end_of_game(state.table))


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Check all invariants after one event, except for parts of the table that it did not change.

    The cards of the other seats are checked whenever a turn begins.
    """
    old, new = before.table, state.table
    if new.supply is not old.supply or new.owned is not old.owned:
        cards_are_conserved(before, event, state)
    all_seats = range(new.fixed.players)
    owned_cards_are_in_zones(state, all_seats if TurnBegan(new.turn) in state.effects or state.over else (new.turn,))
    if new.rails is not old.rails or new.stations is not old.stations or new.markers != old.markers:
        the_map_is_legal(new)
    turns_begin_clean(before, event, state)
    assert all(now >= was for now, was in zip(new.track, old.track, strict=True))
    the_game_ends_with_a_turn(state)
