"""Arrange a game's places on a table, in millimetres.

Seats sit at the two long sides and go clockwise. Each seat's cards face their owner. The common places lie between the
two sides, in one or several lines. Lanes between the parts leave room for markers and words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from companion.engine import Place, TokenPlace
from vision.card_size import MatError
from vision.mat.block import GAP, LANE, Block, in_column, in_line, joined
from vision.mat.mat import SHOWING, Slot
from vision.mat.token_strip import single_block, with_strip

LINES = 4
"""The maximum number of lines of common places in the middle."""
LONG = 6
"""The minimum number of cards in a line of a wrapped spread."""
SHORT = 3
"""The minimum number of cards in a line of a wrapped spread, if nothing else fits."""


def arrangements(
    places: Sequence[Place], card: tuple[float, float], long: int = LONG, tokens: Sequence[TokenPlace] = ()
) -> Iterator[Block]:
    """Yield arrangements of the places, which differ in the lines in the middle and in the lines of long spreads.

    A seat's piles and short spreads lie in lines of their own or beside its rows. long: the minimum number of cards in
    a wrapped line. Raise `MatError` if a seat's number is missing.
    """
    seats = sorted({int(place.seat) for place in places if place.seat is not None})
    if seats != list(range(len(seats))):
        raise MatError("The places' seats must count from 0 without a gap.")
    by_seat = [[place for place in places if place.seat == seat] for seat in seats]
    common = [place for place in places if place.seat is None]
    owned = [place for place in places if place.seat is not None]
    for wrapped, beside in product(range(1, _most_lines(owned, long) + 1), (False, True)):
        if beside and not any(_can_lie_beside(own) for own in by_seat):
            continue
        blocks = [
            with_strip(seat_block(own, card, wrapped, beside, long), [each for each in tokens if each.seat == seat])
            for seat, own in enumerate(by_seat)
        ]
        for folded in range(1, _most_lines(common, long) + 1):
            shared = [_wrapped(place, card, folded, long) for place in common]
            shared[1:1] = [single_block(each) for each in tokens if each.seat is None]
            for lines in range(1, min(LINES, len(shared)) + 1) if shared else (0,):
                yield _around(blocks, _lines(shared, lines) if shared else Block(0, 0))


def seat_block(
    places: Sequence[Place], card: tuple[float, float], lines: int = 1, beside: bool = False, long: int = LONG
) -> Block:
    """Return a seat's places: its rows side by side along the edge of the table, and the others in lines behind them.

    Rows of upright cards run away from their owner and lie side by side. Rows of wide cards run to the right. Single
    cards share the rows' line, from left to right in the places' order. lines: the number of lines in a wrapped spread.
    beside: whether piles and short spreads also share the rows' line.
    """
    ahead = [
        place
        for place in places
        if place.kind == "row"
        or (place.kind == "spread" and place.most == 1)
        or (beside and (place.kind == "pile" or place.most <= long))
    ]
    rows = [_single(place, card) for place in ahead]
    others = [_wrapped(place, card, lines, long) for place in places if place not in ahead]
    upright = card[1] >= card[0] or any(place.kind != "row" for place in ahead)
    parts = [*others, in_line(rows) if upright else in_column(rows)] if rows else others
    return in_column(parts)


def _can_lie_beside(places: Sequence[Place]) -> bool:
    """Whether a seat has piles or short spreads that could lie beside another of its places."""
    short = [place for place in places if place.kind == "pile" or (place.kind == "spread" and 1 < place.most <= LONG)]
    return bool(short) and len(places) > 1


def _most_lines(places: Sequence[Place], long: int) -> int:
    return max([math.ceil(place.most / long) for place in places if place.kind == "spread"], default=1)


def _wrapped(place: Place, card: tuple[float, float], lines: int, long: int) -> Block:
    """Return a place, with a long spread wrapped into at most this many lines. Later outlines lie below."""
    lines = min(lines, _most_lines([place], long))
    each = math.ceil(place.most / lines)
    if lines == 1 or place.kind != "spread":
        return _single(place, card)
    slots, width = list[Slot](), 0.0
    for line in range(math.ceil(place.most / each)):
        at = line * each
        part = _single(msgspec.structs.replace(place, most=min(each, place.most - at)), card)
        slots += [msgspec.structs.replace(s, at=at, y=s.y + line * (card[1] + GAP), kind="spread") for s in part.slots]
        width = max(width, part.width)
    return Block(width, math.ceil(place.most / each) * (card[1] + GAP) - GAP, tuple(slots))


def _single(place: Place, card: tuple[float, float]) -> Block:
    width, height = card
    most = max(1, place.most)
    seat = None if place.seat is None else int(place.seat)
    if place.kind == "pile" or most == 1:
        return Block(width, height, (Slot(place.name, place.kind, 0, 0, 0, most, (0.0, 0.0), seat=seat),))
    if place.kind == "spread":
        step = width + GAP
        return Block(
            width + (most - 1) * step, height, (Slot(place.name, "spread", 0, 0, 0, most, (step, 0.0), seat=seat),)
        )
    if height >= width:
        step = height * SHOWING
        long = height + (most - 1) * step
        return Block(width, long, (Slot(place.name, "row", 0, long - height, 0, most, (0.0, -step), seat=seat),))
    step = width * SHOWING
    return Block(width + (most - 1) * step, height, (Slot(place.name, "row", 0, 0, 0, most, (step, 0.0), seat=seat),))


def _lines(blocks: Sequence[Block], lines: int) -> Block:
    """Return blocks in this many lines, distributed so that the longest line is as short as possible."""

    def longest(share: tuple[int, ...]) -> float:
        widths = [0.0] * lines
        for block, line in zip(blocks, share, strict=True):
            widths[line] += block.width + GAP
        return max(widths)

    # Take the first of the best distributions, which keeps earlier places in earlier lines where possible.
    ways = (
        product(range(lines), repeat=len(blocks)) if lines ** len(blocks) <= 5000 else iter([_in_turn(blocks, lines)])
    )
    share = min((way for way in ways if len(set(way)) == lines), key=longest)
    return in_column([in_line([b for b, at in zip(blocks, share, strict=True) if at == line]) for line in range(lines)])


def _in_turn(blocks: Sequence[Block], lines: int) -> tuple[int, ...]:
    """Distribute many blocks over lines in order, by width, and leave no line empty."""
    total, sofar, share = sum(block.width for block in blocks), 0.0, list[int]()
    for nth, block in enumerate(blocks):
        wanted = max(int(sofar / total * lines), lines - len(blocks) + nth)
        share.append(min(wanted, share[-1] + 1 if share else 0, lines - 1))
        sofar += block.width
    return tuple(share)


def _around(seats: Sequence[Block], middle: Block) -> Block:
    """Return the whole table. Seats go clockwise from the lower side's right end."""
    low = (len(seats) + 1) // 2
    near, far = list(reversed(seats[:low])), list(seats[low:])
    lower = in_line(near, LANE) if near else Block(0, -LANE)
    upper = _top_aligned([each.moved(0, 0, 2) for each in far]) if far else Block(0, -LANE)
    return in_column([part for part in (upper, middle, lower) if part.slots or part.token_slots], LANE)


def _top_aligned(blocks: Sequence[Block]) -> Block:
    x, laid = 0.0, list[Block]()
    for block in blocks:
        laid.append(block.moved(x, 0.0))
        x += block.width + LANE
    return joined(x - LANE, max(block.height for block in blocks), laid)
