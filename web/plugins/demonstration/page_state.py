"""A page's current content as JSON, for programs that play at the table: nothing that the page does not show."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response

from companion.demo_records import (
    PageChoice,
    PageClaim,
    PageLogLine,
    PageMismatch,
    PageNotice,
    PageState,
    find_unread,
    own_fields,
    public_fields,
)
from companion.engine import Seat, follow_all, seat_of
from companion.mechanics.seals import NONCE_FIELD
from companion.table.snapshot import Snapshot
from web.context import context
from web.presenters.card_names import back_of
from web.presenters.match_log import Teller
from web.presenters.sight import SightText, explanation_mark
from web.security.access import Viewer
from web.views import viewer_pages
from web.views.pins_panel import buttons_now
from web.words import language

LATELY = 12
"""Public log entries to return, with the seat's own secret ones in between."""
bp = Blueprint("now", __name__)


@bp.get("/now.json")
def now(token: str, tablet: str = "") -> Response:
    """Return the page's current content."""
    viewer = viewer_pages.require_viewer("host", "table", "seat")
    scene = context().renderer.look()
    if scene is None:
        return json_answer(PageState())
    # The demonstration's programs compare this with their actions; human watchers do not read it.
    found = page_state(scene.actual, viewer, scene.sight(language()))
    board = context().registry
    if board is not None:
        sighted = board.camera_link.sighted
        looking = board.camera.state.looking if board.camera.alive else ""
        found = msgspec.structs.replace(
            found,
            looking=looking,
            reading=sighted.number if sighted else 0,
            unread=find_unread(sighted.sightings, sighted.covered, sighted.cells) if sighted else {},
        )
    if viewer.role == "host":
        buttons = buttons_now()
        pins = {each.seat: each.pin for each in buttons.buttons} if buttons.kind == "simulated" else {}
        found = msgspec.structs.replace(found, pins=pins, back=back_of(scene.snapshot, language()))
    return json_answer(found)


@bp.get("/said.json")
def recent(token: str, tablet: str = "") -> Response:
    """Return the last log entries that the page may show."""
    viewer = viewer_pages.require_viewer("host", "table", "seat")
    scene = context().renderer.look()
    return json_answer(() if scene is None else recent_log(scene.snapshot, scene.teller, viewer))


def json_answer(found: PageState | tuple[PageLogLine, ...]) -> Response:
    """Return a record as JSON."""
    return Response(msgspec.json.encode(found), mimetype="application/json", headers={"Cache-Control": "no-store"})


def page_state(snapshot: Snapshot, viewer: Viewer, sight: SightText) -> PageState:
    """Return a viewer's page of a table as data. It is built from only the shown values, so that it cannot leak
    others.
    """
    game, state = snapshot.game, snapshot.state
    assert state is not None
    mine = {} if viewer.seat is None else {viewer.seat: own_fields(snapshot.view(Seat(viewer.seat)))}
    return PageState(
        view=public_fields(game.view(state, None)),
        own=mine,
        choices=tuple(
            [PageChoice(each.mark, each.sentences, supposed_view(snapshot, each.mark)) for each in sight.choices]
        ),
        odd=tuple([PageMismatch(each.place, each.sentence, each.cards, each.correction) for each in sight.mismatches]),
        notices=tuple(
            PageNotice(each.key, each.seat, each.amount, each.sentence)
            for each in sight.notices
            if viewer.seat is None or each.seat in (None, viewer.seat)
        ),
        claims=tuple(
            PageClaim(each.mark, each.seat, each.sentence)
            for each in sight.claims
            if viewer.seat is not None and viewer.seat == each.seat
        ),
        waits=sight.waits,
        paused=snapshot.paused,
        ready=snapshot.ready,
        over=snapshot.over,
    )


def recent_log(snapshot: Snapshot, teller: Teller, viewer: Viewer) -> tuple[PageLogLine, ...]:
    """Return the last log entries that a viewer's page may show.

    This leaves out other seats' secrets, amounts that the log no longer shows, and entries known only to other seats.
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
        # This device must not read moves that the seat made on a lost one.
        mine = owned and entry.seq > freed
        number += seen_by_all
        if seen_by_all or mine:
            hidden = () if mine else game.secret(before, entry.event)
            left_out = {*hidden, NONCE_FIELD, *game.no_longer_shown(state, before, entry.event)}
            data = {key: value for key, value in msgspec.to_builtins(entry.event).items() if key not in left_out}
            found.append(PageLogLine(number, data, quiet=not seen_by_all))
    return tuple(found)


def supposed_view(snapshot: Snapshot, mark: str) -> object:
    """Return the public table as it would be if one of the camera's explanations were true."""
    state = snapshot.state
    for explanation in snapshot.sight.choices:
        if explanation_mark(explanation) == mark and state is not None:
            after = follow_all(snapshot.game, state, explanation)
            return None if after is None else public_fields(snapshot.game.view(after, None))
    return None
