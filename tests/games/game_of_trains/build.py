"""Build states of Game of Trains at the exact moment that a test needs.

Most tests use a fixture deck with wagons 1 to 84 and the eight abilities in turn: 1, 9, 17, ... swap neighbours, 2, 10,
... swap across one, and so on. `wagon("protect", 2)` is the third wagon with a padlock.
"""

from __future__ import annotations

from typing import Any

from companion.engine import Seat, Setup, State, Step, begin
from companion.games.game_of_trains.catalogue import ABILITIES, WAGONS, Book
from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.steps.turn import Act, Draw, Place
from companion.games.game_of_trains.table import (
    DISCARD,
    HANDS,
    LOCK,
    PILE,
    UNLOCKED,
    Cards,
    Fixed,
    Line,
    Options,
    Table,
)
from companion.mechanics.options import resolve
from companion.mechanics.zones import HIDDEN, Zones, only
from tests.games.playing import Playing

A, B, C, D = (Seat(s) for s in range(4))
FALLING: tuple[Line, ...] = (
    (80, 61, 47, 33, 12, 9, 5),
    (81, 62, 48, 34, 13, 10, 6),
    (82, 63, 49, 35, 14, 11, 7),
    (83, 64, 50, 36, 16, 15, 8),
)
"""Lines of four seats, all in falling order."""
ORDER = tuple(ABILITIES)
FIXTURE = {number: ORDER[(number - 1) % len(ORDER)] for number in range(1, WAGONS + 1)}
"""Abilities of the fixture deck by wagon number."""


def wagon(ability: str, nth: int = 0) -> int:
    """Return the number of the nth wagon with an ability, counted from 0."""
    return ORDER.index(ability) + 1 + len(ORDER) * nth


def book(abilities: dict[int, str]) -> Book:
    """Return a rule book with these abilities by wagon number."""
    return Book(tuple(sorted(abilities)), tuple(abilities.get(number) for number in range(max(abilities) + 1)))


def table(
    players: int = 3,
    *,
    lines: tuple[Line, ...] = (),
    locks: dict[tuple[int, int], int] | None = None,
    pool: Cards = (),
    discard: Cards = (),
    pile: Cards | None = None,
    hands: tuple[Cards, ...] = (),
    drawn: int = 0,
    rejected: Cards = (),
    unknown: int = 0,
    dealt: bool = True,
    abilities: dict[int, str] | None = None,
    options: dict[str, Any] | None = None,
    **fields: Any,
) -> Table:
    """Return a table. The remaining cards form the pile, or the discard if `pile` is given.

    `hands` are dealt cards by seat, and `drawn` is the number of real cards that each seat drew. `rejected` and
    `unknown` are the dealt cards and the number of real cards rejected in the set-up.
    """
    lines = lines + FALLING[len(lines) : players]
    locked = [list(UNLOCKED) for _ in range(players)]
    for (seat, position), card in (locks or {}).items():
        locked[seat][LOCK[position]] = card
    lying = {card for line in lines for card in line} | set(pool) | set((locks or {}).values()) | set(discard)
    lying |= set(rejected) | {card for hand in hands for card in hand}
    rest = tuple(number for number in range(1, WAGONS + 1) if number not in lying)
    if pile is not None:
        discard += tuple(number for number in rest if number not in pile)
        rest = pile
    audiences = {PILE: HIDDEN, DISCARD: HIDDEN} | {HANDS[seat]: only(seat) for seat in range(players)}
    zones = Zones.of(audiences, {PILE: rest}).put(DISCARD, *rejected, known=HIDDEN).put(DISCARD, *discard)
    for seat, hand in enumerate(hands[:players]):
        zones = zones.put(HANDS[seat], *hand, known=only(seat))
    zones = zones.deal(PILE, dict.fromkeys(HANDS[:players], drawn) | {DISCARD: unknown})
    return Table(
        fixed=Fixed(players, resolve(Options, options or {}, players), book({**FIXTURE, **(abilities or {})}), dealt),
        lines=lines,
        locks=tuple((own[0], own[1], own[2]) for own in locked),
        zones=zones,
        pool=pool,
        **fields,
    )


def at(given: Table, *steps: Step[Table]) -> State[Table]:
    """Return the state of a table with these pending steps."""
    return begin(RULES, given, steps)


def turn(seat: Seat = A, **fields: Any) -> State[Table]:
    """Return the state at the start of a seat's turn."""
    return at(table(**fields), Act(seat))


def holding(card: int, seat: Seat = A, **fields: Any) -> State[Table]:
    """Return the state in which a seat holds its drawn card."""
    return at(table(hands=tuple([(card,) if each == seat else () for each in (A, B, C, D)]), **fields), Place(seat))


def drawing(seat: Seat = A, **fields: Any) -> State[Table]:
    """Return the state in which a seat is about to draw."""
    return at(table(**fields), Draw(seat))


def new(players: int = 3, deck: str = "dealt", catalogue: Any = "reconstruction", **options: Any) -> State[Table]:
    """Return the state of a new game."""
    return RULES.begin(Setup("game-of-trains", players, options, catalogue, deck))  # type: ignore[arg-type]


# --- playing on -----------------------------------------------------------------------------------


PLAYING: Playing[Table] = Playing(RULES)
after, refusal, why = PLAYING.after, PLAYING.refusal, PLAYING.why
accepted, offered = PLAYING.accepted, PLAYING.offered
