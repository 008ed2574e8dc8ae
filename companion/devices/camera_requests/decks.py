"""Requests about decks: making them of what was enrolled, choosing one, handing them out."""

from __future__ import annotations

import msgspec

from companion.devices.camera_requests import base


class FinishAnswer(base.CameraAnswer, frozen=True):
    """The deck that was made, and how many cards and backs it has."""

    deck: str = ""
    cards: int = 0


class FinishDeck(base.CameraRequest[FinishAnswer], frozen=True):
    """Make the deck of its pictures, keep it and use it."""

    what = "finish"
    answer = FinishAnswer
    timeout = base.DECK_SECONDS
    deck: base.Name


class StoredDeck(msgspec.Struct, frozen=True):
    """One deck of the data folder: how many cards it has, and whether it is finished."""

    name: str
    cards: int = 0
    made: bool = False
    tokens: bool = False
    """Whether tokens are enrolled with it."""


class DecksAnswer(base.CameraAnswer, frozen=True):
    """Every deck, and the one in use."""

    decks: tuple[StoredDeck, ...] = ()
    used: str = ""


class ListDecks(base.CameraRequest[DecksAnswer], frozen=True):
    """List the decks, finished and unfinished."""

    what = "decks"
    answer = DecksAnswer


class DeckAnswer(base.CameraAnswer, frozen=True):
    """The deck that is used now, or that was imported."""

    deck: str = ""


class UseDeck(base.CameraRequest[DeckAnswer], frozen=True):
    """Read the table with another deck."""

    what = "use"
    answer = DeckAnswer
    timeout = base.PICTURE_SECONDS
    deck: base.Name


class ExportAnswer(base.CameraAnswer, frozen=True):
    """The file in which a deck was put."""

    file: str = ""


class ExportDeck(base.CameraRequest[ExportAnswer], frozen=True):
    """Put a finished deck into the frames folder as one file."""

    what = "export"
    answer = ExportAnswer
    timeout = base.DECK_SECONDS
    deck: base.Name


class ImportDeck(base.CameraRequest[DeckAnswer], frozen=True, omit_defaults=True):
    """Keep a deck from a file in the frames folder, under its own name or another; refused as `taken` if it exists."""

    what = "import"
    answer = DeckAnswer
    timeout = base.DECK_SECONDS
    file: base.Name
    deck: str = ""
