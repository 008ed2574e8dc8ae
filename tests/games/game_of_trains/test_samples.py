"""Replay whole sample games and compare the cards, hashes and winners with results worked out by hand."""

from __future__ import annotations

import re

import pytest

from companion.games.game_of_trains.events import Won
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.table import Line
from tests.games import samples
from tests.games.game_of_trains.build import A, C
from tests.games.proofs import proves

ENDS: dict[str, tuple[int, tuple[Line, ...], tuple[int, ...], int]] = {
    "amid_refills": (
        C,
        ((2, 15, 38, 33, 45, 9, 0), (1, 7, 22, 34, 10, 13, 52), (3, 8, 23, 32, 43, 58, 84)),
        (26, 47, 17, 4),
        42,
    ),
    "ordinary": (A, ((7, 14, 21, 36, 52, 60, 84), (1, 48, 30, 62, 6, 13, 57)), (5, 3, 9), 57),
}
"""Winner, lines, pool and pile size, as worked out by hand in `samples/README.md`."""


@pytest.mark.parametrize("name", ENDS)
def test_a_sample_ends_as_reckoned(name: str) -> None:
    """Lines, pool and pile match those worked out by hand."""
    state = samples.replay(RULES, name)[-1]
    winner, lines, pool, pile = ENDS[name]
    assert state.over
    assert RULES.winners(state) == (winner,)
    assert (state.table.lines, state.table.pool, state.table.pile) == (lines, pool, pile)


def test_every_sample_is_reckoned() -> None:
    """Every sample journal has an expected result above."""
    assert sorted(ENDS) == list(samples.names(RULES))


@proves("R-14", "R-15")
def test_the_victory_amid_the_refills_leaves_a_gap() -> None:
    """Bill wins with a refill in Jane's turn, and Tom keeps his padlock and his gap."""
    state = samples.replay(RULES, "amid_refills")[-1]
    assert state.effects == (Won(C),)
    assert state.table.locks[A] == (60, 0, 0)
    assert state.table.lines[A][6] == 0


def test_the_lines_of_the_readme_are_the_lines_of_play() -> None:
    """Each row of the README's table matches the lines and the pool at that point of play."""
    text = (samples.folder(RULES) / "README.md").read_text(encoding="utf-8").split("## amid_refills")[0]
    cells = [row.split("|")[3:6] for row in re.findall(r"^\|.*\|$", text, re.M)]
    rows = [[cell.strip().replace("*", "") for cell in row] for row in cells]
    seen: list[str] = ["", "", ""]
    wanted = []
    for row in rows[2:]:
        seen = [new or old for new, old in zip(row, seen, strict=True)]
        wanted.append(seen)
    shown = []
    for state in samples.replay(RULES, "ordinary")[1:]:
        if state.over or type(state.agenda[0]).__name__ == "Act":
            table = state.table
            shown.append([" ".join(map(str, cards)) for cards in (*table.lines, table.pool)])
    assert shown == wanted
