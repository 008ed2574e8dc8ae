"""Purpose tokens: the condition as a picture, the prize in figures below; one back without an upper end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec

from companion.drawing import TOKEN_BLEED, text, text_width
from companion.drawing.pictures.animals import animal
from companion.drawing.pictures.brush import traveller
from companion.drawing.pictures.frame import WIDTH
from companion.drawing.pictures.goods import place_picture, silhouette
from companion.drawing.pictures.locomotives import locomotive
from companion.drawing.pictures.scenery import RAIL, mix
from companion.drawing.shapes import Contour, Fill, Stroke, arc, circle, ellipse, path, rectangle, transform
from companion.games.take_a_train.catalogue import DRIVES, TAKEABLE_SPECIALS
from companion.games.take_a_train.deck import SPECIAL_LOOKS, deck_look
from companion.games.take_a_train.purposes import CARGO_GOALS, DRIVE_GOALS, WAGONS_EACH, WAGONS_TOGETHER, Purpose
from companion.games.take_a_train.table import TRAINS
from companion.games.take_a_train.token_art import forms
from companion.games.take_a_train.token_art.forms import GOLD, INK, PAPER, PURPOSE_SIZE, WINE, Marks

PANEL = (29.4, 11.6, -3.9)
"""Width and height of the panel, and the height of its middle on the token, in millimetres."""
GROUND = PANEL[2] + PANEL[1] / 2 - 1.3
"""Height of the rail below a panel's trains."""
SMALL = 0.158
"""The scale, relative to a card, of a locomotive: three of them fill a panel."""
DRAWN = {"steam": 3, "diesel": 1, "electric": 2}
"""The rank of each drive's drawn locomotive: all are about as long, and no two share a colour."""
SIGN = PANEL[2] - PANEL[1] / 2 + 2.8
"""Height of a drive's sign above its locomotive."""
GREY = "#a9b0ba"
"""The colour of parts that do not count."""


def condition(purpose: Purpose) -> Marks:
    """Return the picture of a token's condition."""
    for kind, (need, asked) in CARGO_GOALS.items():
        if asked == purpose.id:
            return cargo_train(kind, need)
    for drive, asked in DRIVE_GOALS.items():
        if asked == purpose.id:
            return drives((drive,) * TRAINS)
    return CONDITIONS[purpose.key]()


# --- trains ---------------------------------------------------------------------------------------


def engine(x: float, y: float, size: float, body: str) -> Marks:
    """Return a small steam engine that runs to the left at the height `y`, `size` long, with its middle at `x`."""
    boiler = rectangle(-0.42, -0.5, 0.6, 0.3, 0.06)
    cab = rectangle(0.1, -0.72, 0.34, 0.54)
    roof = rectangle(0.04, -0.8, 0.46, 0.1, 0.03)
    chimney: Contour = ((-0.36, -0.78), (-0.18, -0.78), (-0.21, -0.66), (-0.21, -0.48), (-0.33, -0.48), (-0.33, -0.66))
    plough: Contour = ((-0.52, -0.03), (-0.4, -0.2), (-0.3, -0.2), (-0.3, -0.03))
    wheels = ((-0.26, -0.1, 0.1), (0.0, -0.13, 0.13), (0.3, -0.13, 0.13))
    marks = (
        Fill((rectangle(-0.44, -0.24, 0.92, 0.1), plough), INK),
        Fill((boiler, cab), body),
        Fill((roof, chimney, rectangle(-0.06, -0.58, 0.1, 0.1)), INK),
        Fill((rectangle(0.18, -0.64, 0.16, 0.18),), "#bfe0ea"),
        Fill(tuple([circle(*wheel) for wheel in wheels]), INK),
        Fill(tuple([circle(cx, cy, 0.045) for cx, cy, _ in wheels]), PAPER),
    )
    return transform(marks, x, y, scale=size)


def car(x: float, y: float, wide: float, high: float, body: str, sign: str = "") -> Marks:
    """Return a small wagon at the height `y`, perhaps with a sign on its side."""
    radius = min(0.12 * high, 0.5)
    marks: Marks = (
        Fill((rectangle(x - wide / 2, y - high, wide, high - 1.4 * radius, 0.3),), body),
        Fill((rectangle(x - wide / 2 - 0.2, y - 1.9 * radius, wide + 0.4, 0.7 * radius),), INK),
        Fill((circle(x - wide * 0.27, y - radius, radius), circle(x + wide * 0.27, y - radius, radius)), INK),
    )
    if not sign:
        return marks
    size = min(wide, high - 1.4 * radius) / 2 - 0.15
    middle = y - high + (high - 1.9 * radius) / 2
    return (*marks, Fill((circle(x, middle, size),), PAPER), *place_picture(sign, x, middle, size * 0.8))


def sky(colour: str) -> Marks:
    """Return a sky over hills, in pale shades of a colour."""
    return (
        Fill((forms.middle_rectangle(32, 13, 0, PANEL[2]),), mix(colour, "#ffffff", 0.82)),
        Fill((ellipse(-9, GROUND + 3.5, 13, 7.5),), mix(colour, "#ffffff", 0.68)),
        Fill((ellipse(10, GROUND + 4.0, 15, 6.5),), mix(colour, "#ffffff", 0.6)),
    )


def rail() -> Marks:
    """Return the rail across the panel, on its sleepers."""
    sleepers = tuple([rectangle(-15.6 + 1.6 * n, GROUND + 0.2, 0.8, 0.75) for n in range(20)])
    return (
        Fill((rectangle(-16, GROUND, 32, 2.0),), "#e4dac6"),
        Fill(sleepers, "#8d7a62"),
        Fill((rectangle(-16, GROUND, 32, 0.35),), INK),
    )


def cargo_train(kind: str, count: int) -> Marks:
    """Return an engine with the required number of wagons of a type."""
    own = deck_look().kinds[kind]
    pitch = 29.0 / (count + 0.95)
    wide, high = min(pitch - 0.7, 7.6), min(pitch + 0.8, 8.2)
    left = -14.3 + pitch * 0.47
    body = own.trim if kind == "oil" else own.body  # a tank is white, but an engine is not
    marks: Marks = (*sky(own.band), *rail(), *engine(left, GROUND, min(pitch * 0.98, 9.4), body))
    for n in range(count):
        marks += car(left + pitch * (n + 1), GROUND, wide, high, own.band, own.goods)
    return marks


def drives(three: tuple[str, ...]) -> Marks:
    """Return locomotives of these drives, each below its sign."""
    looks = deck_look().kinds
    marks: Marks = (*sky(looks[three[0]].band if len(set(three)) == 1 else "#5f9f6f"), *rail())
    for n, drive in enumerate(three):
        own, x = looks[drive], (n - 1) * 9.6
        luck = Random(f"purpose-{drive}")
        picture = locomotive(drive, DRAWN[drive], own.trim, luck)
        shown = [mark for mark in picture if drive != "electric" or not isinstance(mark, Stroke)]  # without the wire
        marks += transform(shown, x - WIDTH / 2 * SMALL, GROUND - RAIL * SMALL, scale=SMALL)
        marks += (*forms.discs(x, SIGN, (2.5, own.band), (2.1, PAPER)), *place_picture(own.goods, x, SIGN, 1.75))
    return marks


def three_each() -> Marks:
    """Return three trains of three wagons each, stacked."""
    marks: Marks = ()
    colours = ("#c8302b", "#2b59ab", "#d99a1c")
    for row in range(TRAINS):
        y = PANEL[2] - PANEL[1] / 2 + 3.75 + 3.55 * row
        marks += (Fill((rectangle(-13.2, y, 26.4, 0.25),), GREY), *engine(-9.6, y, 4.2, INK))
        for n in range(WAGONS_EACH):
            marks += car(-3.6 + 6.1 * n, y, 5.2, 2.9, colours[row])
    return marks


def ten_wagons() -> Marks:
    """Return ten wagons in two rows, and their number."""
    marks: Marks = ()
    half = WAGONS_TOGETHER // 2
    for row in range(2):
        y = PANEL[2] + 0.1 + 4.7 * row - 0.6
        marks += (Fill((rectangle(-14.2, y, 19.6, 0.25),), GREY),)
        for n in range(half):
            marks += car(-12.2 + 3.9 * n, y, 3.2, 3.5, ("#4f7d32", "#b4693a")[row])
    return (*marks, text(str(WAGONS_TOGETHER), (10.2, PANEL[2] + 2.8), 5.6, INK, anchor="middle"))


# --- the rest -------------------------------------------------------------------------------------


def two_fulfilled() -> Marks:
    """Return two other tokens with a tick on each."""
    marks: Marks = ()
    for x, turn in ((-6.6, -6.0), (6.6, 6.0)):
        form = rectangle(-5.0, -3.5, 10.0, 7.0, 1.1)
        token: Marks = (
            Fill((form,), WINE),
            Stroke(rectangle(-4.3, -2.8, 8.6, 5.6, 0.7), 0.35, GOLD, closed=True),
            *[Stroke(((-2.3, 0.1), (-0.5, 1.9), (2.7, -2.1)), w, tone) for w, tone in ((1.9, INK), (1.2, "#7be08a"))],
        )
        marks += transform(token, x, PANEL[2], turn)
    return marks


def special_taken() -> Marks:
    """Return the three special cards that players can take."""
    marks: Marks = ()
    for n, special in enumerate(TAKEABLE_SPECIALS):
        x, colour = (n - 1) * 9.5, SPECIAL_LOOKS[special][1]
        marks += (*forms.discs(x, PANEL[2], (4.6, colour), (4.1, PAPER)), *place_picture(special, x, PANEL[2], 3.3))
    return marks


def queue(chosen: int, light: str) -> Marks:
    """Return five people in a queue to the left, with a flag beside the chosen one, under a sky of this colour."""
    marks: Marks = (*sky(light), Fill((rectangle(-16, GROUND, 32, 3.0),), "#d8cbab"))
    for n in range(5):
        x = -11.2 + 5.6 * n
        own = n == chosen
        marks += traveller(x, GROUND + 0.2, 4.6 if own else 3.5, "#c8302b" if own else GREY, INK if own else "#7d8794")
    side = 1 if chosen == 0 else -1
    at, end = -11.2 + 5.6 * chosen + side * 2.9, -11.2 + 5.6 * chosen + side * 6.2
    pole = (Stroke(((at, GROUND), (at, PANEL[2] - 5.0)), 0.5, INK),)
    cloth: Contour = ((at, PANEL[2] - 5.1), (end, PANEL[2] - 3.6), (at, PANEL[2] - 2.1))
    return (*marks, *pole, *forms.edged(cloth, GOLD, 0.35))


def dial(x: float, share: float) -> Marks:
    """Return a speedometer with its needle at this share of its scale."""
    y = GROUND + 0.2
    halves = [Fill(((*arc(x, y, r, 180, 360), (x + r, y)),), colour) for r, colour in ((7.6, INK), (7.0, "#ffffff"))]
    scale = ((182, 235, "#4fa35b"), (239, 298, "#f2c230"), (302, 358, "#d2402f"))
    marks: Marks = (*halves, *[Stroke(arc(x, y, 5.7, start, end), 1.3, colour) for start, end, colour in scale])
    tip = arc(x, y, 5.9, 180 + 180 * share, 180.1 + 180 * share)[0]
    return (*marks, Stroke(((x, y - 0.4), tip), 0.9, INK), Fill((circle(x, y - 0.2, 1.2),), INK))


def snail(x: float, y: float) -> Marks:
    """Return a snail that creeps to the left at the height `y`."""
    body = path(
        (-5.4, 0),
        ((-6.2, -0.2), (-6.0, -3.2), (-5.0, -3.4)),
        ((-3.6, -3.6), (-3.6, -1.8), (-2.8, -1.6)),
        ((3.2, -1.6),),
        ((4.6, -1.4), (5.0, -0.4), (5.8, 0)),
    )
    shell = tuple([Stroke(arc(0.8, -3.6, r, s, s + 250), 0.75, "#7a4a22") for r, s in ((2.3, 60), (1.2, 180))])
    horns = (Stroke(((-5.2, -3.0), (-6.0, -5.0)), 0.4, "#b58f57"), Stroke(((-4.4, -3.1), (-4.1, -5.2)), 0.4, "#b58f57"))
    return transform(
        (*horns, Fill((body,), "#d9b878"), Fill((circle(-6.0, -5.1, 0.42), circle(-4.1, -5.3, 0.42)), INK),
         Fill((circle(0.8, -3.7, 3.4),), "#b5733a"), *shell),
        x, y,
    )  # fmt: skip


CONDITIONS: dict[str, Callable[[], Marks]] = {
    "two_fulfilled": two_fulfilled,
    "special_taken": special_taken,
    "three_each": three_each,
    "first_player": lambda: queue(0, "#86cdea"),
    "last_player": lambda: queue(4, "#433763"),
    "ten_wagons": ten_wagons,
    "one_of_each": lambda: drives(tuple(DRIVES)),
    "fastest": lambda: (*sky("#e0463c"), *dial(-6.2, 0.93), *animal("rabbit", 7.6, PANEL[2] + 0.2, 4.6)),
    "slowest": lambda: (*sky("#a08f66"), *dial(-6.2, 0.07), *snail(7.6, GROUND)),
}
"""The pictures of conditions without a kind of card, by the condition's key."""


PRIZE = 5.0
"""Height of a prize's digits in millimetres."""
FOOT = 6.75
"""Middle of the strip below the picture, in millimetres."""


class PurposeLook(msgspec.Struct, frozen=True):
    """A token's ground, and the small picture scattered over it."""

    colour: str
    sign: str


LOOKS = {
    "P-1": PurposeLook("#7d2b3f", "star"),
    "P-2": PurposeLook("#e6d3a1", "multiplier"),
    "P-3": PurposeLook("#2f7d6b", "longer"),
    "P-4": PurposeLook("#86cdea", "star"),
    "P-5": PurposeLook("#433763", "person"),
    "P-6": PurposeLook("#78838f", "longer"),
    "P-16": PurposeLook("#1f6f3d", "star"),
    "P-17": PurposeLook("#e0463c", "bolt"),
    "P-18": PurposeLook("#cfc8b6", "puffs"),
}
"""The looks of tokens without a kind of card; the others have the colour and sign of the cards."""


def purpose_face(purpose: Purpose) -> Marks:
    """Return the face of a token."""
    look = _look(purpose.id)
    tone = mix(look.colour, "#ffffff" if forms.is_dark(look.colour) else INK, 0.22)
    strewn: Marks = ()
    for n, x in enumerate((-14.0, -9.6, 9.6, 14.0)):
        strewn += silhouette(look.sign, x, FOOT + (0.5, -0.5)[n % 2], 2.0, (-15.0, 12.0)[n % 2], tone)
    return (
        forms.ground(forms.tablet(TOKEN_BLEED), look.colour),
        forms.inside(forms.tablet(TOKEN_BLEED), *strewn),
        Fill((forms.middle_rectangle(PANEL[0] + 0.8, PANEL[1] + 0.8, 2.4, PANEL[2]),), INK),
        Fill((forms.middle_rectangle(PANEL[0], PANEL[1], 2.0, PANEL[2]),), PAPER),
        forms.inside(forms.middle_rectangle(PANEL[0], PANEL[1], 2.0, PANEL[2]), *condition(purpose)),
        *_prize(purpose.prize),
    )


def _look(purpose: str) -> PurposeLook:
    """Return the look of a token: that of its required kind of card, if it has one."""
    for kind, asked in [*DRIVE_GOALS.items(), *[(kind, asked) for kind, (_, asked) in CARGO_GOALS.items()]]:
        if asked == purpose:
            own = deck_look().kinds[kind]
            return PurposeLook(own.band, own.goods)
    return LOOKS[purpose]


def _prize(prize: int) -> Marks:
    """Return the prize on a ticket with notched ends."""
    half = text_width(str(prize), PRIZE) / 2 + 1.7
    top, low = FOOT - 3.35, FOOT + 3.35
    form: Contour = path(
        (-half, top), ((half, top),), ((half, FOOT - 1.0),), ((half - 1.0, FOOT), (half, FOOT + 1.0)), ((half, low),),
        ((-half, low),), ((-half, FOOT + 1.0),), ((1.0 - half, FOOT), (-half, FOOT - 1.0)),
    )  # fmt: skip
    return (
        Stroke(form, 0.8, INK, closed=True),
        Fill((form,), GOLD),
        text(str(prize), (0, FOOT + PRIZE / 2), PRIZE, INK, anchor="middle"),
    )


def purpose_back() -> Marks:
    """Return the back of all tokens, the same after half a turn."""
    wide, high = PURPOSE_SIZE
    second = mix(WINE, PAPER, 0.2)
    sleepers = [
        Fill((rectangle(-wide / 2 - 1 + 2.4 * n, 5.2, 1.2, 4.4, 0.3),), second) for n in range(int(wide / 2.4) + 2)
    ]
    rails = [Fill((rectangle(-wide, y, 2 * wide, 0.7),), GOLD) for y in (6.2, 7.9)]
    half: Marks = (*transform(sleepers, wide / 2 - 1 + 0.6 - 2.4 * 7), *rails)
    spoke: Marks = (Stroke(((0, 0), (0, -4.6)), 0.9, GOLD),)
    return (
        forms.ground(forms.tablet(TOKEN_BLEED), WINE),
        forms.inside(forms.tablet(TOKEN_BLEED), *forms.around(half, 2)),
        Stroke(forms.middle_rectangle(wide - 2.4, high - 2.4, 2.0), 0.4, GOLD, closed=True),
        *forms.discs(0, 0, (8.6, WINE), (7.9, GOLD), (7.1, WINE), (6.6, GOLD), (5.4, WINE)),
        *forms.around(spoke, 8),
        *forms.discs(0, 0, (2.5, GOLD), (1.7, WINE), (0.8, GOLD)),
        *[mark for x in (-11.8, 11.8) for mark in forms.discs(x, 0, (2.6, GOLD), (2.0, INK), (1.3, "#e6d3a1"))],
    )
