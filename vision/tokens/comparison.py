"""Align an enrolled face with a picture of a place, and measure their agreement."""

from __future__ import annotations

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.features.blocks import NOISE
from vision.features.pixels import Floats
from vision.image import Image
from vision.tokens.ground import GREY, look_of
from vision.tokens.thresholds import AWAY, GAINS, LIGHTER, SLOPE, TEMPER, TINTED, WINDOW
from vision.tokens.token_set import PX, TokenFace

Ints = npt.NDArray[np.intp]
READ_PX, ALIGN_PX = 4.0, 2.0
"""Pixels per millimetre for comparing faces, and for aligning them first."""
PAPER = np.array([100 * GREY, 0, 0], np.float32)
"""The look of bare paper."""
RIM = 0.5
"""Millimetres to ignore at the outline, which cutting and a token's side blur."""
STEPS, STEADY = 10, 0.03
"""The maximum number of alignment steps, and the length in millimetres below which a step is the last."""
DAMPING = (1.0, 1.0, 20.0)
"""Damping of x, y and rotation, so that nothing moves where nothing is visible."""
SAMPLED, FEWEST = 4, 8
"""The sampling step in pixels for estimating the light, and the minimum number of pixels for it."""
PLAIN = 4.0
"""The mean square of a look (Lab) below which its contrast cannot be estimated."""
JUMP = 1.5
"""The maximum movement of a face in one step, in millimetres."""


class Lying(msgspec.Struct, frozen=True):
    """A face's pose in a place: its middle in millimetres and its clockwise rotation in radians."""

    face: int
    x: float
    y: float
    turn: float


class Compared(msgspec.Struct, frozen=True, eq=False):
    """The agreement of a face with a picture at a pose."""

    share: float
    """The agreeing share of the visible part."""
    visible: float
    """The visible share of the token."""
    bare: float
    """The nearness of the picture to the face over bare paper: 1 at the face, -1 at paper."""
    alike: float
    """The correlation of the look, from -1 to 1. A plain area correlates with no face."""
    scene: Floats
    """The picture there under the face's light: h × w × 3."""
    believed: Floats
    """The weight of each pixel from 0 to 1."""


class FaceLevel(msgspec.Struct, frozen=True, eq=False):
    """A face at one resolution, cropped to its outline."""

    across: Floats
    down: Floats
    """Millimetres from the middle: h × w."""
    look: Floats
    on: Floats
    """1 where it is compared, else 0."""
    whole: Floats
    """1 within the outline, else 0."""
    inside: Ints
    """The indices of the compared pixels."""
    points: tuple[Floats, Floats]
    """For these pixels, the look (n × 3), and each channel's derivatives by x, y (per millimetre) and rotation (per
    radian) (3n × 3)."""
    steep: Floats
    """The gradient magnitude of the look per millimetre over all channels: h × w."""

    def sample(self, scene: Floats, px: float, lying: Lying) -> Floats:
        """Return a scene (h × w × 4) sampled at the face's pose."""
        c, s = np.float32(np.cos(lying.turn)), np.float32(np.sin(lying.turn))
        columns = (self.across * c - self.down * s + np.float32(lying.x)) * np.float32(px) - np.float32(0.5)
        rows = (self.across * s + self.down * c + np.float32(lying.y)) * np.float32(px) - np.float32(0.5)
        return cv2.remap(scene, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)


class KnownFace:
    """An enrolled face as seen by a camera whose blur has a sigma of `soft` millimetres."""

    def __init__(self, face: TokenFace, soft: float) -> None:
        self.name = face.name
        self.mask = face.mask
        self.size = face.size
        look = look_of(face.picture)
        self.fine = face_level(look, face.mask, READ_PX, soft)
        self.coarse = face_level(look, face.mask, ALIGN_PX, max(soft, 0.4))


def face_level(look: Floats, mask: Image, px: float, soft: float) -> FaceLevel:
    """Return a face of `PX` pixels per millimetre at another resolution, blurred."""
    blurred = cv2.GaussianBlur(look, (0, 0), soft * PX)
    down = cv2.Sobel(blurred, cv2.CV_32F, 0, 1, scale=PX / 8)
    across = cv2.Sobel(blurred, cv2.CV_32F, 1, 0, scale=PX / 8)
    left, top, wide, high = cv2.boundingRect(mask)
    half = (mask.shape[0] - 1) / 2
    x, y = (np.arange(left, left + wide, PX / px) - half) / PX, (np.arange(top, top + high, PX / px) - half) / PX
    u, v = (each.astype(np.float32) for each in np.meshgrid(x, y))
    rim = cv2.erode(mask, _disc(RIM * PX))

    def at(picture: Floats) -> Floats:
        grid = (u * np.float32(PX) + np.float32(half), v * np.float32(PX) + np.float32(half))
        return cv2.remap(picture, *grid, cv2.INTER_LINEAR)

    by_x, by_y = at(across), at(down)
    slopes = np.stack([by_x, by_y, by_y * u[:, :, None] - by_x * v[:, :, None]], axis=3)
    steep = np.sqrt((by_x**2).sum(axis=2) + (by_y**2).sum(axis=2))
    on, whole = ((at(each.astype(np.float32)) > 127).astype(np.float32) for each in (rim, mask))
    seen = at(blurred)
    inside = np.flatnonzero(on)
    points = (seen.reshape(-1, 3)[inside], slopes.reshape(-1, 3, 3)[inside].reshape(-1, 3).astype(np.float32))
    return FaceLevel(u, v, seen, on, whole, inside, points, steep.astype(np.float32))


def _disc(radius: float) -> Image:
    side = 2 * round(radius) + 1
    return cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))


def aligned(level: FaceLevel, scene: Floats, px: float, lying: Lying) -> Lying:
    """Return a face's pose after robust Gauss–Newton steps towards a scene (h × w × 4)."""
    known, slopes = level.points
    for _ in range(STEPS):
        seen = level.sample(scene, px, lying).reshape(-1, 4)[level.inside]
        away = seen[:, :3] - known
        weight = seen[:, 3]
        total = float(weight.sum())
        if total < 1:
            break
        away -= np.clip(weight @ away / total, (-LIGHTER, -TINTED, -TINTED), (LIGHTER, TINTED, TINTED))
        weight = weight / (1 + np.einsum("nc,nc->n", away, away) / TEMPER**2) ** 2
        weighted = slopes * np.repeat(weight, 3)[:, None]
        system = slopes.T @ weighted + np.diag(DAMPING)
        step = np.linalg.solve(system, weighted.T @ away.reshape(-1))
        lying = _moved(lying, step * min(1.0, JUMP / max(float(np.hypot(step[0], step[1])), 1e-6)))
        if np.hypot(step[0], step[1]) < STEADY and abs(step[2]) < STEADY / 5:
            break
    return lying


def _moved(lying: Lying, step: npt.NDArray[np.floating]) -> Lying:
    """Return a pose after a step (x, y, rotation) in the face's own coordinates."""
    c, s = float(np.cos(lying.turn)), float(np.sin(lying.turn))
    x, y, turn = (float(each) for each in step)
    return Lying(lying.face, lying.x - c * x + s * y, lying.y - s * x - c * y, lying.turn - turn)


def compare(level: FaceLevel, scene: Floats, px: float, lying: Lying) -> Compared:
    """Return the agreement of a face with a scene (h × w × 4) at a pose."""
    seen = level.sample(scene, px, lying)
    believed = level.on * seen[:, :, 3]
    visible = float((level.whole * seen[:, :, 3]).sum()) / max(1.0, float(level.whole.sum()))
    total = float(believed.sum())
    if total < 1:
        return Compared(0.0, visible, -1.0, 0.0, seen[:, :, :3], believed)
    look = in_light_of(level, seen[:, :, :3], believed)
    away = look - level.look
    away *= believed[:, :, None]
    soft = WINDOW * READ_PX
    weight = np.maximum(cv2.GaussianBlur(believed, (0, 0), soft), 0.05)
    spread = cv2.GaussianBlur(away, (0, 0), soft)
    contradicts = np.sqrt(np.einsum("hwc,hwc->hw", spread, spread)) / weight > AWAY + SLOPE * level.steep
    share = 1 - float(believed[contradicts].sum()) / total
    bare = _beyond_paper(level, seen[:, :, :3], believed)
    return Compared(share, visible, bare, _correlation(level, look, believed), look, believed)


def _correlation(level: FaceLevel, look: Floats, believed: Floats) -> float:
    """Return the correlation of a look with a face where it is reliable."""
    certain = np.flatnonzero(believed.ravel() > 0.5)
    if len(certain) < FEWEST:
        return 0.0
    own, other = level.look.reshape(-1, 3)[certain], look.reshape(-1, 3)[certain]
    own, other = own - own.mean(axis=0), other - other.mean(axis=0)
    noise = NOISE * len(certain)
    return float(np.vdot(own, other) / np.sqrt((np.vdot(own, own) + noise) * (np.vdot(other, other) + noise)))


def _beyond_paper(level: FaceLevel, look: Floats, believed: Floats) -> float:
    """Return a look's nearness to a face over bare paper, where both differ."""
    ink = (level.look - PAPER) * believed[:, :, None]
    total = float(np.vdot(ink, ink))
    return 2 * float(np.vdot(ink, look - PAPER)) / max(total, 1.0) - 1 if total > 1 else 1.0


def in_light_of(level: FaceLevel, look: Floats, believed: Floats) -> Floats:
    """Return a scene's look under a face's light, with brightness, tint and contrast corrected within limits."""
    certain = np.flatnonzero(believed.ravel() > 0.5)[::SAMPLED]
    if len(certain) < FEWEST:
        return look
    known, seen = level.look.reshape(-1, 3)[certain], look.reshape(-1, 3)[certain]
    nth = len(seen) // 2
    offset = np.partition(seen - known, nth, axis=0)[nth].clip((-LIGHTER, -TINTED, -TINTED), (LIGHTER, TINTED, TINTED))
    middle = known.mean(axis=0)
    own = known - middle
    varied = float(np.vdot(own, own))
    gain = 1.0
    if varied > PLAIN * len(certain):
        gain = min(max(float(np.vdot(own, seen - middle - offset)) / varied, GAINS[0]), GAINS[1])
    shift = middle - (middle + offset) / gain
    return cv2.add(look * np.float32(1 / gain), np.append(shift, 0).astype(np.float64))
