"""Where the cards of Take a Train lie: the places of a table, and what the rules say lies there now."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Layout, Place, Seat, Spot, State
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.table import LONGER_LIMIT, MARKET_SIZE, TRAINS, Table, Train

AUCTION, MARKET = "auction", "market"
"""The names of the places where lots and the market lie."""
BACKS = ("back-locomotive", "back-wagon")
"""The names of the two backs in a deck of cards."""


def places(players: int) -> tuple[Place, ...]:
    """Return every place of a table for so many players: what a mat shows, and a camera looks at."""
    rows = tuple(
        [
            Place(train_place(seat, train), "row", LONGER_LIMIT + 2, Seat(seat))  # the locomotive and Multiplier +1
            for seat in range(players)
            for train in range(TRAINS)
        ]
    )
    return (
        Place(AUCTION, "spread", players),
        Place(MARKET, "spread", MARKET_SIZE[players]),
        Place("deck.locomotives", "pile"),
        Place("aside.locomotives", "pile"),
        Place("deck.wagons", "pile"),
        Place("discard.wagons", "pile"),
        *rows,
    )


def train_place(seat: int, train: int) -> str:
    """Return the name of the place of a seat's train, both counted from 0."""
    return f"seat.{seat + 1}.train.{train + 1}"


def layout(state: State[Table]) -> Layout:
    """Return what the rules say lies where. Between two rounds nothing has to match: people clear the table."""
    table = state.table
    spots = {
        AUCTION: Spot(tuple(table.revealed)),
        MARKET: Spot(tuple([card for card in table.market if card is not None])),
    }
    for seat, own in enumerate(table.trains):
        for at in range(TRAINS):
            spots[train_place(seat, at)] = Spot(*row(own[at])) if at < len(own) else Spot()
    return Layout(spots, loose=state.over or isinstance(state.agenda[0], DrawToken))


def row(train: Train) -> tuple[tuple[str, ...], int]:
    """Return the cards of a train that lie face up, the locomotive first, and how many lie face down."""
    return tuple(_cards(train)), 0 if train.face_up else 1


def _cards(train: Train) -> Iterator[str]:
    if train.face_up:
        yield train.loco
    for wagon in train.wagons:
        yield "twin" if wagon.twin else f"{wagon.type}-{wagon.value}"
    if train.boosted:
        yield "multiplier"
