"""The bots must finish every game, beat weaker bots and make good use of their cards and coins."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.bots.bot import policy_of
from companion.bots.simulation import play, simulate
from companion.engine import CellName, Event, Seat, Setup, State, apply
from companion.games.trains import events as ev
from companion.games.trains.bot import PLAIN, POLICY
from companion.games.trains.bot.prospect import Prospect
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table, deck_of, hand_of
from tests.bench.bench_strength import contest
from tests.games.trains.build import A, after, begun, offered, on_small_map, turn

__all__ = ["on_small_map"]
ENDING: dict[str, Any] = {"supply": {"tower": 0, "apartment": 0, "landfill": 0, "dump_site": 1}}
"""A supply with which the game is about to end."""
NEAR_A_CITY = (("SM", "F1"), ("YO",))
"""Rails by seat. The first seat can soon reach a city."""
DEEDS = (
    ev.Applied, ev.Bought, ev.BoughtOnDeck, ev.CardChosen, ev.CardsDiscarded, ev.CrewSent, ev.RailLaid, ev.Rebuilt,
    ev.StationBuilt, ev.WasteReturned,
)  # fmt: skip
"""Events that count as an achievement of a turn."""
FAR_FROM_ALL = (("YO",), ("IU",))
"""Rails by seat. The first seat can reach nothing of value soon."""


def decision(state: State[Table], seat: Seat = A, policy: Any = POLICY) -> Event:
    """Return the bot's choice and check that it is legal."""
    event = policy.choose(policy.look(state, seat), random.Random(1).random)
    assert event is not None
    apply(RULES, state, event)
    return event


def prospect(state: State[Table]) -> Prospect:
    """Return the bot's estimate of the game."""
    return Prospect(RULES.view(state, A), A)


@pytest.mark.parametrize("bots", ["sensible", "plain"])
@pytest.mark.parametrize("players", RULES.seats)
def test_whole_games_end(players: int, bots: str) -> None:
    """Games end with winners for every number of players, on both boards, with dealt and with real cards."""
    for seed, deck in ((1, "dealt"), (2, "ours")):
        options = {"board": ("tokyo", "osaka")[seed % 2], "draw_kingdom": "yes"}
        for result in simulate(RULES, Setup(RULES.name, players, options, deck=deck), 1, seed, bots):  # type: ignore[arg-type]
            assert result.winners
            assert len(result.scores) == players


def test_each_program_beats_the_simpler_one() -> None:
    """The plain bot beats random play, and the bot that looks ahead beats the plain one."""
    assert contest(PLAIN, policy_of(RULES, "random"), 4, 1)[0] == 1.0
    assert contest(POLICY, PLAIN, 8, 1)[0] >= 0.75


@pytest.mark.usefixtures("on_small_map")
def test_trains_are_bought_early_and_buildings_late() -> None:
    """Eight coins do not buy a skyscraper early in the game, but do so near its end."""
    early = turn(play=[NORMAL], deck=[NORMAL] * 9, coins=8)
    assert decision(early) != ev.Bought(A, "skyscraper")
    assert decision(turn(play=[NORMAL], deck=[NORMAL] * 9, coins=8, **ENDING)) == ev.Bought(A, "skyscraper")


@pytest.mark.usefixtures("on_small_map")
def test_two_purchases_may_be_worth_more_than_one() -> None:
    """The bot considers all purchases that its coins allow together."""
    state = turn(play=[NORMAL], deck=[NORMAL] * 6 + [RAILS] * 2, coins=6)
    first = decision(state)
    assert isinstance(first, ev.Bought)
    while isinstance(event := decision(state), ev.Bought):
        state = after(state, event)
    assert state.table.coins < 2


@pytest.mark.usefixtures("on_small_map")
def test_it_plays_what_it_holds_before_it_buys() -> None:
    """The bot plays draws and Trains first, then rails, and buys last."""
    assert decision(turn(["control_room", NORMAL, RAILS], play=[NORMAL], coins=9)) == ev.Played(A, "control_room")
    assert decision(turn([LIMITED, RAILS], play=[NORMAL], coins=9)) == ev.Played(A, LIMITED)
    assert decision(turn([RAILS], play=[NORMAL], coins=9, rails=NEAR_A_CITY)) == ev.Played(A, RAILS)
    assert decision(turn(["skyscraper", WASTE], play=[NORMAL])) == ev.Ended(A)


@pytest.mark.usefixtures("on_small_map")
def test_rails_lead_where_they_count() -> None:
    """Near the end, the bot lays rails to the cell with the most points, and declines if no cell scores."""
    state = after(turn([RAILS], coins=4, rails=(("M1",), ("YO",)), **ENDING), ev.Played(A, RAILS))
    assert decision(state) == ev.RailLaid(A, CellName("R4"))
    state = after(turn([RAILS], coins=8, rails=(("YO",), ("IU",)), **ENDING), ev.Played(A, RAILS))
    assert decision(state) == ev.Declined(A)


@pytest.mark.usefixtures("on_small_map")
def test_stations_are_built_where_the_seat_is_and_others_are_not() -> None:
    """The bot declines a station without a city of its own, and prefers a city without a rival."""
    state = after(turn([STATION], rails=(("F1",), ("IU",))), ev.Played(A, STATION))
    assert decision(state) == ev.Declined(A)
    state = after(turn([STATION], rails=(("SM", "F1", "SS"), ("SM",))), ev.Played(A, STATION))
    assert decision(state) == ev.StationBuilt(A, CellName("SS"))


@pytest.mark.usefixtures("on_small_map")
def test_a_hand_of_waste_is_given_back() -> None:
    """The bot passes to return four Waste, but plays a hand of good Trains with one Waste."""
    state = turn([WASTE] * 4 + [NORMAL], deck=[NORMAL] * 9, supply={WASTE: 60})
    assert decision(state) == ev.TurnPassed(A, 4)
    state = turn([WASTE, *[LIMITED] * 4], deck=[NORMAL] * 9, supply={WASTE: 60})
    assert isinstance(decision(state), ev.Played)


@pytest.mark.parametrize("policy", [PLAIN, POLICY])
@pytest.mark.usefixtures("on_small_map")
def test_nothing_is_played_only_to_decline_it(policy: Any) -> None:
    """The bot plays rails and stations only if it can use them."""
    for card, rails in ((RAILS, FAR_FROM_ALL), (STATION, (("F1",), ("IU",)))):
        assert decision(turn([card], play=[NORMAL], rails=rails, **ENDING), policy=policy) == ev.Ended(A)
    assert decision(turn([RAILS], play=[NORMAL], coins=1, rails=NEAR_A_CITY), policy=policy) == ev.Played(A, RAILS)


@pytest.mark.parametrize("policy", [PLAIN, POLICY])
@pytest.mark.usefixtures("on_small_map")
def test_a_turn_that_would_achieve_nothing_returns_waste(policy: Any) -> None:
    """The bot passes to return a single Waste if its turn would achieve nothing."""
    hand = [WASTE, NORMAL, RAILS, "tower", "skyscraper"]
    assert decision(turn(hand, rails=FAR_FROM_ALL, deck=[EXPRESS] * 9), policy=policy) == ev.TurnPassed(A, 1)


@pytest.mark.usefixtures("on_small_map")
def test_a_card_that_only_brings_coins_is_played_for_them() -> None:
    """With Ironworks in play, the bot plays Lay Rails for its two coins even if no rail is worthwhile."""
    state = turn([RAILS], active=["ironworks"], coins=1, rails=FAR_FROM_ALL, **ENDING)
    assert decision(state) == ev.Played(A, RAILS)


@pytest.mark.parametrize("policy", [PLAIN, POLICY])
def test_whole_games_have_no_idle_turns(policy: Any) -> None:
    """At most one turn in a hundred ends without an achievement while the bot holds Waste."""
    idle, turns, declined = 0, 0, []
    events: list[Event] = []

    def watch(before: State[Table], event: Event, _: State[Table]) -> None:
        nonlocal idle, turns
        events.append(event)
        if isinstance(event, ev.Ended | ev.TurnPassed):
            seat, turns = event.seat, turns + 1
            kept = WASTE in before.table.zones.named(hand_of(seat)) and isinstance(event, ev.Ended)
            idle += kept and not any(isinstance(each, DEEDS) for each in events)
            declined.extend([each for each in events if isinstance(each, ev.Declined)])
            events.clear()

    for seed in range(1, 5):
        setup = Setup(RULES.name, 2, {"board": ("tokyo", "osaka")[seed % 2]})
        play(RULES, setup, [policy] * 2, random.Random(seed).random, watch)
    assert turns > 100
    assert not declined
    assert idle <= turns / 100


def test_a_hand_that_nobody_has_seen_is_played() -> None:
    """With real cards, the bot plays its unseen hand instead of passing for Waste that it may hold."""
    first = [ev.FirstNamed(A), ev.StartPlaced(A, CellName("A5")), ev.StartPlaced(Seat(1), CellName("A6"))]
    state = after(begun(deck="ours"), *first, ev.Played(A, RAILS), ev.RailLaid(A, CellName("B5")), ev.Ended(A))
    state = after(state, ev.TurnPassed(Seat(1)), ev.TurnPassed(A), ev.Reshuffled(A))
    state = after(state, ev.TurnPassed(Seat(1)), ev.Reshuffled(Seat(1)))
    assert ev.TurnPassed(A, 1) in offered(state, A)
    assert isinstance(decision(state), ev.Played)


@pytest.mark.usefixtures("on_small_map")
def test_without_points_on_sale_it_buys_so_that_the_game_ends() -> None:
    """If no points are for sale, the bot buys from the pile that will run out first."""
    supply = {"tower": 0, "apartment": 0, "skyscraper": 0, "landfill": 2}
    assert decision(turn(play=[NORMAL], deck=[NORMAL] * 40, coins=3, supply=supply)) == ev.Bought(A, "landfill")


@pytest.mark.usefixtures("on_small_map")
def test_how_far_the_game_is() -> None:
    """Progress is that of the nearest end condition: empty piles, cubes or stations."""
    assert prospect(turn()).progress == pytest.approx(0.05)
    assert prospect(turn(markers=6)).progress == pytest.approx(0.8)
    assert prospect(turn(supply={"tower": 0, "apartment": 0, "skyscraper": 0, EXPRESS: 0})).progress == 1.0


@pytest.mark.usefixtures("on_small_map")
def test_it_waits_for_its_turn() -> None:
    """The bot chooses nothing when another seat is on turn."""
    state = turn([NORMAL])
    assert POLICY.asked(state) == (A,)
    for policy in (POLICY, PLAIN):
        assert policy.choose(policy.look(state, Seat(1)), random.Random(1).random) is None


@pytest.mark.parametrize("policy", [PLAIN, POLICY])
@pytest.mark.usefixtures("on_small_map")
def test_programs_with_real_cards_draw_badly_too(policy: Any) -> None:
    """With real cards, the bot plays a card from a random possible hand, not the best card of its deck."""
    state = turn(deck=[EXPRESS] * 2 + [RAILS] * 6, dealt=False, coins=1, rails=NEAR_A_CITY)
    zones = state.table.zones.shuffle(deck_of(A)).draw(deck_of(A), hand_of(A), 2)
    known = policy.look(replace(state, table=replace(state.table, zones=zones)), A)
    assert not known.own_cards and known.seats[A].hand == 2
    played = {policy.choose(known, random.Random(seed).random) for seed in range(40)}
    assert played == {ev.Played(A, EXPRESS), ev.Played(A, RAILS)}
