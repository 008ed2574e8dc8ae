"""Findings: the same in the terminal and on a page, in every language, with a key that does not change."""

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
"""A finding that is made in the source: its key, and its state where it is written there."""


def names(text: str) -> list[str]:
    """Return the fields of a sentence."""
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name})


def test_every_language_has_every_sentence_with_the_same_fields() -> None:
    """No key is missing anywhere, and no translation forgets a figure."""
    english = sentences(LANGUAGES[0]).sentences
    for lang in LANGUAGES[1:]:
        other = sentences(lang).sentences
        assert set(other) == set(english)
        assert {key: names(text) for key, text in other.items()} == {key: names(text) for key, text in english.items()}
        same = {key for key in english if english[key] == other[key] and len(english[key].split()) > 5}
        assert not same  # nothing was left untranslated


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_the_source_finds_has_its_sentences(lang: str) -> None:
    """Every key and state that is written in the source is said; what is not well says what to do."""
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
        if how != "well" and key != "camera.trouble":  # those say it in the same sentence
            assert told.advice, (key, state)


def test_an_advice_belongs_to_a_state() -> None:
    """No advice stands alone, so that none is written for a state that was renamed."""
    for lang in LANGUAGES:
        keys = set(sentences(lang).sentences)
        assert not {key for key in keys if key.endswith("_do") and key.removesuffix("_do") not in keys}


def test_a_finding_is_said_with_its_fields() -> None:
    """Figures are written as the language does; words inside a sentence are translated, too."""
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
    """What the camera's page says of a trouble is what the examination says."""
    finding = bad("camera.trouble", "mat_half", side=["side_left"])
    said_here = finding_text(finding, sentences("en")).how
    assert said_here == sentences("en")("camera.mat_half", side="on the left")


def test_a_finding_that_nobody_has_words_for_is_still_said() -> None:
    """A service that is newer than the table tells something; no page breaks for that."""
    told = finding_text(Finding("buttons.magic", "odd", "bad", {"n": 3}), sentences("en"))
    assert "buttons.magic" in told.what and told.how
    assert finding_text(Finding("disk.space"), sentences("en")).how  # fields are missing


def test_the_worst_comes_first() -> None:
    """Parts by their worst line, and in each part the worst line first."""
    found = [well("power.supply"), well("disk.folder"), look("disk.space", "low"), bad("camera.deck", "missing"),
             well("camera.camera", "none")]  # fmt: skip
    assert [each.key for each in worst_first(found)] == [
        "camera.deck", "camera.camera", "disk.space", "disk.folder", "power.supply",
    ]  # fmt: skip


def test_findings_cross_the_bus_unchanged() -> None:
    """An answer carries them as they are; an answer that is none says so."""
    found = [look("disk.space", "low", free_mb=3, total_mb=4), bad("buttons.press", "never", part=["host"])]
    assert findings_of(Answered(1, True, "", answer_of_findings(found))) == found
    assert findings_of(Answered(1, False, "late")) is None
    assert findings_of(Answered(1, True, "", {"findings": [{"state": 1}]})) is None


def test_json_has_keys_that_do_not_depend_on_the_language() -> None:
    """Programs read key, state, grade and fields; the words beside them are for people."""
    finding = look("disk.space", "low", free_mb=300, total_mb=4000)
    english, french = to_plain(finding, sentences("en")), to_plain(finding, sentences("fr"))
    machine = ("key", "state", "grade", "fields")
    assert {name: english[name] for name in machine} == {name: french[name] for name in machine}
    assert english["key"] == "disk.space" and english["advice"] != french["advice"]


def test_words_are_only_those_of_findings() -> None:
    """The files beside the module hold what is examined and the camera's troubles, nothing of pages."""
    import tomllib

    for file in FOLDER.iterdir():
        if file.name.endswith(".toml"):
            sections = {key.partition(".")[0] for key in flatten(tomllib.loads(file.read_text(encoding="utf-8")))}
            assert sections in ({"check"}, {"camera"}), file.name
