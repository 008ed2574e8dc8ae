"""Nobody may learn another seat's cards: the views of others stay the same after hidden cards are swapped (§7)."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.engine import Event, Seat, State, apply, legal, rule
from companion.games.trains.bot import PLAIN, POLICY
from companion.games.trains.events import CardRevealed, CardsDrawn, Played, TopSeen
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table
from tests.games.proofs import proves
from tests.games.trains.build import KINGDOM, A, B, on_small_map, turn
from tests.games.trains.swapping import swapped
from tests.games.trains.test_properties import strays
from tests.games.trains.walk import play, setup_of

HOLDINGS = {
    "maintenance_factory": (("express_train",), ("lay_rails",)),
    "wagon_factory": (("normal_train",), ("waste",)),
    "pulling": ((), ()),
    "stationmasters_office": ((), ()),
}
"""By card, a hand with which its text is possible and one with which it is not."""
PILES = {"pulling": (("express_train",), ("lay_rails",)), "stationmasters_office": (("express_train",), ("lay_rails",))}
"""By card, a discard pile with which its text is possible and one with which it is not."""
IN_PLAY = {"stationmasters_office": ("pulling",)}
"""Maps each card to the cards played before it."""


@proves("E-5", "A-07")
@pytest.mark.usefixtures("on_small_map")
@pytest.mark.parametrize("card", sorted(HOLDINGS))
def test_others_do_not_see_whether_a_text_is_possible(card: str) -> None:
    """Effects and the views of others do not depend on whether the hand or the discard pile makes a text possible."""
    kingdom = tuple(dict.fromkeys((card, *KINGDOM)))[:8]
    seen = []
    for hand, pile in zip(HOLDINGS[card], PILES.get(card, ((), ())), strict=True):
        before = turn((card, *hand), discard=pile, play=IN_PLAY.get(card, ()), kingdom=kingdom)
        after = apply(RULES, before, Played(A, card))
        seen.append((RULES.view(after, None), RULES.view(after, B), after.effects))
        assert after.agenda[0].awaits(after.table) == (A,)
    assert seen[0] == seen[1]


def told(state: State[Table], seat: Seat | None) -> bytes:
    """Return the view and its offers as bytes."""
    return msgspec.json.encode(RULES.view(state, seat), enc_hook=lambda kind: kind.__name__)


def legal_in(worlds: list[State[Table]]) -> list[Event]:
    """Return events that are legal in both states and contain no hidden card."""
    events = [event for offer in legal(RULES, worlds[0]) for event in islice(offer, 8)]
    shared = [event for event in events if rule(RULES, worlds[1], event) is None]
    return [event for event in shared if not isinstance(event, CardsDrawn | TopSeen | CardRevealed)]


def everything(state: State[Table], viewer: Seat, tried: list[Event]) -> list[Any]:
    """Return the views of the seat and the public, the bots' choices, and the effects and views after each event."""
    said: list[Any] = [told(state, viewer), told(state, None)]
    said += [policy.choose(policy.look(state, viewer), random.Random(1).random) for policy in (POLICY, PLAIN)]
    for event in tried:
        after = apply(RULES, state, event)
        said += [after.effects, told(after, viewer), told(after, None)]
    return said


@proves("F-9", "E-1", "E-2", "E-4", "E-6")
@pytest.mark.parametrize("players", RULES.seats)
def test_nobody_is_told_what_is_hidden(players: int) -> None:
    """Changing hidden cards changes no view, offer or effect, no public refusal and no choice of a bot."""
    luck = random.Random(players)
    setup = replace(setup_of(players, players), deck="dealt")
    for state, _, _ in islice(play(setup, players), 20, 900, 11):
        viewer = Seat(luck.randrange(players))
        worlds = [swapped(state, viewer, luck) for _ in range(2)]
        tried = legal_in(worlds)
        assert everything(worlds[0], viewer, tried) == everything(worlds[1], viewer, tried)
        for event in [strays(luck) for _ in range(12)]:
            first, second = [rule(RULES, world, event) for world in worlds]
            assert first == second or getattr(event, "seat", viewer) != viewer
            whys = [said for said in (first, second) if said is None or said.audience is not None]
            assert whys or first == second, event


__all__ = ["on_small_map"]
