"""The camera's page: the live picture, its recognised cards, and their correction.

It shows only the mat's places, which everybody at the table sees. It names cards, so only the host and the shared
tablet may open it.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response, request

from companion.devices.camera_link import CameraLink, CameraSnapshot
from companion.devices.camera_requests.camera_request import A, CameraRefusal, CameraRequest, Point
from companion.devices.camera_requests.table import Calibrate, NameCard, SetPlaces, Watch
from companion.devices.frames import PICTURE_NAME, read_frame
from companion.engine import Unveiling, tokens_seen
from companion.engine.board import board_of
from companion.messages import SECOND
from companion.table.snapshot import Snapshot
from web.context import context
from web.presenters.box_board import board_sketches
from web.presenters.camera_status import (
    by_place,
    camera_facts,
    camera_sentence,
    cards_to_show,
    hanging_lines,
    place_name,
    spot_card,
    trouble_sentence,
)
from web.presenters.card_names import card_groups_of, say_card
from web.presenters.match_log import players_of
from web.presenters.spotted_tokens import spot_token, token_lines, tokens_to_show
from web.views import responses, viewer_pages
from web.words import language, package, words

bp = Blueprint("camera", __name__)
WATCH = 8
"""Seconds of live pictures per request."""
WHOLE = 4
"""Seconds of pictures of the whole table per request, so that they end soon after the game goes on."""
STALE = 5 * SECOND
"""Nanoseconds; an older picture is not shown as live."""
PLACE = re.compile(r"[a-z0-9.]{0,60}")
CARD = re.compile(r"[\w][\w +&'()-]{0,39}|")
CORNERS = 4


def camera_link() -> CameraLink | None:
    """Return the table's link to the camera's service, if any."""
    board = context().registry
    return board.camera_link if board is not None else None


def camera_now() -> CameraSnapshot:
    """Return the camera's state."""
    link = camera_link()
    return link.camera if link is not None else CameraSnapshot()


def ask(request: CameraRequest[A]) -> A:
    """Return the camera service's answer; raise `CameraRefusal` if there is none."""
    link = camera_link()
    if link is None:
        raise CameraRefusal("absent")
    return link.ask(request)


def explain(refusal: CameraRefusal) -> str:
    """Return the reason for a refusal in a sentence."""
    return camera_sentence(words(language()), "answer", refusal.key or "failed", refusal.fields)


def refusal_response(refusal: CameraRefusal) -> Response:
    """Return the response to a button whose request was refused."""
    return responses.message(explain(refusal), 409)


def send(request: CameraRequest[A], done: str) -> Response:
    """Send a request and return the response to the button; `done` is the key of the success sentence."""
    try:
        ask(request)
    except CameraRefusal as refusal:
        return refusal_response(refusal)
    return responses.message(words(language())(done))


def ask_for_pictures(whole: bool = False) -> Response:
    """Request live pictures. Ignore a refusal, because `live.json` gives the reason."""
    with contextlib.suppress(CameraRefusal):
        ask(Watch(WHOLE, whole=True) if whole else Watch(WATCH))
    return Response(status=204)


@bp.get("/camera")
def page(token: str) -> str:
    """Show the camera's page."""
    viewer = viewer_pages.require_viewer("host", "table")
    now = context().watcher.camera()
    snapshot = context().snapshot()
    return viewer_pages.render_page(
        "camera.html",
        viewer,
        there=now.there,
        rendered=now.rendered,
        by_phone=camera_now().by_phone,
        groups=card_groups_of(snapshot, language()),
        **box_boards(snapshot),
    )


def box_boards(snapshot: Snapshot) -> dict[str, object]:
    """Return the boards of the match's game, and the name of the match's own board."""
    own = board_of(snapshot.game, snapshot.state) if snapshot.state is not None else None
    sketches = board_sketches(snapshot.game, words(language(), package(snapshot.game)))
    return {"boards": sketches, "own_board": own.name if own is not None else ""}


@bp.get("/camera/live.jpg")
def picture(token: str) -> Response:
    """Show the live picture."""
    viewer_pages.require_viewer("host", "table")
    try:
        data = (context().frames / PICTURE_NAME).read_bytes()
    except OSError:
        raise responses.PageGone("error.not_found") from None
    return Response(data, mimetype="image/jpeg")


@bp.get("/camera/live.json")
def live(token: str) -> Response:
    """Return the camera's state and the cards that it sees, in the reader's language."""
    viewer_pages.require_viewer("host", "table")
    return Response(msgspec.json.encode(live_facts()), mimetype="application/json")


def live_facts() -> dict[str, object]:
    """Return all changing parts of the camera's page."""
    camera, link = camera_now(), camera_link()
    snapshot = context().snapshot()
    say = words(language(), package(snapshot.game))
    players = players_of(snapshot)
    now = context().watcher.camera()
    live = read_frame(context().frames) if camera.sees else None
    if live is not None and time.monotonic_ns() - live.at > STALE:
        live = None
    card = say_card(snapshot, say)
    cards = [
        spot_card(each, players, say, card) for each in by_place(cards_to_show(live, link.sighted if link else None))
    ]
    shown = tokens_to_show(live, link.sighted if link else None)
    tokens = [spot_token(each, snapshot.game, players, say) for each in shown]
    state = camera.state.looking if camera.alive else "lost" if camera.lost else "absent"
    moving = live.moving if live is not None else state == "moving"
    return {
        "alive": camera.alive,
        "sees": camera.sees,
        "at": str(live.at) if live is not None else "",
        "doing": say("camera_page.looking_moving" if moving else f"camera_page.looking_{state}"),
        "there": now.there,
        "trouble": trouble_sentence(say, now) if now.expected else "",
        "facts": camera_facts(camera.state, say) if camera.alive else {},
        # nobody can move a rendered table's camera
        "hanging": hanging_lines(camera.state, say) if camera.alive and not camera.rendered else [],
        "hangs_ill": bool(camera.state.hanging),
        "table": camera.state.table,
        "placed": camera.state.mat,
        "cards": cards,
        "tokens": tokens,
        "token_lines": token_lines(tokens),
        "places": live.places if live is not None else {},
        "covered": [place_name(place, players, say) for place in (live.covered if live is not None else ())],
    }


@bp.post("/camera/watch")
def watch(token: str) -> Response:
    """Request live pictures for a while; show the whole table if somebody sets a board."""
    viewer_pages.require_viewer("host", "table")
    return ask_for_pictures(request.form.get("whole") == "1" and may_show_whole())


def may_show_whole() -> bool:
    """Whether pictures may show the whole table: never while people play with cards in their hands.

    A camera might see into a hand. Before a match nobody holds cards; every page announces a pause. A pause opens no
    fist, so places for early open fists stay hidden.
    """
    snapshot = context().snapshot()
    return (snapshot.paused and not fists_are_closed(snapshot)) or snapshot.over or not snapshot.entries


def fists_are_closed(snapshot: Snapshot) -> bool:
    """Whether fists with tokens are closed, including during a pause."""
    state = snapshot.state
    if state is None or not state.agenda or not tokens_seen(snapshot.game):
        return False
    return snapshot.game.has_sealed(state) or isinstance(state.agenda[0].timing(state.table), Unveiling)


@bp.post("/camera/calibrate")
def calibrate(token: str) -> Response:
    """Set and lock focus, exposure and white balance, and look for the mat again."""
    viewer_pages.require_viewer("host", "table")
    return send(Calibrate(), "camera_page.calibrated")


@bp.post("/camera/places")
def places(token: str) -> Response:
    """Set the places from four taps on the picture."""
    viewer_pages.require_viewer("host", "table")
    corners = taps(request.form.get("corners", ""))
    if corners is None:
        return responses.message(words(language())("camera_page.bad_corners"), 422)
    return send(SetPlaces(corners), "camera_page.placed")


def taps(text: str) -> tuple[Point, ...] | None:
    """Return four taps, each x and y from 0 to 1 of the picture, clockwise; None for anything else."""
    try:
        found = msgspec.json.decode(text, type=tuple[Point, ...])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if len(found) != CORNERS or not all(0 <= value <= 1 for tap in found for value in tap):
        return None
    return found if turns_clockwise(found) else None


def turns_clockwise(corners: Sequence[Point]) -> bool:
    """Whether corners form a convex polygon in clockwise order."""
    turns = []
    for at in range(len(corners)):
        (ax, ay), (bx, by), (cx, cy) = (corners[(at + step) % len(corners)] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return min(turns) > 0


@bp.post("/camera/name")
def name(token: str) -> Response:
    """Tell the camera and the table which card is at a place."""
    viewer = viewer_pages.require_viewer("host", "table")
    form = request.form
    place, at, card = form.get("place", ""), form.get("at", ""), form.get("card", "").strip()
    if not (PLACE.fullmatch(place) and at.isascii() and at.isdecimal() and len(at) < 3 and CARD.fullmatch(card)):
        raise responses.PageGone("error.malformed", 422)
    try:
        ask(NameCard(place, int(at), card))
    except CameraRefusal as refusal:
        return refusal_response(refusal)
    observer = context().observer
    if card and observer is not None:
        observer.name_card(place, card, viewer.by)
    return responses.message(words(language())("camera_page.named" if card else "camera_page.unnamed"))
