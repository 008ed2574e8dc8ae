"""Requests about decks: make one from enrolled pictures, choose one, export and import them."""

from __future__ import annotations

import msgspec

from companion.devices.camera_requests.camera_request import (
    DECK_SECONDS,
    PICTURE_SECONDS,
    CameraAnswer,
    CameraRequest,
    Name,
)


class FinishAnswer(CameraAnswer, frozen=True):
    """The new deck, and its numbers of cards and backs."""

    deck: str = ""
    cards: int = 0


class FinishDeck(CameraRequest[FinishAnswer], frozen=True):
    """Make the deck from its pictures, keep it and use it."""

    what = "finish"
    answer = FinishAnswer
    timeout = DECK_SECONDS
    deck: Name


class StoredDeck(msgspec.Struct, frozen=True):
    """One deck of the data folder: its number of cards, and whether it is finished."""

    name: str
    cards: int = 0
    made: bool = False
    tokens: bool = False
    """Whether tokens are enrolled with it."""


class DecksAnswer(CameraAnswer, frozen=True):
    """Every deck, and the one in use."""

    decks: tuple[StoredDeck, ...] = ()
    used: str = ""


class ListDecks(CameraRequest[DecksAnswer], frozen=True):
    """List the decks, finished and unfinished."""

    what = "decks"
    answer = DecksAnswer


class DeckAnswer(CameraAnswer, frozen=True):
    """The deck in use or the imported deck."""

    deck: str = ""


class UseDeck(CameraRequest[DeckAnswer], frozen=True):
    """Read the table with another deck."""

    what = "use"
    answer = DeckAnswer
    timeout = PICTURE_SECONDS
    deck: Name


class ExportAnswer(CameraAnswer, frozen=True):
    """The file of the exported deck."""

    file: str = ""


class ExportDeck(CameraRequest[ExportAnswer], frozen=True):
    """Export a finished deck as one file into the frames folder."""

    what = "export"
    answer = ExportAnswer
    timeout = DECK_SECONDS
    deck: Name


class ImportDeck(CameraRequest[DeckAnswer], frozen=True, omit_defaults=True):
    """Import a deck from a file in the frames folder, perhaps under a new name; `taken` if that exists."""

    what = "import"
    answer = DeckAnswer
    timeout = DECK_SECONDS
    file: Name
    deck: str = ""
