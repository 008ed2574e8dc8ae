"""Rendered tables with ground truth: our own cards under light, tilt, blur, glare and hands.

May import mat, deck and print. Enter at `RenderedTable`.
"""

from vision.simulate.difficulty import BENCHMARKS, DEFAULT, DEVELOPMENT, DIFFICULTIES, EASY, HARD, Difficulty
from vision.simulate.lying import LayingError
from vision.simulate.table import RenderedPicture, RenderedTable

__all__ = [
    "BENCHMARKS",
    "DEFAULT",
    "DEVELOPMENT",
    "DIFFICULTIES",
    "EASY",
    "HARD",
    "Difficulty",
    "LayingError",
    "RenderedPicture",
    "RenderedTable",
]  # fmt: skip
