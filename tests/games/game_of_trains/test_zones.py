"""Game of Trains beside zones: they know the same of every face-down card after the same events.

The table keeps its own fields, because backups and seeds depend on them: a state's hash, and the order of `unseen`.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given

from companion.engine import Event, Setup, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import wagon_id
from companion.games.game_of_trains.steps.setup import Choose, draws
from companion.games.game_of_trains.table import GAP, Table
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from tests.games.game_of_trains.walk import bounded, play, seeds, setups
from tests.games.proofs import proves

PILE, DISCARD, TABLE = "pile", "discard", "table"
"""`TABLE` stands for everything that lies open: lines, padlocks and pool."""


def at_first(table: Table) -> Zones:
    """Return the zones of a new game: all wagons in the pile."""
    hands = {hand(seat): only(seat) for seat in range(table.fixed.players)}
    return Zones.of({PILE: HIDDEN, DISCARD: HIDDEN, TABLE: OPEN, **hands}, {PILE: named(table.unseen)})


def hand(seat: int) -> str:
    """Return the name of a seat's hand."""
    return f"hand.{seat}"


def named(cards: tuple[int, ...]) -> tuple[str, ...]:
    """Return the names of wagons."""
    return tuple([wagon_id(card) for card in cards])


def follow(zones: Zones, before: State[Table], event: Event, after: State[Table]) -> Zones:
    """Return the zones after an event."""
    table, head = before.table, before.agenda[0]
    match event:
        case ev.LineDealt(_, cards):
            zones = zones.draw(PILE, TABLE, len(cards), named(cards))
        case ev.FirstNamed() if not table.fixed.dealt:
            for seat in range(table.fixed.players):
                zones = zones.draw(PILE, hand(seat), draws(after.table, seat))
        case ev.HandsDrawn(hands):
            for seat, cards in enumerate(hands):
                zones = zones.draw(PILE, hand(seat), len(cards), named(cards))
        case ev.Kept(seat, card):
            assert isinstance(head, Choose)
            zones = zones.move(hand(seat), TABLE, wagon_id(card))
            zones = zones.move(hand(seat), DISCARD, *range(zones.count(hand(seat))))
        case ev.CardDrawn(card):
            zones = zones.draw(PILE, hand(head.seat), 1, named((card,)))  # type: ignore[attr-defined]
        case ev.Placed(seat):
            zones = zones.move(hand(seat), TABLE, 0)
        case ev.Refilled(card=card):
            zones = zones.draw(PILE, TABLE, 1, named((card,)))
        case ev.Reshuffled():
            zones = zones.shuffle(DISCARD, PILE)
    gone = Counter(zones.named(TABLE)) - Counter(named(lying_open(after.table)))
    return zones.move(TABLE, DISCARD, *gone)


def lying_open(table: Table) -> tuple[int, ...]:
    """Return every wagon that lies open."""
    cards = (*table.pool, *[card for line in table.lines for card in line], *[c for own in table.locks for c in own])
    return tuple([card for card in cards if card != GAP])


@proves("F-1", "R-12", "R-13")
@given(setups(), seeds())
@bounded(25)
def test_zones_know_what_the_table_knows(setup: Setup, seed: int) -> None:
    """The pile's cards, the discard's number and contents, what lies open: the same after every event."""
    zones = None
    for before, event, after in play(setup, seed):
        if zones is None:
            zones = at_first(before.table)
        zones = follow(zones, before, event, after)
        table = after.table
        assert zones.count(PILE) == table.pile
        assert not table.pile or zones.remaining(PILE) == tuple(sorted(named(table.unseen)))
        assert zones.count(DISCARD) == table.discarded
        assert Counter(zones.named(DISCARD)) == Counter(named(tuple(filter(None, table.discard + table.rejected))))
        assert Counter(zones.named(TABLE)) == Counter(named(lying_open(table)))
        assert zones.view_of(PILE, 0) == (None,) * table.pile
