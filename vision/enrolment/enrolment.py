"""Enrolling by photograph: captures wait for their names, on the disk before a request is answered."""

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
"""Pairs that look alike in an answer, at most: it must fit into one line of the bus."""


class ShownPicture(NamedTuple):
    """A picture for pages: its file on the shelf, whose name follows from its content, and what makes that file."""

    file: str
    make: Callable[[], bytes]


class EnrolmentKind(ABC):
    """Cards or tokens: how they are found in a picture, and where a deck's are kept."""

    unknown: ClassVar[str]
    """The key of a refusal where there is nothing of a name."""
    captured: ClassVar[type[CaptureAnswer]]
    enrolled: ClassVar[Callable[..., EnrolledAnswer]]

    def __init__(self, decks: DeckLibrary) -> None:
        self.decks = decks

    @abstractmethod
    def index(self, deck: str) -> Path:
        """Return the file that says what waits for its name."""

    @abstractmethod
    def capture(self, deck: str, view: CameraView) -> tuple[CaptureAnswer, Mapping[str, bytes]]:
        """Return what a picture shows, and the files beside the index that keep it; none where nothing was found."""

    @abstractmethod
    def waiting(self, deck: str, captured: CaptureAnswer) -> Sequence[ShownPicture]:
        """Return the kept pictures of what waits for its name; none where they are lost."""

    @abstractmethod
    def keep(self, deck: str, picture: str, name: str) -> None:
        """Keep a captured picture under a name, once; raise `RequestRefused` where it is lost."""

    @abstractmethod
    def pictures(self, deck: str) -> Mapping[str, Sequence[ShownPicture]]:
        """Return the enrolled pictures by name."""

    @abstractmethod
    def remove(self, deck: str, name: str, picture: str) -> None:
        """Remove an enrolled picture, or all of a name."""

    @abstractmethod
    def lookalikes(self, deck: str) -> Sequence[LookalikePair]:
        """Return the names that look alike, the closest first; raise `RequestRefused` where there are none."""


class Enrolment:
    """The cards, or the tokens, of a data folder's decks. Used by one thread."""

    def __init__(self, kind: EnrolmentKind, shelf: FramesShelf) -> None:
        self.kind, self._shelf = kind, shelf

    def begin(self, deck: str) -> None:
        """Forget what was captured before: if the next picture fails, the old one must not be named."""
        self.kind.index(deck).unlink(missing_ok=True)

    def capture(self, deck: str, view: CameraView) -> CaptureAnswer:
        """Keep what a picture shows until it is named."""
        self.begin(deck)
        captured, files = self.kind.capture(deck, view)
        if files:
            index = self.kind.index(deck)
            index.parent.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                replace_file(index.with_name(name), data)
            # Last: it says that the others are there.
            replace_file(index, msgspec.json.encode(captured))
            self._show_waiting(deck, captured)
        return captured

    def enrol(self, deck: str, picture: str, name: str) -> EnrolAnswer:
        """Keep a captured picture under a name; without one leave it out."""
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
        """Remove a picture of a name, or all of them."""
        known = [each.file for each in self.kind.pictures(deck).get(check_name(name), ())]
        if not known or (picture and picture not in known):
            raise RequestRefused(self.kind.unknown)
        self.kind.remove(deck, name, picture)
        return CameraAnswer()

    def read(self, deck: str) -> EnrolledAnswer:
        """Return what is enrolled and what waits for its name, with their pictures in the frames folder."""
        pictures = {name: [self._put(each) for each in found] for name, found in self.kind.pictures(deck).items()}
        captured = self._read_captured(deck)
        if captured is not None:
            shown = self._show_waiting(deck, captured)
            for lost in [each for each in captured.waiting if each not in shown]:
                captured = captured.without(lost) if captured is not None else None
        return self.kind.enrolled(pictures) if captured is None else self.kind.enrolled(pictures, captured)

    def compare(self, deck: str) -> ComparisonAnswer:
        """Return which names look alike, the closest first."""
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
        """Put what waits for its name into the frames folder, and return its files; what is lost is not among them."""
        return {self._put(each) for each in self.kind.waiting(deck, captured)}

    def _put(self, picture: ShownPicture) -> str:
        return self._shelf.put(picture.file, picture.make)
