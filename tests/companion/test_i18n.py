"""Words: French lines never begin with a sign that belongs to the word before it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

import companion
from companion import findings
from companion.games import GAMES
from companion.i18n import UnreadableWords, flatten, load, read_toml
from web.words import package, words

PLAIN = re.compile(r" [;:!?»%]|« ")


def test_no_french_line_begins_with_a_sign() -> None:
    """Before ; : ! ? » % and after « there are spaces at which no line ends, in every catalogue and on every page."""
    found = {**words("fr").sentences, **load("fr", (findings.FOLDER,)).sentences}
    for game in GAMES.values():
        found |= words("fr", package(game)).sentences
    found |= load("fr", (resources.files("vision.mat").joinpath("words"),)).sentences
    assert sum("\N{NO-BREAK SPACE}" in text for text in found.values()) > 100
    assert {key: text for key, text in found.items() if PLAIN.search(text)} == {}


def test_french_says_tu() -> None:
    """One form of address: nothing in French says "vous" to anybody."""
    formal = re.compile(r"\b(vous|votre|vos|êtes|\w+ez)\b", re.IGNORECASE)
    plain = {"assez", "chez"}
    root = Path(companion.__file__).parent
    files = [*root.rglob("*fr.toml"), *(root.parent / "web" / "translations").glob("*fr.toml")]
    texts = {f"{file.parts[-3:]} {key}": text for file in files for key, text in flatten(read_toml(file)).items()}
    assert len(files) > 15
    found = {key: [word for word in formal.findall(text) if word.lower() not in plain] for key, text in texts.items()}
    assert {key: words for key, words in found.items() if words} == {}


def test_other_spaces_and_languages_stay_as_they_are() -> None:
    """English has no such spaces, and other French ones are where lines may end."""
    assert not [text for text in words("en").sentences.values() if "\N{NO-BREAK SPACE}" in text]
    assert words("fr")("camera_page.corner_1") == "Coin en haut à gauche"


@pytest.mark.parametrize(
    ("lang", "count", "sentence"),
    [("en", 0, "0 moves"), ("en", 1, "1 move"), ("en", 2, "2 moves"), ("fr", 0, "0 coup"), ("fr", 1, "1 coup")],
)
def test_a_count_takes_the_form_that_its_language_asks_for(lang: str, count: int, sentence: str) -> None:
    """French counts nothing in the singular, English in the plural."""
    assert words(lang).plural("stage.events", count).replace("\N{NO-BREAK SPACE}", " ") == sentence


def test_a_table_in_braces_that_goes_on_is_said(tmp_path: Path) -> None:
    """File, line and key, in words for people who do not write TOML every day."""
    file = tmp_path / "en.toml"
    file.write_text('cost = { river = "bridge" }\ncost.unit = { coin = "coin" }\n')
    with pytest.raises(UnreadableWords) as caught:
        read_toml(file)
    assert str(caught.value).startswith(f"{file}: a table in braces takes no more keys (at line 2")
    assert str(caught.value).endswith(": cost.unit")
