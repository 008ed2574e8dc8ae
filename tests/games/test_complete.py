"""Every game must pass `companion game check`, and every shipped game all further checks."""

from __future__ import annotations

import pytest

from companion.games import GAMES, take_a_train
from companion.games.examples.twenty_tons.rules import RULES as TINY
from tests.games import completeness
from tests.games.completeness import CHECKS, HOUSE, checked, lacking

LACKS = {"catalogue", "rules", "tests", "sample_games", "journal"}
"""Checks that the example of docs/adding-a-game.md fails, because it is kept as small as possible."""
OTHERS = [name for name in GAMES if name not in HOUSE]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", HOUSE)
def test_a_game_is_complete(name: str, check: str) -> None:
    """A shipped game passes every check of completeness."""
    assert lacking(GAMES[name], check) == []


@pytest.mark.parametrize("name", OTHERS)
def test_any_other_game_has_all_that_people_see(name: str) -> None:
    """All other games pass `companion game check`."""
    assert checked(GAMES[name]) == []


# --- the checks detect what is missing ------------------------------------------------------------


def test_what_is_lacking_is_said_in_words() -> None:
    """Each failing check says what is missing."""
    said = {check: lacking(TINY, check) for check in CHECKS}
    assert {check for check, found in said.items() if found} == LACKS
    assert "rules.md does not have R-04" in said["rules"]
    assert "there are no samples" in said["sample_games"]
    assert "docs/reference/journal-events.md does not have wagon_turned" in said["journal"]
    assert "there is no test_secrecy.py" in said["tests"]


def test_a_rule_without_a_proof_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of rules reports a rule without a test."""
    proven = completeness.proven
    monkeypatch.setattr(
        completeness, "proven", lambda folder: {tag: at for tag, at in proven(folder).items() if tag != "R-28"}
    )
    assert lacking(take_a_train.GAME.rules, "rules") == ["no test in take_a_train proves R-28"]
