"""Finds ends of a row's cards that are there and cannot be read: their print is bleached, or glare burns it out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.features.pixels import WHITE, darkest
from vision.image import Image
from vision.slots.slot_frame import Points, SlotFrame, polygon_mask
from vision.slots.slot_view import LOOK

STROKE = 5
"""Millimetres: print that is thinner is a line of the mat."""
PRINT = 80.0
"""Square millimetres of print that no card explains: a card's end has as much and more, the rim of a known card none.
On eight hard tables bleached ends left 290 to 390, and rows read rightly nothing."""
FAINT = 120.0
"""Square millimetres that look neither like bare paper nor burnt out, however thin: the letters of a bleached end. On
three hard tables the mat's own lines were at most 90, two such ends 280 and 320; on burnt-out paper lines are more."""
BURNT = 0.4
"""An end cannot be read when this share of it is burnt out: the figures stand in its corners."""
GLARING = 8
"""Levels by which burnt-out glare is brighter than the paper beside it: where all paper is burnt out, print shows."""


def is_next_end_unread(look: Image, frame: SlotFrame, lying: Sequence[Points], strange: Image, plain: Image) -> bool:
    """Whether print or glare lies where the next card of a row would show its end.

    look: the frame at LOOK pixels per millimetre. lying: corners of the row's cards in the frame's millimetres.
    strange: 255 where neither background nor a known card is seen. plain: 255 where a pixel looks like the background.
    """
    if frame.slot.step == (0.0, 0.0) or len(lying) >= frame.slot.most:
        return False
    strip = polygon_mask(look.shape[:2], _next_end(frame, lying), LOOK) > 0
    if not strip.any():
        return False
    bright = darkest(look)
    paper = bright[(plain > 0) & ~strip]
    burnt = bright[strip] >= WHITE
    if burnt.mean() > BURNT and len(paper) and float(np.median(paper)) < WHITE - GLARING:
        return True
    if burnt.mean() < BURNT and int(np.count_nonzero((plain[strip] == 0) & ~burnt)) > FAINT * LOOK**2:
        return True
    things = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((STROKE, STROKE), np.uint8))
    return int(np.count_nonzero((things[strip] > 0) & (plain[strip] == 0))) > PRINT * LOOK**2


def _next_end(frame: SlotFrame, lying: Sequence[Points]) -> Points:
    """Return the strip in which the next card would show: beyond the farthest one, or where the first belongs."""
    step = float(np.hypot(*frame.slot.step))
    home = frame.home(0)
    width, top = frame.card[0], float(home[:, 1].min())
    if lying:
        far = min(lying, key=lambda corners: float(corners[:, 1].min()))
        left, top = float(far[:, 0].min()), float(far[:, 1].min()) - step
    else:
        left = float(home[:, 0].min())
    return np.array([[left, top], [left + width, top], [left + width, top + step], [left, top + step]])


def strange_parts(like: Image, known: Sequence[Points], within: tuple[int, int, int, int]) -> Image:
    """Return 255 where neither background nor a known card is seen, in the rectangle left, top, right, bottom.

    like: 255 where the frame looks like the background. known: the cards' corners in the frame's millimetres.
    """
    strange = cv2.bitwise_not(like)
    left, top, right, bottom = within
    inside = np.zeros_like(strange)
    inside[top:bottom, left:right] = strange[top:bottom, left:right]
    for corners in known:
        inside[polygon_mask(inside.shape[:2], corners, LOOK) > 0] = 0
    return inside
