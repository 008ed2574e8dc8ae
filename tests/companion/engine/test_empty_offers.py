"""An offer without events raises an error with the game, the step and the file."""

from __future__ import annotations

import pytest

from companion.bots.bot import RandomPolicy
from companion.bots.simulation import next_event, simulate
from companion.engine import Amounts, Choice, EmptyOffer, Offer, Seat, SeatEvent, Setup, State, Step, filled
from companion.games.examples.twenty_tons.rules import RULES
from companion.games.examples.twenty_tons.steps import Ask, Table, TurnUp, WagonTurned
from companion.match.chance import draw_event
from companion.mechanics.pool import Draw
from companion.ops.game_check.walk import walk

SETUP = Setup(RULES.name, 2)


class Bid(SeatEvent, frozen=True):
    """A seat bid."""

    amount: int


def test_nothing_to_choose_is_told_with_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot and the check of a game report a step without events for a seat."""
    monkeypatch.setattr(Ask, "legal", lambda self, table: (Choice(self.seats[0], ()),))
    asked = State(RULES.begin(SETUP).table, (Ask((Seat(1),)),))
    why = r"^twenty-tons: the step Ask offers seat 2 no event at all: .* \(.*test_empty_offers.py, line \d+\)\.$"
    with pytest.raises(EmptyOffer, match=why):
        RandomPolicy(RULES).look(asked, Seat(1))
    with pytest.raises(EmptyOffer, match="the step Ask offers seat 1 no event"):
        list(walk(RULES))


def test_a_simulation_ends_where_nobody_can_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulation reports a step without events even if the bot would wait."""

    class Waits(RandomPolicy):
        def look(self, state: State[Table], seat: Seat) -> object:
            return (), True

    class Silent(Ask, frozen=True):
        pass

    monkeypatch.setattr(Step, "legal", lambda self, table: (Choice(self.seats[0], ()),))
    monkeypatch.delattr(Ask, "legal")
    asked = State(RULES.begin(SETUP).table, (Silent((Seat(1),)),))
    with pytest.raises(EmptyOffer, match=r"the step Silent offers seat 2 no event at all: .*test_empty_offers\.py"):
        next_event(RULES, asked, [Waits(RULES)] * 2, lambda: 0.0)


def test_a_draw_from_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A draw without events is reported when the companion deals and in a simulation."""
    monkeypatch.setattr(TurnUp, "legal", lambda self, table: (Draw(WagonTurned, (), 1),))
    state = RULES.begin(SETUP)
    for act in (
        lambda: draw_event(RULES, state, "seed", 1),
        lambda: list(simulate(RULES, SETUP, 1, 1, "random")),
    ):
        with pytest.raises(EmptyOffer, match="twenty-tons: the step TurnUp offers chance no WagonTurned at all"):
            act()


def test_a_range_that_ends_before_it_begins_is_empty() -> None:
    """A range of amounts that ends before it begins is an error, and other offers pass unchanged."""
    state = RULES.begin(SETUP)
    good: tuple[Offer, ...] = (Amounts(Seat(0), Bid, 5, 5, 1), Choice(Seat(0), (Bid(Seat(0), 5),)))
    assert filled(RULES, state, good) == good
    with pytest.raises(EmptyOffer, match="offers seat 1 no Bid at all"):
        filled(RULES, state, (Amounts(Seat(0), Bid, 10, 5, 1),))
