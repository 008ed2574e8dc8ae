"""A seat's own page, on its own device or handed over on the shared tablet."""

from __future__ import annotations

import re

from flask import Blueprint, Response, g, request

from companion.engine import Seat
from companion.messages import Contact
from web import shared
from web.house import house
from web.pressing import pressing
from web.proposals import Unfit, whole
from web.sentences import language, words
from web.stream import open_stream

bp = Blueprint("seat", __name__)
NANOSECONDS = re.compile(r"[0-9]{0,18}")
"""A moment as a page sends it, or nothing."""


@bp.get("/")
def page(token: str, tablet: str = "") -> str:
    """Show the seat's page."""
    return shared.show("seat.html", shared.asker("seat"), handed=bool(tablet))


@bp.get("/stream")
def stream(token: str, tablet: str = "") -> Response:
    """Stream what changes for the seat."""
    return open_stream(shared.asker("seat"))


@bp.get("/clock")
def clock(token: str, tablet: str = "") -> Response:
    """Say what time it is."""
    return shared.clock(shared.asker("seat"))


@bp.post("/propose")
def propose(token: str, tablet: str = "") -> Response:
    """Propose an event of the seat's own, or what turned up for all to see."""
    return shared.propose(shared.asker("seat"))


@bp.post("/draw")
def draw(token: str, tablet: str = "") -> Response:
    """Draw the token."""
    return shared.draw(shared.asker("seat"))


@bp.post("/press")
def press(token: str, tablet: str = "") -> Response:
    """Take a press of the page's own button; whether it was in time, and what it means, the referee judges."""
    viewer = shared.asker("seat")
    assert viewer.seat is not None
    form = request.form
    contact, stamp, since = form.get("contact", "closed"), form.get("at", ""), form.get("since", "")
    if contact not in ("closed", "held") or not all(NANOSECONDS.fullmatch(each) for each in (stamp, since)):
        return shared.said(words(language())("error.malformed"), 422)
    home = house()
    now = pressing(home.snapshot())
    if now.kind == "deciding" and viewer.seat in now.seats:
        return Response(status=204)  # meant for what was before: on one's turn the page has controls, not a button
    page = f"{token}/{form.get('page', '')[: shared.LONGEST_NAME]}"
    kind: Contact = "held" if contact == "held" else "closed"
    found = home.clocks.press(viewer.match, page, viewer.seat, kind, stamp, since, g.arrived)
    if found is not None:
        home.table.press(found)
    return Response(status=204)


@bp.post("/consent")
def consent(token: str, tablet: str = "") -> Response:
    """Say yes or no to an undo that somebody asks for."""
    viewer = shared.asker("seat")
    assert viewer.seat is not None
    return shared.answered(house().table.consent(Seat(viewer.seat), request.form.get("yes") == "1"), viewer)


@bp.post("/correct")
def correct(token: str, tablet: str = "") -> Response:
    """Put the seat's money to what really lies behind its screen, when the host has asked for it."""
    viewer = shared.asker("seat")
    home = house()
    assert viewer.seat is not None
    if home.asked.get(viewer.seat) != "cash":
        return shared.said(words(language())("refused.not_asked"), 409)
    try:
        amount = whole("to", request.form.get("to", ""))
    except Unfit as error:
        return shared.said(words(language())(error.key, **error.fields), 422)
    answer = home.table.correct(Seat(viewer.seat), amount, viewer.by)
    if answer.accepted:
        home.ask(viewer.seat, "")
    return shared.answered(answer, viewer)


@bp.post("/hide")
def hide(token: str, tablet: str = "") -> Response:
    """End a seat's page that was handed over, and go back to the shared tablet's."""
    viewer = shared.asker("seat")
    if not viewer.under:
        return shared.said("")
    house().access.dismiss(token, viewer.match)
    return shared.to("../../")
