"""The rule document, the rule tables in both languages and the options keep step."""

from __future__ import annotations

import re

import pytest

from companion.games.take_a_train.options import Options
from companion.games.take_a_train.purposes import PURPOSES
from tests.games.take_a_train.document import CONDITIONS, DOCUMENT, PROOFS, choices, rule_table, written

NUMBERS = (
    *(f"R-{n:02}" for n in range(36)),
    "R-32a",
    "R-32b",
    *(f"R-{n}" for n in range(40, 66)),
    "R-65a",
    "R-66",
    *(f"R-67{letter}" for letter in "abcdef"),
    "R-68",
    *(f"R-{n}" for n in range(70, 76)),
    *(f"R-{n}" for n in range(80, 83)),
)
"""Every rule number but the ones kept free: 36 to 39, 69, 76 to 79."""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_rule_is_written_down(lang: str) -> None:
    """Each number has a section, a title, one to three sentences, a source and a list of options."""
    table = rule_table(lang)
    assert sorted(table) == sorted(NUMBERS)
    for number, entry in table.items():
        assert list(entry) == ["section", "title", "text", "source", "options"], number
        assert all(entry[name] for name in ("section", "title", "text", "source")), number
        assert entry["text"].endswith(".")
        assert 1 <= len(re.findall(r"[.;:?]( |$)", entry["text"])) <= 5, number
        assert entry["source"].startswith(("EN", "FR", "ruling", "décision"))


def test_both_languages_say_the_same() -> None:
    """The tables list the same rules in the same order, with the same options, and different words."""
    english, french = rule_table("en"), rule_table("fr")
    assert [(n, e["options"]) for n, e in english.items()] == [(n, e["options"]) for n, e in french.items()]
    assert [n for n in english if english[n]["text"] == french[n]["text"]] == []


def test_every_option_belongs_to_a_rule() -> None:
    """No option is without a rule, and no rule names an option that does not exist."""
    named = {option for entry in rule_table("en").values() for option in entry["options"]}
    assert named == set(Options.__struct_fields__)


def test_the_document_is_generated() -> None:
    """Its generated parts are what `python -m tests.games.take_a_train.document` writes."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert text == written(text)


def test_the_document_says_everything() -> None:
    """Rules, options, choices, differences, rulings and secrets are in it, examples and properties in PROOFS.md."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [n for n in NUMBERS if f"**{n} " not in text] == []
    assert [name for name in Options.__struct_fields__ if f"`{name}`" not in text] == []
    assert [c for name in Options.__struct_fields__ for c in choices(name) if c not in text] == []
    for letter, last in (("D", 18), ("G", 28), ("E", 14)):
        assert re.findall(rf"^\| ({letter}-\d+) \|", text, re.MULTILINE) == [
            f"{letter}-{n}" for n in range(1, last + 1)
        ]
    proofs = PROOFS.read_text(encoding="utf-8")
    for letter, last in (("X", 7), ("F", 20)):
        assert re.findall(rf"\*\*({letter}-\d+)\*\*", proofs) == [f"{letter}-{n}" for n in range(1, last + 1)]


def test_every_purpose_is_described() -> None:
    """The table of purposes has all 18, each with what it asks for."""
    assert list(CONDITIONS) == [p.id for p in PURPOSES]


def test_no_sentence_can_be_mistaken_for_a_form() -> None:
    """Braces would be read as fields to fill in."""
    assert [n for lang in ("en", "fr") for n, e in rule_table(lang).items() if "{" in e["text"] + e["title"]] == []
