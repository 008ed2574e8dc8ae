"""Nobody may learn another seat's hand or the face of a locomotive (§6)."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from companion.demo_records import own_fields, public_fields
from companion.engine import Seat, Setup, State
from companion.games.express import events as ev
from companion.games.express.rules import RULES
from companion.games.express.table import Table
from tests.games.express.build import A, B, C, D, after, laid, offered, why
from tests.games.express.swapping import swapped
from tests.games.express.walk import play
from tests.games.proofs import proves

SEEN_CARDS = 500
"""Number of events of a random game after which all views are compared."""


def said(state: State[Table], seat: Seat | None) -> Any:
    """Return everything that pages receive of a view."""
    view = RULES.view(state, seat)
    plain = public_fields(view) if seat is None else own_fields(view)
    return msgspec.json.encode(view), msgspec.json.encode(plain), RULES.layout(state), RULES.facts(state)


@proves("E-1", "E-2", "E-3")
@pytest.mark.parametrize("players", [2, 4])
def test_no_view_depends_on_what_is_hidden(players: int) -> None:
    """Exchanging hidden hands, locomotives and the pile changes neither the public view nor any other seat's view."""
    luck = random.Random(players)
    viewers: list[Seat | None] = [None, *[Seat(seat) for seat in range(players)]]
    for number, (_, _, state) in enumerate(play(Setup(RULES.name, players, {"hands": 1}), players)):
        if number > SEEN_CARDS:
            break
        for viewer in viewers:
            assert said(state, viewer) == said(swapped(state, viewer, luck), viewer)


@proves("E-1", "E-2")
def test_what_a_seat_sees() -> None:
    """A seat sees its own hand and, in its laying phase, its side's locomotives, but not its partner's hand."""
    state = laid({0: "hopper coach", 2: "reefer wild"}, {0: ["dome"]}, players=4)
    assert RULES.view(state, A).own_cards == ("hopper", "coach")
    assert RULES.view(state, A).own_locomotives == ((1, "box_car"),)
    assert RULES.view(state, A).partner_cards == ()
    for other in (B, C, D, None):
        view = RULES.view(state, other)
        assert view.own_locomotives == () and "coach" not in view.own_cards
        assert view.hands == (2, 0, 2, 0)


@proves("E-4", "partners_see=hands", "partners_see=trains")
def test_partners_may_see_one_anothers_hands_by_option() -> None:
    """Only partners see each other's hands, and only with the option."""
    hands = {0: "hopper coach", 2: "reefer wild"}
    state = laid(hands, players=4, partners_see="hands")
    assert RULES.view(state, A).partner_cards == ((C, ("reefer", "wild")),)
    assert RULES.view(state, B).partner_cards == ((D, ()),)
    assert RULES.view(state, None).partner_cards == ()
    assert RULES.view(laid(hands, players=4, partners_see="trains"), A).partner_cards == ()


@proves("E-2", "R-08")
def test_a_known_card_laid_face_down_is_known_no_more() -> None:
    """Everybody sees a taken discard, but nobody can know whether it became a locomotive."""
    state = laid({0: "hopper reefer"}, discard="dome", phase="draw")
    state = after(state, ev.DiscardTaken(A, "dome"))
    assert "dome" in state.table.zones.view_of("hand.0", B)
    for locomotive in ("dome", "reefer"):
        now = after(state, ev.TrainBegun(A, "hopper", locomotive)).table.zones
        assert now.view_of("hand.0", B) == now.view_of("locomotive.0.1", None) == (None,)


@proves("E-5", "R-23")
def test_the_question_for_protection_tells_nothing() -> None:
    """The victim is asked with or without the card, and only its own page shows the difference."""
    views = []
    for card in ("boom", "reefer"):
        state = laid({0: "derailment hopper", 1: card}, {})
        state = after(state, ev.DisasterPlayed(A, "derailment", B))
        views.append((said(state, None), said(state, A)))
        assert len(offered(state, B)) == (2 if card == "boom" else 1)
    assert views[0] == views[1]


@proves("E-1", "E-2")
def test_secret_fields_and_what_reveals() -> None:
    """Deals, draws and locomotives have secret fields, and a refusal about a hand goes to its seat alone."""
    state = laid({0: "hopper"})
    assert RULES.secret(state, ev.HandsDealt(())) == RULES.secret(state, ev.CardsDrawn(A, ())) == ("cards",)
    assert RULES.secret(state, ev.TrainBegun(A, "hopper", "coach")) == ("locomotive",)
    assert RULES.secret(state, ev.LocomotiveExchanged(A, 1, "coach")) == ("card",)
    assert RULES.secret(state, ev.Discarded(A, "hopper")) == ()
    assert RULES.reveals(ev.CardsDrawn(A, ()), state) and not RULES.reveals(ev.PartnerAsked(A), state)
    assert why(state, ev.Discarded(A, "coach")) == ("R-07", "not_in_hand", A)
