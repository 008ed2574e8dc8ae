"""Enrolled decks: pictures of cards and what was computed from them, in one file."""

from vision.deck.deck import BACK, Card, Deck, DeckError, Shot
from vision.deck.enrolment import EnrolmentReport, LookalikePair, PictureFinding, enrol, lookalikes
from vision.deck.store import harmless, load, packed, save, unpacked

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
    "harmless",
    "load",
    "lookalikes",
    "packed",
    "save",
    "unpacked",
]  # fmt: skip
