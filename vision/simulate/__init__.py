"""Rendered tables with ground truth: our own cards under light, tilt, blur, glare and hands.

May import mat, deck, print and cameras' protocols. Enter at `RenderedTable` and `rendered_camera.RenderedCamera`.
"""

from vision.simulate.difficulty import BENCHMARKS as BENCHMARKS
from vision.simulate.difficulty import DEFAULT as DEFAULT
from vision.simulate.difficulty import DEVELOPMENT as DEVELOPMENT
from vision.simulate.difficulty import DIFFICULTIES as DIFFICULTIES
from vision.simulate.difficulty import EASY as EASY
from vision.simulate.difficulty import HARD as HARD
from vision.simulate.difficulty import Difficulty as Difficulty
from vision.simulate.lying import LayingError as LayingError
from vision.simulate.painted_tokens import DrawnTokens as DrawnTokens
from vision.simulate.rendered_table import RenderedPicture as RenderedPicture
from vision.simulate.rendered_table import RenderedTable as RenderedTable
