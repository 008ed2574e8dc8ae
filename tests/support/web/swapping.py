"""The pages and messages that viewers of one room receive over a series of positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from msgspec.structs import replace

from companion.engine import Event, Setup, State
from companion.match.history import History
from companion.table.snapshot import Snapshot
from tests.support.web.visitors import HOST_PIN, Room
from web.live.channels import ChannelKey
from web.live.hub import Hub
from web.presenters.match_log import Teller
from web.presenters.scene import Scene

Sent = list[tuple[str, list[bytes]]]
"""The messages of each viewer's stream, by viewer and position; the first is the whole page."""


def lay(room: Room, setup: Setup) -> Snapshot:
    """Start a match on the table and return its first snapshot."""
    match = room.table.start(setup)
    room.context.access.open_match(match, HOST_PIN)
    room.context.new_match()
    return room.table.snapshot()


def played(begun: Snapshot, most: int, choose: Callable[[State[Any]], Event]) -> list[Snapshot]:
    """Return snapshots of a match that is played on from its beginning, but not on the table itself."""
    assert begun.setup is not None
    line, found = History(begun.game, begun.setup), []
    while not line.state.over and len(found) < most:
        line.add(choose(line.state), move=len(found) + 1)
        ledger, entries = line.node.entry.ledger, line.entries
        found.append(replace(begun, seq=line.seq, state=line.state, entries=entries, ledger=ledger))
    return found


def sent(room: Room, moments: Sequence[Snapshot], keys: Sequence[ChannelKey]) -> Sent:
    """Return everything sent to viewers over the given snapshots: their pages at the first, then every message of each.

    Everybody else at the table has a page, too, which is rendered first, because nothing cached for one viewer may
    reach another.
    """
    context, teller, now = room.context, Teller(), [moments[0]]
    occupancy = context.seating.occupancy(moments[0])
    scene = [Scene(now[0], occupancy, teller)]
    kept, context.hub = context.hub, Hub(lambda: scene[0], context.renderer.groups, context.renderer.make)  # type: ignore[arg-type]
    try:
        found: Sent = []
        streams = []
        setup = moments[0].setup
        assert setup is not None
        for lang, seat in product(dict.fromkeys([key.lang for key in keys]), range(len(setup.seated()))):
            if all([(key.seat, key.lang) != (seat, lang) for key in keys]):
                context.hub.page(ChannelKey(moments[0].match_id, "seat", seat, lang))
        for key in keys:
            page, opened = context.hub.page(key), context.hub.open(key, "p", "")
            assert page is not None and opened is not None
            streams.append(opened[0])
            found.append((key.role, [page.regions[name].encode() for name in sorted(page.regions)] + opened[1]))
        for moment in moments[1:]:
            scene[0] = Scene(moment, occupancy, teller)
            context.hub.refresh()
            for key, stream in zip(keys, streams, strict=True):
                waiting = [stream.outbox.get() for _ in range(len(stream.outbox))]
                found.append((key.role, [message for message in waiting if message]))
        return [(role, [nameless(message) for message in each]) for role, each in found]
    finally:
        context.hub = kept


def nameless(message: bytes) -> bytes:
    """Return a message without the random name of its channel; its number stays."""
    return re.sub(rb"^id: [0-9a-f]+-", b"id: ", message)
