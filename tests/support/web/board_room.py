"""A room with a board game: the generic tests' own game, offered with the others, or an example."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from companion.engine import AnyGame, Event
from companion.games import GAMES, SEEN
from companion.match.actor import Actor
from companion.table.snapshot import Snapshot
from tests.support.hex_rails.rules import RULES
from tests.support.web import any_game
from tests.support.web.visitors import Room
from web.game_pages import OFFERED


@contextmanager
def offered(game: AnyGame = RULES) -> Iterator[None]:
    """Offer a game in the same way as any other."""
    with ExitStack() as stack:
        for games in (GAMES, SEEN, OFFERED):
            stack.enter_context(patch.dict(games, {game.name: game}))
        yield


@contextmanager
def board_room(folder: Path, players: int = 3, game: AnyGame = RULES) -> Iterator[Room]:
    """Yield a room with a match of Hex Rails, or of another game, with everybody in their seats."""
    with offered(game), Room(folder) as room:
        any_game.lay(room, game.name, players)
        yield room


def next_record(room: Room, since: Snapshot, seconds: float) -> Snapshot:
    """Return the table once the match has another record. The table may also change before that."""
    found = since
    while found.seq == since.seq:
        number = found.number
        found = room.table.wait(number, seconds)
        assert found.number > number, "nothing was recorded"
    return found


def play(room: Room, *events: Event) -> None:
    """Propose events and refresh the pages."""
    for event in events:
        assert room.table.propose(event, Actor.TABLE).accepted, event
    room.context.hub.refresh()
