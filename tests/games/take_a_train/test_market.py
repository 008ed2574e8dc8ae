"""Test stage two: the market, exchanges, taking, passing and the end of a round (R-59 to R-65a)."""

from __future__ import annotations

import pytest

from companion.games.take_a_train.events import (
    CardsRevealed,
    CostRead,
    Exchanged,
    Reshuffled,
    RoundEnded,
    Took,
    TurnPassed,
)
from companion.games.take_a_train.steps.market import RevealCards
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.wagons import Act
from tests.games.take_a_train.build import (
    REST,
    A,
    B,
    C,
    accepted,
    after,
    at,
    head,
    loads,
    offered,
    table,
    turn,
    why,
)
from tests.games.take_a_train.proofs import proves

LOADED = (("s300: food-50", "d300: coal-200", "-"), ("s300", "d300", "-"), ("s300", "d300", "-"))
FOUR_COALS = (("s300x2: coal-50 coal-50 coal-50 coal-50", "d300", "-"), ("s300", "d300", "-"))


@proves("R-59")
@pytest.mark.parametrize(("players", "size"), [(2, 3), (3, 3), (4, 4), (5, 4), (6, 5)])
def test_the_market_is_laid_out(players: int, size: int) -> None:
    """The market gets the right number of cards in slot order, and then token 1 is on turn."""
    state = at(table(players, owned=(("s100", "-", "-"),) * players), *REST)
    assert head(state) == RevealCards(tuple(range(size)))
    cards = ("food-50", "food-100", "coal-100", "coal-150", "oil-150")[:size]
    assert why(state, CardsRevealed(cards[:-1])) == ("R-59", "wrong_card_count", None)
    state = after(state, CardsRevealed(cards))
    assert state.table.market == cards
    assert head(state) == Act(0)


@proves("R-60")
def test_a_turn_is_taking_or_passing() -> None:
    """Taking a card ends the turn, so an exchange afterwards is refused."""
    state = after(turn("food-50", "coal-200", "oil-150"), Took(A, 0, 0), CardsRevealed(("food-100",)))
    assert head(state) == Act(1)
    assert why(state, Exchanged(A, (0,))) == ("R-60", "exchange_after_action", None)
    assert why(state, Exchanged(C, (0,))) == ("R-00", "not_your_turn", None)
    assert why(state, Took(A, 0, 0)) == ("R-00", "not_your_turn", None)
    assert why(state, TurnPassed(A)) == ("R-00", "not_your_turn", None)


@proves("R-60", "R-61", "T-40", "exchanges_per_turn=1")
def test_one_exchange_in_a_turn() -> None:
    """A second exchange in a turn is refused, but the seat may still take or pass."""
    state = after(turn("food-50", "coal-200", "oil-150"), Exchanged(A, (0,)), CardsRevealed(("food-100",)))
    assert why(state, Exchanged(A, (1,))) == ("R-60", "already_exchanged", None)
    assert accepted(state, Took(A, 0, 0))
    assert accepted(state, TurnPassed(A))


@proves("exchanges_per_turn=unlimited", "T-40")
def test_any_number_of_exchanges_may_be_allowed() -> None:
    """Under `unlimited`, a second exchange is accepted and charged again."""
    state = turn("food-50", "coal-200", "oil-150", options={"exchanges_per_turn": "unlimited"})
    state = after(state, Exchanged(A, (0,)), CardsRevealed(("food-100",)), Exchanged(A, (1,)))
    assert state.table.cash[A] == 5000 - 2 * 600


@proves("R-61", "T-41")
def test_one_price_for_any_number_of_cards() -> None:
    """One exchange of three cards costs a single price, and the seat pays before it sees the new cards."""
    state = after(turn("food-50", "coal-200", "oil-150", position=1), Exchanged(B, (0, 1, 2)))
    assert state.table.cash[B] == 4500
    assert state.table.discard == ("food-50", "coal-200", "oil-150")
    assert head(state) == RevealCards((0, 1, 2))
    state = after(state, CardsRevealed(("food-100", "food-150", "food-200")))
    assert state.table.market == ("food-100", "food-150", "food-200")
    assert head(state) == Act(1, 0, 1)


@proves("R-61", "E-12")
def test_exchanges_that_cannot_be() -> None:
    """An exchange needs different filled slots and enough money, and only the seat learns that its money is short."""
    state = turn("food-50", None, "oil-150", cash=(550, 5000, 5000))
    assert why(state, Exchanged(A, ())) == ("R-61", "empty_selection", None)
    assert why(state, Exchanged(A, (1,))) == ("R-61", "slot_empty", None)
    assert why(state, Exchanged(A, (7,))) == ("R-61", "slot_empty", None)
    assert why(state, Exchanged(A, (0, 0))) == ("R-61", "slot_empty", None)
    assert why(state, Exchanged(A, (0,))) == ("R-61", "cannot_afford_exchange", A)
    assert why(state, CostRead(1, 500)) == ("R-58", "cost_known", None)
    assert why(state, CostRead(1, 5050)) == ("R-58", "bad_price", None)


@proves("R-62")
def test_a_wagon_is_taken_and_the_slot_refilled() -> None:
    """A taken wagon goes to an own locomotive, and the slot is refilled."""
    state = after(turn("food-50", "coal-200", "oil-150"), Took(A, 1, 0))
    assert loads(state, A)[0] == ("coal-200",)
    assert head(state) == RevealCards((1,))
    state = after(state, CardsRevealed(("food-100",)))
    assert state.table.market == ("food-50", "food-100", "oil-150")
    assert head(state) == Act(1)


@proves("R-62")
def test_only_what_lies_there_goes_only_where_it_can() -> None:
    """Taking from an empty slot or onto an unknown locomotive is refused."""
    state = turn("food-50", None, "oil-150")
    assert why(state, Took(A, 1, 0)) == ("R-62", "slot_empty", None)
    assert why(state, Took(A, -1, 0)) == ("R-62", "slot_empty", None)
    assert why(state, Took(A, 0, 3)) == ("R-62", "no_such_train", None)
    assert why(state, Took(A, 0)) == ("R-62", "no_such_train", None)


@proves("R-63", "T-39")
def test_one_type_for_each_locomotive() -> None:
    """A train takes only one type, and no other train of the seat may have that type, replacements included."""
    state = turn("coal-150", "food-100", "oil-150", owned=LOADED)
    assert why(state, Took(A, 0, 0)) == ("R-63", "type_mismatch", None)
    assert why(state, Took(A, 1, 2)) == ("R-63", "type_used_elsewhere", None)
    assert why(state, Took(A, 0, 2)) == ("R-63", "type_used_elsewhere", None)
    takes = [e for e in offered(state, A) if isinstance(e, Took)]
    assert takes == [Took(A, 0, 1), Took(A, 1, 0), Took(A, 2, 2)]


@proves("R-64", "T-51")
def test_all_passing_in_a_row_ends_the_round() -> None:
    """The round ends only after all seats passed in a row."""
    state = after(turn("food-50", "coal-200", "oil-150"), TurnPassed(A), TurnPassed(B), Took(C, 0, 0))
    state = after(state, CardsRevealed(("food-100",)), TurnPassed(A), TurnPassed(B))
    assert head(state) == Act(2, 2)
    state = after(state, TurnPassed(C))
    assert RoundEnded("passed", None) in state.effects
    assert head(state) == DrawToken(B)


@proves("R-64", "R-60", "T-52")
def test_exchange_and_pass_is_a_pass() -> None:
    """A seat that exchanges and then passes counts as having passed."""
    state = turn("food-50", "coal-200", "oil-150", position=2, passes=2)
    state = after(state, Exchanged(C, (0,)), CardsRevealed(("food-100",)), TurnPassed(C))
    assert RoundEnded("passed", None) in state.effects


@proves("R-65")
def test_a_fifth_wagon_ends_the_round_at_once() -> None:
    """After a fifth wagon the round ends at once, everybody is paid, and nobody can act."""
    state = turn("coal-50", "food-50", "food-100", players=2, owned=FOUR_COALS)
    state = after(state, Took(A, 0, 0))
    assert RoundEnded("full", A) in state.effects
    assert state.table.market == (None, "food-50", "food-100")
    assert state.table.cash == (5500, 5000)
    assert why(state, Took(B, 1, 0)) == ("R-65", "round_over", None)
    assert why(state, Exchanged(B, (1,))) == ("R-65", "round_over", None)
    assert why(state, TurnPassed(B)) == ("R-65", "round_over", None)


@proves("R-65", "R-67b", "T-45")
def test_unrevealed_longer_stock_changes_nothing() -> None:
    """Longer stock that is still in the deck does not prevent a fifth wagon from ending the round."""
    state = turn("coal-50", "food-50", "food-100", players=2, owned=FOUR_COALS, wagons=("longer",))
    state = after(state, Took(A, 0, 0))
    assert RoundEnded("full", A) in state.effects
    assert state.table.boxed == ()


@proves("R-65", "R-67b", "T-46")
def test_longer_stock_asks_for_six() -> None:
    """With Longer stock revealed, the round ends only with a sixth wagon."""
    state = turn("coal-50", "coal-50", "food-100", players=2, owned=FOUR_COALS, longer=True)
    state = after(state, Took(A, 0, 0), CardsRevealed(("food-50",)), TurnPassed(B))
    state = after(state, Took(A, 1, 0))
    assert RoundEnded("full", A) in state.effects
    assert len(loads(state, A)[0]) == 6


@proves("R-65a")
def test_an_empty_deck_is_reshuffled() -> None:
    """When the deck runs out, the discard pile becomes the deck."""
    state = turn("food-50", "coal-200", None, players=2, wagons=("food-100",), discard=("oil-150", "oil-200"))
    state = after(state, Exchanged(A, (0, 1)))
    assert why(state, CardsRevealed(("oil-150", "food-100"))) == ("R-02", "card_over_count", None)
    state = after(state, CardsRevealed(("food-100", "oil-150")))
    assert state.effects == (Reshuffled("wagons", 4),)
    assert sorted(state.table.wagons) == ["coal-200", "food-50", "oil-200"]
    assert state.table.discard == ()


@proves("R-65a", "T-53")
def test_with_no_card_anywhere_the_slot_stays_empty() -> None:
    """If both the deck and the discard pile are empty, a slot stays empty."""
    state = after(turn("food-50", "coal-200", players=2, wagons=()), Took(A, 0, 0))
    assert head(state) == Act(1)
    assert why(state, Took(B, 0, 0)) == ("R-62", "slot_empty", None)
    empty = turn(None, None, None, players=2, wagons=())
    assert offered(empty, A) == [TurnPassed(A)], "with nothing to take all pass"
