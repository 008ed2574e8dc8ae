"""Folders of pictures named after their contents: list them, read them, and report problems in sentences."""

from __future__ import annotations

import stat
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

if TYPE_CHECKING:
    from vision.image import Image

T = TypeVar("T")
OTHERS = (".heic", ".heif", ".avif", ".dng", ".gif", ".jxl")
"""Picture formats that OpenCV may not read. They are reported, so that no card is missing silently."""
PICTURES = (".jpg", ".jpeg", ".jfif", ".png", ".webp", ".bmp", ".tif", ".tiff", *OTHERS)
"""The suffixes of picture files."""
MOST_BYTES = 512 << 20
"""The maximum size of a picture file in bytes."""
MOST_STRETCHED = 20
"""The maximum ratio of a picture's longer to its shorter side."""


def files_in(folder: Path) -> dict[str, list[Path]]:
    """Return the files of a folder's pictures by card. Raise `DeckError` with the problem."""
    from vision.enrolled_file import DeckError

    if not folder.is_dir():
        raise DeckError(f"There is no folder {folder}.")
    found: dict[str, list[Path]] = {}
    for path in list_folder(folder):
        if path.name.startswith("."):
            continue
        if path.is_dir():
            inside = [file for file in list_folder(path) if file.suffix.lower() in PICTURES]
            if inside:
                found.setdefault(card_of(path), []).extend(inside)
        elif path.suffix.lower() in PICTURES:
            found.setdefault(card_of(path), []).append(path)
    if not found:
        raise DeckError(f"There are no pictures in {folder}: add photographs named after their cards (jpg, png).")
    return found


def card_of(path: Path) -> str:
    """Return the card named by a file or a folder. Raise `DeckError` if that is no name of a card.

    Files may contain dots and commas in names, which the pages do not accept.
    """
    return check_card(path.name if path.is_dir() else path.stem, str(path))


def check_card(name: str, where: str) -> str:
    """Return a card's name as stored in decks. Raise `DeckError` with a sentence that begins with `where` for an
    invalid one."""
    from vision.deck.deck import BACK
    from vision.enrolled_file import DeckError, is_harmless_name

    # macOS decomposes accents.
    name = unicodedata.normalize("NFC", name)
    if not is_harmless_name(name):
        raise DeckError(f"{where} cannot be a card's name: it is too long or has characters that cannot be printed.")
    if name == BACK:
        raise DeckError(f"{where} needs a name after {BACK}, such as {BACK}wagon.")
    return name


def list_folder(folder: Path) -> list[Path]:
    """Return the sorted contents of a folder. Raise `DeckError` if it cannot be read."""
    from vision.enrolled_file import DeckError

    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise DeckError(f"{folder} cannot be read: {error.strerror}.") from None


def read_picture(path: Path) -> Image:
    """Return a picture from a file. Raise `DeckError` if it is no picture or too large."""
    import cv2
    import numpy as np

    from vision.enrolled_file import DeckError

    try:
        found = path.stat()
        if stat.S_ISDIR(found.st_mode):
            raise DeckError(f"{path} is a folder, not a picture.")
        if not stat.S_ISREG(found.st_mode):  # a pipe or a device may never end
            raise DeckError(f"{path} is not a file.")
        if found.st_size > MOST_BYTES:
            raise DeckError(f"{path} is too large for a picture: {found.st_size >> 20} MB.")
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as error:
        raise DeckError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except cv2.error:
        picture = None
    if picture is None and path.suffix.lower() in OTHERS:
        kind = path.suffix[1:].upper()
        raise DeckError(f"{path} is a {kind} picture, which cannot be read here. Save it as JPEG or PNG.")
    if picture is None:
        raise DeckError(f"{path} is not a readable picture.")
    if min(picture.shape[:2]) < 48:
        raise DeckError(f"{path} is too small to show a card: {picture.shape[1]} × {picture.shape[0]} pixels.")
    if max(picture.shape[:2]) > MOST_STRETCHED * min(picture.shape[:2]):
        raise DeckError(f"{path} is too narrow to show a card: {picture.shape[1]} × {picture.shape[0]} pixels.")
    return np.asarray(picture, np.uint8)


class EnrolledPictures(NamedTuple):
    """The result of enrolling a folder's pictures."""

    data: dict[str, object]
    """The report as JSON."""
    show: Callable[[], None]
    """Prints the report."""
    counted: str
    unread: list[str]
    """A sentence for each rejected picture."""
    files: int


def read_each(
    files: Mapping[str, Sequence[Path]], read: Callable[[Path, str], T]
) -> tuple[dict[str, list[T]], list[str]]:
    """Return the results of reading each name's files, and a sentence for each unreadable one.

    Raise `DeckError` if none is readable.
    """
    from vision.enrolled_file import DeckError

    found: dict[str, list[T]] = {}
    unread: list[str] = []
    for name, paths in files.items():
        for path in paths:
            try:
                found.setdefault(name, []).append(read(path, name))
            except DeckError as error:
                unread.append(str(error))
    if files and not any(found.values()):
        raise DeckError("\n".join(unread))
    return found, unread


def report_unread(unread: Sequence[str], of: int) -> None:
    """Print the rejected pictures and exit with code 1, or do nothing if there are none."""
    if not unread:
        return
    for said in unread:
        click.echo(said, err=True)
    raise click.ClickException(f"{len(unread)} of {of} pictures left out.")
