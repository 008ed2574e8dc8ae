"""The camera's page: the live picture, what is recognised on it, and putting it right. Knows no pictures' content.

It shows the mat's places only, which everybody at the table sees; it names cards, so it is the host's and the shared
tablet's.
"""

from __future__ import annotations

import re
import time
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from companion.devices.camera_link import ANSWER, CameraLink, CameraSnapshot
from companion.devices.frames import PICTURE, shown
from companion.messages import SECOND, Answered
from web.context import context
from web.presenters.camera_answers import checked
from web.presenters.camera_status import (
    by_place,
    camera_facts,
    camera_sentence,
    cards_to_show,
    place_name,
    spot_card,
    trouble_sentence,
)
from web.presenters.card_names import card_groups_of, say_card
from web.presenters.match_log import players_of
from web.views import answers, pages
from web.words import language, package, words

bp = Blueprint("camera", __name__)
WATCH = 8
"""Seconds for which the camera puts pictures on the shelf each time a page asks."""
STALE = 5 * SECOND
"""A picture that is older is not shown as live."""
SLOW = 20.0
"""Seconds that setting focus and exposure may take."""
PLACE = re.compile(r"[a-z0-9.]{0,60}")
CARD = re.compile(r"[\w][\w +&'()-]{0,39}|")
CORNERS = 4


def camera_link() -> CameraLink | None:
    """Return what knows of the camera, where there is a switchboard."""
    board = context().registry
    return board.camera_link if board is not None else None


def camera_now() -> CameraSnapshot:
    """Return how the camera is."""
    found = camera_link()
    return found.camera if found is not None else CameraSnapshot()


def ask(what: str, fields: dict[str, Any] | None = None, timeout: float = ANSWER) -> Answered:
    """Ask the camera's service; nobody answers where there is none."""
    found = camera_link()
    return checked(what, found.ask(what, fields, timeout)) if found is not None else Answered(0, False, "absent")


def answered(answer: Answered, done: str = "") -> Response:
    """Return what became of a question: a sentence where it could not be done."""
    say = words(language())
    if answer.done:
        return answers.message(say(done) if done else "")
    return answers.message(camera_sentence(say, "answer", answer.key, answer.fields), 409)


@bp.get("/camera")
def page(token: str) -> str:
    """Show the camera's page."""
    viewer = pages.require_viewer("host", "table")
    now = context().watcher.camera()
    groups = card_groups_of(context().snapshot(), language())
    return pages.render_page("camera.html", viewer, there=now.there, rendered=now.rendered, groups=groups)


@bp.get("/camera/live.jpg")
def picture(token: str) -> Response:
    """Show the live picture."""
    pages.require_viewer("host", "table")
    try:
        data = (context().shelf / PICTURE).read_bytes()
    except OSError:
        raise answers.PageGone("error.not_found") from None
    return Response(data, mimetype="image/jpeg")


@bp.get("/camera/live.json")
def live(token: str) -> Response:
    """Say how the camera is and what it sees, in the reader's words."""
    pages.require_viewer("host", "table")
    return Response(msgspec.json.encode(seen()), mimetype="application/json")


def seen() -> dict[str, Any]:
    """Return all that changes on the camera's page."""
    camera, eye = camera_now(), camera_link()
    snapshot = context().snapshot()
    say = words(language(), package(snapshot.game))
    players = players_of(snapshot)
    now = context().watcher.camera()
    live = shown(context().shelf) if camera.sees else None
    if live is not None and time.monotonic_ns() - live.at > STALE:
        live = None
    card = say_card(snapshot, say)
    cards = [
        spot_card(each, players, say, card) for each in by_place(cards_to_show(live, eye.sighted if eye else None))
    ]
    state = camera.state.looking if camera.alive else "lost" if camera.lost else "absent"
    moving = live.moving if live is not None else state == "moving"
    return {
        "alive": camera.alive,
        "sees": camera.sees,
        "at": str(live.at) if live is not None else "",
        "doing": say("lens.looking_moving" if moving else f"lens.looking_{state}"),
        "there": now.there,
        "trouble": trouble_sentence(say, now) if now.expected else "",
        "facts": camera_facts(camera.state, say, camera.rendered) if camera.alive else {},
        "placed": camera.state.mat,
        "cards": cards,
        "places": live.places if live is not None else {},
        "covered": [place_name(place, players, say) for place in (live.covered if live is not None else ())],
    }


@bp.post("/camera/watch")
def watch(token: str) -> Response:
    """Have pictures put on the shelf for a while."""
    pages.require_viewer("host", "table")
    return answered(ask("watch", {"seconds": WATCH}))


@bp.post("/camera/calibrate")
def calibrate(token: str) -> Response:
    """Have focus, exposure and white balance set and locked, and the mat looked for again."""
    pages.require_viewer("host", "table")
    return answered(ask("calibrate", timeout=SLOW), "lens.calibrated")


@bp.post("/camera/places")
def places(token: str) -> Response:
    """Say by four taps where on the picture the table's places are."""
    pages.require_viewer("host", "table")
    corners = taps(request.form.get("corners", ""))
    if corners is None:
        return answers.message(words(language())("lens.bad_corners"), 422)
    return answered(ask("places", {"corners": corners}, SLOW), "lens.placed")


def taps(text: str) -> list[list[float]] | None:
    """Return four taps, each x and y from 0 to 1 of the picture, clockwise; None for anything else."""
    try:
        found = msgspec.json.decode(text, type=list[tuple[float, float]])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if len(found) != CORNERS or not all(0 <= value <= 1 for tap in found for value in tap):
        return None
    turns = []
    for at in range(CORNERS):
        (ax, ay), (bx, by), (cx, cy) = (found[(at + step) % CORNERS] for step in range(3))
        turns.append((bx - ax) * (cy - by) - (by - ay) * (cx - bx))
    return [list(tap) for tap in found] if min(turns) > 0 else None


@bp.post("/camera/name")
def name(token: str) -> Response:
    """Say which card lies there: to the camera, which keeps to it, and to the table."""
    viewer = pages.require_viewer("host", "table")
    form = request.form
    place, at, card = form.get("place", ""), form.get("at", ""), form.get("card", "").strip()
    if not (PLACE.fullmatch(place) and at.isascii() and at.isdecimal() and len(at) < 3 and CARD.fullmatch(card)):
        raise answers.PageGone("error.malformed", 422)
    answer = ask("name", {"place": place, "at": int(at), "card": card})
    observer = context().observer
    if answer.done and card and observer is not None:
        observer.named(place, card, viewer.by)
    return answered(answer, "lens.named" if card else "lens.unnamed")
