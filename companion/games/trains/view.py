"""What may be known of Trains: the public table, and each seat's own hand and cards (§7).

Views are built up field by field, so that a field not set here cannot leak.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Seat, State
from companion.games.trains.rails import card_points, map_points
from companion.games.trains.steps.turn import empty_piles
from companion.games.trains.table import GAINED, REVEALED, Table, deck_of, discard_of, hand_of
from companion.mechanics.view import PlainView


class Pile(msgspec.Struct, frozen=True):
    """A pile of the supply; `cost` is None for cards that are not sold."""

    card: str
    left: int
    cost: int | None
    value: int
    points: int


class SeatPublic(msgspec.Struct, frozen=True):
    """What everybody may know of a seat. `points` are those of map and track; cards count at the end."""

    seat: Seat
    deck: int
    hand: int
    discard: int
    cubes: int
    rails: tuple[str, ...]
    points: int


class View(PlainView, frozen=True, kw_only=True):
    """What a viewer may know. The last three fields are the viewer's own."""

    board: str
    turn: Seat
    coins: int
    played: tuple[str, ...]
    lasting: tuple[str, ...]
    """Cards whose effect holds until the end of the turn."""
    gained: tuple[str, ...]
    revealed: tuple[str, ...]
    supply: tuple[Pile, ...]
    empty: int
    """Empty piles, of which four end the game."""
    markers: int
    stations: dict[str, int]
    seats: tuple[SeatPublic, ...]
    own_cards: tuple[str, ...] = ()
    """The hand, as far as the machine knows it."""
    own_deck: tuple[tuple[str, int], ...] = ()
    """All cards that the viewer possesses, wherever they are, and how many of each."""
    own_points: int = 0
    """The points on these cards."""


def view(state: State[Table], seat: Seat | None, basics: dict[str, Any]) -> View:
    """Return what the seat, or everybody for None, may know; `basics` are the fields of every view."""
    table = state.table
    shown = View(
        **basics,
        board=table.fixed.options.board,
        turn=table.turn,
        coins=table.coins,
        played=table.played,
        lasting=tuple([each.active for each in table.in_play if each.active]),
        gained=table.zones.named(GAINED),
        revealed=table.zones.named(REVEALED),
        supply=tuple([_pile(table, card, left) for card, left in table.supply.items()]),
        empty=len(empty_piles(table)),
        markers=table.markers,
        stations=table.stations,
        seats=tuple([_seat(table, Seat(each)) for each in range(table.fixed.players)]),
    )
    if seat is None:
        return shown
    hand = tuple([card for card in table.zones.view_of(hand_of(seat), seat) if card is not None])
    return msgspec.structs.replace(
        shown, own_cards=hand, own_deck=tuple(sorted(table.owned[seat].items())), own_points=card_points(table, seat)
    )


def live_points(table: Table) -> tuple[int, ...]:
    """Return the points of map and track, by seat: cards are counted at the end."""
    return tuple([table.track[seat] + map_points(table, seat) for seat in range(table.fixed.players)])


def _pile(table: Table, card: str, left: int) -> Pile:
    kind = table.card(card)
    return Pile(card, left, None if card == "waste" else kind.cost, kind.value or 0, kind.points)


def _seat(table: Table, seat: Seat) -> SeatPublic:
    count = table.zones.count
    return SeatPublic(
        seat=seat,
        deck=count(deck_of(seat)),
        hand=count(hand_of(seat)),
        discard=count(discard_of(seat)),
        cubes=table.cubes_left(seat),
        rails=table.rails[seat],
        points=table.track[seat] + map_points(table, seat),
    )
