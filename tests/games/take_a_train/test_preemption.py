"""Test Preemption: fists, order, choice and price (R-40 to R-45)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Event, Seat, State, legal
from companion.games.take_a_train.events import (
    BidsRevealed,
    CashCorrected,
    Committed,
    LocoChosen,
    LocosRevealed,
    Replaced,
    StarterNamed,
    TieOrdered,
    TokenDrawn,
)
from companion.games.take_a_train.steps.preemption import OrderTie
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.table import Table
from tests.games.take_a_train.build import (
    GAME,
    REST,
    A,
    B,
    C,
    accepted,
    after,
    at,
    head,
    names,
    new,
    offered,
    payments,
    table,
    why,
)
from tests.games.take_a_train.proofs import proves

CARDS = ("s900", "s300", "s100")
BIDS = (500, 500, 0)


def fists(beginner: Seat = A, deck: tuple[str, ...] = CARDS, **fields: Any) -> State[Table]:
    """Return the last part of Preemption, with empty fists and three cards face down."""
    owned = (("s100", "s100"),) * 3
    given = table(kind="preemption", owned=owned, deck=deck, used=("preemption",), **fields)
    return at(given, Fists("preemption", beginner, (A, B, C), (None,) * 3), *REST)


def filled(bids: tuple[int, ...] = BIDS, **fields: Any) -> State[Table]:
    """Return the state after all fists were opened."""
    return after(fists(**fields), *[Committed(Seat(s), bid) for s, bid in enumerate(bids)])


def b_first(**fields: Any) -> State[Table]:
    """Return the acceptance lot: A and B bid 500, C bids 0, A puts B first, and 900, 300 and 100 are revealed."""
    return after(filled(**fields), TieOrdered(A, (B, A)), LocosRevealed(CARDS))


@proves("R-40", "T-26", "F-5")
def test_three_parts_with_beginners_to_the_left() -> None:
    """Each of the three parts reveals one card per seat, the next seat begins, and nothing is reshuffled."""
    state = after(new(3), StarterNamed(A), TokenDrawn("preemption"))
    for beginner in (A, B, C):
        assert head(state) == Fists("preemption", beginner, (A, B, C), (None,) * 3)
        state = after(state, Committed(A, 100), Committed(B, 50), Committed(C, 0))
        assert head(state) == RevealLocos(3)
        cards = state.table.pool[:3]
        state = after(state, LocosRevealed(cards))
        for seat, card in zip((A, B, C), cards, strict=True):
            state = after(state, LocoChosen(seat, card))
    assert [len(own) for own in state.table.trains] == [3, 3, 3]
    assert len(state.table.order) == 3


@proves("R-41", "T-25")
def test_everybody_may_bid_nothing() -> None:
    """If all bid 0, the beginner orders all seats, and every locomotive costs its power."""
    state = filled((0, 0, 0))
    assert head(state).tied == (A, B, C)  # type: ignore[attr-defined]
    state = after(state, TieOrdered(A, (C, B, A)), LocosRevealed(CARDS))
    state = after(state, LocoChosen(C, "s900"), LocoChosen(B, "s300"), LocoChosen(A, "s100"))
    assert state.table.cash == (4900, 4700, 4100)


@proves("R-42", "R-23")
def test_the_beginner_orders_each_tie() -> None:
    """The beginner orders exactly the tied seats."""
    state = filled()
    assert head(state) == OrderTie(A, BIDS, ((A, B), (C,)), 0)
    assert why(state, TieOrdered(A, (A, C))) == ("R-42", "not_permutation_of_tie", None)
    assert why(state, TieOrdered(A, (A,))) == ("R-42", "not_permutation_of_tie", None)
    assert why(state, TieOrdered(B, (B, A))) == ("R-23", "not_beginner", None)
    assert why(state, Committed(C, 50)) == ("R-30", "commit_locked", None)
    assert set(offered(state, A)) == {TieOrdered(A, (A, B)), TieOrdered(A, (B, A))}


@proves("R-42")
def test_ties_are_ordered_before_the_cards_are_seen() -> None:
    """The cards are revealed only after the ties are ordered."""
    state = filled()
    assert state.table.revealed == ()
    assert head(after(state, TieOrdered(A, (B, A)))) == RevealLocos(3)


@proves("R-43")
def test_the_highest_fist_chooses_first() -> None:
    """The highest bid chooses first, and the others choose in order from the remaining cards."""
    state = filled((100, 700, 400))
    state = after(state, LocosRevealed(CARDS))
    assert why(state, LocoChosen(A, "s900")) == ("R-00", "not_your_turn", None)
    state = after(state, LocoChosen(B, "s300"))
    assert why(state, LocoChosen(C, "s300")) == ("R-43", "already_taken", None)
    assert offered(state, C) == [LocoChosen(C, "s900"), LocoChosen(C, "s100")]


@proves("R-44", "T-22", "preemption_payment=bid_plus_power", "edition=en")
def test_bid_and_power_are_paid() -> None:
    """In the English edition, each seat pays its bid and the power."""
    state = after(b_first(), LocoChosen(B, "s900"))
    assert payments(state) == [(B, -1400, "locomotive")]
    state = after(state, LocoChosen(A, "s300"))
    assert payments(state) == [(A, -800, "locomotive")]
    state = after(state, LocoChosen(C, "s100"))
    assert state.table.cash == (4200, 3600, 4900)


@proves("R-44", "T-22", "preemption_payment=bid_only", "edition=fr")
@pytest.mark.parametrize("options", [{"edition": "fr"}, {"preemption_payment": "bid_only"}])
def test_only_the_bid_is_paid(options: dict[str, Any]) -> None:
    """In the French edition, each seat pays only its bid."""
    state = after(b_first(options=options), LocoChosen(B, "s900"), LocoChosen(A, "s300"), LocoChosen(C, "s100"))
    assert state.table.cash == (4500, 4500, 5000)


@proves("R-45", "T-23")
def test_a_seat_chooses_what_it_can_pay() -> None:
    """A seat cannot choose a locomotive above its cash, and only that seat learns why."""
    state = after(filled(cash=(5000, 700, 5000)), TieOrdered(A, (A, B)), LocosRevealed(CARDS), LocoChosen(A, "s900"))
    assert why(state, LocoChosen(B, "s300")) == ("R-45", "cannot_afford_choice", B)
    state = after(state, LocoChosen(B, "s100"))
    assert state.table.cash[B] == 100


@proves("R-45", "R-21", "T-24")
def test_a_seat_that_can_pay_for_none_is_skipped() -> None:
    """A seat that cannot pay for any remaining card pays nothing, and the last card becomes its replacement."""
    state = after(filled((600, 500, 550), cash=(5000, 700, 5000)), LocosRevealed(CARDS))
    state = after(state, LocoChosen(A, "s900"), LocoChosen(C, "s100"))
    assert state.table.cash[B] == 700
    assert names(state, B) == ("s100", "s100", "-")
    assert Replaced(B, 1) in state.effects


@proves("R-41", "R-16", "bid_channel=hand")
def test_preemption_by_hand() -> None:
    """Real fists are entered together, and none may exceed its seat's cash."""
    state = fists(options={"bid_channel": "hand"}, cash=(5000, 400, 5000))
    assert why(state, BidsRevealed((0, 450, 0))) == ("R-16", "ledger_mismatch", B)
    assert why(fists(cash=(5000, 400, 5000)), Committed(B, 450)) == ("R-16", "bid_exceeds_cash", B)
    assert head(after(state, BidsRevealed((100, 400, 0)))) == RevealLocos(3)


@proves("R-05", "R-16")
def test_a_fist_stays_promised_while_the_cards_are_turned_up() -> None:
    """While the cards are revealed, a correction cannot reduce a seat's cash below its open fist."""
    state = after(filled(), TieOrdered(A, (B, A)))
    assert head(state) == RevealLocos(3)
    assert why(state, CashCorrected(A, 450)) == ("R-16", "promised_more", A)
    assert accepted(state, CashCorrected(A, 500))


@proves("R-05", "R-44")
def test_a_correction_leaves_enough_for_the_choice() -> None:
    """While a seat chooses, a correction cannot reduce its cash below the cheapest choice."""
    state = b_first()
    assert why(state, CashCorrected(B, 550)) == ("R-16", "promised_more", B)
    assert accepted(state, CashCorrected(B, 600))
    assert why(state, CashCorrected(A, 450)) == ("R-16", "promised_more", A)


@proves("R-40", "R-42")
def test_everybody_sees_who_begins_each_part() -> None:
    """Throughout a part, the view names the beginner of that part, not the starter or the choosing seat."""
    state = after(new(3), StarterNamed(C), TokenDrawn("preemption"))
    seen: set[tuple[int, str]] = set()
    while not state.table.order:
        step, part = head(state), 2 - sum(isinstance(each, Fists) for each in state.agenda[1:])
        lot = GAME.view(state, None).lot
        assert lot is not None
        assert lot.beginner == (C + part) % 3, step
        seen.add((part, type(step).__name__))
        event: Event = legal(GAME, state)[0].pick(lambda: 0.0)
        if isinstance(step, Fists):
            event = Committed(next(Seat(s) for s, amount in enumerate(step.amounts) if amount is None), 100)
        state = after(state, event)
    assert seen == {(part, name) for part in range(3) for name in ("Fists", "OrderTie", "RevealLocos", "Choose")}
