"""Every rule, acceptance test, property, secret, option and refusal has a test that names it."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any, get_args, get_type_hints

import companion.games.game_of_trains as game
from companion.games.game_of_trains.table import Options
from tests.games.game_of_trains import HERE
from tests.games.proofs import proven

CASES, PROPERTIES, SECRETS = 36, 12, 6
"""How many acceptance tests, properties and secrets there are (PROOFS.md)."""


def rules() -> dict[str, dict[str, Any]]:
    """Return the project's own rule table."""
    text = resources.files(game).joinpath("words/rules.en.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def choices() -> list[str]:
    """Return every choice of every option."""
    return [f"{name}={choice}" for name, kind in get_type_hints(Options).items() for choice in get_args(kind)]


def test_every_rule_has_a_test() -> None:
    """Each number of the rule table is named by at least one test, and no test names another."""
    named = [tag for tag in proven(HERE) if tag.startswith(("R-", "B-"))]
    assert sorted(named) == sorted(rules())


def test_every_case_property_secret_and_choice_has_a_test() -> None:
    """T-1 to T-36, F-1 to F-12, E-1 to E-6 and the options' choices are all proved, and nothing else is."""
    wanted = [
        f"{letter}-{n}"
        for letter, last in (("T", CASES), ("F", PROPERTIES), ("E", SECRETS))
        for n in range(1, last + 1)
    ]
    named = [tag for tag in proven(HERE) if not tag.startswith(("R-", "B-"))]
    assert sorted(named) == sorted([*wanted, *choices()])


def test_every_acceptance_test_can_be_found_by_its_number() -> None:
    """The test of T-n is called `test_nn_...`."""
    for n in range(1, CASES + 1):
        assert any(f"::test_{n:02}_" in name for name in proven(HERE)[f"T-{n}"]), n
