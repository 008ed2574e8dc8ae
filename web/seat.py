"""A seat's own page, on its own device or handed over on the shared tablet."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.engine import Seat
from web import shared
from web.house import house
from web.proposals import Unfit, whole
from web.sentences import language, words
from web.stream import open_stream

bp = Blueprint("seat", __name__)


@bp.get("/")
def page(token: str, tablet: str = "") -> str:
    """Show the seat's page."""
    return shared.show("seat.html", shared.asker("seat"), handed=bool(tablet))


@bp.get("/stream")
def stream(token: str, tablet: str = "") -> Response:
    """Stream what changes for the seat."""
    return open_stream(shared.asker("seat"))


@bp.post("/propose")
def propose(token: str, tablet: str = "") -> Response:
    """Propose an event of the seat's own, or what turned up for all to see."""
    return shared.propose(shared.asker("seat"))


@bp.post("/draw")
def draw(token: str, tablet: str = "") -> Response:
    """Draw the token."""
    return shared.draw(shared.asker("seat"))


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
