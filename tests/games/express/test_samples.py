"""Replay the sample games turn by turn and compare the cards, points and hashes with results worked out by hand."""

from __future__ import annotations

from itertools import pairwise

import pytest

from companion.engine import Seat, State
from companion.games.express.rules import RULES
from companion.games.express.table import DISCARD, PILE, SLOT, Table
from companion.games.express.view import side_view
from tests.games import samples
from tests.games.express.build import A, B, C
from tests.games.proofs import proves

ENDS: dict[str, tuple[tuple[int, ...], tuple[Seat, ...]]] = {
    "alone": ((34, -9), (A,)),
    "partners": ((170, 4, 170, 4), (A, C)),
    "real_cards": ((36, 2), (A,)),
}
"""Points of all seats and the winners, as worked out by hand in `samples/README.md`."""


def turns(name: str) -> list[tuple[Seat, State[Table]]]:
    """Return each turn's seat and the state after it."""
    states = samples.replay(RULES, name)
    return [
        (before.table.turn, after)
        for before, after in pairwise(states)
        if after.table.turns > before.table.turns or after.table.over > before.table.over
    ]


@proves("R-26", "S-02", "S-05", "S-08")
@pytest.mark.parametrize("name", ENDS)
def test_a_sample_ends_as_reckoned(name: str) -> None:
    """Points and winners match those worked out by hand."""
    state = samples.replay(RULES, name)[-1]
    assert state.over
    assert (RULES.scores(state), RULES.winners(state)) == ENDS[name]


def test_every_sample_is_reckoned() -> None:
    """Every sample journal has an expected result above."""
    assert sorted(ENDS) == list(samples.names(RULES))


@proves("R-25")
def test_a_lone_locomotive_may_make_a_hand_too_large() -> None:
    """Bill holds six cards after a theft, and is down to four at the end of his own turn."""
    rows = turns("alone")
    assert [state.table.hand(B) for _, state in rows[5:7]] == [6, 4]


@pytest.mark.parametrize("name", ENDS)
def test_the_tables_of_the_readme_are_the_turns(name: str) -> None:
    """Each row of the tables matches the hand, pile, discard, slot and points after that turn."""
    shown = []
    for seat, state in turns(name):
        table, count = state.table, state.table.zones.count
        points = side_view(table, table.fixed.sides.side_of(seat)).points
        left = (table.hand(seat), count(PILE), count(DISCARD), count(SLOT), points)
        shown.append([("Jane", "Bill", "Tom", "Ann")[seat], *map(str, left)])
    assert [[row[0], *row[2:]] for row in samples.table_of(RULES, name)] == shown
