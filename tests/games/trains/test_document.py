"""The rule document, the rule tables in both languages, the cards' names and the options keep step."""

from __future__ import annotations

import re

import pytest

from companion.games.trains.options import Options
from companion.i18n import LANGUAGES, load_cached
from tests.games.trains.document import DOCUMENT, FOLDER, NUMBERS, choices, rule_table, written

RULES = (*(f"R-{n:02}" for n in range(24)), *NUMBERS.values())
"""Every rule number: the rules, the basic cards, those for sale."""
RULINGS, SECRETS = 17, 7
"""How many rulings and secrets the document has."""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_is_written_down(lang: str) -> None:
    """Each number has a section, a title, one to five clauses, a source and a list of options."""
    table = rule_table(lang)
    assert tuple(table) == RULES
    for number, entry in table.items():
        assert list(entry) == ["section", "title", "text", "source", "options"], number
        assert all(entry[name] for name in ("section", "title", "text", "source")), number
        assert entry["text"].endswith(".")
        assert 1 <= len(re.findall(r"[.;:?]( |$)", entry["text"])) <= 5, number
        assert "{" not in entry["text"] + entry["title"]
        assert entry["source"].startswith(("FR, ", "ruling", "décision"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_are_called_alike(lang: str) -> None:
    """A card's rule has the name that the pages say."""
    words, table = load_cached(lang, (FOLDER,)), rule_table(lang)
    assert {card: table[number]["title"] for card, number in NUMBERS.items()} == {
        card: words(f"card.{card}") for card in NUMBERS
    }


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
    """Its generated parts are what the command writes; rulings and secrets are numbered without a gap."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == written(text)
    assert [choice for name in Options.__struct_fields__ for choice in choices(name) if choice not in text] == []
    for pattern, last in (("A-{:02}", RULINGS), ("E-{}", SECRETS)):
        found = re.findall(rf"^\| ({pattern[:2]}\d+) \|", text, re.MULTILINE)
        assert found == [pattern.format(n) for n in range(1, last + 1)]
