"""Every rule, example, case, property, secret, option and refusal has a test that names it."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any, Literal, get_args, get_origin, get_type_hints

from companion.games.take_a_train.options import Options
from tests.games.take_a_train.proofs import HERE, proven

EXAMPLES, CASES, PROPERTIES, SECRETS = 7, 65, 20, 14
"""How many worked examples, acceptance cases, properties and secrets there are (PROOFS.md)."""

PRESSED = HERE.parents[1] / "companion" / "referee" / "test_open_auction.py"
"""Presses provoke refusals of the rules, too."""

Said = set[tuple[str, str]]


def rules() -> dict[str, dict[str, Any]]:
    """Return the project's own rule table."""
    text = resources.files("companion.games.take_a_train").joinpath("words/rules.en.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def choices() -> list[str]:
    """Return every choice of every option, `reveal=signal`, or the option alone where it holds numbers."""
    found: list[str] = []
    kinds = get_type_hints(Options)
    for name in Options.__struct_fields__:
        kind = kinds[name]
        literal = get_origin(kind) is Literal
        found += [f"{name}={choice}" for choice in get_args(kind)] if literal else [name]
    return found


def test_every_rule_has_a_test() -> None:
    """Each number of the rule table is named by at least one test."""
    assert [rule for rule in rules() if rule not in proven()] == []


def test_every_rule_that_a_test_names_exists() -> None:
    """No test proves a rule that the table does not have."""
    assert [tag for tag in proven() if tag.startswith("R-") and tag not in rules()] == []


def test_every_example_case_property_and_secret_has_a_test() -> None:
    """X-1 to X-7, T-1 to T-65, F-1 to F-20 and E-1 to E-14 are all proved."""
    wanted = [
        f"{letter}-{n}"
        for letter, last in (("X", EXAMPLES), ("T", CASES), ("F", PROPERTIES), ("E", SECRETS))
        for n in range(1, last + 1)
    ]
    assert [tag for tag in wanted if tag not in proven()] == []
    assert [tag for tag in proven() if tag[:2] in ("X-", "T-", "F-", "E-") and tag not in wanted] == []


def test_every_choice_of_every_option_has_a_test() -> None:
    """Each choice is shown to behave as it says."""
    assert [choice for choice in choices() if choice not in proven()] == []


def test_every_tag_says_something_that_exists() -> None:
    """A misspelt option in a test's tags is found."""
    known = set(choices())
    assert [tag for tag in proven() if tag[1:2] != "-" and tag not in known] == []
