"""A room in which Hex Rails is played: the house's test game with a board, offered beside the others meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.engine import Event, Player, Setup
from companion.games import GAMES, SEEN
from companion.match.actor import Actor
from tests.support.hex_rails import GAME
from tests.support.web.visitors import HOST_PIN, NAMES, Room
from web.game_pages import OFFERED
from web.security.access import Viewer


@contextmanager
def offered() -> Iterator[None]:
    """Have Hex Rails found like any game."""
    known = (GAMES, SEEN, OFFERED)
    for games in known:
        games[GAME.name] = GAME  # type: ignore[index]
    try:
        yield
    finally:
        for games in known:
            del games[GAME.name]  # type: ignore[attr-defined]


@contextmanager
def board_room(folder: Path, players: int = 3) -> Iterator[Room]:
    """Give a room with a match of Hex Rails and everybody on a seat."""
    with offered(), Room(folder) as room:
        match = room.table.start(Setup(GAME.name, tuple(map(Player, NAMES[:players]))))
        context = room.context
        context.access.open_match(match, HOST_PIN)
        context.new_match()
        room.host = f"/h/{context.access.admit(Viewer('host', match))}/"
        for seat in range(players):
            context.access.claim(match, seat, f"111{seat}")
            room.seats.append(f"/s/{context.access.admit(Viewer('seat', match, seat))}/")
        doors = context.access.credentials(match)
        assert doors is not None
        room.pin = doors.room
        context.hub.refresh()
        yield room


def play(room: Room, *events: Event) -> None:
    """Have things happen."""
    for event in events:
        assert room.table.propose(event, Actor.TABLE).accepted, event
    room.context.hub.refresh()
