"""Find card ends of a row that are present but unreadable, because of bleached print or glare."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.features.pixels import WHITE, darkest
from vision.image import Image
from vision.slots.slot_frame import Points, SlotFrame, polygon_mask
from vision.slots.slot_view import LOOK

STROKE = 5
"""Millimetres below which print counts as a line of the mat."""
PRINT = 80.0
"""The minimum area in mm² of print without a card. A card's end has at least this much, and a known card's rim has
none. On eight difficult tables bleached ends had 290 to 390, and correctly read rows had none."""
FAINT = 120.0
"""The minimum area in mm² that is neither bare paper nor burnt out, however thin, such as a bleached end's letters.
On three difficult tables the mat's lines had at most 90, and two such ends had 280 and 320. Lines on burnt-out
paper have more."""
BURNT = 0.4
"""The burnt-out share of an end above which it cannot be read, because its figures stand in the corners."""
GLARING = 8
"""Levels by which glare exceeds nearby paper. Print on fully burnt-out paper stays visible."""


def is_next_end_unread(look: Image, frame: SlotFrame, lying: Sequence[Points], strange: Image, plain: Image) -> bool:
    """Whether print or glare lies where the next card of a row would show its end.

    look: the frame at LOOK pixels per millimetre. lying: corners of the row's cards in the frame's millimetres.
    strange: 255 where there is neither background nor a known card. plain: 255 where a pixel matches the background.
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
    """Return the strip in which the next card would show: beyond the farthest one, or at the first position."""
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
    """Return a mask (255) without background and known cards, within the rectangle left, top, right, bottom.

    like: 255 where the frame matches the background. known: the cards' corners in the frame's millimetres.
    """
    strange = cv2.bitwise_not(like)
    left, top, right, bottom = within
    inside = np.zeros_like(strange)
    inside[top:bottom, left:right] = strange[top:bottom, left:right]
    for corners in known:
        inside[polygon_mask(inside.shape[:2], corners, LOOK) > 0] = 0
    return inside
