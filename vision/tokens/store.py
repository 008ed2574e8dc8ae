"""A token set's file: a zip of `tokens.json` and one PNG for each face, transparent outside its outline.

Files are not trusted: nothing in them is executed, and every size is checked before anything is unpacked.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.files.untrusted import Unreadable, read_bytes
from vision.deck import is_harmless_name
from vision.tokens.token_set import LARGEST, PX, SMALLEST, TokenError, TokenFace, TokenSet

FORMAT = 1
"""The number of this format; another one is refused with a sentence."""
MARK = "table companion: enrolled tokens"
"""Stands in every set's file, to recognise other zip files."""
INDEX = "tokens.json"
MOST_FACES = 400
"""Faces in one file: a box has fifty, and each may be enrolled several times."""
MOST_BYTES = 64 << 20
"""The most that a file may hold, packed and unpacked: four hundred faces take a quarter of it."""
PNG = b"\x89PNG\r\n\x1a\n"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same set makes the same file


class _Index(msgspec.Struct, frozen=True):
    mark: str
    format: int
    name: str
    faces: tuple[str, ...]
    """What each face is; the picture of the nth one is `NNNN.png`."""


def save_tokens(tokens: TokenSet, path: Path) -> None:
    """Write a set's file, replacing it whole: readers see either the old file or the new one."""
    half = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        half.write_bytes(pack_tokens(tokens))
        half.replace(path)
    except OSError as error:
        half.unlink(missing_ok=True)
        raise TokenError(f"The tokens cannot be written to {path}: {error.strerror}.") from None


def load_tokens(path: Path) -> TokenSet:
    """Read a set's file, or say what is wrong with it."""
    try:
        data = read_bytes(path, MOST_BYTES)
    except Unreadable as error:
        raise TokenError(f"The tokens in {path} cannot be read: {error}.") from None
    except OSError as error:
        raise TokenError(f"The tokens in {path} cannot be read: {error.strerror}.") from None
    return unpack_tokens(data, str(path))


def pack_tokens(tokens: TokenSet) -> bytes:
    """Return a set's file as bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for number, face in enumerate(tokens.faces):
            file.writestr(zipfile.ZipInfo(_member(number), _EPOCH), face_png(face))
        index = _Index(MARK, FORMAT, tokens.name, tuple([face.name for face in tokens.faces]))
        file.writestr(zipfile.ZipInfo(INDEX, _EPOCH), msgspec.json.encode(index))
    return out.getvalue()


def unpack_tokens(data: bytes, where: str = "the file") -> TokenSet:
    """Return the set that a file's bytes hold; `where` is what the sentences call it."""
    damaged = TokenError(f"{where} is damaged or holds no tokens. Enrol the tokens again, or take an earlier copy.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            if sum(info.file_size for info in file.infolist()) > MOST_BYTES:
                raise damaged
            index = msgspec.json.decode(_read(file, INDEX, damaged), type=_Index)
            if index.mark != MARK or not 0 < len(index.faces) <= MOST_FACES:
                raise damaged
            if index.format != FORMAT:
                raise TokenError(f"{where} was made by another version of the companion. Enrol the tokens again.")
            pictures = [_read(file, _member(number), damaged) for number in range(len(index.faces))]
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, RecursionError, msgspec.DecodeError):
        raise damaged from None
    if not all(map(is_harmless_name, index.faces)):
        raise damaged
    return TokenSet(index.name, [_face(name, png, damaged) for name, png in zip(index.faces, pictures, strict=True)])


def face_png(face: TokenFace) -> bytes:
    """Return a face as a PNG file, transparent outside its outline; the same face makes the same bytes."""
    return cv2.imencode(".png", np.dstack([face.picture, face.mask]))[1].tobytes()


def _member(number: int) -> str:
    return f"{number:04}.png"


def _read(file: zipfile.ZipFile, name: str, damaged: TokenError) -> bytes:
    """Return what a member holds. None of ours is encrypted or packed."""
    if name not in file.NameToInfo:
        raise damaged
    info = file.getinfo(name)
    if info.flag_bits & 0x1 or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise damaged
    try:
        return file.read(info)
    except (zlib.error, EOFError, zipfile.BadZipFile):
        raise damaged from None


def _face(name: str, png: bytes, damaged: TokenError) -> TokenFace:
    """Return a face from its PNG file, whose size is read before it is unpacked."""
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
