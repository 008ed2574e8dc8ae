"""Nobody learns what another seat holds: hidden cards are swapped, and all that others see stays the same (§7)."""

from __future__ import annotations

import pytest

from companion.engine import apply
from companion.games.trains import GAME
from companion.games.trains.events import Played
from tests.games.trains.build import KINGDOM, A, B, on_small_map, turn

HOLDINGS = {
    "maintenance_factory": (("express_train",), ("lay_rails",)),
    "wagon_factory": (("normal_train",), ("waste",)),
    "pulling": ((), ()),
    "stationmasters_office": ((), ()),
}
"""By card, two hands with which its text is possible and impossible."""
PILES = {"pulling": (("express_train",), ("lay_rails",)), "stationmasters_office": (("express_train",), ("lay_rails",))}
"""By card, two discard piles with which its text is possible and impossible."""
IN_PLAY = {"stationmasters_office": ("pulling",)}
"""By card, what was played before it."""


@pytest.mark.usefixtures("on_small_map")
@pytest.mark.parametrize("card", sorted(HOLDINGS))
def test_others_do_not_see_whether_a_text_is_possible(card: str) -> None:
    """The same effects, the same views of the public and of another seat, whatever the hand or the pile holds."""
    kingdom = tuple(dict.fromkeys((card, *KINGDOM)))[:8]
    seen = []
    for hand, pile in zip(HOLDINGS[card], PILES.get(card, ((), ())), strict=True):
        before = turn((card, *hand), discard=pile, play=IN_PLAY.get(card, ()), kingdom=kingdom)
        after = apply(GAME, before, Played(A, card))
        seen.append((GAME.view(after, None), GAME.view(after, B), after.effects))
        assert after.agenda[0].awaits(after.table) == (A,)
    assert seen[0] == seen[1]


__all__ = ["on_small_map"]
