"""Messages that cross the bus between the table and the services around it. They never carry secrets of a seat.

All moments are nanoseconds of the machine's CLOCK_MONOTONIC (`time.monotonic_ns()`), which ignores changes of the wall
clock. No moment outlives a boot; the bus converts those of another machine (`clock_sync`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

HOST = -1
"""The host's button, in place of a seat's number."""
RENDERED = "rendered"
"""The kind of a camera service with a rendered table."""
PHONE = "phone"
"""The kind of a camera service whose pictures people take with a phone."""
SECOND = 1_000_000_000
MILLISECOND = 1_000_000
MICROSECOND = 1_000

Contact = Literal["closed", "held", "opened"]
"""An event of a button's contact: closed, still closed after the holding time, or opened again."""
Source = Literal["pin", "screen", "radio", "bot"]
"""The source of a press: a wired button, a page's own button, a wireless button, a program."""
Condition = Literal["open", "closed", "stuck", "chattering", "missing"]
"""The condition of a button; a stuck or chattering one is out of play until it has been quiet for a while."""


Whole = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
"""An integer that crosses the bus, mostly nanoseconds; the range leaves room for sums."""
SeatNumber = Annotated[int, msgspec.Meta(ge=HOST, le=99)]
"""A seat, from 0, or `HOST`."""


class Message(msgspec.Struct, frozen=True, tag_field="message", forbid_unknown_fields=True):
    """Any message on the bus: one JSON object per line, named by its field `message`."""


# --- the bus itself: who is there, and its clock -----------------------------------------------------


class Here(Message, frozen=True, tag="here"):
    """The first message of each service that joins the bus; the table repeats its own as an announcement."""

    service: str
    """`table`, `buttons`, `camera` or `doctor`."""
    session: str = ""
    """An id of this connection: a different one means a restart."""
    boot: str = ""
    """The id of its machine's boot: with the table's boot, it shares the table's clock."""


class ClockAsked(Message, frozen=True, tag="clock_asked"):
    """The table asks a service on another machine for its clock."""

    number: Whole


class ClockTold(Message, frozen=True, tag="clock_told"):
    """The answer: when the question arrived, by the service's own clock."""

    number: Whole
    at: Whole


# --- buttons and lamps ------------------------------------------------------------------------------


class Press(Message, frozen=True, tag="press"):
    """A button's contact closed, was held, or opened. `at` decides, not the moment of delivery."""

    seat: SeatNumber
    """The seat, from 0; `HOST` for the host's button."""
    at: Whole
    """When the contact closed (or reached the holding time, or opened)."""
    contact: Contact = "closed"
    since: Whole = 0
    """When the contact closed, for a hold and an opening; 0 for a closing."""
    source: Source = "pin"
    within: Whole = 0
    """The true moment may be this many nanoseconds before or after `at`; 0 if the kernel stamped it."""
    bounces: Whole = 0
    """Number of further edges of the same press that were ignored as bounces."""


class PinDriven(Message, frozen=True, tag="pin_driven"):
    """A simulated pin changes: a page drives a button's pin, or the service drives a lamp's."""

    pin: Whole
    """BCM number."""
    high: bool
    at: Whole = 0
    """When; 0 means on arrival."""


class ButtonState(msgspec.Struct, frozen=True):
    """One button as seen by its service."""

    seat: SeatNumber
    pin: Whole
    """BCM number, -1 for a wireless one."""
    condition: Condition = "open"


class LampState(msgspec.Struct, frozen=True):
    """One lamp (seat from 0) or the buzzer (`HOST`), and whether it is on."""

    seat: SeatNumber
    pin: Whole
    on: bool = False


Looking = Literal["none", "starting", "blind", "unplaced", "moving", "still"]
"""State of the camera service: no camera; starting; seeing nothing (black, white, frozen); seeing no mat; something is
moving; the table is at rest and has been read."""
Doubt = Literal["", "unknown", "value", "hidden"]
"""Why a card is not named: no enrolled card; known art but an unknown value; too little of it visible."""


class HangingAdvice(msgspec.Struct, frozen=True):
    """What to change about how the camera hangs, as the key of a sentence (`camera_page.<key>`) with its fields."""

    key: str
    fields: dict[str, str | int | float] = {}


class CameraState(msgspec.Struct, frozen=True):
    """The state of the camera, for its page and every status line."""

    looking: Looking = "none"
    trouble: str = ""
    """The problem and its remedy, as the key of a sentence in the pages' words (`camera.<key>`); empty: none."""
    fields: dict[str, str | int | float] = {}
    """The fields of that sentence."""
    deck: str = ""
    """The enrolled deck in use; empty: none."""
    mat: bool = False
    """Whether the places are known, from the mat or by hand."""
    scale: float = 0.0
    """Pixels per millimetre of the table in the full picture; reading values needs about 3.3."""
    fps: float = 0.0
    """Frames processed per second."""
    size: tuple[int, int] = (0, 0)
    """Width and height in pixels of the full picture."""
    hanging: tuple[HangingAdvice, ...] = ()
    """What to change about how the camera hangs, the most urgent first; empty: nothing, or the table is not found."""
    table: tuple[tuple[float, float], ...] = ()
    """The corners of mat or coasters as parts of the shown picture, clockwise from the table's upper left."""


class Health(Message, frozen=True, tag="health"):
    """A service is alive. Sent at least twice a second and at every change; a silent service counts as lost."""

    service: str
    """`buttons` or `camera`."""
    at: Whole
    kind: str = ""
    """How the pins are driven: `lgpio`, `rpigpio`, `simulated`; `closed`: there are pins, but none can be opened. For a
    camera: `rendered` if its table is rendered, so that the bus can move cards; `phone` if people take the pictures
    with a phone."""
    stamped: bool = True
    """Whether the kernel stamps the edges; otherwise the moment is when Python heard of them."""
    buttons: tuple[ButtonState, ...] = ()
    lamps: tuple[LampState, ...] = ()
    said: str = ""
    """A sentence for the people at the table if the service has a problem."""
    camera: CameraState | None = None
    """The state of the camera; None for any other service."""


# --- the camera -----------------------------------------------------------------------------------


class Sighting(msgspec.Struct, frozen=True):
    """One card seen at one place of the mat."""

    place: str
    """The place's name, such as `market` or `seat.1.train.3`; empty: on the table, outside every place."""
    card: str | None = None
    """The card's name in the enrolled deck; None: not named, for the reason in `doubt`."""
    at: Whole = 0
    """Position in a row, from 0 (the locomotive); in a spread, the number of the outline under the card, from 0."""
    face: Literal["up", "down"] = "up"
    confidence: float = 0.0
    """From 0 to 1, for display only: every named card is certain enough."""
    doubt: Doubt = ""
    likeliest: tuple[str, ...] = ()
    """Up to three names, the likeliest first."""
    corners: tuple[tuple[float, float], ...] = ()
    """The card's four corners on the mat in millimetres, clockwise from its own top left."""


TokenDoubt = Literal["", "unknown", "covered", "stacked"]
"""Why a token is not named: no enrolled token; too little of it visible; another one may lie under it."""


class TokenSighting(msgspec.Struct, frozen=True):
    """One token, or another object in its place, seen at a place for tokens."""

    place: str
    """The place's name, such as `seat.1.money`."""
    token: str | None = None
    """The visible face, such as `money-500` or `back-purpose`; None: not named, for the reason in `doubt`."""
    doubt: TokenDoubt = ""
    middle: tuple[float, float] = (0.0, 0.0)
    """Its middle on the mat in millimetres."""
    radius: float = 0.0
    """The radius in millimetres of the circle around it, for display."""


class CellSighting(msgspec.Struct, frozen=True):
    """The pieces on one cell of a printed board."""

    cell: str
    pieces: tuple[str, ...] = ()
    """Pieces by kind and colour, such as `cube.red`; the camera does not know the players' colours."""
    choices: tuple[tuple[str, ...], ...] = ()
    """The alternatives if the cell is uncertain, the likeliest first; `pieces` then says nothing."""


class Sighted(Message, frozen=True, tag="sighted"):
    """All cards on the table, read from pictures of it at rest. Sent at every change and on joining.

    A reading is complete, never a difference: a card missing from it was not seen. Nothing is sent during movement.
    """

    at: Whole
    """The moment of the last of its pictures."""
    number: Whole
    """Number of this reading, counted from the service's start."""
    sightings: tuple[Sighting, ...] = ()
    covered: tuple[str, ...] = ()
    """Places hidden now (by a hand, a cup): assume their cards unchanged."""
    game: str = ""
    """The game of the mat; empty: unknown. Cards on another game's mat say nothing about the match."""
    cells: tuple[CellSighting, ...] = ()
    """The visible cells of a printed board, including empty ones."""
    tokens: tuple[TokenSighting, ...] = ()
    token_places: tuple[str, ...] = ()
    """The places for tokens that were read, including empty ones; covered and unreadable places are not among them."""
    open_hands: tuple[str, ...] = ()
    """Places that may not be read now but show a new object: a hand is open too early."""
    empty_places: tuple[str, ...] = ()
    """Places that may not be read now and are empty."""


class CardLaid(Message, frozen=True, tag="card_laid"):
    """Move a card of a rendered table, as a hand would: the counterpart of `PinDriven` for a simulated camera.

    This also moves a piece: `card` is its kind and colour, such as `cube.red`, and cells are places, such as
    `board.C4`.
    """

    card: str
    """The card's name."""
    place: str
    """The target place; empty: off the table."""
    source: str = ""
    """The source place; empty: from off the table (a deck)."""
    face: Literal["up", "down"] = "up"


class TokensLaid(Message, frozen=True, tag="tokens_laid"):
    """Lay tokens on a rendered table, as hands would: exactly these then lie at a place; none clears it."""

    place: str
    """The place's name, such as `seat.1.money`."""
    tokens: tuple[str, ...] = ()
    """The visible faces, such as `money-500` or `back-purpose`."""
    heaped: bool = False
    """Whether they overlap."""


class Asked(Message, frozen=True, tag="asked"):
    """A request to a service, which answers with the same number. docs/reference/camera.md lists the requests."""

    number: Whole
    what: str
    fields: Mapping[str, object] = {}
    service: str = "camera"


class Answered(Message, frozen=True, tag="answered"):
    """The answer to a request; on failure `key` names a sentence in the pages' words (`camera.<key>`)."""

    number: Whole
    done: bool = True
    key: str = ""
    fields: Mapping[str, object] = {}


# --- cues -----------------------------------------------------------------------------------------


class Cue(Message, frozen=True):
    """A signal for lamps, buzzer and screens: its meaning, not its appearance. `at`: when to show it; 0: at once."""

    at: int = 0


class YourTurn(Cue, frozen=True, tag="your_turn"):
    """The table waits for these seats; in force until the next such cue."""

    seats: tuple[int, ...] = ()


class Leading(Cue, frozen=True, tag="leading"):
    """This seat leads an auction (None: no seat does); in force until the next such cue."""

    seat: int | None = None


class Ready(Cue, frozen=True, tag="ready"):
    """`seats` have their fists ready, and the table waits for `waiting`; in force until the next such cue."""

    seats: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


class Trouble(Cue, frozen=True, tag="trouble"):
    """The table has a problem (`what`: `paused`, `buttons`; empty: none); in force until the next such cue."""

    what: str = ""


class Ending(Cue, frozen=True, tag="ending"):
    """The machine is about to be switched off; in force until the next such cue.

    `what`: `hold` (keep holding the host's button), `release` (let go to switch off), `off` or `restart` (now); empty:
    the machine keeps running.
    """

    what: str = ""


class Count(Cue, frozen=True, tag="count"):
    """One, two or three, counted by the leader (`seat`) or by the companion (None). `to`: `sale` or `reveal`."""

    number: int = 1
    seat: int | None = None
    to: Literal["sale", "reveal"] = "sale"


class TokensReadable(Cue, frozen=True, tag="tokens_readable"):
    """The token places that may be read now; all others are black in every picture.

    In force until the next such cue; before the first one, all are black.
    """

    places: tuple[str, ...] = ()


class Stopped(Cue, frozen=True, tag="stopped"):
    """The count or countdown has stopped: cancel scheduled cues that have not happened yet."""


class Reveal(Cue, frozen=True, tag="reveal"):
    """All fists open now."""


class Raise(Cue, frozen=True, tag="raise"):
    """A seat has raised to an amount that everybody heard."""

    seat: int = 0
    amount: int = 0


class Sold(Cue, frozen=True, tag="sold"):
    """A lot has been sold to a seat."""

    seat: int = 0


class Refused(Cue, frozen=True, tag="refused"):
    """A seat's press was refused; only that seat's page says why."""

    seat: int = 0


STANDING = (YourTurn, Leading, Ready, Trouble, Ending, TokensReadable)
"""Cues in force until the next of their kind: a late service gets the latest of each."""

AnyCue = (
    YourTurn | Leading | Ready | Trouble | Ending | Count | TokensReadable | Stopped | Reveal | Raise | Sold | Refused
)
AnyMessage = (
    Here
    | ClockAsked
    | ClockTold
    | Press
    | PinDriven
    | Health
    | Sighted
    | CardLaid
    | TokensLaid
    | Asked
    | Answered
    | AnyCue
)

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


def encode(message: Message) -> bytes:
    """Return a message as one line of JSON with its newline."""
    return _ENCODER.encode(message) + b"\n"


class _AnswerNumber(msgspec.Struct, frozen=True, tag_field="message", tag="answered"):
    """The number of an answer whose other fields cannot be decoded."""

    number: Whole


def decode(line: bytes) -> AnyMessage:
    """Return the message of a line; raise `msgspec.DecodeError` for any invalid one.

    If only the number of an answer can be read, return a failed answer, so that nobody waits for it in vain.
    """
    try:
        return _DECODER.decode(line)
    except msgspec.ValidationError:
        try:
            return Answered(msgspec.json.decode(line, type=_AnswerNumber).number, False, "failed")
        except (msgspec.DecodeError, RecursionError):
            pass
        raise
    except (RecursionError, UnicodeDecodeError) as error:
        raise msgspec.DecodeError(str(error)) from None
