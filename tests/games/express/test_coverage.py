"""Every rule, acceptance test, property, secret, option and refusal has a test that names it."""

from __future__ import annotations

from pathlib import Path

from companion.games.express.fixed import Options
from tests.games.express.document import choices, rule_table
from tests.games.express.test_document import PROPERTIES, RULINGS, SECRETS
from tests.games.proofs import proven

HERE = Path(__file__).parent
CASES = 36
"""How many acceptance tests there are (PROOFS.md)."""


def options() -> list[str]:
    """Return every choice of every option, or the option alone where it is no list of choices."""
    names = Options.__struct_fields__
    return [tag for name in names for tag in ([f"{name}={choice}" for choice in choices(name)] or [name])]


def numbered(form: str, last: int) -> list[str]:
    """Return tags with the numbers from 1 on."""
    return [form.format(n) for n in range(1, last + 1)]


def wanted() -> list[str]:
    """Return all tags that need a test."""
    tags = [*numbered("T-{}", CASES), *numbered("F-{}", PROPERTIES), *numbered("E-{}", SECRETS)]
    return [*rule_table("en"), *tags, *numbered("A-{:02}", RULINGS), *options()]


def test_everything_has_a_test() -> None:
    """Each rule, case, property, secret, ruling and option is named by a test."""
    assert [tag for tag in wanted() if tag not in proven(HERE)] == []


def test_every_tag_says_something_that_exists() -> None:
    """No test proves what no document has."""
    assert [tag for tag in proven(HERE) if tag not in wanted()] == []
