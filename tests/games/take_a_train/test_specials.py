"""Test the special cards Bin, Longer stock, Multiplier +1, Bonus and Twin (R-67a to R-67f)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import State
from companion.games.take_a_train.events import (
    BinCleared,
    CardsRevealed,
    Exchanged,
    RoundEnded,
    StockLengthened,
    Took,
    TurnPassed,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.steps.market import RevealCards
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import Table, Train, profit
from tests.games.take_a_train.build import (
    REST,
    A,
    B,
    accepted,
    after,
    at,
    head,
    loads,
    offered,
    payments,
    table,
    train,
    turn,
    why,
)
from tests.games.take_a_train.proofs import proves

DECK = ("bin", "longer", "food-50", "food-100", "coal-100", "coal-150", "coal-200", "twin")


def opened(*cards: str, wagons: tuple[str, ...] = DECK, **fields: Any) -> State[Table]:
    """Return the state after these cards were revealed for the market."""
    given = table(3, owned=(("s100", "-", "-"),) * 3, market=(None, None, None), wagons=wagons, order=(0, 1, 2))
    return after(at(given, RevealCards((0, 1, 2)), Act(0)), CardsRevealed(cards))


@proves("R-67a", "T-42")
def test_the_bin_in_an_exchange() -> None:
    """A Bin revealed in an exchange discards the market, and the seat pays nothing more for the new cards."""
    state = after(turn("oil-150", "oil-200", "oil-250", wagons=DECK), Exchanged(A, (0, 1, 2)))
    cash = state.table.cash
    state = after(state, CardsRevealed(("food-50", "bin", "coal-100")))
    assert state.effects == (BinCleared(("food-50",)),)
    assert state.table.market == ("coal-100", None, None)
    assert head(state) == RevealCards((1, 2))
    state = after(state, CardsRevealed(("coal-150", "coal-200")))
    assert state.table.market == ("coal-100", "coal-150", "coal-200")
    assert (state.table.boxed, state.table.cash) == (("bin",), cash)
    assert head(state) == Act(0, 0, 1), "the player who paid for the exchange goes on"
    assert "bin" not in state.table.wagons + state.table.discard


@proves("R-67a", "T-43", "F-10")
def test_the_bin_in_the_set_up() -> None:
    """A Bin revealed during the first fill discards the cards before it, and nobody pays."""
    state = opened("food-50", "bin", "coal-100")
    assert state.table.market == ("coal-100", None, None)
    assert state.table.discard == ("food-50",)
    state = after(state, CardsRevealed(("coal-150", "coal-200")))
    assert state.table.cash == (5000, 5000, 5000)
    assert head(state) == Act(0)


@proves("R-67a", "R-67b", "T-44")
def test_longer_stock_in_the_bins_refill() -> None:
    """Longer stock revealed in a refill after the Bin sets the limit to six, and its slot is refilled."""
    state = after(opened("food-50", "coal-100", "bin"), CardsRevealed(("longer", "food-100", "coal-150")))
    assert state.effects == (StockLengthened(6),)
    assert (state.table.market, state.table.longer) == (("food-100", "coal-150", None), True)
    assert head(state) == RevealCards((2,))


@proves("R-67a")
def test_the_bin_takes_specials_with_it() -> None:
    """The Bin also discards a Twin that lies in the market."""
    state = opened("twin", "food-50", "bin")
    assert state.table.discard == ("twin", "food-50")


@proves("R-67b")
def test_longer_stocks_slot_is_refilled_at_once() -> None:
    """Longer stock leaves the game, and the next card takes its slot."""
    state = after(turn("food-50", "coal-100", "coal-150", wagons=DECK), Took(A, 0, 0), CardsRevealed(("longer",)))
    assert (state.table.longer, state.table.boxed) == (True, ("longer",))
    assert head(state) == RevealCards((0,))
    state = after(state, CardsRevealed(("food-100",)))
    assert state.table.market == ("food-100", "coal-100", "coal-150")
    assert head(state) == Act(1)


@proves("R-67b", "R-67a")
def test_bin_and_longer_stock_cannot_be_taken() -> None:
    """Bin and Longer stock act when revealed, so they never lie in the market."""
    state = turn("food-50", "coal-100", "coal-150", wagons=DECK)
    for card in ("bin", "longer"):
        seen = after(state, Took(A, 0, 0), CardsRevealed((card,)))
        assert card not in seen.table.market


@proves("R-67c", "X-2", "T-47")
def test_a_multiplier_beside_a_train() -> None:
    """Multiplier +1 raises the profit from 2,550 to 3,400 and does not count as a wagon."""
    owned = (("s300x3: coal-200 coal-200 coal-150 coal-150", "d300", "-"), ("s300", "d300", "-"))
    state = turn("multiplier", "coal-150", "food-50", players=2, owned=owned, wagons=("food-100", "food-100"))
    assert accepted(state, Took(A, 0, 1)), "a locomotive without wagons may be chosen too"
    state = after(state, Took(A, 0, 0), CardsRevealed(("food-100",)), TurnPassed(B))
    assert len(loads(state, A)[0]) == 4
    state = after(state, Took(A, 1, 0))
    assert payments(state)[0] == (A, 3400, "profit")


@proves("R-67c", "T-47")
def test_a_multiplier_on_a_replacement_has_no_effect() -> None:
    """A Multiplier +1 may lie on a replacement, but does not change its profit."""
    state = turn("multiplier", "coal-150", "food-50", players=2, owned=(("s300", "-: food-50", "-"), ("-", "-", "-")))
    state = after(state, Took(A, 0, 1))
    own: Train = state.table.trains[A][1]
    assert (own.boosted, profit(own)) == (True, 50)


@proves("R-67d", "T-50")
def test_the_bonus_pays_600() -> None:
    """The Bonus pays 600 at once and is discarded, and the turn ends."""
    state = turn("bonus", "coal-150", "food-50")
    assert why(state, Took(A, 0, 0)) == ("R-67d", "bonus_needs_no_train", None)
    state = after(state, Took(A, 0))
    assert payments(state) == [(A, 600, "bonus")]
    assert state.table.discard == ("bonus",)
    assert loads(state, A) == [(), (), ()]
    assert state.agenda[:2] == (RevealCards((0,)), Act(1))


@proves("R-67d", "R-65a")
def test_a_bonus_alone_is_not_reshuffled() -> None:
    """A Bonus that is the only card left is not reshuffled when taken, so it does not return endlessly."""
    state = after(turn("bonus", players=2, wagons=()), Took(A, 0))
    assert (state.table.market, state.table.discard) == ((None,), ("bonus",))
    assert offered(state, B) == [TurnPassed(B)]
    ended = after(state, TurnPassed(B), TurnPassed(A))
    assert isinstance(ended.effects[0], RoundEnded)
    assert ended.table.cash == (5600, 5000)


@proves("R-67d", "R-65a")
def test_a_reshuffle_brings_the_bonus_back() -> None:
    """With other discards, the Bonus is reshuffled too."""
    state = after(turn("bonus", "coal-50", players=2, wagons=("oil-50",)), Took(A, 0), CardsRevealed(("oil-50",)))
    state = after(state, Exchanged(B, (0, 1)))
    assert accepted(state, CardsRevealed(("bonus", "coal-50")))


@proves("R-67e", "T-48", "edition=en")
def test_twin_copies_the_last_wagon() -> None:
    """In the English edition, Twin copies the wagon before it."""
    state = turn("twin", players=2, owned=(("d300x2: coal-200 coal-150", "s300", "-"), ("-", "-", "-")))
    state = after(state, Took(A, 0, 0))
    assert loads(state, A)[0] == ("coal-200", "coal-150", "coal-150")
    assert [w.twin for w in state.table.trains[A][0].wagons] == [False, False, True]
    assert profit(train("d300x2: coal-200 coal-150 twin:coal-150 coal-100")) == 1200


@proves("R-67e", "T-48", "edition=fr")
def test_twin_copies_the_first_wagon() -> None:
    """In the French edition, Twin copies the first wagon."""
    owned = (("d300x2: coal-200 coal-150", "s300", "-"), ("-", "-", "-"))
    state = turn("twin", "coal-100", "food-50", players=2, owned=owned, options={"edition": "fr"})
    state = after(state, Took(A, 0, 0), CardsRevealed(("food-50",)), TurnPassed(B), Took(A, 1, 0))
    assert loads(state, A)[0] == ("coal-200", "coal-200", "coal-150", "coal-100")
    assert profit(state.table.trains[A][0]) == 1300


@proves("R-67e", "R-65", "T-49")
def test_twin_counts_as_a_wagon() -> None:
    """Twin counts as the fifth wagon, and is refused on a locomotive without wagons."""
    owned = (("d300x2: coal-50 coal-50 coal-50 coal-50", "s300", "-"), ("-", "-", "-"))
    state = turn("twin", players=2, owned=owned)
    assert why(state, Took(A, 0, 1)) == ("R-67e", "twin_needs_wagon", None)
    state = after(state, Took(A, 0, 0))
    assert RoundEnded("full", A) in state.effects


@proves("T-56", "R-67e")
def test_twin_counts_for_purposes() -> None:
    """Twin counts as a wagon of its type for purposes."""
    owned = (("d300x2: coal-50 coal-50", "s300", "-"), ("-", "-", "-"))
    state = after(turn("twin", players=2, owned=owned), Took(A, 0, 0))
    assert state.table.met[A] & bit("P-9")


@proves("R-67f")
@pytest.mark.parametrize(("card", "onto"), [("multiplier", 0), ("bonus", None), ("twin", 0)])
def test_taking_a_special_meets_a_purpose(card: str, onto: int | None) -> None:
    """Taking Multiplier, Bonus or Twin fulfils P-2, and the card returns to the deck next round."""
    state = turn(card, players=2, owned=(("d300x2: coal-50", "s300", "-"), ("-", "-", "-")))
    assert not state.table.met[A]
    state = after(state, Took(A, 0, onto))
    assert state.table.met[A] & bit("P-2")
    opened_again = at(table(2, owned=(("s100", "-", "-"),) * 2, boxed=state.table.boxed), REST[2])
    assert card in opened_again.table.wagons


@proves("R-67e", "R-67c")
def test_where_specials_may_go() -> None:
    """Multiplier goes to any locomotive, Twin to loaded ones, and Bonus to none."""
    owned = (("d300x2: coal-50", "s300", "-"), ("-", "-", "-"))
    state = turn("multiplier", "twin", "bonus", players=2, owned=owned)
    takes = [(e.slot, e.train) for e in offered(state, A) if isinstance(e, Took)]
    assert takes == [(0, 0), (0, 1), (0, 2), (1, 0), (2, None)]
