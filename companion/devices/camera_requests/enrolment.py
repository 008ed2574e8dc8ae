"""Requests about enrolling by photograph: what a picture shows is captured, named, kept under its name and compared.

Each request exists for both kinds: of cards, whose unfinished deck is made by `FinishDeck`; of tokens, whose set grows
with each name. Both are the same in Python; on the bus each kind has its own names.
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
    """A captured card: the file of its straight picture (empty: no card was found), its faults, the likeliest cards.

    Faults, the worst first: `none` (no card), `several`, `cut`, `small`, `blur`, `dark`, `glare`.
    """

    picture: str = ""
    faults: tuple[str, ...] = ()
    likeliest: tuple[str, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the files of what waits for its name."""
        return (self.picture,) if self.picture else ()

    def without(self, picture: str) -> Self | None:
        """Return what waits when a picture has its name; None: nothing."""
        return None


class CapturedToken(msgspec.Struct, frozen=True):
    """A token found in a picture that waits for its name."""

    picture: str
    """The file of its own picture."""
    outline: tuple[Point, ...]
    """Clockwise, as parts of the whole picture, from 0 to 1."""
    size: tuple[float, float]
    """Its width and height in millimetres, as it lies."""
    faults: tuple[str, ...] = ()
    """The worst first: `cut`, `small`, `blur`, `dark`, `glare`."""
    likeliest: tuple[str, ...] = ()
    """Enrolled faces that look like it, the most similar first."""


class TokenCaptureAnswer(CaptureAnswer, frozen=True):
    """The tokens that wait for their names, and the picture's file. Faults: `no_sheet`, or `none` (no token on it)."""

    tokens: tuple[CapturedToken, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Return the files of the tokens that wait for their names."""
        return tuple([each.picture for each in self.tokens])

    def without(self, picture: str) -> Self | None:
        """Return what waits when a token has its name; None: nothing."""
        left = tuple([each for each in self.tokens if each.picture != picture])
        return msgspec.structs.replace(self, tokens=left) if left else None


class Capture(EnrolmentRequest[CaptureAnswer], frozen=True):
    """Find the one card in the camera's picture, or in a photograph (`file`)."""

    what = "capture"
    answer = CaptureAnswer
    file: str = ""


class CaptureTokens(Capture, frozen=True):
    """Find all tokens on a sheet of paper in the camera's picture, or in a photograph (`file`).

    Above a mat the camera looks at a rectangle in the mat's middle instead.
    """

    what = "capture_tokens"
    answer = TokenCaptureAnswer
    kind = "token"


class EnrolAnswer(CameraAnswer, frozen=True):
    """What was enrolled, and how many pictures it has now."""

    name: str = msgspec.field(default="", name="card")
    pictures: int = 0


class EnrolPicture(EnrolmentRequest[EnrolAnswer], frozen=True):
    """Keep the captured picture under a card's name in the unfinished deck."""

    what = "enrol"
    answer = EnrolAnswer
    picture: Name
    name: Name = msgspec.field(name="card")


class EnrolToken(EnrolPicture, frozen=True):
    """Keep a captured token under a name; without a name leave it out."""

    what = "enrol_token"
    kind = "token"
    name: str = msgspec.field(default="", name="token")


class ForgetPicture(EnrolmentRequest[CameraAnswer], frozen=True):
    """Remove a picture of a card from the unfinished deck; all of them where no picture is named."""

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
    """A deck in the making: files of pictures by card, and the captured picture that still waits for its name."""

    pictures: dict[str, list[str]] = msgspec.field(default_factory=dict, name="cards")
    captured: CaptureAnswer | None = None


class TokensAnswer(EnrolledAnswer, frozen=True):
    """The enrolled tokens, each name with the files of its pictures, and those that wait for their names."""

    pictures: dict[str, list[str]] = msgspec.field(default_factory=dict, name="tokens")
    captured: TokenCaptureAnswer = TokenCaptureAnswer()


class ReadEnrolled(EnrolmentRequest[EnrolledAnswer], frozen=True):
    """Return what has been enrolled so far: nothing is lost when a page is reloaded."""

    what = "making"
    answer: ClassVar[type[CameraAnswer]] = EnrolledAnswer


class ReadTokens(ReadEnrolled, frozen=True):
    """Return which tokens of a deck are enrolled: nothing is lost when a page is reloaded."""

    what = "tokens"
    answer = TokensAnswer
    kind = "token"


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


class CompareEnrolled(EnrolmentRequest[ComparisonAnswer], frozen=True):
    """Say which cards of the unfinished deck look alike."""

    what = "report"
    answer = ComparisonAnswer
    timeout = DECK_SECONDS


class CompareTokens(CompareEnrolled, frozen=True):
    """Say which enrolled tokens look alike."""

    what = "compare_tokens"
    kind = "token"
