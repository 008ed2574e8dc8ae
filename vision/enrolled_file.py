"""Zip archives of enrolled cards or tokens with an index in JSON. Sizes are checked first, and nothing is executed."""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from companion.files.untrusted import Unreadable, read_bytes

UNREADABLE = 0x1 | 0x20 | 0x40
"""The flags of encrypted or patched zip members."""
MOST_INDEX = 1 << 25
"""The maximum size in bytes of the decompressed index."""
LONGEST_NAME = 80
"""The maximum length of a name in a file."""
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file
T = TypeVar("T")


class DeckError(ValueError):
    """A deck or its tokens cannot be made, read or written. The message names the problem, the file and the remedy."""


class EnrolledFileKind(msgspec.Struct, frozen=True):
    """A kind of file: its names in sentences, and its requirements."""

    called: str
    things: str
    index: str
    """The member that lists the contents."""
    mark: str
    """A text in the index that distinguishes the file from other zip archives."""
    format: int
    """The version of its format. Others are refused with a sentence."""
    most: int
    """The maximum size in bytes, compressed and decompressed."""

    def save(self, path: Path, data: bytes) -> None:
        """Write a file atomically: readers see either the old file or the new one."""
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            half.write_bytes(data)
            half.replace(path)
        except OSError as error:
            half.unlink(missing_ok=True)
            raise DeckError(f"The {self.called} cannot be written to {path}: {error.strerror}.") from None

    def load(self, path: Path) -> bytes:
        """Return a file's bytes, or raise `DeckError` with a sentence."""
        try:
            return read_bytes(path, self.most)
        except Unreadable as error:
            raise DeckError(f"The {self.called} {path} cannot be read: {error}.") from None
        except OSError as error:
            raise DeckError(f"The {self.called} {path} cannot be read: {error.strerror}.") from None


class _Header(msgspec.Struct, frozen=True):
    mark: str = ""
    format: int = 0


class EnrolledFile:
    """A file being read. Its methods raise `DeckError` with a sentence."""

    def __init__(self, kind: EnrolledFileKind, data: bytes, where: str) -> None:
        self._kind, self._where = kind, where
        self.damaged = DeckError(
            f"{where} is damaged or is not a {kind.called}. Enrol the {kind.things} again,"
            " or take an earlier copy of the file."
        )
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        # not a zip archive, a newer one, or an undecodable name
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError):
            raise self.damaged from None
        members = self._zip.infolist()
        if sum(info.file_size for info in members) > kind.most or any(info.header_offset < 0 for info in members):
            raise self.damaged

    def index(self, kind: type[T]) -> T:
        """Return the index after checking its mark and format."""
        data = self.member(self._kind.index, MOST_INDEX)
        header = self._decode(data, _Header)
        if header.mark != self._kind.mark:
            raise DeckError(f"{self._where} is not a {self._kind.called}.")
        if header.format > self._kind.format:
            raise DeckError(
                f"{self._where} was made by a newer companion than this one. Update the companion, or enrol again."
            )
        if header.format < self._kind.format:
            raise DeckError(
                f"{self._where} was made by an older companion and can no longer be used."
                f" Enrol the {self._kind.things} again."
            )
        return self._decode(data, kind)

    def __contains__(self, name: str) -> bool:
        return name in self._zip.NameToInfo

    def member(self, name: str, most: int | None = None) -> bytes:
        """Return a member's content. The companion's files have no encrypted members, and use no compression but
        deflate."""
        if name not in self:
            raise self.damaged
        info = self._zip.getinfo(name)
        if info.flag_bits & UNREADABLE or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise self.damaged
        if most is not None and info.file_size > most:
            raise self.damaged
        try:
            return self._zip.read(info)
        # the compressed data is truncated or garbled
        except (zipfile.BadZipFile, zlib.error, EOFError, UnicodeDecodeError):
            raise self.damaged from None

    def _decode(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # no JSON, no text, or endless brackets
            raise self.damaged from None


def pack_members(members: Mapping[str, bytes], deflated: str = "", added_to: bytes = b"") -> bytes:
    """Return the members as a zip archive, or `added_to` with them. Only the member called `deflated` is compressed."""
    out = io.BytesIO(added_to)
    with zipfile.ZipFile(out, "a") as file:
        for name, content in members.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED if name == deflated else zipfile.ZIP_STORED
            file.writestr(info, content, compresslevel=1 if name == deflated else None)
    return out.getvalue()


def is_harmless_name(name: str) -> bool:
    """Whether a name from a file is safe as a folder's name: it leads nowhere else, and is printable."""
    return 0 < len(name) <= LONGEST_NAME and name.isprintable() and name[0] != "." and not set(name) & set("/\\")
