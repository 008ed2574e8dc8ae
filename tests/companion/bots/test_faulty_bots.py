"""Faulty bots: an error names the file and line, and the game continues with random moves."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.bots.bot import RandomPolicy, policy_of
from companion.commands import simulate
from companion.engine import Seat, Setup
from companion.games import GAMES
from companion.table.bot_seat import BotSeat
from companion.table.table import Table
from tests.support.broken_games import NAME, Copies, copies
from tests.support.matches import quick

__all__ = ["copies", "quick"]


def test_a_bot_that_cannot_be_imported_costs_the_bot_alone(copies: Copies, caplog: pytest.LogCaptureFixture) -> None:
    """An import error in a bot is logged once with its line, and the bot plays at random."""
    copies.change("bot.py", "POLICY = Policy(", "POLICY = Polity(")
    game = copies.game()
    assert isinstance(policy_of(game, "sensible"), RandomPolicy) and isinstance(policy_of(game, "plain"), RandomPolicy)
    (said,) = caplog.messages
    assert said.startswith("tried-out goes on without its Bots. ") and "bot.py, line" in said and "Polity" in said


def test_a_part_of_another_type_names_the_file(copies: Copies, caplog: pytest.LogCaptureFixture) -> None:
    """A policy returned in place of `Bots` is reported with its file."""
    copies.change("__init__.py", "return Bots(POLICY)", "return POLICY")
    assert isinstance(policy_of(copies.game(), "sensible"), RandomPolicy)
    assert "must return Bots" in caplog.text and "__init__.py" in caplog.text


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("broken", ["choose", "asked"])
def test_a_bot_that_raises_plays_at_random_from_then_on(
    copies: Copies, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, broken: str
) -> None:
    """A bot that raises an exception plays at random until the match ends, even if it cannot say whose turn it is."""
    method = (
        "def asked(self, state):\n        return state.nobody\n\n    def choose("
        if broken == "asked"
        else "def choose("
    )
    copies.change("bot.py", "def choose(", method)
    if broken == "choose":
        copies.change("bot.py", "light = known.table.wagon < 5", "light = known.table.waggon < 5")
    game = copies.game()
    monkeypatch.setitem(GAMES, NAME, game)
    with Table(tmp_path / "journal.db") as table:
        table.start(Setup(NAME, ("Ann", "Bo"), deck="dealt"))  # type: ignore[arg-type]
        bots = BotSeat(table, lambda seconds: None, random.Random(1).random)
        for seat in map(Seat, range(2)):
            bots.sit(seat)
        for _ in range(500):
            bots.turn()
        assert table.snapshot().over
    said = [text for text in caplog.messages if "fails" in text]
    assert len(said) == 1 and "bot.py, line" in said[0] and said[0].startswith("The bot of tried-out fails")


def test_simulate_names_the_file_and_line_of_a_bot_that_raises(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of `simulate` names the file and line of the bot, and `--bots random` still plays the game."""
    copies.change("bot.py", "light = known.table.wagon < 5", "light = known.table.waggon < 5")
    monkeypatch.setitem(GAMES, NAME, copies.game())
    told = CliRunner().invoke(simulate.command, [NAME, "--games", "1"])
    said = " ".join(told.stderr.split())
    assert told.exit_code == 1
    assert said.startswith(f"Error: {NAME} fails: ") and re.search(r"bot\.py, line \d+: AttributeError: ", said)
    assert said.endswith("--bots random plays without its bots.")
    assert CliRunner().invoke(simulate.command, [NAME, "--games", "1", "--bots", "random"]).exit_code == 0
