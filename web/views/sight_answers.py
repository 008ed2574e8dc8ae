"""What people answer the camera's eye: take it back, it was this, it was misread, it lies right. Knows no rules."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.engine import seat_of
from companion.table.snapshot import TableAnswer
from web.context import house
from web.presenters.sight import mark_of
from web.security.access import Viewer
from web.views import common
from web.words import language, words

bp = Blueprint("eye", __name__)
MENDERS = ("host", "table")
"""Who may put right what others see, too."""


@bp.post("/sight")
def answer(token: str, tablet: str = "") -> Response:
    """Do what a button beside what the camera saw says."""
    viewer = common.asker("host", "table", "seat")
    if house().observer is None:
        return stale()
    match request.form.get("do", ""):
        case "undo":
            return undo(viewer)
        case "choose":
            return choose(viewer)
        case "right":
            return right(viewer)
        case "lies":
            return as_it_lies(viewer)
    raise common.PageGone("error.malformed", 422)


def stale() -> Response:
    """Say that the table has moved on."""
    return common.said(words(language())("sight.stale"), 409)


def answered(found: TableAnswer, viewer: Viewer) -> Response:
    """Return what became of it."""
    return stale() if found.stale else common.answered(found, viewer)


def undo(viewer: Viewer) -> Response:
    """Take back what was taken by sight; past something turned up, all seats are asked."""
    home = house()
    taken = home.snapshot().sight.taken
    if taken is None or request.form.get("to", "") != str(taken.undo_to):
        return stale()
    movers = [seat_of(event) for event in taken.events]
    if viewer.role not in MENDERS and viewer.seat not in movers:
        raise common.PageGone("refused.not_yours", 403)
    found = home.table.ask_undo(taken.undo_to, viewer.by)
    home.consent_for_nobody()
    return common.answered(found, viewer)


def choose(viewer: Viewer) -> Response:
    """Say which of several things it was."""
    home = house()
    mark = request.form.get("mark", "")
    for explanation in home.snapshot().sight.choices:
        if mark_of(explanation) == mark:
            assert home.observer is not None
            return answered(home.observer.choose(explanation, viewer.by), viewer)
    return stale()


def right(viewer: Viewer) -> Response:
    """Put right what was misread before, so that it fits what lies there."""
    if viewer.role not in MENDERS:
        raise common.PageGone("refused.not_yours", 403)
    observer = house().observer
    assert observer is not None
    return answered(observer.put_right(request.form.get("place", ""), viewer.by), viewer)


def as_it_lies(viewer: Viewer) -> Response:
    """Say that the table is right as it lies."""
    if viewer.role not in MENDERS:
        raise common.PageGone("refused.not_yours", 403)
    observer = house().observer
    assert observer is not None
    observer.as_it_lies()
    return common.said("")
