"""Build states of Trains for its tests, on the small map of the rulebook's example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from companion.engine import Board, Cell, Edge, Event, Offer, Seat, Setup, State, apply, legal, rule
from companion.games.trains import events as ev
from companion.games.trains import table
from companion.games.trains.catalogue import WASTE, shipped
from companion.games.trains.events import Declined, Played
from companion.games.trains.options import Options
from companion.games.trains.rules import RULES, first_supply
from companion.games.trains.steps.turn import Act
from companion.games.trains.table import GAINED, PLAY, Fixed, InPlay, Table, deck_of, discard_of, hand_of
from companion.mechanics.zones import Zones
from tests.games.playing import Playing

PLAYING: Playing[Table] = Playing(RULES)
after, why, offered = PLAYING.after, PLAYING.why, PLAYING.offered
A, B, C, D = Seat(0), Seat(1), Seat(2), Seat(3)
KINGDOM = (
    "landfill", "conductors_station", "passing_station", "holiday_timetable", "steel_bridge", "amusement_park",
    "maintenance_factory", "dump_site",
)  # fmt: skip
"""Cards for sale in the rulebook's example."""

PLACES: dict[str, tuple[int, int, str, int]] = {
    "SM": (0, 0, "city", 2), "SS": (1, 0, "city", 2), "IU": (2, 0, "city", 2), "KJ": (4, 0, "city", 1),
    "TA": (6, 0, "city", 2), "YO": (0, 2, "city", 3), "F1": (0, 1, "field", 0), "F2": (3, 0, "field", 0),
    "F3": (5, 0, "field", 0), "F4": (4, 1, "field", 0), "V1": (1, 2, "river", 0), "V2": (2, 2, "river", 0),
    "M1": (3, 2, "mountain", 0), "R4": (4, 2, "remote", 4), "S1": (5, 2, "sea", 0), "C3": (6, 2, "city", 3),
}  # fmt: skip
"""Column, row, terrain, and number of buildings or points of each cell of the map."""
LINKS = (
    ("SM", "F1"), ("F1", "SS"), ("IU", "F2"), ("F2", "KJ"), ("KJ", "F3"), ("F3", "TA"), ("KJ", "F4"), ("F3", "F4"),
    ("YO", "V1"), ("V1", "V2"), ("V2", "M1"), ("M1", "R4"), ("R4", "S1"), ("F4", "M1"), ("M1", "C3"), ("F4", "C3"),
)  # fmt: skip
BARRIERS = (("SM", "SS"), ("SS", "IU"))


def small_map() -> Board:
    """Return the small map of squares, with the neighbours that the example names."""
    cells = []
    for name, (column, row, kind, number) in PLACES.items():
        x, y = column * 40.0 + 20, row * 40.0 + 20
        near = tuple([b if a == name else a for a, b in LINKS if name in (a, b)])
        corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
        sites, figure = (number, "") if kind == "city" else (0, str(number or ""))
        cells.append(Cell(name, x, y, corners, neighbours=near, kind=kind, sites=sites, figure=figure))
    edges = tuple([Edge(pair, "barrier", passable=False) for pair in BARRIERS])
    return Board("tokyo", (280.0, 120.0), tuple(cells), edges)


@pytest.fixture
def on_small_map(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play on the small map instead of Tokyo's."""
    board = small_map()
    monkeypatch.setattr(table, "boards", lambda: {"tokyo": board})


def turn(
    hand: Sequence[str] = (),
    *,
    deck: Sequence[str] = (),
    discard: Sequence[str] = (),
    gained: Sequence[str] = (),
    play: Sequence[str] = (),
    active: Sequence[str] = (),
    coins: int = 0,
    rails: Sequence[Sequence[str]] = (("SM",), ("IU",)),
    stations: Mapping[str, int] | None = None,
    supply: Mapping[str, int] | None = None,
    markers: int = 30,
    track: Sequence[int] = (),
    dealt: bool = True,
    **options: Any,
) -> State[Table]:
    """Return a turn of the first seat with these cards, coins and pieces. `active` lists cards in play with a lasting
    effect.

    The other seats own ten Normal Trains each, all of them in their discard piles.
    """
    players = len(rails)
    chosen = Options(**{"kingdom": KINGDOM, **options})
    fixed = Fixed(players, chosen, {card.id: card for card in shipped().cards}, dealt)
    made = table.new_table(fixed, first_supply(shipped(), chosen.kingdom, players) | dict(supply or {}))
    audiences = {name: zone.audience for name, zone in made.zones.zones.items()}
    mine = {hand_of(0): hand, deck_of(0): deck, discard_of(0): discard, GAINED: gained, PLAY: (*play, *active)}
    others = {discard_of(seat): ("normal_train",) * 10 for seat in range(1, players)}
    owned = Counter([card for cards in mine.values() for card in cards])
    return State(
        replace(
            made,
            zones=Zones.of(audiences, {**mine, **others}),
            owned=(dict(owned), *[{"normal_train": 10}] * (players - 1)),
            rails=tuple(map(tuple, rails)),
            stations=dict(stations or {}),
            markers=markers,
            track=tuple(track) or (0,) * players,
            coins=coins,
            acted=bool(play or active),
            in_play=(*[InPlay()] * len(play), *[InPlay(active=card) for card in active]),
        ),
        (Act(A),),
    )


def plays(state: State[Table], card: str, *events: Event) -> State[Table]:
    """Return the state after the first seat played a card and caused the events of its text."""
    return after(state, Played(A, card), *events)


def declines(state: State[Table], card: str) -> State[Table]:
    """Return the state after the first seat played a card and declined its text."""
    return after(state, Played(A, card), Declined(A))


def draws(state: State[Table], *cards: str) -> State[Table]:
    """Return the state after the first seat drew these cards."""
    return after(state, ev.CardsDrawn(A, cards))


def held(state: State[Table], seat: Seat = A) -> list[str]:
    """Return the cards in a hand, in alphabetical order."""
    return sorted(state.table.zones.named(hand_of(seat)))


def waste_gained(state: State[Table]) -> int:
    """Return the number of Waste cards on the gained pile."""
    return state.table.zones.named(GAINED).count(WASTE)


def begun(players: int = 2, deck: Any = "dealt", **options: Any) -> State[Table]:
    """Return a match that has begun."""
    return RULES.begin(Setup(RULES.name, players, options, deck=deck))


def offers(state: State[Table]) -> tuple[Offer, ...]:
    """Return all offers of the state."""
    return legal(RULES, state)


__all__ = ["apply", "offered", "on_small_map", "rule", "why"]
