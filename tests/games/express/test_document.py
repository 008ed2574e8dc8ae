"""The rule document, the rule tables in both languages, the cards' names and the options keep step."""

from __future__ import annotations

import re

import pytest

from companion.games.express.fixed import Options
from companion.i18n import LANGUAGES
from tests.games.express.document import DOCUMENT, PROOFS, choices, rule_table, written

NUMBERS = (*(f"R-{n:02}" for n in range(30)), *(f"S-{n:02}" for n in range(1, 9)))
"""Every rule number: the rules, then those of the scoring."""
RULINGS, SECRETS, PROPERTIES = 13, 5, 7
"""How many rulings and secrets the document has, and how many properties are proved."""
LONG = "R-20"
"""The rule that says what each of six cards does."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_is_written_down(lang: str) -> None:
    """Each number has a section, a title, one to five clauses, a source and a list of options."""
    table = rule_table(lang)
    assert tuple(table) == NUMBERS
    for number, entry in table.items():
        assert list(entry) == ["section", "title", "text", "source", "options"], number
        assert all(entry[name] for name in ("section", "title", "text", "source")), number
        assert entry["text"].endswith(".")
        assert 1 <= len(re.findall(r"[.;:?]( |$)", entry["text"])) <= (14 if number == LONG else 5), number
        assert "{" not in entry["text"] + entry["title"]
        assert entry["source"].startswith(("FR, ", "public pages", "ruling", "pages publiques", "décision")), number


def test_both_languages_say_the_same() -> None:
    """The tables list the same rules in the same order, with the same options, and different words."""
    english, french = rule_table("en"), rule_table("fr")
    assert [(n, e["options"]) for n, e in english.items()] == [(n, e["options"]) for n, e in french.items()]
    assert [n for n in english if english[n]["text"] == french[n]["text"]] == []


def test_every_option_belongs_to_a_rule() -> None:
    """No option is without a rule, and no rule names an option that does not exist."""
    named = {option for entry in rule_table("en").values() for option in entry["options"]}
    assert named == set(Options.__struct_fields__)


def test_the_document_is_generated_and_says_everything() -> None:
    """Its generated parts are what the command writes; rulings, secrets and properties are numbered without a gap."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == written(text)
    assert [choice for name in Options.__struct_fields__ for choice in choices(name) if choice not in text] == []
    for pattern, last in (("A-{:02}", RULINGS), ("E-{}", SECRETS)):
        found = re.findall(rf"^\| ({pattern[:2]}\d+) \|", text, re.MULTILINE)
        assert found == [pattern.format(n) for n in range(1, last + 1)]
    assert re.findall(r"\*\*(F-\d+)\*\*", PROOFS.read_text(encoding="utf-8")) == [
        f"F-{n}" for n in range(1, PROPERTIES + 1)
    ]
