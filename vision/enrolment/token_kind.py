"""Enrol tokens, many on one sheet of paper. A deck's set grows with each name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests.camera_request import Point
from companion.devices.camera_requests.enrolment import CaptureAnswer, CapturedToken, TokenCaptureAnswer, TokensAnswer
from vision.deck.making import LookalikePair
from vision.deck.stored_decks import RequestRefused, check_name
from vision.enrolment.camera_view import CameraView, plain_ground
from vision.enrolment.enrolment import EnrolmentKind, ShownPicture
from vision.enrolment.token_likeness import alike_faces, likeliest_names
from vision.enrolment.tokens_on_paper import tokens_on_paper
from vision.image import Image
from vision.mat.mat import Points
from vision.tokens.token_file import MOST_FACES, load_tokens, pack_tokens, save_tokens
from vision.tokens.token_set import PX, TokenFace, TokenSet

SHEET, FACES = "sheet.jpg", "faces"
"""The files of a capture: the whole picture and a token set."""
SHOWN_PX = 4.0
"""Pixels per millimetre of the whole picture on the page, more than a phone shows."""
QUALITY = 85
"""The JPEG quality of the whole picture from 0 to 100, which only shows the tokens' positions."""
MOST = 40
"""The maximum number of tokens in one picture. No more fit separately on a sheet of A4, and an answer must fit into
one line of the bus."""
LIKELIEST = 2
"""The number of names to offer for a captured token."""
LINE = (70, 170, 60)
"""The colour (BGR) of the line around a token on its own picture."""


class TokensKind(EnrolmentKind):
    """The token sets of decks."""

    unknown = "no_token"
    captured = TokenCaptureAnswer
    enrolled = TokensAnswer

    def index(self, deck: str) -> Path:  # noqa: D102
        return self.decks.folder / f".{check_name(deck)}.tokens" / "waiting.json"

    def capture(self, deck: str, view: CameraView) -> tuple[CaptureAnswer, Mapping[str, bytes]]:  # noqa: D102
        ground = plain_ground(view)
        if ground is None:
            return TokenCaptureAnswer(faults=("no_sheet",)), {}
        found = tokens_on_paper(ground)[:MOST]
        if not found:
            return TokenCaptureAnswer(faults=("none",)), {}
        likely = likeliest_names([token.face for token in found], self._faces(deck), LIKELIEST)
        size = ground.picture.shape[1], ground.picture.shape[0]
        faces = [msgspec.structs.replace(token.face, name=_mark(token.face)) for token in found]
        tokens = [
            CapturedToken(_shown(face).file, _parts(token.outline, size), _rounded(face.size), token.faults, names)
            for face, token, names in zip(faces, found, likely, strict=True)
        ]
        whole = _whole(ground.picture)
        captured = TokenCaptureAnswer(f"sheet-{hashlib.sha256(whole).hexdigest()[:16]}.jpg", tokens=tuple(tokens))
        return captured, {SHEET: whole, FACES: pack_tokens(TokenSet(deck, faces))}

    def waiting(self, deck: str, captured: CaptureAnswer) -> list[ShownPicture]:  # noqa: D102
        sheet = self.index(deck).with_name(SHEET)
        faces = [_shown(face) for face in self._captured_faces(deck)]
        return [ShownPicture(captured.picture, sheet.read_bytes), *[p for p in faces if p.file in captured.waiting]]

    def keep(self, deck: str, picture: str, name: str) -> None:
        """Store a captured face, once. After a power failure it may be named a second time."""
        captured = next((face for face in self._captured_faces(deck) if _shown(face).file == picture), None)
        if captured is None:
            raise RequestRefused("no_picture")
        faces = self._faces(deck)
        if any((each.name, _shown(each).file) == (name, picture) for each in faces):
            return
        if len(faces) >= MOST_FACES:
            raise RequestRefused("failed", f"{deck} has {MOST_FACES} pictures of tokens, and can take no more.")
        self._save(deck, (*faces, msgspec.structs.replace(captured, name=name)))

    def pictures(self, deck: str) -> dict[str, list[ShownPicture]]:  # noqa: D102
        found: dict[str, list[ShownPicture]] = {}
        for face in self._faces(deck):
            found.setdefault(face.name, []).append(_shown(face))
        return found

    def remove(self, deck: str, name: str, picture: str) -> None:  # noqa: D102
        faces = self._faces(deck)
        self._save(deck, [each for each in faces if each.name != name or picture not in ("", _shown(each).file)])

    def lookalikes(self, deck: str) -> Sequence[LookalikePair]:  # noqa: D102
        faces = self._faces(deck)
        if not faces:
            raise RequestRefused(self.unknown)
        return alike_faces(faces)

    # --- files ------------------------------------------------------------------------------------

    def _faces(self, deck: str) -> tuple[TokenFace, ...]:
        path = self.decks.tokens_path(deck)
        return load_tokens(path).faces if path.is_file() else ()

    def _save(self, deck: str, faces: Sequence[TokenFace]) -> None:
        path = self.decks.tokens_path(deck)
        if faces:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_tokens(TokenSet(deck, faces), path)
        else:
            path.unlink(missing_ok=True)

    def _captured_faces(self, deck: str) -> tuple[TokenFace, ...]:
        try:
            return load_tokens(self.index(deck).with_name(FACES)).faces
        except ValueError:
            return ()


def _mark(face: TokenFace) -> str:
    return hashlib.sha256(face.picture.tobytes() + face.mask.tobytes()).hexdigest()[:16]


def _shown(face: TokenFace) -> ShownPicture:

    def make() -> bytes:
        shown = face.picture.copy()
        around, _ = cv2.findContours(face.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(shown, around, -1, LINE, 2, cv2.LINE_AA)
        return cv2.imencode(".png", shown)[1].tobytes()

    return ShownPicture(f"token-{_mark(face)}.png", make)


def _parts(outline: Points, size: tuple[int, int]) -> tuple[Point, ...]:
    return tuple([(round(float(x) / size[0], 4), round(float(y) / size[1], 4)) for x, y in outline])


def _rounded(size: tuple[float, float]) -> tuple[float, float]:
    return round(size[0], 1), round(size[1], 1)


def _whole(picture: Image) -> bytes:
    factor = SHOWN_PX / PX
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]).tobytes()
