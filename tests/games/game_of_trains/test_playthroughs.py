"""Whole games by hand: journals replayed to the last card, the hash and the winner."""

from __future__ import annotations

import json
import re

import pytest

from companion.games.game_of_trains import GAME
from companion.games.game_of_trains.events import Won
from companion.games.game_of_trains.table import Line
from tests.games.game_of_trains.build import A, C
from tests.games.game_of_trains.playthroughs import EXPECTED, FOLDER, NAMES, outcome, replay
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
"""Winner, lines, pool and pile, as reckoned by hand in `playthroughs/README.md`."""


@pytest.mark.parametrize("name", NAMES)
def test_a_playthrough_ends_as_reckoned(name: str) -> None:
    """Lines, pool and pile are what the pencil says, and the state is the one that was recorded."""
    state = replay(name).state
    winner, lines, pool, pile = ENDS[name]
    assert state.over
    assert GAME.winners(state) == (winner,)
    assert (state.table.lines, state.table.pool, state.table.pile) == (lines, pool, pile)
    assert outcome(name) == json.loads(EXPECTED.read_text(encoding="utf-8"))[name]


def test_every_playthrough_is_explained() -> None:
    """Each journal stands in the README and in what is expected."""
    assert sorted(ENDS) == sorted(json.loads(EXPECTED.read_text(encoding="utf-8"))) == list(NAMES)
    explained = re.findall(r"^## (\w+):", (FOLDER / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(explained) == list(NAMES)


@proves("R-14", "R-15")
def test_the_victory_amid_the_refills_leaves_a_gap() -> None:
    """The last event is Bill's refill in Jane's turn; Tom's padlock lies, his gap stays, and 4 found no pair."""
    state = replay("amid_refills").state
    assert state.effects == (Won(C),)
    assert state.table.locks[A] == (60, 0, 0)
    assert state.table.lines[A][6] == 0


def test_the_lines_of_the_readme_are_the_lines_of_play() -> None:
    """The table of the ordinary ending, row by row: bold marks what changed."""
    text = (FOLDER / "README.md").read_text(encoding="utf-8").split("## amid_refills")[0]
    cells = [row.split("|")[3:6] for row in re.findall(r"^\|.*\|$", text, re.M)]
    rows = [[cell.strip().replace("*", "") for cell in row] for row in cells]
    seen: list[str] = ["", "", ""]
    wanted = []
    for row in rows[2:]:
        seen = [new or old for new, old in zip(row, seen, strict=True)]
        wanted.append(seen)
    shown = []
    for node in replay("ordinary").nodes:
        state = node.entry.after
        if state.over or type(state.agenda[0]).__name__ == "Act":
            table = state.table
            shown.append([" ".join(map(str, cards)) for cards in (*table.lines, table.pool)])
    assert shown == wanted
