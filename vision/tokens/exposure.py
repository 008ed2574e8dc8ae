"""A set's faces as pictures show them: with the camera's blur, and brighter where the light burns the paper out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import msgspec
import numpy as np

from vision.features.pixels import Floats
from vision.tokens.comparison import READ_PX, KnownFace
from vision.tokens.ground import look_of
from vision.tokens.outline_votes import Middle, Outline
from vision.tokens.polar import SOFT, PolarFaces
from vision.tokens.token_set import PX, TokenFace

EXPOSURES = (1.0, 1.17, 1.37, 1.6, 1.87)
"""The possible brightness of paper relative to white, in a channel that is burnt out."""
UNLIKE = 1000.0
"""The maximum distance of a face that counts, because beyond it something else lies there."""
Gains = tuple[int, int, int]
"""The index of an exposure for blue, green and red."""
PLAIN: Gains = (0, 0, 0)
"""The exposure of paper that is just white."""


class ExposedFaces:
    """Faces by blur and exposure, cached. Thread-safe."""

    def __init__(self, faces: Sequence[TokenFace], outlines: Sequence[Outline]) -> None:
        self._faces, self._outlines = faces, outlines
        self.known = lru_cache(maxsize=8)(self._make_known)
        """The faces for comparison with pictures. `soft` is the blur in millimetres."""
        self.polar = lru_cache(maxsize=64)(self._make_polar)
        """The faces unrolled into polar coordinates, by outline."""

    def find_gains(
        self, burnt: tuple[bool, bool, bool], soft: float, scene: Floats, middles: Sequence[Middle]
    ) -> Gains:
        """Return the exposures at which the faces best match the picture at some middles.

        burnt: the channels in which the paper is burnt out, so that its brightness is unknown. They change together
        first, because most lamps are white, and then one by one. scene: h × w × 4, a blurred look and each pixel's
        weight.
        """
        channels = [channel for channel in range(3) if burnt[channel]]

        def misfit(gains: Gains) -> float:
            polar, total = self.polar(soft, gains), 0.0
            for middle in middles:
                nearest = polar[middle.outline].best(scene, READ_PX, middle.x, middle.y, 1)
                total += middle.votes * min(nearest[0].distance if nearest else UNLIKE, UNLIKE)
            return total

        found = PLAIN
        for changed in [channels, *([channel] for channel in channels if len(channels) > 1)] if channels else ():
            found = min([_changed(found, changed, step) for step in range(len(EXPOSURES))], key=misfit)
        return found

    def _make_known(self, soft: float, gains: Gains = PLAIN) -> list[KnownFace]:
        return [KnownFace(face, soft) for face in self._exposed(gains)]

    def _make_polar(self, soft: float, gains: Gains = PLAIN) -> list[PolarFaces]:
        faces = self._exposed(gains)
        blur = max(soft, SOFT) * PX
        looks = [cv2.GaussianBlur(look_of(face.picture), (0, 0), blur) for face in faces]
        masks = [(face.mask > 127).astype(np.float32) for face in faces]
        return [
            PolarFaces(each, [looks[n] for n in each.faces], [masks[n] for n in each.faces]) for each in self._outlines
        ]

    def _exposed(self, gains: Gains) -> Sequence[TokenFace]:
        """Return the faces brightened by these gains and clipped at white."""
        if gains == PLAIN:
            return self._faces
        factors = np.array([EXPOSURES[gain] for gain in gains], np.float32)
        return [
            msgspec.structs.replace(face, picture=np.clip(face.picture * factors, 0, 255).astype(np.uint8))
            for face in self._faces
        ]


def _changed(gains: Gains, channels: Sequence[int], step: int) -> Gains:
    blue, green, red = (step if channel in channels else gains[channel] for channel in range(3))
    return blue, green, red
