"""Enrol by photograph: store captures on disk before answering, until they are named."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, NamedTuple

import msgspec

from companion.devices.camera_requests.camera_request import CameraAnswer
from companion.devices.camera_requests.enrolment import (
    AlikePair,
    CaptureAnswer,
    ComparisonAnswer,
    EnrolAnswer,
    EnrolledAnswer,
)
from companion.devices.frames import replace_file
from vision.deck.making import LookalikePair
from vision.deck.stored_decks import DeckLibrary, RequestRefused, check_name
from vision.enrolment.camera_view import CameraView
from vision.enrolment.frames_shelf import FramesShelf

PAIRS = 24
"""The maximum number of similar pairs in an answer, which must fit into one line of the bus."""


class ShownPicture(NamedTuple):
    """A picture for pages: its file on the shelf, named by content, and the function that makes the file."""

    file: str
    make: Callable[[], bytes]


class EnrolmentKind(ABC):
    """The interface of cards or tokens: finding them in a picture, and storing those of a deck."""

    unknown: ClassVar[str]
    """The key of a refusal for an unknown name."""
    captured: ClassVar[type[CaptureAnswer]]
    enrolled: ClassVar[Callable[..., EnrolledAnswer]]

    def __init__(self, decks: DeckLibrary) -> None:
        self.decks = decks

    @abstractmethod
    def index(self, deck: str) -> Path:
        """Return the index file of unnamed captures."""

    @abstractmethod
    def capture(self, deck: str, view: CameraView) -> tuple[CaptureAnswer, Mapping[str, bytes]]:
        """Return the contents of a picture, and the files to store beside the index, or none if nothing was found."""

    @abstractmethod
    def waiting(self, deck: str, captured: CaptureAnswer) -> Sequence[ShownPicture]:
        """Return the stored pictures of unnamed captures, or none if they are lost."""

    @abstractmethod
    def keep(self, deck: str, picture: str, name: str) -> None:
        """Store a captured picture under a name, once. Raise `RequestRefused` if it is lost."""

    @abstractmethod
    def pictures(self, deck: str) -> Mapping[str, Sequence[ShownPicture]]:
        """Return the enrolled pictures by name."""

    @abstractmethod
    def remove(self, deck: str, name: str, picture: str) -> None:
        """Remove an enrolled picture, or all pictures of a name."""

    @abstractmethod
    def lookalikes(self, deck: str) -> Sequence[LookalikePair]:
        """Return the similar names, most similar first. Raise `RequestRefused` if nothing is enrolled."""


class Enrolment:
    """The cards or tokens of a data folder's decks. Not thread-safe."""

    def __init__(self, kind: EnrolmentKind, shelf: FramesShelf) -> None:
        self.kind, self._shelf = kind, shelf

    def begin(self, deck: str) -> None:
        """Forget the previous capture, so that it cannot be named if the next picture fails."""
        self.kind.index(deck).unlink(missing_ok=True)

    def capture(self, deck: str, view: CameraView) -> CaptureAnswer:
        """Store a picture's contents until they are named."""
        self.begin(deck)
        captured, files = self.kind.capture(deck, view)
        if files:
            index = self.kind.index(deck)
            index.parent.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                replace_file(index.with_name(name), data)
            # Last, because it marks the others as complete.
            replace_file(index, msgspec.json.encode(captured))
            self._show_waiting(deck, captured)
        return captured

    def enrol(self, deck: str, picture: str, name: str) -> EnrolAnswer:
        """Store a captured picture under a name, or drop it if the name is empty."""
        captured = self._read_captured(deck)
        if captured is None or picture not in captured.waiting:
            raise RequestRefused("no_picture")
        if name:
            self.kind.keep(deck, picture, check_name(name))
        left = captured.without(picture)
        if left is None:
            self.begin(deck)
        else:
            replace_file(self.kind.index(deck), msgspec.json.encode(left))
        return EnrolAnswer(name, len(self.kind.pictures(deck).get(name, ())))

    def forget(self, deck: str, name: str, picture: str = "") -> CameraAnswer:
        """Remove one picture of a name, or all of them."""
        known = [each.file for each in self.kind.pictures(deck).get(check_name(name), ())]
        if not known or (picture and picture not in known):
            raise RequestRefused(self.kind.unknown)
        self.kind.remove(deck, name, picture)
        return CameraAnswer()

    def read(self, deck: str) -> EnrolledAnswer:
        """Return the enrolled and the unnamed pictures, after copying them to the frames folder."""
        pictures = {name: [self._put(each) for each in found] for name, found in self.kind.pictures(deck).items()}
        captured = self._read_captured(deck)
        if captured is not None:
            shown = self._show_waiting(deck, captured)
            for lost in [each for each in captured.waiting if each not in shown]:
                captured = captured.without(lost) if captured is not None else None
        return self.kind.enrolled(pictures) if captured is None else self.kind.enrolled(pictures, captured)

    def compare(self, deck: str) -> ComparisonAnswer:
        """Return the similar names, most similar first."""
        pairs = self.kind.lookalikes(deck)[:PAIRS]
        pictures = self.kind.pictures(deck)
        return ComparisonAnswer(
            tuple(
                [
                    AlikePair(
                        (one.first, one.second),
                        (self._put(pictures[one.first][0]), self._put(pictures[one.second][0])),
                        round(one.margin, 3),
                    )
                    for one in pairs
                ]
            )
        )

    def _read_captured(self, deck: str) -> CaptureAnswer | None:
        try:
            return msgspec.json.decode(self.kind.index(deck).read_bytes(), type=self.kind.captured)
        except (OSError, msgspec.DecodeError):
            return None

    def _show_waiting(self, deck: str, captured: CaptureAnswer) -> set[str]:
        """Copy the unnamed pictures to the frames folder, and return their file names. Lost pictures are left out."""
        return {self._put(each) for each in self.kind.waiting(deck, captured)}

    def _put(self, picture: ShownPicture) -> str:
        return self._shelf.put(picture.file, picture.make)
