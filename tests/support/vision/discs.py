"""Simple tokens for rendered tables: plain discs and rectangles, each of its own colour."""

from __future__ import annotations

import cv2
import numpy as np

from vision.simulate.painted_tokens import PrintedToken

PX = 8.0
"""Pixels per millimetre."""
COLOURS = {"money-50": (60, 160, 60), "money-500": (40, 110, 220), "money-500/2": (40, 110, 200)}
"""The colours of the discs as blue, green and red."""


def disc(colour: tuple[int, int, int], across: float = 20.0) -> PrintedToken:
    """Return a disc with a diameter in millimetres."""
    side = int(across * PX) + 2
    picture, mask = np.full((side, side, 3), 255, np.uint8), np.zeros((side, side), np.uint8)
    for target, level in ((picture, colour), (mask, (255,))):
        cv2.circle(target, (side // 2, side // 2), round(across * PX / 2), level, -1)
    return PrintedToken(picture, np.asarray(mask / 255, np.float32), PX)


def tile(colour: tuple[int, int, int], size: tuple[float, float]) -> PrintedToken:
    """Return a rectangle with a size in millimetres."""
    wide, high = (round(side * PX) for side in size)
    return PrintedToken(np.full((high, wide, 3), colour, np.uint8), np.ones((high, wide), np.float32), PX)


DISCS = {name: disc(colour) for name, colour in COLOURS.items()} | {"purpose-P-1": tile((200, 40, 90), (32.0, 22.0))}
"""The tokens by the names of their faces."""
