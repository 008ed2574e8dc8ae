"""Examine the camera: its picture, focus, light, scale, mat and deck. Measuring is separate from judging.

A running service measures its own state. Otherwise `read` opens the camera for one picture. Outside the mat only the
brightness is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.findings import Finding, Value, bad, look, well
from companion.games import drawn_for
from companion.messages import CameraState
from vision.cameras.camera_protocol import Camera, CameraError
from vision.deck.making import lookalikes
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.features.pixels import WHITE, grey_of
from vision.image import Image
from vision.service.place_locator import NEEDED, PlaceLocator
from vision.settings import CameraSettings

DARK = 45
"""The 95th percentile of brightness, in levels of 255, below which a picture is too dark, as for a deck's pictures."""
GLARE, BRIGHT = 0.5, 12.0
"""The percentages of burnt-out pixels above which a lamp is reflected, and above which the whole table is too
bright."""
FEW = 2.0
"""Glances per second below which the camera may miss a hand."""
SHARP = 6.0
"""The variance of the Laplacian, in a picture 320 pixels wide, below which a picture with contrast is blurred."""
PLAIN = 12.0
"""The standard deviation of grey in levels of 255 below which sharpness cannot be judged."""
HELD = ("picamera2", "usb")
"""The kinds of cameras with lockable focus and exposure."""
SAID_ELSEWHERE = ("unfocused", "no_mat", "too_small", "small_memory", "no_deck", "deck_missing", "deck_broken")
"""Troubles with a finding of their own."""
NAMED = 4
"""The maximum number of cards that a sentence names."""


class LightReading(msgspec.Struct, frozen=True):
    """The light in one picture."""

    bright: float
    """The 95th percentile of grey, in levels of 255."""
    burnt: float
    """The percentage of burnt-out pixels."""
    sharp: float
    """The variance of the Laplacian of the small picture."""
    spread: float
    """The standard deviation of grey."""


class DeckReading(msgspec.Struct, frozen=True):
    """The contents of a deck's file."""

    name: str = ""
    cards: int = 0
    pairs: int = 0
    """The number of similar pairs."""
    same: tuple[str, ...] = ()
    """The names of cards that cannot be told apart."""
    error: str = ""
    missing: bool = False


class CameraReading(msgspec.Struct, frozen=True):
    """All measurements for judging the camera."""

    state: CameraState
    source: str = ""
    """The source such as `usb:0`, or "" without a camera."""
    held: bool = False
    """Whether focus and exposure are locked."""
    light: LightReading | None = None
    deck: DeckReading = DeckReading()
    unfocused: bool = False
    """Whether the camera tried to focus and failed."""
    small_memory: bool = False
    """Whether memory allowed only smaller pictures than the camera can take."""


def light(picture: Image) -> LightReading:
    """Measure the light in a picture."""
    grey = grey_of(picture)
    burnt = (picture.min(axis=2) if picture.ndim == 3 else picture) >= WHITE
    small = cv2.resize(grey, (320, max(1, round(320 * grey.shape[0] / grey.shape[1]))), interpolation=cv2.INTER_AREA)
    return LightReading(
        round(float(np.percentile(grey, 95)), 1),
        round(100 * float(burnt.mean()), 2),
        round(float(cv2.Laplacian(small, cv2.CV_32F).var()), 1),
        round(float(small.std()), 1),
    )


def read_deck(decks: DeckLibrary, name: str) -> DeckReading:
    """Read a deck's file. Its cards are compared once per version of the file."""
    if not name:
        return DeckReading()
    try:
        path = decks.path(name)
        if not path.is_file():
            return DeckReading(name, missing=True)
        return _compare_deck(path, path.stat().st_mtime_ns)
    except (DeckError, RequestRefused, OSError) as error:
        return DeckReading(name, error=str(error).rstrip("."))


@lru_cache(maxsize=4)
def _compare_deck(path: Path, changed: int) -> DeckReading:
    deck = DeckLibrary(path.parent.parent).open(path.stem)
    pairs = lookalikes(deck)
    same = sorted({name for pair in pairs if pair.margin <= 0 for name in (pair.first, pair.second)})
    return DeckReading(path.stem, len(deck.cards), len(pairs), tuple(same))


def read(data: Path, known: CameraSettings, open_camera: Callable[[], Camera | None]) -> CameraReading:
    """Open the camera, take one picture, look for the mat, and close the camera."""
    decks = DeckLibrary(data)
    deck = read_deck(decks, known.deck or decks.last_used())
    try:
        camera = open_camera()
    except CameraError as error:
        return CameraReading(CameraState("none", error.key, error.fields), deck=deck)
    if camera is None:
        return CameraReading(CameraState(), deck=deck)
    try:
        picture, at = camera.still()
        where = PlaceLocator(data, known)
        where.look(picture, at)
        trouble, pose = where.trouble(), where.pose
    except CameraError as error:
        return CameraReading(CameraState("none", error.key, error.fields), deck=deck)
    finally:
        camera.close()
    size = (picture.shape[1], picture.shape[0])
    scale = round(pose.scale, 2) if pose is not None else 0.0
    state = CameraState("still", trouble.key, trouble.fields, deck.name, pose is not None, scale, 0.0, size)
    return CameraReading(state, camera.source, True, light(picture), deck, camera.unfocused, camera.small_memory)


def judge(reading: CameraReading) -> list[Finding]:
    """Return the findings, one per line. A missing camera is not a fault."""
    state = reading.state
    found = [_camera(reading)]
    if reading.source and state.looking not in ("none", "starting"):
        found += [*_judge_focus(reading), *_light(reading.light), *_judge_scale(reading)]
    return [*found, _deck(reading)]


def _camera(reading: CameraReading) -> Finding:
    state = reading.state
    if state.looking == "starting":
        return look("camera.camera", "starting")
    if not reading.source:
        if not state.trouble:
            return well("camera.camera", "none")
        return bad("camera.trouble", state.trouble, **finding_fields(state.fields))
    fields: dict[str, Value] = {"kind": reading.source, "width": state.size[0], "height": state.size[1]}
    return well("camera.camera", "rendered" if reading.source == "rendered" else "ok", **fields)


def finding_fields(fields: dict[str, str | int | float]) -> dict[str, Value]:
    """Return a trouble's fields for a finding, with sides as words."""
    return {name: [f"side_{value}"] if name == "side" else value for name, value in fields.items()}


def _judge_focus(reading: CameraReading) -> list[Finding]:
    if not reading.source.startswith(HELD):
        return []
    if reading.unfocused:
        return [bad("camera.focus", "failed")]
    seen = reading.light
    if seen is not None and seen.spread > PLAIN and seen.sharp < SHARP:
        return [look("camera.focus", "blurred")]
    return [well("camera.focus") if reading.held else look("camera.focus", "free")]


def _light(seen: LightReading | None) -> list[Finding]:
    if seen is None:
        return []
    if seen.bright < DARK:
        return [bad("camera.light", "dark")]
    if seen.burnt >= BRIGHT:
        return [look("camera.light", "bright", percent=round(seen.burnt))]
    if seen.burnt >= GLARE:
        return [look("camera.light", "glare", percent=seen.burnt)]
    return [well("camera.light")]


def _judge_scale(reading: CameraReading) -> list[Finding]:
    """Judge places and scale. A rendered table's camera cannot be moved closer."""
    state, rendered = reading.state, reading.source == "rendered"
    found = [well("camera.places") if state.mat else bad("camera.places", "none")]
    if state.scale and not rendered:
        scale = {"scale": state.scale, "needed": NEEDED}
        small = "memory" if reading.small_memory else "small"
        found.append(look("camera.scale", small, **scale) if state.scale < NEEDED else well("camera.scale", **scale))
    if state.trouble and state.trouble not in SAID_ELSEWHERE:
        found.append(look("camera.trouble", state.trouble, **finding_fields(state.fields)))
    if state.fps:
        found.append((look if state.fps < FEW else well)("camera.speed", "slow" if state.fps < FEW else "ok",
                                                         fps=state.fps))  # fmt: skip
    return found


def _deck(reading: CameraReading) -> Finding:
    deck = reading.deck
    name: Value = ["ours:" + drawn_for(deck.name)] if drawn_for(deck.name) else deck.name
    fields: dict[str, Value] = {"deck": name, "cards": deck.cards, "pairs": deck.pairs}
    if not deck.name:
        state = well if not reading.source else look
        return state("camera.deck", "none")
    if deck.missing:
        return bad("camera.deck", "missing", deck=name)
    if deck.error:
        return bad("camera.deck", "broken", deck=name, said=deck.error)
    if deck.same:
        names = ", ".join(deck.same[:NAMED]) + (" …" if len(deck.same) > NAMED else "")
        return look("camera.deck", "alike", **fields, cards_alike=names)
    if deck.pairs == 1:
        return well("camera.deck", "one_pair", **fields)
    return well("camera.deck", **fields)
