"""Words: French spacing, elision and plurals, and the reading of files of words."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion import findings
from companion.games import GAMES
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.i18n import LANGUAGES, UnreadableWords, Words, flatten, load, read_lines, read_toml
from companion.ops.rule_texts import rules_of
from web.words import package, words

PLAIN = re.compile(r" [;:!?»%–]|« ")


def test_no_french_line_begins_with_a_sign() -> None:
    """In every French text a no-break space stands before ; : ! ? » % – and after «."""
    found = {**words("fr").sentences, **load("fr", (findings.FOLDER,)).sentences}
    for game in GAMES.values():
        found |= words("fr", package(game)).sentences
    found |= load("fr", (resources.files("vision.mat").joinpath("words"),)).sentences
    assert sum("\N{NO-BREAK SPACE}" in text for text in found.values()) > 100
    assert {key: text for key, text in found.items() if PLAIN.search(text)} == {}
    for game in (*GAMES.values(), HILL_AND_HARBOUR):
        assert [rule.number for rule in rules_of(game, "fr") if PLAIN.search(rule.text)] == []


def test_no_line_begins_with_a_dash() -> None:
    """A dash between two names stays on the line of the first one in every language."""
    for lang in LANGUAGES:
        name = words(lang, package(HILL_AND_HARBOUR))("card.marble", number=13)
        assert "Tarn\N{NO-BREAK SPACE}– Halport" in name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Ann", "le train d'Ann"),
        ("Élise", "le train d'Élise"),
        ("Hélène", "le train d'Hélène"),
        ("Yves", "le train d'Yves"),
        ("<b>Ida</b>", "le train d'<b>Ida</b>"),
        ("Yann", "le train de Yann"),
        ("Hans", "le train de Hans"),
        ("Tom", "le train de Tom"),
        ("1 t", "le train de 1 t"),
    ],
)
def test_french_elides_before_a_vowel(name: str, said: str) -> None:
    """French elides words before a name that begins with a vowel, and English does not."""
    assert Words("fr", {"train": "le train de {name}"})("train", name=name) == said
    assert Words("en", {"train": "train de {name}"})("train", name="Ann") == "train de Ann"


def test_french_elides_two_words_and_in_the_house_s_own_sentences() -> None:
    """French also elides “que” and the first word of a sentence."""
    said = Words("fr", {"both": "De {a} plus que {b}, de {b} rien"})
    assert said("both", a="Ida", b="Urs") == "D'Ida plus qu'Urs, d'Urs rien"
    assert words("fr")("stage.tablet_of", name="Ann") == "La tablette d'Ann"


def test_french_says_tu() -> None:
    """No French text addresses anybody with "vous"."""
    formal = re.compile(r"\b(vous|votre|vos|êtes|\w+ez)\b", re.IGNORECASE)
    plain = {"assez", "chez"}
    root = Path(companion.__file__).parent
    files = [*root.rglob("*fr.toml"), *(root.parent / "web" / "translations").glob("*fr.toml")]
    texts = {f"{file.parts[-3:]} {key}": text for file in files for key, text in flatten(read_toml(file)).items()}
    assert len(files) > 15
    found = {key: [word for word in formal.findall(text) if word.lower() not in plain] for key, text in texts.items()}
    assert {key: words for key, words in found.items() if words} == {}


def test_other_spaces_and_languages_stay_as_they_are() -> None:
    """English has no no-break spaces, and other French spaces allow line breaks."""
    assert not [text for text in words("en").sentences.values() if "\N{NO-BREAK SPACE}" in text]
    assert words("fr")("camera_page.corner_1") == "Coin en haut à gauche"


@pytest.mark.parametrize(
    ("lang", "count", "sentence"),
    [("en", 0, "0 moves"), ("en", 1, "1 move"), ("en", 2, "2 moves"), ("fr", 0, "0 coup"), ("fr", 1, "1 coup")],
)
def test_a_count_takes_the_form_that_its_language_asks_for(lang: str, count: int, sentence: str) -> None:
    """French uses the singular for zero, and English the plural."""
    assert words(lang).plural("stage.events", count).replace("\N{NO-BREAK SPACE}", " ") == sentence


CATALOGUES = {
    (lang, name): words(lang, package(game) if game else "")
    for lang in LANGUAGES
    for name, game in (("pages", None), *GAMES.items())
}
"""All words of pages and games, by language and game."""
PLURALS = [
    (lang, name, key.removesuffix("_one"))
    for (lang, name), found in CATALOGUES.items()
    for key in found.sentences
    if key.endswith("_one") and key.removesuffix("_one") in found
]
"""Every sentence that has a form for one, by language and game."""
ONE = re.compile(r"\b(1|ones?|once|a single|une?|seule?|unique)\b|\bl'un", re.IGNORECASE)
A_JUDGE = "Un arbitre tranche."
"""A sentence with "un" that counts nothing."""
COUNTS = ("count", "amount", "waste", "bad", "rounds")
"""Fields that contain a count."""


def said_of(lang: str, name: str, key: str, count: int) -> str:
    """Return a sentence for a count, with dashes in its other fields."""
    found = CATALOGUES[lang, name]
    fields = {field for form in (key, f"{key}_one") for _, field, _, _ in Formatter().parse(found.sentences[form])}
    filled = {field: count if field in COUNTS else "–" for field in fields if field and field != "count"}
    return found.plural(key, count, **filled)


def test_zero_and_two_never_read_as_one() -> None:
    """A sentence for zero or two contains no word for one without the number."""
    said = {(each, count): said_of(*each, count) for each in PLURALS for count in (0, 1, 2)}
    assert {name for _, name, _ in PLURALS} >= {"pages", "trains", "take-a-train", "express", "game-of-trains"}
    assert len(said) > 3 * 100
    untrue = {
        (*each, count): text
        for (each, count), text in said.items()
        if (count != 1 and ONE.search(text.replace(A_JUDGE, "")) and not re.search(rf"\b{count}\b", text))
        or (count == 1 and re.search(r"\b[02]\b", text))
    }
    assert untrue == {}


def test_a_sentence_about_one_fills_in_its_number() -> None:
    """The form for one contains the field for its number, because French also uses it for zero."""
    literal = {
        each: text for each in PLURALS if re.search(r"\b1\b", text := CATALOGUES[each[:2]].sentences[f"{each[2]}_one"])
    }
    assert literal == {}


@pytest.mark.parametrize(
    ("game", "key", "zero"),
    [
        ("trains", "score.said", "0 point"),
        ("trains", "fact.coins", "0 pièce"),
        ("express", "ui.in_hand", "0 carte en main"),
        ("pages", "stage.wrong", "Le compagnon a été corrigé 0 fois"),
        ("pages", "token_enrolment.found", "0 jetons"),
    ],
)
def test_french_counts_nothing_in_the_singular(game: str, key: str, zero: str) -> None:
    """For zero, French uses the form for one only if it has the number."""
    assert said_of("fr", game, key, 0) == zero


def test_a_form_comes_from_the_language_that_has_the_sentence() -> None:
    """A plural form comes from the language that has the sentence, and English lends no form."""
    english = Words("en", {"left": "{count} cards", "left_one": "{count} card", "gone_one": "one", "gone": "{count}"})
    french = Words("fr", {"left": "{count} carte(s)"}, english)
    assert [french.plural("left", count) for count in (0, 1, 2)] == ["0 carte(s)", "1 carte(s)", "2 carte(s)"]
    assert [french.plural("gone", count) for count in (0, 1, 2)] == ["0", "one", "2"]


def test_a_table_in_braces_that_goes_on_is_said(tmp_path: Path) -> None:
    """A key that extends an inline table is reported with file, line and key."""
    file = tmp_path / "en.toml"
    file.write_text('cost = { river = "bridge" }\ncost.unit = { coin = "coin" }\n')
    with pytest.raises(UnreadableWords) as caught:
        read_toml(file)
    assert str(caught.value).startswith(f"{file}: a table in braces takes no more keys (at line 2")
    assert str(caught.value).endswith(": cost.unit")


def test_words_are_read_by_lines_as_toml_says() -> None:
    """The fast line reader reads nearly all files, with the same result as the TOML parser."""
    root = Path(companion.__file__).parents[1]
    files = [file for where in ("companion", "web", "vision") for file in (root / where).rglob("*.toml")]
    files = [file for file in files if file.stem.split(".")[-1] in LANGUAGES]
    found = {file: read_lines(file.read_text(encoding="utf-8")) for file in files}
    by_lines = {file: read for file, read in found.items() if read is not None}
    assert len(files) > 100
    assert by_lines == {file: flatten(read_toml(file)) for file in by_lines}
    assert len(by_lines) >= 0.95 * len(files)


@pytest.mark.parametrize(
    "text",
    [
        'a = "x"\na = "y"',
        'a = "x"\na.b = "y"',
        'a.b = "x"\na = "y"',
        'a.b = "x"\na.b.c = "y"',
        'a.b = "x"\n[a]\nc = "y"',
        'a.b.c = "x"\n[a.b]\nd = "y"',
        '[a]\nb = "x"\n[a]\nc = "y"',
        '[a]\nb = "x"\n[a.b]\nc = "y"',
        '[a.b]\nc = "x"\n[a]\nb = "y"',
        'a = { b = "x", b = "y" }',
        'a = { b = "x", b.c = "y" }',
        'a = { b = "x" }\na.c = "y"',
        'a = { b = "x" }\n[a]\nc = "y"',
        'a = { b = "x" }\n[a.c]\nd = "y"',
        'a..b = "x"',
        'a = "x',
        'a = "x\u0007"',
        "a = x",
        "a =",
    ],
)
def test_what_toml_refuses_no_lines_read(text: str) -> None:
    """If TOML refuses a text, the line reader leaves it to the parser."""
    with pytest.raises(tomllib.TOMLDecodeError):
        tomllib.loads(text)
    assert read_lines(text) is None


@pytest.mark.parametrize(
    "text",
    [
        '# words\n\na = "x"\n[b.c]\nd = "y"\n[b]\ne = "z"\n',
        'a = { b = "x, c = y", c = "}" }\nd = "{ e = 1 }"',
        'a.b = "x"\na.c = "y"\n[b]\na.b = "z"',
        'a = "\\"x\\"\\u00a0%"\nb = \'c\' # why\nd = { e.f = "g" }\nh = [ "i" ]\nj = 1',
    ],
)
def test_what_lines_say_is_what_toml_says(text: str) -> None:
    """The line reader handles comments, tables, braces, dotted keys, escapes and other values."""
    assert read_lines(text) == flatten(tomllib.loads(text))


def test_a_text_of_many_lines_is_read_as_toml() -> None:
    """The line reader leaves a multi-line string to the TOML parser."""
    assert read_lines('a = """\nb = "c"\n"""') is None
