"""Enrolled decks: pictures of cards and what was computed from them, in one file; the decks of a data folder.

May import features. Enter at `enrol`, `load`, `stored_decks.DeckLibrary`.
"""

from vision.deck.deck import BACK, Card, Deck, Shot
from vision.deck.making import EnrolmentReport, LookalikePair, PictureFinding, enrol, lookalikes
from vision.deck.store import load, pack, save, unpack
from vision.enrolled_file import DeckError

__all__ = [
    "BACK",
    "Card",
    "Deck",
    "DeckError",
    "EnrolmentReport",
    "LookalikePair",
    "PictureFinding",
    "Shot",
    "enrol",
    "load",
    "lookalikes",
    "pack",
    "save",
    "unpack",
]  # fmt: skip
