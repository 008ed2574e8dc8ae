"""Photographs of many cards: a text file beside each names its cards, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from vision.commands.picture_files import read_picture

if TYPE_CHECKING:
    from vision.image import Image

NAMES = ".txt"
"""The suffix of the file of names beside a photograph."""
NOBODY = "-"
"""A line that leaves a card out."""
MOST_BYTES = 64 << 10
"""The maximum size in bytes of a list of names."""


def split_groups(files: Mapping[str, Sequence[Path]]) -> tuple[dict[str, list[Path]], list[Path]]:
    """Return the pictures of single cards, by card, and the photographs with a file of names."""
    many = [path for paths in files.values() for path in paths if path.with_suffix(NAMES).is_file()]
    single = {card: [path for path in paths if path not in many] for card, paths in files.items()}
    return {card: paths for card, paths in single.items() if paths}, many


def read_groups(paths: Sequence[Path]) -> tuple[dict[str, list[Image]], list[str]]:
    """Return the straight pictures of all cards by name, and a sentence for each rejected photograph."""
    from vision.enrolled_file import DeckError

    found: dict[str, list[Image]] = {}
    unread = []
    for path in paths:
        try:
            for name, picture in _cards_of(path):
                found.setdefault(name, []).append(picture)
        except DeckError as error:
            unread.append(str(error))
    return found, unread


def _cards_of(path: Path) -> list[tuple[str, Image]]:
    """Return the named cards of one photograph. Raise `DeckError` if the numbers of names and cards differ."""
    from vision.deck.references import cut_all
    from vision.enrolled_file import DeckError

    names = _names_in(path.with_suffix(NAMES))
    cards = cut_all(read_picture(path))
    if len(cards) != len(names):
        raise DeckError(
            f"{path}: {len(cards)} cards were found, but {path.stem}{NAMES} has {len(names)} names. Lay the cards apart"
            f" on a plain cloth; name them row by row, one a line, with {NOBODY} for a card that is not wanted."
        )
    return [(name, card) for name, card in zip(names, cards, strict=True) if name != NOBODY]


def _names_in(path: Path) -> list[str]:
    """Return the names in a file, one per line. Raise `DeckError` for an invalid one."""
    from vision.commands.picture_files import check_card
    from vision.enrolled_file import DeckError

    try:
        if path.stat().st_size > MOST_BYTES:
            raise DeckError(f"{path} is too large for a list of names.")
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise DeckError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise DeckError(f"{path} cannot be read: save it as text in UTF-8.") from None
    return [check_card(line.strip(), f"{path}: {line.strip()}") for line in lines if line.strip()]
