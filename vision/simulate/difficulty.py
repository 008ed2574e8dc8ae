"""How hard a rendered table is to read: ranges from which a session draws its light, lens and clutter. Data only.

A session is one camera above one table. It draws once from every range; only noise is drawn again for each picture.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Range: TypeAlias = tuple[float, float]
"""Least and greatest."""

DEVELOPMENT = range(0, 10_000)
"""Seeds for developing and tests."""
BENCHMARKS = 999_999
"""Seeds from here on are for benchmarks, without end: nothing is ever tuned on them."""


class Difficulty(msgspec.Struct, frozen=True):
    """Ranges of all that makes reading hard."""

    name: str
    # the camera's place
    tilt: Range
    """Degrees by which the camera looks from the side."""
    roll: Range
    """Degrees by which the picture is turned about its middle."""
    margin: Range
    """The part of the picture that is left beside the mat, of its shorter side, at each edge."""
    # the lens and the sensor
    bend: Range
    """How far the lens moves the picture's corners, as a part of half the diagonal; negative: inwards."""
    blur: Range
    """Standard deviation of the defocus, in pixels of a picture 1280 pixels wide (more in larger ones)."""
    motion: Range
    """Length of the blur of a still table (a shaking mount), in the same pixels."""
    noise: Range
    """Standard deviation of the sensor's noise, in levels of 255."""
    jpeg: Range
    """Quality at which pictures are compressed, from 0 to 100."""
    # the light
    exposure: Range
    """By what light is multiplied: 1 shows white paper at 235 of 255."""
    uneven: Range
    """How much darker the darkest corner is than the brightest place, as a part."""
    shadows: tuple[int, int]
    """How many soft shadows lie on the table."""
    cast: Range
    """How far red and blue are shifted against one another, as a part."""
    # print and cards
    gamma: Range
    """The print's tones: what they are raised to."""
    ink: Range
    """How far each printed colour is multiplied away from what was drawn, as a part."""
    cut: Range
    """Millimetres by which a card's art lies beside where its edges say, as home printing and cutting leave it."""
    sleeves: float
    """How likely the cards are in sleeves."""
    glare: Range
    """The part of the cards with a gleam on them (sleeves, varnish)."""
    gleam: Range
    """How bright a gleam is, as a part of white."""
    sheets: Range
    """Millimetres by which each sheet of the mat lies beside where it should."""
    offset: Range
    """Millimetres by which a card lies beside its outline."""
    turn: Range
    """Degrees by which a card lies turned."""
    headlong: Range
    """The part of the cards that lie turned by half."""
    slips: float
    """How often a hand leaves a piece on the very edge of its cell."""
    # what else lies about
    clutter: tuple[int, int]
    """How many things (phones, cups, money, foreign cards) lie beside the places."""


# Units and meaning of every range: see the fields of `Difficulty`.
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
"""By name."""
