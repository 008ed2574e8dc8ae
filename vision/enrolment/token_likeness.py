"""How much faces of tokens look alike, however they lie."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.deck.making import LookalikePair
from vision.features.pixels import Floats
from vision.tokens.ground import look_of
from vision.tokens.token_set import PX, TokenFace

VIEW_PX = 2.0
"""Pixels per millimetre at which faces are compared: a digit's stroke is two pixels wide."""
SIDE = 88
"""Pixels along each side of what is compared: 44 mm, and the largest tokens known are 39 mm from corner to corner."""
TURNS = 90
"""Turns of a face that are tried: 4°, 0.7 mm on the edge of a token of 20 mm."""
SOFT = 0.6
"""Millimetres by which faces are blurred: they may be turned by half a step."""
SAME, DIFFERENT = 10.0, 40.0
"""Distances (Lab, L times `GREY`) where two faces differ most: one face photographed twice differs by less than the
first; by the second a digit differs from its ground."""
MOST = 0.03
"""The part of both faces, where they differ most, that is measured: a digit takes three hundredths of a token."""
TOLD = 1.0
"""Pairs with a greater margin are not reported."""
LIKE = 0.9
"""A face is offered as a captured one's name up to this margin."""


def alike_faces(faces: Sequence[TokenFace]) -> tuple[LookalikePair, ...]:
    """Return the pairs of names that look alike, the closest first."""
    found: dict[tuple[str, str], float] = {}
    plain = _plain_views(faces)
    for nth, face in enumerate(faces):
        later = [at for at in range(nth + 1, len(faces)) if faces[at].name != face.name]
        for at, margin in zip(later, _margins(face, plain[later]), strict=True):
            pair = (min(face.name, faces[at].name), max(face.name, faces[at].name))
            found[pair] = min(found.get(pair, TOLD), margin)
    pairs = [
        LookalikePair(first, second, round(margin, 3)) for (first, second), margin in found.items() if margin < TOLD
    ]
    return tuple(sorted(pairs, key=lambda pair: pair.margin))


def likeliest_names(captured: Sequence[TokenFace], known: Sequence[TokenFace], most: int) -> list[tuple[str, ...]]:
    """Return for each captured face the names of the known ones that look most like it, the most similar first."""
    plain = _plain_views(known)
    found = []
    for face in captured:
        margins: dict[str, float] = {}
        for other, margin in zip(known, _margins(face, plain), strict=True):
            margins[other.name] = min(margins.get(other.name, TOLD), margin)
        likely = sorted([name for name in margins if margins[name] <= LIKE], key=lambda name: margins[name])
        found.append(tuple(likely[:most]))
    return found


def _plain_views(faces: Sequence[TokenFace]) -> Floats:
    """Return faces as they lie in their pictures: n × side × side × 3."""
    if not faces:
        return np.zeros((0, SIDE, SIDE, 3), np.float32)
    return np.concatenate([_views(face, 1) for face in faces])


def _views(face: TokenFace, turns: int) -> Floats:
    """Return a face as it looks at so many turns, on white paper: turns × side × side × 3."""
    soft = cv2.GaussianBlur(look_of(face.picture), (0, 0), SOFT * PX)
    half, middle, scale = (SIDE - 1) / 2, (face.picture.shape[0] - 1) / 2, VIEW_PX / PX
    white = look_of(np.full((1, 1, 3), 255, np.uint8))[0, 0].tolist()
    views = []
    for turn in np.arange(turns) * 2 * np.pi / turns:
        c, s = np.cos(turn) * scale, np.sin(turn) * scale
        matrix = np.array([[c, -s, half - c * middle + s * middle], [s, c, half - s * middle - c * middle]])
        views.append(cv2.warpAffine(soft, matrix, (SIDE, SIDE), borderValue=white))
    return np.stack(views)


def _margins(face: TokenFace, others: Floats) -> list[float]:
    """Return how far a face differs from others at the turns at which it differs least from each."""
    views = _views(face, TURNS)
    size = SIDE * SIDE * 3
    flat, against = views.reshape(TURNS, -1), others.reshape(len(others), size)
    away = (flat * flat).sum(axis=1)[:, None] - 2 * flat @ against.T
    count = max(1, round(MOST * face.area * VIEW_PX**2))
    margins = []
    for other, turn in zip(others, away.argmin(axis=0), strict=True):
        apart = np.sort(np.linalg.norm(views[turn] - other, axis=2).ravel())[-count:]
        margins.append(min(TOLD, (float(apart.mean()) - SAME) / (DIFFERENT - SAME)))
    return margins
