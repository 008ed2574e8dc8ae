"""The common part of all requests to the camera service and of all answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Generic, TypeVar

import msgspec

FEW_SECONDS, PICTURE_SECONDS, ADJUST_SECONDS, DECK_SECONDS = 5.0, 15.0, 30.0, 120.0
"""Seconds that the table waits for an answer: an immediate one; one that needs a look at a picture; one that sets
focus, exposure or places; one that computes a whole deck on a small machine."""

Name = Annotated[str, msgspec.Meta(min_length=1)]
"""A non-empty name of a deck, a card, a place or a file. The service decides whether it is allowed."""
Point = tuple[float, float]
"""x and y as fractions of the live picture, from 0 to 1."""


class CameraRefusal(Exception):
    """A request was not fulfilled. `key` names a sentence in the pages' words (`answer.<key>`), `fields` fill it in.

    The table's end adds three keys to those of the service: `absent` if there is no service, `late` if it takes too
    long, and `failed` if its answer lacks the promised shape.
    """

    def __init__(self, key: str, fields: Mapping[str, object] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.fields = {name: value for name, value in (fields or {}).items() if isinstance(value, str | int | float)}


class CameraAnswer(msgspec.Struct, frozen=True):
    """The answer to a fulfilled request. The table accepts an answer without fields that have a default."""

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> CameraAnswer:
        """Return the answer received from the bus; raise `msgspec.ValidationError` if it has another shape."""
        return msgspec.convert(fields, cls)


A = TypeVar("A", bound=CameraAnswer)


class CameraRequest(msgspec.Struct, Generic[A], frozen=True):
    """A request whose answer is an `A`. Its fields are the fields on the bus."""

    what: ClassVar[str]
    """Its name on the bus."""
    answer: ClassVar[type[CameraAnswer]] = CameraAnswer
    timeout: ClassVar[float] = FEW_SECONDS
    """Seconds that the table waits for the answer."""
