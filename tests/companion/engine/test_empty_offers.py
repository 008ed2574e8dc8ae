"""An offer without events raises an error that names the game, the step and the file."""

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
    """Bots, the check of a game and a simulation name game, step, seat, and the line to open."""
    monkeypatch.setattr(Ask, "legal", lambda self, table: (Choice(self.seats[0], ()),))
    asked = State(RULES.begin(SETUP).table, (Ask((Seat(1),)),))
    why = r"^twenty-tons: the step Ask offers seat 2 no event at all: .* \(.*test_empty_offers.py, line \d+\)\.$"
    with pytest.raises(EmptyOffer, match=why):
        RandomPolicy(RULES).look(asked, Seat(1))
    with pytest.raises(EmptyOffer, match="the step Ask offers seat 1 no event"):
        list(walk(RULES))


def test_a_simulation_ends_where_nobody_can_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that finds no offers reports that it would wait forever; the game's own file is named."""

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
    """It works if the companion deals, and in a simulation."""
    monkeypatch.setattr(TurnUp, "legal", lambda self, table: (Draw(WagonTurned, (), 1),))
    state = RULES.begin(SETUP)
    for act in (
        lambda: draw_event(RULES, state, "seed", 1),
        lambda: list(simulate(RULES, SETUP, 1, 1, "random")),
    ):
        with pytest.raises(EmptyOffer, match="twenty-tons: the step TurnUp offers chance no WagonTurned at all"):
            act()


def test_a_range_that_ends_before_it_begins_is_empty() -> None:
    """An empty range of amounts is no offer; any other is passed on."""
    state = RULES.begin(SETUP)
    good: tuple[Offer, ...] = (Amounts(Seat(0), Bid, 5, 5, 1), Choice(Seat(0), (Bid(Seat(0), 5),)))
    assert filled(RULES, state, good) == good
    with pytest.raises(EmptyOffer, match="offers seat 1 no Bid at all"):
        filled(RULES, state, (Amounts(Seat(0), Bid, 10, 5, 1),))
