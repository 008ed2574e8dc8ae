"""Requests to the camera's service and their answers: one type for each, the same at both ends of the bus.

On the bus a request is `Asked(what, fields)` and its answer `Answered(done, key, fields)` (companion/messages.py). The
table sends with `CameraLink.ask`; the service reads with `read_request`. Files are named as in the frames folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from companion.findings import Finding
from companion.messages import Answered

FEW_SECONDS, PICTURE_SECONDS, ADJUST_SECONDS, DECK_SECONDS = 5.0, 15.0, 20.0, 120.0
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

    def __init__(self, key: str, fields: Mapping[str, Any] | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.fields = {name: value for name, value in (fields or {}).items() if isinstance(value, str | int | float)}


# --- answers --------------------------------------------------------------------------------------


class CameraAnswer(msgspec.Struct, frozen=True):
    """What a fulfilled request is answered with; empty where there is nothing to say.

    Most fields have a default: the table accepts an answer that leaves them out.
    """

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> CameraAnswer:
        """Return the answer received from the bus; raise `msgspec.ValidationError` where it has another shape."""
        return msgspec.convert(fields, cls)


class PlacesAnswer(CameraAnswer, frozen=True, omit_defaults=True):
    """The table without a mat: width and height in mm, and for how many players. Empty: it is forgotten."""

    size: tuple[float, float] = (0.0, 0.0)
    players: int = 0


class LaidCard(msgspec.Struct, frozen=True):
    """One card as it lies on a rendered table; of one that lies face down, the name of its back.

    Also one piece on the table's board: its place is a cell, such as `board.C4`, its name its kind and colour.
    """

    place: str
    card: str
    face: Literal["up", "down"] = "up"

    @property
    def shows(self) -> str:
        """What everybody sees of it; empty where it lies face down."""
        return self.card if self.face == "up" else ""


class RenderedTableAnswer(CameraAnswer, frozen=True):
    """How a rendered table lies: its cards and pieces, how many are still to be moved, and the names of its places."""

    cards: tuple[LaidCard, ...] = ()
    moving: int = 0
    places: tuple[str, ...] = ()


class CaptureAnswer(CameraAnswer, frozen=True):
    """A captured card: the file of its straight picture (empty: no card was found), its faults, the likeliest cards.

    Faults, the worst first: `none` (no card), `several`, `cut`, `small`, `blur`, `dark`, `glare`.
    """

    picture: str = ""
    faults: tuple[str, ...] = ()
    likeliest: tuple[str, ...] = ()


class EnrolAnswer(CameraAnswer, frozen=True):
    """The card that was enrolled, and how many pictures it has now."""

    card: str = ""
    pictures: int = 0


class UnfinishedDeckAnswer(CameraAnswer, frozen=True):
    """A deck in the making: files of pictures by card, and the captured picture that still waits for its name."""

    cards: dict[str, list[str]] = {}
    captured: CaptureAnswer | None = None


class AlikePair(msgspec.Struct, frozen=True):
    """Two cards that look alike, a file for each, and how far they differ; at 0 or less nothing tells them apart."""

    cards: tuple[str, str]
    pictures: tuple[str, str]
    margin: float


class ComparisonAnswer(CameraAnswer, frozen=True):
    """Pairs of cards, the most alike first, 24 at most."""

    pairs: tuple[AlikePair, ...] = ()

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> ComparisonAnswer:
        """Return the pairs that can be read: an odd one is left out alone."""
        pairs: list[AlikePair] = []
        for each in msgspec.convert(fields.get("pairs", ()), tuple[Any, ...]):
            try:
                pairs.append(msgspec.convert(each, AlikePair))
            except msgspec.ValidationError:
                continue
        return cls(tuple(pairs))


class FinishAnswer(CameraAnswer, frozen=True):
    """The deck that was made, and how many cards and backs it has."""

    deck: str = ""
    cards: int = 0


class StoredDeck(msgspec.Struct, frozen=True):
    """One deck of the data folder: how many cards it has, and whether it is finished."""

    name: str
    cards: int = 0
    made: bool = False


class DecksAnswer(CameraAnswer, frozen=True):
    """Every deck, and the one in use."""

    decks: tuple[StoredDeck, ...] = ()
    used: str = ""


class DeckAnswer(CameraAnswer, frozen=True):
    """The deck that is used now, or that was imported."""

    deck: str = ""


class ExportAnswer(CameraAnswer, frozen=True):
    """The file in which a deck was put."""

    file: str = ""


class ExamineAnswer(CameraAnswer, frozen=True):
    """What the camera's examination found, line by line."""

    findings: tuple[Finding, ...]


# --- requests -------------------------------------------------------------------------------------

A = TypeVar("A", bound=CameraAnswer)


class CameraRequest(msgspec.Struct, Generic[A], frozen=True):
    """A request that is answered with an `A`. Its fields are the fields on the bus."""

    what: ClassVar[str]
    """Its name on the bus."""
    answer: ClassVar[type[CameraAnswer]] = CameraAnswer
    timeout: ClassVar[float] = FEW_SECONDS
    """Seconds that the table waits for the answer."""


class Watch(CameraRequest[CameraAnswer], frozen=True):
    """Keep the live picture in the frames folder up to date for some seconds (companion/devices/frames.py)."""

    what = "watch"
    seconds: float = 5.0


class NameCard(CameraRequest[CameraAnswer], frozen=True):
    """Take a person's word on the card at a place; it holds until the card leaves. An empty card takes it back."""

    what = "name"
    place: Name
    at: int = 0
    card: str = ""


class PlaceOutline(msgspec.Struct, frozen=True):
    """The four corners of one place, clockwise."""

    place: str
    corners: tuple[Point, ...]


class SetPlaces(CameraRequest[PlacesAnswer], frozen=True, omit_defaults=True):
    """Say where the places are on a table without a mat; without corners and slots that is forgotten.

    `corners`: of the rectangle that the places fill, clockwise from its upper left; `size`: its sides in mm (None: as
    large as a mat); `players`: for how many (0: as many as the settings say); `slots`: places outlined one by one.
    """

    what = "places"
    answer = PlacesAnswer
    timeout = ADJUST_SECONDS
    corners: tuple[Point, ...] = ()
    size: tuple[float, float] | None = None
    players: int = 0
    slots: tuple[PlaceOutline, ...] = ()


class Calibrate(CameraRequest[CameraAnswer], frozen=True):
    """Set and lock focus, exposure and white balance, and look for the mat again."""

    what = "calibrate"
    timeout = ADJUST_SECONDS


class ReadRenderedTable(CameraRequest[RenderedTableAnswer], frozen=True):
    """Say what truly lies on the rendered table; refused as `unknown` where the table is real."""

    what = "lying"
    answer = RenderedTableAnswer


class Capture(CameraRequest[CaptureAnswer], frozen=True, omit_defaults=True):
    """Find the one card in the camera's picture, or in a photograph (`file`)."""

    what = "capture"
    answer = CaptureAnswer
    timeout = PICTURE_SECONDS
    deck: Name
    file: str = ""


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


class ReadUnfinishedDeck(CameraRequest[UnfinishedDeckAnswer], frozen=True):
    """Return what has been enrolled so far: nothing is lost when a page is reloaded."""

    what = "making"
    answer = UnfinishedDeckAnswer
    timeout = PICTURE_SECONDS
    deck: Name


class CompareCards(CameraRequest[ComparisonAnswer], frozen=True):
    """Say which cards of the unfinished deck look alike."""

    what = "report"
    answer = ComparisonAnswer
    timeout = DECK_SECONDS
    deck: Name


class FinishDeck(CameraRequest[FinishAnswer], frozen=True):
    """Make the deck of its pictures, keep it and use it."""

    what = "finish"
    answer = FinishAnswer
    timeout = DECK_SECONDS
    deck: Name


class ListDecks(CameraRequest[DecksAnswer], frozen=True):
    """List the decks, finished and unfinished."""

    what = "decks"
    answer = DecksAnswer


class UseDeck(CameraRequest[DeckAnswer], frozen=True):
    """Read the table with another deck."""

    what = "use"
    answer = DeckAnswer
    timeout = PICTURE_SECONDS
    deck: Name


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


class Examine(CameraRequest[ExamineAnswer], frozen=True):
    """Examine the camera for the doctor."""

    what = "examine"
    answer = ExamineAnswer


AnyRequest = (
    Watch | NameCard | SetPlaces | Calibrate | ReadRenderedTable | Capture | EnrolPicture | ForgetPicture
    | ReadUnfinishedDeck | CompareCards | FinishDeck | ListDecks | UseDeck | ExportDeck | ImportDeck | Examine
)  # fmt: skip
REQUESTS: dict[str, type[AnyRequest]] = {kind.what: kind for kind in AnyRequest.__args__}
"""Every request by its name on the bus."""


# --- the bus --------------------------------------------------------------------------------------


def read_request(what: str, fields: Mapping[str, Any]) -> AnyRequest:
    """Return the request received from the bus.

    Raise `CameraRefusal`: `unknown`; `bad_name` where a text is missing or none, `failed` where a number is, and
    `bad_places` where an outline is.
    """
    kind = REQUESTS.get(what)
    if kind is None:
        raise CameraRefusal("unknown")
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        raise CameraRefusal(_refusal_of(kind, fields)) from None


def _refusal_of(kind: type[AnyRequest], fields: Mapping[str, Any]) -> str:
    """Return the key of the first field that cannot be read."""
    for field in msgspec.structs.fields(kind):
        value = fields.get(field.encode_name, field.default)
        try:
            msgspec.convert(value, field.type)
        except (msgspec.ValidationError, TypeError):
            return {int: "failed", float: "failed", str: "bad_name", Name: "bad_name"}.get(field.type, "bad_places")
    return "failed"


def answer_fields(answer: CameraAnswer) -> dict[str, Any]:
    """Return an answer as the bus takes it."""
    fields: dict[str, Any] = msgspec.to_builtins(answer)
    return fields


def read_answer(request: CameraRequest[A], answer: Answered) -> A:
    """Return the answer received from the bus; raise `CameraRefusal` where the request was not fulfilled."""
    if not answer.done:
        raise CameraRefusal(answer.key, answer.fields)
    try:
        return request.answer.read(answer.fields)  # type: ignore[return-value]
    except msgspec.ValidationError:
        raise CameraRefusal("failed") from None
