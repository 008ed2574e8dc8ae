"""Our own deck of a game for a rendered table: the drawn cards, and the deck file with which they are read.

Drawing takes seconds, and enrolling some more, so both are kept in the user's cache, under a key made from all sources
that draw and enrol, and from the words on the cards; results of other sources are deleted. A demonstration that had to
draw first would begin seconds later, so nothing else of a game is in the key: no word of a page, no bot, no sample.
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
"""Packages that draw and enrol; what a game's own package draws with counts, too."""
UNDRAWN = {"bot", "samples", "static", "templates", "token_art", "words"}
"""Folders of a game that draw no card. `words` counts by sentence."""
ON_CARDS = ("card.", "fact.figures.", "printed.", "text.")
"""How the keys of sentences begin that stand on cards."""
BACKS = "backs.json"
SOON = 0.05
"""Seconds between two looks for the files that another process makes."""


class DrawnCards(Mapping[str, Image]):
    """A game's drawn cards and backs by name, CARD-size, BGR, kept as PNG files and unpacked on demand.

    `backs`: the name of each card's back. Raise `zipfile.BadZipFile` for bytes that are damaged.
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
    """Return a game's drawn cards; raise `DrawError` where none are drawn."""
    path = _cache_path(game, "cards")
    try:
        return DrawnCards(path.read_bytes())
    except (OSError, zipfile.BadZipFile, msgspec.DecodeError):
        packed = _pack(faces(game), design(game).backs)
        write_cache(path, lambda half: half.write_bytes(packed))
        return DrawnCards(packed)


def deck_file(game: str) -> Path:
    """Return the file of a game's drawn deck, made where it is missing or damaged; raise `DrawError` for none."""
    path = _cache_path(game, "deck")
    try:
        load(path)
    except DeckError:
        deck, _ = enrol(f"{OURS}{game}", {card: (picture,) for card, picture in drawn_cards(game).items()}, drawn=True)
        write_cache(path, partial(save, deck))
    return path


def provide_deck(data: Path, game: str, name: str = "") -> str:
    """Make sure that a data folder has a deck for a game's rendered table; return the deck's name.

    A deck that is named or in use is left alone, even where it is missing (others report that). Empty where no deck of
    the game is drawn.
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
    """A child process that draws and enrols what is missing from the cache.

    In this process that would delay the camera's pictures by seconds, and take a hundred megabytes for good. What the
    child could not make is made here.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        self._process: subprocess.Popen[bytes] | None = None
        if game in printable_games() and not all(_cache_path(game, kind).is_file() for kind in ("cards", "deck")):
            command = [sys.executable, "-m", MODULE, game]
            self._process = subprocess.Popen(command, env=child_environment(), stdin=subprocess.DEVNULL)

    def cards(self) -> DrawnCards:
        """Return the game's drawn cards as soon as they are there; raise `DrawError` where none are drawn."""
        path = _cache_path(self.game, "cards")
        while self._process is not None and self._process.poll() is None and not path.is_file():
            time.sleep(SOON)
        return drawn_cards(self.game)

    def deck(self, data: Path, name: str = "") -> str:
        """Return the name of a folder's deck, as `provide_deck`, as soon as it is there."""
        self.wait()
        return provide_deck(data, self.game, name)

    def wait(self) -> None:
        """Wait until the child has finished."""
        if self._process is not None:
            self._process.wait()


# --- the cache ------------------------------------------------------------------------------------


def _cache_path(game: str, kind: str) -> Path:
    """Return the path of a game's file in the cache; raise `DrawError` where no deck of the game is drawn."""
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
    """Return the file of drawn cards; the same cards always make the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, picture in pictures.items():
            png = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
            file.writestr(zipfile.ZipInfo(name), png)
        file.writestr(zipfile.ZipInfo(BACKS), msgspec.json.encode(backs))
    return out.getvalue()


def main(games: Sequence[str]) -> None:
    """Draw and enrol what is missing from the cache, several games side by side; end with the parent process.

    Without a name: the decks of all games but the examples.
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
