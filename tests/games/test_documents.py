"""The rule documents of the shipped games must match the rules, options, numbers and proofs in both languages."""

from __future__ import annotations

import re

import pytest

from companion.games import GAMES, definition_of, package_of
from companion.i18n import LANGUAGES
from tests.games.completeness import HOUSE
from tests.games.generated import document_of, numbered
from tests.games.proofs import proven
from tests.games.sentences import fields, own_words_of, words_of

CLAUSES = 5
"""Maximum number of clauses in a rule."""
FIELD = re.compile(r"\{[^}]*\}")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", HOUSE)
def test_every_rule_is_written_down(game: str, lang: str) -> None:
    """Every rule has a section, a title, a short text without fields, a source and a list of options."""
    own = document_of(game)
    table = own.table(lang)
    assert tuple(table) == own.numbers
    for number, entry in table.items():
        assert list(entry) == ["section", "title", "text", "source", "options"], number
        assert all(entry[name] for name in ("section", "title", "text", "source")), number
        assert entry["text"].endswith("."), number
        most = own.long.get(number, CLAUSES)
        assert 1 <= len(re.findall(r"[.;:?]( |$)", entry["text"])) <= most, number
        assert "{" not in entry["text"] + entry["title"], number
        assert entry["source"].startswith(own.sources), number


@pytest.mark.parametrize("game", HOUSE)
def test_both_languages_say_the_same(game: str) -> None:
    """Both languages have the same rules and options in the same order, with different texts."""
    english, french = (document_of(game).table(lang) for lang in ("en", "fr"))
    assert [(n, e["options"]) for n, e in english.items()] == [(n, e["options"]) for n, e in french.items()]
    assert [n for n in english if english[n]["text"] == french[n]["text"]] == []


@pytest.mark.parametrize("game", HOUSE)
def test_every_option_belongs_to_a_rule(game: str) -> None:
    """Every option belongs to a rule, and every option that a rule names exists."""
    own = document_of(game)
    named = {option for entry in own.table().values() for option in entry["options"]}
    assert named == set(own.options.__struct_fields__)


@pytest.mark.parametrize("game", HOUSE)
def test_the_document_is_generated(game: str) -> None:
    """The document matches the output of `python -m tests.games.<game>.document`."""
    own = document_of(game)
    assert own.text() == own.written()


@pytest.mark.parametrize("game", HOUSE)
def test_the_document_says_everything(game: str) -> None:
    """The document has all rules, options and choices, and its rows and proofs are numbered without gaps."""
    own = document_of(game)
    text, options = own.text(), own.options.__struct_fields__
    assert [number for number in own.numbers if f"**{number} " not in text] == []
    assert [name for name in options if f"`{name}`" not in text] == []
    assert [choice for name in options for choice in own.choices(name) if choice not in text] == []
    proofs = (own.tests / "PROOFS.md").read_text(encoding="utf-8")
    for form, last in own.rows.items():
        assert re.findall(rf"^\| ({form[:2]}\d+) \|", text, re.MULTILINE) == numbered(form, last)
    for form, last in own.proofs.items():
        if form not in own.unlisted:
            assert re.findall(rf"\*\*({form[:2]}\d+)\*\*", proofs) == numbered(form, last)


@pytest.mark.parametrize("game", HOUSE)
def test_everything_has_a_test(game: str) -> None:
    """At least one test names each rule, row, proof and choice."""
    own = document_of(game)
    assert [tag for tag in own.tags() if tag not in proven(own.tests)] == []


@pytest.mark.parametrize("game", HOUSE)
def test_every_tag_says_something_that_exists(game: str) -> None:
    """Every tag that a test uses exists in a document."""
    own = document_of(game)
    assert proven(own.tests).keys() - own.may_be_named() == set()


@pytest.mark.parametrize("game", HOUSE)
def test_languages_say_the_same(game: str) -> None:
    """All languages have the same keys and fields, and different sentences except in titles of rules."""
    numbers = document_of(game).numbers
    first, *others = [words_of(package_of(GAMES[game]), lang).sentences for lang in LANGUAGES]
    for other in others:
        assert set(other) == set(first)
        assert {key for key in first if fields(first[key]) != fields(other[key])} == set()
        long = [key for key, said in first.items() if len(FIELD.sub("", said)) > 20 and not key.startswith(numbers)]
        assert [key for key in long if other[key] == first[key]] == []


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("game", HOUSE)
def test_every_option_is_explained(game: str, lang: str) -> None:
    """Every option has a title and a text, every choice and every set of cards has a name, and no other key exists."""
    own, options = document_of(game), definition_of(GAMES[game]).options
    assert options is not None
    wanted = {
        f"{name}.{part}" for name in own.options.__struct_fields__ for part in ("title", "text", *own.choices(name))
    }
    wanted |= {f"{name}.sets.{each}" for name, sets in options.sets.items() for each in sets}
    assert set(own_words_of(package_of(GAMES[game]), lang).section("option")) == wanted
