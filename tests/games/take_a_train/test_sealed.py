"""Test sealed bids: Blind (R-30 to R-32) and Double Blind (R-33 to R-35), on devices and by hand."""

from __future__ import annotations

from typing import Any

from companion.engine import Unveiling
from companion.games.take_a_train.events import (
    BidsRevealed,
    CashCorrected,
    Claimed,
    Committed,
    FistsOpened,
    NoSale,
    RevealSignalled,
    Sold,
    TieBroken,
    Tied,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.steps.sealed_auctions import Fists
from tests.games.take_a_train.build import (
    A,
    B,
    C,
    accepted,
    after,
    head,
    lot,
    names,
    nominated,
    offers_of,
    refusal,
    sale,
    why,
)
from tests.games.take_a_train.proofs import proves

TOM, JANE, BILL = A, B, C
HAND = {"bid_channel": "hand"}
SIGNAL = {"reveal": "signal"}
RICH_SOON: dict[str, Any] = {"met": (bit("P-4"), 0, 0), "ripe": True}
"""A can claim the first player's purpose, which pays 300."""


@proves("R-30", "bid_channel=device")
def test_a_fist_may_be_changed_until_the_last_one_closes() -> None:
    """A seat may change its fist until the last one closes, and then all fists open."""
    state = after(sale("blind", "s300"), Committed(B, 400), Committed(A, 300), Committed(B, 700))
    assert head(state) == Fists("only", A, (A, B, C), (300, 700, None), "s300")
    state = after(state, Committed(C, 700))
    assert why(state, Committed(B, 900)) == ("R-30", "commit_locked", None)
    sold = after(state, TieBroken(A, B))
    assert why(sold, Committed(B, 900)) == ("R-30", "commit_locked", None)


@proves("R-30")
def test_nominating_comes_first() -> None:
    """The beginner nominates one of three revealed cards, and then every seat that lacks locomotives gets a fist."""
    state = after(lot("blind", "s300", "s400", "s500"), nominated(A, "s400"))
    assert head(state) == Fists("only", A, (A, B, C), (None, None, None), "s400")


@proves("R-31")
def test_the_beginners_fist_holds_the_power() -> None:
    """The beginner must bid at least the power, and only it learns why less is refused. Others may bid any amount."""
    state = sale("blind", "s300")
    assert why(state, Committed(A, 250)) == ("R-31", "beginner_below_minimum", A)
    assert refusal(state, Committed(A, 250)).fields == {"minimum": 300}
    assert accepted(state, Committed(B, 0))
    assert accepted(state, Committed(B, 250))
    assert why(state, Committed(B, 5050)) == ("R-16", "bid_exceeds_cash", B)


@proves("R-32")
def test_the_highest_fist_wins() -> None:
    """The highest fist wins and pays, and the others keep their money."""
    state = after(sale("blind", "s300"), Committed(A, 300), Committed(B, 750), Committed(C, 800))
    assert state.effects[:2] == (FistsOpened((300, 750, 800)), Sold(C, "s300", 800))
    assert state.table.cash == (5000, 5000, 4200)


@proves("R-32", "reveal=last_fist")
def test_fists_open_with_the_last_one() -> None:
    """By default the fists open with the last one, without a signal, and a button press has no meaning."""
    state = after(sale("blind", "s300"), Committed(A, 300), Committed(B, 750))
    assert why(state, RevealSignalled()) == ("R-32", "fists_not_closed", None)
    assert head(state).timing(state.table) is None
    assert after(state, Committed(C, 0)).table.cash == (5000, 4250, 5000)


@proves("R-32", "R-30", "reveal=signal")
def test_fists_open_at_the_signal() -> None:
    """With `reveal=signal`, fists may change until the signal, which is accepted only once all are closed."""
    state = after(sale("blind", "s300", options=SIGNAL), Committed(A, 300), Committed(B, 750))
    assert why(state, RevealSignalled()) == ("R-32", "fists_not_closed", None)
    state = after(state, Committed(C, 800))
    assert head(state) == Fists("only", A, (A, B, C), (300, 750, 800), "s300")
    state = after(state, Committed(C, 700))
    assert accepted(state, RevealSignalled())
    state = after(state, RevealSignalled())
    assert state.effects[:2] == (FistsOpened((300, 750, 700)), Sold(B, "s300", 750))
    assert state.table.cash == (5000, 4250, 5000)
    assert why(state, RevealSignalled()) == ("R-32", "fists_not_closed", None)


@proves("R-33", "R-35", "reveal=signal")
def test_both_rounds_of_fists_open_at_a_signal() -> None:
    """In Double Blind, the first and the second fists each open at their own signal."""
    state = sale("double_blind", "s300", options=SIGNAL)
    state = after(state, Committed(A, 300), Committed(B, 500), Committed(C, 0), RevealSignalled())
    assert state.effects == (FistsOpened((300, 500, 0)),)
    assert why(state, RevealSignalled()) == ("R-32", "fists_not_closed", None)
    state = after(state, Committed(A, 0), Committed(B, 0), Committed(C, 600), RevealSignalled())
    assert state.table.cash == (5000, 5000, 4400)


@proves("R-32", "reveal=signal", "bid_channel=hand")
def test_who_can_be_ready_for_the_signal() -> None:
    """On devices, a seat is ready once its fist is closed. With real fists, all participants count as ready."""
    full = ((), ("s100", "s100", "s100"), ())
    state = after(sale("blind", "s300", options=SIGNAL, owned=full), Committed(C, 700))
    meaning = head(state).timing(state.table)
    assert isinstance(meaning, Unveiling)
    assert (meaning.seats, meaning.closed, meaning.signalled) == ((A, C), (C,), RevealSignalled)
    state = sale("blind", "s300", options=HAND | SIGNAL)
    meaning = head(state).timing(state.table)
    assert isinstance(meaning, Unveiling)
    assert (meaning.seats, meaning.closed, meaning.signalled) == ((A, B, C), (A, B, C), RevealSignalled)
    assert accepted(state, RevealSignalled())


@proves("R-32", "R-23")
def test_equal_fists_are_a_tie() -> None:
    """Equal highest fists are a tie."""
    state = after(sale("blind", "s300"), Committed(A, 300), Committed(B, 500), Committed(C, 500))
    assert state.effects == (FistsOpened((300, 500, 500)), Tied((B, C), 500))


@proves("R-32", "T-17")
def test_the_beginner_wins_against_empty_fists() -> None:
    """A beginner pays its own bid if all other fists are empty."""
    state = after(sale("blind", "s300"), Committed(A, 650), Committed(B, 0), Committed(C, 0))
    assert state.table.cash == (4350, 5000, 5000)


@proves("R-30", "R-32", "R-16", "bid_channel=hand")
def test_fists_opened_by_hand() -> None:
    """Real fists are entered in one event, with an amount for exactly the seats that take part."""
    state = sale("blind", "s300", options=HAND, cash=(5000, 400, 5000))
    assert why(state, Committed(B, 400)) == ("R-30", "bids_by_hand", None)
    assert why(state, BidsRevealed((300, None, 400))) == ("R-30", "fists_missing", None)
    assert why(state, BidsRevealed((300, 400))) == ("R-30", "fists_missing", None)
    assert why(state, BidsRevealed((300, 450, 0))) == ("R-16", "ledger_mismatch", B)
    assert why(sale("blind", "s300"), BidsRevealed((300, 400, 0))) == ("R-30", "bids_on_devices", None)
    state = after(state, BidsRevealed((300, 400, 0)))
    assert state.table.cash == (5000, 0, 5000)


@proves("R-31", "bid_channel=hand")
def test_a_beginners_small_fist_is_mended() -> None:
    """A beginner that shows less than the power has bid the power."""
    state = after(sale("blind", "s300", options=HAND), BidsRevealed((100, 250, 0)))
    assert state.effects[0] == FistsOpened((300, 250, 0))
    assert state.table.cash == (4700, 5000, 5000)


@proves("R-33", "R-34", "R-35", "X-3")
def test_the_rulebooks_double_blind_example() -> None:
    """In the rulebooks' example, Bill wins with two fists of 50 and 2,500, and only he pays."""
    state = sale("double_blind", "e900x4", beginner=TOM)
    before = state.table.bank
    state = after(state, Committed(TOM, 2400), Committed(JANE, 1000), Committed(BILL, 50))
    assert state.effects == (FistsOpened((2400, 1000, 50)),)
    state = after(state, Committed(TOM, 0), Committed(JANE, 0), Committed(BILL, 2500))
    assert state.table.cash == (5000, 5000, 2450)
    assert state.table.bank == before + 2550
    assert names(state, BILL) == ("e900x4",)


@proves("R-34", "X-4")
def test_the_minimum_binds_the_first_fist() -> None:
    """The beginner's first fist must reach the power, and only the beginner learns why less is refused."""
    state = sale("double_blind", "e900x4", beginner=TOM)
    assert why(state, Committed(TOM, 850)) == ("R-34", "beginner_below_minimum", TOM)


@proves("R-33", "T-20")
def test_both_fists_together_do_not_exceed_the_cash() -> None:
    """Both fists together may not exceed the cash, and only the seat learns why a bid is refused."""
    state = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 2000), Committed(C, 0))
    assert why(state, Committed(B, 3100)) == ("R-33", "bid_exceeds_cash", B)
    assert accepted(state, Committed(B, 3000))


@proves("R-35", "T-21")
def test_a_late_bid_may_win() -> None:
    """A seat with an empty first fist may win with its second."""
    state = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 0), Committed(C, 0))
    state = after(state, Committed(A, 0), Committed(B, 0), Committed(C, 1000))
    assert state.table.cash == (5000, 5000, 4000)


@proves("R-35")
def test_a_first_bid_cannot_be_lowered() -> None:
    """A second fist cannot take back money from the first."""
    state = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 700), Committed(C, 0))
    assert why(state, Committed(B, -50)) == ("R-35", "first_bid_fixed", None)


@proves("R-35", "R-23")
def test_a_tie_on_the_sums() -> None:
    """If both fists hold the same total, it is a tie."""
    state = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 500), Committed(C, 100))
    state = after(state, Committed(A, 0), Committed(B, 0), Committed(C, 400))
    assert state.effects == (FistsOpened((0, 0, 400)), Tied((B, C), 500))
    assert after(state, TieBroken(A, C)).table.cash == (5000, 5000, 4500)


@proves("R-33", "E-4")
def test_first_bids_lie_open_while_the_second_are_secret() -> None:
    """In the second round, everybody sees the first bids, and of the second only whether they are closed."""
    from companion.games.take_a_train.rules import RULES as game

    state = after(sale("double_blind", "s300"), Committed(A, 300), Committed(B, 700), Committed(C, 0), Committed(B, 50))
    seats = game.view(state, None).seats
    assert [s.bid for s in seats] == [300, 700, 0]
    assert [s.committed for s in seats] == [False, True, False]


@proves("R-34")
def test_the_minimum_may_be_met_by_the_first_fist_only() -> None:
    """The beginner's first fist must reach the power by itself."""
    low, high = (offers_of(sale("double_blind", "s300"), A)[0].low, offers_of(sale("double_blind", "s300"), A)[0].high)  # type: ignore[attr-defined]
    assert (low, high) == (300, 5000)


@proves("R-19", "R-32")
def test_below_the_power_nothing_is_sold() -> None:
    """If all bids are below the power, nothing is sold and nobody pays."""
    state = sale("blind", "s300", cash=(100, 5000, 5000))
    state = after(state, Committed(A, 0), Committed(B, 250), Committed(C, 100))
    assert state.effects[:2] == (FistsOpened((0, 250, 100)), NoSale(("s300",)))
    assert state.table.cash == (100, 5000, 5000)


@proves("R-31", "R-18", "bid_channel=hand")
def test_a_broke_beginners_real_fist_is_like_any_other() -> None:
    """A beginner that could not pay may show any amount up to its cash, which is not raised to the power."""
    state = sale("blind", "s300", cash=(100, 5000, 5000), options=HAND)
    assert why(state, BidsRevealed((150, 0, 0))) == ("R-16", "ledger_mismatch", A)
    assert after(state, BidsRevealed((50, 400, 0))).effects[0] == FistsOpened((50, 400, 0))
    claimed = after(sale("blind", "s300", cash=(100, 5000, 5000), options=HAND, **RICH_SOON), Claimed(A, "P-4"))
    assert after(claimed, BidsRevealed((50, 0, 0))).effects[:2] == (FistsOpened((50, 0, 0)), NoSale(("s300",)))
    assert after(claimed, BidsRevealed((400, 350, 0))).effects[1] == Sold(A, "s300", 400)


@proves("R-33", "R-05")
def test_both_fists_are_promised() -> None:
    """A correction cannot reduce a seat's cash below the sum of both fists."""
    state = after(
        sale("double_blind", "s300"), Committed(A, 300), Committed(B, 700), Committed(C, 0), Committed(B, 400)
    )
    assert why(state, CashCorrected(B, 1050)) == ("R-16", "promised_more", B)
    assert accepted(state, CashCorrected(B, 1100))
