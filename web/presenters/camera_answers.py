"""The shapes of what a camera's service answers: pages rely on them, whatever the service sent."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from companion.messages import Answered


class ReportLine(msgspec.Struct):
    """One deck in the list of decks."""

    name: str
    cards: int = 0
    made: bool = False


class DecksAnswer(msgspec.Struct):
    """Every deck, and the one in use."""

    decks: list[ReportLine] = []
    used: str = ""


class CaptureAnswer(msgspec.Struct):
    """A picture that was taken: its name on the shelf (empty: no card was found), its faults, and likely cards."""

    picture: str = ""
    faults: list[str] = []
    likeliest: list[str] = []


class MakingAnswer(msgspec.Struct):
    """A deck that is being taught: pictures by card, and the picture that waits for its name."""

    cards: dict[str, list[str]] = {}
    captured: CaptureAnswer | None = None


class ReportAnswer(msgspec.Struct):
    """Pairs of cards, the most alike first; each is read by itself, so that an odd one is passed over alone."""

    pairs: list[Any] = []


class NamedPicture(msgspec.Struct):
    """The file on the shelf in which a deck was put, or the name of a deck that was taken in."""

    file: str = ""
    deck: str = ""


SHAPES: dict[str, type[msgspec.Struct]] = {
    "decks": DecksAnswer,
    "capture": CaptureAnswer,
    "making": MakingAnswer,
    "report": ReportAnswer,
    "export": NamedPicture,
    "import": NamedPicture,
}
"""What each question is answered with; other answers hold nothing, or are checked where they are read."""


def checked(what: str, answer: Answered) -> Answered:
    """Return an answer whose fields have the shape that its question is answered with.

    One that has another shape, or whose sentence's fields are not plain, becomes one that says that it failed.
    """
    if not answer.done:
        plain = {name: value for name, value in answer.fields.items() if isinstance(value, str | int | float)}
        return replace(answer, fields=plain)
    shape = SHAPES.get(what)
    if shape is None:
        return answer
    try:
        fields: dict[str, Any] = msgspec.to_builtins(msgspec.convert(answer.fields, shape))
    except msgspec.ValidationError:
        return Answered(answer.number, False, "failed")
    return replace(answer, fields=fields)
