"""A beginner that could not pay and was skipped may bid once its money has changed (R-18)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import Event, Seat, State, follow
from companion.games.take_a_train.events import (
    Bid,
    CashCorrected,
    Claimed,
    Committed,
    FistsOpened,
    LocosRevealed,
    NoSale,
    Opened,
    OpeningDeclined,
    Passed,
    Raised,
    Sold,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.steps.lots import NextLot
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.spoken_auctions import Bidding, Opening
from companion.games.take_a_train.table import Table
from tests.games.take_a_train.build import GAME, A, B, C, accepted, after, head, names, offered, sale, why
from tests.games.take_a_train.proofs import proves

CLAIM = Claimed(A, "P-4")
"""A claims the first player's purpose and receives 300."""
DECK = tuple(f"s100{x}" for x in "abcdefgh")


def broke(kind: str, players: int = 3, cash: int = 250, **options: str) -> State[Table]:
    """Return a lot of power 300 whose beginner A cannot pay, but can claim a purpose worth 300."""
    money = (cash, *(5000,) * (players - 1))
    fields: dict[str, Any] = {"met": (bit("P-4"), *(0,) * (players - 1)), "ripe": True}
    return sale(kind, "s300", players=players, cash=money, options=options, deck=DECK[: 3 * players - 1], **fields)


def said(state: State[Table], seat: Seat) -> set[str]:
    """Return the names of the events that a seat may cause now."""
    return {type(event).__name__ for event in offered(state, seat)}


def amounts(state: State[Table], seat: Seat) -> list[int]:
    """Return the amounts that a seat may put into its fist."""
    return [event.amount for event in offered(state, seat) if isinstance(event, Committed)]


# --- Pass -----------------------------------------------------------------------------------------


@proves("R-18", "R-28")
@pytest.mark.parametrize("moment", ["before the opening", "after the opening"])
def test_in_pass_a_claim_lets_the_beginner_bid(moment: str) -> None:
    """A beginner that claims before or after the opening is asked in its turn, and can bid and buy."""
    events: list[Event] = [Opened(B, 300), Bid(C, 350)]
    events.insert(0 if moment == "before the opening" else 1, CLAIM)
    state = after(broke("pass"), *events)
    assert head(state) == Bidding("s300", A, 350, C, (A, B, C), 250)
    assert GAME.view(state, None).seats[A].passed is False
    assert why(state, Bid(A, 600)) == ("R-16", "bid_exceeds_cash", A)
    state = after(state, Bid(A, 550), Passed(B), Passed(C))
    assert (names(state, A), state.table.cash) == (("s300",), (0, 5000, 5000))


@proves("R-18", "R-28")
def test_in_pass_a_beginner_whose_money_is_the_same_is_passed_over() -> None:
    """A beginner whose money has not changed is skipped, but does not count as having passed."""
    state = after(broke("pass"), Opened(B, 300), Bid(C, 350))
    assert head(state) == Bidding("s300", A, 350, C, (B, C, A), 250)
    assert GAME.view(state, None).seats[A].passed is False
    assert why(state, Passed(A)) == ("R-00", "not_your_turn", None)
    assert Sold(C, "s300", 350) in after(state, Passed(B)).effects


@proves("R-18", "R-28")
def test_in_pass_a_claim_in_the_last_moment_is_in_time() -> None:
    """A beginner that claims before the last pass is asked before the card is sold."""
    state = after(broke("pass"), Opened(B, 300), CLAIM, Passed(C))
    assert head(state) == Bidding("s300", A, 300, B, (A, B), 250)
    assert after(state, Passed(A)).table.cash == (550, 4700, 5000)
    late = after(broke("pass"), Opened(B, 300), Bid(C, 350), Bid(B, 400), CLAIM, Passed(C))
    assert head(late) == Bidding("s300", A, 400, B, (A, B), 250)
    sold = after(broke("pass"), Opened(B, 300), Passed(C))
    assert Sold(B, "s300", 300) in sold.effects


@proves("R-18", "E-13")
def test_who_claimed_is_asked_whatever_it_can_pay() -> None:
    """A beginner that has claimed is asked even if it still cannot pay, so that others do not learn its cash."""
    state = after(broke("pass", cash=0), CLAIM, Opened(B, 300), Passed(C))
    assert head(state) == Bidding("s300", A, 300, B, (A, B), 0)
    assert said(state, A) == {"Passed"}


@proves("R-18", "R-05")
def test_a_correction_counts_like_a_claim() -> None:
    """A cash correction has the same effect as a claim."""
    state = after(broke("pass"), CashCorrected(A, 800), Opened(B, 300), Passed(C), Bid(A, 700))
    assert head(state) == Bidding("s300", A, 700, A, (B, A), 250)


@proves("R-18", "R-28")
def test_with_two_players_the_beginner_may_outbid_the_other() -> None:
    """With two players, the other seat's opening does not end the lot after the beginner has claimed."""
    state = after(broke("pass", 2), CLAIM, Opened(B, 300))
    assert head(state) == Bidding("s300", A, 300, B, (A, B), 250)
    assert Sold(B, "s300", 300) in after(broke("pass", 2), Opened(B, 300)).effects


# --- Pass and Open: the opening -------------------------------------------------------------------


@proves("R-18", "R-19", "R-27", "R-46")
@pytest.mark.parametrize("kind", ["pass", "open"])
def test_the_right_to_open_comes_back_last(kind: str) -> None:
    """If all others decline, a beginner that has claimed may open or decline."""
    state = after(broke(kind), CLAIM, OpeningDeclined(B), OpeningDeclined(C))
    assert head(state) == Opening("s300", A, A, 250)
    assert said(state, A) == {"Opened", "OpeningDeclined"}
    assert NoSale(("s300",)) in after(state, OpeningDeclined(A)).effects
    opened = after(state, Opened(A, 300))
    assert accepted(opened, Bid(B, 350) if kind == "pass" else Raised(B, 350)), "who declined has not passed"
    same = after(broke(kind), OpeningDeclined(B), OpeningDeclined(C))
    assert NoSale(("s300",)) in same.effects


@proves("R-18", "R-47")
def test_in_open_a_claim_lets_the_beginner_raise() -> None:
    """In Open, the beginner may raise as soon as it can pay."""
    state = after(broke("open"), Opened(B, 300))
    assert why(state, Raised(A, 350)) == ("R-16", "bid_exceeds_cash", A)
    assert accepted(after(state, CLAIM), Raised(A, 350))


# --- Blind and Double Blind -----------------------------------------------------------------------


@proves("R-18", "R-30", "R-31")
@pytest.mark.parametrize("moment", [0, 1, 2])
def test_in_blind_the_fist_is_like_any_other(moment: int) -> None:
    """In Blind, the beginner may put any amount up to its cash into its fist and change it, before or after a claim."""
    state = broke("blind")
    assert amounts(state, A) == [*range(0, 300, 50)]
    assert why(state, Committed(A, 300)) == ("R-16", "bid_exceeds_cash", A)
    events: list[Event] = [Committed(A, 250), Committed(B, 400)]
    events.insert(moment, CLAIM)
    state = after(state, *events)
    assert amounts(state, A) == [*range(0, 600, 50)]
    state = after(state, Committed(A, 550), Committed(C, 0))
    assert state.effects[:2] == (FistsOpened((550, 400, 0)), Sold(A, "s300", 550))


@proves("R-18", "R-33", "R-34", "R-35")
def test_in_double_blind_both_fists_are_like_any_other() -> None:
    """In Double Blind, the beginner has no minimum in either fist and can win with a claim in between."""
    state = after(broke("double_blind"), Committed(A, 50), Committed(B, 300))
    state = after(state, Committed(C, 0), CLAIM)
    assert amounts(state, A) == [*range(0, 550, 50)]
    state = after(state, Committed(A, 500), Committed(B, 0), Committed(C, 0))
    assert Sold(A, "s300", 550) in state.effects
    assert state.table.cash == (0, 5000, 5000)


# --- journals from before the ruling --------------------------------------------------------------


def replayed(state: State[Table], *events: Event) -> State[Table]:
    """Return the state after replaying the events of a journal without asking whether they are legal."""
    for event in events:
        state = follow(GAME, state, event)
    return state


@proves("R-18")
def test_older_journals_leave_the_beginner_out_for_good() -> None:
    """Older journals skip the beginner even after a claim, and still replay to the same sale."""
    bid = replayed(broke("pass"), CLAIM, Opened(B, 300), Bid(C, 350), Bid(B, 400))
    assert isinstance(head(bid), Bidding)
    assert (bid.agenda[0].price, bid.agenda[0].leader, bid.agenda[0].bidders) == (400, B, (C, B))  # type: ignore[attr-defined]
    lot = LocosRevealed(DECK[:3])
    sold = replayed(broke("pass", 2), CLAIM, Opened(B, 300), lot)
    assert (names(sold, B), sold.table.cash, sold.table.revealed) == (("s300",), (550, 4700), DECK[:3])
    assert Sold(B, "s300", 300) in sold.effects
    assert isinstance(sold.agenda[1], NextLot)


@proves("R-18", "R-19")
@pytest.mark.parametrize("kind", ["pass", "open"])
def test_older_journals_end_a_lot_that_nobody_opened(kind: str) -> None:
    """In older journals, a lot ends when all others decline, even if the beginner has claimed."""
    events = (CLAIM, OpeningDeclined(B), OpeningDeclined(C))
    asked = replayed(broke(kind), *events)
    assert head(asked) == Opening("s300", A, A, 250)
    cards = DECK[: 3 if kind == "pass" else 1]
    state = replayed(asked, LocosRevealed(cards))
    assert NoSale(("s300",)) in state.effects
    assert (state.table.aside, state.table.revealed) == (("s300",), cards)
    assert not isinstance(head(state), RevealLocos)
