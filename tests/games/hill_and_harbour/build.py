"""Build states of Hill and Harbour for its tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from companion.engine import CellName, Event, Seat, Setup, State, apply, begin, legal
from companion.games.examples.hill_and_harbour.rules import RULES
from companion.games.examples.hill_and_harbour.steps import Build, ContractTurned, Laid, Table
from tests.games.playing import Playing

PLAYING: Playing[Table] = Playing(RULES)
SEATS = A, B, C = Seat(0), Seat(1), Seat(2)
NAMES = ("Jane", "Bill", "Tom")
OPEN = ("tin-8", "salt-7", "coal-10")


def begun(players: int = 3, deck: Any = "dealt", **options: Any) -> State[Table]:
    """Return a match that has begun."""
    return RULES.begin(Setup(RULES.name, players, options, deck=deck))


def opened() -> State[Table]:
    """Return a match with three open contracts, in which Jane begins."""
    return PLAYING.after(begun(), *map(ContractTurned, OPEN))


def built(*tracks: str, coins: int = 20, laid: int = 0, acted: bool = False, **table: Any) -> State[Table]:
    """Return a match with the first seat on turn. Each text lists the cells of a seat's cubes, separated by spaces."""
    cells = tuple([tuple(track.split()) for track in tracks])
    given: dict[str, Any] = {"deck": ("wine-8",), "open": OPEN, "won": ((),) * len(tracks)} | table
    return begin(RULES, Table((coins,) * len(tracks), cells, **given), (Build(A, laid, acted),))


def lay(seat: Seat, cell: str) -> Laid:
    """Return the event of a seat that lays a cube on a cell."""
    return Laid(seat, CellName(cell))


def walk(seed: int, players: int = 3) -> Iterator[tuple[State[Table], Event, State[Table]]]:
    """Play a whole match at random and yield each event between the states before and after it."""
    luck = random.Random(seed)
    state = begun(players)
    while state.agenda:
        event = luck.choice(legal(RULES, state)).pick(luck.random)
        before, state = state, apply(RULES, state, event)
        yield before, event, state
