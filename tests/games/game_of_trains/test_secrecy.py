"""Test that views and events hide secrets, and that an undo respects what players have seen."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

from hypothesis import given
from msgspec.structs import replace

from companion.engine import Event, Seat, Setup, State, legal, rule
from companion.games.game_of_trains.events import (
    CardDrawn,
    Drew,
    FirstNamed,
    HandsDrawn,
    Kept,
    LineDealt,
    Placed,
    Refilled,
)
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.table import Table
from companion.match.history import History, Rewound
from companion.match.secrecy import public_events, secret_fields
from tests.games.game_of_trains.build import FALLING, A, B, C, after, at, holding, table, turn
from tests.games.game_of_trains.swapping import attempts, swapped
from tests.games.game_of_trains.walk import bounded, play, seeds, setups, view_bytes
from tests.games.proofs import proves

HANDS = ((1,), (2, 3), (17, 18, 19))


@proves("E-1")
def test_a_drawn_card_is_its_drawers_until_it_is_placed() -> None:
    """A drawn card appears only on its drawer's page, and in no log, until it is placed face up."""
    seen, other = holding(40), holding(41)
    for viewer in (None, B, C):
        assert view_bytes(seen, viewer) == view_bytes(other, viewer)
    assert [card.number for card in RULES.view(seen, A).hand] == [40]
    drawing = after(turn(), Drew(A))
    assert RULES.secret(drawing, CardDrawn(40)) == ("card",)
    placed = after(drawing, CardDrawn(40), Placed(A, 3))
    assert RULES.newly_public([Placed(A, 3), CardDrawn(40), Drew(A)], placed.effects) == (1,)
    assert RULES.newly_public([CardDrawn(40), Drew(A)], ()) == ()
    assert RULES.newly_public([Placed(A, 3), Drew(A)], ()) == ()
    assert RULES.newly_public([], ()) == ()


@proves("E-2")
def test_hands_of_the_set_up_are_their_drawers() -> None:
    """Each seat sees only its own cards in the set-up, and nobody sees the rejected ones."""
    choose = Choose((A, B, C))
    one, two = at(table(3, hands=HANDS), choose), at(table(3, hands=((1,), (2, 4), (20, 18, 19))), choose)
    assert view_bytes(one, A) == view_bytes(two, A)
    assert view_bytes(one, None) == view_bytes(two, None)
    assert [card.number for card in RULES.view(one, B).hand] == [2, 3]
    assert RULES.secret(one, HandsDrawn(HANDS)) == ("hands",)
    assert RULES.secret(one, Kept(A, 1, 1)) == ()
    assert view_bytes(turn(rejected=(20,)), None) == view_bytes(turn(rejected=(28,)), None)


@proves("E-1", "E-2")
def test_an_export_of_an_unfinished_match_hides_what_is_hidden() -> None:
    """An unfinished export hides hands, and a drawn card until it is placed. It stays public after an undo."""
    line = History(RULES, Setup("game-of-trains", 2))
    for event in (LineDealt(A, FALLING[0]), LineDealt(B, FALLING[1]), FirstNamed(A), HandsDrawn(((1,), (2, 3)))):
        line.add(event)
    for event in (Kept(A, 1, 1), Kept(B, 2, 1), Drew(A), CardDrawn(40)):
        line.add(event)
    hands, card = line.nodes[3], line.nodes[-1]
    assert secret_fields(line, hands, public_events(line)) == {"hands"}
    assert secret_fields(line, card, public_events(line)) == {"card"}
    line.add(Placed(A, 3))
    assert secret_fields(line, hands, public_events(line)) == {"hands"}
    assert secret_fields(line, card, public_events(line)) == set()
    line.add(Rewound(card.entry.seq))
    assert secret_fields(line, card, public_events(line)) == set()


@proves("E-3")
def test_the_piles_order_is_nobodys() -> None:
    """No view depends on the order of the pile."""
    one = turn()
    zones = replace(one.table.zones, pools=(one.table.zones.pools[0][::-1],))
    two = replace(one, table=replace(one.table, zones=zones))
    for viewer in (None, A, B, C):
        assert view_bytes(one, viewer) == view_bytes(two, viewer)


@proves("E-4")
def test_the_discard_is_a_number() -> None:
    """Pages show how many cards the discard has, but not which."""
    one, two = turn(discard=(2, 9), pile=(40, 41)), turn(discard=(9, 2), pile=(42, 44))
    assert view_bytes(one, None) == view_bytes(two, None)


@proves("E-5")
def test_what_was_turned_up_cannot_be_unlearned() -> None:
    """Events that reveal a card are marked, because undoing them requires everybody's consent."""
    state = turn()
    for event in (LineDealt(A, (7, 6, 5, 4, 3, 2, 1)), HandsDrawn(HANDS), CardDrawn(1), Refilled(A, 1, 2)):
        assert RULES.reveals(event, state)
    for event in (Drew(A), Placed(A, 1), Kept(A, 1, 1)):
        assert not RULES.reveals(event, state)
    assert not RULES.has_sealed(state)
    assert RULES.interruption(state, "restart") is None
    assert RULES.no_longer_shown(state, state, CardDrawn(1)) == ()


@proves("E-1", "E-2", "E-3", "E-6", "F-12")
@given(setups(), seeds())
@bounded(25)
def test_nobody_is_told_what_is_hidden(setup: Setup, seed: int) -> None:
    """Changing another seat's hand or the pile changes no view, offer or refusal of a seat, and no public refusal."""
    luck = random.Random(seed)
    for state, _, _ in play(setup, seed, 120):
        if luck.random() > (0.5 if isinstance(state.agenda[0], Place | Choose) else 0.05):
            continue
        for viewer, other in luck.sample(list(permutations(range(len(setup.seated())), 2)), 2):
            one, two = swapped(state, other, luck), swapped(state, other, luck)
            tried = list(attempts(one, Seat(viewer), luck))
            assert everything(one, Seat(viewer), tried) == everything(two, Seat(viewer), tried)
            tried = list(attempts(one, Seat(other), luck))
            ruled = [[rule(RULES, world, event) for event in tried] for world in (one, two)]
            for event, first, second in zip(tried, *ruled, strict=True):
                hidden_why = [said for said in (first, second) if said is None or said.audience is not None]
                assert hidden_why or first == second, event


def everything(state: State[Table], seat: Seat, tried: list[Event]) -> list[Any]:
    """Return the views, offers and refusals that the seat receives, with the public view."""
    own = [event for offer in legal(RULES, state) if offer.by == seat for event in offer]
    return [view_bytes(state, seat), view_bytes(state, None), own, [rule(RULES, state, event) for event in tried]]


def test_help_says_what_a_card_can_do_and_costs() -> None:
    """For every pool card, help lists its uses in the seat's line and the padlocks that each would cost."""
    me = RULES.view(turn(A, pool=(1, 4, 5, 8), locks={(B, 4): 16}), B)
    assert [(each.card.rule, len(each.uses)) for each in me.help] == [("B-1", 6), ("B-4", 5), ("B-5", 1), ("B-8", 2)]
    assert [use.loses for use in me.help[0].uses] == [(), (), (4,), (4,), (), ()]
    assert [use.loses for use in me.help[1].uses] == [(), (4,), (4,), (4,), ()]
    assert (me.risky, me.offers) == ((4,), ())
    assert me.table.seats[B].locks == (4,)
