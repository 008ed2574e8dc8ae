"""Test real hands that open at the signal in Blind and Double Blind: counts, confirmations, corrections (R-32a,
R-32b)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import BadSetup, Confirming, Event, Refusal, Seat, State
from companion.games.take_a_train.events import (
    BidsRevealed,
    CashCorrected,
    Claimed,
    Committed,
    CorrectionAnswered,
    FistConfirmed,
    FistCorrected,
    FistCounted,
    FistsOpened,
    LocosRevealed,
    RevealSignalled,
    Sold,
    Tied,
)
from companion.games.take_a_train.options import LONGEST_SILENCE, resolve
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.sealed_auctions import Fists, OpenFists
from companion.games.take_a_train.table import Table
from companion.games.take_a_train.view import CorrectionView
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
    refusal,
    sale,
    turn,
    why,
)
from tests.games.take_a_train.build import table as given
from tests.games.take_a_train.proofs import proves

TOM, JANE, BILL = A, B, C
HAND = {"bid_channel": "hand"}
NOBODY = (None, None, None)
CLOSED = Fists("only", A, (A, B, C), NOBODY, "s300")
FULL = ((), ("s100", "s100", "s100"), ())
"""Locomotives of three seats. B has three and takes no part."""


def opened(kind: str = "blind", card: str = "s300", *, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Return a lot whose hands have just opened at the signal."""
    return after(sale(kind, card, options=HAND | (options or {}), **fields), RevealSignalled())


def confirmed(*amounts: int) -> list[Event]:
    """Return the events by which A, B and C confirm these amounts."""
    return [FistConfirmed(seat, amount) for seat, amount in zip((A, B, C), amounts, strict=False)]


def agreed(*seats: Seat) -> list[Event]:
    """Return the events by which these seats agree to a correction."""
    return [CorrectionAnswered(seat, True) for seat in seats]


def pressed(state: State[Table]) -> dict[Seat, Event]:
    """Return the event that each seat's button press would cause."""
    meaning = head(state).timing(state.table)
    assert isinstance(meaning, Confirming)
    return dict(meaning.events)


@proves("R-32", "R-32a", "bid_channel=hand")
def test_the_signal_opens_real_hands() -> None:
    """At the signal, no amount is known, all seats are awaited, and no fist can be closed any more."""
    state = opened()
    assert head(state) == OpenFists(CLOSED, NOBODY, NOBODY)
    assert GAME.view(state, None).awaited == (A, B, C)
    assert why(state, Committed(B, 400)) == ("R-30", "bids_by_hand", None)
    assert why(state, RevealSignalled()) == ("R-32", "fists_not_closed", None)


@proves("R-32a")
def test_what_was_counted_waits_for_its_owner() -> None:
    """Counts decide nothing. Once the last seat has confirmed, the highest bid wins and pays."""
    state = after(opened(), FistCounted(A, 300), FistCounted(B, 750), FistCounted(C, 800))
    assert head(state) == OpenFists(CLOSED, (300, 750, 800), NOBODY)
    assert state.table.cash == (5000, 5000, 5000)
    state = after(state, *confirmed(300, 750))
    assert GAME.view(state, None).awaited == (C,)
    state = after(state, FistConfirmed(C, 800))
    assert state.effects[:2] == (FistsOpened((300, 750, 800)), Sold(C, "s300", 800))
    assert state.table.cash == (5000, 5000, 4200)


@proves("R-32a")
def test_the_owner_may_say_another_sum() -> None:
    """A seat's confirmed amount replaces the counted one, and no count may follow."""
    state = after(opened(), FistCounted(B, 700), FistConfirmed(B, 750), FistConfirmed(A, 300))
    assert why(state, FistCounted(A, 350)) == ("R-32b", "already_confirmed", None)
    assert after(state, FistConfirmed(C, 0)).effects[:2] == (FistsOpened((300, 750, 0)), Sold(B, "s300", 750))


@proves("R-32a")
def test_a_hand_is_counted_once() -> None:
    """A hand is counted once and confirmed once."""
    state = after(opened(), FistCounted(B, 700))
    assert why(state, FistCounted(B, 900)) == ("R-32a", "already_counted", None)
    state = after(state, FistConfirmed(B, 700))
    assert why(state, FistConfirmed(B, 900)) == ("R-32b", "already_confirmed", None)


@proves("R-32a", "R-16")
def test_more_than_a_seat_has_is_counted_again() -> None:
    """An amount above a seat's cash is refused and may be counted again. Only that seat learns why."""
    state = opened(cash=(5000, 400, 5000))
    assert refusal(state, FistCounted(B, 450)) == Refusal("R-16", "hand_exceeds_cash", {"amount": 450, "most": 400}, B)
    assert why(state, FistConfirmed(B, 450)) == ("R-16", "hand_exceeds_cash", B)
    assert accepted(state, FistCounted(B, 400))
    assert why(state, FistCounted(B, 425)) == ("R-04", "not_multiple_of_50", None)
    assert why(after(state, FistConfirmed(B, 400)), FistCorrected(B, 450)) == ("R-16", "hand_exceeds_cash", B)


@proves("R-32a", "R-31", "R-18")
def test_a_beginners_small_hand_is_put_up_to_the_power() -> None:
    """A beginner's smaller amount counts as the power, as its page states, unless the beginner cannot pay."""
    state = after(opened(), FistCounted(A, 100))
    assert (GAME.view(state, A).least, GAME.view(state, B).least) == (300, 0)
    state = after(state, *confirmed(100, 250, 0))
    assert state.effects[0] == FistsOpened((300, 250, 0))
    assert state.table.cash == (4700, 5000, 5000)
    broke = after(opened(cash=(200, 5000, 5000)), FistCounted(A, 100))
    assert GAME.view(broke, A).least == 0
    assert after(broke, *confirmed(100, 300, 0)).effects[0] == FistsOpened((100, 300, 0))


@proves("R-32a", "R-14")
def test_who_takes_no_part_is_not_counted() -> None:
    """A seat with three locomotives is not counted or asked."""
    state = opened(owned=FULL)
    assert why(state, FistCounted(B, 100)) == ("R-14", "already_has_three", None)
    assert why(state, FistConfirmed(B, 100)) == ("R-14", "already_has_three", None)
    state = after(state, FistConfirmed(A, 300), FistCorrected(A, 350))
    assert why(state, CorrectionAnswered(B, True)) == ("R-32b", "not_asked", None)
    assert after(state, *agreed(C), FistConfirmed(C, 0)).table.cash == (4650, 5000, 5000)


@proves("R-32a", "R-30")
def test_the_table_may_enter_all_sums() -> None:
    """People can enter all amounts at once, but cannot change a confirmed one."""
    state = after(opened(), FistCounted(A, 300), FistConfirmed(B, 750))
    assert why(state, BidsRevealed((300, None, 800))) == ("R-30", "fists_missing", None)
    assert why(state, BidsRevealed((300, 750))) == ("R-30", "fists_missing", None)
    assert why(state, BidsRevealed((300, 700, 800))) == ("R-32b", "already_confirmed", None)
    assert why(state, BidsRevealed((300, 750, 5050))) == ("R-16", "ledger_mismatch", C)
    assert after(state, BidsRevealed((350, 750, 800))).effects[0] == FistsOpened((350, 750, 800))
    older = after(sale("blind", "s300", options=HAND), BidsRevealed((300, 750, 800)))
    assert older.effects[0] == FistsOpened((300, 750, 800))


@proves("R-32a", "R-32b")
def test_there_are_open_hands_only_after_the_signal() -> None:
    """Before the signal, on devices and in stage two, nothing can be counted, confirmed or corrected."""
    for state in (sale("blind", "s300", options=HAND), sale("blind", "s300"), turn("food-50")):
        assert why(state, FistCounted(A, 300)) == ("R-32a", "fists_not_open", None)
        assert why(state, FistConfirmed(A, 300)) == ("R-32a", "fists_not_open", None)
        assert why(state, FistCorrected(A, 300)) == ("R-32b", "fists_not_open", None)
        assert why(state, CorrectionAnswered(A, True)) == ("R-32b", "fists_not_open", None)


# --- corrections ----------------------------------------------------------------------------------


@proves("R-32b")
def test_a_correction_needs_everybody() -> None:
    """A correction takes effect after all other seats have agreed, whether or not they have confirmed."""
    state = after(opened(), *confirmed(300, 750), FistCorrected(A, 350))
    assert head(state) == OpenFists(CLOSED, NOBODY, (300, 750, None), FistCorrected(A, 350))
    state = after(state, *agreed(C))
    lot = GAME.view(state, None).lot
    assert lot is not None
    assert lot.correction == CorrectionView(A, 300, 350, (B,))
    state = after(state, *agreed(B))
    assert head(state) == OpenFists(CLOSED, NOBODY, (350, 750, None))
    assert after(state, FistConfirmed(C, 0)).effects[0] == FistsOpened((350, 750, 0))


@proves("R-32b")
def test_one_refusal_keeps_the_old_sum() -> None:
    """A single refusal rejects the correction. The seat may ask again, and then all others must answer again."""
    state = after(opened(), FistConfirmed(A, 300), FistCorrected(A, 350), *agreed(B), CorrectionAnswered(C, False))
    assert head(state) == OpenFists(CLOSED, NOBODY, (300, None, None))
    again = head(after(state, FistCorrected(A, 400)))
    assert isinstance(again, OpenFists)
    assert again.asked == (B, C)


@proves("R-32b")
def test_nothing_is_decided_while_a_correction_is_asked_about() -> None:
    """The bids stay undecided until a pending correction is answered, even after the last confirmation."""
    state = after(opened(), *confirmed(300, 750), FistCorrected(A, 350), *agreed(C), FistConfirmed(C, 0))
    assert isinstance(head(state), OpenFists)
    assert GAME.view(state, None).awaited == (B,)
    assert why(state, BidsRevealed((300, 750, 0))) == ("R-32b", "correction_pending", None)
    assert why(state, FistCorrected(B, 800)) == ("R-32b", "correction_pending", None)
    assert after(state, *agreed(B)).effects[0] == FistsOpened((350, 750, 0))
    assert after(state, CorrectionAnswered(B, False)).effects[0] == FistsOpened((300, 750, 0))


@proves("R-32b")
def test_who_may_ask_and_who_may_answer() -> None:
    """Only a confirmed amount can be corrected, to a different one, and each other seat answers once."""
    state = after(opened(), FistConfirmed(A, 300))
    assert why(state, FistCorrected(B, 300)) == ("R-32b", "not_confirmed", None)
    assert why(state, FistCorrected(A, 300)) == ("R-32b", "same_amount", None)
    assert why(state, CorrectionAnswered(B, True)) == ("R-32b", "not_asked", None)
    state = after(state, FistCorrected(A, 350), *agreed(B))
    assert why(state, CorrectionAnswered(A, True)) == ("R-32b", "not_asked", None)
    assert why(state, CorrectionAnswered(B, False)) == ("R-32b", "not_asked", None)


# --- presses --------------------------------------------------------------------------------------


@proves("R-32a", "R-32b")
def test_what_a_press_means() -> None:
    """A press confirms the counted amount, or agrees while a correction is pending."""
    state = after(opened(), FistCounted(A, 300), FistCounted(B, 750), FistConfirmed(B, 750))
    assert pressed(state) == {A: FistConfirmed(A, 300)}
    state = after(state, FistCorrected(B, 700))
    assert pressed(state) == {A: CorrectionAnswered(A, True), C: CorrectionAnswered(C, True)}
    assert pressed(after(state, *agreed(A))) == {C: CorrectionAnswered(C, True)}
    assert pressed(after(state, CorrectionAnswered(C, False))) == {A: FistConfirmed(A, 300)}


@proves("silence_s", "R-32a")
def test_silence_is_consent_only_where_the_table_wants_it() -> None:
    """A count confirms itself only after `silence_s`, which is off by default. A correction never confirms itself."""
    meaning = head(opened()).timing(opened().table)
    assert meaning == Confirming((1, "s300", "only"), (), 0)
    state = after(opened(options={"silence_s": 20}), FistCounted(A, 300))
    assert head(state).timing(state.table) == Confirming((1, "s300", "only"), ((A, FistConfirmed(A, 300)),), 20_000)
    state = after(state, FistConfirmed(A, 300), FistCorrected(A, 350))
    meaning = head(state).timing(state.table)
    assert isinstance(meaning, Confirming)
    assert meaning.silence_ms == 0


@proves("silence_s")
def test_a_silence_has_its_limits() -> None:
    """The time may be from 0 to 600 seconds, and any other value is refused."""
    assert resolve({"silence_s": LONGEST_SILENCE}).silence_s == 600
    for wrong in (-1, LONGEST_SILENCE + 1):
        with pytest.raises(BadSetup) as caught:
            resolve({"silence_s": wrong})
        assert caught.value.refusal == Refusal("R-00", "bad_option", {"option": "silence_s"})
        assert caught.value.message == f"silence_s must be from 0 to 600 seconds, not {wrong}"


# --- Double Blind and Preemption ------------------------------------------------------------------


@proves("R-33", "R-35", "R-32a", "X-3")
def test_the_rulebooks_double_blind_example_by_hand() -> None:
    """In the rulebooks' example, Bill's two hands add up to 2,550, and he wins and pays this amount."""
    state = opened("double_blind", "e900x4", beginner=TOM)
    before = state.table.bank
    state = after(state, *confirmed(2400, 1000, 50))
    assert state.effects == (FistsOpened((2400, 1000, 50)),)
    assert head(state) == Fists("second", TOM, (A, B, C), NOBODY, "e900x4", firsts=(2400, 1000, 50))
    state = after(state, RevealSignalled(), FistCounted(BILL, 2500))
    seats = GAME.view(state, None).seats
    assert [(s.bid, s.counted, s.confirmed) for s in seats] == [
        (2400, None, None),
        (1000, None, None),
        (50, 2500, None),
    ]
    state = after(state, *confirmed(0, 0, 2500))
    assert state.table.cash == (5000, 5000, 2450)
    assert state.table.bank == before + 2550
    assert names(state, BILL) == ("e900x4",)


@proves("R-33", "R-32a")
def test_both_hands_together_do_not_exceed_the_cash() -> None:
    """Both hands together may not exceed the cash, and only the seat learns why a count is refused."""
    state = after(opened("double_blind"), *confirmed(300, 2000, 0), RevealSignalled())
    assert why(state, FistCounted(B, 3050)) == ("R-33", "hand_exceeds_cash", B)
    assert accepted(state, FistCounted(B, 3000))


@proves("R-35", "R-23", "R-32a")
def test_equal_sums_by_hand_are_a_tie() -> None:
    """Equal sums of both hands are a tie."""
    state = after(opened("double_blind"), *confirmed(300, 500, 100), RevealSignalled(), *confirmed(0, 0, 400))
    assert state.effects == (FistsOpened((0, 0, 400)), Tied((B, C), 500))


@proves("R-41", "R-42", "R-32a")
def test_preemption_by_hand() -> None:
    """All hands are counted, even empty ones, and the highest bid chooses first."""
    start = given(kind="preemption", owned=(("s100", "s100"),) * 3, options=HAND, deck=("s900", "s300", "s100d"))
    closed = at(start, Fists("preemption", A, (A, B, C), NOBODY), *REST)
    state = after(closed, RevealSignalled(), FistCounted(C, 0), *confirmed(50, 200, 0))
    assert head(state) == RevealLocos(3)
    chosen = after(state, LocosRevealed(("s900", "s300", "s100d")))
    assert GAME.view(chosen, None).awaited == (B,)


# --- promises and undo ----------------------------------------------------------------------------


@proves("R-05", "R-16", "R-32a", "R-32b")
def test_what_lies_there_is_promised() -> None:
    """A cash correction cannot go below the amounts a seat has counted, confirmed or asked for, with its first hand."""
    first = after(opened("double_blind"), *confirmed(300, 700, 0), RevealSignalled())
    assert why(first, CashCorrected(B, 650)) == ("R-16", "promised_more", B)
    counted = after(first, FistCounted(B, 400))
    assert why(counted, CashCorrected(B, 1050)) == ("R-16", "promised_more", B)
    said = after(counted, FistConfirmed(B, 100))
    assert accepted(said, CashCorrected(B, 800))
    asked = after(said, FistCorrected(B, 600))
    assert why(asked, CashCorrected(B, 1250)) == ("R-16", "promised_more", B)
    less = after(said, FistCorrected(B, 50))
    assert why(less, CashCorrected(B, 750)) == ("R-16", "promised_more", B)


@proves("R-73", "R-32a")
def test_a_claim_helps_to_pay_for_an_open_hand() -> None:
    """A seat may claim after the signal and use the prize for its hand."""
    fields: dict[str, Any] = {"cash": (100, 5000, 5000), "met": (bit("P-4"), 0, 0), "ripe": True}
    state = after(sale("blind", "s300", options=HAND, **fields), RevealSignalled(), Claimed(A, "P-4"))
    assert accepted(state, FistCounted(A, 400))


@proves("R-32", "R-32b", "E-3")
def test_nobody_takes_a_word_back_alone() -> None:
    """Undoing the signal, a confirmation or a correction needs consent, but undoing a count does not."""
    state = opened()
    assert GAME.reveals(RevealSignalled(), state)
    assert not GAME.reveals(FistCounted(A, 300), after(state, FistCounted(A, 300)))
    said = after(state, FistConfirmed(A, 300))
    assert GAME.reveals(FistConfirmed(A, 300), said)
    asked = after(said, FistCorrected(A, 350))
    assert GAME.reveals(FistCorrected(A, 350), asked)
    assert GAME.reveals(CorrectionAnswered(B, False), after(asked, CorrectionAnswered(B, False)))
    assert not GAME.has_sealed(state)


@proves("E-3", "R-25")
def test_open_sums_are_as_public_as_spoken_ones() -> None:
    """Open amounts are public, and the log shows them until the end of the round."""
    state, later = opened(), turn("food-50", round=2)
    for event in (FistCounted(A, 300), FistConfirmed(A, 300), FistCorrected(A, 350)):
        assert GAME.secret(state, event) == ()
        assert GAME.no_longer_shown(state, state, event) == ()
        assert GAME.no_longer_shown(later, state, event) == ("amount",)


# --- pages that are out of date -------------------------------------------------------------------


@proves("R-32a", "R-32b")
def test_what_a_word_depends_on() -> None:
    """A question changes with the seat's own count, a correction that it must answer, or the second round."""
    state = opened()
    other = after(state, FistCounted(B, 750), FistConfirmed(B, 750))
    own = after(state, FistCounted(A, 300))
    assert GAME.question(state, FistConfirmed(A, 300)) == GAME.question(other, FistConfirmed(A, 300))
    assert GAME.question(state, FistConfirmed(A, 300)) != GAME.question(own, FistConfirmed(A, 300))
    one, two = after(other, FistCorrected(B, 700)), after(other, FistCorrected(B, 800))
    yes = CorrectionAnswered(A, True)
    assert GAME.question(one, yes) == GAME.question(after(one, *agreed(C)), yes)
    assert GAME.question(one, yes) != GAME.question(two, yes)
    assert GAME.question(one, FistConfirmed(A, 300)) == GAME.question(other, FistConfirmed(A, 300))
    all_typed = BidsRevealed((300, 750, 0))
    assert GAME.question(state, all_typed) == GAME.question(own, all_typed)
    assert GAME.question(state, all_typed) != GAME.question(other, all_typed)
    second = after(opened("double_blind"), *confirmed(300, 700, 0), RevealSignalled())
    assert GAME.question(opened("double_blind"), FistConfirmed(A, 0)) != GAME.question(second, FistConfirmed(A, 0))
