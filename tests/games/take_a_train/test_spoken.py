"""Test the spoken auctions Pass (R-26 to R-29) and Open (R-46 to R-50)."""

from __future__ import annotations

from companion.engine import Raising
from companion.games.take_a_train.events import (
    Bid,
    CountBroken,
    Counted,
    LocosRevealed,
    Opened,
    OpeningDeclined,
    Passed,
    Raised,
    RaisedTogether,
    RaiseGrown,
    ReplacementTaken,
    TieBroken,
    Tied,
)
from companion.games.take_a_train.steps.lots import Lone, Nominate, PutUp
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.spoken_auctions import Bidding, Calling, CallTie, Opening
from tests.games.take_a_train.build import (
    A,
    B,
    C,
    accepted,
    after,
    head,
    lot,
    names,
    next_lot,
    nominated,
    offered,
    refusal,
    sale,
    why,
)
from tests.games.take_a_train.proofs import proves

THREE = ("s100", "s100", "s100")


@proves("R-26")
def test_the_beginner_nominates_a_revealed_card() -> None:
    """Only the beginner nominates, and only a revealed card."""
    state = lot("pass", "s300", "s400", "s500")
    assert why(state, nominated(A, "s700")) == ("R-26", "not_revealed", None)
    assert why(state, nominated(B, "s300")) == ("R-00", "not_your_turn", None)
    assert head(after(state, nominated(A, "s400"))) == Opening("s400", A, A)


@proves("R-27", "T-1")
def test_opening_below_the_power() -> None:
    """An opening below the power is refused."""
    state = sale("pass", "s300")
    assert why(state, Opened(A, 250)) == ("R-27", "below_minimum", None)
    assert accepted(state, Opened(A, 300))


@proves("R-28", "T-2")
def test_every_bid_is_higher() -> None:
    """A bid equal to the price is refused."""
    state = after(sale("pass", "s300"), Opened(A, 300))
    assert why(state, Bid(B, 300)) == ("R-28", "must_raise", None)
    assert accepted(state, Bid(B, 350))


@proves("min_raise", "R-28", "R-47")
def test_the_least_raise_is_an_option() -> None:
    """`min_raise` sets the smallest raise in Pass and in Open."""
    state = after(sale("pass", "s300", options={"min_raise": 200}), Opened(A, 300))
    assert why(state, Bid(B, 450)) == ("R-28", "must_raise", None)
    assert accepted(state, Bid(B, 500))
    assert accepted(state, Bid(B, 550))
    state = after(sale("open", "s300", options={"min_raise": 200}), Opened(A, 300))
    assert why(state, Raised(B, 450)) == ("R-47", "must_raise", None)


@proves("R-28", "T-4")
def test_who_passed_stays_out() -> None:
    """A seat that has passed cannot bid again, and the refusal says so even out of turn."""
    state = after(sale("pass", "s300"), Opened(A, 300), Bid(B, 350), Passed(C), Bid(A, 400))
    assert why(state, Bid(C, 450)) == ("R-28", "already_passed", None)
    assert why(state, Bid(A, 450)) == ("R-00", "not_your_turn", None)


@proves("R-28", "R-29", "T-3")
def test_the_last_one_standing_buys() -> None:
    """The last seat that has not passed buys at its own bid, and the seat to the beginner's left begins next."""
    state = after(sale("pass", "s300"), Opened(A, 300), Bid(B, 400), Passed(C), Passed(A))
    assert state.table.cash == (5000, 4600, 5000)
    assert names(state, B) == ("s300",)
    assert state.agenda[1] == Nominate(B)


@proves("R-29", "T-14")
def test_the_opening_stands_if_all_others_pass() -> None:
    """If all others pass, the beginner pays its opening, and the lot is closed."""
    state = after(sale("pass", "s300"), Opened(A, 450), Passed(B), Passed(C))
    assert state.table.cash == (4550, 5000, 5000)
    assert why(state, Bid(A, 500)) == ("R-29", "lot_closed", None)


@proves("R-29")
def test_bidding_goes_round_clockwise() -> None:
    """Bidding goes clockwise around the seats that have not passed."""
    state = after(sale("pass", "s300", beginner=B), Opened(B, 300))
    assert head(state) == Bidding("s300", B, 300, B, (C, A, B))
    state = after(state, Bid(C, 350), Passed(A))
    assert head(state) == Bidding("s300", B, 350, C, (B, C))


@proves("R-46")
def test_open_sells_one_card_at_a_time() -> None:
    """In Open, the beginner reveals one card and opens at its power or more."""
    state = next_lot(None, kind="open", deck=("s300", *[f"s100{x}" for x in "abcdefgh"]))
    assert head(state) == RevealLocos(1)
    state = after(state, LocosRevealed(("s300",)), Opened(A, 300))
    assert head(state) == Calling("s300", A, 300, A)


@proves("R-46", "R-18")
def test_a_broke_beginner_of_open_passes_the_opening_on() -> None:
    """If the beginner cannot pay, another seat may open and lead."""
    state = after(sale("open", "s300", cash=(0, 5000, 5000)), OpeningDeclined(B), Opened(C, 300))
    assert head(state) == Calling("s300", A, 300, C)


@proves("R-47")
def test_anyone_short_may_raise_at_any_moment() -> None:
    """Any seat with fewer than three locomotives may raise at any time, without an order."""
    state = after(sale("open", "s300"), Opened(A, 300), Raised(C, 400), Raised(B, 450), Raised(C, 500), Raised(A, 900))
    assert head(state) == Calling("s300", A, 900, A)
    full = after(sale("open", "s300", owned=((), THREE, ())), Opened(A, 300))
    assert why(full, Raised(B, 400)) == ("R-14", "already_has_three", None)


@proves("R-47", "T-29")
def test_the_leader_does_not_outbid_himself() -> None:
    """The leader cannot raise its own price, and others must raise enough within their cash."""
    state = after(sale("open", "s300", cash=(5000, 700, 5000)), Opened(A, 300))
    assert why(state, Raised(A, 400)) == ("R-47", "self_raise", None)
    assert why(state, Raised(B, 300)) == ("R-47", "must_raise", None)
    assert why(state, Raised(B, 750)) == ("R-16", "bid_exceeds_cash", B)


@proves("R-48", "T-27")
def test_only_the_leader_counts() -> None:
    """A raise stops the leader's count, and only the new leader may count."""
    state = after(sale("open", "s300"), Opened(A, 300), Counted(A, 1), Counted(A, 2), Raised(B, 350))
    assert why(state, Counted(A, 3)) == ("R-48", "not_leader", None)
    state = after(state, Counted(B, 1), Counted(B, 2), Counted(B, 3))
    assert state.table.cash == (5000, 4650, 5000)
    assert names(state, B) == ("s300",)


@proves("R-48", "T-28")
def test_the_count_goes_one_two_three() -> None:
    """The count must go one, two, three, and closes the lot."""
    state = after(sale("open", "s300"), Opened(A, 300), Counted(A, 1))
    assert why(state, Counted(A, 3)) == ("R-48", "count_out_of_order", None)
    assert why(state, Counted(A, 1)) == ("R-48", "count_out_of_order", None)
    assert refusal(state, Counted(A, 1)).fields == {"next": 2}
    state = after(state, Counted(A, 2), Counted(A, 3))
    assert why(state, Raised(B, 400)) == ("R-48", "lot_closed", None)
    assert why(state, Counted(A, 1)) == ("R-48", "lot_closed", None)
    assert why(state, RaisedTogether((B, C), 400)) == ("R-48", "lot_closed", None)
    assert why(state, CountBroken("pause")) == ("R-48", "no_count", None)


@proves("R-48")
def test_a_broken_count_begins_again() -> None:
    """A restart in the middle of a count keeps the price and the leader, and the count restarts at one."""
    state = after(sale("open", "s300"), Opened(A, 300))
    assert why(state, CountBroken("restart")) == ("R-48", "no_count", None)
    state = after(state, Counted(A, 1), Counted(A, 2), CountBroken("restart"))
    assert head(state) == Calling("s300", A, 300, A, 0)
    assert why(state, Counted(A, 3)) == ("R-48", "count_out_of_order", None)


@proves("R-49", "R-23")
def test_raises_at_the_same_instant_are_one_amount() -> None:
    """Simultaneous raises are a tie, which the beginner decides, and the count restarts."""
    state = after(sale("open", "s300"), Opened(A, 300), Counted(A, 1), RaisedTogether((B, C), 350))
    assert head(state) == CallTie("s300", A, 350, (B, C))
    assert state.effects == (Tied((B, C), 350),)
    assert why(state, TieBroken(A, A)) == ("R-23", "not_tied", None)
    assert why(state, TieBroken(C, C)) == ("R-23", "not_beginner", None)
    assert head(after(state, TieBroken(A, C))) == Calling("s300", A, 350, C)


@proves("R-49", "E-12")
def test_a_joint_raise_is_refused_for_what_one_seat_did_wrong() -> None:
    """A joint raise is refused if one of its seats could not raise alone, and lack of money is told in private."""
    state = after(sale("open", "s300", cash=(5000, 700, 5000)), Opened(A, 300))
    assert why(state, RaisedTogether((B,), 350)) == ("R-49", "raised_alone", None)
    assert why(state, RaisedTogether((B, B), 350)) == ("R-49", "raised_alone", None)
    assert why(state, RaisedTogether((B, C), 300)) == ("R-47", "must_raise", None)
    assert why(state, RaisedTogether((A, C), 350)) == ("R-47", "self_raise", None)
    assert why(state, RaisedTogether((B, C), 750)) == ("R-16", "bid_exceeds_cash", B)
    assert why(state, RaisedTogether((B, 8), 350)) == ("R-00", "unknown_seat", None)  # type: ignore[arg-type]


@proves("R-49", "open_leap")
def test_the_leaders_own_raise_may_grow() -> None:
    """The leader's own raise may grow while the button is held, and the count restarts."""
    state = after(sale("open", "s300", cash=(5000, 700, 5000)), Opened(A, 300), Raised(B, 350), Counted(B, 1))
    assert why(state, RaiseGrown(C, 500)) == ("R-49", "grows_not", None)
    assert refusal(state, RaiseGrown(C, 500)).fields == {"seat": B}
    assert why(state, RaiseGrown(B, 350)) == ("R-47", "must_raise", None)
    assert why(state, RaiseGrown(B, 525)) == ("R-04", "not_multiple_of_50", None)
    assert why(state, RaiseGrown(B, 750)) == ("R-16", "bid_exceeds_cash", B)
    state = after(state, RaiseGrown(B, 500))
    assert head(state) == Calling("s300", A, 500, B)
    sold = after(state, Counted(B, 1), Counted(B, 2), Counted(B, 3))
    assert why(sold, RaiseGrown(B, 600)) == ("R-48", "lot_closed", None)
    assert sold.table.cash == (5000, 200, 5000)


@proves(
    "R-49",
    "open_step",
    "open_leap",
    "min_raise",
    "counting=leader",
    "counting=companion",
    "count_pace=normal",
    "count_pace=slow",
)
def test_what_a_press_means_while_a_price_is_called() -> None:
    """A press raises by the step and a held press by the leap, and both at least by `min_raise`."""
    calling = after(sale("open", "s300"), Opened(A, 300), Counted(A, 1))
    meaning = head(calling).timing(calling.table)
    assert isinstance(meaning, Raising)
    assert (meaning.lot, meaning.leader, meaning.price, meaning.count) == ((1, "s300"), A, 300, 1)
    assert (meaning.step, meaning.leap, meaning.counting) == (50, 200, "leader")
    assert not meaning.slow
    assert [meaning.raised(B, 350), meaning.grown(B, 500)] == [Raised(B, 350), RaiseGrown(B, 500)]
    assert [meaning.together((B, C), 350), meaning.counted(A, 2)] == [RaisedTogether((B, C), 350), Counted(A, 2)]
    options = {"min_raise": 100, "open_step": 50, "open_leap": 400, "counting": "companion", "count_pace": "slow"}
    other = after(sale("open", "s300", options=options), Opened(A, 300))
    meaning = head(other).timing(other.table)
    assert isinstance(meaning, Raising)
    assert (meaning.step, meaning.leap, meaning.counting) == (100, 400, "companion")


@proves("R-49")
def test_a_press_means_nothing_before_the_lot_is_opened() -> None:
    """Buttons have no meaning before the opening, during a tie, or in Pass."""
    opening = sale("open", "s300")
    assert head(opening).timing(opening.table) is None
    tied = after(opening, Opened(A, 300), RaisedTogether((B, C), 350))
    assert head(tied).timing(tied.table) is None
    passing = after(sale("pass", "s300"), Opened(A, 300))
    assert head(passing).timing(passing.table) is None


@proves("R-49", "T-30")
def test_the_engine_sees_only_the_ordered_log() -> None:
    """The rules follow the order of the log: a raise before the third count is valid, and one after it is too late."""
    counting = after(sale("open", "s300"), Opened(A, 300), Counted(A, 1), Counted(A, 2))
    raised = after(counting, Raised(B, 350))
    assert head(raised) == Calling("s300", A, 350, B)
    closed = after(counting, Counted(A, 3))
    assert why(closed, Raised(B, 350)) == ("R-48", "lot_closed", None)


@proves("R-50", "R-20")
def test_a_lone_bidder_of_open_pays_the_minimum() -> None:
    """A lone bidder in Open buys the card at its power or turns it down, without a count."""
    state = next_lot(A, players=2, kind="open", owned=(THREE, ("s100",)), deck=("s300", "s900"), cash=(5000, 600))
    assert state.agenda[:2] == (RevealLocos(1), Lone(B))
    state = after(state, LocosRevealed(("s900",)))
    assert offered(state, B) == [ReplacementTaken(B, "s900")]
    state = after(state, ReplacementTaken(B, "s900"))
    assert head(state) == RevealLocos(1)


@proves("R-24")
def test_unsold_cards_of_open_come_back() -> None:
    """Unsold cards are reshuffled and offered again when the deck is empty."""
    owned = (("s100", "s100"), ("s100",), THREE)
    state = next_lot(B, kind="open", owned=owned, deck=(), aside=("s300", "s400", "s500"), offered=("s300",))
    assert state.agenda[:2] == (RevealLocos(1), PutUp(A))
