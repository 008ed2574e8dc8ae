"""A seat's own page, on its own device or handed over on the shared tablet."""

from __future__ import annotations

import re

from flask import Blueprint, Response, g, request

from companion.engine import Seat
from companion.messages import Contact
from web.context import context
from web.forms import InvalidForm, whole
from web.presenters.buttons import pressing
from web.views import common
from web.views.streams import open_stream
from web.words import language, words

bp = Blueprint("seat", __name__)
NANOSECONDS = re.compile(r"[0-9]{0,18}")
"""A moment as a page sends it, or nothing."""


@bp.get("/")
def page(token: str, tablet: str = "") -> str:
    """Show the seat's page."""
    return common.show("seat.html", common.asker("seat"), handed=bool(tablet))


@bp.get("/stream")
def stream(token: str, tablet: str = "") -> Response:
    """Stream what changes for the seat."""
    return open_stream(common.asker("seat"))


@bp.get("/clock")
def clock(token: str, tablet: str = "") -> Response:
    """Say what time it is."""
    return common.clock(common.asker("seat"))


@bp.post("/propose")
def propose(token: str, tablet: str = "") -> Response:
    """Propose an event of the seat's own, or what turned up for all to see."""
    return common.propose(common.asker("seat"))


@bp.post("/draw")
def draw(token: str, tablet: str = "") -> Response:
    """Draw the token."""
    return common.draw(common.asker("seat"))


@bp.post("/press")
def press(token: str, tablet: str = "") -> Response:
    """Take a press of the page's own button; whether it was in time, and what it means, the referee judges."""
    viewer = common.asker("seat")
    assert viewer.seat is not None
    form = request.form
    contact, stamp, since = form.get("contact", "closed"), form.get("at", ""), form.get("since", "")
    if contact not in ("closed", "held") or not all(NANOSECONDS.fullmatch(each) for each in (stamp, since)):
        return common.said(words(language())("error.malformed"), 422)
    now = pressing(context().snapshot())
    if now.kind == "deciding" and viewer.seat in now.seats:
        return Response(status=204)  # meant for what was before: on one's turn the page has controls, not a button
    page = f"{token}/{form.get('page', '')[: common.LONGEST_NAME]}"
    kind: Contact = "held" if contact == "held" else "closed"
    found = context().clocks.press(viewer.match, page, viewer.seat, kind, stamp, since, g.arrived)
    if found is not None:
        context().table.press(found)
    return Response(status=204)


@bp.post("/consent")
def consent(token: str, tablet: str = "") -> Response:
    """Say yes or no to an undo that somebody asks for."""
    viewer = common.asker("seat")
    assert viewer.seat is not None
    return common.answered(context().table.consent(Seat(viewer.seat), request.form.get("yes") == "1"), viewer)


@bp.post("/correct")
def correct(token: str, tablet: str = "") -> Response:
    """Put the seat's money to what really lies behind its screen, when the host has asked for it."""
    viewer = common.asker("seat")
    assert viewer.seat is not None
    if context().asked.get(viewer.seat) != "cash":
        return common.said(words(language())("refused.not_asked"), 409)
    try:
        amount = whole("to", request.form.get("to", ""))
    except InvalidForm as error:
        return common.said(words(language())(error.key, **error.fields), 422)
    answer = context().table.correct(Seat(viewer.seat), amount, viewer.by)
    if answer.accepted:
        context().ask(viewer.seat, "")
    return common.answered(answer, viewer)


@bp.post("/hide")
def hide(token: str, tablet: str = "") -> Response:
    """End a seat's page that was handed over, and go back to the shared tablet's."""
    viewer = common.asker("seat")
    if not viewer.under:
        return common.said("")
    context().access.dismiss(token, viewer.match)
    return common.to("../../")
