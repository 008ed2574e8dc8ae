"""Test which tokens the camera reads, when, and what they mean (R-12, R-32a, R-73)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine import SeenTokens, State, TokenPlace, tokens_seen
from companion.games.take_a_train.events import (
    Claimed,
    Committed,
    FistConfirmed,
    FistCounted,
    RevealSignalled,
    TieOrdered,
    TokenDrawn,
    TwistRevealed,
)
from companion.games.take_a_train.purposes import bit
from companion.games.take_a_train.rules import RULES
from companion.games.take_a_train.steps.preemption import Choose
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.sealed_auctions import Fists
from companion.games.take_a_train.steps.twist import Deal, Pick, TurnUp
from companion.games.take_a_train.table import Table
from tests.games.take_a_train.build import REST, A, B, C, after, at, lot, nominated, reveal, sale, table, turn
from tests.games.take_a_train.proofs import proves

HAND = {"bid_channel": "hand"}


def seen(*doubtful: str, **places: str) -> SeenTokens:
    """Return seen tokens by place, such as `seat_1_money="money-500 money-50"`."""
    found = {place.replace("_", "."): tuple(tokens.split()) for place, tokens in places.items()}
    return SeenTokens(found, frozenset(doubtful))


def events(state: State[Table], tokens: SeenTokens) -> list[Any]:
    """Return the events that the tokens show."""
    return list(RULES.token_events(state, tokens))


def claims(state: State[Table], tokens: SeenTokens) -> list[Any]:
    """Return the claims that the tokens suggest."""
    return list(RULES.token_claims(state, tokens))


def money_is_read(state: State[Table]) -> bool:
    """Return whether places of money may be read. All other places may always be read."""
    readable = set(RULES.readable_places(state))
    every = {place.name for place in RULES.token_places(state.table.fixed.players)}
    money = {name for name in every if name.endswith(".money")}
    assert readable in (every, every - money)
    return readable == every


# --- places ---------------------------------------------------------------------------------------


def test_each_seat_has_three_places_and_the_table_one() -> None:
    """Each seat has places for money, a purpose and its sequence token, and the table one for the auction token."""
    assert tokens_seen(RULES)
    assert RULES.token_places(2) == (
        TokenPlace("auction.token"),
        TokenPlace("seat.1.money", 14, A),
        TokenPlace("seat.1.purpose", 1, A),
        TokenPlace("seat.1.sequence", 1, A),
        TokenPlace("seat.2.money", 14, B),
        TokenPlace("seat.2.purpose", 1, B),
        TokenPlace("seat.2.sequence", 1, B),
    )
    assert len(RULES.token_places(6)) == 1 + 6 * 3


@proves("E-3", "bid_channel=hand", "bid_channel=device")
def test_money_is_not_read_while_real_fists_are_closed() -> None:
    """With real fists, money is not read until the signal. On devices it always may be."""
    assert money_is_read(lot("blind", "s300", options=HAND))
    closed = sale("blind", "s300", options=HAND)
    assert not money_is_read(closed)
    assert money_is_read(after(closed, RevealSignalled()))
    assert money_is_read(after(sale("blind", "s300"), Committed(A, 300)))
    second = after(
        sale("double_blind", "s300", options=HAND),
        RevealSignalled(),
        *[FistConfirmed(s, 300) for s in (A, B, C)],
    )
    assert not money_is_read(second)


@proves("E-7")
@pytest.mark.parametrize("channel", ["hand", "device"])
def test_money_is_not_read_before_twist_is_turned_up(channel: str) -> None:
    """Money is not read from the deal until the Twist cards are revealed, because it could reveal a hand."""
    given = table(
        2, kind="twist", deck=("s100a", "s100b", "s100c", "s100d", "s100e", "s100f"), options={"bid_channel": channel}
    )
    empty = ((), ())
    for step in (Deal(), Pick(empty, empty, (False, False)), TurnUp()):
        assert not money_is_read(at(given, step, *REST))
    turned = TwistRevealed((("s100a", "s100b", "s100c"), ("s100d", "s100e", "s100f")))
    assert money_is_read(after(at(given, TurnUp(), *REST), turned))


def test_everything_is_read_when_the_game_is_over() -> None:
    """After the game, all places may be read."""
    assert money_is_read(State(table(2), ()))


# --- money that lies there ------------------------------------------------------------------------


def lies(*amounts: int) -> dict[str, int]:
    """Return money by place, starting with seat 1."""
    return {f"seat.{seat}.money": amount for seat, amount in enumerate(amounts, 1)}


@proves("R-35", "bid_channel=hand", "bid_channel=device")
def test_what_may_lie_there_before_fists_close() -> None:
    """Before real fists close, the places must be empty or hold the first bid. On devices nothing is compared."""
    for kind in ("blind", "double_blind"):
        assert RULES.lying_money(reveal(3, kind=kind, options=HAND)) == lies(0, 0, 0)
        assert RULES.lying_money(lot(kind, "s300", options=HAND)) == lies(0, 0, 0)
        assert RULES.lying_money(sale(kind, "s300", options=HAND)) == lies(0, 0, 0)
        assert RULES.lying_money(sale(kind, "s300")) == {}
    first = after(sale("double_blind", "s300", options=HAND), RevealSignalled())
    assert RULES.lying_money(first) == {}
    second = after(first, *[FistConfirmed(seat, amount) for seat, amount in ((A, 300), (B, 700), (C, 0))])
    assert RULES.lying_money(second) == lies(300, 700, 0)
    opened = after(second, RevealSignalled())
    assert RULES.lying_money(opened) == lies(300, 700, 0)
    assert RULES.lying_money(after(opened, FistCounted(B, 50))) == {"seat.1.money": 300, "seat.3.money": 0}


def test_money_of_other_auctions_is_not_compared() -> None:
    """Money is not compared in Pass and stage two, where it may lie there until the bank takes it."""
    assert RULES.lying_money(lot("pass", "s300", options=HAND)) == {}
    assert RULES.lying_money(turn("food-50", options=HAND)) == {}
    assert RULES.lying_money(State(table(2, options=HAND), ())) == {}


def test_in_preemption_who_has_chosen_has_nothing_there() -> None:
    """In Preemption, a seat that has chosen must have no money left there."""
    given = table(kind="preemption", options=HAND, revealed=("s100", "s300"), owned=(("s100a",), (), ()))
    state = at(given, Choose(A, (B, C), (500, 400, 0)), *REST)
    assert RULES.lying_money(state) == {"seat.1.money": 0}
    closed = at(table(kind="preemption", options=HAND), Fists("preemption", A, (A, B, C), (None,) * 3), *REST)
    assert RULES.lying_money(closed) == lies(0, 0, 0)
    tied = after(closed, RevealSignalled(), *[FistConfirmed(seat, 50) for seat in (A, B, C)])
    assert RULES.lying_money(tied) == {}
    assert RULES.lying_money(after(tied, TieOrdered(A, (A, B, C)))) == {}


@proves("R-57")
def test_the_order_says_which_sequence_token_lies_where() -> None:
    """Sequence tokens are compared only in stage two, by the order of play."""
    assert RULES.ordered_tokens(lot("pass", "s300")) == {}
    assert RULES.ordered_tokens(turn("food-50", order=(C, A, B))) == {
        "seat.3.sequence": "sequence-1",
        "seat.1.sequence": "sequence-2",
        "seat.2.sequence": "sequence-3",
    }


# --- what tokens show -----------------------------------------------------------------------------


def drawing(*used: str) -> State[Table]:
    """Return the state in which A must draw an auction token."""
    return at(table(used=used), DrawToken(A))


@proves("R-12")
def test_an_auction_token_at_its_place_was_drawn() -> None:
    """The camera records the draw of exactly one unused auction token, and only when one must be drawn."""
    state = drawing("pass")
    assert events(state, seen(auction_token="auction-blind")) == [TokenDrawn("blind")]
    for tokens in (
        "",
        "auction-pass",
        "auction-blind auction-open",
        "back-auction",
        "money-50",
        "auction-blind money-50",
    ):
        assert events(state, seen(auction_token=tokens)) == []
    assert events(state, seen("auction.token", auction_token="auction-blind")) == []
    assert events(state, seen()) == []
    assert events(turn("food-50"), seen(auction_token="auction-blind")) == []


@proves("R-32a")
def test_what_open_hands_laid_down_is_counted() -> None:
    """The camera counts every new hand that it reads with certainty, even an empty one."""
    state = after(sale("blind", "s300", options=HAND), RevealSignalled(), FistCounted(C, 50))
    tokens = seen(seat_1_money="money-500 money-500 money-50", seat_2_money="", seat_3_money="money-5000")
    assert events(state, tokens) == [FistCounted(A, 1050), FistCounted(B, 0)]
    doubtful = seen("seat.1.money", seat_1_money="money-500", seat_2_money="money-50")
    assert events(state, doubtful) == [FistCounted(B, 50)]
    assert events(after(state, FistConfirmed(A, 1050)), tokens) == [FistCounted(B, 0)]
    assert events(sale("blind", "s300", options=HAND), tokens) == []


@proves("R-14", "R-32a")
def test_money_of_a_seat_that_takes_no_part_is_not_counted() -> None:
    """The camera does not count the money of a seat with three locomotives."""
    full = ((), ("s100", "s100", "s100"), ())
    state = after(sale("blind", "s300", options=HAND, owned=full), RevealSignalled())
    assert events(state, seen(seat_2_money="money-500")) == []


@proves("R-16", "R-32a")
def test_more_than_a_seat_has_is_counted_and_refused() -> None:
    """The camera counts an amount above the seat's cash too, and leaves the refusal to the rules."""
    state = after(sale("blind", "s300", options=HAND, cash=(5000, 400, 5000)), RevealSignalled())
    assert events(state, seen(seat_2_money="money-500")) == [FistCounted(B, 500)]


@proves("R-33", "R-35", "R-32a")
def test_the_second_hand_is_what_was_added() -> None:
    """The second bid is the money added to the first, and less money than the first bid is not counted."""
    first = [FistConfirmed(seat, amount) for seat, amount in ((A, 300), (B, 700), (C, 0))]
    state = after(sale("double_blind", "s300", options=HAND), RevealSignalled(), *first, RevealSignalled())
    tokens = seen(seat_1_money="money-100 money-100 money-100", seat_2_money="money-500", seat_3_money="money-1000")
    assert events(state, tokens) == [FistCounted(A, 0), FistCounted(C, 1000)]


# --- what tokens suggest --------------------------------------------------------------------------


def ripe(**fields: Any) -> State[Table]:
    """Return a turn in which A has met P-4."""
    return turn("food-50", met=(bit("P-4"), 0, 0), ripe=True, **fields)


@proves("R-73")
def test_a_fulfilled_purpose_that_lies_open_is_a_claim() -> None:
    """An open token of a fulfilled purpose suggests a claim to its seat, but causes no event."""
    state = ripe()
    assert claims(state, seen(seat_1_purpose="purpose-P-4")) == [Claimed(A, "P-4")]
    assert events(state, seen(seat_1_purpose="purpose-P-4")) == []
    for place in ("seat_2_purpose", "seat_1_sequence", "seat_1_money"):
        assert claims(state, seen(**{place: "purpose-P-4"})) == []


@proves("R-73", "E-2")
def test_a_claim_that_the_rules_refuse_is_not_suggested() -> None:
    """A token suggests no claim if it is unmet, claimed, face down, uncertain or not alone, or after the end."""
    state = ripe()
    for tokens in ("purpose-P-5", "back-purpose", "purpose-P-4 purpose-P-5", "purpose-P-99", ""):
        assert claims(state, seen(seat_1_purpose=tokens)) == []
    assert claims(state, seen("seat.1.purpose", seat_1_purpose="purpose-P-4")) == []
    lying = seen(seat_1_purpose="purpose-P-4")
    assert claims(after(state, Claimed(A, "P-4")), lying) == []
    assert claims(State(state.table, ()), lying) == []


@proves("E-2")
def test_a_claim_does_not_depend_on_what_others_hold() -> None:
    """A suggested claim does not depend on other seats' purposes."""
    lying = seen(seat_1_purpose="purpose-P-4")
    for held in ({1: ("P-4", "P-5", "P-6")}, {1: ("P-7", "P-8", "P-9")}, None):
        assert claims(ripe(held=held), lying) == [Claimed(A, "P-4")]


def test_money_tells_nothing_of_a_nomination() -> None:
    """Tokens cause no event outside open hands and draws."""
    state = lot("blind", "s300", options=HAND)
    assert events(state, seen(seat_1_money="money-500", auction_token="auction-open")) == []
    assert events(after(state, nominated(A, "s300")), seen(seat_1_money="money-500")) == []
    assert events(State(table(2), ()), seen(seat_1_money="money-500")) == []
