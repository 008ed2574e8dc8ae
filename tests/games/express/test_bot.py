"""The bot must play whole matches, beat random play and answer its partner sensibly."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace

from companion.bots.simulation import next_event, simulate
from companion.engine import Event, Setup, State, apply, legal
from companion.games.express import events as ev
from companion.games.express.bot import POLICY
from companion.games.express.bot.mind import Mind
from companion.games.express.ending import Plan, finishing_plan
from companion.games.express.rules import RULES
from companion.games.express.steps.draw import Draw
from companion.games.express.steps.setup import NextHand
from companion.games.express.table import Table
from tests.bench.bench_strength import among_random
from tests.games.express import invariants
from tests.games.express.build import A, B, C, after, begun, book, hand, laid, train
from tests.games.express.test_secrecy import swapped

FIVE, FOUR = "hopper hopper hopper hopper hopper", "gondola gondola gondola gondola"


def chosen(state: State[Table]) -> Event | None:
    """Return the bot's choice for the seat that is asked first."""
    return POLICY.choose(POLICY.look(state, POLICY.asked(state)[0]), random.Random(1).random)


def played(state: State[Table]) -> State[Table]:
    """Return the state after the bot has played A's turn."""
    while state.agenda[0].name == "lay" and state.table.turn == A:
        event = chosen(state)
        assert event is not None
        state = after(state, event)
    return state


@pytest.mark.parametrize("players", RULES.seats)
def test_it_plays_whole_matches(players: int) -> None:
    """Every match of two hands ends with a winner, and all invariants hold after every event."""
    luck, state = random.Random(players), begun(players, hands=2)
    while state.agenda:
        (*_, offer) = legal(RULES, state)
        event = offer.pick(luck.random) if offer.chance else chosen(state)
        assert event is not None
        following = apply(RULES, state, event)
        invariants.hold(state, event, following)
        state = following
    assert RULES.winners(state)


@pytest.mark.parametrize(("players", "partners"), [(2, "alone"), (4, "sides")])
def test_it_beats_random_play(players: int, partners: str) -> None:
    """The bot beats random players from every seat, both alone and as a pair of partners."""
    assert among_random(POLICY, players, partners, 4, 1) == 4


def test_the_same_seed_plays_the_same_match() -> None:
    """The same seed produces the same match, because nothing depends on the order of sets."""
    setup = Setup(RULES.name, 4, {"hands": 2})
    assert list(simulate(RULES, setup, 2, 1)) == list(simulate(RULES, setup, 2, 1))


def test_with_real_cards_it_takes_what_is_possible() -> None:
    """The bot finishes a simulated hand with real cards, although it cannot see them."""
    setup = Setup(RULES.name, 3, {"hands": 1}, deck="ours")
    assert len(list(simulate(RULES, setup, 2, 1))) == 2


def test_it_finds_the_way_out() -> None:
    """The bot finds a plan to go out with new trains, wilds and cabooses, and finds none where none exists."""
    trains = (train(1, FIVE), train(2, "gondola gondola gondola"))
    plan = finishing_plan(book(), trains, ("gondola", "reefer"))
    assert plan == Plan(((2, "gondola"),), (), "reefer")
    plan = finishing_plan(book(), (train(1, FIVE),), ("coach", "dome", "wild", "sleeper", "reefer", "wreck"))
    assert plan is not None and plan.discard == "wreck" and plan.locomotives == ("reefer",)
    assert finishing_plan(book(), trains, ("reefer", "coach")) is None
    assert finishing_plan(book(), (), ("reefer",)) is None


def test_it_goes_out_when_it_can() -> None:
    """The bot goes out step by step, up to the last discard."""
    state = laid({0: "gondola reefer coach"}, {0: [FIVE, "gondola gondola gondola", "coach coach coach"]})
    while state.agenda[0].name == "lay":
        event = chosen(state)
        assert event is not None
        state = after(state, event)
    assert isinstance(event, ev.WentOut)


def test_it_goes_out_only_if_that_pays() -> None:
    """The bot does not go out if the opponents would win the match by it."""
    ready = {0: [FIVE, FOUR], 1: [" ".join(["tank_car"] * 8)]}
    state = laid({0: "hopper reefer", 1: "coach"}, ready, totals=(70, 90))
    assert isinstance(played(state).agenda[0], Draw)
    state = laid({0: "hopper reefer", 1: "coach"}, ready, totals=(40, 40))
    assert isinstance(played(state).agenda[0], NextHand)


def test_it_never_lays_and_takes_back_for_ever() -> None:
    """The bot goes out if the turn can end in no other way, and it counts a laid Diesel as seen."""
    ready = {0: [FIVE, FOUR], 1: ["tank_car " * 8]}
    state = after(laid({0: "hopper reefer", 1: "coach"}, ready, totals=(70, 90)), ev.CarLaid(A, 1, "hopper"))
    assert chosen(state) == ev.WentOut(A, "reefer")
    known, fixed, seat = POLICY.look(laid({0: "diesel reefer"}, ready), A)
    before = Mind(known, fixed, seat).unseen
    known, *_ = POLICY.look(after(laid({0: "diesel reefer"}, ready), ev.CarLaid(A, 1, "diesel")), A)
    assert Mind(known, fixed, seat).unseen == before


def test_two_programs_never_hand_the_same_cards_to_each_other_for_ever() -> None:
    """The bot leaves a discard that it would only exchange for a card of its hand, unless the discard is worth more."""
    ready = {0: [FIVE, FOUR], 1: ["tank_car " * 8]}

    def drawn(held: str, top: str) -> Event | None:
        return chosen(laid({0: held, 1: "coach dome"}, ready, discard=top, phase="draw", totals=(70, 90)))

    assert drawn("sleeper", "boom") == drawn("boom", "coach") == ev.PileDrawn(A)
    assert drawn("reefer", "wild") == ev.DiscardTaken(A, "wild")


def test_it_asks_its_partner_when_that_matters() -> None:
    """The bot asks if its partner may hold valuable cards, unless it wins now or the opponents are about to go out."""
    trains = {0: [FIVE, FOUR], 1: ["tank_car tank_car"]}
    held = {0: "reefer", 1: "coach dome", 2: "wild reefer reefer reefer box_car", 3: "coach dome sleeper"}
    state = laid(held, trains, players=4)
    assert chosen(state) == ev.PartnerAsked(A)
    assert POLICY.choose(POLICY.look(after(state, ev.PartnerAsked(A)), A), random.Random(1).random) is None
    assert chosen(laid(held | {2: "reefer"}, trains, players=4, totals=(99, 0))) == ev.WentOut(A, "reefer")
    ready = {0: [FIVE, FOUR], 1: ["tank_car " * 5, "stock_car " * 4]}
    assert chosen(laid({0: "reefer", 1: "coach", 2: "log_car", 3: "dome"}, ready, players=4)) == ev.WentOut(A, "reefer")


def test_it_is_bound_by_the_answer() -> None:
    """The bot goes out after a yes and stays in after a no."""
    asked = after(laid({0: "hopper reefer", 2: "coach"}, {0: [FIVE, FOUR]}, players=4), ev.PartnerAsked(A))
    assert isinstance(played(after(asked, ev.PartnerAgreed(C))).agenda[0], NextHand)
    assert isinstance(played(after(asked, ev.PartnerForbade(C))).agenda[0], Draw)


def test_it_keeps_what_takes_it_out_next_turn() -> None:
    """After its partner says no, the bot keeps the car that fits, so that it can go out next turn with any discard."""
    state = after(laid({0: "gondola reefer", 1: "coach"}, {0: [FIVE, FOUR]}, players=4), ev.PartnerAsked(A))
    assert hand(played(after(state, ev.PartnerForbade(C))), A) == ["gondola"]


def test_it_begins_no_train_that_cannot_reach_three_cars() -> None:
    """The bot keeps two log cars if opponents hold too many of the others, and lays three reefers instead."""
    state = laid({0: "log_car log_car reefer reefer reefer box_car"}, {1: [" ".join(["log_car"] * 7)]})
    state = played(state)
    assert [train.cars[0] for train in state.table.trains[0]] == ["reefer"]
    state = played(laid({0: "log_car log_car reefer reefer reefer box_car"}, {1: ["log_car"]}))
    assert [train.cars[0] for train in state.table.trains[0]] == ["reefer"]


def test_its_disasters_hit_what_counts_most() -> None:
    """The bot wrecks the train with the most points, unless the opponent has the card that prevents the wreck."""
    trains = {1: [FIVE, "auto_carrier " * 4], 2: ["stock_car " * 5]}
    state = laid({0: "wreck reefer"}, trains, players=3)
    assert chosen(state) == ev.DisasterPlayed(A, "wreck", B, 2)
    state = laid({0: "wreck reefer"}, trains, players=3, maintenance={1: "heavy_crane"})
    assert chosen(state) == ev.DisasterPlayed(A, "wreck", C, 1)


def test_it_plays_a_turntable_for_another_turn() -> None:
    """The bot plays a turntable for another turn, and discards it only in its first turn, where it has no effect."""
    held = {0: "turntable reefer log_car"}
    assert chosen(laid(held, players=3)) == ev.TurntablePlayed(A)
    assert isinstance(chosen(laid(held, players=3, first=True)), ev.Discarded | ev.DiscardedUnused)


@pytest.mark.parametrize("players", [2, 4])
def test_it_decides_by_its_view_alone(players: int) -> None:
    """Every seat makes the same choice after hidden hands, locomotives and the pile are exchanged."""
    luck, compared = random.Random(players), 0
    state = begun(players, hands=1)
    while state.agenda:
        for seat in POLICY.asked(state):
            known, other = POLICY.look(state, seat), POLICY.look(swapped(state, seat, luck), seat)
            assert POLICY.choose(known, random.Random(1).random) == POLICY.choose(other, random.Random(1).random)
            compared += 1
        state = apply(RULES, state, next_event(RULES, state, [POLICY] * players, luck.random))
    assert compared > 20


def test_it_discards_nothing_that_the_next_seat_needs() -> None:
    """Of two equally cheap cards, the bot discards the one that fits no train of the next seat, in either direction."""
    trains = {1: ["reefer reefer"], 2: ["log_car log_car"]}
    state = laid({0: "log_car reefer", 1: "coach", 2: "coach"}, trains, players=3)
    assert played(state).table.zones.named("discard")[-1] == "log_car"
    state = replace(state, table=replace(state.table, reversed=True))
    assert played(state).table.zones.named("discard")[-1] == "reefer"
    known = POLICY.look(state, A)
    mind = Mind(*known)
    assert set(mind.fed) >= {"log_car"} and "reefer" not in mind.fed
    paired = laid({0: "log_car reefer", 1: "coach"}, {1: ["coach coach"]}, players=4, turn=B)
    assert not Mind(*POLICY.look(paired, B)).fed, "the next side has no train"
