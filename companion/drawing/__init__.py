"""Drawings as data: shapes and letters in millimetres, and decks of cards made of them.

May import only msgspec and fontTools; `vision.print` renders them. Enter at `Drawing` and `Design`.
"""

from companion.drawing.design import BLEED as BLEED
from companion.drawing.design import TOKEN_BLEED as TOKEN_BLEED
from companion.drawing.design import Design as Design
from companion.drawing.design import DrawError as DrawError
from companion.drawing.design import TokenDesign as TokenDesign
from companion.drawing.letters import text as text
from companion.drawing.letters import text_width as text_width
from companion.drawing.shapes import Clipped as Clipped
from companion.drawing.shapes import Contour as Contour
from companion.drawing.shapes import Drawing as Drawing
from companion.drawing.shapes import Fill as Fill
from companion.drawing.shapes import Mark as Mark
from companion.drawing.shapes import Point as Point
from companion.drawing.shapes import Stroke as Stroke
from companion.drawing.shapes import arc as arc
from companion.drawing.shapes import circle as circle
from companion.drawing.shapes import ellipse as ellipse
from companion.drawing.shapes import path as path
from companion.drawing.shapes import rectangle as rectangle
from companion.drawing.shapes import star as star
from companion.drawing.shapes import transform as transform
