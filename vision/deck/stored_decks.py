"""The decks of a data folder: which there are, which is in use, import and export.

A finished deck is the file `decks/NAME.deck`; an unfinished one is the folder `decks/NAME/` with its pictures. The
tokens of either are the file `decks/NAME.tokens`. A deck that is handed out has its tokens' file inside.
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
"""Where a deck that is handed out has its tokens."""
MOST_TOKENS = 64 << 20
"""Bytes of tokens in a deck's file, at most: a box's take two hundredths of it."""
LONGEST = 40
"""Characters of a name: it must fit on a button, and in a file's name."""
NAME = re.compile(rf"[\w][\w +&'()-]{{0,{LONGEST - 1}}}")
"""Names of decks. They are also names of files, so they must not lead to other folders."""
ALLOWED = (
    "A name begins with a letter or a digit, has at most 40 characters, namely letters, digits, spaces and"
    f" + & ' ( ) - _, does not end in a space, and is not {USED!r}."
)
"""What `check_name` asks of a name, for people."""


class RequestRefused(ValueError):
    """A request cannot be fulfilled; `key` is the answer's key, the message is for the log."""

    def __init__(self, key: str, message: str = "", **fields: str | int | float) -> None:
        super().__init__(message or key)
        self.key = key
        self.fields = fields


class DeckLibrary:
    """The decks of one data folder. Files are always replaced whole."""

    def __init__(self, data: Path) -> None:
        self.folder = data / FOLDER
        self._counts: dict[tuple[str, int], int] = {}

    def path(self, name: str) -> Path:
        """Return the path of a finished deck; raise `RequestRefused` for an invalid name."""
        return self.folder / f"{check_name(name)}{ENDING}"

    def unfinished_folder(self, name: str) -> Path:
        """Return the folder of an unfinished deck; raise `RequestRefused` for an invalid name."""
        return self.folder / check_name(name)

    def tokens_path(self, name: str) -> Path:
        """Return the path of the tokens enrolled with a deck; raise `RequestRefused` for an invalid name."""
        return self.folder / f"{check_name(name)}{TOKENS}"

    def list_decks(self) -> tuple[StoredDeck, ...]:
        """Return all decks by their names, finished and unfinished."""
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
        """Count the cards of a finished deck, 0 where it cannot be read; each file is read only once."""
        mark = (str(path), path.stat().st_mtime_ns)
        if mark not in self._counts:
            try:
                deck = load(path)
                self._counts[mark] = len(deck.cards) + len(deck.backs)
            except DeckError:
                self._counts[mark] = 0
        return self._counts[mark]

    def last_used(self) -> str:
        """Return the name of the deck used last, else of the only deck, else nothing."""
        try:
            name = (self.folder / USED).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            name = ""
        if name:
            return name
        made = [path.stem for path in self.folder.glob(f"*{ENDING}")] if self.folder.is_dir() else []
        return made[0] if len(made) == 1 else ""

    def use(self, name: str) -> None:
        """Use a deck; raise `RequestRefused` where there is none of that name."""
        if not self.path(name).is_file():
            raise RequestRefused("no_deck", f"There is no deck {name!r}.", deck=name)
        replace_file(self.folder / USED, name.encode())

    def open(self, name: str) -> Deck:
        """Load a finished deck; raise `DeckError` with a sentence."""
        return load(self.path(name))

    def hand_out(self, name: str) -> bytes:
        """Return a finished deck as one file, its tokens inside; raise `RequestRefused` where there is none."""
        path, tokens = self.path(name), self.tokens_path(name)
        if not path.is_file():
            raise RequestRefused("no_deck", deck=name)
        return put_inside(path.read_bytes(), tokens.read_bytes()) if tokens.is_file() else path.read_bytes()

    def take_in(self, path: Path, name: str = "", tokens_are_good: Callable[[bytes], object] = bytes) -> str:
        """Import a deck's file, under its own name or another, with the tokens inside; return the name.

        `tokens_are_good` raises ValueError for tokens that are not. Raise `RequestRefused` for a file that is no deck,
        for an invalid name, and for a name that is taken.
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
        """Store and use a deck, and delete its unfinished pictures: they are in the deck."""
        self.folder.mkdir(parents=True, exist_ok=True)
        save(deck, self.path(deck.name))
        self.use(deck.name)
        shutil.rmtree(self.unfinished_folder(deck.name), ignore_errors=True)


def put_inside(deck: bytes, tokens: bytes) -> bytes:
    """Return a deck's file with tokens inside, in place of any other; raise `DeckError` where it is no deck."""
    if member_of(deck, MEMBER, MOST_TOKENS) is not None:
        deck = pack(unpack(deck))
    return pack_members({MEMBER: tokens}, added_to=deck)


def check_name(name: str) -> str:
    """Return a deck's or card's name; raise `RequestRefused` for an invalid one."""
    if not isinstance(name, str) or not NAME.fullmatch(name) or name.strip() != name or name == USED:
        raise RequestRefused("bad_name", f"{name!r} is not a name.")
    return name
