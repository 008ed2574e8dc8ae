"""Rendered tables with ground truth: our own cards under light, tilt, blur, glare and hands.

May import mat, deck and print. Enter at `RenderedTable`.
"""

from vision.simulate.difficulty import BENCHMARKS, DEFAULT, DEVELOPMENT, DIFFICULTIES, EASY, HARD, Difficulty
from vision.simulate.lying import LayingError
from vision.simulate.table import RenderedPicture, RenderedTable
from vision.simulate.table_tokens import RenderedToken
from vision.simulate.tokens import DrawnTokens

__all__ = [
    "BENCHMARKS",
    "DEFAULT",
    "DEVELOPMENT",
    "DIFFICULTIES",
    "EASY",
    "HARD",
    "Difficulty",
    "DrawnTokens",
    "LayingError",
    "RenderedPicture",
    "RenderedTable",
    "RenderedToken",
]  # fmt: skip
