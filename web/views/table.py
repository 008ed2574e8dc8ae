"""The pages of the shared tablet and of spectators: the public table, and handing the tablet to a seat."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from web.context import context
from web.presenters.match_log import players_of
from web.security import known_devices
from web.security.access import Viewer, digest
from web.views import responses, viewer_pages
from web.views.join import refused_pin
from web.views.join_address import join_address, qr_code
from web.views.knock import ask_page
from web.views.live_pages import add_live_routes
from web.views.own_wifi import own_wifi
from web.words import language, words

bp = Blueprint("table", __name__)
watch = Blueprint("watch", __name__)


def render(viewer: Viewer) -> str:
    """Return the public table with controls for chance."""
    return viewer_pages.render_page("table.html", viewer, join=join_address(), wifi=own_wifi())


def render_watched(viewer: Viewer) -> str:
    """Return the public table without controls."""
    return viewer_pages.render_page("table.html", viewer)


add_live_routes(bp, "table", render)
add_live_routes(watch, "watch", render_watched)


@bp.get("/qr.svg")
def code(token: str) -> Response:
    """Show the address for joining as a QR code."""
    viewer_pages.require_viewer("table")
    return qr_code(join_address())


@bp.get("/hand")
def hand(token: str) -> str:
    """Ask which seat takes the tablet, and ask for the seat's PIN."""
    return handover_page(viewer_pages.require_viewer("table"))


def handover_page(viewer: Viewer, wrong: str = "") -> str:
    """Return the hand-over page."""
    credentials = context().access.credentials(viewer.match)
    taken = frozenset(credentials.pins) if credentials else frozenset()
    chosen = request.values.get("seat", "")
    players = players_of(context().snapshot())
    return render_template(
        "handover.html", players=players, taken=taken, chosen=chosen if chosen.isdecimal() else "", wrong=wrong
    )


@bp.post("/hand")
def take(token: str) -> Response:
    """Hand the tablet to a seat. A free seat is taken with a new PIN, so that one tablet is enough for everybody."""
    viewer = viewer_pages.require_viewer("table")
    seat = viewer_pages.read_seat()
    wrong = context().seating.enter(
        viewer.match, seat, request.form.get("pin", "").strip(), known_devices.requesting_device()
    )
    if wrong == "no_pin":
        return ask_page(words(language())("error.no_pin"))
    if wrong:
        said = refused_pin(wrong, viewer.match, seat)
        return Response(handover_page(viewer, said), 422 if wrong == "pin_digits" else 403)
    handed = Viewer("seat", viewer.match, seat, digest(token))
    viewer_pages.remember_doors(handed)
    own = context().access.admit(handed)
    context().hub.refresh()
    return responses.redirect_to(f"s/{own}/")
