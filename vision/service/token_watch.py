"""Tokens under the camera: the places that may be read now, and the last reading.

Everything here belongs to the service's loop, which waits while another thread reads. All places are black until the
table has named the readable ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

import cv2
import msgspec
import numpy as np

from companion.messages import TokenSighting
from vision.image import Image
from vision.mat import Mat, MatPose, visible
from vision.mat.pose import Polygon


class TokenReading(msgspec.Struct, frozen=True):
    """The reading of all places for tokens."""

    tokens: tuple[TokenSighting, ...] = ()
    places: tuple[str, ...] = ()
    """The places that were read, including empty ones."""
    open_hands: tuple[str, ...] = ()
    """The closed places where something new lies."""
    empty_places: tuple[str, ...] = ()
    """The closed places where nothing lies."""
    known: tuple[Polygon, ...] = ()
    """Outlines, in millimetres, of tokens that were read at places closed since."""
    pending: bool = False
    """Whether another picture of the same table would add something."""


class SeenTokenPlaces(Protocol):
    """The reading of the places that may be read."""

    @property
    def sightings(self) -> Sequence[TokenSighting]: ...  # noqa: D102

    @property
    def places(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def pending(self) -> Sequence[str]: ...  # noqa: D102


class TokenPlacesReader(Protocol):
    """Reads the places for tokens of one mat, with memory (`vision.tokens.TokenPlaces`)."""

    def read(self, picture: Image, pose: MatPose, readable: Collection[str]) -> SeenTokenPlaces:
        """Return the reading of the readable places, `pending` where another picture would add something."""
        ...

    def outlines(self, place: str) -> tuple[Polygon, ...]:
        """Return the outlines of the last reported tokens at a place, in millimetres of the mat."""
        ...

    def is_open(self, picture: Image, pose: MatPose, place: str, known: Sequence[Polygon] = ()) -> bool:
        """Whether something other than the known tokens lies there."""
        ...

    def is_empty(self, picture: Image, pose: MatPose, place: str) -> bool:
        """Whether nothing lies there."""
        ...


MakeTokenPlaces = Callable[[Mat], TokenPlacesReader]
"""Makes a reader for a mat."""
NOTHING = TokenReading()


class TokenWatch:
    """Holds the current tokens and their last reading."""

    def __init__(self) -> None:
        self.readable: frozenset[str] = frozenset()
        self.last = NOTHING
        self._make: MakeTokenPlaces | None = None
        self._places: tuple[Mat, TokenPlacesReader] | None = None
        self._known: dict[str, tuple[Polygon, ...]] = {}
        """The outlines of the tokens at each place when it was closed."""
        self._mat: Mat | None = None
        """The last mat with places for tokens."""

    def allow(self, places: Iterable[str]) -> bool:
        """Read only these places from now on, and return whether that is a change."""
        before, self.readable = self.readable, frozenset(places)
        if before == self.readable:
            return False
        if not self.readable:
            self._known = {}
        self._known = {place: known for place, known in self._known.items() if place not in self.readable}
        if self._places is not None and self.readable:
            self._known |= {place: self._places[1].outlines(place) for place in before - self.readable}
        self.last = TokenReading(known=tuple([each for known in self._known.values() for each in known]))
        return True

    def use(self, make: MakeTokenPlaces | None) -> None:
        """Switch to other tokens, or to none (None)."""
        self._make, self._places, self._known, self.last = make, None, {}, NOTHING

    def closed_places(self, mat: Mat) -> frozenset[str]:
        """Return the places of a mat that are closed while a match is played, or none without a match."""
        return frozenset([slot.place for slot in mat.token_slots]) - self.readable if self.readable else frozenset()

    def hide(self, picture: Image, pose: MatPose | None, mat: Mat | None) -> Image:
        """Return a picture with the closed places black, or an all-black one if their position is unknown."""
        mat = mat if pose is not None else self._mat
        closed = self.closed_places(mat) if mat is not None else frozenset()
        if not closed or mat is None:
            return picture
        if pose is None:
            return np.zeros_like(picture)
        places = visible(pose, mat, self.readable | closed)
        hidden = cv2.bitwise_and(places, cv2.bitwise_not(visible(pose, mat, self.readable, self.last.known)))
        return np.asarray(cv2.copyTo(picture, cv2.bitwise_not(hidden)), np.uint8)

    def read(self, picture: Image, pose: MatPose, mat: Mat) -> TokenReading:
        """Read a full picture of the table at rest.

        For closed places, only whether they are empty, or something new lies there, is stored or returned.
        """
        if mat.token_slots:
            self._mat = mat
        if self._make is None or not mat.token_slots or not self.readable:
            self.last = NOTHING
            return NOTHING
        if self._places is None or self._places[0] != mat:
            self._places, self._known = (mat, self._make(mat)), {}
        places, closed = self._places[1], sorted(self.closed_places(mat))
        seen = places.read(picture, pose, self.readable)
        opened = [place for place in closed if places.is_open(picture, pose, place, self._known.get(place, ()))]
        empty = [place for place in closed if places.is_empty(picture, pose, place)]
        self._known = {place: known for place, known in self._known.items() if place not in empty}
        known = tuple([each for outlines in self._known.values() for each in outlines])
        self.last = TokenReading(
            tuple(seen.sightings), tuple(seen.places), tuple(opened), tuple(empty), known, bool(seen.pending)
        )
        return self.last
