"""Games are found by their folders, and a broken folder is reported without hiding others."""

from __future__ import annotations

import pytest

from companion.bots.simulation import simulate
from companion.engine import Setup
from companion.games import why_unusable
from tests.support.broken_games import Copies, copies

__all__ = ["copies"]

ONE_SIDED = """
from companion.engine import Board, Cell

BOARD = Board(
    "valley",
    (100, 50),
    (Cell("A1", 25, 25, radius=20, neighbours=("A2",)), Cell("A2", 75, 25, radius=20)),
)
"""


def test_broken_folders_hide_no_other_game(copies: Copies) -> None:
    """A syntax error, a contradictory board and a duplicate name are each reported, and other games are found."""
    for name in ("bad-syntax", "bad-board", "same-name"):
        copies.add(name)
    copies.change("rules.py", "class BadSyntax(", "class BadSyntax((", "bad-syntax")
    copies.change("cards.py", "CARDS =", ONE_SIDED + "CARDS =", "bad-board")
    copies.change("__init__.py", "GAME = ", "from . import cards\n\nGAME = ", "bad-board")
    copies.change("rules.py", '"same-name"', '"tried-out"', "same-name")
    found = copies.found()
    why = {folder.package.rpartition(".")[2]: folder.why for folder in found.broken}
    assert list(found.games) == ["tried-out"]
    assert set(why) == {"bad_syntax", "bad_board", "tried_out"}
    assert "same_name has a game called 'tried-out' already" in why["tried_out"]
    assert "bad_syntax/rules.py, line " in why["bad_syntax"]
    assert "bad_board/cards.py, line " in why["bad_board"]
    assert "'A2' is a neighbour of 'A1', but 'A1' is none of 'A2'." in why["bad_board"]
    (game,) = found.games.values()
    assert next(simulate(game, Setup(game.name, 3), 1, 1)).winners


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("words/rules.en.toml", "R-05.text", "R-04.text", "words/rules.en.toml: "),
        ("words/fr.toml", "game = {", "game = ", "words/fr.toml: "),
        ("cards.py", "CARDS =", "CARDS = CARDS +", "cards.py, line "),
        ("cards.py", "CARDS = {", 'CARDS = {"../wagon": 1} | {', "cards.py: '../wagon' is no name of a card"),
    ],
)
def test_a_game_whose_pages_cannot_be_shown_says_why(copies: Copies, file: str, old: str, new: str, said: str) -> None:
    """A game with a duplicate rule, unreadable words, a faulty part or a bad card name is refused with the reason."""
    assert why_unusable(copies.game()) == ""
    copies.add("other")
    copies.change(file, old, new, "other")
    why = why_unusable(copies.game("other"))
    assert said in why and "\n" not in why
