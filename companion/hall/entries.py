"""What a hall writes down: an entry for everything that happened, with who wrote it; `state.fold` makes the state."""

from __future__ import annotations

import msgspec

from companion.devices.hall_link.messages import Placing

METHODS = ("swiss", "random")
"""How a round is seated."""


class HallOpened(msgspec.Struct, frozen=True, tag="hall"):
    """The hall has an id and a name; a later one renames it."""

    hall: str
    name: str
    codes: str = ""
    """The secret from which the codes of rounds' tables follow."""


class TableAdmitted(msgspec.Struct, frozen=True, tag="table"):
    """The organiser has approved a table: its key is pinned."""

    table: str
    name: str
    number: int
    key: bytes
    secret: str
    """The hash of its password, as the broker keeps it."""


class TableNumbered(msgspec.Struct, frozen=True, tag="number"):
    """A table has another number now."""

    table: str
    number: int


class TableRemoved(msgspec.Struct, frozen=True, tag="removed"):
    """A table may not come in any more; its results stay."""

    table: str


class ResultReported(msgspec.Struct, frozen=True, tag="result"):
    """A table's signed result, byte for byte."""

    table: str
    payload: bytes
    signature: bytes


class ResultTyped(msgspec.Struct, frozen=True, tag="typed"):
    """A result of a tournament's table that the organiser or a judge has typed; it replaces what that table had."""

    round: int
    number: int
    players: tuple[int, ...]
    """The players by seat, as in the seating."""
    placings: tuple[Placing, ...]


class ResultJudged(msgspec.Struct, frozen=True, tag="judged"):
    """A judge says that a result is right, or is not."""

    result: str
    right: bool


class CallMade(msgspec.Struct, frozen=True, tag="call"):
    """A table has called a judge."""

    call: str
    table: str
    seat: int


class CallTaken(msgspec.Struct, frozen=True, tag="taken"):
    """A judge is on the way."""

    call: str
    judge: str


class CallClosed(msgspec.Struct, frozen=True, tag="closed"):
    """A call is dealt with, or withdrawn."""

    call: str


class TournamentPlanned(msgspec.Struct, frozen=True, tag="tournament"):
    """How the rounds are played: which game, how many rounds, how many at a table."""

    name: str
    game: str
    rounds: int
    method: str
    sizes: tuple[int, ...]
    preferred: int
    points: tuple[int, ...] = ()
    """The points by place at a table; without any a table's points are shares of 100."""
    final: int = 0
    """How many of the best sit at a table of their own in the last round; 0: there is no final."""
    apart: tuple[tuple[int, int], ...] = ()
    """Couples who are not seated together."""


class PlayersEntered(msgspec.Struct, frozen=True, tag="players"):
    """People take part from the next round on. The first of them has the number `first`, the others the next ones."""

    names: tuple[str, ...]
    first: int = 0
    """0 in old logs: it follows from the entries before it (`state.with_numbers`)."""
    families: tuple[str, ...] = ()
    """Of each name the family name in it; empty where nobody said."""


class PlayerRenamed(msgspec.Struct, frozen=True, tag="renamed"):
    """A name was misspelt."""

    player: int
    name: str


class PlayerLeft(msgspec.Struct, frozen=True, tag="left"):
    """A player is not seated any more, but stays in the standings."""

    player: int


class PlayerBack(msgspec.Struct, frozen=True, tag="back"):
    """A player who had left is seated again from the next round on."""

    player: int


class SeatedTable(msgspec.Struct, frozen=True):
    """A table of a round: its number in the hall, and its players in the order of the seats."""

    number: int
    players: tuple[int, ...]


class RoundSeated(msgspec.Struct, frozen=True, tag="round"):
    """A round's tables and byes. Seated again, it replaces the seating of the same round."""

    round: int
    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...] = ()
    final: int = 0
    """The number of the final table; 0: there is none."""
    swap: bool = False
    """Whether two players changed places: the call, the clock and the absences stay as they are."""
    instead: int = 0
    """The entry of the round as the organiser saw it, where this seats it again; 0: whatever it was."""


class RoundCalled(msgspec.Struct, frozen=True, tag="called"):
    """People are told where to sit and when it begins; `begins` is the hall's time in seconds since 1970."""

    round: int
    begins: int
    minutes: int = 0
    """How long it lasts; 0: it has no clock."""


class NoShow(msgspec.Struct, frozen=True, tag="absent"):
    """A player did not come to a round's table, which plays without."""

    round: int
    player: int
    alone: bool = False
    """Whether the organiser has seen that this leaves nobody, or one who wins the table without a game."""


class NamesShown(msgspec.Struct, frozen=True, tag="names"):
    """How names appear on walls: `full`, `initials` or `numbers`."""

    how: str


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """The organiser took back an entry: it counts as if it had never been written."""

    entry: int


class TableRenamed(msgspec.Struct, frozen=True, tag="table_name"):
    """A table has another name now."""

    table: str
    name: str


class TournamentClosed(msgspec.Struct, frozen=True, tag="tournament_closed"):
    """The tournament is over and stays to be read; players and rounds after this are those of the next one."""


class MinutesAdded(msgspec.Struct, frozen=True, tag="minutes"):
    """A round's clock has more minutes, or fewer below 0; at one table, or at all of them where `table` is 0."""

    round: int
    minutes: int
    table: int = 0


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """A line for everybody, on walls, tables and phones; an empty one removes it."""

    text: str


class ResultSaid(msgspec.Struct, frozen=True, tag="said"):
    """What a phone says of a table's result; without `placings` a judge has set aside what it had said."""

    round: int
    number: int
    player: int
    """The player for whom it speaks."""
    coded: bool
    """Whether it knew the table's code; otherwise it is a wish, for a judge to confirm."""
    players: tuple[int, ...] = ()
    """The players by seat, as in the seating."""
    placings: tuple[Placing, ...] = ()


class PlayerCame(msgspec.Struct, frozen=True, tag="came"):
    """A player who had been noted as absent was at the round's table after all."""

    round: int
    player: int


class ResultUsed(msgspec.Struct, frozen=True, tag="used"):
    """A judge lets this result count for a round's table; it replaces what that table had before."""

    result: str
    round: int
    number: int


Body = (
    HallOpened
    | TableAdmitted
    | TableNumbered
    | TableRemoved
    | ResultReported
    | ResultTyped
    | ResultJudged
    | CallMade
    | CallTaken
    | CallClosed
    | TournamentPlanned
    | PlayersEntered
    | PlayerRenamed
    | PlayerLeft
    | PlayerBack
    | RoundSeated
    | RoundCalled
    | NoShow
    | NamesShown
    | Undone
    | TableRenamed
    | TournamentClosed
    | MinutesAdded
    | Announced
    | ResultSaid
    | PlayerCame
    | ResultUsed
)
"""Everything that an entry may be."""
UNDOABLE = (
    TournamentPlanned, PlayersEntered, PlayerRenamed, PlayerLeft, PlayerBack, RoundSeated, RoundCalled, NoShow,
    ResultTyped, ResultJudged, TableNumbered, TableRenamed, PlayerCame, ResultUsed,
)  # fmt: skip
"""What the organiser may take back; the rest has happened."""


class Entry(msgspec.Struct, frozen=True):
    """A line of the hall's record. `number` counts from 1; `at` is the hall's time in seconds since 1970."""

    number: int
    at: float
    by: str
    """`organiser`, `judge`, `hall`, `phone`, or a table's id."""
    body: Body


def encode_body(body: Body) -> bytes:
    """Return a body as it is stored."""
    return msgspec.json.encode(body)


def decode_body(data: bytes) -> Body:
    """Return a stored body; raise `msgspec.DecodeError` if it is none."""
    found: Body = msgspec.json.decode(data, type=Body)
    return found
