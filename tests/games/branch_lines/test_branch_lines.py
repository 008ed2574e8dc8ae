"""Test Branch Lines, the example of an auction in turn."""

from __future__ import annotations

import pytest

from companion.bots.simulation import simulate
from companion.engine import Layout, Seat, Setup, Spot, State
from companion.games.examples.branch_lines.rules import COINS, LINES, RULES, Bid, LineSold, LineTurned, Passed, Table
from tests.games.playing import Playing
from tests.games.proofs import proves

PLAYING: Playing[Table] = Playing(RULES)
A, B, C = Seat(0), Seat(1), Seat(2)
after, why = PLAYING.after, PLAYING.why


def begun(*lines: int) -> State[Table]:
    """Return a game of three. Nobody bought any of these lines except the last, which is for sale."""
    state = RULES.begin(Setup(RULES.name, 3, deck="ours"))
    for line in lines[:-1]:
        state = after(state, LineTurned(f"line-{line}"), Passed(A), Passed(B), Passed(C))
    return after(state, LineTurned(f"line-{lines[-1]}"))


@proves("R-01", "R-02")
def test_a_line_turns_up_once() -> None:
    """A game has twelve lines, and each seat starts with thirty coins."""
    state = begun(7, 9)
    assert state.table.coins == (COINS,) * 3 and len(state.table.pile) == len(LINES) - 2
    sold = after(state, Passed(A), Passed(B), Passed(C))
    assert why(sold, LineTurned("line-7")) == ("R-00", "card_not_offered", None)


@proves("R-03")
def test_each_bids_more_and_no_more_than_its_coins() -> None:
    """A seat that passes is out of the auction, and only the seat on turn may bid."""
    state = after(begun(14), Bid(A, 5))
    for amount in (5, COINS + 1):
        assert why(state, Bid(B, amount)) == ("R-00", "amount_out_of_range", B)
    assert why(state, Bid(C, 6)) == ("R-00", "not_your_turn", None)
    state = after(state, Passed(B), Bid(C, 30))
    assert why(state, Bid(A, 31)) == ("R-00", "cannot_pay", A)
    assert next(fact.key for fact in RULES.view(state, B).facts) == "leads"


@proves("R-04")
def test_the_last_one_pays_and_its_left_speaks_next() -> None:
    """If all pass, the line leaves the game and the same seat bids first again."""
    state = after(begun(14), Bid(A, 5), Bid(B, 8), Passed(C), Passed(A))
    assert state.table.coins == (30, 22, 30) and state.table.won == ((), ("line-14",), ())
    assert state.effects == (LineSold(B, "line-14", 8),)
    assert after(state, LineTurned("line-3")).agenda[0].awaits(state.table) == (C,)
    assert begun(14, 3).agenda[0].awaits(begun(14, 3).table) == (A,)


@proves("R-05")
def test_lines_and_coins_count() -> None:
    """Three coins score one point, and left-over coins score nothing."""
    state = after(begun(14), Bid(A, 1), Passed(B), Passed(C))
    assert RULES.scores(state) == (14 + 9, 10, 10)


def test_everybody_s_lines_lie_there() -> None:
    """The layout shows all the lines that a seat has bought, not only the last one."""
    state = after(begun(14), Bid(A, 5), Passed(B), Passed(C))
    state = after(state, LineTurned("line-3"), Passed(B), Passed(C), Bid(A, 1))
    assert RULES.layout(state).spot("seat.1.lines") == Spot(("line-14", "line-3"))


def test_a_camera_sees_the_line_for_sale() -> None:
    """The camera detects the line for sale. It never detects bids, which are spoken."""
    state = RULES.begin(Setup(RULES.name, 2, deck="ours"))
    said = RULES.layout(state)
    seen = Layout({**said.spots, "sale": Spot(("line-8",))})
    assert list(RULES.candidate_events(state, said, seen)) == [LineTurned("line-8")]


@pytest.mark.parametrize("players", RULES.seats)
def test_games_are_simulated(players: int) -> None:
    """The same seed produces the same game, and every game has a winner."""
    results = list(simulate(RULES, Setup(RULES.name, players), 5, 1))
    assert results == list(simulate(RULES, Setup(RULES.name, players), 5, 1))
    assert all(result.winners for result in results)
