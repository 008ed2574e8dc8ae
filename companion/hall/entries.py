"""The hall's entries: one for each event, with its author; `state.fold` computes the state."""

from __future__ import annotations

import msgspec

from companion.devices.hall_link.messages import Placing

METHODS = ("swiss", "random")
"""How a round is seated."""


class HallOpened(msgspec.Struct, frozen=True, tag="hall"):
    """The hall has an id and a name; a later entry renames it."""

    hall: str
    name: str
    codes: str = ""
    """The secret from which the codes of a round's tables are derived."""


class TableAdmitted(msgspec.Struct, frozen=True, tag="table"):
    """The organiser has approved a table and pinned its key."""

    table: str
    name: str
    number: int
    key: bytes
    secret: str
    """The hash of its password, as the broker stores it."""


class TableNumbered(msgspec.Struct, frozen=True, tag="number"):
    """A table has got another number."""

    table: str
    number: int


class TableRemoved(msgspec.Struct, frozen=True, tag="removed"):
    """A table may no longer enter; its results stay."""

    table: str


class ResultReported(msgspec.Struct, frozen=True, tag="result"):
    """A table's signed result, byte for byte."""

    table: str
    payload: bytes
    signature: bytes


class ResultTyped(msgspec.Struct, frozen=True, tag="typed"):
    """The organiser or a judge has typed a result of a tournament's table; it replaces the table's earlier one."""

    round: int
    number: int
    players: tuple[int, ...]
    """The players by seat, as in the seating."""
    placings: tuple[Placing, ...]


class ResultJudged(msgspec.Struct, frozen=True, tag="judged"):
    """A judge confirms or rejects a result."""

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
    """A call is settled or withdrawn."""

    call: str


class TournamentPlanned(msgspec.Struct, frozen=True, tag="tournament"):
    """The tournament's plan: its game, the number of rounds, the number of players at a table."""

    name: str
    game: str
    rounds: int
    method: str
    sizes: tuple[int, ...]
    preferred: int
    points: tuple[int, ...] = ()
    """The points by place at a table; if empty, points are shares of 100."""
    final: int = 0
    """How many of the best players share a final table in the last round; 0: no final."""
    apart: tuple[tuple[int, int], ...] = ()
    """Couples who must not sit together."""


class PlayersEntered(msgspec.Struct, frozen=True, tag="players"):
    """People take part from the next round on. The first gets the number `first`, the others the following ones."""

    names: tuple[str, ...]
    first: int = 0
    """0 in old logs: `state.with_numbers` derives it from the earlier entries."""
    families: tuple[str, ...] = ()
    """The family name within each name; empty if unknown."""


class PlayerRenamed(msgspec.Struct, frozen=True, tag="renamed"):
    """A player's name is corrected."""

    player: int
    name: str


class PlayerLeft(msgspec.Struct, frozen=True, tag="left"):
    """A player is no longer seated, but stays in the standings."""

    player: int


class PlayerBack(msgspec.Struct, frozen=True, tag="back"):
    """A player who had left takes part again from the next round on."""

    player: int


class SeatedTable(msgspec.Struct, frozen=True):
    """A table of a round: its number in the hall, and its players in the order of the seats."""

    number: int
    players: tuple[int, ...]


class RoundSeated(msgspec.Struct, frozen=True, tag="round"):
    """A round's tables and byes. A second entry replaces the round's seating."""

    round: int
    tables: tuple[SeatedTable, ...]
    byes: tuple[int, ...] = ()
    final: int = 0
    """The number of the final table; 0: none."""
    swap: bool = False
    """Whether two players have changed places: the call, the clock and the absences then stay."""
    instead: int = 0
    """For a replaced seating, the round's entry that the organiser saw; 0: any."""


class RoundCalled(msgspec.Struct, frozen=True, tag="called"):
    """People are called to their seats; `begins` is the hall's time in seconds since 1970."""

    round: int
    begins: int
    minutes: int = 0
    """The round's length in minutes; 0: no clock."""


class NoShow(msgspec.Struct, frozen=True, tag="absent"):
    """A player did not come to a round's table, which plays without them."""

    round: int
    player: int
    alone: bool = False
    """Whether the organiser has accepted that at most one player is left, who then wins without a game."""


class NamesShown(msgspec.Struct, frozen=True, tag="names"):
    """How walls show names: `full`, `initials` or `numbers`."""

    how: str


class Undone(msgspec.Struct, frozen=True, tag="undone"):
    """The organiser has undone an entry: it counts as never written."""

    entry: int


class TableRenamed(msgspec.Struct, frozen=True, tag="table_name"):
    """A table has got another name."""

    table: str
    name: str


class TournamentClosed(msgspec.Struct, frozen=True, tag="tournament_closed"):
    """The tournament is over and stays readable; later players and rounds belong to the next one."""


class MinutesAdded(msgspec.Struct, frozen=True, tag="minutes"):
    """A round's clock gets more minutes (fewer if below 0), at one table, or at all of them if `table` is 0."""

    round: int
    minutes: int
    table: int = 0


class Announced(msgspec.Struct, frozen=True, tag="announced"):
    """An announcement for walls, tables and phones; an empty one removes it."""

    text: str


class AdviceAllowed(msgspec.Struct, frozen=True, tag="advice"):
    """Whether hosts of the hall's tables may allow seats to ask for advice; at the beginning they may not."""

    allowed: bool


class ResultSaid(msgspec.Struct, frozen=True, tag="said"):
    """A phone's result for a table; without `placings`, a judge has set aside the phone's earlier one."""

    round: int
    number: int
    player: int
    """The player for whom it speaks."""
    coded: bool
    """Whether the phone knew the table's code; otherwise a judge must confirm its result."""
    players: tuple[int, ...] = ()
    """The players by seat, as in the seating."""
    placings: tuple[Placing, ...] = ()


class PlayerCame(msgspec.Struct, frozen=True, tag="came"):
    """A player who was noted as absent came to the round's table after all."""

    round: int
    player: int


class ResultUsed(msgspec.Struct, frozen=True, tag="used"):
    """A judge lets this result count for a round's table; it replaces the table's earlier one."""

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
    | AdviceAllowed
    | ResultSaid
    | PlayerCame
    | ResultUsed
)
"""Every kind of entry."""
UNDOABLE = (
    TournamentPlanned, PlayersEntered, PlayerRenamed, PlayerLeft, PlayerBack, RoundSeated, RoundCalled, NoShow,
    ResultTyped, ResultJudged, TableNumbered, TableRenamed, PlayerCame, ResultUsed,
)  # fmt: skip
"""The entries that the organiser may undo; the others are facts."""


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
    """Return a stored body; raise `msgspec.DecodeError` if it is invalid."""
    found: Body = msgspec.json.decode(data, type=Body)
    return found
