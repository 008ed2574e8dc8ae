"""Play on at a table with programs while a test examines its pages."""

from __future__ import annotations

import random
from typing import Any

from companion.bots.simulation import next_event
from companion.engine import seat_of
from companion.match.actor import Actor
from tests.support.web.visitors import Room

PATIENCE = 30.0
"""Seconds until the companion must have counted."""


def go_on(room: Room, policies: list[Any], luck: random.Random) -> bool:
    """Advance by one event and return whether the match continues."""
    snapshot = room.table.snapshot()
    assert snapshot.state is not None and snapshot.setup is not None
    if snapshot.over:
        return False
    event = next_event(snapshot.game, snapshot.state, policies, luck.random)
    seat = seat_of(event)
    if room.table.propose(event, Actor.TABLE if seat is None else Actor.at_seat(seat)).accepted:
        return True
    if not room.table.draw(Actor.TABLE).accepted:  # the companion counts at its own pace
        room.table.wait(snapshot.number, PATIENCE)
    return True
