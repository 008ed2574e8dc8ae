"""A table on boards and walls: a record without words that stays equal until something changes."""

from __future__ import annotations

import msgspec

from companion.engine.names import name_key
from companion.games import GAMES
from companion.hall.hall import Hall
from companion.hall.heard_table import HeardTable
from companion.hall.state import CallRecord, HallState, HallTable
from web.words import package, words


class BoardRow(msgspec.Struct, frozen=True):
    """A table on the board. Times are seconds of the hall's steady clock, `call_at` is a time of day; 0 for none."""

    id: str
    number: int
    name: str
    here: bool
    newer: bool
    stage: str
    game: str
    round: int
    awaited: tuple[str, ...]
    since: float
    leaders: tuple[str, ...]
    health: tuple[str, ...]
    lost_at: float
    call: str = ""
    """`open`, or `taken` by a judge."""
    judge: str = ""
    call_at: float = 0.0
    more: int = 0
    """The table's extra minutes in the current round."""


def board_rows(hall: Hall, wall: bool = False) -> list[BoardRow]:
    """Return all tables by number; walls show names as the hall has chosen."""
    state = hall.state
    calls = open_calls(state)
    shown = NamesOnWall(state) if wall else None
    return [
        board_row(table, hall.live(table.id), calls.get(table.id), shown, more_minutes(state, table.number))
        for table in state.present
    ]


def board_row(
    table: HallTable, live: HeardTable, call: CallRecord | None, shown: NamesOnWall | None = None, more: int = 0
) -> BoardRow:
    """Return a table's row."""
    summary = live.summary
    names = live.names if shown is None else shown(live.names)
    playing = live.here and summary.stage == "playing"
    awaited = tuple([names[seat] for seat in summary.awaited if seat < len(names)]) if playing else ()
    return BoardRow(
        id=table.id,
        number=table.number,
        name=table.name,
        here=live.here,
        newer=live.newer,
        stage=summary.stage,
        game=summary.game if summary.match else "",
        round=summary.round,
        awaited=awaited,
        since=round(live.since, 1) if awaited else 0.0,
        leaders=tuple([names[seat] for seat in summary.leaders if seat < len(names)]),
        health=summary.health if live.here else (),
        lost_at=round(live.lost_at, 1) if not live.here else 0.0,
        call="" if call is None else "taken" if call.judge else "open",
        judge="" if call is None or (shown and shown.how != "full") else call.judge,
        call_at=0.0 if call is None else round(call.at, 1),
        more=more,
    )


def more_minutes(state: HallState, number: int) -> int:
    """Return a table's extra minutes in the latest round."""
    return 0 if state.round is None else round(state.round.more.get(number, 0) / 60)


def open_calls(state: HallState) -> dict[str, CallRecord]:
    """Return each table's longest-waiting call, preferring one that no judge has taken."""
    found: dict[str, CallRecord] = {}
    for call in sorted(state.calls.values(), key=lambda each: (bool(each.judge), each.at)):
        if not call.closed:
            found.setdefault(call.table, call)
    return found


class NamesOnWall:
    """Converts names for a wall: to full names, initials, or the tournament's numbers."""

    def __init__(self, state: HallState) -> None:
        self.how = state.names
        self._numbers = {}
        if self.how == "numbers":
            self._numbers = {name_key(player.name): player.id for player in state.players.values()}

    def __call__(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names at a table, by seat, as a wall shows them. People without a number appear as their seat:
        `#–2`.
        """
        if self.how == "initials":
            return tuple([initials(name) for name in names])
        if self.how == "numbers":
            numbers = [self._numbers.get(name_key(name)) for name in names]
            return tuple([f"#{number}" if number else f"#–{seat}" for seat, number in enumerate(numbers, 1)])
        return names


def initials(name: str) -> str:
    """Return a name's initials, as `A. B.`."""
    return " ".join([f"{part[0]}." for part in name.split()][:4])


def game_title(game: str, lang: str) -> str:
    """Return a game's title; its name for an unknown game."""
    return words(lang, package(GAMES[game]))("game.title") if game in GAMES else game
