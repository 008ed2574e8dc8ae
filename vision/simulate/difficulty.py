"""The difficulty of reading a rendered table: ranges for a session's light, lens and clutter. Data only.

A session is one camera above one table. It draws once from every range. Only noise changes from picture to picture.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Range: TypeAlias = tuple[float, float]
"""The minimum and maximum value."""

DEVELOPMENT = range(0, 10_000)
"""Seeds for development and tests."""
BENCHMARKS = 999_999
"""The first seed for benchmarks, without an upper limit. Nothing is ever tuned on these seeds."""


class Difficulty(msgspec.Struct, frozen=True):
    """Ranges of everything that makes reading hard."""

    name: str
    # the camera's pose
    tilt: Range
    """The camera's tilt in degrees."""
    roll: Range
    """The rotation of the picture about its middle in degrees."""
    margin: Range
    """The margin of the picture around the mat at each edge, as a share of its shorter side."""
    # the lens and the sensor
    bend: Range
    """The distortion at the picture's corners, as a share of half the diagonal, negative inwards."""
    blur: Range
    """Sigma of the defocus blur, in pixels of a picture 1280 pixels wide (more in larger ones)."""
    motion: Range
    """The length of the motion blur of a shaking mount, in pixels of a picture 1280 pixels wide."""
    noise: Range
    """The standard deviation of the sensor's noise, in levels of 255."""
    jpeg: Range
    """The JPEG quality of pictures from 0 to 100."""
    # the light
    exposure: Range
    """The factor of the light: 1 shows white paper at 235 of 255."""
    uneven: Range
    """The difference between the darkest corner and the brightest place, as a share."""
    shadows: tuple[int, int]
    """The number of soft shadows on the table."""
    cast: Range
    """The shift of red and blue relative to each other, as a share."""
    # print and cards
    gamma: Range
    """The exponent of the print's tones."""
    ink: Range
    """The factor by which each printed colour deviates from the drawing, as a share."""
    cut: Range
    """The misalignment of a card's art from its edges in millimetres, by printing and cutting at home."""
    sleeves: float
    """The probability of cards in sleeves."""
    glare: Range
    """The share of the cards with a highlight, from sleeves or varnish."""
    gleam: Range
    """The brightness of a highlight as a share of white."""
    sheets: Range
    """The misplacement of each sheet of the mat in millimetres."""
    offset: Range
    """The distance of a card from its outline in millimetres."""
    turn: Range
    """The rotation of a card from its outline in degrees."""
    headlong: Range
    """The share of the cards that lie upside down."""
    slips: float
    """The probability that a hand leaves a piece at the edge of its cell."""
    # clutter
    clutter: tuple[int, int]
    """The number of objects (phones, cups, money, foreign cards) beside the places."""


# For units and meaning of every range, see the fields of `Difficulty`.
EASY = Difficulty(
    "easy", tilt=(0, 3), roll=(-2, 2), margin=(0.02, 0.05), bend=(0.0, 0.004), blur=(0.3, 0.45), motion=(0, 0),
    noise=(0.8, 1.6), jpeg=(92, 96), exposure=(0.95, 1.05), uneven=(0.02, 0.1), shadows=(0, 1), cast=(0.0, 0.02),
    gamma=(0.97, 1.03), ink=(0, 0.02), cut=(0, 0.2), sleeves=0.0, glare=(0, 0), gleam=(0, 0), sheets=(0, 0.2),
    offset=(0, 1.0), turn=(0, 0.8), headlong=(0, 0), slips=0.02, clutter=(0, 2),
)  # fmt: skip
DEFAULT = Difficulty(
    "default", tilt=(2, 12), roll=(-6, 6), margin=(0.03, 0.07), bend=(-0.012, 0.02), blur=(0.4, 0.7), motion=(0, 0.6),
    noise=(1.5, 3.5), jpeg=(85, 94), exposure=(0.8, 1.1), uneven=(0.1, 0.35), shadows=(1, 3), cast=(0.0, 0.08),
    gamma=(0.9, 1.12), ink=(0, 0.06), cut=(0, 0.6), sleeves=0.25, glare=(0, 0.12), gleam=(0.15, 0.5),
    sheets=(0, 0.6), offset=(0, 2.5), turn=(0, 2.5), headlong=(0, 0.1), slips=0.05, clutter=(2, 6),
)  # fmt: skip
HARD = Difficulty(
    "hard", tilt=(8, 24), roll=(-15, 15), margin=(0.03, 0.12), bend=(-0.02, 0.04), blur=(0.6, 1.1), motion=(0, 1.6),
    noise=(3, 7), jpeg=(70, 88), exposure=(0.6, 1.2), uneven=(0.3, 0.6), shadows=(2, 5), cast=(0.05, 0.18),
    gamma=(0.8, 1.25), ink=(0.03, 0.12), cut=(0, 1.2), sleeves=0.6, glare=(0.1, 0.4), gleam=(0.3, 0.85),
    sheets=(0, 1.2), offset=(0, 4.0), turn=(0, 5.0), headlong=(0.05, 0.3), slips=0.1, clutter=(4, 9),
)  # fmt: skip

DIFFICULTIES = {each.name: each for each in (EASY, DEFAULT, HARD)}
"""All difficulties by name."""
