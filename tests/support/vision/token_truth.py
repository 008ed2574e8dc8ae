"""Ground truth about the tokens on a rendered table: their positions and visible shares."""

from __future__ import annotations

import msgspec

from vision.simulate.coverage import FINE, visible_shares
from vision.simulate.rendered_table import RenderedTable


class TrueToken(msgspec.Struct, frozen=True):
    """The real position and visibility of one token in a picture."""

    place: str
    token: str
    share: float
    """Its uncovered share, from 0 to 1, seen from straight above."""
    middle: tuple[float, float]
    """Its position on the mat, in millimetres."""
    radius: float
    """The radius of the circle around it, in millimetres."""
    low: float
    """The height of its lower side above the table, in millimetres; above 0 if it lies on another token."""


def tokens_truth(table: RenderedTable) -> tuple[TrueToken, ...]:
    """Return all tokens at their places, the lowest first at each place."""
    lying = table.tokens.lying
    there = list(lying.all())
    shares = visible_shares([lying.outline(each) for each in there], table.mat.size, (), table._hand, FINE)
    return tuple(
        [
            TrueToken(each.place, each.token, share, (each.pose.x, each.pose.y), lying.radius(each.face), each.pose.low)
            for each, share in zip(there, shares, strict=True)
        ]
    )
