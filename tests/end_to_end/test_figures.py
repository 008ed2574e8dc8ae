"""Tests of figures of whole games: stored in a file, read again and printed as a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.figures import VARIABLE, Figures, figures, keep, kept, main, recorded, sentence, table
from tests.end_to_end.play import PlayReport


def game(players: int, difficulty: str, laid: int, asked: int, *wrong: str, seconds: float = 30.0) -> Figures:
    """Return the figures of a game."""
    report = PlayReport(not wrong, {"laid": laid, "asked": asked, "moves": 9}, wrong, "placed" if wrong else "")
    return figures("game-of-trains", players, difficulty, 7, report, wrong, processor=seconds, people=200.0)


def test_games_of_a_kind_are_one_row() -> None:
    """A row shows exact games, questions per fifty cards and mean seconds, with easier difficulties first."""
    games = [game(2, "hard", 50, 4), game(2, "told", 100, 1), game(2, "hard", 150, 0, "pool", seconds=50.0)]
    assert [line.split() for line in table(games).splitlines()[2:]] == [
        ["game-of-trains", "2", "told", "1", "1", "of", "1", "0.50", "(1)", "100", "0.0", "0.0", "30", "a", "game"],
        ["game-of-trains", "2", "hard", "2", "1", "of", "2", "1.00", "(4)", "200", "0.0", "0.0", "40", "a", "game"],
    ]


def test_a_game_that_went_wrong_says_in_what() -> None:
    """The line of a game that went wrong names the event and the fields."""
    assert "out of step after placed: pool; asked 0, laid 5" in sentence(game(3, "easy", 5, 0, "pool"))
    assert "true to the end" in sentence(game(3, "easy", 5, 0))


def test_a_file_holds_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Stored games can be read again; without a file name none are stored, and other files are refused."""
    path, games = tmp_path / "games.jsonl", [game(2, "told", 10, 0), game(4, "easy", 20, 1, "lines")]
    monkeypatch.delenv(VARIABLE, raising=False)
    keep(games[0])
    monkeypatch.setenv(VARIABLE, str(path))
    for each in games:
        keep(each)
    assert kept(path) == games
    assert [recorded(each.game, each.players, each.difficulty, each.seed) for each in games] == games
    assert recorded("game-of-trains", 3, "told", 7) is None
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == table(games) + "\n"
    path.write_text("nothing\n")
    assert [main([str(path)]), main([str(tmp_path / "none")]), main([])] == [1, 1, 1]
    assert capsys.readouterr().out.count("No figures can be read") == 3
