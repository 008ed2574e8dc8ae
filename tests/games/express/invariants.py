"""Check what must hold after every event of Express (§7 of the rules)."""

from __future__ import annotations

from companion.engine import Event, State
from companion.games.express import events as ev
from companion.games.express.laying import least_left
from companion.games.express.scoring import train_score
from companion.games.express.table import PILE, SLOT, Table, engine_of
from companion.games.express.trains import Train, groups

ENDS = (ev.Discarded, ev.DiscardedUnused, ev.TurntablePlayed, ev.DisasterPlayed)
DISASTERS = (ev.DisasterPlayed, ev.ProtectionDeclined, ev.ProtectionPlayed)
MULTIPLIERS = (1, 2, 4, 8, 16)


def cards_are_conserved(table: Table) -> None:
    """All places together hold the whole deck, and each pool holds as many cards as its places have unseen."""
    lying = sum([len(zone.cards) for zone in table.zones.zones.values()])
    cars = sum([len(train.cars) + train.diesel for trains in table.trains for train in trains])
    assert lying + cars + sum(map(len, table.maintenance)) == len(table.fixed.cards)
    unseen = [card.pool for zone in table.zones.zones.values() for card in zone.cards if card.name is None]
    assert [unseen.count(at) for at in range(len(table.zones.pools))] == list(map(len, table.zones.pools))


def trains_are_whole(before: Table, table: Table) -> None:
    """Every train has a car and a locomotive, every locomotive has a train, and changed trains follow the rules."""
    engines = {name for name in table.zones.zones if name.startswith("locomotive.")}
    assert engines == {engine_of(side, train.number) for side, own in enumerate(table.trains) for train in own}
    assert all([table.zones.count(engine) == 1 for engine in engines])
    for old, now in zip(before.trains, table.trains, strict=True):
        for train in now:
            if train not in old:
                train_is_sound(table, train)


def train_is_sound(table: Table, train: Train) -> None:
    """The cars of a train match, and its score is its base doubled at most four times."""
    assert train.cars and train.cars[0] not in ("wild", "caboose")
    assert "caboose" not in train.cars[:-1]
    first, second = groups(table.fixed.book, train.cars)
    assert not second or len(first) >= 2
    score = train_score(table.fixed.book, train, table.fixed.options.scoring)
    assert score.points == 0 or score.points // max(1, score.base) in MULTIPLIERS
    assert 2 ** len(score.bonuses) in MULTIPLIERS


def hands_are_small(before: State[Table], event: Event) -> None:
    """A hand has at most five cards after its discard, unless its cards could not be laid or all players agreed
    (A-05)."""
    table = before.table
    if isinstance(event, ENDS):
        most = max(table.fixed.limit, least_left(table) if table.fixed.dealt else 0)
        assert table.hand(event.seat) - 1 <= most or table.waived


def order_is_kept(before: State[Table], event: Event, state: State[Table]) -> None:
    """A train keeps its cars in order and grows only at its end, except after disasters and cards taken back."""
    if isinstance(event, (*DISASTERS, ev.LaidTakenBack, ev.HandCalled, ev.MisdealAccepted)):
        return
    for side, trains in enumerate(before.table.trains):
        for train in trains:
            now = state.table.train(side, train.number)
            assert now is not None and now.cars[: len(train.cars)] == train.cars


def hold(before: State[Table], event: Event, state: State[Table]) -> None:
    """Check all invariants after one event."""
    cards_are_conserved(state.table)
    trains_are_whole(before.table, state.table)
    hands_are_small(before, event)
    order_is_kept(before, event, state)
    if not isinstance(event, ev.HandCalled | ev.MisdealAccepted | ev.DealerCardDrawn):
        assert state.table.zones.named(SLOT)[: before.table.zones.count(SLOT)] == before.table.zones.named(SLOT)
    assert state.table.zones.count(PILE) >= 0 and (state.over == (not state.agenda))
