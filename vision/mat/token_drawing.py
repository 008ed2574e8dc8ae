"""Draw places for tokens: outlines, names, and the bar in front of a screen."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.drawing import Fill, Mark, Stroke, text, text_width, transform
from companion.i18n import Words
from vision.mat.mat import Mat, TokenSlot, turn_vector
from vision.mat.print_style import FAINT, INK, LINE, outline, printed_whole
from vision.mat.token_bar import bar_blocks

NAME, HINT = 3.0, 2.2
"""Sizes in millimetres of a place's name and of its hint."""
BELOW, ABOVE = 4.6, 2.0
"""Millimetres from a place for one token down to its name's baseline, and from a money place up to it."""
LEAST_NAME = 1.6
"""The smallest size of a name in millimetres."""
STEP = 0.5
"""The step in millimetres for moving a name away from a joint."""


def token_marks(mat: Mat, slot: TokenSlot, name: str, said: Words) -> tuple[Mark, ...]:
    """Return a place for tokens, facing its owner.

    said: the mat's own words.
    """
    width, height = slot.size
    if not slot.bar:
        own = [outline(0, 0, width, height), *_name(mat, slot, name)]
        return tuple(transform(own, slot.x, slot.y, 90.0 * slot.turn))
    low = height - slot.bar
    own = [Stroke(((0, low), (0, 0), (width, 0), (width, low)), LINE, FAINT), *_money_words(mat, slot, name, said)]
    dark = [
        Fill((tuple([(x, y) for x, y in block.corners.tolist()]),), INK) for block in bar_blocks(slot) if block.dark
    ]
    return (*transform(own, slot.x, slot.y, 90.0 * slot.turn), *dark)


def _name(mat: Mat, slot: TokenSlot, name: str) -> Iterator[Mark]:
    """Yield the name below a place for one token, or above it if a joint runs below."""
    size = NAME
    while text_width(name, size, 500) > slot.size[0] and size > LEAST_NAME:
        size -= 0.2
    wide, below = text_width(name, size, 500), slot.size[1] + BELOW
    middle = (slot.size[0] - wide) / 2
    found = [(_clear_of_joints(mat, slot, middle, wide, low), low) for low in (below, -ABOVE)]
    x, low = next((each for each in found if each[0] is not None), (middle, below))
    yield text(name, (middle if x is None else x, low), size, FAINT, 500)


def _money_words(mat: Mat, slot: TokenSlot, name: str, said: Words) -> Iterator[Mark]:
    """Yield the name of a money place above it, and a hint if there is room. Its ground stays plain paper."""
    hint = said("mat.money_hint")
    named, wide = text_width(name, NAME, 700), text_width(hint, HINT, 500)
    x = _clear_of_joints(mat, slot, 0.0, named, -ABOVE)
    yield text(name, (x or 0.0, -ABOVE), NAME, FAINT, 700)
    at = _clear_of_joints(mat, slot, slot.size[0] - wide, wide, -ABOVE)
    if at is not None and at > (x or 0.0) + named:
        yield text(hint, (at, -ABOVE), HINT, FAINT, 500)


def _clear_of_joints(mat: Mat, slot: TokenSlot, at: float, wide: float, low: float) -> float | None:
    """Return the start of a line of words, nearest to `at`, that no joint between two sheets cuts, or None.

    wide: the line's width. low: its baseline. Both are in millimetres of the slot.
    """

    def shows(x: float) -> bool:
        ends = [turn_vector(end, y, slot.turn) for end in (x, x + wide) for y in (low - NAME, low + NAME / 3)]
        return printed_whole(mat, [(slot.x + dx, slot.y + dy) for dx, dy in ends])

    starts = [at, *[nth * STEP for nth in range(math.floor((slot.size[0] - wide) / STEP) + 1)]]
    return next((x for x in sorted(starts, key=lambda x: abs(x - at)) if shows(x)), None)
