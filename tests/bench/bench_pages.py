"""How much pages with a map send, compressed: at first, and after each kind of event. `python -m tests.bench pages`."""

from __future__ import annotations

import gzip
import random
import sys
import tempfile
from pathlib import Path

from companion.engine import legal, name_of
from companion.games.trains import GAME
from companion.games.trains.bot import POLICY
from companion.match.actor import Actor
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room
from web.live.channels import ChannelKey

PLAYERS = 4
MAP = ("board", "supply", "display")
"""The regions that are large: map, piles, and the texts of the cards."""


def size(data: bytes) -> int:
    """Return how many bytes are sent, compressed."""
    return len(gzip.compress(data))


def move(room: Room, luck: random.Random) -> str:
    """Have the next thing happen; return the event's name."""
    state = room.table.snapshot().state
    assert state is not None
    offers = [offer for offer in legal(GAME, state) if offer.chance]
    if offers:
        event, by = offers[0].pick(luck.random), Actor.TABLE
        if room.table.draw(by).accepted:
            return name_of(event)
    else:
        seat = state.agenda[0].awaits(state.table)[0]
        found = POLICY.choose(POLICY.look(state, seat), luck.random)
        assert found is not None
        event, by = found, Actor.at_seat(seat)
    assert room.table.propose(event, by).accepted
    return name_of(event)


def main(arguments: list[str]) -> None:
    """Play a game of four on pages, and print what one seat's page is sent."""
    luck = random.Random(int(arguments[0]) if arguments else 1)
    most: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, board_room(Path(folder), PLAYERS, GAME) as room:
        hub = room.context.hub
        where = ChannelKey(room.table.snapshot().match_id, "seat", 0, "en")
        page = hub.page(where)
        assert page is not None
        for name in MAP:
            print(f"{name:16} {size(page.regions[name].encode()):6} bytes at first")
        print(f"{'all regions':16} {size(''.join(page.regions.values()).encode()):6} bytes at first")
        opened = hub.open(where, "page", page.id)
        assert opened is not None
        queue = opened[0].queue
        while not room.table.snapshot().over:
            name = move(room, luck)
            hub.refresh()
            sent = b"".join([message for message in (queue.get() for _ in range(len(queue))) if message])
            most[name] = max(most.get(name, 0), size(sent))
    for name, found in sorted(most.items(), key=lambda each: -each[1]):
        print(f"{name:16} {found:6} bytes at most")


if __name__ == "__main__":
    main(sys.argv[1:])
