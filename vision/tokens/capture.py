"""Enrolling tokens: the captured ones that wait for their names, and the deck's token set that grows with each name.

Everything is on the disk before a request is answered: pulling the plug loses nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.camera_requests import (
    AlikePair,
    CapturedToken,
    ComparisonAnswer,
    Point,
    TokenCaptureAnswer,
    TokensAnswer,
)
from companion.devices.frames import replace_file
from vision.deck.stored_decks import DeckLibrary, RequestRefused, check_name
from vision.image import Image
from vision.mat.mat import Points
from vision.tokens.likeness import alike_faces, likeliest_names
from vision.tokens.on_paper import tokens_on_paper
from vision.tokens.paper_sheet import PlainGround
from vision.tokens.store import MOST_FACES, load_tokens, pack_tokens, save_tokens
from vision.tokens.token_set import PX, TokenFace, TokenSet

SHOWN_PX = 4.0
"""Pixels per millimetre of the whole picture on the page: a phone shows fewer."""
QUALITY = 85
"""Of its JPEG, from 0 to 100: it only shows where the tokens lie."""
MOST = 40
"""Tokens of one picture: on a sheet of A4 no more can lie apart, and an answer must fit into one line of the bus."""
LIKELIEST = 2
"""Names that are offered for a captured token."""
PAIRS = 24
"""Pairs that a report names at most, for the same reason."""
LINE = (70, 170, 60)
"""Colour (BGR) of the line around a token on its own picture."""


class _Waiting(msgspec.Struct, frozen=True):
    """What was captured; its faces are in a token set's file, named by their pictures."""

    picture: str = ""
    tokens: tuple[CapturedToken, ...] = ()


class TokenCapture:
    """The token sets of a data folder's decks. Used by one thread."""

    def __init__(self, decks: DeckLibrary, frames: Path) -> None:
        self._decks, self._frames = decks, frames

    # --- one picture ------------------------------------------------------------------------------

    def capture(self, deck: str, ground: PlainGround | None) -> TokenCaptureAnswer:
        """Keep the tokens on a plain ground until they are named; None: no sheet was found."""
        self.begin(deck)
        if ground is None:
            return TokenCaptureAnswer(faults=("no_sheet",))
        found = tokens_on_paper(ground)[:MOST]
        if not found:
            return TokenCaptureAnswer(faults=("none",))
        known = self._set(deck)
        likely = likeliest_names([token.face for token in found], known.faces if known else (), LIKELIEST)
        size = ground.picture.shape[1], ground.picture.shape[0]
        faces = [msgspec.structs.replace(token.face, name=_mark(token.face)) for token in found]
        tokens = [
            CapturedToken(_shown_name(face), _parts(token.outline, size), _rounded(face.size), token.faults, names)
            for face, token, names in zip(faces, found, likely, strict=True)
        ]
        data = _whole(ground.picture)
        waiting = _Waiting(f"sheet-{hashlib.sha256(data).hexdigest()[:16]}.jpg", tuple(tokens))
        folder = self._waiting_folder(deck)
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / "sheet.jpg", data)
        replace_file(folder / "faces", pack_tokens(TokenSet(deck, faces)))
        replace_file(folder / "waiting.json", msgspec.json.encode(waiting))  # last: it says that the others are there
        return self._show(deck, waiting)

    def begin(self, deck: str) -> None:
        """Forget what was captured before: if the next picture fails, the old one must not be named."""
        (self._waiting_folder(deck) / "waiting.json").unlink(missing_ok=True)

    # --- the deck's tokens ------------------------------------------------------------------------

    def enrol(self, deck: str, picture: str, token: str) -> None:
        """Keep a captured token under a name; without one leave it out."""
        waiting = self._read_waiting(deck)
        if picture not in [each.picture for each in waiting.tokens]:
            raise RequestRefused("no_picture")
        if token:
            face = next((face for face in self._captured_faces(deck) if _shown_name(face) == picture), None)
            if face is None:
                raise RequestRefused("no_picture")
            self._add(deck, msgspec.structs.replace(face, name=check_name(token)))
        left = tuple([each for each in waiting.tokens if each.picture != picture])
        path = self._waiting_folder(deck) / "waiting.json"
        if left:
            replace_file(path, msgspec.json.encode(msgspec.structs.replace(waiting, tokens=left)))
        else:
            path.unlink(missing_ok=True)

    def _add(self, deck: str, face: TokenFace) -> None:
        """Add a face to the deck's set, once: after a pulled plug it may be named a second time."""
        known = self._set(deck)
        faces = known.faces if known else ()
        if any((each.name, _mark(each)) == (face.name, _mark(face)) for each in faces):
            return
        if len(faces) >= MOST_FACES:
            raise RequestRefused("failed", f"{deck} has {MOST_FACES} pictures of tokens, and can take no more.")
        self._save(deck, (*faces, face))

    def forget(self, deck: str, token: str, picture: str) -> None:
        """Remove a picture of a token."""
        known = self._set(deck)
        faces = known.faces if known else ()
        left = [face for face in faces if (face.name, _shown_name(face)) != (token, picture)]
        if len(left) == len(faces):
            raise RequestRefused("no_token")
        self._save(deck, left)

    def read(self, deck: str) -> TokensAnswer:
        """Return what is enrolled, with its pictures in the frames folder, and what waits for its name."""
        tokens: dict[str, list[str]] = {}
        known = self._set(deck)
        for face in known.faces if known else ():
            tokens.setdefault(face.name, []).append(self._put(face))
        return TokensAnswer(tokens, self._show(deck, self._read_waiting(deck)))

    def compare(self, deck: str) -> ComparisonAnswer:
        """Return which tokens of a deck look alike, the closest first."""
        known = self._set(deck)
        if known is None:
            raise RequestRefused("no_token")

        def picture_of(token: str) -> str:
            return self._put(known.face(token))

        pairs = alike_faces(known.faces)[:PAIRS]
        return ComparisonAnswer(
            tuple(
                [
                    AlikePair((one.first, one.second), (picture_of(one.first), picture_of(one.second)), one.margin)
                    for one in pairs
                ]
            )
        )

    # --- files ------------------------------------------------------------------------------------

    def _waiting_folder(self, deck: str) -> Path:
        return self._decks.folder / f".{check_name(deck)}.tokens"

    def _set(self, deck: str) -> TokenSet | None:
        """Return a deck's tokens; None: it has none."""
        path = self._decks.tokens_path(deck)
        return load_tokens(path) if path.is_file() else None

    def _save(self, deck: str, faces: Sequence[TokenFace]) -> None:
        path = self._decks.tokens_path(deck)
        if faces:
            path.parent.mkdir(parents=True, exist_ok=True)
            save_tokens(TokenSet(deck, faces), path)
        else:
            path.unlink(missing_ok=True)

    def _read_waiting(self, deck: str) -> _Waiting:
        try:
            return msgspec.json.decode((self._waiting_folder(deck) / "waiting.json").read_bytes(), type=_Waiting)
        except (OSError, msgspec.DecodeError):
            return _Waiting()

    def _captured_faces(self, deck: str) -> tuple[TokenFace, ...]:
        try:
            return load_tokens(self._waiting_folder(deck) / "faces").faces
        except ValueError:
            return ()

    def _show(self, deck: str, waiting: _Waiting) -> TokenCaptureAnswer:
        """Put what waits for its name into the frames folder."""
        if not waiting.tokens:
            return TokenCaptureAnswer()
        if not (self._frames / waiting.picture).exists():
            replace_file(self._frames / waiting.picture, (self._waiting_folder(deck) / "sheet.jpg").read_bytes())
        wanted = {each.picture for each in waiting.tokens}
        for face in self._captured_faces(deck):
            if _shown_name(face) in wanted:
                self._put(face)
        return TokenCaptureAnswer(waiting.picture, (), waiting.tokens)

    def _put(self, face: TokenFace) -> str:
        """Put a face's picture with its outline into the frames folder, and return the file's name."""
        name = _shown_name(face)
        if not (self._frames / name).exists():
            shown = face.picture.copy()
            around, _ = cv2.findContours(face.mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
            cv2.drawContours(shown, around, -1, LINE, 2, cv2.LINE_AA)
            replace_file(self._frames / name, cv2.imencode(".png", shown)[1].tobytes())
        return name


def _mark(face: TokenFace) -> str:
    """Return what a face's content is called."""
    return hashlib.sha256(face.picture.tobytes() + face.mask.tobytes()).hexdigest()[:16]


def _shown_name(face: TokenFace) -> str:
    return f"token-{_mark(face)}.png"


def _parts(outline: Points, size: tuple[int, int]) -> tuple[Point, ...]:
    return tuple([(round(float(x) / size[0], 4), round(float(y) / size[1], 4)) for x, y in outline])


def _rounded(size: tuple[float, float]) -> tuple[float, float]:
    return round(size[0], 1), round(size[1], 1)


def _whole(picture: Image) -> bytes:
    """Return the ground's picture as a JPEG file for pages."""
    factor = SHOWN_PX / PX
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]).tobytes()
