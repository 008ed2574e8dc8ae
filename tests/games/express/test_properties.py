"""Test what must hold in every game (§7), and that refusals change nothing."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from companion.engine import Event, Seat, SeatEvent, apply, legal, rule, state_hash
from companion.games.express import events as ev
from companion.games.express.rules import RULES
from companion.games.express.steps.lay import Lay
from companion.games.express.table import Table, hand_of
from tests.games.express import invariants
from tests.games.express.walk import play, setup_of
from tests.games.proofs import proves

GAMES = 20
"""Number of games for each number of players, alone and with partners. `make soak` plays thousands."""
SIDES = [*[(players, "alone") for players in RULES.seats], (4, "sides"), (6, "sides")]
FEW = 2
"""Number of games in which a test tries every event at every moment."""
KINDS = ("hopper", "coach", "wild", "caboose", "diesel", "boom", "wreck", "derailment", "turntable", "sedan", "")
ONE_CARD = (ev.MaintenanceLaid, ev.Discarded, ev.DiscardedUnused, ev.WentOut)
ON_A_TRAIN = (ev.CarLaid, ev.LaidTakenBack, ev.LocomotiveExchanged)


@proves("F-1", "F-2", "F-3", "F-4", "F-5", "F-6")
@pytest.mark.parametrize(("players", "partners"), SIDES)
def test_what_always_holds(players: int, partners: str) -> None:
    """All invariants hold after every event, and every hand ends."""
    for seed in range(GAMES):
        state = None
        for before, event, state in play(setup_of(players, seed, partners), seed):
            invariants.hold(before, event, state)
        assert state is not None and state.over


@proves("F-1", "F-2")
def test_what_is_broken_is_noticed() -> None:
    """The invariants detect an extra maintenance card, an extra discard and missing trains."""
    *_, (before, event, state) = islice(play(setup_of(2, 0), 0), 200)
    table = state.table
    broken = (
        replace(table, maintenance=((*table.maintenance[0], "boom"), table.maintenance[1])),
        replace(table, zones=table.zones.put("discard", "hopper")),
        replace(table, trains=((), ())),
    )
    invariants.hold(before, event, state)
    for wrong in broken:
        with pytest.raises(AssertionError):
            invariants.hold(before, event, replace(state, table=wrong))


def strays(luck: random.Random) -> Event:
    """Return a random event, which is legal only in rare cases."""
    seat, card, number = Seat(luck.randrange(7)), luck.choice(KINDS), luck.randrange(-1, 4)
    return luck.choice(
        [
            ev.DealerCardDrawn(seat, card),
            ev.HandsDealt((card,)),
            ev.PileDrawn(seat),
            ev.CardsDrawn(seat, (card, card)),
            ev.Reshuffled(seat),
            ev.DiscardTaken(seat, card),
            ev.TrainBegun(seat, card, luck.choice(KINDS)),
            ev.CarLaid(seat, number, card),
            ev.MaintenanceLaid(seat, card),
            ev.LaidTakenBack(seat, number, card),
            ev.LocomotiveExchanged(seat, number, card),
            ev.Discarded(seat, card),
            ev.DiscardedUnused(seat, card),
            ev.WentOut(seat, card),
            ev.TurntablePlayed(seat),
            ev.DisasterPlayed(seat, card, Seat(number), number, number, number),
            ev.ProtectionPlayed(seat, card),
            ev.ProtectionDeclined(seat),
            ev.PartnerAsked(seat),
            ev.PartnerAgreed(seat),
            ev.PartnerForbade(seat),
            ev.QuestionWithdrawn(seat),
            ev.MisdealCalled(seat),
            ev.MisdealAccepted(seat),
            ev.MisdealRejected(seat),
            ev.HandShown(seat, (card,)),
            ev.HandCalled(seat),
        ]
    )


def lays_of(table: Table) -> set[SeatEvent]:
    """Return all events, legal or not, with which a seat could lay cards or end its turn."""
    seat, hand = table.turn, table.zones.kinds(hand_of(table.turn))
    found: set[SeatEvent] = {kind(seat, card) for card in hand for kind in ONE_CARD}
    for number in range(6):
        found |= {kind(seat, number, card) for card in (*KINDS, *hand) for kind in ON_A_TRAIN}
    return found


@proves("F-7")
@pytest.mark.parametrize("players", [2, 4])
def test_what_is_offered_is_what_has_no_objection(players: int) -> None:
    """The offered events are exactly those to which the rules have no objection."""
    for seed in range(FEW):
        for state, _, _ in islice(play(setup_of(players, seed), seed), 150):
            if isinstance(state.agenda[0], Lay):
                tried, explain = lays_of(state.table), state.agenda[0].explain
                offered = {event for offer in legal(RULES, state) for event in offer}
                assert {event for event in tried if explain(state.table, event) is None} == offered & tried


@proves("R-00", "F-7")
@pytest.mark.parametrize("players", RULES.seats)
def test_what_is_refused_changes_nothing(players: int) -> None:
    """The rules judge random events without an error, and a refusal names its rule and leaves the state unchanged."""
    luck = random.Random(players)
    for _, _, state in islice(play(setup_of(players, players), players), 300):
        for _ in range(4):
            event, before = strays(luck), state_hash(state)
            refused = rule(RULES, state, event)
            assert apply(RULES, state, event) if refused is None else refused.rule and refused.key
            assert state_hash(state) == before


@proves("F-7")
@pytest.mark.parametrize("players", [2, 4])
def test_everything_offered_is_legal_and_replays(players: int) -> None:
    """The rules accept every offered event, and the same events lead to the same state."""
    setup, again = setup_of(players, 1), RULES.begin(setup_of(players, 1))
    for before, event, state in islice(play(setup, 1), 250):
        for offer in legal(RULES, before):
            listed = list(islice(offer, 8))
            assert all([rule(RULES, before, each) is None for each in listed])
        again = apply(RULES, again, event)
        assert state_hash(again) == state_hash(state)
