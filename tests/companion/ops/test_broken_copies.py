"""`companion game check` reports each fault of a broken example game with file, line and remedy.

Options that a game has decided since are in tests/games/take_a_train/test_ruled.py and tests/web/views/test_setup.py.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from companion import cli
from companion.bots.simulation import simulate
from companion.commands import game as commands
from companion.commands.game import shortcomings
from companion.engine import Setup
from companion.games import GAMES
from companion.ops import game_check
from companion.ops.game_check import Ports, page_checks, play_checks, print_checks
from companion.ops.new_game import create_game
from tests.support.broken_games import NAME, Copies, copies

__all__ = ["copies"]

YARD = "yard"
HANDS = """\
    def view(self, state, seat):
        found = super().view(state, seat)
        seen = [sum(map(number_of, state.table.zones.named(hand_of(each)))) for each in range(len(found.hands))]
        return replace(found, hands=tuple(seen))

    def scores("""
"""A view with the sum of each hand, although only the number of wagons in a hand is public."""


class Fault(NamedTuple):
    """A replacement in a file, the expected message, and text (`at`) of the line that the message names."""

    file: str
    old: str
    new: str
    said: str
    at: str = ""
    game: str = NAME


FAULTS = {
    "a part of the wrong type": Fault(
        "__init__.py", "return Bots(POLICY)", "return POLICY",
        "__init__.py, line {line}: this returns Policy, and must return Bots", "def _bots(",
    ),
    "a part that is no function": Fault(
        "__init__.py", "bots=_bots", "bots=3", "__init__.py: bots is 3, and must be a function that returns Bots"
    ),
    "options that are no part": Fault(
        "__init__.py", "(rules=RULES, ", "(rules=RULES, options=dict, ",
        "__init__.py: options is the class dict, and must be MatchOptions(…)",
    ),
    "a part of no game": Fault(
        "__init__.py", "bots=_bots", "bot=_bots", "; the parts of a game are rules, "
    ),
    "rules without brackets": Fault(
        "rules.py", "RULES = TriedOut()", "RULES = TriedOut",
        "__init__.py: rules is the class TriedOut, and must be one of its objects: TriedOut()",
    ),
    "a misspelt method of the rules": Fault(
        "rules.py", "def scores(", "def score(", "rules.py: TriedOut, the rules of its GAME, has no scores"
    ),
    "a step that offers nothing": Fault(
        "rules.py", "for card in sorted(table.zones.named(hand_of(seat)))", "for card in ()",
        "the step Choose offers seat 2 no event at all", "", YARD,
    ),
    "a bot that raises": Fault(
        "bot.py", "light = known", "light = unknown",
        "bot.py, line {line}: NameError: name 'unknown' is not defined", "light = unknown",
    ),
    "a missing word": Fault(
        "words/fr.toml", ', other = "On retourne le wagon suivant."', "",
        "words/fr.toml: moment.turn_up.other is missing.",
    ),
    "a mat that fails": Fault(
        "rules.py", '"row", LONGEST', '"row", 400', "rules.py: There is no mat for 4 players: This mat needs a table of"
    ),
    "a template that fails": Fault(
        "templates/seats.html", "", "<p>\n{{ view.trains[9].weight }}</p>",
        "seats.html, line {line}: UndefinedError: 'web.live.watched.WatchedView object' has no attribute 'trains'",
        "view.trains",
    ),
    "an import error": Fault(
        "steps.py", "import steps", "import stepz as steps",
        "steps.py, line {line}: ImportError: cannot import name 'stepz'", "stepz",
    ),
    "a game of last year's shape": Fault(
        "__init__.py", "GAME = GameDefinition(", "GAME = dict(",
        "__init__.py: its GAME is no GameDefinition(rules=…): see docs/game-folder.md",
    ),
    "a game of a shape before that": Fault(
        "__init__.py", "GAME = GameDefinition(", "PLAYED = GameDefinition(",
        "__init__.py: it has no GAME = GameDefinition(rules=…): see docs/game-folder.md",
    ),
    "a step with another's event": Fault(
        "rules.py", "    kind = WagonSeen", "    kind = HandCalled",
        "line {line}: The step TurnOver needs an event with seat and card as its `kind`, not HandCalled.",
        "class TurnOver(", YARD,
    ),
    "a step without a method": Fault(
        "rules.py", "def opened(self, table: Table, chosen", "def opend(self, table: Table, chosen",
        "line {line}: The step Choose has no `opened`, which each game says for itself.", "class Choose(", YARD,
    ),
    "an event that the game does not name": Fault(
        "rules.py", " | Passed", "", "steps.py: line 32: Passed is offered, but not in `events` of TriedOut.",
    ),
    "a secret that leaks into a view": Fault(
        "rules.py", "    def scores(", HANDS,
        "line {line}: The public view shows what is secret of HandsDealt (cards): leave it out here.",
        "def view(", YARD,
    ),
    "a sealed event that anybody could enter": Fault(
        "rules.py", "dealt_only=True, observed=False", "dealt_only=True, observed=True",
        "line {line}: WagonChosen is sealed, but `observed`: anybody at the table could enter it.",
        "class WagonChosen(", YARD,
    ),
}  # fmt: skip


def broken(copies: Copies, fault: Fault) -> str:
    """Break a copied game and return the expected message."""
    path = copies.folder / fault.game.replace("-", "_") / fault.file
    if fault.old:
        copies.change(fault.file, fault.old, fault.new, fault.game)
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(fault.new, encoding="utf-8")
    lines = path.read_text(encoding="utf-8").splitlines()
    return fault.said.replace("{line}", str(next((n for n, text in enumerate(lines, 1) if fault.at in text), 0)))


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_named_with_its_file_and_its_cure(
    copies: Copies, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """Each fault is reported with its file and remedy, and another game beside it is complete."""
    create_game(YARD, "Yard", copies.folder, copies.package, like="goods-yard")
    said, name = broken(copies, FAULTS[fault]), FAULTS[fault].game
    found = copies.found()
    for each, rules in found.games.items():
        monkeypatch.setitem(GAMES, each, rules)
    monkeypatch.setattr(commands, "BROKEN", found.broken)
    for part in (page_checks, print_checks):  # draw only the part that shows the fault
        if fault != {page_checks: "a template that fails", print_checks: "a mat that fails"}[part]:
            monkeypatch.setattr(part, "CHECKS", ())
    texts = [f"{each.file}: {each.text}" for each in shortcomings(name, cli.game_ports)]
    assert any(said in text for text in texts), texts
    other = NAME if name == YARD else YARD
    assert other not in {each.package.rpartition(".")[2] for each in found.broken}
    assert next(simulate(found.games[other], Setup(other, 3), 1, 1)).winners


def test_a_whole_copy_lacks_nothing_and_all_its_pages_are_read(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """A complete copy has no faults, and the check reads all its pages in both languages."""
    monkeypatch.setitem(GAMES, NAME, copies.game())
    ports, read = cli.game_ports(), set[str]()
    faults = page_checks.faults_of

    def counted(drawn, *more):  # type: ignore[no-untyped-def]
        found = list(drawn)
        read.update(f"{each.what} {more[3]}" for each in found)
        return faults(found, *more)

    monkeypatch.setattr(page_checks, "faults_of", counted)
    assert game_check.examine(copies.game(), Ports(ports.pages, None))[:-1] == []
    pages_read = {each for each in read if each.startswith("The page ")}
    wanted = [
        "/", "/l/…/", f"/rules/{NAME}/", "/print/", "/s/…/", "/t/…/", "/w/…/", "/h/…/", "/h/…/log",
        "/h/…/camera", "/past/", "/past/records", "/past/1/", "/past/1/replay", "/past/1/report.csv",
        "/past/1/report.json", "/past/1/game.jsonl",
    ]  # fmt: skip
    assert pages_read == {f"The page {each} {lang}" for each in wanted for lang in ("en", "fr")}
    assert {f"The region {each} en" for each in ("status", "play", "seats", "log", "ending", "controls")} <= read


def test_a_game_is_played_with_each_of_its_decks(copies: Copies, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check plays a game with each of its decks and every number of players."""
    old = "        return begin(self, Table("
    copies.change("rules.py", old, f"        assert setup.deck == 'dealt' or len(setup.seated()) < 4\n{old}")
    game = copies.game()
    monkeypatch.setitem(GAMES, NAME, game)
    found = game_check.run_checks(game, [play_checks.bots], cli.game_ports().pages)
    assert len(found) == 1 and "rules.py, line " in found[0].text and "AssertionError" in found[0].text
