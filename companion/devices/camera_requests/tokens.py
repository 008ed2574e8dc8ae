"""Requests about the tokens of a deck: photographing them, naming them, and comparing them.

Each named token is kept in the deck's token set at once: there is no set in the making.
"""

from __future__ import annotations

import msgspec

from companion.devices.camera_requests.base import (
    DECK_SECONDS,
    PICTURE_SECONDS,
    CameraAnswer,
    CameraRequest,
    Name,
    Point,
)
from companion.devices.camera_requests.decks import ComparisonAnswer


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


class TokenCaptureAnswer(CameraAnswer, frozen=True):
    """The tokens that wait for their names, and the file of the straight picture in which they were found.

    Faults: `no_sheet` (no whole sheet of paper was found), `none` (no token was found on it).
    """

    picture: str = ""
    faults: tuple[str, ...] = ()
    tokens: tuple[CapturedToken, ...] = ()


class CaptureTokens(CameraRequest[TokenCaptureAnswer], frozen=True, omit_defaults=True):
    """Find all tokens on a sheet of paper in the camera's picture, or in a photograph (`file`).

    Above a mat the camera looks at a rectangle in the mat's middle instead.
    """

    what = "capture_tokens"
    answer = TokenCaptureAnswer
    timeout = PICTURE_SECONDS
    deck: Name
    file: str = ""


class TokensAnswer(CameraAnswer, frozen=True):
    """The enrolled tokens, each name with the files of its pictures, and those that wait for their names."""

    tokens: dict[str, list[str]] = msgspec.field(default_factory=dict)
    captured: TokenCaptureAnswer = TokenCaptureAnswer()


class ReadTokens(CameraRequest[TokensAnswer], frozen=True):
    """Return which tokens of a deck are enrolled: nothing is lost when a page is reloaded."""

    what = "tokens"
    answer = TokensAnswer
    timeout = PICTURE_SECONDS
    deck: Name


class EnrolToken(CameraRequest[CameraAnswer], frozen=True, omit_defaults=True):
    """Keep a captured token under a name; without a name leave it out."""

    what = "enrol_token"
    timeout = PICTURE_SECONDS
    deck: Name
    picture: Name
    token: str = ""


class ForgetToken(CameraRequest[CameraAnswer], frozen=True):
    """Remove a picture of an enrolled token."""

    what = "forget_token"
    timeout = PICTURE_SECONDS
    deck: Name
    token: Name
    picture: Name


class CompareTokens(CameraRequest[ComparisonAnswer], frozen=True):
    """Say which enrolled tokens look alike."""

    what = "compare_tokens"
    answer = ComparisonAnswer
    timeout = DECK_SECONDS
    deck: Name
