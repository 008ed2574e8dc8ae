"""Test that seats differ in colour, lightness and shape, in both themes and with colour blindness."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import web
from companion.engine import COLOURS, SHAPES
from vision.mat.drawing import seat_shape
from vision.piece_colours import PIECE_COLOURS

Vector = npt.NDArray[np.float64]
STATIC = Path(web.__file__).parent / "static"
EYES = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
"""Matrices of Machado, Oliveira and Fernandes (2009) for linear RGB as seen without one kind of cones."""
NEW = COLOURS[6:]
"""The colours of the seventh and eighth seat, and the grey of some boxes."""


def linear(colour: str) -> Vector:
    """Return a colour such as `#b5121b` or `#fff` as linear RGB from 0 to 1."""
    digits = colour.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    values = np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)]) / 255
    return np.asarray(np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4))


def lab(rgb: Vector) -> Vector:
    """Return linear RGB as CIE Lab."""
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175],
                       [0.0193339, 0.119192, 0.9503041]])  # fmt: skip
    x, y, z = np.cbrt(np.clip(to_xyz @ np.clip(rgb, 0, 1) / np.array([0.95047, 1, 1.08883]), 1e-4, 1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG's formula."""
    low, high = sorted(float(np.array([0.2126, 0.7152, 0.0722]) @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def plates(sheet: str, pattern: str) -> dict[str, tuple[str, str]]:
    """Return each seat's colour and the colour of the shape on it, by name, from a style sheet."""
    text = (STATIC / "css" / sheet).read_text(encoding="utf-8")
    found = re.findall(pattern + r" \{ --seat: (#\w+); --seat-ink: (#\w+); \}", text)
    return {name: (seat, ink) for name, seat, ink in found}


SEATS = plates("layout.css", r"\.seat-(\w+)")


def test_every_seat_has_a_plate_with_a_legible_shape() -> None:
    """The shape on each seat's colour has a contrast of at least 4.5 to 1."""
    assert set(SEATS) == set(COLOURS) == set(PIECE_COLOURS)
    assert all(contrast(*plate) >= 4.5 for plate in SEATS.values())


@pytest.mark.parametrize("eyes", list(EYES))
def test_new_colours_differ_for_every_eye(eyes: str) -> None:
    """The seventh, the eighth and grey differ from all other colours by 20 units of CIE Lab, for every kind of
    vision."""
    seen = {name: lab(EYES[eyes] @ linear(seat)) for name, (seat, _) in SEATS.items()}
    for one, other in combinations(COLOURS, 2):
        if one in NEW or other in NEW:
            assert np.linalg.norm(seen[one] - seen[other]) >= 20, (one, other)


def test_every_shape_is_drawn_on_pages_and_mats() -> None:
    """The sprite has every shape, and no two seats of a mat have the same one."""
    sprite = (STATIC / "img" / "sprite.svg").read_text(encoding="utf-8")
    for shape in SHAPES:
        assert f'id="shape-{shape}"' in sprite
    outlines = {seat_shape(seat, 0.0, 0.0, 8.0) for seat in range(len(SHAPES))}
    assert len(outlines) == len(SHAPES) == 8
    assert all(max(abs(value) for point in outline for value in point) <= 9.7 for outline in outlines)
