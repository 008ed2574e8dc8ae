"""Enrolling a deck with the camera: the one card in a picture, the pictures kept so far, the deck made of them.

Every picture is on the disk before it is answered for: pulling the plug loses nothing. Knows no game and no camera.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.devices.frames import put
from vision.deck import BACK, Deck, DeckError, enrol
from vision.deck.library import DeckLibrary, RequestRefused, checked
from vision.deck.quality import faults
from vision.features.descriptors import global_descriptor
from vision.features.quadrilaterals import QuadOutline, outlines, quadrangle
from vision.image import Image

SHELVED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""Names on the shelf."""
CAPTURED = ".captured"
"""What was captured and not enrolled yet."""
SEARCHED = 1280
"""Pixels along the longer side of the picture in which a card is looked for."""
MOST = 744
"""Pixels of the shorter side of a picture that is kept, at most: twice CARD's."""
QUALITY = 93
LEAST, GREATEST = 0.12, 1.0
"""How large a card's shorter side is, as a part of the picture's."""
RIVAL = 0.5
"""Another outline of so much of the first one's area, beside it, is a second card."""
APART = 14.0
"""Distance in Lab from the table's colour of what lies on it."""
PROPORTION = 0.35
"""How far an outline on a plain table may be from straight sides and a card's proportions."""
VAGUE = 0.15
"""An outline that is worth so much less than the best one is none of a second card."""
RIM = 0.006
"""A corner nearer to the picture's edge than this part of it is cut off."""
FAULTS = ("small", "blur", "dark", "glare")
"""What the card's straight picture may lack, the worst first."""
PAIRS = 24


class CapturedCard(msgspec.Struct, frozen=True):
    """The answer to `capture`, kept until the picture is enrolled."""

    picture: str
    faults: tuple[str, ...] = ()
    likeliest: tuple[str, ...] = ()


class DeckCapture:
    """The decks that are being made. Used by one thread."""

    def __init__(self, decks: DeckLibrary, shelf: Path, card: tuple[float, float]) -> None:
        self._decks, self._shelf, self._card = decks, shelf, card

    def shelved(self, name: str) -> Path:
        """Return where a name is on the shelf; raise `RequestRefused` for what is no plain name."""
        if not SHELVED.fullmatch(name):
            raise RequestRefused("bad_name", f"{name!r} is no name on the shelf")
        return self._shelf / name

    # --- one picture ------------------------------------------------------------------------------

    def begin(self, deck: str) -> None:
        """Forget what was captured before: a picture that fails must not leave that there to be named."""
        self._forget_captured(self._begun(deck))

    def _forget_captured(self, folder: Path) -> None:
        for ending in ("json", "jpg"):
            (folder / f"{CAPTURED}.{ending}").unlink(missing_ok=True)

    def capture(self, deck: str, picture: Image) -> dict[str, Any]:
        """Find the one card in a picture and keep its straight picture aside; say what is wrong with it."""
        folder = self._begun(deck)
        self._forget_captured(folder)
        corners, several = the_card(picture, self._card)
        if corners is None:
            return msgspec.to_builtins(CapturedCard("", ("none",)))  # type: ignore[no-any-return]
        card = straight(picture, corners, self._card)
        wrong = (("several",) if several else ()) + quality(picture, corners, card)
        data = cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        found = CapturedCard(self._put(data), wrong, self._alike(folder, card))
        put(folder / f"{CAPTURED}.jpg", data)
        put(folder / f"{CAPTURED}.json", msgspec.json.encode(found))
        return msgspec.to_builtins(found)  # type: ignore[no-any-return]

    def _alike(self, folder: Path, card: Image) -> tuple[str, ...]:
        """Return which cards of the deck so far look most like this one."""
        view = _look(card)
        scores: dict[str, float] = {}
        for name, files in self._pictures(folder).items():
            for file in files:
                known = _read(file)
                if known is not None:
                    scores[name] = max(scores.get(name, -1.0), float(_look(known) @ view))
        return tuple(sorted(scores, key=lambda name: -scores[name])[:3])

    # --- the deck that is being made --------------------------------------------------------------

    def enrol(self, deck: str, card: str, picture: str) -> dict[str, Any]:
        """Keep the captured picture under a card's name."""
        folder, name = self._begun(deck), checked(card)
        captured = self._captured(folder)
        if captured is None or captured.picture != picture:
            raise RequestRefused("no_picture")
        target = folder / name
        target.mkdir(exist_ok=True)
        (folder / f"{CAPTURED}.jpg").replace(target / f"{_mark(picture)}.jpg")
        (folder / f"{CAPTURED}.json").unlink(missing_ok=True)
        return {"card": name, "pictures": len(list(target.glob("*.jpg")))}

    def forget(self, deck: str, card: str, picture: str = "") -> dict[str, Any]:
        """Take a card's picture out again, or all of them."""
        target = self._begun(deck) / checked(card)
        if not target.is_dir():
            raise RequestRefused("no_card")
        if picture:
            file = next((f for f in target.glob("*.jpg") if _name(f.read_bytes()) == picture), None)
            if file is None:
                raise RequestRefused("no_picture")
            file.unlink()
        if not picture or not any(target.glob("*.jpg")):
            shutil.rmtree(target)
        return {}

    def making(self, deck: str) -> dict[str, Any]:
        """Return all that was enrolled so far, its pictures on the shelf, and what was captured last."""
        folder = self._begun(deck)
        captured = self._captured(folder)
        if captured is not None:
            self._put((folder / f"{CAPTURED}.jpg").read_bytes())
        cards = {name: [self._put(file.read_bytes()) for file in files]
                 for name, files in self._pictures(folder).items()}  # fmt: skip
        return {"cards": cards, "captured": msgspec.to_builtins(captured)}

    def report(self, deck: str) -> dict[str, Any]:
        """Return which cards of the deck so far look alike, the closest first."""
        folder = self._begun(deck)
        _, report = self._made(deck, folder)
        files = self._pictures(folder)
        pairs = sorted(report.pairs, key=lambda pair: pair.margin)[:PAIRS]
        return {
            "pairs": [
                {
                    "cards": [pair.first, pair.second],
                    "pictures": [self._put(files[name][0].read_bytes()) for name in (pair.first, pair.second)],
                    "margin": round(pair.margin, 3),
                }
                for pair in pairs
            ]
        }

    def finish(self, deck: str) -> Deck:
        """Make the deck of its pictures, and keep it."""
        folder = self._begun(deck)
        made, _ = self._made(deck, folder)
        self._decks.finish(made)
        return made

    def _made(self, deck: str, folder: Path) -> tuple[Deck, Any]:
        pictures: Mapping[str, Sequence[Image]] = {
            name: [p for file in files if (p := _read(file)) is not None]
            for name, files in self._pictures(folder).items()
        }
        try:
            return enrol(deck, {name: shots for name, shots in pictures.items() if shots})
        except DeckError as error:
            raise RequestRefused("no_card", str(error), said=str(error)) from None

    # --- files ------------------------------------------------------------------------------------

    def _begun(self, deck: str) -> Path:
        """Return the folder of a deck that is being made; a finished one's pictures are taken out of it first."""
        folder = self._decks.making(deck)
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
        """Return the kept pictures by card, backs last."""
        cards = [path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")]
        cards.sort(key=lambda path: (path.name.startswith(BACK), path.name))
        found = {path.name: sorted(path.glob("*.jpg"), key=lambda f: (f.stat().st_mtime_ns, f.name)) for path in cards}
        return {name: files for name, files in found.items() if files}

    def _captured(self, folder: Path) -> CapturedCard | None:
        try:
            if not (folder / f"{CAPTURED}.jpg").is_file():
                return None
            return msgspec.json.decode((folder / f"{CAPTURED}.json").read_bytes(), type=CapturedCard)
        except (OSError, msgspec.DecodeError):
            return None

    def _put(self, data: bytes) -> str:
        """Put a picture on the shelf; its name is that of its content."""
        name = _name(data)
        if not (self._shelf / name).exists():
            put(self._shelf / name, data)
        return name


def _name(data: bytes) -> str:
    return f"card-{hashlib.sha256(data).hexdigest()[:16]}.jpg"


def _mark(picture: str) -> str:
    return picture.removeprefix("card-").removesuffix(".jpg")


def _read(file: Path) -> Image | None:
    picture = cv2.imread(str(file), cv2.IMREAD_COLOR)
    return None if picture is None else np.asarray(picture, dtype=np.uint8)


def _look(card: Image) -> Any:
    return global_descriptor(np.asarray(cv2.resize(card, (48, 64), interpolation=cv2.INTER_AREA), dtype=np.uint8))


# --- the card in a picture ------------------------------------------------------------------------


def the_card(picture: Image, card: tuple[float, float]) -> tuple[np.ndarray[Any, Any] | None, bool]:
    """Return the corners of the largest card in a picture (4 × 2 pixels, from its upper left), and whether there are
    others beside it; None where there is none."""
    factor = min(1.0, SEARCHED / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    short = min(small.shape[:2])
    picture_edges = (small.shape[1], small.shape[0])
    found = _before_background(np.asarray(small, dtype=np.uint8), card)
    if not found:  # the table is too motley: any outline of a card's proportions
        found = outlines(np.asarray(small, dtype=np.uint8), [max(card) / min(card)], (LEAST * short, GREATEST * short))
        found = [outline for outline in found if not _frame(outline, *picture_edges)]
        good = max((_worth(outline, card) for outline in found), default=0.0) - VAGUE
        found = [outline for outline in found if _worth(outline, card) > good]
    if not found:
        return None, False
    best = max(found, key=lambda outline: outline.area)
    several = any(other.area > RIVAL * best.area and _beside(best, other) for other in found)
    corners = (np.asarray(best.corners, dtype=np.float64) + 0.5) / factor - 0.5
    return _from_above(corners, card), several


def _before_background(picture: Image, card: tuple[float, float]) -> list[QuadOutline]:
    """Return the outlines of a card's proportions that stand out from a plain table, whose colour the rim shows."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (5, 5), 0), cv2.COLOR_BGR2LAB).astype(np.float32)
    rim = np.concatenate([lab[:8].reshape(-1, 3), lab[-8:].reshape(-1, 3), lab[:, :8].reshape(-1, 3)])
    away = np.linalg.norm(lab - np.median(rim, axis=0), axis=2)
    apart = max(APART, 3 * float(np.percentile(np.linalg.norm(rim - np.median(rim, axis=0), axis=1), 90)))
    stands = cv2.morphologyEx((away > apart).astype(np.uint8) * 255, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(stands, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    least = (LEAST * min(picture.shape[:2])) ** 2
    found = []
    for contour in contours:
        area = float(cv2.contourArea(contour))
        outline = quadrangle(np.asarray(contour, dtype=np.float32), area) if area > least else None
        if outline is not None and _worth(outline, card) > 1 - PROPORTION:
            found.append(outline)
    return found


def _worth(outline: QuadOutline, card: tuple[float, float]) -> float:
    """Return how much an outline is like the card's: straight sides, the right proportions."""
    sides = outline.sides()
    long, short = sorted((float(sides[0] + sides[2]), float(sides[1] + sides[3])), reverse=True)
    return outline.straight - 2 * abs(float(np.log(long / short / (max(card) / min(card)))))


def _frame(outline: QuadOutline, width: int, height: int) -> bool:
    """Whether an outline is the picture's own edge: most of its corners lie there."""
    x, y = np.asarray(outline.corners, dtype=np.float64).T
    rim = 0.02 * min(width, height)
    return bool(((x < rim) | (y < rim) | (x > width - rim) | (y > height - rim)).sum() >= 3)


def _beside(one: QuadOutline, other: QuadOutline) -> bool:
    """Whether the middle of another outline lies outside the first one."""
    x, y = np.asarray(other.corners).mean(axis=0)
    return cv2.pointPolygonTest(np.asarray(one.corners, dtype=np.float32), (float(x), float(y)), False) < 0


def _from_above(corners: np.ndarray[Any, Any], card: tuple[float, float]) -> np.ndarray[Any, Any]:
    """Return corners clockwise from the card's own upper left, as it lies for whoever sees the picture upright."""
    first = int(np.argmin(corners.sum(axis=1)))
    turned = np.roll(corners, -first, axis=0)
    along, down = np.linalg.norm(turned[1] - turned[0]), np.linalg.norm(turned[2] - turned[1])
    return np.roll(turned, 1, axis=0) if (along > down) != (card[0] > card[1]) else turned


def straight(picture: Image, corners: np.ndarray[Any, Any], card: tuple[float, float]) -> Image:
    """Return the card straight, as large as it is in the picture, at most `MOST` along its shorter side."""
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    short = float(min(MOST, sides[0::2].mean(), sides[1::2].mean()))
    scale = short / min(card)
    width, height = round(card[0] * scale), round(card[1] * scale)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    plane = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(cv2.warpPerspective(picture, plane, (width, height), flags=cv2.INTER_LINEAR), dtype=np.uint8)


def quality(picture: Image, corners: np.ndarray[Any, Any], card: Image) -> tuple[str, ...]:
    """Return what is wrong with a captured card, the worst first: `cut`, `small`, `blur`, `dark`, `glare`."""
    height, width = picture.shape[:2]
    rim = RIM * min(width, height)
    cut = (corners.min() < rim) or (corners[:, 0].max() > width - 1 - rim) or (corners[:, 1].max() > height - 1 - rim)
    wrong = faults(card, scanned=False)
    return ("cut",) * bool(cut) + tuple([fault for fault in FAULTS if fault in wrong])
