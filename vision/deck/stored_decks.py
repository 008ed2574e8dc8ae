"""The decks of a data folder: listing, selecting, importing and exporting.

A finished deck is the file `decks/NAME.deck`. An unfinished one is the folder `decks/NAME/` with its pictures. The
tokens of either are the file `decks/NAME.tokens`. An exported deck contains its tokens' file.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from companion.devices.camera_requests.decks import StoredDeck
from companion.devices.frames import replace_file
from vision.deck.deck import Deck
from vision.deck.deck_file import load, member_of, pack, save, unpack
from vision.enrolled_file import DeckError, pack_members

FOLDER, USED, ENDING, TOKENS = "decks", "used", ".deck", ".tokens"
MEMBER = "tokens.zip"
"""The member of an exported deck with its tokens."""
MOST_TOKENS = 64 << 20
"""The maximum size in bytes of the tokens in a deck's file, fifty times that of a usual box."""
LONGEST = 40
"""The maximum length of a name, which must fit on a button and in a file's name."""
NAME = re.compile(rf"[\w][\w +&'()-]{{0,{LONGEST - 1}}}")
"""The pattern for names of decks. They are also file names, so they must not lead to other folders."""
ALLOWED = (
    "A name begins with a letter or a digit, has at most 40 characters, namely letters, digits, spaces and"
    f" + & ' ( ) - _, does not end in a space, and is not {USED!r}."
)
"""The rules of `check_name`, as a sentence."""


class RequestRefused(ValueError):
    """A request that cannot be fulfilled. `key` is the answer's key, and the message is for the log."""

    def __init__(self, key: str, message: str = "", **fields: str | int | float) -> None:
        super().__init__(message or key)
        self.key = key
        self.fields = fields


class DeckLibrary:
    """The decks of one data folder. Files are always replaced atomically."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self._counts: dict[tuple[str, int], int] = {}

    def path(self, name: str) -> Path:
        """Return the path of a finished deck. Raise `RequestRefused` for an invalid name."""
        return self.folder / f"{check_name(name)}{ENDING}"

    def unfinished_folder(self, name: str) -> Path:
        """Return the folder of an unfinished deck. Raise `RequestRefused` for an invalid name."""
        return self.folder / check_name(name)

    def tokens_path(self, name: str) -> Path:
        """Return the path of the tokens enrolled with a deck. Raise `RequestRefused` for an invalid name."""
        return self.folder / f"{check_name(name)}{TOKENS}"

    def list_decks(self) -> tuple[StoredDeck, ...]:
        """Return all decks, finished and unfinished, sorted by name."""
        if not self.folder.is_dir():
            return ()
        found = {}
        for path in sorted(self.folder.iterdir()):
            if path.name.startswith("."):
                continue
            if path.is_dir():
                found[path.name] = StoredDeck(path.name, sum(1 for each in path.iterdir() if each.is_dir()), False)
        for path in sorted(self.folder.glob(f"*{ENDING}")):
            if path.is_file() and not path.name.startswith("."):
                found[path.stem] = StoredDeck(path.stem, self._count(path), True)
        for path in self.folder.glob(f"*{TOKENS}"):
            if path.is_file() and not path.name.startswith("."):
                found[path.stem] = replace(found.get(path.stem, StoredDeck(path.stem)), tokens=True)
        return tuple(found[name] for name in sorted(found))

    def _count(self, path: Path) -> int:
        """Return the number of cards in a finished deck, or 0 if it is unreadable. Each version of a file is read
        once."""
        mark = (str(path), path.stat().st_mtime_ns)
        if mark not in self._counts:
            try:
                deck = load(path)
                self._counts[mark] = len(deck.cards) + len(deck.backs)
            except DeckError:
                self._counts[mark] = 0
        return self._counts[mark]

    def last_used(self) -> str:
        """Return the name of the last deck in use, or of the only deck, or ""."""
        try:
            name = (self.folder / USED).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            name = ""
        if name:
            return name
        made = [path.stem for path in self.folder.glob(f"*{ENDING}")] if self.folder.is_dir() else []
        return made[0] if len(made) == 1 else ""

    def use(self, name: str) -> None:
        """Select a deck. Raise `RequestRefused` if there is none of that name."""
        if not self.path(name).is_file():
            raise RequestRefused("no_deck", f"There is no deck {name!r}.", deck=name)
        replace_file(self.folder / USED, name.encode())

    def open(self, name: str) -> Deck:
        """Load a finished deck. Raise `DeckError` with a sentence."""
        return load(self.path(name))

    def hand_out(self, name: str) -> bytes:
        """Return a finished deck with its tokens as one file. Raise `RequestRefused` if there is none."""
        path, tokens = self.path(name), self.tokens_path(name)
        if not path.is_file():
            raise RequestRefused("no_deck", deck=name)
        return put_inside(path.read_bytes(), tokens.read_bytes()) if tokens.is_file() else path.read_bytes()

    def take_in(self, path: Path, name: str = "", tokens_are_good: Callable[[bytes], object] = bytes) -> str:
        """Import a deck's file with its tokens, under its own name or another, and return the name.

        tokens_are_good: raises `ValueError` for invalid tokens. Raise `RequestRefused` for a file that is no deck, an
        invalid name, or a name in use.
        """
        try:
            deck = load(path)
            data = path.read_bytes()
            tokens = member_of(data, MEMBER, MOST_TOKENS)
            if tokens is not None:
                tokens_are_good(tokens)
        except ValueError as error:
            raise RequestRefused("bad_file", str(error), said=str(error)) from None
        called = name or deck.name
        target = self.path(called)
        if any(each.exists() for each in (target, self.unfinished_folder(called), self.tokens_path(called))):
            raise RequestRefused("taken", f"There is already a deck {called!r}.", deck=called)
        self.folder.mkdir(parents=True, exist_ok=True)
        if tokens is not None:
            replace_file(self.tokens_path(called), tokens)
        whole = tokens is None and called == deck.name
        replace_file(target, data if whole else pack(Deck(called, deck.entries)))
        return called

    def finish(self, deck: Deck) -> None:
        """Store and select a deck, and delete its folder of unfinished pictures, which the deck now contains."""
        self.folder.mkdir(parents=True, exist_ok=True)
        save(deck, self.path(deck.name))
        self.use(deck.name)
        shutil.rmtree(self.unfinished_folder(deck.name), ignore_errors=True)


def put_inside(deck: bytes, tokens: bytes) -> bytes:
    """Return a deck's file with these tokens in place of any others. Raise `DeckError` if it is no deck."""
    if member_of(deck, MEMBER, MOST_TOKENS) is not None:
        deck = pack(unpack(deck))
    return pack_members({MEMBER: tokens}, added_to=deck)


def check_name(name: str) -> str:
    """Return a deck's or card's name. Raise `RequestRefused` for an invalid one."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name.strip() != name or name == USED:
        raise RequestRefused("bad_name", f"{name!r} is not a name.")
    return name
