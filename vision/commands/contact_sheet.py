"""A contact sheet: all pictures of a deck with their names, as a PNG file beside the deck's."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import cv2
import numpy as np

from vision.deck.deck import Deck
from vision.enrolled_file import DeckError
from vision.features.pixels import resize
from vision.image import Image

CELL = 200
"""The longer side of a picture in pixels."""
BELOW = 24
"""The height of the name in pixels."""
ACROSS = 8
"""The maximum number of pictures in a row."""
PAPER, INK = (245, 245, 245), (30, 30, 30)


def write_contact_sheet(deck: Deck, target: Path) -> Path:
    """Write the contact sheet of a deck in a file, and return its path. Raise `DeckError` if it cannot be written."""
    path = target.with_name(f"{target.name}.png")
    data = cv2.imencode(".png", contact_sheet(deck))[1].tobytes()
    try:
        path.write_bytes(data)
    except OSError as error:
        raise DeckError(f"{path} cannot be written: {error.strerror}.") from None
    return path


def contact_sheet(deck: Deck) -> Image:
    """Return all pictures of a deck in rows, in BGR, each with its card's name below it."""
    cells = [_cell(card.name, shot.picture()) for card in deck.entries for shot in card.shots]
    across = min(ACROSS, len(cells))
    empty = np.full_like(cells[0], PAPER)
    rows = [[*cells[at : at + across], *[empty] * across][:across] for at in range(0, len(cells), across)]
    return np.vstack([np.hstack(row) for row in rows])


def _cell(name: str, picture: Image) -> Image:
    cell: Image = np.full((CELL + BELOW, CELL + 8, 3), PAPER, np.uint8)
    scale = CELL / max(picture.shape[:2])
    small = resize(picture, round(picture.shape[1] * scale), round(picture.shape[0] * scale))
    left = (cell.shape[1] - small.shape[1]) // 2
    cell[: small.shape[0], left : left + small.shape[1]] = small
    # OpenCV's font has no accents.
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    cv2.putText(cell, plain[:22], (6, CELL + 17), cv2.FONT_HERSHEY_SIMPLEX, 0.45, INK, 1, cv2.LINE_AA)
    return cell
