"""Check what must hold after every event of Take a Train (F-1, F-3, F-4, F-6, F-8 to F-10).

The property tests use some random games, `make soak` thousands.
"""

from __future__ import annotations

from collections import Counter

from companion.engine import Event, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.purposes import ids
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.table import TRAINS, Table, unsold

MONEY = 106_000
SEQUENTIAL = ("pass", "blind", "double_blind", "open")


def stage_one(table: Table) -> bool:
    """Return whether the locomotive auction of a round is running."""
    return table.round > 0 and not table.order


def money_is_conserved(state: State[Table]) -> None:
    """Cash and bank add up to 106,000, and no seat has less than zero (F-1)."""
    table = state.table
    assert sum(table.cash) + table.bank == MONEY
    assert min(table.cash) >= 0


def every_card_is_in_one_place(state: State[Table]) -> None:
    """Every locomotive, wagon card, purpose and auction token is in exactly one place (F-3, R-24, R-68)."""
    table = state.table
    named = [t.loco for own in table.trains for t in own if t.loco] + [*table.revealed, *table.aside, *table.pool]
    assert len(named) == len(set(named))
    assert len(set(table.used)) == len(table.used) <= 3
    claimed = [p for mask in table.claimed for p in ids(mask)]
    assert len(claimed) == len(set(claimed))
    if table.order and not isinstance(state.agenda[0] if state.agenda else None, DrawToken):
        attached: Counter[str] = Counter()
        for own in table.trains:
            for train in own:
                attached.update("twin" if w.twin else f"{w.type}-{w.value}" for w in train.wagons)
                attached.update(["multiplier"] * train.boosted)
        zones = [*table.wagons, *table.discard, *[c for c in table.market if c], *table.boxed]
        assert Counter(zones) + attached == Counter(table.fixed.book.wagons)


def as_many_are_unsold_as_are_missing(state: State[Table]) -> None:
    """In stage one, as many locomotives are unsold as the seats need. Afterwards every seat has three (F-4, R-13)."""
    table = state.table
    if stage_one(table):
        assert unsold(table) == sum(TRAINS - len(table.trains[s]) for s in range(table.fixed.players))
    elif table.order:
        assert unsold(table) == 0
        assert [len(own) for own in table.trains] == [TRAINS] * table.fixed.players


def winners_can_pay(before: State[Table], state: State[Table]) -> None:
    """A winner in a sequential auction pays at least the power and at most its cash (F-6, R-28)."""
    for effect in state.effects:
        if isinstance(effect, ev.Sold) and state.table.kind in SEQUENTIAL:
            power = before.table.fixed.book.locos[effect.card].power
            assert power is not None
            assert power <= effect.price <= before.table.cash[effect.seat]


def trains_and_market_are_legal(state: State[Table]) -> None:
    """Each train has one type and a legal length, an owner's trains have different types, and at most one train is
    full. Bin and Longer stock never lie in the market (F-8 to F-10, R-63, R-65, R-67b)."""
    table = state.table
    limit = 6 if table.longer else 5
    full = 0
    for own in table.trains:
        types = [train.cargo for train in own if train.wagons]
        assert len(types) == len(set(types))
        for train in own:
            assert {w.type for w in train.wagons} <= {train.cargo}
            assert len(train.wagons) <= limit
            full += len(train.wagons) == limit
    assert full <= 1
    assert not {"bin", "longer"} & set(table.market)


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Check all invariants after one event."""
    money_is_conserved(state)
    as_many_are_unsold_as_are_missing(state)
    winners_can_pay(before, state)
    trains_and_market_are_legal(state)
    if state.table.fixed.dealt:
        every_card_is_in_one_place(state)
