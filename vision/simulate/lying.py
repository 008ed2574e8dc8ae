"""The cards on a rendered table, slightly shifted and rotated from their outlines."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import numpy as np

from companion.engine import Layout
from vision.mat import Mat, Slot
from vision.simulate.camera_geometry import Points
from vision.simulate.difficulty import Difficulty


class LayingError(ValueError):
    """A card cannot be laid. The message says why."""


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table."""

    card: str
    """The name of its visible side, which is its back's if it lies face down."""
    place: str
    at: int
    face: str
    aside: tuple[float, float]
    """Its shift from its outline in millimetres."""
    turn: float
    """Its clockwise rotation about its middle in degrees."""


class Heap:
    """All cards on the table, by place. In a row a card's position is its order. In a spread it keeps its outline."""

    def __init__(self, mat: Mat, difficulty: Difficulty, seed: int) -> None:
        self.mat = mat
        self._difficulty = difficulty
        self._luck = Random(f"{seed} lying")
        self._headlong = self._luck.uniform(*difficulty.headlong)
        self._lying: dict[str, list[LyingCard]] = {}

    def lay(self, card: str, place: str, face: str, at: int | None = None) -> LyingCard:
        """Lay a card at a position of a place, by default the first free one, and return its pose."""
        free = self.free(place) if at is None else at
        there = self._lying.setdefault(place, [])
        made = LyingCard(card, place, free, face, *self._carelessly())
        there[:] = sorted([lying for lying in there if lying.at != free] + [made], key=lambda each: each.at)
        return made

    def free(self, place: str, without: str = "") -> int:
        """Return the first free position of a place, ignoring one card of the name `without`.

        Raise `LayingError` if the place is full.
        """
        there = [lying for lying in self._lying.get(place, []) if lying.card != without]
        taken = {lying.at for lying in there}
        found = next(n for n in range(len(there) + 1) if n not in taken)
        if self.slot(place).kind != "pile" and found >= self._room(place):
            raise LayingError(f"There is no room for another card at {place}.")
        return found

    def take(self, card: str, place: str) -> LyingCard:
        """Take a card from a place. In a row, the cards after it move up."""
        there = self._lying.get(place, [])
        found = next((lying for lying in reversed(there) if lying.card == card), None)
        if found is None:
            raise LayingError(f"There is no {card} at {place or 'no place'}.")
        there.remove(found)
        if self.slot(place).kind == "row":
            there[:] = [msgspec.structs.replace(lying, at=n) for n, lying in enumerate(there)]
        return found

    def clear(self) -> None:
        """Remove all cards."""
        self._lying.clear()

    def set(self, layout: Layout, back: str) -> None:
        """Lay the cards of a layout. Correct cards stay as they are. Cards face down come first in a row.

        Places missing from the layout stay as they are.
        """
        for place, spot in layout.spots.items():
            wanted = [(back, "down")] * spot.down + [(card, "up") for card in spot.up]
            there = self._lying.get(place, [])
            if self.slot(place).kind == "row":
                same = [(lying.card, lying.face) for lying in there]
                kept = next(
                    (n for n, (a, b) in enumerate(zip(same, wanted, strict=False)) if a != b),
                    min(len(same), len(wanted)),
                )
                self._lying[place] = there[:kept]
                wanted = wanted[kept:]
            else:
                staying = []
                for lying in there:
                    if (lying.card, lying.face) in wanted:
                        wanted.remove((lying.card, lying.face))
                        staying.append(lying)
                self._lying[place] = staying
            for card, face in wanted:
                self.lay(card, place, face)

    def all(self) -> Iterator[LyingCard]:
        """Yield all cards from the lowest to the topmost. In a row, each lies below the one before it."""
        for place in self._lying:
            yield from reversed(self._lying[place])

    def at(self, place: str) -> tuple[LyingCard, ...]:
        """Return the cards at a place, in order."""
        return tuple(self._lying.get(place, ()))

    def slot(self, place: str) -> Slot:
        """Return a place's slot. Raise `LayingError` if the mat has none."""
        found = self.mat.slot(place)
        if found is None:
            raise LayingError(f"The mat has no place called {place!r}.")
        return found

    def corners(self, lying: LyingCard) -> Points:
        """Return a card's corners in millimetres, clockwise from its own top left."""
        slot, nth = self._outline(lying.place, lying.at)
        corners = self.mat.corners(slot, nth)
        middle = corners.mean(axis=0)
        a = np.radians(lying.turn)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        found: Points = (corners - middle) @ turn.T + middle + np.array(lying.aside)
        return found

    def _outline(self, place: str, at: int) -> tuple[Slot, int]:
        slots = [slot for slot in self.mat.slots if slot.place == place]
        for slot in slots:
            if slot.at <= at < slot.at + slot.most:
                return slot, at - slot.at
        return slots[-1], at - slots[-1].at

    def _room(self, place: str) -> int:
        return max(slot.at + slot.most for slot in self.mat.slots if slot.place == place)

    def _carelessly(self) -> tuple[tuple[float, float], float]:
        luck, ranges = self._luck, self._difficulty
        away, toward = luck.uniform(*ranges.offset), luck.uniform(0, 2 * np.pi)
        turn = luck.uniform(*ranges.turn) * luck.choice((-1, 1)) + (180 if luck.random() < self._headlong else 0)
        return (away * np.cos(toward), away * np.sin(toward)), turn
