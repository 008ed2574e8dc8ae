"""The facts on the tournament's pages and in its downloads: names, tables of a round, standings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

import msgspec
from babel.numbers import format_decimal

from companion.devices.hall_link.messages import Placing
from companion.engine.names import name_key
from companion.hall import entries as e
from companion.hall.round_results import (
    RoundResult,
    fitting_table,
    open_tables,
    passed_over,
    round_results,
    unexpected_results,
)
from companion.hall.rounds import couples_together, standing_after, standings
from companion.hall.state import HallState, ResultRecord, TournamentRound
from companion.hall.tournament.scoring import PlayerStanding
from companion.i18n import Words
from web.hall.rows import initials
from web.names import in_order, isolated, plain_letters
from web.presenters.csv_tables import csv_text


class SeatedName(msgspec.Struct, frozen=True):
    """A player at a table of a round: the seat (from 1), the name, and the outcome."""

    seat: int
    player: int
    name: str
    absent: bool
    place: int = 0
    score: int = 0


class TableOfRound(msgspec.Struct, frozen=True):
    """A table of a round with its players and the state of its result."""

    number: int
    people: tuple[SeatedName, ...]
    status: str
    """The status as in `RoundResult`, or `missing`, or `alone` if at most one player came."""
    result: str = ""


class SeatFound(msgspec.Struct, frozen=True):
    """A line of the alphabetical list: a player's place; table 0 for a bye."""

    player: int
    name: str
    table: int
    seat: int


class UnexpectedResult(msgspec.Struct, frozen=True):
    """A result that fits no table of its round, and the tables it may belong to."""

    record: ResultRecord
    names: tuple[str, ...]
    tables: tuple[int, ...]
    fits: int = 0
    """The table with exactly these players; 0: none."""


def full_name(state: HallState, player: int) -> str:
    """Return a player's name for the organisers."""
    found = state.players.get(player)
    return isolated(found.name) if found is not None else f"#{player}"


def public_name(state: HallState, player: int, say: Words) -> str:
    """Return a player's name for walls and phones."""
    found = state.players.get(player)
    if found is None or state.names == "numbers":
        return f"#{player}"
    if state.names == "initials":
        return say("tournament.initials", initials=initials(found.name), number=player)
    return isolated(found.name)


def listed_name(state: HallState, player: int) -> str:
    """Return a player's name for an alphabetical list: family name first, if known."""
    found = state.players.get(player)
    given = found.name.removesuffix(found.family).strip() if found is not None else ""
    if found is None or not found.family or not given or not found.name.endswith(found.family):
        return full_name(state, player)
    return isolated(f"{found.family}, {given}")


def players_called(state: HallState, said: str) -> list[int]:
    """Return the players whose names contain parts that start with the words given, in that order.

    Fewer than three letters must match a whole part, except in scripts where few letters say much.
    """
    wanted = plain_letters(said).split()
    begins = len(max(wanted, key=len, default="")) > 2 or not "".join(wanted).isascii()
    match = str.startswith if begins else str.__eq__
    found = {
        player.id: listed_name(state, player.id)
        for player in state.players.values()
        if all(any(match(part, word) for part in plain_letters(player.name).split()) for word in wanted)
    }
    return sorted(found, key=lambda player: in_order(found[player])) if wanted else []


def points_texts(values: Sequence[Fraction], lang: str) -> list[str]:
    """Return a column of points, all with two decimals unless all are whole; comparisons never use the rounded
    values.
    """
    pattern = "#,##0" if all(value.denominator == 1 for value in values) else "#,##0.00"
    return [_decimal(value, pattern, lang) for value in values]


@lru_cache(maxsize=4096)
def _decimal(value: Fraction, pattern: str, lang: str) -> str:
    return str(format_decimal(round(float(value), 2), format=pattern, locale=lang))


def standing_lines(state: HallState, say: Words, public: bool = False) -> list[dict[str, object]]:
    """Return the lines of the standings for pages, with names as on walls if `public`."""
    found, before = standings(state), not standing_after(state)
    points = points_texts([line.points for line in found], say.lang)
    opposition = points_texts([line.opposition for line in found], say.lang)
    return [
        msgspec.structs.asdict(line)
        | {
            "name": public_name(state, line.player, say) if public else full_name(state, line.player),
            "points": points[at],
            "opposition": opposition[at],
            "why": "" if before else ", ".join([_reason(each, line, opposition[at], say) for each in line.reasons]),
            "gone": not state.players[line.player].present,
        }
        for at, line in enumerate(found)
    ]


def _reason(reason: str, line: PlayerStanding, opposition: str, say: Words) -> str:
    if reason == "wins":
        return say.plural("tournament.reason.wins", line.wins)
    return say(f"tournament.reason.{reason}", points=opposition)


def tables_of(state: HallState, current: TournamentRound) -> tuple[TableOfRound, ...]:
    """Return a round's tables by number."""
    results = round_results(state, current.number)
    return tuple(
        _table(state, current, table, results.get(table.number))
        for table in sorted(current.tables, key=lambda table: table.number)
    )


def _table(
    state: HallState, current: TournamentRound, table: e.SeatedTable, result: RoundResult | None
) -> TableOfRound:
    came = [player for player in table.players if player not in current.absent]
    of_seat: dict[int, Placing] = {}
    if result is not None:
        of_seat = {result.players[seat]: placing for placing in result.placings for seat in placing.seats}
    people = [
        SeatedName(
            came.index(player) + 1 if player in came else 0,
            player,
            full_name(state, player),
            player not in came,
            of_seat[player].place if player in of_seat else 0,
            of_seat[player].score if player in of_seat else 0,
        )
        for player in table.players
    ]
    status = result.status if result is not None else "missing" if len(came) > 1 else "alone"
    return TableOfRound(table.number, tuple(people), status, "" if result is None else result.result)


def find_player(state: HallState, said: str) -> int:
    """Return the player with a typed number or name; 0 for nobody."""
    wanted = name_key(said)
    return next((each.id for each in state.players.values() if wanted in (str(each.id), name_key(each.name))), 0)


def seating_mark(current: TournamentRound) -> str:
    """Return a seating's fingerprint, by which forms detect changes since it was shown."""
    shown = (current.number, current.tables, current.byes, current.begins, current.absent)
    return hashlib.sha256(msgspec.json.encode(shown)).hexdigest()[:16]


def couples_lines(state: HallState, current: TournamentRound, say: Words) -> list[str]:
    """Return a sentence for each couple that should be kept apart but shares a table."""
    return [
        say("tournament.hand.together", one=full_name(state, one), other=full_name(state, other), table=table)
        for one, other, table in couples_together(state, current)
    ]


def may_seat_again(state: HallState) -> bool:
    """Whether the latest round may be seated again, that is, while it has no result."""
    current = state.round
    return current is not None and not any(each.holds for each in round_results(state, current.number).values())


def may_seat_next(state: HallState) -> bool:
    """Whether the next round may be seated, that is, if it is planned and the latest is finished."""
    plan, current = state.tournament, state.round
    if plan is None:
        return False
    last = 0 if current is None else current.number
    return last < plan.rounds and not open_tables(state, last)


def seats_by_name(state: HallState, current: TournamentRound, say: Words | None = None) -> tuple[SeatFound, ...]:
    """Return everybody's place, by family name or name. With `say`, names are as on walls."""
    found = [SeatFound(player, "", 0, 0) for player in current.byes]
    for table in current.tables:
        came = [player for player in table.players if player not in current.absent]
        found += [SeatFound(player, "", table.number, seat) for seat, player in enumerate(came, start=1)]
    named = [
        msgspec.structs.replace(
            each,
            name=public_name(state, each.player, say)
            if say is not None and state.names != "full"
            else listed_name(state, each.player),
        )
        for each in found
    ]
    by_number = say is not None and state.names == "numbers"
    return tuple(sorted(named, key=lambda each: (() if by_number else in_order(each.name), each.player)))


def strangers(state: HallState) -> tuple[UnexpectedResult, ...]:
    """Return the results that fit no table, each with the tables at which any of its players should have sat."""
    numbers = {name_key(player.name): player.id for player in state.players.values()}
    found = []
    for record in unexpected_results(state):
        people = {numbers.get(name_key(name)) for name in record.result.names}
        current = state.rounds.get(record.result.round)
        tables = [] if current is None else [each.number for each in current.tables if people & set(each.players)]
        names = tuple([isolated(name) for name in record.result.names])
        found.append(UnexpectedResult(record, names, tuple(sorted(tables)), fitting_table(state, record.result)))
    return tuple(found)


def places_text(places: Iterable[tuple[int, int]], say: Words) -> str:
    """Return the names of tables in rounds as a list."""
    return ", ".join([say("tournament.typed.title", round=number, table=table) for number, table in places])


def passed_over_text(state: HallState, say: Words) -> str:
    """Return the sentence about results that stand although another was confirmed or reported later; empty if there
    are none.
    """
    found = passed_over(state)
    return say("tournament.standings.passed_over", tables=places_text(found, say)) if found else ""


def standings_csv(state: HallState, lines: Sequence[PlayerStanding], say: Words) -> str:
    """Return the standings as a table."""
    heads = [
        say(f"tournament.column.{column}")
        for column in ("place", "number", "name", "points", "wins", "opposition", "tables", "byes", "absent", "left")
    ]
    rows = [
        (
            line.place, line.player, state.players[line.player].name, line.points, line.wins,
            line.opposition, line.tables, line.byes, line.absent,
            "" if state.players[line.player].present else 1,
        )
        for line in lines
    ]  # fmt: skip
    return csv_text([heads, *rows], say.lang)


def results_csv(state: HallState, say: Words) -> str:
    """Return a table of every seat in every round, with all known results."""
    columns = ("round", "table", "seat", "number", "name", "result_place", "score", "status")
    rows: list[tuple[str | int, ...]] = []
    for current in [state.rounds[each] for each in sorted(state.rounds)]:
        for table in tables_of(state, current):
            for each in table.people:
                status = "absent" if each.absent else table.status
                known = (each.place, each.score) if each.place else ("", "")
                rows.append((current.number, table.number, each.seat or "", *_who(state, each.player), *known,
                             say(f"tournament.status.{status}")))  # fmt: skip
        rows += [
            (current.number, "", "", *_who(state, player), "", "", say("tournament.status.bye"))
            for player in current.byes
        ]
    return csv_text([[say(f"tournament.column.{column}") for column in columns], *rows], say.lang)


def seating_csv(state: HallState, current: TournamentRound, say: Words) -> str:
    """Return a round's seating by name."""
    heads = [say(f"tournament.column.{column}") for column in ("round", "name", "number", "table", "seat")]
    rows = [
        (current.number, state.players[each.player].name, each.player, each.table or say("tournament.status.bye"),
         each.seat or "")
        for each in seats_by_name(state, current)
    ]  # fmt: skip
    return csv_text([heads, *rows], say.lang)


def _who(state: HallState, player: int) -> tuple[int, str]:
    return player, state.players[player].name
