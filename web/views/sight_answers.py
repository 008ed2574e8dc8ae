"""Answers about the camera's entries: undo them, choose an explanation, correct a misreading, or confirm the table."""

from __future__ import annotations

from flask import Blueprint, Response, request

from companion.engine import Seat, seat_of
from companion.table.snapshot import TableAnswer
from web.context import context
from web.presenters.sight import explanation_mark
from web.presenters.token_notices import IN_ORDER, claim_mark
from web.security.access import Viewer
from web.views import responses, viewer_pages
from web.words import language, words

bp = Blueprint("sight", __name__)
CORRECTORS = ("host", "table")
"""Roles that may correct entries about others."""


@bp.post("/sight")
def answer(token: str, tablet: str = "") -> Response:
    """Perform the pressed button's action."""
    viewer = viewer_pages.require_viewer("host", "table", "seat")
    if context().observer is None:
        return stale()
    match request.form.get("do", ""):
        case "undo":
            return undo(viewer)
        case "choose":
            return choose(viewer)
        case "right":
            return correct_misread(viewer)
        case "lies":
            return accept_as_it_lies(viewer)
        case "claim":
            return claim(viewer)
        case "in_order":
            return accept_in_order(viewer)
    raise responses.PageGone("error.malformed", 422)


def stale() -> Response:
    """Report that the table has moved on."""
    return responses.message(words(language())("sight.stale"), 409)


def outcome(found: TableAnswer, viewer: Viewer) -> Response:
    """Return an answer's outcome."""
    return stale() if found.stale else responses.proposal_outcome(found, viewer)


def undo(viewer: Viewer) -> Response:
    """Undo the camera's entries; if that includes a revealed card, all seats are asked."""
    accepted = context().snapshot().sight.accepted
    if accepted is None or request.form.get("to", "") != str(accepted.undo_to):
        return stale()
    movers = [seat_of(event) for event in accepted.events]
    if viewer.role not in CORRECTORS and viewer.seat not in movers:
        raise responses.PageGone("refused.not_yours", 403)
    found = context().table.ask_undo(accepted.undo_to, viewer.by)
    context().seating.consent_for_unused_seats()
    return responses.proposal_outcome(found, viewer)


def choose(viewer: Viewer) -> Response:
    """Choose one of several explanations."""
    observer, mark = context().observer, request.form.get("mark", "")
    assert observer is not None
    for explanation in context().snapshot().sight.choices:
        if explanation_mark(explanation) == mark:
            return outcome(observer.choose(explanation, viewer.by), viewer)
    return stale()


def correct_misread(viewer: Viewer) -> Response:
    """Correct an earlier misreading so that it fits the table."""
    if viewer.role not in CORRECTORS:
        raise responses.PageGone("refused.not_yours", 403)
    observer = context().observer
    assert observer is not None
    return outcome(observer.correct_misread(request.form.get("place", ""), viewer.by), viewer)


def accept_as_it_lies(viewer: Viewer) -> Response:
    """Confirm that the table is right as it is."""
    if viewer.role not in CORRECTORS:
        raise responses.PageGone("refused.not_yours", 403)
    observer = context().observer
    assert observer is not None
    observer.accept_as_it_lies()
    return responses.message("")


def claim(viewer: Viewer) -> Response:
    """Make the claim that one's own tokens suggest."""
    observer, mark = context().observer, request.form.get("mark", "")
    assert observer is not None
    for event in context().snapshot().sight.claims:
        if claim_mark(event) == mark:
            if viewer.role != "seat" or seat_of(event) != viewer.seat:
                raise responses.PageGone("refused.not_yours", 403)
            return outcome(observer.take_claim(event, viewer.by), viewer)
    return stale()


def accept_in_order(viewer: Viewer) -> Response:
    """Accept a seat's word that its old money is gone, or that its hand is closed, where the camera may not look
    now.
    """
    seat = request.form.get("seat", "")
    known = [each.seat for each in context().snapshot().sight.notices if each.key in IN_ORDER]
    if not (seat.isascii() and seat.isdecimal() and int(seat) in known):
        return stale()
    if viewer.role not in CORRECTORS and viewer.seat != int(seat):
        raise responses.PageGone("refused.not_yours", 403)
    observer = context().observer
    assert observer is not None
    observer.accept_in_order(Seat(int(seat)))
    return responses.message("")
