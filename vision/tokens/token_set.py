"""An enrolled set of tokens: each face's straight pictures with their outlines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import msgspec
import numpy as np

from vision.enrolled_file import DeckError
from vision.features.pixels import Flags
from vision.image import Image

PX = 8.0
"""Pixels per millimetre of an enrolled picture. Cameras over a table have 1.5 to 5."""
COARSE = 0.25
"""The scale at which outlines are compared: 2 pixels per millimetre distinguish a hexagon from a circle."""
SMALLEST, LARGEST = 8.0, 60.0
"""The minimum and maximum width and height of a token in millimetres. Smaller ones show no print, and larger ones
are cards."""
ALIKE = 0.96
"""The shared area of two aligned masks, as a share, above which they count as one outline."""


class TokenFace(msgspec.Struct, frozen=True, eq=False):
    """One picture of one face of a token, under the light of white paper (255 in all channels)."""

    name: str
    """Its name in the set, such as `money-500` or `back-purpose`."""
    picture: Image
    """The picture in BGR, square around the token's middle, at `PX` pixels per millimetre."""
    mask: Image
    """255 on the token, else 0, at the picture's size."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the outline in millimetres, as the face lies in its picture."""
        _, _, wide, high = cv2.boundingRect(self.mask)
        return wide / PX, high / PX

    @property
    def area(self) -> float:
        """The area within the outline in mm²."""
        return float(np.count_nonzero(self.mask)) / PX**2


class TokenSet:
    """An immutable enrolled set of tokens. A name may have several pictures."""

    def __init__(self, name: str, faces: Sequence[TokenFace]) -> None:
        if not faces:
            raise DeckError("There are no pictures of tokens to make a set from.")
        self.name = name
        self.faces = tuple(faces)
        self.names = tuple(dict.fromkeys(face.name for face in faces))

    def face(self, name: str) -> TokenFace:
        """Return the first picture of a face. Raise `DeckError` for an unknown name."""
        for face in self.faces:
            if face.name == name:
                return face
        raise DeckError(f"There is no token {name!r} in the set {self.name!r}.")

    def like(self, names: Collection[str]) -> TokenSet:
        """Return the faces of these names, and all others with the same outlines, which may be confused with them."""
        shapes = [coarse_mask(face.mask) for face in self.faces]
        marks = [(shape.shape, shape.tobytes()) for shape in shapes]  # drawn tokens have few different outlines
        different = dict(zip(marks, shapes, strict=True))
        wanted = {mark for face, mark in zip(self.faces, marks, strict=True) if face.name in names}
        alike = {mark for mark, shape in different.items() if any(_alike(shape, different[each]) for each in wanted)}
        return TokenSet(self.name, [face for face, mark in zip(self.faces, marks, strict=True) if mark in alike])


def same_outline(one: Image, other: Image) -> bool:
    """Whether two masks coincide, upright or rotated by a quarter turn."""
    return _alike(coarse_mask(one), coarse_mask(other))


def _alike(first: Image, second: Image) -> bool:
    return max(shared_part(first, turned_mask(second, degrees)) for degrees in (0.0, 90.0)) >= ALIKE


def coarse_mask(mask: Image) -> Image:
    """Return a mask small enough to compare at many rotations."""
    side = max(1, round(mask.shape[0] * COARSE))
    return cv2.resize(mask, (side, side), interpolation=cv2.INTER_AREA)


def shared_part(one: Image, other: Image) -> float:
    """Return the share that two centred masks have in common. They may differ in size."""
    side = max(one.shape[0], other.shape[0])
    first, second = _padded(one, side), _padded(other, side)
    return float((first & second).sum()) / max(1, int((first | second).sum()))


def turned_mask(mask: Image, degrees: float) -> Image:
    """Return a mask rotated clockwise about its middle."""
    half = (mask.shape[0] - 1) / 2
    matrix = cv2.getRotationMatrix2D((half, half), -degrees, 1.0)
    return cv2.warpAffine(mask, matrix, mask.shape[1::-1], flags=cv2.INTER_LINEAR)


def _padded(mask: Image, side: int) -> Flags:
    room = side - mask.shape[0]
    return np.pad(mask > 127, (room // 2, room - room // 2))
