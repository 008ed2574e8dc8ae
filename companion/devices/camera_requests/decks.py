"""Requests about decks: making them of what was enrolled, choosing one, handing them out."""

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
    """The deck that was made, and how many cards and backs it has."""

    deck: str = ""
    cards: int = 0


class FinishDeck(CameraRequest[FinishAnswer], frozen=True):
    """Make the deck of its pictures, keep it and use it."""

    what = "finish"
    answer = FinishAnswer
    timeout = DECK_SECONDS
    deck: Name


class StoredDeck(msgspec.Struct, frozen=True):
    """One deck of the data folder: how many cards it has, and whether it is finished."""

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
    """The deck that is used now, or that was imported."""

    deck: str = ""


class UseDeck(CameraRequest[DeckAnswer], frozen=True):
    """Read the table with another deck."""

    what = "use"
    answer = DeckAnswer
    timeout = PICTURE_SECONDS
    deck: Name


class ExportAnswer(CameraAnswer, frozen=True):
    """The file in which a deck was put."""

    file: str = ""


class ExportDeck(CameraRequest[ExportAnswer], frozen=True):
    """Put a finished deck into the frames folder as one file."""

    what = "export"
    answer = ExportAnswer
    timeout = DECK_SECONDS
    deck: Name


class ImportDeck(CameraRequest[DeckAnswer], frozen=True, omit_defaults=True):
    """Keep a deck from a file in the frames folder, under its own name or another; refused as `taken` if it exists."""

    what = "import"
    answer = DeckAnswer
    timeout = DECK_SECONDS
    file: Name
    deck: str = ""
