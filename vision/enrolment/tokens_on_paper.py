"""Find the tokens on a sheet of paper, with each one's straight picture, outline and faults."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import msgspec
import numpy as np

from vision.enrolment.paper_sheet import PlainGround
from vision.features.pixels import WHITE, Floats, darkest, grey_of, resize
from vision.image import Image
from vision.mat.mat import Points
from vision.tokens.ground import GREY, place_look
from vision.tokens.token_set import LARGEST, PX, SMALLEST, TokenFace

SHADE, TINT = 40.0, 9.0
"""The differences from paper above which a pixel belongs to a token: its darkness (L), or its tint (a and b in Lab).
A shadow is less dark."""
GAP = 0.6
"""Millimetres of white in a token's outline to close, such as white print at its edge."""
CRUMB = 2.0
"""Thickness in millimetres below which an object is no token, such as a hair or a shadow's edge."""
SOLID = 0.94
"""The minimum share of its hull that a token fills. Two touching tokens fill less."""
SOFT_EDGE = 0.25
"""Millimetres of an outline that are blur and shadow."""
CUT = 0.5
"""The distance in millimetres from the ground's edge below which a token is cut off."""
FEWEST = 3.0
"""Pixels per millimetre of a photograph below which small digits are lost. Cameras above tables have 1.5 to 5."""
DARK = 70
"""The level of paper, of 255, below which there is too little light and noise hides pale print."""
JUDGED_PX = 3.0
"""Pixels per millimetre for judging sharpness."""
SHARP = 200.0
"""The variance of the Laplacian at `JUDGED_PX` below which a printed token is blurred."""
BURNT = 0.03
"""The share of a token that a lamp may burn out."""


class PaperToken(msgspec.Struct, frozen=True, eq=False):
    """A token on the paper."""

    face: TokenFace
    """The face, without a name."""
    outline: Points
    """The outline in pixels of the ground's picture, clockwise, n × 2."""
    faults: tuple[str, ...] = ()
    """The faults, the worst first: `several`, `cut`, `small`, `blur`, `dark`, `glare`."""


def tokens_on_paper(ground: PlainGround) -> tuple[PaperToken, ...]:
    """Return all tokens on the paper, row by row from the upper left, or none without paper."""
    seen = place_look(ground.picture, np.full(ground.picture.shape[:2], 255, np.uint8))
    if seen is None:
        return ()
    even = _even(seen.look)
    away = (100 - seen.look[:, :, 0] / GREY > SHADE) | (np.hypot(seen.look[:, :, 1], seen.look[:, :, 2]) > TINT)
    found = [_token(ground, even, contour) for contour in _contours(away.astype(np.uint8) * 255)]
    return _in_rows([token for token in found if token is not None])


def _even(look: Floats) -> Image:
    """Return a look as a BGR picture under the light of white paper."""
    light = look.copy()
    np.divide(light[:, :, 0], GREY, out=light[:, :, 0])
    return np.clip(cv2.cvtColor(light, cv2.COLOR_Lab2BGR) * 255, 0, 255).astype(np.uint8)


def _contours(away: Image) -> list[Points]:
    closed = cv2.morphologyEx(away, cv2.MORPH_CLOSE, _disc(GAP))
    outer, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(away)
    cv2.drawContours(filled, outer, -1, 255, cv2.FILLED)
    solid = cv2.morphologyEx(filled, cv2.MORPH_OPEN, _disc(CRUMB))
    contours, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return [contour[:, 0].astype(np.float64) for contour in contours]


def _disc(across: float) -> Image:
    side = round(across * PX) | 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))


def _token(ground: PlainGround, even: Image, contour: Points) -> PaperToken | None:
    """Return the token within a contour, or None if it is too small or too large."""
    points = contour.astype(np.float32)
    _, sides, _ = cv2.minAreaRect(points)
    if min(sides) < SMALLEST * PX or max(sides) > LARGEST * PX:
        return None
    hull = cv2.convexHull(points)[:, 0].astype(np.float32)
    face, raw = _face(even, ground.picture, hull)
    faults = _faults(ground, face, raw)
    high, wide = ground.picture.shape[:2]
    near = CUT * PX
    cut = (hull < near).any() or (hull[:, 0] > wide - 1 - near).any() or (hull[:, 1] > high - 1 - near).any()
    several = cv2.contourArea(points) < SOLID * cv2.contourArea(hull)
    outline = cv2.approxPolyDP(hull, 0.3 * PX, True)[:, 0].astype(np.float64)
    return PaperToken(face, outline, ("several",) * bool(several) + ("cut",) * bool(cut) + faults)


def _face(even: Image, photograph: Image, hull: Floats) -> tuple[TokenFace, Image]:
    """Return a token's face, and the same part of the photograph."""
    (x, y), radius = cv2.minEnclosingCircle(hull)
    half = int(np.ceil(radius)) + 1
    shift = np.array([[1, 0, half - x], [0, 1, half - y]])
    size = (2 * half + 1, 2 * half + 1)
    mask: Image = np.zeros(size, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(hull + (half - x, half - y)).astype(np.int32), 255)
    mask = cv2.erode(mask, _disc(2 * SOFT_EDGE))
    picture = cv2.warpAffine(even, shift, size, borderValue=(255, 255, 255))
    picture[mask == 0] = 255
    return TokenFace("", picture, mask), cv2.warpAffine(photograph, shift, size)


def _faults(ground: PlainGround, face: TokenFace, raw: Image) -> tuple[str, ...]:
    """Return the faults of a token's picture.

    raw: the token as photographed.
    """
    on = face.mask > 0
    scale = JUDGED_PX / PX
    size = (round(raw.shape[1] * scale), round(raw.shape[0] * scale))
    steep = cv2.Laplacian(grey_of(resize(face.picture, *size)), cv2.CV_32F)
    inner = cv2.erode(resize(face.mask, *size), np.ones((5, 5), np.uint8)) > 127
    sharp = not inner.any() or float(steep[inner].var()) >= SHARP
    burnt = float((darkest(raw)[on] >= WHITE).mean())
    light = float(np.percentile(grey_of(ground.picture), 90))
    wrong = {"small": ground.scale < FEWEST, "blur": not sharp, "dark": light < DARK, "glare": burnt > BURNT}
    return tuple([fault for fault, is_so in wrong.items() if is_so])


def _in_rows(tokens: Iterable[PaperToken]) -> tuple[PaperToken, ...]:
    """Return tokens row by row. A token belongs to a row if the row's first one is hardly higher."""
    rows: list[list[PaperToken]] = []
    for token in sorted(tokens, key=lambda token: float(token.outline[:, 1].mean())):
        if not rows or token.outline[:, 1].mean() > rows[-1][0].outline[:, 1].mean() + SMALLEST * PX:
            rows.append([])
        rows[-1].append(token)
    return tuple([token for row in rows for token in sorted(row, key=lambda one: float(one.outline[:, 0].mean()))])
