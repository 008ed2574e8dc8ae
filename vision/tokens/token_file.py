"""A token set's file: a zip archive of `tokens.json` and one PNG for each face, transparent outside its outline."""

from __future__ import annotations

from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.enrolled_file import DeckError, EnrolledFile, EnrolledFileKind, is_harmless_name, pack_members
from vision.tokens.token_set import LARGEST, PX, SMALLEST, TokenFace, TokenSet

MARK = "table companion: enrolled tokens"
FORMAT = 1
FILE = EnrolledFileKind("set of tokens", "tokens", "tokens.json", MARK, FORMAT, 64 << 20)
"""The kind of file. Four hundred faces take a quarter of its maximum size."""
MOST_FACES = 400
"""The maximum number of faces in a file. A box has fifty, and each may be enrolled several times."""
PNG = b"\x89PNG\r\n\x1a\n"


class _Index(msgspec.Struct, frozen=True):
    mark: str
    format: int
    name: str
    faces: tuple[str, ...]
    """Each face's name. The picture of the nth one is `NNNN.png`."""


def save_tokens(tokens: TokenSet, path: Path) -> None:
    """Write a set's file atomically."""
    FILE.save(path, pack_tokens(tokens))


def load_tokens(path: Path) -> TokenSet:
    """Read a set's file, or raise `DeckError` with a sentence."""
    return unpack_tokens(FILE.load(path), str(path))


def pack_tokens(tokens: TokenSet) -> bytes:
    """Return a set's file as bytes."""
    # PNG files are transparent outside the outlines. The same face makes the same bytes.
    faces = [cv2.imencode(".png", np.dstack([face.picture, face.mask]))[1].tobytes() for face in tokens.faces]
    pictures = {_member(number): face for number, face in enumerate(faces)}
    index = _Index(MARK, FORMAT, tokens.name, tuple([face.name for face in tokens.faces]))
    return pack_members(pictures | {FILE.index: msgspec.json.encode(index)})


def unpack_tokens(data: bytes, where: str = "the file") -> TokenSet:
    """Return the set from a file's bytes.

    where: the file's name in error messages.
    """
    file = EnrolledFile(FILE, data, where)
    index = file.index(_Index)
    if not 0 < len(index.faces) <= MOST_FACES or not all(map(is_harmless_name, index.faces)):
        raise file.damaged
    faces = [_face(name, file.member(_member(nth)), file.damaged) for nth, name in enumerate(index.faces)]
    return TokenSet(index.name, faces)


def _member(number: int) -> str:
    return f"{number:04}.png"


def _face(name: str, png: bytes, damaged: DeckError) -> TokenFace:
    """Return a face from its PNG file, whose size is checked before decoding."""
    wide, high = int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")
    if png[:8] != PNG or wide != high or not SMALLEST * PX <= wide <= 2 * LARGEST * PX:
        raise damaged
    try:
        picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error:
        picture = None
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4 or picture.dtype != np.uint8:
        raise damaged
    face = TokenFace(name, picture[:, :, :3].copy(), picture[:, :, 3].copy())
    if not all(SMALLEST / 2 <= side <= LARGEST for side in face.size):
        raise damaged
    return face
