"""A game's own deck for a rendered table: the drawn cards, and the deck file for reading them.

Drawing takes seconds, and enrolment some more, so both are stored in the user's cache. The key covers all sources that
draw and enrol, and the words on the cards. Results of other sources are deleted. A change elsewhere in a game, such as
in a page, a bot or a sample, does not change the key, so that demonstrations start at once.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.devices.child_processes import child_environment, end_with_parent
from companion.drawing import DrawError
from companion.games import GAMES, OURS, is_example, package_of
from companion.mechanics.game_files import words_of
from vision.deck.deck_file import load, save
from vision.deck.making import enrol
from vision.deck.stored_decks import DeckLibrary
from vision.enrolled_file import DeckError
from vision.image import Image
from vision.print.cards import design, faces, printable_games
from vision.simulate.picture_cache import cache_folder, digest_of_sources, write_cache

MODULE = "vision.simulate.drawn_deck"
"""The name of this module, even when it runs as `__main__`."""
SOURCES = ("companion.drawing", "vision.print", "vision.deck", "vision.features")
"""Packages that draw and enrol. Drawings in a game's own package count too."""
UNDRAWN = {"bot", "samples", "static", "templates", "token_art", "words"}
"""Folders of a game that draw no card. `words` counts by sentence."""
ON_CARDS = ("card.", "fact.figures.", "printed.", "text.")
"""The prefixes of keys of sentences on cards."""
BACKS = "backs.json"
SOON = 0.05
"""The interval in seconds for checking the files that another process makes."""


class DrawnCards(Mapping[str, Image]):
    """A game's drawn cards and backs by name, in CARD's size, BGR, stored as PNG files and decoded on demand.

    backs: the name of each card's back. Raise `zipfile.BadZipFile` for damaged bytes.
    """

    def __init__(self, packed: bytes) -> None:
        self._file = zipfile.ZipFile(io.BytesIO(packed))
        broken = self._file.testzip()
        if broken is not None or BACKS not in self._file.NameToInfo:
            raise zipfile.BadZipFile(broken or BACKS)
        self._names = tuple([name for name in self._file.namelist() if name != BACKS])
        self.backs = msgspec.json.decode(self._file.read(BACKS), type=dict[str, str])

    def __getitem__(self, name: str) -> Image:
        if name not in self._names:
            raise KeyError(name)
        picture = cv2.imdecode(np.frombuffer(self._file.read(name), np.uint8), cv2.IMREAD_COLOR)
        return np.asarray(picture, np.uint8)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def drawn_cards(game: str) -> DrawnCards:
    """Return a game's drawn cards. Raise `DrawError` if it has none."""
    path = _cache_path(game, "cards")
    try:
        return DrawnCards(path.read_bytes())
    except (OSError, zipfile.BadZipFile, msgspec.DecodeError):
        packed = _pack(faces(game), design(game).backs)
        write_cache(path, lambda half: half.write_bytes(packed))
        return DrawnCards(packed)


def deck_file(game: str) -> Path:
    """Return the file of a game's drawn deck, made if it is missing or damaged. Raise `DrawError` if there is none."""
    path = _cache_path(game, "deck")
    try:
        load(path)
    except DeckError:
        deck, _ = enrol(f"{OURS}{game}", {card: (picture,) for card, picture in drawn_cards(game).items()}, drawn=True)
        write_cache(path, partial(save, deck))
    return path


def provide_deck(data: Path, game: str, name: str = "") -> str:
    """Ensure that a data folder has a deck for a game's rendered table, and return its name.

    A named or selected deck is left alone, even if it is missing, which others report. Return "" if the game has no
    drawn deck.
    """
    decks = DeckLibrary(data)
    known = name or decks.last_used()
    if known or game not in printable_games():
        return known
    wanted = f"{OURS}{game}"
    made = deck_file(game)
    decks.folder.mkdir(parents=True, exist_ok=True)
    half = decks.path(wanted).with_suffix(f".{os.getpid()}")
    shutil.copyfile(made, half)
    half.replace(decks.path(wanted))
    decks.use(wanted)
    return wanted


class DeckDrawing:
    """A child process that draws and enrols everything missing from the cache.

    In this process that would delay the camera's pictures by seconds, and take a hundred megabytes permanently.
    Anything that the child fails to make is made here.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self._process: subprocess.Popen[bytes] | None = None
        if game in printable_games() and not all(_cache_path(game, kind).is_file() for kind in ("cards", "deck")):
            command = [sys.executable, "-m", MODULE, game]
            self._process = subprocess.Popen(command, env=child_environment(), stdin=subprocess.DEVNULL)

    def cards(self) -> DrawnCards:
        """Return the game's drawn cards when they are ready. Raise `DrawError` if it has none."""
        path = _cache_path(self.game, "cards")
        while self._process is not None and self._process.poll() is None and not path.is_file():
            time.sleep(SOON)
        return drawn_cards(self.game)

    def deck(self, data: Path, name: str = "") -> str:
        """Return the name of a folder's deck when it is ready. For the arguments see `provide_deck`."""
        self.wait()
        return provide_deck(data, self.game, name)

    def wait(self) -> None:
        """Wait until the child has finished."""
        if self._process is not None:
            self._process.wait()


# --- the cache ------------------------------------------------------------------------------------


def _cache_path(game: str, kind: str) -> Path:
    """Return the path of a game's file in the cache. Raise `DrawError` if the game has no drawn deck."""
    if game not in printable_games():
        raise DrawError(f"There is no deck of {game!r}. There are decks of: {', '.join(printable_games())}.")
    return cache_folder() / f"{game}-{_source_digest(game)}.{kind}"


@cache
def _source_digest(game: str) -> str:
    """Return a digest of all sources that draw and enrol a game's cards, and of the words on them."""
    own = package_of(GAMES[game])
    digest = digest_of_sources(SOURCES)
    digest.update(digest_of_sources((own,), UNDRAWN).digest())
    for key, sentence in sorted(words_of(own).sentences.items()):
        if key.startswith(ON_CARDS):
            digest.update(f"{key}={sentence}\n".encode())
    return digest.hexdigest()[:16]


def _pack(pictures: Mapping[str, Image], backs: Mapping[str, str]) -> bytes:
    """Return the file of drawn cards. The same cards always yield the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, picture in pictures.items():
            png = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
            file.writestr(zipfile.ZipInfo(name), png)
        file.writestr(zipfile.ZipInfo(BACKS), msgspec.json.encode(backs))
    return out.getvalue()


def main(games: Sequence[str]) -> None:
    """Draw and enrol everything missing from the cache, several games in parallel, and exit with the parent process.

    Without names: the decks of all games but the examples.
    """
    end_with_parent()
    if len(games) == 1:
        drawn_cards(games[0])
        deck_file(games[0])
        return
    usual = [name for name in printable_games() if not is_example(GAMES[name])]
    for drawing in [DeckDrawing(game) for game in games or usual]:
        drawing.wait()


if __name__ == "__main__":
    main(sys.argv[1:])
