"""What every request to the camera's service and every answer has in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Generic, TypeVar

import msgspec

FEW_SECONDS, PICTURE_SECONDS, ADJUST_SECONDS, DECK_SECONDS = 5.0, 15.0, 30.0, 120.0
"""How long the table waits for an answer: at once; a look at one picture; setting focus, exposure or places; computing
a whole deck on a small machine."""

Name = Annotated[str, msgspec.Meta(min_length=1)]
"""A name that must be given: of a deck, a card, a place or a file. Whether it is allowed, the service judges."""
Point = tuple[float, float]
"""x and y as parts of the live picture, from 0 to 1."""


class CameraRefusal(Exception):
    """A request was not fulfilled. `key` names a sentence of the pages' words (`answer.<key>`), `fields` fill it in.

    The table's end adds three keys to those of the service: `absent` where there is no service, `late` where it takes
    too long, and `failed` where its answer has not the promised shape.
    """

    def __init__(self, key: str, fields: Mapping[str, object] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.fields = {name: value for name, value in (fields or {}).items() if isinstance(value, str | int | float)}


class CameraAnswer(msgspec.Struct, frozen=True):
    """The answer to a fulfilled request. The table accepts one that leaves out fields with a default."""

    @classmethod
    def read(cls, fields: Mapping[str, object]) -> CameraAnswer:
        """Return the answer received from the bus; raise `msgspec.ValidationError` where it has another shape."""
        return msgspec.convert(fields, cls)


A = TypeVar("A", bound=CameraAnswer)


class CameraRequest(msgspec.Struct, Generic[A], frozen=True):
    """A request that is answered with an `A`. Its fields are the fields on the bus."""

    what: ClassVar[str]
    """Its name on the bus."""
    answer: ClassVar[type[CameraAnswer]] = CameraAnswer
    timeout: ClassVar[float] = FEW_SECONDS
    """Seconds that the table waits for the answer."""
