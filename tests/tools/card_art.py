"""Paints the pictures of a game's cards into one sheet, and one picture for its box: `make card-art`.

All players load the whole sheet, so that no request reveals a hand.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.drawing import Drawing
from companion.games import GAMES, definition_of, folder_of, load_part, package_of
from companion.mechanics.definition import DeckArt
from tests.support.paths import ROOT
from vision.print.drawing.raster import to_pixels

MOST = 300_000
"""The maximum size of a game's sheet in bytes."""
SIZES = tuple(
    [(width, 70) for width in (320, 304, 288, 272, 256, 240, 224, 208, 192)] + [(192, 60), (176, 60), (160, 60)]
)
"""The widths of a picture in pixels with the qualities; the first pair that makes the sheet small enough is used."""
PICTURE, STYLES, COVER = "art.webp", "art.css", "cover.webp"
COVER_WIDTH, COVER_QUALITY = 720, 78


class Sheet(NamedTuple):
    """The layout of a game's pictures on its sheet: row by row, in the order of their names."""

    names: tuple[str, ...]
    columns: int
    rows: int
    ratio: float
    """A picture's width relative to its height."""
    hash: str
    """A hash of the drawings."""


@cache
def scenes_of(game: str) -> Mapping[str, Drawing]:
    """Return the pictures of a game's cards, drawn once; empty if it draws none."""
    own = load_part(GAMES[game], definition_of(GAMES[game]).deck, DeckArt)
    return own.scenes() if own is not None and own.scenes is not None else {}


def cover_of(game: str) -> Drawing:
    """Return the picture on a game's box."""
    own = load_part(GAMES[game], definition_of(GAMES[game]).deck, DeckArt)
    assert own is not None
    return scenes_of(game)[own.cover]


def drawn_games() -> tuple[str, ...]:
    """Return the games whose cards have pictures."""
    return tuple([game for game in GAMES if scenes_of(game)])


def static(game: str) -> Path:
    """Return the folder of a game's pictures and styles."""
    return ROOT.joinpath(*package_of(GAMES[game]).split("."), "static")


def sheet_of(scenes: Mapping[str, Drawing]) -> Sheet:
    """Return the layout of pictures on a sheet."""
    first = next(iter(scenes.values()))
    columns = math.ceil(math.sqrt(len(scenes)))
    drawn = hashlib.sha256("\n".join([f"{name} {each}" for name, each in scenes.items()]).encode()).hexdigest()
    return Sheet(tuple(scenes), columns, math.ceil(len(scenes) / columns), first.width / first.height, drawn[:16])


def styles(game: str, sheet: Sheet) -> str:
    """Return the style sheet with each picture's position."""
    across, down = max(1, sheet.columns - 1), max(1, sheet.rows - 1)
    places = []
    for nth, name in enumerate(sheet.names):
        x, y = share(nth % sheet.columns / across), share(nth // sheet.columns / down)
        places.append(f"[data-card={name}] {{ --x: {x}; --y: {y}; }}\n")
    size = f"{100 * sheet.columns}% {100 * sheet.rows}%"
    return (
        f"/* Written by `make card-art`: the pictures on the cards of {folder_of(GAMES[game])}. {sheet.hash} */\n"
        f':root {{ --sheet: url("{PICTURE}"); --sheet-size: {size}; --sheet-ratio: {sheet.ratio:.4g}; }}\n'
        f"{''.join(places)}"
    )


def share(part: float) -> str:
    """Return a fraction as a percentage."""
    return f"{100 * part:.5g}%"


def encoded(scenes: Mapping[str, Drawing], sheet: Sheet, width: int, quality: int) -> bytes:
    """Return the sheet as WebP with pictures of this width in pixels."""
    height = round(width / sheet.ratio)
    canvas = np.full((height * sheet.rows, width * sheet.columns, 3), 255, np.uint8)
    for nth, scene in enumerate(scenes.values()):
        x, y = nth % sheet.columns * width, nth // sheet.columns * height
        canvas[y : y + height, x : x + width] = to_pixels(scene, width / scene.width, (width, height))
    return cv2.imencode(".webp", canvas, (cv2.IMWRITE_WEBP_QUALITY, quality))[1].tobytes()


def painted(scene: Drawing, width: int = COVER_WIDTH) -> bytes:
    """Return one picture as WebP."""
    size = (width, round(width * scene.height / scene.width))
    pixels = to_pixels(scene, width / scene.width, size)
    return cv2.imencode(".webp", pixels, (cv2.IMWRITE_WEBP_QUALITY, COVER_QUALITY))[1].tobytes()


def main() -> None:
    """Write each game's sheet with its styles, and its cover."""
    for game in drawn_games():
        scenes = scenes_of(game)
        sheet, folder = sheet_of(scenes), static(game)
        made = ((width, encoded(scenes, sheet, width, quality)) for width, quality in SIZES)
        width, picture = next((width, picture) for width, picture in made if len(picture) <= MOST)
        (folder / PICTURE).write_bytes(picture)
        (folder / COVER).write_bytes(painted(cover_of(game)))
        (folder / STYLES).write_text(styles(game, sheet), encoding="utf-8")
        print(f"{game}: {len(scenes)} pictures, {width} pixels wide, {len(picture)} bytes")


if __name__ == "__main__":
    main()
