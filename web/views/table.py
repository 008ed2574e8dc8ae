"""The shared tablet's page and the spectators': the public table, and the hand-over to a seat by its PIN."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, render_template, request

from companion.ops.network_address import own_address
from companion.ops.network_address import page as first_page
from web.context import context
from web.presenters.scene import players_of
from web.security import known_devices
from web.security.access import SEAT_PIN, Viewer, digest
from web.views import common
from web.views.streams import open_stream
from web.words import language, words

LOOPS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""Names under which only this machine reaches itself."""
bp = Blueprint("table", __name__)
watch = Blueprint("watch", __name__)


@bp.get("/")
def page(token: str) -> str:
    """Show the public table with controls for what turns up."""
    return common.show("table.html", common.asker("table"), join=join_address())


@watch.get("/")
def watching(token: str) -> str:
    """Show the public table to look at."""
    return common.show("table.html", common.asker("watch"))


@bp.get("/stream")
def stream(token: str) -> Response:
    """Stream what changes on the public table."""
    return open_stream(common.asker("table"))


@watch.get("/stream")
def watching_stream(token: str) -> Response:
    """Stream what changes on the public table."""
    return open_stream(common.asker("watch"))


@bp.get("/clock")
def clock(token: str) -> Response:
    """Say what time it is."""
    return common.clock(common.asker("table"))


@watch.get("/clock")
def watching_clock(token: str) -> Response:
    """Say what time it is."""
    return common.clock(common.asker("watch"))


@bp.post("/propose")
def propose(token: str) -> Response:
    """Enter what turned up for all to see."""
    return common.propose(common.asker("table"))


@bp.post("/draw")
def draw(token: str) -> Response:
    """Draw the token."""
    return common.draw(common.asker("table"))


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    common.asker("table")
    return drawn(join_address())


@bp.get("/hand")
def hand(token: str) -> str:
    """Ask which seat takes the tablet, and for its PIN."""
    return handing(common.asker("table"))


def handing(viewer: Viewer, wrong: str = "") -> str:
    """Return the hand-over page."""
    doors = context().access.doors(viewer.match)
    taken = frozenset(doors.pins) if doors else frozenset()
    chosen = request.values.get("seat", "")
    players = players_of(context().snapshot())
    return render_template(
        "handover.html", players=players, taken=taken, chosen=chosen if chosen.isdecimal() else "", wrong=wrong
    )


@bp.post("/hand")
def take(token: str) -> Response:
    """Hand the tablet to a seat: a free one is taken with a new PIN, so that one tablet is enough for all."""
    viewer = common.asker("table")
    seat = common.seat_named()
    wrong = context().let_in(viewer.match, seat, request.form.get("pin", "").strip(), known_devices.asking())
    if wrong:
        said = words(language())(f"error.{wrong}", digits=SEAT_PIN)
        return Response(handing(viewer, said), 422 if wrong == "pin_digits" else 403)
    handed = Viewer("seat", viewer.match, seat, digest(token))
    common.remember(handed)
    own = context().access.admit(handed)
    context().hub.refresh()
    return common.to(f"s/{own}/")


def join_address() -> str:
    """Return the address that tablets open to join, with the room's PIN in it.

    A page on the machine's own screen, or one that was opened by a .local name (which not every phone understands),
    shows the machine's number instead.
    """
    ours = request.host_url.rstrip("/")
    asked = urlsplit(ours)
    if (asked.hostname or "") in LOOPS or (asked.hostname or "").endswith(".local"):
        ours = (context().address or first_page(own_address(), asked.port or 80)).rstrip("/")
    doors = context().access.doors(context().snapshot().match_id)
    return f"{ours}/join?room={doors.room if doors else ''}"


def drawn(text: str) -> Response:
    """Return text as a QR code, a picture that stands alone."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", border=2, xmldecl=True, svgns=True, omitsize=True, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")
