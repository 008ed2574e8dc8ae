"""Elements of the wiring diagram: lines, words, and the symbols of parts."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

INK, MUTED, FAINT, PAPER = "#1c1c1e", "#5c5c61", "#b9b9be", "#ffffff"
FONT = "Barlow Semi Condensed, DejaVu Sans Condensed, Arial Narrow, Helvetica, sans-serif"

Point = tuple[float, float]


def num(value: float) -> str:
    """Return a number in its shortest form, rounded to a tenth."""
    return f"{round(value, 1):g}"


def path(
    points: Iterable[Point], colour: str = INK, width: float = 2.5, fill: str = "none", close: bool = False
) -> str:
    """Return a line through points."""
    d = "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + ("z" if close else "")
    return f'<path d="{d}" fill="{fill}" stroke="{colour}" stroke-width="{num(width)}"/>'


def wire(points: Iterable[Point], colour: str = INK) -> str:
    """Return a wire in its colour on a dark casing, which keeps it visible in greyscale."""
    track = tuple(points)
    return path(track, INK, 5) + (path(track, colour, 3) if colour != INK else "")


def rect(corner: Point, size: Point, fill: str = PAPER, colour: str = INK, r: float = 4) -> str:
    """Return a rectangle with rounded corners; `corner`: its top left, `size`: width and height."""
    (x, y), (w, h) = corner, size
    where = f'x="{num(x)}" y="{num(y)}" width="{num(w)}" height="{num(h)}" rx="{num(r)}"'
    return f'<rect {where} fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def circle(centre: Point, r: float, fill: str = PAPER, colour: str = INK, width: float = 2) -> str:
    """Return a circle."""
    where = f'cx="{num(centre[0])}" cy="{num(centre[1])}" r="{num(r)}"'
    return f'<circle {where} fill="{fill}" stroke="{colour}" stroke-width="{num(width)}"/>'


def words(at: Point, said: str, size: float = 18, colour: str = INK, anchor: str = "start", bold: bool = False) -> str:
    """Return a line of words whose baseline passes through a point; `anchor`: `start`, `middle` or `end`."""
    weight = ' font-weight="700"' if bold else ""
    where = f'x="{num(at[0])}" y="{num(at[1])}" font-size="{num(size)}" text-anchor="{anchor}"'
    return f'<text {where} fill="{colour}"{weight}>{escape(said)}</text>'


def shape(name: str, x: float, y: float, r: float, fill: str) -> str:
    """Return a seat's shape; raise `KeyError` for an unknown one."""
    if name == "circle":
        return circle((x, y), r, fill)
    corners = SHAPES[name]
    return path(((x + r * a, y + r * b) for a, b in corners), INK, 2, fill, close=True)


SHAPES: dict[str, tuple[Point, ...]] = {
    "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "triangle": ((0, -1.3), (1.25, 0.85), (-1.25, 0.85)),
    "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
    "star": (
        (0, -1.35), (0.4, -0.5), (1.3, -0.42), (0.62, 0.2), (0.82, 1.12),
        (0, 0.62), (-0.82, 1.12), (-0.62, 0.2), (-1.3, -0.42), (-0.4, -0.5),
    ),
    "hexagon": ((-0.6, -1.05), (0.6, -1.05), (1.2, 0), (0.6, 1.05), (-0.6, 1.05), (-1.2, 0)),
}  # fmt: skip
"""The corners of the seats' shapes, for a radius of 1."""


# --- parts: each takes the end point of its wire, and `way`: 1 to the right, -1 to the left ----------------------


def switch(x: float, y: float, way: int) -> str:
    """Return a push-button's switch, 60 wide, with its plunger."""
    a, b = x + 12 * way, x + 48 * way
    middle = (a + b) / 2
    return (
        path([(x, y), (a, y)], width=3)
        + path([(b, y), (x + 60 * way, y)], width=3)
        + path([(a - 5 * way, y - 13), (b + 5 * way, y - 13)], width=3)
        + path([(middle, y - 13), (middle, y - 23)], width=3)
        + path([(middle - 9, y - 23), (middle + 9, y - 23)], width=3)
        + circle((a, y), 4)
        + circle((b, y), 4)
    )


def resistor(x: float, y: float, way: int, ohms: str) -> str:
    """Return a resistor, 60 wide, with its value inside."""
    return rect((min(x, x + 60 * way), y - 12), (60, 24), r=2) + words((x + 30 * way, y + 6), ohms, 17, anchor="middle")


def lamp(x: float, y: float, way: int) -> str:
    """Return a light-emitting diode, 40 wide, with its anode at the incoming wire."""
    a, b = x + 8 * way, x + 30 * way
    rays = "".join(
        path([(x + d * way, y - 16), (x + (d + 9) * way, y - 26)], width=2)
        + path([(x + (d + 3) * way, y - 26), (x + (d + 9) * way, y - 26), (x + (d + 9) * way, y - 20)], width=2)
        for d in (14, 27)
    )
    return (
        path([(x, y), (x + 40 * way, y)], width=3)
        + path([(a, y - 12), (a, y + 12), (b, y)], INK, 2, PAPER, close=True)
        + path([(b, y - 13), (b, y + 13)], width=3)
        + rays
    )


def ground(x: float, y: float) -> str:
    """Return the symbol of ground, hanging from a wire."""
    bars = ((0, 16), (7, 10), (14, 4))
    return path([(x, y), (x, y + 10)], width=3) + "".join(
        path([(x - half, y + 10 + down), (x + half, y + 10 + down)], width=3) for down, half in bars
    )


def transistor(x: float, y: float) -> str:
    """Return an NPN transistor: base at (x, y), collector at (x + 40, y - 45), emitter at (x + 40, y + 45)."""
    return (
        circle((x + 26, y), 27)
        + path([(x, y), (x + 16, y)], width=3)
        + path([(x + 16, y - 16), (x + 16, y + 16)], width=4)
        + path([(x + 16, y - 7), (x + 40, y - 22), (x + 40, y - 45)], width=2.5)
        + path([(x + 16, y + 7), (x + 40, y + 22), (x + 40, y + 45)], width=2.5)
        + path([(x + 40, y + 22), (x + 29, y + 21.5), (x + 34, y + 12.5)], INK, 1, INK, close=True)
    )
