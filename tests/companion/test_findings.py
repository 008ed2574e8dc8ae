"""Findings are the same in the terminal and on a page, in every language, with stable keys."""

from __future__ import annotations

import re
import string

import pytest

from companion.findings import (
    FOLDER,
    Finding,
    bad,
    finding_text,
    findings_of,
    look,
    sentences,
    to_plain,
    well,
    worst_first,
)
from companion.findings import answer_of as answer_of_findings
from companion.i18n import LANGUAGES, flatten
from companion.messages import Answered
from tests.support.paths import ROOT

MAKING = re.compile(r'\b(bad|look|well)\(\s*"([a-z0-9]+\.[a-z0-9_]+)"(?:,\s*"([a-z_]+)"|(?=\)|,\s*(?:\*|\w+=)))')
"""Matches the creation of a finding in the source: its function, key and state."""


def names(text: str) -> list[str]:
    """Return the names of the fields of a sentence."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name})


def test_every_language_has_every_sentence_with_the_same_fields() -> None:
    """Every language has the same sentences with the same fields."""
    english = sentences(LANGUAGES[0]).sentences
    for lang in LANGUAGES[1:]:
        other = sentences(lang).sentences
        assert set(other) == set(english)
        assert {key: names(text) for key, text in other.items()} == {key: names(text) for key, text in english.items()}
        same = {key for key in english if english[key] == other[key] and len(english[key].split()) > 5}
        assert not same  # no sentence is left untranslated


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_the_source_finds_has_its_sentences(lang: str) -> None:
    """Every finding in the source has its sentences, and each bad one has a remedy."""
    words = sentences(lang)
    made = [
        (match.group(2), match.group(3) or "ok", match.group(1))
        for folder in ("companion", "hardware", "vision")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for match in MAKING.finditer(path.read_text(encoding="utf-8"))
    ]
    assert len(made) > 60
    for key, state, how in made:
        assert f"check.{key}.what" in words, key
        told = finding_text(Finding(key, state), words)
        assert told.how != f"check.{key}.{state}", (key, state)
        if how != "well" and key != "camera.trouble":  # the camera's trouble has its remedy in the same sentence
            assert told.advice, (key, state)


def test_an_advice_belongs_to_a_state() -> None:
    """Each remedy belongs to an existing state."""
    for lang in LANGUAGES:
        keys = set(sentences(lang).sentences)
        assert not {key for key in keys if key.endswith("_do") and key.removesuffix("_do") not in keys}


def test_a_finding_is_said_with_its_fields() -> None:
    """Fields of a finding are written in the language, including words within the sentence."""
    finding = look("camera.scale", "small", scale=2.5, needed=3.3)
    assert finding_text(finding, sentences("en")).how == "2.5 pixels per millimetre; 3.3 are needed to read every value"
    assert finding_text(finding, sentences("fr")).how.startswith("2,5 pixels par millimètre")
    pressed = bad("buttons.press", "felt_too", part=["host"], others=["button:1", "button:3"])
    assert finding_text(pressed, sentences("en"))[:2] == (
        "The host's button",
        "detected, but so was the button of seat 1, the button of seat 3",
    )
    assert finding_text(pressed, sentences("fr"))[:2] == (
        "Le bouton de l'hôte",
        "détecté, mais aussi le bouton de la place 1, le bouton de la place 3",
    )


def test_a_camera_s_trouble_is_said_as_on_its_page() -> None:
    """A camera's trouble has the same sentence in a finding and on the camera's page."""
    finding = bad("camera.trouble", "mat_half", side=["side_left"])
    said_here = finding_text(finding, sentences("en")).how
    assert said_here == sentences("en")("camera.mat_half", side="on the left")


def test_a_finding_that_nobody_has_words_for_is_still_said() -> None:
    """A finding of a newer service without words is still shown with its key."""
    told = finding_text(Finding("buttons.magic", "odd", "bad", {"n": 3}), sentences("en"))
    assert "buttons.magic" in told.what and told.how
    assert finding_text(Finding("disk.space"), sentences("en")).how  # its fields are missing


def test_the_worst_comes_first() -> None:
    """Parts are sorted by their worst finding, and each part shows its worst finding first."""
    found = [well("power.supply"), well("disk.folder"), look("disk.space", "low"), bad("camera.deck", "missing"),
             well("camera.camera", "none")]  # fmt: skip
    assert [each.key for each in worst_first(found)] == [
        "camera.deck", "camera.camera", "disk.space", "disk.folder", "power.supply",
    ]  # fmt: skip


def test_findings_cross_the_bus_unchanged() -> None:
    """Findings cross the bus unchanged, and an invalid answer is read as None."""
    found = [look("disk.space", "low", free_mb=3, total_mb=4), bad("buttons.press", "never", part=["host"])]
    assert findings_of(Answered(1, True, "", answer_of_findings(found))) == found
    assert findings_of(Answered(1, False, "late")) is None
    assert findings_of(Answered(1, True, "", {"findings": [{"state": 1}]})) is None


def test_json_has_keys_that_do_not_depend_on_the_language() -> None:
    """The JSON has key, state, grade and fields that do not depend on the language."""
    finding = look("disk.space", "low", free_mb=300, total_mb=4000)
    english, french = to_plain(finding, sentences("en")), to_plain(finding, sentences("fr"))
    machine = ("key", "state", "grade", "fields")
    assert {name: english[name] for name in machine} == {name: french[name] for name in machine}
    assert english["key"] == "disk.space" and english["advice"] != french["advice"]


def test_words_are_only_those_of_findings() -> None:
    """The files of words beside the module contain only findings and the camera's troubles."""
    import tomllib

    for file in FOLDER.iterdir():
        if file.name.endswith(".toml"):
            sections = {key.partition(".")[0] for key in flatten(tomllib.loads(file.read_text(encoding="utf-8")))}
            assert sections in ({"check"}, {"camera"}), file.name
