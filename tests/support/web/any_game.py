"""A table of any game for tests of its pages, set up directly with everybody in their seats."""

from __future__ import annotations

from companion.engine import Player, Setup
from tests.support.web.visitors import COLOURS, HOST_PIN, NAMES, SHAPES, Room
from web.security.access import Viewer


def lay(room: Room, game: str, players: int = 3, deck: str = "dealt", **options: str) -> None:
    """Begin a match of a game on the table, with everybody in their seats."""
    setup = Setup(
        game=game,
        players=tuple([Player(*each) for each in zip(NAMES[:players], COLOURS, SHAPES, strict=False)]),
        options=options,
        catalogue="box" if deck == "box" else "reconstruction",
        deck=deck,  # type: ignore[arg-type]
    )
    context = room.context
    match = room.table.start(setup)
    context.access.open_match(match, HOST_PIN)
    context.new_match()
    room.host = f"/h/{context.access.admit(Viewer('host', match))}/"
    room.seats = []
    for seat in range(players):
        context.access.claim(match, seat, f"111{seat}")
        room.seats.append(f"/s/{context.access.admit(Viewer('seat', match, seat))}/")
    credentials = context.access.credentials(match)
    assert credentials is not None
    room.pin = credentials.room
    context.hub.refresh()
