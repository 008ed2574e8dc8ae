"""Requests about decks: photographing their cards, making them, and choosing one."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.devices.camera_requests.base import (
    DECK_SECONDS,
    PICTURE_SECONDS,
    CameraAnswer,
    CameraRequest,
    Name,
)


class CaptureAnswer(CameraAnswer, frozen=True):
    """A captured card: the file of its straight picture (empty: no card was found), its faults, the likeliest cards.

    Faults, the worst first: `none` (no card), `several`, `cut`, `small`, `blur`, `dark`, `glare`.
    """

    picture: str = ""
    faults: tuple[str, ...] = ()
    likeliest: tuple[str, ...] = ()


class Capture(CameraRequest[CaptureAnswer], frozen=True, omit_defaults=True):
    """Find the one card in the camera's picture, or in a photograph (`file`)."""

    what = "capture"
    answer = CaptureAnswer
    timeout = PICTURE_SECONDS
    deck: Name
    file: str = ""


class EnrolAnswer(CameraAnswer, frozen=True):
    """The card that was enrolled, and how many pictures it has now."""

    card: str = ""
    pictures: int = 0


class EnrolPicture(CameraRequest[EnrolAnswer], frozen=True):
    """Keep the captured picture under a card's name in the unfinished deck."""

    what = "enrol"
    answer = EnrolAnswer
    timeout = PICTURE_SECONDS
    deck: Name
    card: Name
    picture: Name


class ForgetPicture(CameraRequest[CameraAnswer], frozen=True, omit_defaults=True):
    """Remove a picture of a card from the unfinished deck; all of them where no picture is named."""

    what = "forget"
    deck: Name
    card: Name
    picture: str = ""


class UnfinishedDeckAnswer(CameraAnswer, frozen=True):
    """A deck in the making: files of pictures by card, and the captured picture that still waits for its name."""

    cards: dict[str, list[str]] = msgspec.field(default_factory=dict)
    captured: CaptureAnswer | None = None


class ReadUnfinishedDeck(CameraRequest[UnfinishedDeckAnswer], frozen=True):
    """Return what has been enrolled so far: nothing is lost when a page is reloaded."""

    what = "making"
    answer = UnfinishedDeckAnswer
    timeout = PICTURE_SECONDS
    deck: Name


class AlikePair(msgspec.Struct, frozen=True):
    """Two cards that look alike, a file for each, and how far they differ; at 0 or less nothing tells them apart."""

    cards: tuple[str, str]
    pictures: tuple[str, str]
    margin: float


class ComparisonAnswer(CameraAnswer, frozen=True):
    """Pairs of cards, the most alike first, 24 at most."""

    pairs: tuple[AlikePair, ...] = ()

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> ComparisonAnswer:
        """Return the pairs that can be read: an odd one is left out alone."""
        pairs: list[AlikePair] = []
        for each in msgspec.convert(fields.get("pairs", ()), tuple[object, ...]):
            try:
                pairs.append(msgspec.convert(each, AlikePair))
            except msgspec.ValidationError:
                continue
        return cls(tuple(pairs))


class CompareCards(CameraRequest[ComparisonAnswer], frozen=True):
    """Say which cards of the unfinished deck look alike."""

    what = "report"
    answer = ComparisonAnswer
    timeout = DECK_SECONDS
    deck: Name


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
