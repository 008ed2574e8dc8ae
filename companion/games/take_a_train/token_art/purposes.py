"""Purpose tokens: the condition as a picture, the prize in figures below; one back without an upper end."""

from __future__ import annotations

import msgspec

from companion.drawing import TOKEN_BLEED, Contour, Fill, Stroke, path, rectangle, text, text_width, transform
from companion.drawing.pictures.goods import silhouette
from companion.drawing.pictures.scenery import mix
from companion.games.take_a_train.deck import deck_look
from companion.games.take_a_train.purposes import CARGO_GOALS, DRIVE_GOALS, Purpose
from companion.games.take_a_train.token_art import forms
from companion.games.take_a_train.token_art.conditions import PANEL, condition
from companion.games.take_a_train.token_art.forms import GOLD, INK, PAPER, PURPOSE_SIZE, WINE, Marks

PRIZE = 5.0
"""Height of a prize's digits in millimetres."""
FOOT = 6.75
"""Middle of the strip below the picture, in millimetres."""


class PurposeLook(msgspec.Struct, frozen=True):
    """A token's ground, and the small picture strewn over it."""

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
"""Of the tokens that ask for no kind of card; the others have the colour and sign of the cards."""


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
    """Return how a token looks: as the cards that it asks for, if it asks for a kind of card."""
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
    """Return the back of all tokens: the same when it is turned by half."""
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
