"""What people leave on or over places for tokens: a sleeve, a pushed screen, a coin, a chip, a phone with a token."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Literal

import cv2
import numpy as np

from companion.drawing import Drawing, Fill, Mark, Stroke, circle, rectangle, text
from vision.image import Image
from vision.mat import TokenSlot
from vision.mat.mat import turn_vector
from vision.print.drawing import to_pixels
from vision.simulate.camera_geometry import Points
from vision.simulate.clutter import rectangle as turned_rectangle
from vision.simulate.hands import CLOTHS
from vision.simulate.painted_tokens import PrintedToken
from vision.simulate.things import Thing, phone

TokenCover = Literal["sleeve", "screen", "coin", "chip", "phone"]
"""What lies on or over a place."""
PX_PER_MM = 6.8
"""At which these things are drawn: as finely as the best cameras see them."""
SLEEVE = (95.0, 320.0)
"""Millimetres: the width of a forearm in its sleeve, and so much of its length that it leaves the picture."""
SCREEN = 200.0
"""Millimetres of a player's screen from its front to beyond the mat."""
BEYOND = 25.0
"""Millimetres by which a screen is wider than a place, to each side, and a sleeve reaches beyond its far edge."""
COIN, CHIP = 23.25, 39.0
"""Millimetres: the diameter of a euro and of a usual chip."""
ENLARGED = 1.4
"""How much larger than a token its picture on a phone is."""


def cover_on(
    what: TokenCover, slot: TokenSlot, share: float, luck: Random, faces: Mapping[str, PrintedToken]
) -> tuple[Thing, Points]:
    """Return a thing on a place, with its corners in millimetres of the mat.

    share: the part of the place that a sleeve or a screen covers. `faces`: one of them shows on a phone.
    """
    if what == "sleeve":
        return _sleeve(luck), _from_owner(slot, (share * slot.size[0] - SLEEVE[0], -BEYOND), SLEEVE)
    if what == "screen":
        width = slot.size[0] + 2 * BEYOND
        front = (1 - share) * slot.size[1]
        return _screen(width, luck), _from_owner(slot, (-BEYOND, front), (width, SCREEN))
    thing = (
        {"coin": _coin, "chip": _chip}[what](luck) if what != "phone" else phone_with(faces[luck.choice(sorted(faces))])
    )
    (left, top), (right, low) = slot.ground().min(axis=0), slot.ground().max(axis=0)
    reach = max(thing.size) / 2
    x, y = (
        luck.uniform(min(a + reach, (a + b) / 2), max(b - reach, (a + b) / 2)) for a, b in ((left, right), (top, low))
    )
    return thing, turned_rectangle(thing.size, luck.uniform(0, 360)) + (x, y)


def _from_owner(slot: TokenSlot, at: tuple[float, float], size: tuple[float, float]) -> Points:
    """Return the corners of what lies at a point of a slot, as its owner sees it."""
    corners = [(at[0], at[1]), (at[0] + size[0], at[1]), (at[0] + size[0], at[1] + size[1]), (at[0], at[1] + size[1])]
    found: Points = np.array([turn_vector(x, y, slot.turn) for x, y in corners]) + (slot.x, slot.y)
    return found


def _drawn(name: str, marks: list[Mark], size: tuple[float, float], radius: float, high: float) -> Thing:
    return Thing(name, to_pixels(Drawing(*size, tuple(marks)), PX_PER_MM), size, radius, high)


def _sleeve(luck: Random) -> Thing:
    cloth, (wide, long) = luck.choice(CLOTHS), SLEEVE
    marks: list[Mark] = [Fill((rectangle(0, 0, wide, long),), cloth)]
    marks += [Stroke(((0, 20 + 34 * n), (wide, 32 + 34 * n + luck.uniform(-6, 6))), 1.4, "#20242c") for n in range(9)]
    return _drawn("sleeve", marks, SLEEVE, 12.0, 40.0)


def _screen(width: float, luck: Random) -> Thing:
    colour, light = luck.choice((("#24324a", "#c9a545"), ("#5b2c23", "#e6d8b8"), ("#2f4a35", "#d9c48a")))
    marks: list[Mark] = [
        Fill((rectangle(0, 0, width, SCREEN),), colour),
        Stroke(rectangle(4, 4, width - 8, SCREEN - 8), 1.2, light, closed=True),
        Stroke(((0, 14), (width, 14)), 0.8, light),
    ]
    return _drawn("screen", marks, (width, SCREEN), 1.0, 30.0)


def _coin(luck: Random) -> Thing:
    rim, core = luck.choice((("#c9b27a", "#c8c9c6"), ("#c8c9c6", "#c9b27a"), ("#b98252", "#b98252")))
    r = COIN / 2
    marks: list[Mark] = [
        Fill((circle(r, r, r),), rim),
        Fill((circle(r, r, r * 0.7),), core),
        Stroke(circle(r, r, r * 0.94), 0.5, "#8d8468", closed=True),
        text(luck.choice(("1", "2", "50")), (r, r + 3.4), 9.0, "#77736a", 700, "middle"),
    ]
    return _drawn("coin", marks, (COIN, COIN), r, 2.2)


def _chip(luck: Random) -> Thing:
    colour, r = luck.choice(("#a3222b", "#1d5c3a", "#1f2f6b", "#26262b")), CHIP / 2
    marks: list[Mark] = [Fill((circle(r, r, r),), colour)]
    for n in range(6):
        a, b = (np.pi * (n / 3 + by) for by in (0.0, 0.14))
        ends = [(r + f * np.cos(t), r + f * np.sin(t)) for f, t in ((r, a), (r, b), (r * 0.8, b), (r * 0.8, a))]
        marks.append(Fill((tuple([(float(x), float(y)) for x, y in ends]),), "#f4efe2"))
    marks += [
        Fill((circle(r, r, r * 0.62),), "#f4efe2"),
        text(luck.choice(("5", "100", "500", "1000")), (r, r + 3.0), 8.0, colour, 700, "middle"),
    ]
    return _drawn("chip", marks, (CHIP, CHIP), r, 3.3)


def phone_with(face: PrintedToken) -> Thing:
    """Return a phone that shows a picture of a token."""
    drawing, radius, high = phone(Random(0))
    picture = to_pixels(drawing, PX_PER_MM).copy()
    size = [max(4, round(side * ENLARGED * PX_PER_MM)) for side in face.size]
    shown = np.asarray(cv2.resize(face.picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    mask = np.asarray(cv2.resize(face.mask, size, interpolation=cv2.INTER_AREA), np.float32)
    x, y = (picture.shape[1] - size[0]) // 2, (picture.shape[0] - size[1]) // 2
    part: Image = picture[y : y + size[1], x : x + size[0]]
    part[:] = cv2.blendLinear(shown, part, mask, 1 - mask)
    return Thing("phone", picture, (drawing.width, drawing.height), radius, high)
