"""Unfinished decks: captured cards, the pictures enrolled so far, and the deck that is made of them.

Every picture is on the disk before the request is answered: pulling the plug loses nothing.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests import (
    AlikePair,
    CaptureAnswer,
    ComparisonAnswer,
    EnrolAnswer,
    UnfinishedDeckAnswer,
)
from companion.devices.frames import replace_file
from vision.deck import BACK, Deck, DeckError, EnrolmentReport, enrol
from vision.deck.card_finder import find_card, judge_capture, straighten_card
from vision.deck.stored_decks import DeckLibrary, RequestRefused, check_name
from vision.features.descriptors import global_descriptor
from vision.features.pixels import Floats
from vision.image import Image

SHELF_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""Names of files in the frames folder: no folder, nothing hidden."""
CAPTURED = ".captured"
"""Name of the two files, JPEG and JSON, of a capture that is not enrolled yet."""
QUALITY = 93
"""Of the JPEG in which a captured card is kept, from 0 to 100: no block is seen at the size at which cards are read."""
PAIRS = 24
"""Pairs of cards that a report names at most: an answer must fit into one line of the bus."""
LIKELIEST = 3
"""Cards of the deck so far, the most similar ones, that are offered as names of a captured card."""
VIEW = (48, 64)
"""Width and height in pixels at which cards are compared as a whole."""


class DeckCapture:
    """The unfinished decks. Used by one thread.

    The last `CaptureAnswer` is kept as a file until its picture is enrolled.
    """

    def __init__(self, decks: DeckLibrary, frames: Path, card: tuple[float, float]) -> None:
        self._decks, self.frames, self._card = decks, frames, card

    def frame_path(self, name: str) -> Path:
        """Return the path of a file in the frames folder; raise `RequestRefused` where it is no plain name."""
        if not SHELF_NAME.fullmatch(name):
            raise RequestRefused("bad_name", f"{name!r} is no name on the shelf")
        return self.frames / name

    # --- one picture ------------------------------------------------------------------------------

    def begin(self, deck: str) -> None:
        """Forget what was captured before: if the next picture fails, the old one must not be named."""
        self._forget_captured(self._open_unfinished(deck))

    def _forget_captured(self, folder: Path) -> None:
        for ending in ("json", "jpg"):
            (folder / f"{CAPTURED}.{ending}").unlink(missing_ok=True)

    def capture(self, deck: str, picture: Image) -> CaptureAnswer:
        """Find the one card in a picture, keep its straight picture, and judge it."""
        folder = self._open_unfinished(deck)
        self._forget_captured(folder)
        corners, several = find_card(picture, self._card)
        if corners is None:
            return CaptureAnswer("", ("none",))
        card = straighten_card(picture, corners, self._card)
        wrong = (("several",) if several else ()) + judge_capture(picture, corners, card)
        data = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        found = CaptureAnswer(self._put(data), wrong, self._find_lookalikes(folder, card))
        replace_file(folder / f"{CAPTURED}.jpg", data)
        replace_file(folder / f"{CAPTURED}.json", msgspec.json.encode(found))
        return found

    def _find_lookalikes(self, folder: Path, card: Image) -> tuple[str, ...]:
        """Return which cards of the deck so far look most like this one."""
        view = _look(card)
        scores: dict[str, float] = {}
        for name, files in self._pictures(folder).items():
            for file in files:
                known = _read(file)
                if known is not None:
                    scores[name] = max(scores.get(name, -1.0), float(_look(known) @ view))
        return tuple(sorted(scores, key=lambda name: -scores[name])[:LIKELIEST])

    # --- the unfinished deck ----------------------------------------------------------------------

    def enrol(self, deck: str, card: str, picture: str) -> EnrolAnswer:
        """Keep the captured picture under a card's name."""
        folder, name = self._open_unfinished(deck), check_name(card)
        captured = self._read_capture(folder)
        if captured is None or captured.picture != picture:
            raise RequestRefused("no_picture")
        target = folder / name
        target.mkdir(exist_ok=True)
        (folder / f"{CAPTURED}.jpg").replace(target / f"{_mark(picture)}.jpg")
        (folder / f"{CAPTURED}.json").unlink(missing_ok=True)
        return EnrolAnswer(name, len(list(target.glob("*.jpg"))))

    def forget(self, deck: str, card: str, picture: str = "") -> None:
        """Remove a picture of a card, or all of them."""
        target = self._open_unfinished(deck) / check_name(card)
        if not target.is_dir():
            raise RequestRefused("no_card")
        if picture:
            file = next((f for f in target.glob("*.jpg") if _name(f.read_bytes()) == picture), None)
            if file is None:
                raise RequestRefused("no_picture")
            file.unlink()
        if not picture or not any(target.glob("*.jpg")):
            shutil.rmtree(target)

    def read_unfinished(self, deck: str) -> UnfinishedDeckAnswer:
        """Return what has been enrolled so far, with its pictures in the frames folder, and what was captured last."""
        folder = self._open_unfinished(deck)
        captured = self._read_capture(folder)
        if captured is not None:
            self._put((folder / f"{CAPTURED}.jpg").read_bytes())
        cards = {name: [self._put(file.read_bytes()) for file in files]
                 for name, files in self._pictures(folder).items()}  # fmt: skip
        return UnfinishedDeckAnswer(cards, captured)

    def compare(self, deck: str) -> ComparisonAnswer:
        """Return which cards of the deck so far look alike, the closest first."""
        folder = self._open_unfinished(deck)
        _, report = self._build_deck(deck, folder)
        files = self._pictures(folder)

        def picture_of(card: str) -> str:
            return self._put(files[card][0].read_bytes())

        pairs = sorted(report.pairs, key=lambda pair: pair.margin)[:PAIRS]
        return ComparisonAnswer(
            tuple(
                AlikePair(
                    (pair.first, pair.second), (picture_of(pair.first), picture_of(pair.second)), round(pair.margin, 3)
                )
                for pair in pairs
            )
        )

    def finish(self, deck: str) -> Deck:
        """Make the deck of its pictures, and keep it."""
        folder = self._open_unfinished(deck)
        made, _ = self._build_deck(deck, folder)
        self._decks.finish(made)
        return made

    def _build_deck(self, deck: str, folder: Path) -> tuple[Deck, EnrolmentReport]:
        pictures: Mapping[str, Sequence[Image]] = {
            name: [p for file in files if (p := _read(file)) is not None]
            for name, files in self._pictures(folder).items()
        }
        try:
            return enrol(deck, {name: shots for name, shots in pictures.items() if shots})
        except DeckError as error:
            raise RequestRefused("no_card", str(error), said=str(error)) from None

    # --- files ------------------------------------------------------------------------------------

    def _open_unfinished(self, deck: str) -> Path:
        """Return the folder of an unfinished deck; a finished deck is unpacked first."""
        folder = self._decks.unfinished_folder(deck)
        if not folder.is_dir():
            fresh = folder.with_name(f".{folder.name}.new")
            shutil.rmtree(fresh, ignore_errors=True)
            fresh.mkdir(parents=True)
            if self._decks.path(deck).is_file():
                for entry in self._decks.open(deck).entries:
                    (fresh / entry.name).mkdir()
                    for shot in entry.shots:
                        (fresh / entry.name / f"{_mark(_name(shot.data))}.jpg").write_bytes(shot.data)
            fresh.replace(folder)
        return folder

    def _pictures(self, folder: Path) -> dict[str, list[Path]]:
        """Return the enrolled pictures by card, backs last."""
        cards = [path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")]
        cards.sort(key=lambda path: (path.name.startswith(BACK), path.name))
        found = {path.name: sorted(path.glob("*.jpg"), key=lambda f: (f.stat().st_mtime_ns, f.name)) for path in cards}
        return {name: files for name, files in found.items() if files}

    def _read_capture(self, folder: Path) -> CaptureAnswer | None:
        try:
            if not (folder / f"{CAPTURED}.jpg").is_file():
                return None
            return msgspec.json.decode((folder / f"{CAPTURED}.json").read_bytes(), type=CaptureAnswer)
        except (OSError, msgspec.DecodeError):
            return None

    def _put(self, data: bytes) -> str:
        """Put a picture into the frames folder under a name that follows from its content; return the name."""
        name = _name(data)
        if not (self.frames / name).exists():
            replace_file(self.frames / name, data)
        return name


def _name(data: bytes) -> str:
    return f"card-{hashlib.sha256(data).hexdigest()[:16]}.jpg"


def _mark(picture: str) -> str:
    return picture.removeprefix("card-").removesuffix(".jpg")


def _read(file: Path) -> Image | None:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


def _look(card: Image) -> Floats:
    return global_descriptor(np.asarray(cv2.resize(card, VIEW, interpolation=cv2.INTER_AREA), dtype=np.uint8))
