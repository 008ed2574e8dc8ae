"""Pictures in the user's cache that take seconds to draw: decks and empty tables.

A file's name contains a digest of everything that made it, so that a change of the sources makes it again. Files of
older sources are deleted. A power failure may leave files with any content, so they are checked when read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from importlib import resources
from pathlib import Path

import cv2
import msgspec
import numpy as np

from vision.image import Image
from vision.mat import Mat
from vision.simulate.camera_geometry import CameraGeometry
from vision.simulate.laid_board import LaidBoard
from vision.simulate.rendered_scene import empty_table

KINDS = {".py", ".toml", ".woff"}
TABLE_SOURCES = ("companion.drawing", "vision.mat", "vision.print.drawing", "vision.simulate")
"""Packages that draw an empty table with its mat and board."""


def cache_folder() -> Path:
    """Return the folder of the cache, which may not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "table-companion" / "decks"


def write_cache(path: Path, write: Callable[[Path], object]) -> None:
    """Write a file of the cache atomically, and delete the files of older sources. Raise `OSError` on failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    write(half)
    half.replace(path)
    kept = path.name.rpartition("-")[0]
    for older in path.parent.glob(f"{kept}-*{path.suffix}"):
        if older != path:
            older.unlink(missing_ok=True)


def digest_of_sources(packages: Iterable[str], undrawn: Container[str] = ()) -> hashlib._Hash:
    """Return a digest of packages' sources, without folders that draw nothing, and of the versions of OpenCV and
    NumPy."""
    digest = hashlib.sha256(f"{cv2.__version__} {np.__version__}".encode())
    for package in packages:
        folder = Path(str(resources.files(package)))
        for source in sorted(folder.rglob("*")):
            if source.suffix in KINDS and source.relative_to(folder).parts[0] not in undrawn:
                digest.update(source.name.encode() + source.read_bytes())
    return digest


class KeptTables:
    """Draws empty tables and caches them, because painting wood and paper takes a Raspberry Pi four seconds."""

    def __init__(self, name: str) -> None:
        """Create a cache.

        name: the contents of the tables, such as `trains-4`. There is one file per size.
        """
        self._name = name

    def __call__(
        self,
        mat: Mat,
        board: LaidBoard | None,
        view: CameraGeometry,
        kind: str,
        beside: tuple[float, float],
        seed: int,
    ) -> Image:
        """Return the empty table, as `empty_table` does."""
        digest = digest_of_sources(TABLE_SOURCES)
        laid = None if board is None else (board.mat, board.middle, board.turn)
        asked = (mat, laid, view.size, view.matrix.tolist(), kind, beside, seed)
        digest.update(msgspec.json.encode(asked, enc_hook=_plain, order="deterministic"))
        path = cache_folder() / f"{self._name}-{view.size[0]}-{digest.hexdigest()[:16]}.table"
        found = _read(path)
        if found is None:
            found = empty_table(mat, board, view, kind, beside, seed)
            png = cv2.imencode(".png", found, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
            with suppress(OSError):  # it is drawn again at the next start
                write_cache(path, lambda half: half.write_bytes(hashlib.sha256(png).digest() + png))
        return found


def _plain(number: np.generic) -> object:
    """Return one of NumPy's numbers as Python's."""
    return number.item()


def _read(path: Path) -> Image | None:
    """Return a cached picture, or None if it is missing or damaged."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if hashlib.sha256(data[32:]).digest() != data[:32]:
        return None
    return np.asarray(cv2.imdecode(np.frombuffer(data[32:], np.uint8), cv2.IMREAD_COLOR), np.uint8)
