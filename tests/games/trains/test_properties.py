"""Test the invariants, refusals and replay of Trains in random games (§8)."""

from __future__ import annotations

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from companion.engine import CellName, Event, Seat, apply, follow, legal, rule, state_hash
from companion.games.trains import events as ev
from companion.games.trains.catalogue import shipped
from companion.games.trains.rules import RULES
from tests.games.proofs import proves
from tests.games.trains import invariants
from tests.games.trains.build import after, draws, turn
from tests.games.trains.walk import play, setup_of

GAMES = 20
"""Number of games for each number of players. `make soak` plays thousands."""
KINDS = tuple([card.id for card in shipped().cards])


@proves("R-02", "R-09", "R-11", "R-13", "R-15", "R-17", "R-19", "R-21", "F-1", "F-2", "F-3", "F-4", "F-5")
@pytest.mark.parametrize("players", RULES.seats)
def test_what_always_holds(players: int) -> None:
    """All invariants hold after every event, and every game ends."""
    for seed in range(GAMES):
        state = None
        for before, event, state in play(setup_of(players, seed), seed):
            invariants.hold(before, event, state)
        assert state is not None
        assert state.over


@proves("F-1", "F-2", "F-3", "F-5")
def test_what_is_broken_is_noticed() -> None:
    """The invariants detect an extra card, a disconnected cube, negative coins, extra stations and a missed end."""
    *_, (before, event, state) = islice(play(setup_of(2, 0), 0), 60)
    table = state.table
    rails = ((*table.rails[0], "A9" if "A9" not in table.rails[0] else "A10"), table.rails[1])
    broken = (
        replace(table, supply=table.supply | {"tower": table.supply["tower"] + 1}),
        replace(table, zones=table.gain(Seat(0), "tower").zones),
        replace(table, rails=rails),
        replace(table, coins=-1),
        replace(table, stations={"A1": 4}),
    )
    invariants.hold(before, event, state)
    for wrong in broken:
        with pytest.raises(AssertionError):
            invariants.hold(before, event, replace(state, table=wrong))
    ended = draws(after(turn(["normal_train"]), ev.TurnPassed(Seat(0))), "normal_train")
    with pytest.raises(AssertionError):
        invariants.the_game_ends_with_a_turn(replace(ended, table=replace(ended.table, markers=0)))


def strays(luck: random.Random) -> Event:
    """Return a random event, which is legal only in rare cases."""
    seat, card, other = Seat(luck.randrange(5)), luck.choice(KINDS), luck.choice(KINDS)
    cell = CellName(f"{luck.choice('ABCDEFGHI')}{luck.randint(0, 11)}")
    return luck.choice(
        [
            ev.KingdomDrawn(tuple(luck.sample(KINDS, luck.choice((7, 8))))),
            ev.FirstNamed(seat),
            ev.CardsDrawn(seat, tuple(luck.choices(KINDS, k=luck.randrange(6)))),
            ev.Reshuffled(seat),
            ev.TopSeen(seat, card),
            ev.CardRevealed(seat, card),
            ev.StartPlaced(seat, cell),
            ev.Played(seat, card),
            ev.Bought(seat, card),
            ev.BoughtOnDeck(seat, card),
            ev.Ended(seat),
            ev.TurnPassed(seat, luck.randrange(-1, 4)),
            ev.Declined(seat),
            ev.Applied(seat),
            ev.RailLaid(seat, cell),
            ev.StationBuilt(seat, cell),
            ev.CardChosen(seat, card),
            ev.CardsDiscarded(seat, (card, other)),
            ev.WasteReturned(seat, luck.randrange(-1, 4)),
            ev.CrewSent(seat, "waste"),
            ev.CardNamed(seat, card),
            ev.GuessedRight(seat),
            ev.TopDiscarded(seat, card),
            ev.RevealedTaken(seat, card, (other,)),
            ev.Rebuilt(seat, card, other),
        ]
    )


@proves("R-00", "R-16", "F-6")
@pytest.mark.parametrize("players", RULES.seats)
def test_what_is_refused_changes_nothing(players: int) -> None:
    """The rules judge random events without an error, and a refusal names its rule and leaves the state unchanged."""
    luck = random.Random(players)
    for _, _, state in play(setup_of(players, players), players, 250):
        for _ in range(5):
            event, before = strays(luck), state_hash(state)
            refused = rule(RULES, state, event)
            assert apply(RULES, state, event) if refused is None else refused.rule and refused.key
            assert state_hash(state) == before


@proves("F-7")
@pytest.mark.parametrize("players", RULES.seats)
def test_everything_offered_is_legal(players: int) -> None:
    """Every event that an offer lists or picks is part of the offer and legal."""
    luck = random.Random(players)
    for state, _, _ in islice(play(setup_of(players, players + 1), players), 0, 400, 3):
        for offer in legal(RULES, state):
            for event in [*islice(offer, 25), offer.pick(luck.random)]:
                assert event in offer
                apply(RULES, state, event)


@proves("F-8")
@pytest.mark.parametrize("players", RULES.seats)
def test_the_same_events_lead_to_the_same_state(players: int) -> None:
    """Replaying the events of a game leads through the same states."""
    setup = setup_of(players, players + 2)
    state = RULES.begin(setup)
    for _, event, following in play(setup, 7):
        state = follow(RULES, state, event)
        assert state == following
    assert state.over
