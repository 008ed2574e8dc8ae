"""What a page shows now, as JSON, for programs that sit at a table as people do: nothing that is not on it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response

from companion.demo.world import PageChoice, PageLogLine, PageMisfit, PageState, everybody, own, unread
from companion.engine import (
    Seat,
    seat_of,
    through,
)
from companion.table.snapshot import Snapshot
from web.context import house
from web.presenters.scene import Teller
from web.presenters.sight import SightText, mark_of
from web.security.access import Viewer
from web.views import common
from web.views.card_bench import back_of
from web.views.pins_panel import buttons_now
from web.words import language

LATELY = 12
"""So many things that everybody could see are said, with what a seat did quietly in between."""
bp = Blueprint("now", __name__)


@bp.get("/now.json")
def now(token: str, tablet: str = "") -> Response:
    """Say what the page shows now."""
    viewer = common.asker("host", "table", "seat")
    home = house()
    with home.hub.lock:
        scene = home.look()
        said = scene.sight(language()) if scene is not None else SightText()
    if scene is None:
        return answered(PageState())
    found = seen(scene.snapshot, viewer, said)
    board = home.registry
    if board is not None:
        sighted = board.camera_link.sighted
        looking = board.camera.state.looking if board.camera.alive else ""
        found = msgspec.structs.replace(
            found,
            looking=looking,
            reading=sighted.number if sighted else 0,
            unread=unread(sighted.sightings, sighted.covered) if sighted else {},
        )
    if viewer.role == "host":
        buttons = buttons_now()
        pins = {each.seat: each.pin for each in buttons.buttons} if buttons.kind == "simulated" else {}
        found = msgspec.structs.replace(found, pins=pins, back=back_of(scene.snapshot))
    return answered(found)


@bp.get("/said.json")
def said(token: str, tablet: str = "") -> Response:
    """Say what happened lately, as far as the page may know of it."""
    viewer = common.asker("host", "table", "seat")
    home = house()
    with home.hub.lock:
        scene = home.look()
        found = lately(scene.snapshot, scene.teller, viewer) if scene is not None else ()
    return answered(found)


def answered(found: PageState | tuple[PageLogLine, ...]) -> Response:
    """Return it as JSON."""
    return Response(msgspec.json.encode(found), mimetype="application/json", headers={"Cache-Control": "no-store"})


def seen(snapshot: Snapshot, viewer: Viewer, said: SightText) -> PageState:
    """Return what a viewer's page shows of a table, built up from nothing."""
    game, state = snapshot.game, snapshot.state
    mine = {} if viewer.seat is None else {viewer.seat: own(snapshot.view(Seat(viewer.seat)))}
    return PageState(
        view=everybody(game.view(state, None)),
        own=mine,
        choices=tuple([PageChoice(each.mark, each.sentences, supposed(snapshot, each.mark)) for each in said.choices]),
        odd=tuple([PageMisfit(each.place, each.sentence, each.cards, each.right) for each in said.odd]),
        waits=said.waits,
        paused=snapshot.paused,
        ready=snapshot.ready,
        over=snapshot.over,
    )


def lately(snapshot: Snapshot, teller: Teller, viewer: Viewer) -> tuple[PageLogLine, ...]:
    """Return the last things that happened, as a viewer's page may say them: built up from nothing.

    No secret of another seat, no amount that the log has forgotten, and nothing that nobody but another seat knows of.
    """
    game, state, entries = snapshot.game, snapshot.state, snapshot.entries
    assert state is not None and snapshot.setup is not None
    public = teller.places(snapshot)
    number = max(0, len(public) - LATELY)
    found: list[PageLogLine] = []
    freed = 0 if viewer.seat is None else snapshot.freed_at(Seat(viewer.seat))
    for at in range(public[number] if public else 0, len(entries)):
        seen_by_all = number < len(public) and public[number] == at
        entry, before = entries[at], entries[at - 1].after if at else game.begin(snapshot.setup)
        owned = viewer.seat is not None and seat_of(entry.event) == viewer.seat
        mine = owned and entry.seq > freed  # what the seat did on a device that it lost is not this device's to read
        number += seen_by_all
        if seen_by_all or mine:
            hidden = () if mine else game.secret(before, entry.event)
            left_out = {*hidden, *game.forgotten(state, before, entry.event)}
            data = {key: value for key, value in msgspec.to_builtins(entry.event).items() if key not in left_out}
            found.append(PageLogLine(number, data, quiet=not seen_by_all))
    return tuple(found)


def supposed(snapshot: Snapshot, mark: str) -> Any:
    """Return the public table as it would be, were one of the things true that may have happened."""
    state = snapshot.state
    for explanation in snapshot.sight.choices:
        if mark_of(explanation) == mark and state is not None:
            after = through(snapshot.game, state, explanation)
            return None if after is None else everybody(snapshot.game.view(after, None))
    return None
