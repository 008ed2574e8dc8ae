"""What crosses the bus between the table and the services around it. Public meaning only: no bid, no cash, no hand.

All moments are nanoseconds of the machine's CLOCK_MONOTONIC (`time.monotonic_ns()`), which no change of the wall clock
touches. No moment outlives a boot; those of another machine are converted by the bus (`clock_sync`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

HOST = -1
"""The host's button, where a seat's number would stand."""
RENDERED = "rendered"
"""The kind of a camera's service whose table is rendered."""
SECOND = 1_000_000_000
MILLISECOND = 1_000_000
MICROSECOND = 1_000

Contact = Literal["closed", "held", "opened"]
"""What a button's contact did: closed, is still closed after the holding time, or opened again."""
Source = Literal["pin", "screen", "radio", "bot"]
"""Whence a press came: a wired button, a page's own button, a wireless button, a program."""
Condition = Literal["open", "closed", "stuck", "chattering", "missing"]
"""How a button is; a stuck or chattering one is out of play until it has been still again."""


Whole = Annotated[int, msgspec.Meta(ge=-(2**62), le=2**62)]
"""A whole number that crosses the bus, nanoseconds mostly: it must fit where it is stored and added to."""
SeatNumber = Annotated[int, msgspec.Meta(ge=HOST, le=99)]
"""A seat, from 0, or `HOST`."""


class Message(msgspec.Struct, frozen=True, tag_field="message", forbid_unknown_fields=True):
    """Anything that crosses the bus: one JSON object a line, named by its field `message`."""


# --- who is there, and what its clock says: of the bus itself ----------------------------------------


class Here(Message, frozen=True, tag="here"):
    """The first word of whoever joins the bus, and the table's own, again and again."""

    service: str
    """`table`, `buttons`, `camera` or `doctor`."""
    session: str = ""
    """A mark of this life: another one means that it has begun anew."""
    boot: str = ""
    """The boot of its machine: where it is the table's, the clock is the table's."""


class ClockAsked(Message, frozen=True, tag="clock_asked"):
    """The table asks a service of another machine what its clock says."""

    number: Whole


class ClockTold(Message, frozen=True, tag="clock_told"):
    """The answer: the moment at which the question came, by the service's own clock."""

    number: Whole
    at: Whole


# --- buttons and lamps ------------------------------------------------------------------------------


class Press(Message, frozen=True, tag="press"):
    """A button's contact closed, was held, or opened. It is judged by `at`, not by when it was delivered."""

    seat: SeatNumber
    """The seat, from 0; `HOST` for the host's button."""
    at: Whole
    """When the contact closed (or reached the holding time, or opened)."""
    contact: Contact = "closed"
    since: Whole = 0
    """When the contact closed, for a hold and an opening; 0 for a closing."""
    source: Source = "pin"
    within: Whole = 0
    """The true moment may lie so many nanoseconds to either side of `at`; 0 where the kernel stamped it."""
    bounces: Whole = 0
    """Further edges of the same press that were set aside."""


class PinDriven(Message, frozen=True, tag="pin_driven"):
    """A simulated pin is driven: a button's by a finger (to the buttons service), a lamp's by it (from there)."""

    pin: Whole
    """BCM number."""
    high: bool
    at: Whole = 0
    """When; 0: on arrival."""


class ButtonState(msgspec.Struct, frozen=True):
    """One button as its service knows it."""

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
"""What the camera's service does: there is no camera; it starts; it sees nothing (black, white, frozen); it sees, but
finds no mat; something moves; the table is at rest and read."""
Doubt = Literal["", "unknown", "value", "hidden"]
"""Why a card is not named: no enrolled card; its art is known but not its value; too little of it shows."""


class CameraState(msgspec.Struct, frozen=True):
    """How the camera is, for its page and for everybody's status line."""

    looking: Looking = "none"
    trouble: str = ""
    """What is wrong and what to do, as the key of a sentence in the pages' words (`camera.<key>`); empty: nothing."""
    fields: dict[str, str | int | float] = {}
    """What stands in the places of that sentence."""
    deck: str = ""
    """The enrolled deck in use; empty: none."""
    mat: bool = False
    """Whether the places are known, by the mat or by hand."""
    scale: float = 0.0
    """Pixels a millimetre of the table takes in the full picture; about 3.3 are needed to read values."""
    fps: float = 0.0
    """Frames looked at in a second."""
    size: tuple[int, int] = (0, 0)
    """Width and height in pixels of the full picture."""


class Health(Message, frozen=True, tag="health"):
    """A service lives. Sent at least twice a second and at every change; a silent service counts as lost."""

    service: str
    """`buttons` or `camera`."""
    at: Whole
    kind: str = ""
    """How the pins are reached: `lgpio`, `rpigpio` or `simulated`; of a camera's service `rendered` where its table is
    rendered, so that cards are moved over the bus."""
    stamped: bool = True
    """Whether the kernel stamps the edges; else the moment is when Python heard of them."""
    buttons: tuple[ButtonState, ...] = ()
    lamps: tuple[LampState, ...] = ()
    said: str = ""
    """A sentence for the people at the table, where something is wrong."""
    camera: CameraState | None = None
    """How the camera is; None for any other service."""


# --- the camera -----------------------------------------------------------------------------------


class Sighting(msgspec.Struct, frozen=True):
    """One card seen at one place of the mat."""

    place: str
    """The place's name, such as `market` or `seat.1.train.3`; empty: on the table, but in no place."""
    card: str | None = None
    """The card's name in the enrolled deck; None: not named, and `doubt` says why."""
    at: Whole = 0
    """Position in a row, from 0 (the locomotive); in a spread the outline it lies on, from 0."""
    face: Literal["up", "down"] = "up"
    confidence: float = 0.0
    """From 0 to 1; only for show: a card that is named is certain enough."""
    doubt: Doubt = ""
    likeliest: tuple[str, ...] = ()
    """Up to three names, the likeliest first."""
    corners: tuple[tuple[float, float], ...] = ()
    """The card's four corners on the mat in millimetres, clockwise from its own top left."""


class Sighted(Message, frozen=True, tag="sighted"):
    """What lies on the table, read from one or several pictures of it at rest. Sent at every change and on joining.

    It is the whole table, never a difference: what is not in it is not seen. While something moves nothing is sent.
    """

    at: Whole
    """When the last picture was taken that it was read from."""
    number: Whole
    """Counts the readings of this service's life."""
    sightings: tuple[Sighting, ...] = ()
    covered: tuple[str, ...] = ()
    """Places that cannot be seen now (a hand, a cup): what lies there is as it was before."""
    game: str = ""
    """Whose mat it is; empty: not said. What lies on another game's mat says nothing of the match."""


class CardLaid(Message, frozen=True, tag="card_laid"):
    """A card of a rendered table is moved, as a hand would: `PinDriven`'s sister for the simulated camera."""

    card: str
    """The card's name."""
    place: str
    """Where to; empty: off the table."""
    source: str = ""
    """Where from; empty: from off the table (a deck)."""
    face: Literal["up", "down"] = "up"


class Asked(Message, frozen=True, tag="asked"):
    """Somebody at a page asks something of a service; it answers with the same number. What can be asked is listed
    in docs/architecture.md."""

    number: Whole
    what: str
    fields: dict[str, Any] = {}
    service: str = "camera"


class Answered(Message, frozen=True, tag="answered"):
    """The answer: `key` is of a sentence in the pages' words (`camera.<key>`) where it could not be done."""

    number: Whole
    done: bool = True
    key: str = ""
    fields: dict[str, Any] = {}


# --- cues -----------------------------------------------------------------------------------------


class Cue(Message, frozen=True):
    """What lamps, buzzer and screens shall show. Meaning, never looks. `at`: when, all together; 0: at once."""

    at: int = 0


class YourTurn(Cue, frozen=True, tag="your_turn"):
    """The table waits for these seats; stands until the next one."""

    seats: tuple[int, ...] = ()


class Leading(Cue, frozen=True, tag="leading"):
    """This seat leads an auction (None: nobody does); stands until the next one."""

    seat: int | None = None


class Ready(Cue, frozen=True, tag="ready"):
    """These seats have their fists ready, those are still waited for; stands until the next one."""

    seats: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()


class Trouble(Cue, frozen=True, tag="trouble"):
    """Something is wrong (`what`: `paused`, `buttons`; empty: all is well again); stands until the next one."""

    what: str = ""


class Ending(Cue, frozen=True, tag="ending"):
    """The machine is about to be switched off; stands until the next one.

    `what`: `hold` (the host's button is held: keep holding), `release` (let go, and it is switched off), `off` or
    `restart` (it happens now); empty: nothing ends.
    """

    what: str = ""


class Count(Cue, frozen=True, tag="count"):
    """One, two or three: of the leader (`seat`), or the companion's own (None). `to`: `sale` or `reveal`."""

    number: int = 1
    seat: int | None = None
    to: Literal["sale", "reveal"] = "sale"


class Stopped(Cue, frozen=True, tag="stopped"):
    """The count or the countdown has stopped: what was scheduled and has not happened yet shall not happen."""


class Reveal(Cue, frozen=True, tag="reveal"):
    """All fists open, now."""


class Raise(Cue, frozen=True, tag="raise"):
    """A seat has raised to an amount that everybody heard."""

    seat: int = 0
    amount: int = 0


class Sold(Cue, frozen=True, tag="sold"):
    """A lot has found its owner."""

    seat: int = 0


class Refused(Cue, frozen=True, tag="refused"):
    """A seat's press was not taken. Why is for that seat's own page."""

    seat: int = 0


STANDING = (YourTurn, Leading, Ready, Trouble, Ending)
"""Cues that stand until the next of their kind: whoever joins late is told the last of each."""

AnyCue = YourTurn | Leading | Ready | Trouble | Ending | Count | Stopped | Reveal | Raise | Sold | Refused
AnyMessage = Here | ClockAsked | ClockTold | Press | PinDriven | Health | Sighted | CardLaid | Asked | Answered | AnyCue

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[AnyMessage] = msgspec.json.Decoder(AnyMessage)


def encode(message: Message) -> bytes:
    """Return a message as one line of JSON, its end included."""
    return _ENCODER.encode(message) + b"\n"


class _AnswerNumber(msgspec.Struct, frozen=True, tag_field="message", tag="answered"):
    """What is needed of an answer to tell who waits for it."""

    number: Whole


def decode(line: bytes) -> AnyMessage:
    """Return the message of a line; raise `msgspec.DecodeError` for anything else, however it is broken.

    An answer of which only the number can be read says that the request failed: nobody waits for it in vain.
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
