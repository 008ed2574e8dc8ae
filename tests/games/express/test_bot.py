"""The program plays whole matches, better than chance, and answers a partner with sense."""

from __future__ import annotations

import random

import pytest

from companion.bots.simulation import simulate
from companion.engine import Event, Setup, State, apply, legal
from companion.games.examples.express import GAME
from companion.games.examples.express import events as ev
from companion.games.examples.express.bot import POLICY
from companion.games.examples.express.finishing import Plan, finishing_plan
from companion.games.examples.express.table import Table
from tests.games.express import invariants
from tests.games.express.build import A, C, after, begun, book, laid, train

FIVE, FOUR = "hopper hopper hopper hopper hopper", "gondola gondola gondola gondola"


def chosen(state: State[Table]) -> Event | None:
    """Return what the program does for the seat that is asked first."""
    return POLICY.choose(POLICY.look(state, POLICY.asked(state)[0]), random.Random(1).random)


@pytest.mark.parametrize("players", GAME.seats)
def test_it_plays_whole_matches(players: int) -> None:
    """Every match of two hands ends with a winner; all that always holds, holds."""
    luck, state = random.Random(players), begun(players, hands=2)
    while state.agenda:
        (*_, offer) = legal(GAME, state)
        event = offer.pick(luck.random) if offer.chance else chosen(state)
        assert event is not None
        following = apply(GAME, state, event)
        invariants.hold(state, event, following)
        state = following
    assert GAME.winners(state)


def test_the_same_seed_plays_the_same_match() -> None:
    """Nothing depends on the order of sets."""
    setup = Setup(GAME.name, 4, {"hands": 2})
    assert list(simulate(GAME, setup, 2, 1)) == list(simulate(GAME, setup, 2, 1))


def test_with_real_cards_it_takes_what_is_possible() -> None:
    """It cannot see them; in a simulation the hand ends all the same."""
    setup = Setup(GAME.name, 3, {"hands": 1}, deck="ours")
    assert len(list(simulate(GAME, setup, 2, 1))) == 2


def test_it_finds_the_way_out() -> None:
    """New trains, wilds and cabooses among it; none where there is none."""
    trains = (train(1, FIVE), train(2, "gondola gondola gondola"))
    plan = finishing_plan(book(), trains, ("gondola", "reefer"))
    assert plan == Plan(((2, "gondola"),), (), "reefer")
    plan = finishing_plan(book(), (train(1, FIVE),), ("coach", "dome", "wild", "sleeper", "reefer", "wreck"))
    assert plan is not None and plan.discard == "wreck" and plan.locomotives == ("reefer",)
    assert finishing_plan(book(), trains, ("reefer", "coach")) is None
    assert finishing_plan(book(), (), ("reefer",)) is None


def test_it_goes_out_when_it_can() -> None:
    """Step by step, to the last discard."""
    state = laid({0: "gondola reefer coach"}, {0: [FIVE, "gondola gondola gondola", "coach coach coach"]})
    while state.agenda[0].name == "lay":
        event = chosen(state)
        assert event is not None
        state = after(state, event)
    assert isinstance(event, ev.WentOut)


def test_it_answers_its_partner() -> None:
    """Yes with the better trains; no when behind and able to wait."""
    ahead = after(laid({0: "reefer", 2: "reefer"}, {0: [FIVE, FOUR]}, players=4), ev.PartnerAsked(A))
    view = POLICY.look(ahead, C)
    assert POLICY.choose(view, random.Random(1).random) == ev.PartnerAgreed(C)
    behind = laid({0: "reefer", 2: "reefer"}, {0: [FIVE], 1: ["auto_carrier " * 8]}, players=4)
    view = POLICY.look(after(behind, ev.PartnerAsked(A)), C)
    assert POLICY.choose(view, random.Random(1).random) == ev.PartnerForbade(C)
