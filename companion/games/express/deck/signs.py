"""The sign of each card, which stands in its corners: drawn around (0, 0) with a radius of about 1."""

from __future__ import annotations

import math
from collections.abc import Callable

from msgspec.structs import replace

from companion.drawing import Clipped, Fill, Mark, Stroke, arc, path, star, transform
from companion.drawing.pictures.brush import (
    BLUE,
    GLASS,
    GOLD,
    GREEN,
    INK,
    PAPER,
    RED,
    STEEL,
    WOOD,
    Marks,
    area,
    box,
    disc,
    line,
    ring,
)
from companion.drawing.pictures.goods import GOODS


def crate() -> Marks:
    """A wooden crate."""
    return (
        box(0, 0.85, 1.8, 1.7, "#5b3a1d", 0.08), box(0, 0.7, 1.5, 1.4, "#c99a5b"),
        line(0.2, "#8f6532", (-0.66, 0.6), (0.66, -0.6)), line(0.2, "#8f6532", (-0.66, -0.6), (0.66, 0.6)),
    )  # fmt: skip


def tractor() -> Marks:
    """A tractor."""
    return (
        box(-0.1, -0.45, 0.95, 0.16, INK, 0.06), line(0.1, INK, (-0.45, 0.1), (-0.45, -0.5)),
        line(0.1, INK, (0.22, 0), (0.22, -0.5)), line(0.13, INK, (0.72, 0), (0.72, -0.6)),
        box(0.3, 0.5, 1.3, 0.62, "#e07b2c", 0.1),
        disc(-0.45, 0.33, 0.6, INK), disc(-0.45, 0.33, 0.3, GOLD), disc(0.65, 0.58, 0.36, INK),
        disc(0.65, 0.58, 0.16, GOLD),
    )  # fmt: skip


def magnet() -> Marks:
    """A magnet, which lifts scrap iron."""
    bow = ((-0.55, 0.9), *arc(0, -0.2, 0.55, 180, 360), (0.55, 0.9))
    tips = [line(0.5, PAPER, (x, 0.62), (x, 0.7)) for x in (-0.55, 0.55)]
    return (Stroke(bow, 0.66, INK), Stroke(bow, 0.5, RED), *tips)


def fir() -> Marks:
    """A fir."""
    tiers = [((-w, y), (0, y - 0.85), (w, y)) for w, y in ((0.85, 0.65), (0.68, 0.15), (0.48, -0.25))]
    return (box(0, 1.0, 0.3, 0.5, WOOD), *[area(GREEN, *tier) for tier in tiers],
            *[line(0.1, "#244f24", tier[0], tier[2]) for tier in tiers])  # fmt: skip


def snowflake() -> Marks:
    """A crystal of snow."""
    arm = (line(0.2, BLUE, (0, 0), (0, -0.95)), line(0.16, BLUE, (-0.28, -0.85), (0, -0.55), (0.28, -0.85)))
    return tuple([mark for n in range(6) for mark in transform(arm, 0, 0, 60 * n)])


def motor_car() -> Marks:
    """A motor car from the side."""
    body = path((-0.98, 0.4), ((-0.98, 0.0),), ((-0.6, -0.1),), ((-0.35, -0.6),), ((0.35, -0.6),), ((0.62, -0.08),),
                ((0.98, 0.02),), ((0.98, 0.4),))  # fmt: skip
    return (
        Fill((body,), RED), area(GLASS, (-0.42, -0.1), (-0.24, -0.46), (-0.02, -0.46), (-0.02, -0.1)),
        area(GLASS, (0.1, -0.1), (0.1, -0.46), (0.28, -0.46), (0.44, -0.1)),
        *[mark for x in (-0.52, 0.52) for mark in (disc(x, 0.42, 0.28, INK), disc(x, 0.42, 0.12, PAPER))],
    )  # fmt: skip


def letter() -> Marks:
    """A sealed letter."""
    return (
        box(0, 0.68, 2.0, 1.36, INK, 0.1), box(0, 0.58, 1.8, 1.16, PAPER, 0.05),
        line(0.13, INK, (-0.88, -0.54), (0, 0.16), (0.88, -0.54)), disc(0, 0.2, 0.27, RED),
    )  # fmt: skip


def glass_dome() -> Marks:
    """A dome of glass, a mountain behind it."""
    half = ((-0.95, 0.4), *arc(0, 0.4, 0.95, 180, 360))
    top = (-0.1, -0.4)
    hill = area("#6c7a6a", (-0.8, 0.4), top, (0.75, 0.4)), area(PAPER, (-0.36, -0.1), top, (0.16, -0.1))
    ribs = [Stroke(((x, 0.4), (x * 0.45, -0.48)), 0.1, INK) for x in (-0.5, 0.5)]
    rim = Stroke(half, 0.14, INK, closed=True), box(0, 0.75, 2.0, 0.34, INK, 0.1)
    return (Fill((half,), GLASS), Clipped(half, hill), *ribs, *rim)


def moon() -> Marks:
    """The moon above a pillow."""
    crescent = (*arc(0, -0.15, 0.8, 60, 300), *reversed(arc(0.34, -0.15, 0.66, 75, 285)))
    return (Fill((tuple(crescent),), "#c98a00"), Fill((star(0.52, -0.5, 0.32, 0.13, 4),), "#c98a00"),
            box(0.2, 0.95, 1.5, 0.4, BLUE, 0.18))  # fmt: skip


def binoculars() -> Marks:
    """A pair of binoculars."""
    tubes = [area(INK, (x - 0.22, -0.75), (x + 0.22, -0.75), (x + 0.42, 0.3), (x - 0.42, 0.3)) for x in (-0.45, 0.45)]
    lenses = [mark for x in (-0.5, 0.5) for mark in (disc(x, 0.42, 0.48, INK), disc(x, 0.42, 0.32, GLASS),
                                                     disc(x - 0.1, 0.32, 0.1, "#ffffff"))]  # fmt: skip
    return (box(0, -0.1, 0.5, 0.26, STEEL), *tubes, *lenses)


def pinwheel() -> Marks:
    """A pinwheel of six colours."""
    marks: list[Mark] = []
    for n, colour in enumerate((RED, GOLD, GREEN, BLUE, "#7e2a68", "#e07b2c")):
        sail = path((0, 0), ((0.95, -0.1),), ((0.6, -0.75), (0.35, -0.62)), ((0, 0),))
        marks += transform((Fill((sail,), colour), Stroke(sail, 0.06, INK, closed=True)), 0, 0, 60 * n)
    return (*marks, disc(0, 0, 0.18, INK))


def lantern() -> Marks:
    """A tail lamp."""
    return (
        Stroke(arc(0, -0.55, 0.32, 180, 360), 0.12, INK), area(INK, (-0.5, -0.3), (-0.25, -0.6), (0.25, -0.6),
            (0.5, -0.3)),
        box(0, 0.65, 0.86, 1.0, INK, 0.1), disc(0, 0.15, 0.34, RED), disc(-0.1, 0.05, 0.11, PAPER),
        box(0, 0.92, 1.1, 0.28, INK, 0.08),
    )  # fmt: skip


def hook() -> Marks:
    """A crane's hook."""
    bend = path(
        (0, -0.2), ((0, 0.0),), ((0.75, 0.05), (0.7, 0.82), (0.0, 0.82)), ((-0.5, 0.82), (-0.6, 0.5), (-0.58, 0.3))
    )
    block = box(0, -0.18, 0.9, 0.56, INK, 0.14), box(0, -0.27, 0.7, 0.38, "#e0882c", 0.1)
    return (line(0.2, INK, (0, -0.98), (0, -0.6)), Stroke(bend, 0.4, INK), *block)


def jib() -> Marks:
    """A boom with its cable."""
    return (
        area(RED, (-0.98, 0.64), (-0.4, 0.64), (0.98, -0.78), (0.72, -0.98)),
        *[line(0.1, PAPER, (-0.62 + 0.34 * n, 0.34 - 0.35 * n), (-0.3 + 0.33 * n, 0.42 - 0.36 * n)) for n in range(4)],
        line(0.12, INK, (0.82, -0.8), (0.82, 0.2)), ring(0.82, 0.36, 0.17, 0.13, INK),
        box(-0.52, 0.98, 0.96, 0.4, INK, 0.08),
    )  # fmt: skip


def padlock() -> Marks:
    """A padlock."""
    return (
        Stroke(((-0.42, 0), *arc(0, -0.42, 0.42, 180, 360), (0.42, 0)), 0.24, STEEL),
        box(0, 0.95, 1.5, 1.1, INK, 0.16), box(0, 0.83, 1.26, 0.86, GOLD, 0.1), disc(0, 0.28, 0.18, INK),
        box(0, 0.68, 0.14, 0.4, INK),
    )  # fmt: skip


def traverser() -> Marks:
    """A piece of track that moves sideways."""
    heads = [area(BLUE, (s * 1.0, 0), (s * 0.62, -0.36), (s * 0.62, 0.36)) for s in (-1, 1)]
    return (
        *[box(0, -0.62 + 0.42 * n, 0.86, 0.17, WOOD) for n in range(4)],
        *[line(0.14, INK, (x, -0.95), (x, 0.95)) for x in (-0.25, 0.25)], *heads,
    )  # fmt: skip


def weight() -> Marks:
    """A heavy weight."""
    return (
        ring(0, -0.55, 0.26, 0.17, INK), area(INK, (-0.58, -0.32), (0.58, -0.32), (0.95, 0.9), (-0.95, 0.9)),
        line(0.15, GOLD, (-0.4, 0.55), (0, 0.0), (0.4, 0.55)), line(0.15, GOLD, (-0.3, 0.36), (0.3, 0.36)),
    )  # fmt: skip


def cracked_wheel() -> Marks:
    """A wheel with a piece broken out."""
    rim = arc(0, 0, 0.76, -20, 280)
    spokes = [line(0.14, INK, (0, 0), (0.7 * math.cos(a), 0.7 * math.sin(a))) for a in (0.4, 1.4, 2.4, 3.4, 4.4)]
    return (Stroke(rim, 0.34, INK), Stroke(rim, 0.13, STEEL), *spokes, disc(0, 0, 0.22, INK),
            *transform((area(RED, (-0.28, 0.2), (0.28, 0.24), (0.2, -0.22), (-0.05, 0.0), (-0.2, -0.2)),), 0.66, -0.74,
                30))  # fmt: skip


def off_the_rails() -> Marks:
    """A wagon that has left the rails."""
    wagon = (box(0, -0.1, 1.4, 0.72, RED, 0.1), box(0, -0.36, 1.0, 0.24, PAPER),
             *[disc(x, 0, 0.2, INK) for x in (-0.42, 0.42)])  # fmt: skip
    return (*transform(wagon, 0.1, 0.22, 28), line(0.17, INK, (-0.98, 0.5), (-0.3, 0.5), (0.2, 0.86), (0.95, 0.86)),
            *[line(0.12, WOOD, (x, 0.62), (x, 0.92)) for x in (-0.8, -0.45)])  # fmt: skip


def mask() -> Marks:
    """A thief's mask."""
    band = path((-1, -0.42), ((-0.4, -0.62), (0, -0.3)), ((0.4, -0.62), (1, -0.42)), ((0.95, 0.5), (0.4, 0.52)),
                ((0.15, 0.5), (0, 0.2)), ((-0.15, 0.5), (-0.4, 0.52)), ((-0.95, 0.5), (-1, -0.42)))  # fmt: skip
    return (Fill((band,), INK), *[Fill((eye(x),), PAPER) for x in (-0.45, 0.45)])


def eye(x: float) -> tuple[tuple[float, float], ...]:
    """Return the hole for an eye."""
    return path((x - 0.28, 0.02), ((x, -0.3), (x + 0.28, 0.02)), ((x, 0.22), (x - 0.28, 0.02)))


def swap() -> Marks:
    """Two arrows that change places."""
    one = (Stroke(arc(0, 0, 0.66, 200, 340), 0.3, RED), area(RED, (0.3, -0.2), (1.0, -0.36), (0.74, 0.34)))
    other = (Stroke(arc(0, 0, 0.66, 200, 340), 0.3, BLUE), area(BLUE, (0.3, -0.2), (1.0, -0.36), (0.74, 0.34)))
    return (*one, *transform(other, 0, 0, 180))


def burst() -> Marks:
    """A burst of flame."""
    return (Fill((star(0, 0, 1.0, 0.5, 9),), RED), Fill((star(0, 0, 0.72, 0.34, 9),), GOLD), disc(0, 0, 0.2, PAPER))


def turning_bridge() -> Marks:
    """A turntable from above."""
    return (
        disc(0, 0, 0.98, INK), disc(0, 0, 0.82, "#c9b48a"),
        *transform((box(0, 0.34, 1.8, 0.68, INK), box(0, 0.24, 1.7, 0.48, WOOD),
            line(0.1, PAPER, (-0.8, -0.12), (0.8, -0.12)),
                    line(0.1, PAPER, (-0.8, 0.12), (0.8, 0.12))), 0, 0, -35),
        disc(0, 0, 0.15, GOLD),
    )  # fmt: skip


SIGNS: dict[str, Callable[[], Marks]] = {
    "box_car": crate, "flat_car": tractor, "gondola": magnet, "hopper": GOODS["coal"], "stock_car": GOODS["cow"],
    "tank_car": GOODS["drop"], "log_car": fir, "reefer": snowflake, "auto_carrier": motor_car, "mail_baggage": letter,
    "coach": GOODS["person"], "dome": glass_dome, "sleeper": moon, "observation": binoculars, "wild": pinwheel,
    "caboose": lantern, "diesel": GOODS["bolt"], "light_crane": hook, "boom": jib, "office": padlock,
    "transfer": traverser, "heavy_crane": weight, "broken_car": cracked_wheel, "derailment": off_the_rails,
    "steal_car": mask, "switch_engines": swap, "wreck": burst, "turntable": turning_bridge,
}  # fmt: skip
"""The sign of each card, by its name in the profile."""


def place_sign(card: str, x: float, y: float, radius: float, turn: float = 0.0) -> Marks:
    """Return a card's sign around a point, turned clockwise by degrees."""
    return transform(SIGNS[card](), x, y, turn, radius)


def sign_shadow(card: str, x: float, y: float, radius: float, turn: float, colour: str) -> Marks:
    """Return a card's sign in one colour."""
    marks = place_sign(card, x, y, radius, turn)
    return tuple([replace(mark, colour=colour) for mark in marks if isinstance(mark, Fill | Stroke)])
