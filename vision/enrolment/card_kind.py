"""Enrol cards, one or many per picture. An unfinished deck is a folder with a folder of pictures for each card."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.devices.camera_requests.camera_request import Point
from companion.devices.camera_requests.enrolment import CaptureAnswer, CapturedCard, CardCaptureAnswer, EnrolledAnswer
from vision.deck.deck import BACK, Deck
from vision.deck.making import EnrolmentReport, LookalikePair, enrol
from vision.deck.stored_decks import DeckLibrary, RequestRefused
from vision.enrolled_file import DeckError
from vision.enrolment.camera_view import CameraView
from vision.enrolment.card_finder import Corners, find_cards, judge_capture, straighten_card
from vision.enrolment.enrolment import EnrolmentKind, ShownPicture
from vision.features.descriptors import global_descriptor
from vision.features.pixels import Floats, resize
from vision.image import Image

WAITS, SHEET, INDEX = ".waits-", ".sheet.jpg", ".captured.json"
"""The files of a capture that is not enrolled yet: the prefix of its pictures' names, the whole picture, and the
index."""
CAPTURED = ".captured.jpg"
"""The picture of a capture by an earlier version of the service."""
MOST_CARDS = 30
"""The maximum number of cards in one photograph, because an answer must fit into one line of the bus."""
SHOWN = 1200
"""The longer side in pixels of a photograph on the page."""
QUALITY = 93
"""The JPEG quality of a captured card from 0 to 100. Its blocks are invisible at the size for recognition."""
LIKELIEST = 3
"""The number of most similar cards of the unfinished deck to offer as names of a captured card."""
VIEW = (48, 64)
"""Width and height in pixels at which cards are compared as a whole."""


class CardsKind(EnrolmentKind):
    """The cards of unfinished decks."""

    unknown = "no_card"
    captured = CardCaptureAnswer
    enrolled = EnrolledAnswer

    def __init__(self, decks: DeckLibrary, card: tuple[float, float]) -> None:
        """Create the kind.

        card: width and height in millimetres.
        """
        super().__init__(decks)
        self._card = card

    def index(self, deck: str) -> Path:  # noqa: D102
        return self._folder(deck) / INDEX

    def capture(self, deck: str, view: CameraView) -> tuple[CardCaptureAnswer, Mapping[str, bytes]]:  # noqa: D102
        for left in self._folder(deck).glob(f"{WAITS}*.jpg"):
            left.unlink()
        found, heaps = find_cards(view.picture, self._card)
        if not found:
            return CardCaptureAnswer("", ("several" if heaps else "none",)), {}
        known = self._read_pictures(deck)
        cards: list[CapturedCard] = []
        files: dict[str, bytes] = {}
        for one in found[:MOST_CARDS]:
            card = straighten_card(view.picture, one.corners, self._card)
            wrong = ("several",) * one.crowded + judge_capture(view.picture, one.corners, card)
            data = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
            cards.append(CapturedCard(_name(data), _parts(one.corners, view.picture), wrong, _likeliest(card, known)))
            files[WAITS + _name(data)] = data
        first = cards[0]
        if len(cards) == 1:
            return CardCaptureAnswer(first.picture, first.faults, first.likeliest), files
        sheet = _sheet(view.picture, [one.corners for one in found])
        name = f"sheet-{hashlib.sha256(sheet).hexdigest()[:16]}.jpg"
        answer = CardCaptureAnswer(first.picture, first.faults, first.likeliest, name, tuple(cards))
        return answer, files | {SHEET: sheet}

    def waiting(self, deck: str, captured: CaptureAnswer) -> list[ShownPicture]:  # noqa: D102
        folder = self._folder(deck)
        shown = [ShownPicture(name, file.read_bytes) for name in captured.waiting
                 for file in [self._waiting_file(folder, name)] if file.is_file()]  # fmt: skip
        if shown and isinstance(captured, CardCaptureAnswer) and captured.sheet:
            shown.append(ShownPicture(captured.sheet, (folder / SHEET).read_bytes))
        return shown

    def keep(self, deck: str, picture: str, name: str) -> None:  # noqa: D102
        folder = self._folder(deck)
        file = self._waiting_file(folder, picture)
        if not file.is_file():
            raise RequestRefused("no_picture")
        (folder / name).mkdir(exist_ok=True)
        file.replace(folder / name / _kept_name(picture))

    def _waiting_file(self, folder: Path, picture: str) -> Path:
        """Return the file of a captured card. Earlier versions stored a single one under another name."""
        earlier = folder / CAPTURED
        is_earlier = earlier.is_file() and _name(earlier.read_bytes()) == picture
        return earlier if is_earlier else folder / f"{WAITS}{picture}"

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
        """Make the deck from its pictures, and store it."""
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
        """Return the folder of an unfinished deck. A finished deck is unpacked first."""
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


def _likeliest(card: Image, known: Mapping[str, Sequence[Image]]) -> tuple[str, ...]:
    """Return the names of the enrolled cards most similar to a card."""
    view = _look(card)
    scores = {name: max([float(_look(one) @ view) for one in pictures]) for name, pictures in known.items()}
    return tuple(sorted(scores, key=lambda name: -scores[name])[:LIKELIEST])


def _parts(corners: Corners, picture: Image) -> tuple[Point, ...]:
    height, width = picture.shape[:2]
    return tuple([(round(float(x) / width, 4), round(float(y) / height, 4)) for x, y in corners])


def _sheet(picture: Image, cards: Sequence[Corners]) -> bytes:
    """Return a photograph for the page as JPEG, with everything but the cards black."""
    scale = SHOWN / max(picture.shape[:2])
    small = resize(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    shows = np.zeros(small.shape[:2], np.uint8)
    for corners in cards:
        cv2.fillConvexPoly(shows, np.rint(corners * scale).astype(np.int32), 255)
    small[shows == 0] = 0
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _look(card: Image) -> Floats:
    return global_descriptor(np.asarray(cv2.resize(card, VIEW, interpolation=cv2.INTER_AREA), dtype=np.uint8))
