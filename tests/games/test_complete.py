"""Every game is whole, and those of the house complete: one that lacks something fails here, in words."""

from __future__ import annotations

import pytest

from companion.games import GAMES, take_a_train
from companion.games.examples.twenty_tons.rules import RULES as TINY
from tests.games import completeness
from tests.games.completeness import CHECKS, HOUSE, checked, lacking

LACKS = {"catalogue", "rules", "tests", "sample_games", "journal"}
"""What the example of docs/adding-a-game.md does not have: it is the smallest game, not one that people bought."""
OTHERS = [name for name in GAMES if name not in HOUSE]


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", HOUSE)
def test_a_game_is_complete(name: str, check: str) -> None:
    """What `companion game check` asks, catalogue, proofs, sample games, journal: nothing is lacking."""
    assert lacking(GAMES[name], check) == []


@pytest.mark.parametrize("name", OTHERS)
def test_any_other_game_has_all_that_people_see(name: str) -> None:
    """Its rules, words, pages, mat and deck lack nothing."""
    assert checked(GAMES[name]) == []


# --- that it would be noticed ---------------------------------------------------------------------


def test_what_is_lacking_is_said_in_words() -> None:
    """Each check says what has to be made."""
    said = {check: lacking(TINY, check) for check in CHECKS}
    assert {check for check, found in said.items() if found} == LACKS
    assert "rules.md does not have R-04" in said["rules"]
    assert "there are no samples" in said["sample_games"]
    assert "docs/reference/journal-events.md does not have wagon_turned" in said["journal"]
    assert "there is no test_secrecy.py" in said["tests"]


def test_a_rule_without_a_proof_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule of the table needs a test that names it."""
    proven = completeness.proven
    monkeypatch.setattr(
        completeness, "proven", lambda folder: {tag: at for tag, at in proven(folder).items() if tag != "R-28"}
    )
    assert lacking(take_a_train.GAME.rules, "rules") == ["no test in take_a_train proves R-28"]
