"""Requests for advice from seats, and the host's permission for them."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from web.context import context
from web.forms import InvalidForm
from web.plugins.advice.desk import AdviceDesk
from web.plugins.advice.permissions import CHOICES
from web.views import responses, viewer_pages
from web.views.seat import require_seat
from web.words import language, words

seats = Blueprint("advice", __name__)
host = Blueprint("advice_host", __name__)


def desk() -> AdviceDesk:
    """Return the desk that gives advice at this table."""
    found: AdviceDesk = current_app.extensions["advice"]
    return found


@seats.post("/advice")
def ask(token: str, tablet: str = "") -> Response:
    """Give the seat a hint or, when it asks again, the move."""
    viewer, seat = require_seat()
    try:
        desk().ask(viewer.match, seat)
    except InvalidForm as error:
        return responses.message(words(language())(error.key, **error.fields), 409)
    context().hub.refresh()
    return responses.message("")


@host.post("/advice")
def allow(token: str) -> Response:
    """Set how often a seat may ask for advice: never, once a turn or always."""
    viewer_pages.require_viewer("host")
    seat, choice = viewer_pages.read_seat(), request.form.get("allow", "")
    if choice not in CHOICES:
        return responses.message_page("refused.not_asked", 422)
    try:
        desk().allow(seat, choice)
    except InvalidForm as error:
        return responses.message(words(language())(error.key, **error.fields), 409)
    context().hub.refresh()
    return responses.message("")
