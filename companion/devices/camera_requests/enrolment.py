"""Requests about enrolling by photograph: capture a card or token, name it, keep it and compare it.

Each request exists for cards, whose unfinished deck `FinishDeck` completes, and for tokens, whose set grows with each
name. Python code treats both alike; on the bus each kind has its own names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Generic, Literal, Self

import msgspec

from companion.devices.camera_requests.camera_request import (
    DECK_SECONDS,
    PICTURE_SECONDS,
    A,
    CameraAnswer,
    CameraRequest,
    Name,
    Point,
)

EnrolledKind = Literal["card", "token"]


class EnrolmentRequest(CameraRequest[A], Generic[A], frozen=True, omit_defaults=True):
    """A request about a deck's cards or, in a subclass, its tokens."""

    kind: ClassVar[EnrolledKind] = "card"
    timeout = PICTURE_SECONDS
    deck: Name


class CaptureAnswer(CameraAnswer, frozen=True):
    """The result of a captured picture: the file that waits for a name (empty: nothing was found), its faults, the
    likeliest names.

    Faults, the worst first: `none` (nothing found), `several`, `cut`, `small`, `blur`, `dark`, `glare`.
    """

    picture: str = ""
    faults: tuple[str, ...] = ()
    likeliest: tuple[str, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the files of pictures that wait for a name."""
        return (self.picture,) if self.picture else ()

    def without(self, picture: str) -> Self | None:
        """Return the rest that waits after a picture gets its name; None if nothing does."""
        return None


class CapturedCard(msgspec.Struct, frozen=True):
    """One of the cards found in a picture, not named yet."""

    picture: str
    """The file of its straight picture."""
    outline: tuple[Point, ...]
    """The card's corners, clockwise, as fractions of the whole picture from 0 to 1."""
    faults: tuple[str, ...] = ()
    """The worst first: `several` (they overlap), `cut`, `small`, `blur`, `dark`, `glare`."""
    likeliest: tuple[str, ...] = ()
    """Similar enrolled cards, the most similar first."""


class CardCaptureAnswer(CaptureAnswer, frozen=True):
    """The first card that waits for its name; if several were found, the file of the whole picture, and all cards.

    `faults` of a picture without a card: `none`, or `several` if cards overlap.
    """

    sheet: str = ""
    cards: tuple[CapturedCard, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the files of the cards that wait for their names."""
        return tuple([each.picture for each in self.cards]) or super().waiting

    def without(self, picture: str) -> Self | None:
        """Return the rest that waits after a card gets its name; None if nothing does."""
        left = tuple([each for each in self.cards if each.picture != picture])
        if not left:
            return None
        first = left[0]
        return msgspec.structs.replace(
            self, picture=first.picture, faults=first.faults, likeliest=first.likeliest, cards=left
        )


class CapturedToken(msgspec.Struct, frozen=True):
    """A token found in a picture, not named yet."""

    picture: str
    """The file of its own picture."""
    outline: tuple[Point, ...]
    """The token's corners, clockwise, as fractions of the whole picture from 0 to 1."""
    size: tuple[float, float]
    """The width and height of the token as it lies, in millimetres."""
    faults: tuple[str, ...] = ()
    """The worst first: `cut`, `small`, `blur`, `dark`, `glare`."""
    likeliest: tuple[str, ...] = ()
    """Similar enrolled faces, the most similar first."""


class TokenCaptureAnswer(CaptureAnswer, frozen=True):
    """The tokens that wait for their names, and the picture's file. Faults: `no_sheet`, or `none` (no token on it)."""

    tokens: tuple[CapturedToken, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the files of the tokens that wait for their names."""
        return tuple([each.picture for each in self.tokens])

    def without(self, picture: str) -> Self | None:
        """Return the rest that waits after a token gets its name; None if nothing does."""
        left = tuple([each for each in self.tokens if each.picture != picture])
        return msgspec.structs.replace(self, tokens=left) if left else None


class Capture(EnrolmentRequest[CaptureAnswer], frozen=True):
    """Find all cards in the camera's picture, or in a photograph (`file`)."""

    what = "capture"
    answer: ClassVar[type[CaptureAnswer]] = CardCaptureAnswer
    file: str = ""


class CaptureTokens(Capture, frozen=True):
    """Find all tokens on a sheet of paper in the camera's picture, or in a photograph (`file`).

    If there is a mat, the camera looks at a rectangle in its middle instead.
    """

    what = "capture_tokens"
    answer = TokenCaptureAnswer
    kind = "token"


class EnrolAnswer(CameraAnswer, frozen=True):
    """The enrolled name, and its number of pictures."""

    name: str = msgspec.field(default="", name="card")
    pictures: int = 0


class EnrolPicture(EnrolmentRequest[EnrolAnswer], frozen=True):
    """Keep a captured picture under a card's name in the unfinished deck, or drop it if there is none."""

    what = "enrol"
    answer = EnrolAnswer
    picture: Name
    name: str = msgspec.field(default="", name="card")


class EnrolToken(EnrolPicture, frozen=True):
    """Keep a captured token under a name, or drop it if there is none."""

    what = "enrol_token"
    kind = "token"
    name: str = msgspec.field(default="", name="token")


class ForgetPicture(EnrolmentRequest[CameraAnswer], frozen=True):
    """Remove a picture of a card from the unfinished deck, or all of them if no picture is named."""

    what = "forget"
    name: Name = msgspec.field(name="card")
    picture: str = ""


class ForgetToken(ForgetPicture, frozen=True):
    """Remove a picture of an enrolled token."""

    what = "forget_token"
    kind = "token"
    name: Name = msgspec.field(name="token")
    picture: Name


class EnrolledAnswer(CameraAnswer, frozen=True):
    """An unfinished deck: files of pictures by card, and captured cards that still wait for their names."""

    pictures: dict[str, list[str]] = msgspec.field(default_factory=dict, name="cards")
    captured: CardCaptureAnswer | None = None


class TokensAnswer(EnrolledAnswer, frozen=True):
    """The enrolled tokens: picture files by name, and those that wait for their names."""

    pictures: dict[str, list[str]] = msgspec.field(default_factory=dict, name="tokens")
    captured: TokenCaptureAnswer = TokenCaptureAnswer()  # type: ignore[assignment]


class ReadEnrolled(EnrolmentRequest[EnrolledAnswer], frozen=True):
    """Return the pictures enrolled so far, so that reloading a page loses nothing."""

    what = "making"
    answer: ClassVar[type[CameraAnswer]] = EnrolledAnswer


class ReadTokens(ReadEnrolled, frozen=True):
    """Return the enrolled tokens of a deck, so that reloading a page loses nothing."""

    what = "tokens"
    answer = TokensAnswer
    kind = "token"


class AlikePair(msgspec.Struct, frozen=True):
    """Two similar cards, a file for each, and the difference between them; at 0 or less they cannot be told apart."""

    cards: tuple[str, str]
    pictures: tuple[str, str]
    margin: float


class ComparisonAnswer(CameraAnswer, frozen=True):
    """At most 24 pairs of cards, the most similar first."""

    pairs: tuple[AlikePair, ...] = ()

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> ComparisonAnswer:
        """Return the readable pairs: an unreadable one does not affect the others."""
        pairs: list[AlikePair] = []
        for each in msgspec.convert(fields.get("pairs", ()), tuple[object, ...]):
            try:
                pairs.append(msgspec.convert(each, AlikePair))
            except msgspec.ValidationError:
                continue
        return cls(tuple(pairs))


class CompareEnrolled(EnrolmentRequest[ComparisonAnswer], frozen=True):
    """Return the similar cards of the unfinished deck."""

    what = "report"
    answer = ComparisonAnswer
    timeout = DECK_SECONDS


class CompareTokens(CompareEnrolled, frozen=True):
    """Return the similar enrolled tokens."""

    what = "compare_tokens"
    kind = "token"
