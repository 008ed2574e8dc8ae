"""Our own deck of a game, enrolled from its drawings: what a rendered table is read with. Knows no camera.

Enrolling takes some seconds, so the deck is kept in the user's cache, by what is drawn.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import msgspec

from vision.cards import DrawError, design, faces
from vision.deck import DeckError, enrol, load
from vision.decks import Decks

FORM = 1
"""Counts the ways in which a deck is made of drawings: a cache of an older one is not read."""


def provided(data: Path, game: str, name: str = "") -> str:
    """See to it that a data folder has a deck for a game's rendered table; return the deck's name.

    A deck that is named, or in use, stays what it is, even where it is missing: that is said elsewhere. Empty where no
    deck of the game is drawn.
    """
    decks = Decks(data)
    known = name or decks.used()
    if known:
        return known
    wanted = f"ours {game}"
    try:
        drawn = kept(game)
    except DrawError:
        return ""
    decks.folder.mkdir(parents=True, exist_ok=True)
    half = decks.path(wanted).with_suffix(f".{os.getpid()}")
    shutil.copyfile(drawn, half)
    half.replace(decks.path(wanted))
    decks.use(wanted)
    return wanted


def kept(game: str) -> Path:
    """Return the file of a game's drawn deck, made now where it is not there or cannot be read.

    Raise `DrawError` where no deck of the game is drawn.
    """
    drawn = design(game)
    mark = hashlib.sha256(b"%d " % FORM + msgspec.msgpack.encode(drawn)).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = cache / "table-companion" / "decks" / f"{game}-{mark}.deck"
    try:
        load(path)
        return path
    except DeckError:
        pass
    deck, _ = enrol(f"ours {game}", {card: (picture,) for card, picture in faces(game).items()})
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    deck.save(half)
    half.replace(path)
    return path
