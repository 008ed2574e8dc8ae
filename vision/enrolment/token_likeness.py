"""Compare faces of tokens at any rotation."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.deck.making import LookalikePair
from vision.features.pixels import Floats
from vision.tokens.ground import look_of
from vision.tokens.token_set import PX, TokenFace

VIEW_PX = 2.0
"""Pixels per millimetre for comparing faces: a digit's stroke is two pixels wide."""
SIDE = 88
"""The side in pixels of a compared view: 44 mm. The largest known tokens measure 39 mm from corner to corner."""
TURNS = 90
"""The number of rotations to try: steps of 4°, or 0.7 mm on the edge of a token of 20 mm."""
SOFT = 0.6
"""Sigma in millimetres of the blur for faces, because they may be rotated by half a step."""
SAME, DIFFERENT = 10.0, 40.0
"""Distances (Lab, L times `GREY`) where two faces differ most. Two photographs of one face differ by less than the
first. A digit and its ground differ by the second."""
MOST = 0.03
"""The most different share of both faces to measure. A digit takes three hundredths of a token."""
TOLD = 1.0
"""The margin up to which pairs are reported."""
LIKE = 0.9
"""The margin up to which a face is offered as a captured one's name."""


def alike_faces(faces: Sequence[TokenFace]) -> tuple[LookalikePair, ...]:
    """Return the pairs of similar names, most similar first."""
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
    """Return for each captured face the names of the most similar known ones, best first."""
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
    """Return unrotated views of faces: n × side × side × 3."""
    if not faces:
        return np.zeros((0, SIDE, SIDE, 3), np.float32)
    return np.concatenate([_views(face, 1) for face in faces])


def _views(face: TokenFace, turns: int) -> Floats:
    """Return a face at evenly spaced rotations, on white paper: turns × side × side × 3."""
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
    """Return a face's margin to each other one, at the rotation with the minimum difference."""
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
