"""A seat's own page, on its own device or handed over on the shared tablet."""

from __future__ import annotations

import re

from flask import Blueprint, Response, g, request

from companion.engine import Seat
from companion.mechanics.seals import HASH
from web.context import context
from web.forms import InvalidForm, read_number
from web.live.clocks import ScreenPress
from web.presenters.buttons import press_state
from web.seating import is_seat_pin
from web.security.access import SEAT_PIN, Viewer
from web.views import responses, viewer_pages
from web.views.live_pages import add_live_routes, seen_record
from web.views.lobby_visits import own_page
from web.words import language, words

bp = Blueprint("seat", __name__)
NANOSECONDS = re.compile(r"[0-9]{0,18}")
"""A page's time of a press in nanoseconds, or an empty text."""


def render(viewer: Viewer) -> str:
    """Return the seat's page."""
    credentials = context().access.credentials(viewer.match)
    pin_set = credentials is not None and viewer.seat is not None and bool(credentials.pins.get(viewer.seat))
    own = "" if viewer.under else own_page("h")
    return viewer_pages.render_page("seat.html", viewer, handed=bool(viewer.under), pin_set=pin_set, own_host=own)


add_live_routes(bp, "seat", render)


def require_seat() -> tuple[Viewer, Seat]:
    """Return the viewer of this page, and the seat."""
    viewer = viewer_pages.require_viewer("seat")
    assert viewer.seat is not None
    return viewer, Seat(viewer.seat)


@bp.post("/press")
def press(token: str, tablet: str = "") -> Response:
    """Handle a press of the page's own button; the referee judges its timing and meaning."""
    viewer, seat = require_seat()
    form = request.form
    contact, stamp, since = form.get("contact", "closed"), form.get("at", ""), form.get("since", "")
    if contact not in ("closed", "held") or not all(NANOSECONDS.fullmatch(each) for each in (stamp, since)):
        return responses.message(words(language())("error.malformed"), 422)
    now = press_state(context().snapshot())
    if now.kind in ("deciding", "confirming") and seat in now.seats:
        return Response(status=204)  # outdated: a page that asks a question has controls, not a button
    page = f"{token}/{form.get('page', '')[: viewer_pages.LONGEST_NAME]}"
    touch = ScreenPress("held" if contact == "held" else "closed", stamp, since, g.arrived)
    held = form.get("held", "")
    if held and not HASH.fullmatch(held):
        return responses.message(words(language())("error.malformed"), 422)
    found = context().clocks.press(viewer.match, seat, page, touch)
    if found is not None:
        context().table.press(found, held)
    return Response(status=204)


@bp.post("/consent")
def consent(token: str, tablet: str = "") -> Response:
    """Consent to an undo (`yes` is 1), refuse it, or withdraw one's answer (`yes` is empty)."""
    viewer, seat = require_seat()
    yes = None if request.form.get("yes") == "" else request.form.get("yes") == "1"
    return responses.proposal_outcome(context().table.consent(seat, yes), viewer)


@bp.post("/takeback")
def take_back(token: str, tablet: str = "") -> Response:
    """Take back the seat's own last move, while that is possible without a question to others."""
    viewer, seat = require_seat()
    seen = seen_record(viewer, request.form)
    return responses.proposal_outcome(context().table.take_back(seat, seen, viewer.match), viewer)


@bp.post("/correct")
def correct(token: str, tablet: str = "") -> Response:
    """Set the seat's money to the amount counted behind its screen, if the host has asked for it."""
    viewer, seat = require_seat()
    if context().seating.questions.get(seat) != "cash":
        return responses.message(words(language())("refused.not_asked"), 409)
    try:
        amount = read_number("to", request.form.get("to", ""))
    except InvalidForm as error:
        return responses.message(words(language())(error.key, **error.fields), 422)
    answer = context().table.correct(seat, amount, viewer.by)
    if answer.accepted:
        context().seating.ask(seat, "")
    return responses.proposal_outcome(answer, viewer)


@bp.post("/pin")
def set_pin(token: str, tablet: str = "") -> Response:
    """Give the seat a PIN of its own, which opens it on another device; only from the seat's own device."""
    viewer, seat = require_seat()
    pin = request.form.get("pin", "").strip()
    if viewer.under:
        raise responses.PageGone("refused.not_yours", 403)
    if not is_seat_pin(pin):
        return responses.message_page("error.pin_digits", 422, digits=SEAT_PIN)
    context().access.set_pin(viewer.match, seat, pin)
    viewer_pages.remember_doors(viewer)
    return responses.redirect_to("./")


@bp.post("/hide")
def hide(token: str, tablet: str = "") -> Response:
    """End a handed-over seat's page, and return to the shared tablet's."""
    viewer = viewer_pages.require_viewer("seat")
    if not viewer.under:
        return responses.message("")
    context().access.dismiss(token, viewer.match)
    return responses.redirect_to("../../")
