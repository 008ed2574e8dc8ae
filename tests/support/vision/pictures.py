"""Small cards and tables drawn for tests, with known contents."""

from __future__ import annotations

import struct
import zlib
from typing import cast

import cv2
import numpy as np

from vision.features.pixels import corners_of, homography
from vision.image import Image, Quad

SIZE = (252, 352)
"""The width and height of a drawn card in pixels."""
WOOD = (52, 84, 118)
"""A drawn table's colour, in BGR."""


def card(seed: int, value: str = "") -> Image:
    """Return a card with a picture of its own; cards with the same seed differ only in the printed value."""
    rng = np.random.default_rng(seed)
    width, height = SIZE
    drawn = np.full((height, width, 3), 244, np.uint8)
    cv2.rectangle(drawn, (14, 60), (width - 14, height - 60), [int(c) for c in rng.integers(90, 220, 3)], -1)
    for _ in range(26):
        colour = [int(c) for c in rng.integers(0, 255, 3)]
        x, y = int(rng.integers(30, width - 30)), int(rng.integers(76, height - 76))
        if rng.random() < 0.5:
            cv2.circle(drawn, (x, y), int(rng.integers(6, 22)), colour, -1, cv2.LINE_AA)
        else:
            to = (x + int(rng.integers(-30, 30)), y + int(rng.integers(-30, 30)))
            cv2.line(drawn, (x, y), to, colour, int(rng.integers(2, 7)), cv2.LINE_AA)
    if value:
        cv2.putText(drawn, value, (16, 46), cv2.FONT_HERSHEY_DUPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA)
        cv2.putText(
            drawn, value, (width - 100, height - 16), cv2.FONT_HERSHEY_DUPLEX, 1.4, (20, 20, 20), 3, cv2.LINE_AA
        )
    return drawn


def symbols(across: int, down: int, ink: tuple[int, int, int] = (40, 60, 190)) -> Image:
    """Return a card with round corners, full of rectangles; beyond its corners it has `table`'s colour."""
    width, height = SIZE
    drawn, paper, corner = np.full((height, width, 3), WOOD, np.uint8), (238, 238, 238), 24
    cv2.rectangle(drawn, (corner, 0), (width - corner - 1, height), paper, -1)
    cv2.rectangle(drawn, (0, corner), (width, height - corner - 1), paper, -1)
    for x in (corner, width - corner - 1):
        for y in (corner, height - corner - 1):
            cv2.circle(drawn, (x, y), corner, paper, -1)
    for column in range(across):
        for row in range(down):
            x = round(width * (0.1 + 0.8 * (column + 0.5) / across))
            y = round(height * (0.1 + 0.8 * (row + 0.5) / down))
            reach = (round(0.26 * width / across), round(0.26 * height / down))
            cv2.rectangle(drawn, (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1]), ink, -1)
    return drawn


def table(seed: int = 0, size: tuple[int, int] = (960, 540)) -> Image:
    """Return an empty table with a grain."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 1, (size[1] // 3, size[0])).astype(np.float32), size)
    wood = np.array(WOOD, np.float32) + 9 * grain[:, :, None]
    return cast(Image, wood.clip(0, 255).astype(np.uint8))


def laid(on: Image, drawn: Image, x: float, y: float, width: float = 130, turned: float = 0) -> Quad:
    """Lay a card on a table at its middle; return its corners. `width` is in pixels, `turned` in degrees."""
    height = width * drawn.shape[0] / drawn.shape[1]
    angle = np.deg2rad(turned)
    box = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = (box @ turn + (x, y)).astype(np.float32)
    matrix = homography(corners_of((drawn.shape[1], drawn.shape[0])), corners)
    shape = (on.shape[1], on.shape[0])
    soft = cv2.GaussianBlur(drawn, (0, 0), max(0.3, 0.4 * drawn.shape[1] / width))
    moved = cv2.warpPerspective(soft, matrix, shape, flags=cv2.INTER_LINEAR)
    inside = cv2.warpPerspective(np.full(drawn.shape[:2], 255, np.uint8), matrix, shape, flags=cv2.INTER_LINEAR)
    share = inside[:, :, None].astype(np.float32) / 255
    on[:] = (moved * share + on * (1 - share)).astype(np.uint8)
    return cast(Quad, corners)


def photographed(picture: Image, seed: int = 0, light: float = 0.85) -> Image:
    """Return a picture as a camera would take it: in warmer light, slightly blurred, with noise."""
    rng = np.random.default_rng(seed)
    warm = picture.astype(np.float32) * light * np.array([0.92, 1.0, 1.06], np.float32)
    soft = cv2.GaussianBlur(warm, (0, 0), 0.6)
    return cast(Image, (soft + rng.normal(0, 2.5, soft.shape)).clip(0, 255).astype(np.uint8))


def vast_png(width: int = 12_000, height: int = 12_000) -> bytes:
    """Return a small PNG file, all black, that unpacks to more pixels than any camera has."""
    rows = zlib.compress(bytes((width // 8 + 1) * height), 9)
    size = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = [(b"IHDR", size), (b"IDAT", rows), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(d)) + kind + d + struct.pack(">I", zlib.crc32(kind + d)) for kind, d in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
