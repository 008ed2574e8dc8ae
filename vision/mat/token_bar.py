"""The printed bar along a money place's outer edge. The place is not read while one of the bar's blocks is hidden."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from vision.mat.mat import Mat, Points, TokenSlot, turn_vector
from vision.mat.print_style import printed_whole

BLOCK = 5.0
"""The approximate length of a block in millimetres, 12 pixels at the lowest scale for reading tokens."""


class BarBlock(msgspec.Struct, frozen=True, eq=False):
    """One block of a bar."""

    corners: Points
    """The corners in millimetres of the mat, clockwise from its own top left, 4 × 2."""
    dark: bool


def bar_blocks(slot: TokenSlot) -> Iterator[BarBlock]:
    """Yield a bar's blocks from left to right as the place's owner sees them. The first and last ones are dark."""
    count = 2 * round((slot.size[0] / BLOCK - 1) / 2) + 1
    first = slot.edge()[0]
    step = np.array(turn_vector(slot.size[0] / count, 0.0, slot.turn))
    down = np.array(turn_vector(0.0, slot.bar, slot.turn))
    for nth in range(count if slot.bar else 0):
        left = first + nth * step
        yield BarBlock(np.array([left, left + step, left + step + down, left + down]), nth % 2 == 0)


def printed_blocks(mat: Mat, slot: TokenSlot) -> tuple[BarBlock, ...]:
    """Return the blocks of a bar that no joint between two sheets cuts, which a camera can compare."""
    return tuple([block for block in bar_blocks(slot) if printed_whole(mat, map(tuple, block.corners.tolist()))])
