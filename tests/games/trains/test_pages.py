"""Test the texts and facts on the pages of Trains: names, cells, choices and a seat's own deck."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.engine import Event, Player, Seat, Setup, apply
from companion.games import game_words, teller_of
from companion.games.trains import events as ev
from companion.games.trains.rules import RULES
from tests.games.trains.build import KINGDOM, A, B, on_small_map, turn

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"))
TELLER = teller_of(RULES)
EN, FR = game_words(RULES, "en"), game_words(RULES, "fr")


def test_both_editions_have_names_of_their_own() -> None:
    """The edition of the match determines a card's name."""
    tables = [RULES.begin(Setup("trains", 2, options={"edition": each})).table for each in ("okazu", "later")]
    said = [
        [TELLER.card_name(card, words, table) for table in tables]
        for words in (EN, FR)
        for card in ("tower", "viaduct")
    ]
    assert said == [
        ["Large Building", "Tower"], ["Viaduct", "Viaduct"], ["Grand immeuble", "Immeuble"], ["Viaduc", "Viaduc"],
    ]  # fmt: skip


def test_a_cell_is_called_as_on_the_board_of_the_match() -> None:
    """The board of the match determines a cell's name: B3 is one town in Tokyo and another in Osaka."""
    tables = [RULES.begin(Setup("trains", 2, options={"board": board})).table for board in ("tokyo", "osaka")]
    assert [TELLER.cell_name("B3", EN, table) for table in tables] == ["Tokorozawa (B3)", "Ikeda (B3)"]


@pytest.mark.parametrize(
    ("event", "told", "chosen"),
    [
        (ev.TurnPassed(A, 0), "Jane passes.", "Pass"),
        (ev.TurnPassed(A, 2), "Jane passes and returns 2 Waste.", "Pass and return 2 Waste"),
        (ev.WasteReturned(A, 0), "Jane returns no Waste.", "Return no Waste"),
        (ev.CardsDiscarded(A, ()), "Jane discards nothing.", None),
        (ev.CrewSent(A, "coin"), "Jane has the crew bring 1 coin.", "Bring 1 coin"),
        (
            ev.RevealedTaken(A, None, ("waste", "tunnel")),
            "Jane takes none and puts back, the last one on top: Waste and Tunnel.", None,
        ),
        (ev.RevealedTaken(A, "tunnel", ()), "Jane takes Tunnel.", None),
        (ev.Rebuilt(A, "waste", "express_train"), "Jane turns Waste into Express Train.", "Waste → Express Train"),
    ],
)  # fmt: skip
def test_sentences(event: Event, told: str, chosen: str | None) -> None:
    """Log and buttons have their own sentences for zero and for nothing."""
    assert TELLER.tell(event, (), PLAYERS, EN) == [told]
    assert chosen is None or TELLER.choice(event, PLAYERS, EN) == chosen


@pytest.mark.usefixtures("on_small_map")
def test_a_button_says_what_the_card_would_do() -> None:
    """The button describes the text of the last card in play, and for an office the copied text."""
    kingdom = tuple(dict.fromkeys(("control_room", "stationmasters_office", *KINGDOM)))[:8]
    state = apply(RULES, turn(("control_room",), kingdom=kingdom), ev.Played(A, "control_room"))
    assert (RULES.view(state, B).resolving, TELLER.choice(ev.Applied(A), PLAYERS, EN, state.table)) == (
        "control_room", "Draw 3 cards",
    )  # fmt: skip
    state = turn(("stationmasters_office",), play=("control_room",), kingdom=kingdom)
    for event in (ev.Played(A, "stationmasters_office"), ev.CardChosen(A, "control_room")):
        state = apply(RULES, state, event)
    assert (RULES.view(state, None).resolving, TELLER.choice(ev.Applied(A), PLAYERS, FR, state.table)) == (
        "control_room", "Pioche 3 cartes",
    )  # fmt: skip


@pytest.mark.usefixtures("on_small_map")
def test_a_seat_knows_what_its_deck_is_made_of() -> None:
    """A seat's hand, discard pile and unseen cards add up to all it owns, and nobody else sees them."""
    state = turn(("lay_rails", "waste"), discard=("express_train",), play=("normal_train",))
    own = RULES.view(state, A)
    seen = Counter(own.own_cards) + Counter(dict(own.own_discard)) + Counter(state.table.played)
    assert seen + Counter(dict(own.own_unseen)) == Counter(dict(own.own_deck)) == Counter(state.table.owned[A])
    assert own.own_discard == (("express_train", 1),)
    for seat in (None, Seat(1)):
        view = RULES.view(state, seat)
        assert "express_train" not in {*dict(view.own_deck), *dict(view.own_discard), *dict(view.own_unseen)}


@pytest.mark.usefixtures("on_small_map")
def test_a_seat_sees_the_top_card_that_it_has_looked_at() -> None:
    """Only the owner sees the top card of its deck, and only after looking at it."""
    kingdom = tuple(dict.fromkeys(("signals", *KINGDOM)))[:8]
    state = turn(("signals",), deck=("express_train", "waste", "waste"), kingdom=kingdom)
    for event in (ev.Played(A, "signals"), ev.Applied(A), ev.CardsDrawn(A, ("waste",)), ev.TopSeen(A, "express_train")):
        assert RULES.view(state, A).own_top == ""
        state = apply(RULES, state, event)
    assert [RULES.view(state, seat).own_top for seat in (A, B, None)] == ["express_train", "", ""]


__all__ = ["on_small_map"]
