"""Every rule, ruling, acceptance test, property, secret, option and refusal has a test that names it."""

from __future__ import annotations

import re

from companion.games.trains.options import Options
from tests.games.proofs import proven
from tests.games.trains.document import HERE, choices, rule_table
from tests.games.trains.test_document import RULINGS, SECRETS

CASES, PROPERTIES = 40, 9
"""How many acceptance tests and properties there are (PROOFS.md)."""


def options() -> list[str]:
    """Return every choice of every option, `edition=later`, or the option alone where it is a list."""
    names = Options.__struct_fields__
    return [tag for name in names for tag in ([f"{name}={choice}" for choice in choices(name)] or [name])]


def numbered(form: str, last: int) -> list[str]:
    """Return tags with the numbers from 1 on."""
    return [form.format(n) for n in range(1, last + 1)]


def test_every_rule_and_ruling_has_a_test() -> None:
    """Each number of the rule table and each of our rulings is named by a test."""
    wanted = [*rule_table("en"), *numbered("A-{:02}", RULINGS)]
    assert [tag for tag in wanted if tag not in proven(HERE)] == []


def test_every_case_property_secret_and_choice_has_a_test() -> None:
    """T-1 to T-40, the properties, E-1 to E-7 and the options' choices are all proved."""
    wanted = [*numbered("T-{}", CASES), *numbered("F-{}", PROPERTIES), *numbered("E-{}", SECRETS), *options()]
    assert [tag for tag in wanted if tag not in proven(HERE)] == []


def test_the_proofs_are_numbered_without_a_gap() -> None:
    """PROOFS.md has every acceptance test and every property once."""
    text = (HERE / "PROOFS.md").read_text(encoding="utf-8")
    for letter, last in (("T", CASES), ("F", PROPERTIES)):
        assert re.findall(rf"\*\*({letter}-\d+)\*\*", text) == numbered(f"{letter}-{{}}", last)


def test_every_tag_says_something_that_exists() -> None:
    """No test proves what no document has."""
    known = {*rule_table("en"), *numbered("A-{:02}", RULINGS), *numbered("T-{}", CASES), *options()}
    known |= {*numbered("F-{}", PROPERTIES), *numbered("E-{}", SECRETS)}
    assert [tag for tag in proven(HERE) if tag not in known] == []
