"""Ground truth: the presses, taps and moved cards for each event, over whole games of bots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest

from companion.demo.acts import Act, LayTokens, MoveCard, PressButton, Rest, TakeClaim, TapPage
from companion.demo.ground_truth import GroundTruth
from companion.demo.physical_table import PhysicalTable
from companion.demo_records import PageState, own_fields, public_fields
from companion.engine import Event, Layout, Piece, Seat, Setup, by_cell, follow
from companion.engine.layout import cell_places
from companion.games import SEEN
from companion.games.express.events import HandCalled
from companion.games.take_a_train import events as ev

GAME = SEEN["take-a-train"]


def truth(players: int, seed: int, **options: Any) -> GroundTruth:
    """Return a match that has just begun."""
    return GroundTruth(GAME, Setup("take-a-train", players, options), seed)


def acts_for(here: GroundTruth, event: Event, lying: PhysicalTable) -> Iterator[Act]:
    """Yield the actions of an event, then those of its cards and tokens; the caller must apply each one to `lying`."""
    before = here.state
    yield from here.clear(before, event, lying)
    yield from here.use_tokens(before, (event,), lying)
    yield from here.announce(before, event)
    yield from here.moves(before, event, lying)
    here.state = follow(here.game, before, event)
    yield from here.settle_tokens(lying)
    here.state = before


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (6, 1)])
@pytest.mark.parametrize("options", [{}, {"reveal": "signal", "counting": "companion"}, {"bid_channel": "hand"}])
def test_every_event_is_done_somehow_and_the_cards_follow(players: int, seed: int, options: dict[str, str]) -> None:
    """Each event is pressed, tapped or shown, never two of these, and afterwards the cards match the rules."""
    here, lying = truth(players, seed, **options), PhysicalTable(GAME.places(players))
    waits = 0
    while not here.state.over:
        event, before = here.decide(), here.state
        assert event is not None
        acts = []
        for act in acts_for(here, event, lying):
            acts.append(act)
            if isinstance(act, MoveCard):
                lying.do(act)
            elif isinstance(act, LayTokens):
                lying.tokens[act.place] = act.tokens
        pressed, tapped, claimed = (
            [act for act in acts if isinstance(act, kind)] for kind in (PressButton, TapPage, TakeClaim)
        )
        shown = here.made_with_cards(before, event) or here.made_with_tokens(event)
        by_companion = here.pressing_seats(before, event) == ()
        waits += by_companion
        assert bool(pressed) + bool(tapped) + bool(claimed) + shown + by_companion == 1
        assert all(each.event == event for each in tapped)
        here.apply(event)
        layout = here.layout()
        assert layout.loose or lying.mismatched_places(layout) == ()
    assert bool(waits) == ("open" in here.state.table.used and options.get("counting") == "companion")


def test_a_hand_is_cleared_away_before_the_next_one_is_dealt() -> None:
    """Cards of a hand are removed before the next deal, because the companion would report every leftover card."""
    game = SEEN["express"]
    here = GroundTruth(game, Setup("express", 2, {"hands": 2}), 3)
    lying = PhysicalTable(game.places(2))
    while True:
        event, before = here.decide(), here.state
        assert event is not None
        acts = list(here.clear(before, event, lying))
        if isinstance(event, HandCalled):
            break
        assert acts == []
        for act in here.moves(before, event, lying):
            if isinstance(act, MoveCard):
                lying.do(act)
        here.apply(event)
    left = sum([len(cards) for cards in lying.cards.values()])
    moved = [act for act in acts if isinstance(act, MoveCard)]
    assert acts == [*moved, Rest()] and len(moved) == left > 0
    assert not any(move.place for move in moved)


def test_bin_lies_there_before_the_market_is_cleared() -> None:
    """The table rests with Bin in the market, and again after the market is cleared (R-67a)."""
    for seed in range(40):
        here, lying = truth(2, seed), PhysicalTable(GAME.places(2))
        while not here.state.over:
            event = here.decide()
            assert event is not None
            seen = []
            for act in acts_for(here, event, lying):
                if isinstance(act, MoveCard):
                    lying.do(act)
                elif isinstance(act, Rest) and not act.seconds:
                    seen.append("bin" in lying.spot("market").up)
            here.apply(event)
            if isinstance(event, ev.CardsRevealed) and "bin" in event.cards:
                assert seen[:2] == [True, False]
                return
    raise AssertionError("Bin never turned up")


def test_a_view_that_differs_is_told_by_its_fields() -> None:
    """The difference between two views is reported as field names, and the order of the market does not count."""
    here = truth(2, 1)
    while not here.state.table.market or None in here.state.table.market:
        event = here.decide()
        assert event is not None
        here.apply(event)
    view = public_fields(GAME.view(here.state, None))
    mine = own_fields(GAME.view(here.state, Seat(1)))
    turned = view | {"market": view["market"][::-1]}
    assert here.differs(PageState(turned, {1: mine})) == ()
    assert here.differs(PageState(turned | {"bank": 7}, {1: mine | {"cash": 50}})) == ("bank", "seat 2.cash")


def test_hands_move_cards_and_pieces_of_a_board() -> None:
    """Cards and pieces on the board match the rules after every event of a game."""
    game = SEEN["hill-and-harbour"]
    here = GroundTruth(game, Setup(game.name, 3), 2)
    lying = PhysicalTable((*game.places(3), *cell_places(game.boards[0])))
    while not here.state.over:
        event = here.decide()
        assert event is not None
        for act in acts_for(here, event, lying):
            if isinstance(act, MoveCard):
                lying.do(act)
        here.apply(event)
        assert lying.mismatched_places(here.layout()) == ()


def test_layouts_in_between_leave_the_pieces() -> None:
    """Pieces stay where they are if an intermediate layout does not mention them."""
    game = SEEN["hill-and-harbour"]
    here = GroundTruth(game, Setup(game.name, 2), 2)
    lying = PhysicalTable((*game.places(2), *cell_places(game.boards[0])))
    cube = Layout(here.layout().spots, pieces=by_cell([Piece("cube", Seat(0), "A1")]))
    with (
        patch.object(type(game), "layout", lambda *_: cube),
        patch.object(type(game), "resting_layouts", lambda *_: (Layout(cube.spots),)),
    ):
        for move in lying.moves(cube):
            lying.do(move)
        event = here.decide()
        assert event is not None
        assert not [act for act in here.moves(here.state, event, lying) if isinstance(act, MoveCard)]
