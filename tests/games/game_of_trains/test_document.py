"""The rule document, the rule tables in both languages and the options keep step."""

from __future__ import annotations

import re

import pytest

from companion.games.game_of_trains.catalogue import ABILITIES
from companion.games.game_of_trains.table import Options
from tests.games.game_of_trains.document import DOCUMENT, PROOFS, rule_table, written
from tests.games.game_of_trains.test_coverage import PROPERTIES, SECRETS

NUMBERS = (*(f"R-{n:02}" for n in range(18)), *ABILITIES.values())
"""Every rule number."""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_rule_is_written_down(lang: str) -> None:
    """Each number has a section, a title, one to four sentences, a source and a list of options."""
    table = rule_table(lang)
    assert tuple(table) == NUMBERS
    for number, entry in table.items():
        assert list(entry) == ["section", "title", "text", "source", "options"], number
        assert all(entry[name] for name in ("section", "title", "text", "source")), number
        assert entry["text"].endswith(".")
        assert 1 <= len(re.findall(r"[.;:?]( |$)", entry["text"])) <= 5, number
        assert "{" not in entry["text"] + entry["title"]
        assert entry["source"].startswith(("FR", "ruling", "décision"))


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
    for letter, last in (("G", 13), ("E", SECRETS)):
        assert re.findall(rf"^\| ({letter}-\d+) \|", text, re.MULTILINE) == [
            f"{letter}-{n}" for n in range(1, last + 1)
        ]
    assert re.findall(r"\*\*(F-\d+)\*\*", PROOFS.read_text(encoding="utf-8")) == [
        f"F-{n}" for n in range(1, PROPERTIES + 1)
    ]
