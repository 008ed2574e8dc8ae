"""Cards: one lies in each picture. An unfinished deck is a folder with a folder of pictures for each card."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.devices.camera_requests.enrolment import CaptureAnswer, EnrolledAnswer
from vision.deck.deck import BACK, Deck
from vision.deck.making import EnrolmentReport, LookalikePair, enrol
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.enrolment.camera_view import CameraView
from vision.enrolment.card_finder import find_cards, judge_capture, straighten_card
from vision.enrolment.enrolment import EnrolmentKind, ShownPicture
from vision.features.descriptors import global_descriptor
from vision.features.pixels import Floats
from vision.image import Image

CAPTURED, INDEX = ".captured.jpg", ".captured.json"
"""The two files of a capture that is not enrolled yet."""
QUALITY = 93
"""Of the JPEG in which a captured card is kept, from 0 to 100: no block is seen at the size at which cards are read."""
LIKELIEST = 3
"""Cards of the deck so far, the most similar ones, that are offered as names of a captured card."""
VIEW = (48, 64)
"""Width and height in pixels at which cards are compared as a whole."""


class CardsKind(EnrolmentKind):
    """The cards of unfinished decks."""

    unknown = "no_card"
    captured = CaptureAnswer
    enrolled = EnrolledAnswer

    def __init__(self, decks: DeckLibrary, card: tuple[float, float]) -> None:
        """`card`: width and height in millimetres."""
        super().__init__(decks)
        self._card = card

    def index(self, deck: str) -> Path:  # noqa: D102
        return self._folder(deck) / INDEX

    def capture(self, deck: str, view: CameraView) -> tuple[CaptureAnswer, Mapping[str, bytes]]:  # noqa: D102
        found = find_cards(view.picture, self._card)
        if not found:
            return CaptureAnswer("", ("none",)), {}
        card = straighten_card(view.picture, found[0], self._card)
        wrong = (("several",) if len(found) > 1 else ()) + judge_capture(view.picture, found[0], card)
        data = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        return CaptureAnswer(_name(data), wrong, self._likeliest(deck, card)), {CAPTURED: data}

    def _likeliest(self, deck: str, card: Image) -> tuple[str, ...]:
        view = _look(card)
        scores = {
            name: max([float(_look(known) @ view) for known in pictures])
            for name, pictures in self._read_pictures(deck).items()
        }
        return tuple(sorted(scores, key=lambda name: -scores[name])[:LIKELIEST])

    def waiting(self, deck: str, captured: CaptureAnswer) -> list[ShownPicture]:  # noqa: D102
        file = self._folder(deck) / CAPTURED
        return [_shown(file)] if file.is_file() else []

    def keep(self, deck: str, picture: str, name: str) -> None:  # noqa: D102
        folder = self._folder(deck)
        if not (folder / CAPTURED).is_file():
            raise RequestRefused("no_picture")
        (folder / name).mkdir(exist_ok=True)
        (folder / CAPTURED).replace(folder / name / _kept_name(picture))

    def pictures(self, deck: str) -> dict[str, list[ShownPicture]]:  # noqa: D102
        return {name: [_shown(file) for file in files] for name, files in self._files(deck).items()}

    def remove(self, deck: str, name: str, picture: str) -> None:  # noqa: D102
        folder = self._folder(deck) / name
        if picture:
            next(file for file in folder.glob("*.jpg") if _name(file.read_bytes()) == picture).unlink()
        if not picture or not any(folder.glob("*.jpg")):
            shutil.rmtree(folder)

    def lookalikes(self, deck: str) -> Sequence[LookalikePair]:  # noqa: D102
        return self._build_deck(deck)[1].pairs

    def finish(self, deck: str) -> Deck:
        """Make the deck of its pictures, and keep it."""
        made, _ = self._build_deck(deck)
        self.decks.finish(made)
        return made

    def _build_deck(self, deck: str) -> tuple[Deck, EnrolmentReport]:
        try:
            return enrol(deck, self._read_pictures(deck), drawn=True)
        except DeckError as error:
            raise RequestRefused("no_card", str(error), said=str(error)) from None

    # --- files ------------------------------------------------------------------------------------

    def _folder(self, deck: str) -> Path:
        """Return the folder of an unfinished deck; a finished deck is unpacked first."""
        folder = self.decks.unfinished_folder(deck)
        if not folder.is_dir():
            fresh = folder.with_name(f".{folder.name}.new")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            if self.decks.path(deck).is_file():
                for entry in self.decks.open(deck).entries:
                    (fresh / entry.name).mkdir()
                    for shot in entry.shots:
                        (fresh / entry.name / _kept_name(_name(shot.data))).write_bytes(shot.data)
            fresh.replace(folder)
        return folder

    def _files(self, deck: str) -> dict[str, list[Path]]:
        """Return the enrolled pictures by card, backs last."""
        cards = [path for path in self._folder(deck).iterdir() if path.is_dir() and not path.name.startswith(".")]
        cards.sort(key=lambda path: (path.name.startswith(BACK), path.name))
        found = {path.name: sorted(path.glob("*.jpg"), key=lambda f: (f.stat().st_mtime_ns, f.name)) for path in cards}
        return {name: files for name, files in found.items() if files}

    def _read_pictures(self, deck: str) -> dict[str, list[Image]]:
        found: dict[str, list[Image]] = {}
        for name, files in self._files(deck).items():
            for file in files:
                picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
                if picture is not None:
                    found.setdefault(name, []).append(np.asarray(picture, dtype=np.uint8))
        return found


def _shown(file: Path) -> ShownPicture:
    return ShownPicture(_name(file.read_bytes()), file.read_bytes)


def _name(data: bytes) -> str:
    return f"card-{hashlib.sha256(data).hexdigest()[:16]}.jpg"


def _kept_name(picture: str) -> str:
    return picture.removeprefix("card-")


def _look(card: Image) -> Floats:
    return global_descriptor(np.asarray(cv2.resize(card, VIEW, interpolation=cv2.INTER_AREA), dtype=np.uint8))
