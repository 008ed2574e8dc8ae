"""Joining: the room's PIN, a seat, and that seat's own PIN; or a place among the spectators, or the host's page."""

from __future__ import annotations

import re

from flask import Blueprint, Response, render_template, request

from web import shared
from web.access import HOST_PIN, SEAT_PIN, Viewer
from web.house import house
from web.scene import players_of
from web.sentences import language, package, words

bp = Blueprint("join", __name__)


def room() -> str:
    """Return the room's PIN as it was typed or scanned: its digits."""
    return re.sub(r"\D", "", request.values.get("room", ""))[:12]


def entered() -> str:
    """Return the match whose room's PIN was given; raise `Gone` for a wrong one or where no game is set up."""
    home = house()
    match = home.snapshot().match_id
    if not match:
        raise shared.Gone("error.no_match", 409)
    if not home.access.enter_room(match, room(), shared.address()):
        raise shared.Gone("error.wrong_room", 403)
    return match


def form(match: str = "", wrong: str = "", code: int = 200) -> Response:
    """Return the page that asks for the room's PIN, or, where that is right, which seat one takes."""
    home = house()
    snapshot = home.snapshot()
    doors = home.access.doors(match) if match else None
    page = render_template(
        "join.html",
        room=room() if match else "",
        players=players_of(snapshot) if match else (),
        taken=frozenset(doors.pins) if doors else frozenset(),
        bots=home.lobby(snapshot).bots if match else (),
        chosen=request.values.get("seat", ""),
        wrong=wrong,
        words=words(language(), package(snapshot.game)) if match else words(language()),
    )
    return Response(page, code)


@bp.get("/join")
def ask() -> Response:
    """Show where to join; a scanned address has the room's PIN in it."""
    if not house().snapshot().match_id:
        return form(wrong=words(language())("error.no_match"))
    return form(entered()) if room() else form()


@bp.post("/join")
def enter() -> Response:
    """Take a seat: a free one with a new PIN, one's own with the PIN it has."""
    match = entered()
    if "seat" not in request.form:
        return form(match)
    home, say = house(), words(language())
    seat = shared.seat_named()
    wrong = home.let_in(match, seat, request.form.get("pin", "").strip(), shared.address())
    if wrong:
        return form(match, say(f"error.{wrong}", digits=SEAT_PIN), 422 if wrong == "pin_digits" else 403)
    token = home.access.admit(Viewer("seat", match, seat))
    home.hub.dismiss(match, "seat", seat)
    home.hub.refresh()
    return shared.to(f"/s/{token}/")


@bp.post("/watch")
def watch() -> Response:
    """Become a spectator."""
    return shared.to(f"/w/{house().access.admit(Viewer('watch', entered()))}/")


@bp.post("/tablet")
def tablet() -> Response:
    """Make this device the shared tablet."""
    return shared.to(f"/t/{house().access.admit(Viewer('table', entered()))}/")


@bp.get("/host")
def host() -> str:
    """Ask for the host's PIN."""
    return render_template("host_pin.html", digits=HOST_PIN)


@bp.post("/host")
def host_enter() -> Response:
    """Come back to the host's page."""
    home = house()
    match = home.snapshot().match_id
    if not match:
        raise shared.Gone("error.no_match", 409)
    if not home.access.enter_host(match, request.form.get("pin", "").strip(), shared.address()):
        raise shared.Gone("error.wrong_pin", 403)
    return shared.to(f"/h/{home.access.admit(Viewer('host', match))}/")
