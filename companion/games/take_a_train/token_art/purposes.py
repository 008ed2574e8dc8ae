"""Purpose tokens: the condition as a picture, the prize in figures; one back without an upper end."""

from __future__ import annotations

from companion.drawing import Fill, Stroke, circle, text
from companion.games.take_a_train.purposes import Purpose
from companion.games.take_a_train.token_art.forms import (
    BLEED,
    GOLD,
    INK,
    PAPER,
    WINE,
    Marks,
    ground,
    middle_rectangle,
    plate,
    tablet,
)


def purpose_face(purpose: Purpose) -> Marks:
    """Return the face of a token."""
    colour = "#a8c94a"
    return (
        ground(tablet(BLEED), colour),
        Fill((middle_rectangle(29.6, 11.0, 1.8, -4.2),), PAPER),
        text(purpose.id, (0, -2), 5, INK, anchor="middle"),
        *plate(str(purpose.prize), 6.3, 5.2, INK, GOLD),
    )


def purpose_back() -> Marks:
    """Return the back of all tokens: the same when it is turned by half."""
    return (
        ground(tablet(BLEED), WINE),
        Stroke(tablet(-1.2), 0.5, GOLD, closed=True),
        *[Fill((circle(0, 0, r),), c) for r, c in ((6.5, GOLD), (5.2, WINE), (2.5, GOLD))],
    )
