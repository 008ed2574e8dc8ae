"""Test purposes: conditions, claims and options (R-70 to R-75)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import State
from companion.games.take_a_train.events import (
    Bought,
    CardsRevealed,
    Claimed,
    Committed,
    Opened,
    Passed,
    Took,
    TurnPassed,
)
from companion.games.take_a_train.purposes import ALL, BY_ID, PURPOSES, bit, claimable, ids, prize
from companion.games.take_a_train.steps.lots import Lone, NextLot
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken, NextRound
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
    payments,
    sale,
    table,
    turn,
    why,
)
from tests.games.take_a_train.proofs import proves

THREE = ("s100", "s100", "s100")
EMPTY = ("-", "-", "-")


def met(state: State[Table], seat: int) -> tuple[str, ...]:
    """Return the purposes whose conditions a seat has met."""
    return ids(state.table.met[seat])


def completed(*own: str, options: dict[str, Any] | None = None) -> tuple[str, ...]:
    """Return the drive purposes that A meets by buying the last of three locomotives."""
    given = table(2, owned=(own[:2], THREE), revealed=own[2:], options=options)
    if own[2] == "-":
        return met(at(table(2, owned=(own, THREE)), *REST), A)
    state = after(at(given, Lone(A)), Bought(A, own[2], 300))
    return met(state, A)


def laden(owned: tuple[tuple[str, ...], ...], card: str, onto: int, **options: str) -> tuple[str, ...]:
    """Return the purposes that A meets after loading a card onto a train."""
    state = turn(card, "food-50", players=2, owned=owned, options=options, wagons=("food-50",) * 3)
    return met(after(state, Took(A, 0, onto)), A)


def stage_one_over(*owned: tuple[str, ...], **options: str) -> State[Table]:
    """Return the state at the end of stage one."""
    return at(table(len(owned), owned=owned, options=options), *REST)


@proves("R-70")
def test_the_18_tokens() -> None:
    """The 18 tokens are different, and their prizes are as printed and add up to 13,200."""
    assert len({p.key for p in PURPOSES}) == 18
    assert sum(p.prize for p in PURPOSES) == 13_200
    printed = (1000, 600, 800, 300, 1000, 800, 1000, 800, 800, 600, 400, 300, 800, 1500, 300, 600, 600, 1000)
    assert tuple(prize(table(), p.id) for p in PURPOSES) == printed


@proves("R-70", "R-72", "T-57")
@pytest.mark.parametrize(
    ("own", "purposes"),
    [
        (("d300", "d300", "d300"), ("P-13",)),
        (("s300", "s300", "s300"), ("P-14",)),
        (("e300", "e300", "e300"), ("P-15",)),
        (("s300", "d300", "e300"), ("P-16",)),
        (("s300", "d300", "d300"), ()),
        (("d300", "-", "d300"), ()),
    ],
)
def test_drive_purposes(own: tuple[str, ...], purposes: tuple[str, ...]) -> None:
    """Drive purposes need three face-up locomotives of one drive, or one of each."""
    assert completed(*own) == purposes


@proves("R-73", "T-57")
def test_two_diesels_and_a_replacement_are_not_three() -> None:
    """A replacement does not count as a diesel, and only the owner learns why the claim is refused."""
    state = stage_one_over(("d300", "d300", "-"), THREE)
    assert why(state, Claimed(A, "P-13")) == ("R-73", "purpose_not_met", A)


@proves("R-70", "R-72")
@pytest.mark.parametrize(
    ("cargo", "need", "purpose"),
    [
        ("food", 4, "P-7"),
        ("cattle", 4, "P-8"),
        ("coal", 3, "P-9"),
        ("oil", 3, "P-10"),
        ("luxury", 2, "P-11"),
        ("passenger", 2, "P-12"),
    ],
)
def test_cargo_purposes(cargo: str, need: int, purpose: str) -> None:
    """A cargo purpose needs its number of wagons of one type on one locomotive."""
    wagons = f" {cargo}-100" * (need - 1)
    assert laden((("s300:" + wagons, "-", "-"), EMPTY), f"{cargo}-100", 0) == (purpose,)
    fewer = f" {cargo}-100" * (need - 2)
    assert laden((("s300:" + fewer, "-", "-"), EMPTY), f"{cargo}-100", 0) == ()


@proves("R-70")
def test_three_wagons_on_each() -> None:
    """P-3 needs three wagons on each of three locomotives at the same time."""
    owned = (("s300: food-50 food-50 food-50", "d300: cattle-50 cattle-50 cattle-50", "-: oil-150 oil-150"), EMPTY)
    assert laden(owned, "oil-150", 2) == ("P-3", "P-10")
    fewer = (("s300: food-50 food-50", "d300: cattle-50 cattle-50 cattle-50", "-: oil-150 oil-150"), EMPTY)
    assert "P-3" not in laden(fewer, "oil-150", 2)


@proves("R-70", "R-72", "T-61")
def test_ten_wagons_together() -> None:
    """P-6 needs ten wagons within one round."""
    nine = ("s300: food-50 food-50 food-50", "d300: cattle-50 cattle-50 cattle-50 cattle-50", "-: oil-150 oil-150")
    assert "P-6" in laden((nine, EMPTY), "food-50", 0)
    state = turn("coal-100", players=2, owned=(("s300: coal-100 coal-100", "-", "-"), EMPTY))
    assert "P-6" not in met(after(state, Took(A, 0, 0)), A)


@proves("R-70", "R-57")
def test_first_and_last_player() -> None:
    """P-4 goes to sequence token 1 and P-5 to the last one, not to the round starter."""
    state = stage_one_over(("s100", "-", "-"), ("s900", "-", "-"), ("s300", "-", "-"))
    assert [set(met(state, s)) & {"P-4", "P-5"} for s in (A, B, C)] == [{"P-5"}, {"P-4"}, set()]


@proves("R-70", "R-72", "T-58")
def test_fastest_and_slowest() -> None:
    """P-17 and P-18 count only when all seats have three. Ties count for both, and one seat may meet both."""
    early = after(sale("pass", "s300@200"), Opened(A, 300), Passed(B), Passed(C))
    assert met(early, A) == ()
    assert why(early, Claimed(A, "P-17")) == ("R-73", "purpose_not_met", A)
    state = stage_one_over(("s300@200", "s100@50", "-"), ("d300@200", "-", "-"), ("s100@90", "-", "-"))
    assert [set(met(state, s)) & {"P-17", "P-18"} for s in (A, B, C)] == [{"P-17", "P-18"}, {"P-17"}, set()]


@proves("R-71", "T-62", "purpose_swap=none", "purpose_swap=steam_electric")
def test_steam_and_electric_swapped() -> None:
    """`steam_electric` exchanges the prizes of P-14 and P-15."""
    assert (prize(table(), "P-14"), prize(table(), "P-15")) == (1500, 300)
    given = table(options={"purpose_swap": "steam_electric"}, met=(bit("P-14"), bit("P-15"), 0), ripe=True)
    state = after(at(given, DrawToken(A)), Claimed(A, "P-14"), Claimed(B, "P-15"))
    assert state.table.cash == (5300, 6500, 5000)


@proves("R-71", "purpose_swap=last_steam", "purpose_swap=first_last")
@pytest.mark.parametrize(
    ("swap", "first", "last", "steam"), [("last_steam", 300, 1500, 1000), ("first_last", 1000, 300, 1500)]
)
def test_other_swaps(swap: str, first: int, last: int, steam: int) -> None:
    """The other readings of the translator's note exchange other prizes, and the total stays."""
    given = table(options={"purpose_swap": swap})
    assert [prize(given, p) for p in ("P-4", "P-5", "P-14")] == [first, last, steam]
    assert sum(prize(given, p.id) for p in PURPOSES) == 13_200


@proves("R-72", "T-59", "claim_window=ever")
def test_once_true_is_claimable_for_good() -> None:
    """A purpose that was met in round 1 can be claimed in round 3."""
    state = at(table(2, round=3, owned=(("s900", "-", "-"), THREE), order=(A, B), met=(bit("P-5"), 0)), NextRound())
    assert after(state, Claimed(A, "P-5")).table.cash[A] == 6000


@proves("claim_window=while_true")
def test_a_claim_may_have_to_be_true_now() -> None:
    """Under `while_true`, a purpose can be claimed only while its condition holds."""
    options = {"claim_window": "while_true"}
    given = table(
        2, round=3, owned=(("s900", "-", "-"), THREE), order=(A, B), met=(bit("P-5") | bit("P-4"), 0), options=options
    )
    state = at(given, NextRound())
    assert why(state, Claimed(A, "P-5")) == ("R-73", "purpose_not_met", A)
    assert accepted(state, Claimed(A, "P-4"))


@proves("claim_window=immediate")
def test_a_claim_may_have_to_be_made_at_once() -> None:
    """Under `immediate`, a purpose can be claimed until the next decision. Revealing cards is no decision."""
    state = turn(
        "coal-100",
        "food-50",
        players=2,
        owned=(("s300: coal-100 coal-100", "-", "-"), EMPTY),
        options={"claim_window": "immediate"},
    )
    state = after(state, Took(A, 0, 0))
    assert accepted(state, Claimed(A, "P-9"))
    state = after(state, CardsRevealed(("food-50",)))
    assert accepted(state, Claimed(A, "P-9"))
    state = after(state, TurnPassed(B))
    assert why(state, Claimed(A, "P-9")) == ("R-73", "purpose_not_met", A)
    assert claimable(state.table, A) == 0


@proves("claim_window=immediate")
def test_claiming_at_once_does_not_hurry_the_others() -> None:
    """Under `immediate`, one seat's claim does not end the time for another seat."""
    state = stage_one_over(("s300@200", "-", "-"), ("d100@60", "-", "-"), claim_window="immediate")
    state = after(state, Claimed(A, "P-17"))
    assert accepted(state, Claimed(B, "P-18"))


@proves("R-73")
def test_a_claim_out_of_turn() -> None:
    """A claim during another seat's lot pays the prize, uses up the token and changes nothing else."""
    state = after(sale("pass", "s300", met=(0, bit("P-4"), 0), ripe=True), Opened(A, 300))
    agenda = state.agenda
    state = after(state, Claimed(B, "P-4"))
    assert payments(state) == [(B, 300, "purpose")]
    assert state.agenda == agenda
    assert why(state, Claimed(B, "P-4")) == ("R-73", "already_claimed", B)
    assert why(state, Claimed(C, "P-4")) == ("R-73", "already_claimed", C)


@proves("R-73", "E-2", "E-12")
def test_only_own_tokens_are_claimed() -> None:
    """A claim of another seat's token or an unknown one is refused, and only the claiming seat learns why."""
    state = turn("food-50", held={A: ("P-1", "P-2", "P-3")}, met=(ALL, ALL, 0), ripe=True)
    assert why(state, Claimed(A, "P-4")) == ("R-73", "not_your_token", A)
    assert why(state, Claimed(A, "P-99")) == ("R-70", "no_such_purpose", A)
    assert why(state, Claimed(9, "P-4")) == ("R-00", "unknown_seat", None)  # type: ignore[arg-type]


@proves("R-73")
def test_nobody_claims_a_fourth_token() -> None:
    """A seat may claim three tokens at most, even if the companion does not know which it holds."""
    state = turn("food-50", claimed=(bit("P-2") | bit("P-3") | bit("P-4"), 0, 0), met=(ALL, 0, 0), ripe=True)
    assert why(state, Claimed(A, "P-5")) == ("R-73", "not_your_token", A)


@proves("R-73", "R-30")
def test_a_claim_does_not_unlock_a_fist() -> None:
    """A claim does not change a closed fist."""
    state = after(sale("blind", "s300", met=(0, bit("P-4"), 0), ripe=True), Committed(B, 700))
    claimed = after(state, Claimed(B, "P-4"))
    assert claimed.agenda == state.agenda


@proves("R-73")
def test_claims_while_money_is_promised() -> None:
    """A seat may claim in the middle of a lot."""
    state = after(sale("pass", "s300", met=(0, bit("P-4"), 0), ripe=True), Opened(A, 300))
    assert accepted(state, Claimed(B, "P-4"))


@proves("R-73", "R-19")
def test_a_claim_gives_unsold_cards_another_chance() -> None:
    """A claim resets the list of cards offered in vain, because the new money may buy them."""
    given = table(2, owned=(("s100",),) * 2, offered=("s300",), met=(bit("P-4"), 0), ripe=True)
    state = after(at(given, RevealLocos(3), NextLot(A)), Claimed(A, "P-4"))
    assert state.table.offered == ()


@proves("R-74", "T-60", "R-81")
def test_the_token_for_two_tokens() -> None:
    """P-1 is refused after one claim, pays 1,000 after two, and counts as the third itself."""
    held = {A: ("P-1", "P-4", "P-5")}
    state = turn("food-50", held=held, known=(), met=(bit("P-4") | bit("P-5"), 0, 0), ripe=True)
    state = after(state, Claimed(A, "P-4"))
    assert why(state, Claimed(A, "P-1")) == ("R-73", "purpose_not_met", A)
    state = after(state, Claimed(A, "P-5"), Claimed(A, "P-1"))
    assert state.table.cash[A] == 5000 + 300 + 1000 + 1000
    assert state.table.claimed[A].bit_count() == 3


@proves("R-73", "E-2")
def test_hints_are_for_their_holder_alone() -> None:
    """Only the seat itself sees which purposes it could claim."""
    state = turn("food-50", held={A: ("P-1", "P-4", "P-5")}, met=(bit("P-4"), 0, 0), ripe=True)
    assert GAME.view(state, A).claimable == ("P-4",)
    assert GAME.view(state, B).claimable == ()


@proves("R-70")
def test_every_purpose_has_a_bit_of_its_own() -> None:
    """Every purpose has its own bit in the masks."""
    assert ids(ALL) == tuple(BY_ID)
    assert all(ids(bit(p)) == (p,) for p in BY_ID)
