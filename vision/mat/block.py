"""Blocks of slots, laid side by side and below one another, in millimetres."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from vision.mat.mat import Slot, TokenSlot, turn_vector

GAP = 6.0
"""Millimetres between two cards' outlines."""
LANE = 26.0
"""Millimetres between two parts, for a marker and the white around it."""


class Block(msgspec.Struct, frozen=True):
    """Slots that belong together, in millimetres from the block's upper left corner, as their owner sees them."""

    width: float
    height: float
    slots: tuple[Slot, ...] = ()
    token_slots: tuple[TokenSlot, ...] = ()

    def moved(self, x: float, y: float, turn: int = 0) -> Block:
        """Return the block moved to x, y and rotated as in `slots_at`."""
        tokens = list[TokenSlot]()
        for slot in self.token_slots:
            left, top = self._at(slot, x, y, turn)
            tokens.append(msgspec.structs.replace(slot, x=left, y=top, turn=(slot.turn + turn) % 4))
        return Block(self.width, self.height, tuple(self.slots_at(x, y, turn)), tuple(tokens))

    def slots_at(self, x: float, y: float, turn: int = 0) -> Iterator[Slot]:
        """Yield the slots of the block at x, y, rotated by 0 or 2 quarter turns."""
        for slot in self.slots:
            left, top = self._at(slot, x, y, turn)
            yield msgspec.structs.replace(
                slot, x=left, y=top, turn=(slot.turn + turn) % 4, step=turn_vector(*slot.step, turn)
            )

    def _at(self, slot: Slot | TokenSlot, x: float, y: float, turn: int) -> tuple[float, float]:
        """Return a slot's own corner for the block at x, y."""
        return (x + self.width - slot.x, y + self.height - slot.y) if turn == 2 else (x + slot.x, y + slot.y)


def in_line(blocks: Sequence[Block], gap: float = GAP) -> Block:
    """Return blocks side by side, aligned at the lower edge."""
    height = max(block.height for block in blocks)
    x, laid = 0.0, list[Block]()
    for block in blocks:
        laid.append(block.moved(x, height - block.height))
        x += block.width + gap
    return joined(x - gap, height, laid)


def in_column(blocks: Sequence[Block], gap: float = GAP) -> Block:
    """Return blocks below one another, centred."""
    width = max(block.width for block in blocks)
    y, laid = 0.0, list[Block]()
    for block in blocks:
        laid.append(block.moved((width - block.width) / 2, y))
        y += block.height + gap
    return joined(width, y - gap, laid)


def joined(width: float, height: float, laid: Sequence[Block]) -> Block:
    """Return a block of blocks whose positions are final."""
    slots = [slot for block in laid for slot in block.slots]
    return Block(width, height, tuple(slots), tuple([slot for block in laid for slot in block.token_slots]))
