"""The table as a camera would see it, with ground truth: our own cards under light, tilt, blur, glare and hands."""

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
