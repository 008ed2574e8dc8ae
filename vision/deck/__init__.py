"""Enrolled decks: pictures of cards and what was computed from them, in one file; the decks of a data folder.

May import features. Enter at `enrol`, `load`, `library.DeckLibrary`.
"""

from vision.deck.deck import BACK, Card, Deck, DeckError, Shot
from vision.deck.enrolment import EnrolmentReport, LookalikePair, PictureFinding, enrol, lookalikes
from vision.deck.store import is_harmless_name, load, pack, save, unpack

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
    "is_harmless_name",
    "load",
    "lookalikes",
    "pack",
    "save",
    "unpack",
]  # fmt: skip
