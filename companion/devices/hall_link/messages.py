"""The messages between a table and its hall: topics, records, and the limits at both ends.

A table writes `hall/TABLE/up/KIND` and reads `hall/TABLE/down/KIND` under its own name only; the hall reads and writes
all of them. Each payload is one record as JSON; the view is deflated. Unknown fields are ignored, so that older and
newer programs understand each other as far as possible.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from companion.engine.names import LONGEST_NAME, MOST_CODE_POINTS, has_unseen, why_unfit

PREFIX = "hall"
UP, DOWN = "up", "down"
HALL = "hall"
"""The hall's own user name; it announces itself at `hall/hall/up/here`, which every table may read."""
VERSION = 1
"""The version of these records. Read a newer one as far as possible; the board says that the table is newer."""
SUMMARY_BYTES, VIEW_BYTES, INFLATED_BYTES, MESSAGE_BYTES = 500, 3 * 1024, 64 * 1024, 8 * 1024
"""Maximum sizes: of a summary, of a deflated view, of an inflated one, and of any other message."""
NAME_LENGTH = LONGEST_NAME
"""Maximum length of a person's or a table's name in characters."""
ANNOUNCEMENT = 120
"""Maximum number of characters of the line for everybody."""
SEATS = 12
"""Maximum number of seats that a message may name."""
CONFIRMING_SEATS = 2
"""A result holds once this many seats confirm it and none disputes it, or once a judge decides."""
IDS = re.compile(r"[a-z0-9]{8}")
"""The form of a table's id, which is also its user name at the broker."""
STAGES = ("free", "playing", "paused", "over")


class MessageError(ValueError):
    """An unusable message; the text gives the reason for the log."""


class Presence(msgspec.Struct, frozen=True):
    """A program is connected (retained; cleared when it leaves). After a hall's new `session`, tables repeat all."""

    session: str
    version: int = VERSION
    name: str = ""
    """The hall's name, or the name that its owner gave to the table."""


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table's line on the board (retained). It names leaders only if everybody at the table may know them."""

    stage: str = "free"
    """The stage of the match, one of `STAGES`."""
    game: str = ""
    match: str = ""
    round: int = 0
    """The tournament's round that the match belongs to; 0 for none."""
    moment: str = ""
    """The waiting step, by its name in the game."""
    awaited: tuple[int, ...] = ()
    """The seats whose turn it is."""
    waited_s: int = 0
    """Seconds since their turn began, by the table's own steady clock, at the time of sending."""
    leaders: tuple[int, ...] = ()
    events: int = 0
    health: tuple[str, ...] = ()
    """The table's faulty parts: `buttons`, `camera`."""
    version: int = VERSION


class Players(msgspec.Struct, frozen=True):
    """The names at a table, by seat (retained)."""

    match: str
    names: tuple[str, ...]


class PublicView(msgspec.Struct, frozen=True):
    """A spectator's view of a table; sent only while somebody watches it."""

    match: str
    events: int
    game: str
    view: dict[str, object] = {}
    """The game's public view as JSON; empty if it would be too large."""
    scores: tuple[int, ...] = ()
    """The public scores by seat; empty while they are secret."""
    log: dict[str, tuple[str, ...]] = {}
    """The latest events in each language, as everybody at the table may hear them; the latest first."""
    version: int = VERSION


class JudgeCall(msgspec.Struct, frozen=True):
    """A table calls a judge. It repeats this until the hall has taken or closed the call."""

    id: str
    seat: int = -1
    """The calling seat; -1: the table."""
    waited_s: int = 0
    withdrawn: bool = False


class Placing(msgspec.Struct, frozen=True):
    """A side of a finished match: its seats, its place (shared by tied sides) and its score."""

    seats: tuple[int, ...]
    place: int
    score: int


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a match. A match that was resumed and ended anew has a higher `sequence`."""

    hall: str
    table: str
    round: int = 0
    match: str
    sequence: int
    game: str
    names: tuple[str, ...]
    placings: tuple[Placing, ...]
    confirmed: tuple[int, ...] = ()
    """The seats that confirm it."""
    disputed: tuple[int, ...] = ()
    """The seats that dispute it."""
    version: int = VERSION
    tournament: int = -1
    """The number of earlier tournaments (see `Assigned`) when the match began."""

    @property
    def id(self) -> str:
        """The result's unique id."""
        return f"{self.table}:{self.match}:{self.sequence}"


class SignedResult(msgspec.Struct, frozen=True):
    """A signed result, byte for byte, with the table's signature (`signing.py`)."""

    payload: bytes
    signature: bytes


class Watched(msgspec.Struct, frozen=True):
    """Whether somebody watches this table enlarged; only then does the table send its view (retained)."""

    watched: bool


class Recorded(msgspec.Struct, frozen=True):
    """The hall's database has a result, or a later one of the same match; the table can stop sending it."""

    receipt: str
    """Identifies the bytes that were sent; made by `receipt`."""


class CallAnswered(msgspec.Struct, frozen=True):
    """The state of a call: `waiting` (at the hall), `taken` by a judge, or `closed`."""

    id: str
    state: str
    judge: str = ""


class Assigned(msgspec.Struct, frozen=True):
    """The table's number in the hall, its round, and the people who are to play there (retained)."""

    number: int = 0
    round: int = 0
    players: tuple[str, ...] = ()
    tournament: int = -1
    """The number of tournaments that the hall had before this one; -1: unknown."""
    code: str = ""
    """The code by which a player's phone speaks for a seat of this table in this round."""
    announcement: str = ""
    begins: int = 0
    ends: int = 0
    """The round's beginning and end by the hall's clock, in seconds since 1970; 0: unknown."""
    now: float = 0.0
    """The hall's time of sending; a retained message is older than it says."""
    over: bool = False
    """Whether that round has been played there: a further match does not belong to it."""
    advice: bool = False
    """Whether the table's host may allow seats to ask for advice."""


Up = Presence | TableSummary | Players | PublicView | JudgeCall | SignedResult
Down = Watched | Recorded | CallAnswered | Assigned
KINDS: dict[str, type] = {
    "here": Presence,
    "summary": TableSummary,
    "players": Players,
    "view": PublicView,
    "call": JudgeCall,
    "result": SignedResult,
    "watched": Watched,
    "recorded": Recorded,
    "answer": CallAnswered,
    "assigned": Assigned,
}
NAMES = {kind: name for name, kind in KINDS.items()}
RETAINED = (Presence, TableSummary, Players, Watched, Assigned)
LARGEST = {"summary": SUMMARY_BYTES, "view": VIEW_BYTES}
M = TypeVar("M")


def up(table: str, kind: str) -> str:
    """Return the topic on which a table (`+`: any) writes to the hall."""
    return f"{PREFIX}/{table}/{UP}/{kind}"


def down(table: str, kind: str) -> str:
    """Return the topic on which the hall writes to a table (`+`: any)."""
    return f"{PREFIX}/{table}/{DOWN}/{kind}"


def split_topic(topic: str) -> tuple[str, str, str]:
    """Return the table, the direction and the kind of a topic; raise `MessageError` for any other."""
    parts = topic.split("/")
    if len(parts) != 4 or parts[0] != PREFIX or parts[2] not in (UP, DOWN) or parts[3] not in KINDS:
        raise MessageError("unknown topic")
    if parts[1] != HALL and not IDS.fullmatch(parts[1]):
        raise MessageError("not a table's id")
    return parts[1], parts[2], parts[3]


def encode(message: Up | Down) -> bytes:
    """Return a message as bytes; raise `MessageError` if it is too large."""
    payload = msgspec.json.encode(message)
    if isinstance(message, PublicView):
        if len(payload) > INFLATED_BYTES:
            raise MessageError("too large")
        payload = zlib.compress(payload, 9)
    if len(payload) > LARGEST.get(NAMES[type(message)], MESSAGE_BYTES):
        raise MessageError("too large")
    return payload


def decode(kind: str, payload: bytes) -> Up | Down:
    """Return the record of a kind; raise `MessageError` if it violates its form or limits."""
    if len(payload) > LARGEST.get(kind, MESSAGE_BYTES):
        raise MessageError(f"a message of {len(payload)} bytes is too large")
    try:
        message: Up | Down = msgspec.json.decode(_inflate(payload) if kind == "view" else payload, type=KINDS[kind])
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, zlib.error, RecursionError) as error:
        raise MessageError(f"cannot be read: {error}") from error
    why = _why_impossible(message)
    if why:
        raise MessageError(why)
    return message


def _inflate(payload: bytes) -> bytes:
    """Return a deflated payload, at most `INFLATED_BYTES` long."""
    inflater = zlib.decompressobj()
    found = inflater.decompress(payload, INFLATED_BYTES)
    if inflater.unconsumed_tail or not inflater.eof:
        raise MessageError("a view is too large, or cut off")
    return found


def _why_impossible(message: Up | Down) -> str:
    """Return why a well-formed message is impossible, or an empty text."""
    names: tuple[str, ...] = ()
    match message:
        case TableSummary():
            seats = (*message.awaited, *message.leaders)
            if message.stage not in STAGES or len(message.health) > 8:
                return "an unknown stage, or too many faults"
            texts: tuple[str, ...] = (message.game, message.match, message.moment, *message.health)
        case Players():
            seats, texts, names = tuple(range(len(message.names))), (message.match,), message.names
        case Assigned():
            if not fits(message.announcement, ANNOUNCEMENT):
                return "an announcement that is too long or unprintable"
            seats, texts, names = tuple(range(len(message.players))), (message.code,), message.players
        case PublicView():
            seats, texts = tuple(range(len(message.scores))), (message.game, message.match)
        case JudgeCall():
            seats, texts = (max(message.seat, 0),), (message.id,)
        case Presence():
            seats, texts, names = (), (message.session,), (message.name,)
        case Recorded():
            seats, texts = (), (message.receipt,)
        case CallAnswered():
            seats, texts, names = (), (message.id,), (message.judge,)
        case _:
            return ""
    if any(not 0 <= seat < SEATS for seat in seats) or len(seats) > 2 * SEATS:
        return "a seat that no table has"
    return "" if _may_cross(texts, names) else "a text that is too long or unprintable"


def _may_cross(texts: Iterable[str], names: Iterable[str]) -> bool:
    """Return whether texts and names are short enough. Older or newer tables may count the letters of names
    differently."""
    return all(fits(text, 2 * NAME_LENGTH) for text in texts) and all(fits(name, MOST_CODE_POINTS) for name in names)


def receipt(signed: SignedResult) -> str:
    """Return the receipt that confirms a result, byte for byte."""
    return hashlib.sha256(signed.payload).hexdigest()


def fits(text: str, longest: int = 0) -> bool:
    """Return whether a text is fully visible and at most `longest` characters long; 0: apply the rule for names."""
    return len(text) <= longest and not has_unseen(text) if longest else not why_unfit(text)


def read_result(payload: bytes) -> Result:
    """Return the result in a signed payload; raise `MessageError` if it is impossible."""
    try:
        result = msgspec.json.decode(payload, type=Result)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(f"cannot be read: {error}") from error
    seats = range(len(result.names))
    placed = [seat for placing in result.placings for seat in placing.seats]
    if not 0 < len(result.names) <= SEATS or sorted(placed) != list(seats):
        raise MessageError("its placings are not those of its seats")
    places = sorted(placing.place for placing in result.placings)
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise MessageError("its places are impossible")
    if not {*result.confirmed, *result.disputed} <= set(seats) or set(result.confirmed) & set(result.disputed):
        raise MessageError("its confirmations are impossible")
    if any(abs(placing.score) >= 2**53 for placing in result.placings) or not 0 < result.sequence < 2**31:
        raise MessageError("its numbers are impossible")
    texts = (result.hall, result.table, result.match, result.game)
    if not _may_cross(texts, result.names) or ":" in result.match:
        raise MessageError("its texts are impossible")
    return result
