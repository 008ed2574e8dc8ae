"""Simple test tokens and places with them, painted without the rendered table."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from companion.drawing import shapes
from companion.drawing.letters import text
from vision.image import Image
from vision.print.drawing.raster import to_pixels
from vision.tokens.token_set import PX, TokenFace, TokenSet

COLOURS = {50: "#c9b79c", 100: "#7fa8c9", 500: "#d98a4b", 1000: "#8fae6b", 5000: "#a984b8"}
"""The colours (BGR) of money."""
FINE = 8.0
"""The scale of painted places in pixels per millimetre."""


def money(value: int, other: bool = False) -> TokenFace:
    """Return a round token with its value, which its other face shows smaller in a ring."""
    ring = shapes.circle(20, 20, 8.2 if other else 9.0)
    marks: tuple[shapes.Mark, ...] = (
        shapes.Fill((shapes.circle(20, 20, 10),), COLOURS[value]),
        shapes.Stroke(ring, 0.6, "#2b2b2b", closed=True),
        text(str(value), (20, 22.2), 3.6 if other else 4.4, anchor="middle"),
    )
    return face(f"money-{value}", shapes.circle(20, 20, 10), marks)


def auction(kind: str, sign: str) -> TokenFace:
    """Return a hexagonal token with a symbol."""
    around = tuple((20 + 13 * np.cos(a), 20 + 13 * np.sin(a)) for a in np.arange(6) * np.pi / 3)
    marks: tuple[shapes.Mark, ...] = (
        shapes.Fill((around,), "#efe6d0"),
        shapes.Stroke(around, 1.5, "#5d3a1a", closed=True),
        text(sign, (20, 24), 8, "#5d3a1a", anchor="middle"),
    )
    return face(kind, around, marks)


def sequence(number: int) -> TokenFace:
    """Return a square token with a number."""
    square = shapes.rectangle(10, 10, 20, 20)
    marks: tuple[shapes.Mark, ...] = (
        shapes.Fill((square,), "#30506e"),
        shapes.Fill((shapes.circle(20, 20, 8),), "#f4efe2"),
        text(str(number), (20, 24), 8, anchor="middle"),
        shapes.Stroke(((17, 25.5), (23, 25.5)), 0.7, "#000000"),
    )
    return face(f"sequence-{number}", square, marks)


def purpose(number: int) -> TokenFace:
    """Return a rectangular token with rounded corners and a few symbols."""
    around = shapes.rectangle(4, 9, 32, 22, 3)
    marks: tuple[shapes.Mark, ...] = (
        shapes.Fill((around,), "#e9dfb8"),
        shapes.Fill((shapes.rectangle(5.5, 10.5, 29, 5, 2),), ("#7a9e7e", "#a2655b", "#5f7ea6")[number % 3]),
        text(f"{(number * 7) % 13 + 3}00", (20, 28), 6, anchor="middle"),
        text(f"P{number}", (8, 14.5), 3, "#ffffff"),
        shapes.Fill((shapes.star(28, 20, 3, 1.4, 3 + number % 5),), "#7c2d2d"),
    )
    return face(f"purpose-P-{number}", around, marks)


def face(name: str, around: shapes.Contour, marks: tuple[shapes.Mark, ...]) -> TokenFace:
    """Return a face of 40 mm around its centre."""
    drawn = shapes.Drawing(40, 40, (shapes.Clipped(around, marks),))
    outline = shapes.Drawing(40, 40, (shapes.Fill((around,), "#000000"),))
    mask = np.where(to_pixels(outline, PX)[:, :, 0] < 128, 255, 0).astype(np.uint8)
    return TokenFace(name, to_pixels(drawn, PX), mask)


@lru_cache(maxsize=1)
def drawn_set() -> TokenSet:
    """Return money on both faces, six auction tokens, six sequence tokens and some purposes."""
    faces = [money(value, other) for value in COLOURS for other in (False, True)]
    signs = {"pass": "–", "blind": "?", "double_blind": "??", "preemption": "!", "open": "O", "twist": "X"}
    faces += [auction(f"auction-{kind}", sign) for kind, sign in signs.items()]
    faces += [sequence(number) for number in range(1, 7)]
    faces += [purpose(number) for number in range(1, 19)]
    return TokenSet("drawn", faces)


class Laid(msgspec.Struct, frozen=True, eq=False):
    """A token on a place."""

    face: TokenFace
    x: float
    y: float
    """The centre in millimetres of the place."""
    turn: float
    """The turn clockwise in radians."""


class Camera(msgspec.Struct, frozen=True):
    """The settings of a photograph of a place."""

    scale: float = 2.5
    """The scale in pixels per millimetre."""
    blur: float = 0.6
    noise: float = 2.5
    jpeg: int = 90
    uneven: float = 0.2
    """The darkening of the darkest corner, as a fraction."""
    tint: float = 0.04
    ink: float = 0.04
    """The error of printed colours, as a fraction."""
    lean: tuple[float, float] = (0.3, 0.1)
    """The apparent shift of a point one millimetre above the table, in millimetres."""


def place(size: tuple[float, float], laid: list[Laid], camera: Camera, seed: int, px_per_mm: float) -> Image:
    """Return a straightened picture of a place, sized in millimetres, with tokens, the lowest first."""
    luck = np.random.default_rng(seed)
    canvas = np.full((round(size[1] * FINE), round(size[0] * FINE), 3), 250, np.uint8)
    for nth, token in enumerate(laid):
        height = 1.8 * (1 + sum(_near(token, other) for other in laid[:nth]))
        _lay(canvas, token, height, camera, luck)
    return photographed(canvas, camera, luck, px_per_mm)


def _near(one: Laid, other: Laid) -> bool:
    reach = (max(one.face.size) + max(other.face.size)) / 2
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 0.8 * reach)


def _lay(canvas: Image, token: Laid, height: float, camera: Camera, luck: np.random.Generator) -> None:
    """Paint a token with shadow, side and face; `height` is that of its face in millimetres."""
    sides = [(0.55, 0.0, height * 0.3), *[(1.0, h, 0.0) for h in np.linspace(max(0, height - 1.8), height, 5)]]
    gain = (1 + luck.uniform(-camera.ink, camera.ink, 3)).astype(np.float32)
    for dark, up, soft in sides:
        x, y = token.x + camera.lean[0] * up, token.y + camera.lean[1] * up
        matrix = _matrix(token.face, x, y, token.turn)
        mask = cv2.warpAffine(token.face.mask, matrix, canvas.shape[1::-1], flags=cv2.INTER_AREA)
        alpha = mask.astype(np.float32)[:, :, None] / 255
        if soft:
            alpha = cast("npt.NDArray[np.float32]", cv2.GaussianBlur(alpha, (0, 0), 0.5 + soft * FINE))[:, :, None]
            canvas[:] = canvas * (1 - alpha * (1 - dark) * 0.5)
            continue
        look = np.full_like(canvas, (150, 165, 175))
        if up == height:
            picture = np.clip(token.face.picture * gain * (250 / 255), 0, 255).astype(np.uint8)
            look = cast(Image, cv2.warpAffine(picture, matrix, canvas.shape[1::-1], flags=cv2.INTER_LINEAR))
        canvas[:] = canvas * (1 - alpha) + look * alpha


def _matrix(face: TokenFace, x: float, y: float, turn: float) -> npt.NDArray[np.float64]:
    half = (face.picture.shape[0] - 1) / 2
    c, s = np.cos(turn) * FINE / PX, np.sin(turn) * FINE / PX
    at = (x * FINE - 0.5, y * FINE - 0.5)
    return np.array([[c, -s, at[0] - c * half + s * half], [s, c, at[1] - s * half - c * half]])


def photographed(canvas: Image, camera: Camera, luck: np.random.Generator, px_per_mm: float) -> Image:
    """Return a canvas as a camera sees it, straightened."""
    wide, high = (round(side * camera.scale / FINE) for side in canvas.shape[1::-1])
    sx, sy = camera.scale / FINE, camera.scale / FINE
    turn = luck.uniform(-0.1, 0.1)
    pad = 12
    c, s = np.cos(turn), np.sin(turn)
    mx, my = canvas.shape[1] / 2, canvas.shape[0] / 2
    around = np.array([[c * sx, -s * sx, 0.0], [s * sy, c * sy, 0.0]])
    around[:, 2] = (wide / 2 + pad, high / 2 + pad) - around[:, :2] @ (mx, my)
    soft = cv2.GaussianBlur(canvas, (0, 0), 0.45 / sx)
    seen = cv2.warpAffine(soft, around, (wide + 2 * pad, high + 2 * pad), borderValue=(250, 250, 250))
    y, x = np.mgrid[0 : seen.shape[0], 0 : seen.shape[1]].astype(np.float32)
    toward = luck.uniform(0, 2 * np.pi)
    slope = (x / seen.shape[1] - 0.5) * np.cos(toward) + (y / seen.shape[0] - 0.5) * np.sin(toward)
    light = (1 - camera.uneven * (slope + 0.5)) * luck.uniform(0.8, 1.0)
    colours = 1 + np.array([-1, 0.2, 1]) * camera.tint * luck.choice((-1, 1))
    lit = seen * light[:, :, None] * colours
    lit = np.asarray(cv2.GaussianBlur(lit, (0, 0), camera.blur), np.float64)
    noise = cv2.GaussianBlur(luck.standard_normal(lit.shape).astype(np.float32), (0, 0), 0.55)
    noisy = np.clip(lit + noise / noise.std() * camera.noise, 0, 255).astype(np.uint8)
    packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])[1]
    picture = cv2.imdecode(packed, cv2.IMREAD_COLOR)
    whole = (round(canvas.shape[1] * px_per_mm / FINE), round(canvas.shape[0] * px_per_mm / FINE))
    to_canvas = np.diag([px_per_mm / FINE, px_per_mm / FINE, 1.0]) @ np.linalg.inv(np.vstack([around, [0, 0, 1]]))
    return cast(
        Image, cv2.warpAffine(picture, to_canvas[:2], whole, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def scattered(
    kinds: list[TokenFace], size: tuple[float, float], luck: np.random.Generator, overlaps: float, least: float = 0.6
) -> list[Laid]:
    """Return random tokens, some of them overlapping, each with at least the given fraction visible."""
    laid: list[Laid] = []
    for face in kinds:
        over = bool(laid) and luck.random() < overlaps
        for nth in range(TRIES):
            token = _thrown(face, laid, size, luck, over and nth < TRIES // 2)
            shares = visible([*laid, token], size)
            if min(shares) >= least and (over or min(shares) > ALL or shares[:-1] == visible(laid, size)):
                laid.append(token)
                break
    return laid


TRIES = 300
"""The number of attempts to lay a token before it is left out."""
ALL = 0.995
"""The visible fraction, by pixels, above which a token counts as uncovered."""


def _thrown(
    face: TokenFace, laid: list[Laid], size: tuple[float, float], luck: np.random.Generator, over: bool
) -> Laid:
    turn = luck.uniform(0, 2 * np.pi)
    reach = max(face.size) / 2 + 0.5
    x, y = luck.uniform(reach, size[0] - reach), luck.uniform(reach, size[1] - reach)
    if over:
        below, toward = laid[luck.integers(len(laid))], luck.uniform(0, 2 * np.pi)
        span = luck.uniform(0.45, 0.95) * (max(face.size) + max(below.face.size)) / 2
        x, y = below.x + span * np.cos(toward), below.y + span * np.sin(toward)
        x, y = min(max(x, reach), size[0] - reach), min(max(y, reach), size[1] - reach)
    return Laid(face, float(x), float(y), float(turn))


def visible(laid: list[Laid], size: tuple[float, float], px: float = 2.0) -> list[float]:
    """Return the visible fraction of each token."""
    shape = (round(size[0] * px), round(size[1] * px))
    top = np.full(shape[::-1], -1, np.int32)
    whole = []
    for nth, token in enumerate(laid):
        half = (token.face.picture.shape[0] - 1) / 2
        c, s = np.cos(token.turn) * px / PX, np.sin(token.turn) * px / PX
        at = (token.x * px - 0.5, token.y * px - 0.5)
        matrix = np.array([[c, -s, at[0] - c * half + s * half], [s, c, at[1] - s * half - c * half]])
        on = cv2.warpAffine(token.face.mask, matrix, shape, flags=cv2.INTER_LINEAR) > 127
        whole.append(int(on.sum()))
        top[on] = nth
    return [float((top == nth).sum()) / max(1, count) for nth, count in enumerate(whole)]
