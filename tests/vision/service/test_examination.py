"""Tests of the camera's examination: judgements from tables of cases, and readings of test pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.findings import finding_text, sentences
from companion.messages import CameraState
from vision.cameras.camera_protocol import CameraError
from vision.deck.making import enrol
from vision.deck.stored_decks import DeckLibrary
from vision.service.examination import CameraReading, DeckReading, LightReading, judge, light, read, read_deck
from vision.settings import CameraSettings

FINE = LightReading(bright=200.0, burnt=0.1, sharp=90.0, spread=50.0)
SEES = CameraState("still", deck="box", mat=True, scale=3.6, fps=4.2, size=(2304, 1296))
DECK = DeckReading("box", 47, 12)
WELL = CameraReading(SEES, "picamera2", True, FINE, DECK)


def with_(reading: CameraReading, **fields: Any) -> CameraReading:
    """Return a reading with other fields, including those of the state by their own names."""
    own = {name: value for name, value in fields.items() if name in CameraReading.__struct_fields__}
    state = {name: value for name, value in fields.items() if name not in own}
    old = {name: getattr(reading.state, name) for name in CameraState.__struct_fields__}
    kept = {name: getattr(reading, name) for name in CameraReading.__struct_fields__}
    return CameraReading(**{**kept, "state": CameraState(**{**old, **state}), **own})


def test_a_camera_that_is_well() -> None:
    """A healthy camera passes each check, and each check has a line."""
    found = judge(WELL)
    assert all(each.well for each in found)
    assert [each.key for each in found] == [
        "camera.camera", "camera.focus", "camera.light", "camera.places", "camera.scale", "camera.speed", "camera.deck",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "key", "state", "grade"),
    [
        ({"looking": "starting"}, "camera.camera", "starting", "look"),
        ({"source": "rendered"}, "camera.camera", "rendered", "well"),
        ({"held": False}, "camera.focus", "free", "look"),
        ({"unfocused": True, "trouble": "unfocused"}, "camera.focus", "failed", "bad"),
        ({"light": LightReading(200, 0.1, 2.0, 50)}, "camera.focus", "blurred", "look"),
        ({"light": LightReading(44, 0.0, 90, 50)}, "camera.light", "dark", "bad"),
        ({"light": LightReading(255, 12.0, 90, 50)}, "camera.light", "bright", "look"),
        ({"light": LightReading(255, 0.5, 90, 50)}, "camera.light", "glare", "look"),
        ({"light": LightReading(255, 0.49, 90, 50)}, "camera.light", "ok", "well"),
        ({"mat": False, "scale": 0.0}, "camera.places", "none", "bad"),
        ({"scale": 3.29}, "camera.scale", "small", "look"),
        ({"scale": 3.29, "small_memory": True, "trouble": "small_memory"}, "camera.scale", "memory", "look"),
        ({"scale": 3.3, "small_memory": True}, "camera.scale", "ok", "well"),
        ({"scale": 3.3}, "camera.scale", "ok", "well"),
        ({"fps": 1.9}, "camera.speed", "slow", "look"),
        ({"trouble": "mat_half", "fields": {"side": "left"}}, "camera.trouble", "mat_half", "look"),
        ({"deck": DeckReading()}, "camera.deck", "none", "look"),
        ({"deck": DeckReading("box", missing=True)}, "camera.deck", "missing", "bad"),
        ({"deck": DeckReading("box", error="It is no deck")}, "camera.deck", "broken", "bad"),
        ({"deck": DeckReading("box", 4, 1)}, "camera.deck", "one_pair", "well"),
        ({"deck": DeckReading("box", 4, 2, ("a", "b"))}, "camera.deck", "alike", "look"),
    ],
)
def test_what_is_not_well(fields: dict[str, Any], key: str, state: str, grade: str) -> None:
    """Each single fault has its line in each language."""
    found = next(each for each in judge(with_(WELL, **fields)) if each.key == key)
    assert (found.state, found.grade) == (state, grade)
    for lang in ("en", "fr"):
        assert "{" not in finding_text(found, sentences(lang)).how


def test_a_focus_that_is_not_found_has_one_line() -> None:
    """A missing focus is reported in one line only."""
    found = judge(with_(WELL, unfocused=True, trouble="unfocused"))
    assert [each.key for each in found if not each.well] == ["camera.focus"]


def test_a_rendered_table_has_neither_focus_nor_scale() -> None:
    """A rendered table has no lines about focus and scale, because nobody can adjust its camera."""
    found = {each.key for each in judge(with_(WELL, source="rendered", scale=3.2))}
    assert found == {"camera.camera", "camera.light", "camera.places", "camera.speed", "camera.deck"}


def test_a_deck_that_we_have_drawn_is_said_as_people_say_it() -> None:
    """A drawn deck is called by its readable name instead of its file name."""
    found = judge(with_(WELL, deck=DeckReading("ours take-a-train", 47, 12)))[-1]
    assert finding_text(found, sentences("en")).how.startswith("“our printed cards”, 47 different cards")
    assert finding_text(found, sentences("fr")).how.startswith(
        "«\N{NO-BREAK SPACE}nos cartes imprimées\N{NO-BREAK SPACE}», 47"
    )


def test_without_a_camera_nothing_is_wrong() -> None:
    """Without a camera no check fails, not even for a missing deck, because the game works by touch."""
    found = judge(CameraReading(CameraState()))
    assert all(each.well for each in found) and [each.state for each in found] == ["none", "none"]


def test_a_camera_that_is_not_found_is_told_with_its_cable() -> None:
    """A missing camera has the same advice on its cable as the camera's page."""

    def nothing() -> None:
        raise CameraError("no_camera", "No camera answers.", source="usb:0")

    found = judge(read(Path("/nowhere"), CameraSettings(source="usb:0"), nothing))
    assert found[0].grade == "bad" and "cable" in finding_text(found[0], sentences("en")).how


class Still:
    """A camera that returns one picture and records whether it was closed."""

    source = "folder:x"
    live = False
    unfocused = False
    small_memory = False

    def __init__(self, picture: Any) -> None:
        self.picture, self.closed = picture, False

    def glance(self) -> Any:
        """Return no glance."""
        raise AssertionError

    def still(self) -> tuple[Any, int]:
        """Return the picture."""
        return self.picture, 1

    def lock(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Record the closing."""
        self.closed = True


def test_a_picture_is_taken_and_the_camera_given_back(tmp_path: Path) -> None:
    """A picture of a dark table is examined as too dark and without a mat, and the camera is released."""
    camera = Still(np.full((720, 1280, 3), 20, np.uint8))
    found = {each.key: each.state for each in judge(read(tmp_path, CameraSettings(), lambda: camera))}
    assert camera.closed
    assert found == {
        "camera.camera": "ok", "camera.light": "dark", "camera.places": "none", "camera.deck": "none",
    }  # fmt: skip


def test_light_is_read_from_a_picture() -> None:
    """Brightness, white spots and sharpness are read from a picture."""
    picture = np.full((720, 1280, 3), 90, np.uint8)
    assert light(picture) == LightReading(90.0, 0.0, 0.0, 0.0)
    picture[:72, :128] = 255
    found = light(picture)
    assert found.burnt == 1.0 and found.sharp > 6 and found.spread > 12


def test_a_deck_is_compared_once_and_names_what_nothing_tells_apart(tmp_path: Path) -> None:
    """A deck is checked once for identical pictures, and an invalid file becomes a sentence."""
    decks = DeckLibrary(tmp_path)
    luck = np.random.default_rng(1)
    first, second = (luck.integers(0, 255, (520, 372, 3), dtype=np.uint8) for _ in range(2))
    deck, _ = enrol("box", {"a": [first], "b": [first], "c": [second]})
    decks.finish(deck)
    found = read_deck(decks, "box")
    assert (found.cards, found.same) == (3, ("a", "b")) and found.pairs >= 1
    decks.path("other").write_bytes(b"no deck")
    assert read_deck(decks, "other").error and read_deck(decks, "none").missing
