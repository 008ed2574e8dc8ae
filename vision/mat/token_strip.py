"""A seat's places for tokens: a strip along its edge of the table, in front of its screen."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import TokenPlace
from vision.mat.block import GAP, Block, in_column
from vision.mat.mat import TokenSlot
from vision.mat.token_sizes import is_money, least_width, room

DEPTH, BAR = 48.0, 4.0
"""Depth of a money place and of its printed bar, in millimetres. Two lines of discs of 20 mm fit away from the bar,
over which the walls of discs seem to lean. The bar's blocks are distinct at 2.5 pixels per millimetre."""
LABEL = 7.0
"""The height of the name below a place for one token, in millimetres."""


def with_strip(block: Block, places: Sequence[TokenPlace]) -> Block:
    """Return a seat's block with its places for tokens along the owner's edge: single ones at both ends, money in
    between."""
    if not places:
        return block
    singles = [place for place in places if not is_money(place)]
    money = [place for place in places if is_money(place)]
    left = singles[1::2]
    ordered = [*left, *money, *[place for place in singles if place not in left]]
    narrow = sum([room(place)[0] + GAP for place in singles])
    wide = max([block.width, *[narrow + least_width(place.most) for place in money]])
    strip, x = list[TokenSlot](), 0.0
    for place in ordered:
        width, height = (wide - narrow, DEPTH) if is_money(place) else room(place)
        seat = None if place.seat is None else int(place.seat)
        strip.append(
            TokenSlot(place.name, x, 0.0, (width, height), 0, place.most, seat, BAR if is_money(place) else 0.0)
        )
        x += width + GAP
    return in_column([block, Block(x - GAP, DEPTH if money else _depth(singles), (), tuple(strip))])


def _depth(singles: Sequence[TokenPlace]) -> float:
    return max([room(place)[1] for place in singles]) + LABEL


def single_block(place: TokenPlace) -> Block:
    """Return a place for one token with room for its name below."""
    size = room(place)
    return Block(size[0], size[1] + LABEL, (), (TokenSlot(place.name, 0.0, 0.0, size, most=place.most),))
