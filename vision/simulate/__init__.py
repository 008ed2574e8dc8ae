"""Rendered tables with ground truth: our own cards under light, tilt, blur, glare and hands.

May import mat, deck, print and cameras' protocols. Enter at `RenderedTable` and `rendered_camera.RenderedCamera`.
"""

from vision.simulate.difficulty import BENCHMARKS, DEFAULT, DEVELOPMENT, DIFFICULTIES, EASY, HARD, Difficulty
from vision.simulate.lying import LayingError
from vision.simulate.painted_tokens import DrawnTokens
from vision.simulate.rendered_table import RenderedPicture, RenderedTable

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
]  # fmt: skip
