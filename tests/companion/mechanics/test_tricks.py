"""Tricks at a table of three, with six cards of two suits and a trump."""

from __future__ import annotations

from companion.engine import Reason, Seat
from companion.mechanics.tricks import TRICK, Objections, TrickTable, best_of, rank_of, suit_of
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import hand_of

A, B, C = Seat(0), Seat(1), Seat(2)
KEYS = {"must_follow": ("seat",), "already_played": (), "in_another_hand": ("seat",), "did_not_follow": ("seat",)}


class Table(TrickTable, frozen=True, dict=True):
    """A table with six cards."""

    deck = ("red-1", "red-2", "red-3", "blue-1", "blue-2", "blue-3")
    objections = Objections(*[Reason("R-1", key, "card", *more) for key, more in KEYS.items()])


def table(*dealt: str) -> Table:
    """Return a table with two cards in each hand, real ones if no card is named, and seat A in the lead."""
    hands = {hand_of(seat): only(seat) for seat in (A, B, C)}
    zones = Zones.of({"pile": HIDDEN, TRICK: OPEN, "taken": OPEN, **hands}, {"pile": Table.deck})
    return Table(bool(dealt), zones.deal("pile", dict.fromkeys(hands, 2), dealt), A, ((),) * 3)


def key(of: Table, card: str) -> tuple[str, Seat | None]:
    """Return the reason against a card, and the seat that may read it."""
    said = of.objection(card)
    assert said is not None
    return said.key, said.audience


def test_names_have_a_suit_and_a_rank() -> None:
    """A trump wins the trick, and without one the highest card of the led suit wins."""
    assert (suit_of("red-12"), rank_of("red-12")) == ("red", 12)
    assert best_of(("red-2", "blue-3", "red-12"), "blue") == 1 and best_of(("red-2", "blue-3", "red-12"), "") == 2


def test_a_seat_follows_and_its_winner_leads() -> None:
    """A seat must follow suit if it can, and the winner leads the next trick."""
    state = table("red-1", "blue-1", "red-2", "blue-2", "blue-3", "red-3").laid("red-1")
    assert state.turn == B and state.playable == ("red-2",)
    assert key(state, "blue-2") == ("must_follow", B) and key(state, "blue-1") == ("in_another_hand", B)
    assert key(state, "red-1") == ("already_played", None)
    state = state.laid("red-2").laid("red-3")
    assert state.winner("blue") == C and state.lying == ("red-1", "red-2", "red-3")
    state = state.taken(C, "taken")
    assert (state.turn, state.trick, state.last) == (C, (), ("red-1", "red-2", "red-3"))
    assert state.laid("blue-3").last == ()


def test_real_cards_must_fit_into_some_deal() -> None:
    """If B and C did not follow red, A would hold three red cards in two places, so C must follow."""
    state = table().laid("red-1").laid("blue-1")
    assert state.voids == ((), ("red",), ())
    assert state.objection("blue-2") is None and not state.can_be("blue-2")
    assert state.playable == ("red-2", "red-3")
    state = state.laid("red-2").taken(B, "taken")
    assert key(state, "red-3") == ("did_not_follow", None) and state.playable == ("blue-2", "blue-3")
