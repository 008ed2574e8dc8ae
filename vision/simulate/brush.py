"""Paint a session's cards and pieces, with its inks, its printing errors and its seats' colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zlib import crc32

import cv2
import numpy as np

from companion.engine import Piece
from vision.image import Image
from vision.simulate.camera_geometry import CameraGeometry, Points
from vision.simulate.difficulty import Range
from vision.simulate.gesture import Reach
from vision.simulate.hands import motion_kernel
from vision.simulate.painting import Faces, paint_flat, paint_shadow, pixel_box
from vision.simulate.standing import paint_piece

WOODEN = np.array([140.0, 185.0, 215.0])
"""Blue, green and red of unpainted wood."""


def bgr_of(colour: str) -> Points:
    """Return `#rrggbb` as blue, green and red."""
    return np.array(list(bytes.fromhex(colour.removeprefix("#")))[::-1], np.float64)


class Brush:
    """Paints cards of one size, and pieces with sides of `side` millimetres in the seats' `paints`.

    neutral: the colours of neutral cubes by kind.
    """

    def __init__(
        self,
        card: tuple[float, float],
        faces: Faces,
        cut: Range,
        seed: int,
        paints: Sequence[Points],
        side: float,
        neutral: Mapping[str, Points],
    ) -> None:
        """Create a brush.

        cut: the misalignment of a card's art from its edges, in millimetres.
        """
        self._card, self._faces, self._cut, self._seed = card, faces, cut, seed
        self._paints, self._side, self._neutral = paints, side, neutral

    def card(self, picture: Image, view: CameraGeometry, card: str, corners: Points, high: float) -> None:
        """Paint a card at a height in millimetres above the table, with its shadow."""
        paint_shadow(picture, view, corners, 0.4, 0.8 + high / 3, (0.5 * high, 0.7 * high))
        width = self._card[0] * view.scale(*corners.mean(axis=0))
        level = self._faces.level(card, width)
        own = np.random.default_rng([self._seed, 8, crc32(card.encode())])
        away, a = own.uniform(*self._cut), own.uniform(0, 2 * np.pi)
        across, down = (corners[1] - corners[0]) / self._card[0], (corners[3] - corners[0]) / self._card[1]
        aside = away * (np.cos(a) * across + np.sin(a) * down)
        shape = self._faces.shape((level.shape[1], level.shape[0]), self._card[0])
        paint_flat(picture, view, corners, level, shape, aside)

    def carried_card(self, picture: Image, view: CameraGeometry, reach: Reach) -> None:
        """Paint the card in a hand, with motion blur."""
        assert reach.corners is not None
        self.card(picture, view, reach.card, reach.corners, 6.0)
        around = pixel_box(view, reach.corners)
        if around is not None and np.hypot(*reach.moved) * view.scale(reach.hand.x, reach.hand.y) > 2:
            part = picture[around[1] : around[3], around[0] : around[2]]
            part[:] = cv2.filter2D(part, -1, motion_kernel(view, (reach.hand.x, reach.hand.y), reach.moved))

    def piece(
        self,
        picture: Image,
        view: CameraGeometry,
        piece: Piece,
        at: tuple[float, float],
        turn: float = 0.0,
        tone: float = 1.0,
        high: float = 0.0,
    ) -> None:
        """Paint a piece at a height in millimetres above the board. Pieces without an owner are neutral cubes or
        plain wood."""
        neutral = piece.owner is None and piece.kind in self._neutral
        colour = self._neutral.get(piece.kind, WOODEN) if piece.owner is None else self._paints[piece.owner]
        paint_piece(picture, view, "cube" if neutral else piece.kind, at, self._side, turn, colour * tone, high)
