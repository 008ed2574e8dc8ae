"""A rematch: one tap begins another match with the same game, seats, PINs and devices."""

from __future__ import annotations

from flask import Blueprint, Response, request
from msgspec import UNSET
from msgspec.structs import replace

from companion.engine import BadSetup, Setup
from companion.table.table import TableOccupied
from web.context import context
from web.views import responses, viewer_pages
from web.words import language, words

bp = Blueprint("again", __name__)


def further_setup(ended: Setup) -> Setup:
    """Return the set-up of a rematch: the ended match's, with a new shuffle and current rulings."""
    return replace(ended, players=ended.seated(), seed_hash="", rulings=UNSET)


@bp.post("/again")
def begin(token: str) -> Response:
    """Begin a rematch. A second tap, here or on another page, leads to the rematch that the first tap began."""
    viewer = viewer_pages.require_viewer("host", "table")
    snapshot = context().snapshot()
    if request.form.get("match", viewer.match) != snapshot.match_id:
        return responses.redirect_to("./")
    if snapshot.match_id != viewer.match or not snapshot.over:
        return responses.message(words(language())("again.runs"), 409)
    assert snapshot.setup is not None
    setup = further_setup(snapshot.setup)
    try:
        context().access.begin_again(viewer.match, lambda keeps: context().table.start(setup, keeps, if_free=True))
    except BadSetup as error:
        return responses.message(responses.setup_refusal(error.refusal, snapshot.game, setup.seated()), 409)
    except TableOccupied:
        return responses.redirect_to("./")  # the other of two simultaneous taps was first
    context().new_match()
    return responses.redirect_to("./")
