"""Test the words of a report: cells, bars, and the decisive move."""

from __future__ import annotations

from companion.engine import Player, Seat
from companion.games import GAMES
from companion.mechanics.report import CardCell, PercentCell, ReportSection, ScoreCell, SeatsCell, WordCell
from web.presenters.report import ShownCell, Wordings, turning_point
from web.words import package, words

PLAYERS = (Player("Jane", "red", "circle"), Player("Bill", "blue", "square"))
ALONE = ((0,), (1,))


def wordings(game: str, lang: str = "en") -> Wordings:
    """Return the words of a game."""
    return Wordings(GAMES[game], PLAYERS, words(lang, package(GAMES[game])))


def test_cells_are_shown_as_people_write_them_and_filed_as_numbers() -> None:
    """Money has its sign and points have none, and names, cards and shares are in the language; the file has
    numbers."""
    train, trains = wordings("take-a-train"), wordings("trains", "fr")
    assert train.cell(ScoreCell(-2550)) == ShownCell("−$2,550", -2550, number=True)
    assert trains.cell(ScoreCell(-3)) == ShownCell("−3", -3, number=True)
    assert trains.cell(PercentCell(125)) == ShownCell("125\N{NO-BREAK SPACE}%", 125, number=True)
    assert train.cell(SeatsCell((Seat(0), Seat(1)))) == ShownCell("Jane, Bill", "Jane, Bill", (0, 1))
    assert trains.cell(CardCell("express_train")) == ShownCell("Train express", "Train express")
    assert train.cell(WordCell("kind_short.open")) == ShownCell("Open", "Open")
    assert (train.cell(7), train.cell(None)) == (ShownCell("7", 7, number=True), ShownCell("–", None))


def test_the_longest_bar_belongs_to_the_amount_furthest_from_nothing() -> None:
    """The longest bar belongs to the amount furthest from zero, which can be a loss."""
    rows = tuple([(SeatsCell((Seat(0),)), ScoreCell(amount)) for amount in (50, -200, 0)])
    shown = wordings("take-a-train").section(ReportSection("money", ("player", "end"), rows, bars=1))
    assert [row[1].bar for row in shown.rows] == [25.0, 100.0, 0.0]
    assert [head.number for head in shown.heads] == [False, True]


def test_the_decisive_move_is_the_last_at_which_the_winner_came_to_lead() -> None:
    """The decisive move is the last one that gives the winner the sole lead."""
    history = [(0, 0), (5, 0), (5, 5), (6, 5), (6, 9), (10, 9), (12, 9)]
    assert turning_point(history, ALONE, (0,)) == 5
    assert turning_point([(0, 0), (5, 0), (9, 1)], ALONE, (0,)) == 1


def test_there_is_no_decisive_move_where_nobody_leads_alone() -> None:
    """Several winners, a victory by tie-break and a match without actions have no decisive move."""
    assert turning_point([(0, 0), (5, 5)], ALONE, (0, 1)) == 0
    assert turning_point([(0, 0), (5, 5)], ALONE, (0,)) == 0
    assert turning_point([(0, 0)], ALONE, (0,)) == 0
    assert turning_point([(0, 0, 0, 0), (1, 2, 1, 2)], ((0, 2), (1, 3)), (1, 3)) == 1
