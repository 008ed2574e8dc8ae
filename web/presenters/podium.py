"""A picture of a match's podium, to be kept: players, places and scores as a self-contained SVG.

Seats' colours and shapes come from the pages' style sheet and drawings.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from companion.engine import Player
from web.presenters.standings import Standing

STEPS = ((600, 330), (290, 240), (910, 180))
"""The middle and the height of each podium step, the best place first."""
SHARED = 330
"""The height of a podium step for a shared victory."""
WIDE, FLOOR = 290, 735
"""A step's width, and the baseline of all steps."""
TWO = -155
"""The offset that centres the steps when there are only two sides."""
LETTER, SMALLEST, LARGEST, LONG = 0.58, 15, 38, 20
"""A letter's width relative to its size, font sizes of names, and letters per line."""
COLOUR = re.compile(r"\.seat-(\w+) \{ --seat: (#\w+); --seat-ink: (#\w+); \}")
SHAPE = re.compile(r'<symbol id="shape-(\w+)"[^>]*>(.*?)</symbol>', re.DOTALL)
FACE = re.compile(r'<symbol id="face-(\w+)"[^>]*>(.*?)</symbol>', re.DOTALL)


class Line(NamedTuple):
    """A name on its line, in a size that fits."""

    text: str
    y: int
    size: int


class PodiumBadge(NamedTuple):
    """A player's shape on its colour, by its upper left corner; beside the face if they chose one."""

    x: int
    y: int
    fill: str
    ink: str
    shape: str
    face: str


class PodiumStep(NamedTuple):
    """A side on its step."""

    x: int
    top: int
    place: int
    score: str
    fill: str
    ink: str
    names: tuple[Line, ...]
    badges: tuple[PodiumBadge, ...]


class Podium(NamedTuple):
    """The contents of the picture."""

    steps: tuple[PodiumStep, ...]
    rest: tuple[Line, ...]
    floor: int = FLOOR
    wide: int = WIDE


class Looks(NamedTuple):
    """The look of seats: drawings by name."""

    colours: dict[str, tuple[str, str]]
    shapes: dict[str, str]
    faces: dict[str, str]


@cache
def looks() -> Looks:
    """Return seats' colours, each with a legible ink, and the drawings of their shapes and faces."""
    static = resources.files("web").joinpath("static")
    sheet = static.joinpath("css", "layout.css").read_text(encoding="utf-8")
    sprite = static.joinpath("img", "sprite.svg").read_text(encoding="utf-8")
    faces = static.joinpath("img", "faces.svg").read_text(encoding="utf-8")
    colours = {name: (fill, ink) for name, fill, ink in COLOUR.findall(sheet)}
    return Looks(colours, dict(SHAPE.findall(sprite)), dict(FACE.findall(faces)))


def podium_of(standings: Sequence[Standing], players: Sequence[Player], score: Callable[[int], str]) -> Podium:
    """Return the podium of a finished match."""
    moved = TWO if len(standings) == 2 else 0
    steps = [step(each, at, moved, players, score) for at, each in enumerate(standings[: len(STEPS)])]
    rest = []
    for at, each in enumerate(standings[len(STEPS) :]):
        told = f"{each.place}  {', '.join([players[seat].name for seat in each.seats])}  {score(each.score)}"
        rest.append(Line(told, FLOOR + 52 + 40 * at, fitting(told, 1100, 30)))
    return Podium(tuple(steps), tuple(rest))


def step(own: Standing, at: int, moved: int, players: Sequence[Player], score: Callable[[int], str]) -> PodiumStep:
    """Return a side on the step of its rank; sides that share the victory stand equally high."""
    middle, height = STEPS[at][0] - moved, STEPS[at][1]
    top = FLOOR - (SHARED if own.place == 1 else height)
    seated = [players[seat] for seat in own.seats]
    colours = looks().colours
    told = [part for each in seated for part in (textwrap.wrap(each.name, LONG) or [each.name])]
    line = 42 if len(told) < 3 else 30
    first = top - 18 - line * (len(told) - 1)
    names = [Line(part, first + line * row, fitting(part, WIDE, line - 4)) for row, part in enumerate(told)]
    left = middle - 46 * len(seated)
    badges = [badge(each, left + 92 * row + 12, first - line - 74) for row, each in enumerate(seated)]
    fill, ink = colours[seated[0].colour]
    return PodiumStep(middle, top, own.place, score(own.score), fill, ink, tuple(names), tuple(badges))


def badge(player: Player, x: int, y: int) -> PodiumBadge:
    """Return a player's drawing above their name."""
    known = looks()
    face = known.faces.get(player.face, "") if isinstance(player.face, str) else ""
    return PodiumBadge(x, y, *known.colours[player.colour], known.shapes[player.shape], face)


def fitting(text: str, wide: int, largest: int = LARGEST) -> int:
    """Return the font size at which a text fits into a width."""
    return max(SMALLEST, min(largest, int(wide / (LETTER * max(1, len(text))))))
