"""Simulated phone photographs of tokens on a sheet of paper, on a wooden table seen slightly from the side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import cast

import cv2
import msgspec
import numpy as np

from vision.image import Image
from vision.print.token_pictures import token_pictures

PX = 8.0
"""The scale of painted sheets in pixels per millimetre."""
WOOD = (60, 95, 130)
"""The colour of the table (BGR)."""
DROP = 0.6
"""The fraction of light that remains in a token's shadow."""


class OnSheet(msgspec.Struct, frozen=True):
    """A token of Take a Train on the sheet."""

    name: str
    x: float
    y: float
    """The centre in millimetres."""
    turn: float = 0.0
    """The turn clockwise in degrees."""


class Phone(msgspec.Struct, frozen=True):
    """The settings of a photograph of a sheet."""

    size: tuple[int, int] = (2400, 1800)
    aside: tuple[float, float] = (0.1, 0.15)
    """The tangents of the camera's tilt to the right and down."""
    turn: float = 4.0
    """The turn clockwise in degrees."""
    fills: float = 0.8
    """The fraction of the picture's width that the sheet takes."""
    blur: float = 0.8
    noise: float = 2.0
    table: tuple[int, int, int] = WOOD


PHONE = Phone()


def row(names: Sequence[str], left: float = 30, top: float = 30, step: float = 45, across: int = 6) -> list[OnSheet]:
    """Return tokens in rows, each at another angle."""
    return [
        OnSheet(name, left + step * (at % across), top + step * (at // across), at * 37)
        for at, name in enumerate(names)
    ]


def photograph(
    tokens: Sequence[OnSheet], paper: tuple[float, float] = (297, 210), phone: Phone = PHONE, seed: int = 1
) -> Image:
    """Return a read-only photograph (BGR) of a sheet of paper with tokens on it."""
    return _photograph(tuple(tokens), paper, phone, seed)


@lru_cache(maxsize=4)
def _photograph(tokens: tuple[OnSheet, ...], paper: tuple[float, float], phone: Phone, seed: int) -> Image:
    luck = np.random.default_rng(seed)
    sheet = painted(tokens, paper)
    wide, high = phone.size
    focus = 0.72 * max(phone.size)
    lean = [np.arctan(phone.aside[1]), np.arctan(-phone.aside[0]), np.radians(phone.turn)]
    around = _turned(*lean)
    away = focus * paper[0] / (phone.fills * wide)
    plane = np.column_stack([around[:, 0], around[:, 1], around @ [-paper[0] / 2, -paper[1] / 2, 0] + [0, 0, away]])
    lens = np.array([[focus, 0, wide / 2], [0, focus, high / 2], [0, 0, 1]])
    to_picture = lens @ plane @ np.diag([1 / PX, 1 / PX, 1])
    table = (
        np.full((high, wide, 3), phone.table, np.float32) + luck.normal(0, 4, (high // 8, wide, 1)).repeat(8, 0)[:high]
    )
    seen = cv2.warpPerspective(sheet, to_picture, phone.size, flags=cv2.INTER_AREA).astype(np.float32)
    there = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), to_picture, phone.size)[:, :, None] / 255
    lit = (table * (1 - there) + seen * there) * np.linspace(0.82, 0.95, wide)[None, :, None]
    soft = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), phone.blur)
    noisy = soft + luck.normal(0, phone.noise, soft.shape)
    return cast(Image, np.clip(noisy, 0, 255).astype(np.uint8))


def painted(tokens: Sequence[OnSheet], paper: tuple[float, float]) -> Image:
    """Return a sheet of paper with tokens and their shadows, at `PX` pixels per millimetre."""
    sheet = np.full((round(paper[1] * PX), round(paper[0] * PX), 3), 250, np.uint8)
    faces = token_pictures("take-a-train", PX)
    for token in tokens:
        picture, mask = faces[token.name]
        half = (mask.shape[0] - 1) / 2
        c, s = np.cos(np.radians(token.turn)), np.sin(np.radians(token.turn))
        for shift, shade in ((1.2, DROP), (0.0, 1.0)):
            x, y = (token.x + shift) * PX, (token.y + shift) * PX
            matrix = np.array([[c, -s, x - c * half + s * half], [s, c, y - s * half - c * half]])
            on = cv2.warpAffine(mask, matrix, sheet.shape[1::-1]).astype(np.float32)[:, :, None] / 255
            if shade < 1:
                on = cv2.GaussianBlur(on, (0, 0), 6)[:, :, None]
                sheet[:] = sheet * (1 - on * (1 - shade))
            else:
                face = cv2.warpAffine(picture, matrix, sheet.shape[1::-1])
                sheet[:] = sheet * (1 - on) + face * on
    return sheet


def _turned(x: float, y: float, z: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the rotation matrix for angles about the three axes in radians."""
    turn = np.eye(3)
    for axis, angle in enumerate((x, y, z)):
        turn = cv2.Rodrigues(np.eye(3)[axis] * angle)[0] @ turn
    return turn
