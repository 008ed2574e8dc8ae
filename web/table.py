"""The shared tablet's page and the spectators': the public table, and the hand-over to a seat by its PIN."""

from __future__ import annotations

import io
from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, render_template, request

from companion.own_address import own_address
from companion.own_address import page as first_page
from web import devices, shared
from web.access import SEAT_PIN, Viewer, digest
from web.house import house
from web.scene import players_of
from web.sentences import language, words
from web.stream import open_stream

LOOPS = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
"""Names under which only this machine reaches itself."""
bp = Blueprint("table", __name__)
watch = Blueprint("watch", __name__)


@bp.get("/")
def page(token: str) -> str:
    """Show the public table with controls for what turns up."""
    return shared.show("table.html", shared.asker("table"), join=join_address())


@watch.get("/")
def watching(token: str) -> str:
    """Show the public table to look at."""
    return shared.show("table.html", shared.asker("watch"))


@bp.get("/stream")
def stream(token: str) -> Response:
    """Stream what changes on the public table."""
    return open_stream(shared.asker("table"))


@watch.get("/stream")
def watching_stream(token: str) -> Response:
    """Stream what changes on the public table."""
    return open_stream(shared.asker("watch"))


@bp.get("/clock")
def clock(token: str) -> Response:
    """Say what time it is."""
    return shared.clock(shared.asker("table"))


@watch.get("/clock")
def watching_clock(token: str) -> Response:
    """Say what time it is."""
    return shared.clock(shared.asker("watch"))


@bp.post("/propose")
def propose(token: str) -> Response:
    """Enter what turned up for all to see."""
    return shared.propose(shared.asker("table"))


@bp.post("/draw")
def draw(token: str) -> Response:
    """Draw the token."""
    return shared.draw(shared.asker("table"))


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    shared.asker("table")
    return drawn(join_address())


@bp.get("/hand")
def hand(token: str) -> str:
    """Ask which seat takes the tablet, and for its PIN."""
    return handing(shared.asker("table"))


def handing(viewer: Viewer, wrong: str = "") -> str:
    """Return the hand-over page."""
    doors = house().access.doors(viewer.match)
    taken = frozenset(doors.pins) if doors else frozenset()
    chosen = request.values.get("seat", "")
    players = players_of(house().snapshot())
    return render_template(
        "handover.html", players=players, taken=taken, chosen=chosen if chosen.isdecimal() else "", wrong=wrong
    )


@bp.post("/hand")
def take(token: str) -> Response:
    """Hand the tablet to a seat: a free one is taken with a new PIN, so that one tablet is enough for all."""
    viewer = shared.asker("table")
    seat = shared.seat_named()
    home = house()
    wrong = home.let_in(viewer.match, seat, request.form.get("pin", "").strip(), devices.asking())
    if wrong:
        said = words(language())(f"error.{wrong}", digits=SEAT_PIN)
        return Response(handing(viewer, said), 422 if wrong == "pin_digits" else 403)
    handed = Viewer("seat", viewer.match, seat, digest(token))
    shared.remember(handed)
    own = home.access.admit(handed)
    home.hub.refresh()
    return shared.to(f"s/{own}/")


def join_address() -> str:
    """Return the address that tablets open to join, with the room's PIN in it.

    A page on the machine's own screen, or one that was opened by a .local name (which not every phone understands),
    shows the machine's number instead.
    """
    home = house()
    ours = request.host_url.rstrip("/")
    asked = urlsplit(ours)
    if (asked.hostname or "") in LOOPS or (asked.hostname or "").endswith(".local"):
        ours = (home.address or first_page(own_address(), asked.port or 80)).rstrip("/")
    doors = home.access.doors(home.snapshot().match_id)
    return f"{ours}/join?room={doors.room if doors else ''}"


def drawn(text: str) -> Response:
    """Return text as a QR code, a picture that stands alone."""
    out = io.BytesIO()
    segno.make(text, error="m").save(out, kind="svg", border=2, xmldecl=True, svgns=True, omitsize=True, light="#fff")
    return Response(out.getvalue(), mimetype="image/svg+xml")
