"""Joining: the room's PIN, then a seat with its own PIN, a spectator's page, the shared tablet or the host's page."""

from __future__ import annotations

import re

from flask import Blueprint, Response, render_template, request

from companion.games import teller_of
from web.context import context
from web.lobby.record import Lobby
from web.presenters.match_log import players_of
from web.presenters.standings import sides_with_partners
from web.security import known_devices
from web.security.access import HOST_PIN, SEAT_PIN, Viewer
from web.security.pin_limits import TooMany
from web.views import knock as knocking
from web.views import responses, viewer_pages
from web.views.lobby import arrive, join_page
from web.views.lobby_visits import is_in_lobby_room, own_page, to_lobby
from web.words import language, package, words

bp = Blueprint("join", __name__)


def room_pin() -> str:
    """Return the digits of the room's PIN as typed or scanned."""
    return re.sub(r"[^0-9]", "", request.values.get("room", ""))[:12]


def enter_lobby(lobby: Lobby) -> bool:
    """Whether this browser is in a lobby's room: it sent the room's PIN, now or before."""
    door = context().access.room_door(lobby.id, lobby.room)
    if "room" not in request.form and is_in_lobby_room(lobby):
        return True
    if not context().access.enter_door(door, lobby.room, room_pin(), known_devices.requesting_device()):
        return False
    known_devices.remember(door)
    return True


def wrong_lobby_room(lobby: Lobby) -> Response:
    """Return the lobby's form again, with the number of tries left."""
    door = context().access.room_door(lobby.id, lobby.room)
    return join_page(lobby, "", False, knocking.wrong_pin_sentence("error.wrong_room", door), 403)


def enter_room() -> str:
    """Return the match whose room PIN was sent, "" for a wrong PIN; raise `PageGone` if there is no game.

    A browser that has entered the room before need not send the PIN again.

    """
    match = context().snapshot().match_id
    if not match:
        raise responses.PageGone("error.no_match", 409)
    if "room" not in request.form and is_in_room(match):
        return match
    if not context().access.enter_room(match, room_pin(), known_devices.requesting_device()):
        return ""
    known_devices.remember(context().access.door("room", match))
    return match


def is_in_room(match: str) -> bool:
    """Whether this browser has entered the match's room: it has the mark, which cannot be forged."""
    mark = context().access.door("room", match).mark
    return bool(mark) and mark in known_devices.marks()


def wrong_room() -> Response:
    """Return the form for the room's PIN again, with the chosen seat."""
    door = context().access.door("room", context().snapshot().match_id)
    return join_form("", knocking.wrong_pin_sentence("error.wrong_room", door), 403)


def join_form(match: str = "", wrong: str = "", code: int = 200) -> Response:
    """Return the page that asks for the room's PIN or, after the right one, for a seat."""
    snapshot = context().snapshot()
    credentials = context().access.credentials(match) if match else None
    players = players_of(snapshot) if match else ()
    say = words(language(), package(snapshot.game)) if snapshot.match_id else words(language())
    page = render_template(
        "join.html",
        room="" if code == 403 and not match else room_pin(),
        here=knocking.SEATS if match else "/join",
        entered=bool(match),
        players=players,
        sides=sides_with_partners(snapshot.game, snapshot.setup) if match and snapshot.setup is not None else (),
        names=lambda seats: teller_of(snapshot.game).names(seats, players, say),
        taken=frozenset(credentials.pins) if credentials else frozenset(),
        bots=context().seating.occupancy(snapshot).bots if match else (),
        own=own_page("s"),
        chosen=request.values.get("seat", "") or request.values.get("chosen", ""),
        wrong=wrong,
        running=bool(snapshot.match_id),
        words=say,
    )
    return Response(page, code)


@bp.get("/join")
def ask() -> Response:
    """Show the form for joining, with the room's PIN from a scanned address.

    Opening the address tests no PIN, because any website can make a browser open it. Only our own form tries one.
    """
    lobby = context().lobby.waiting
    return join_form() if lobby is None else join_page(lobby, room_pin(), is_in_lobby_room(lobby))


@bp.get(knocking.SEATS)
def seats() -> Response:
    """Show the seats to a browser that has entered the room; send others to the form for the room's PIN."""
    match = context().snapshot().match_id
    return join_form(match) if match and is_in_room(match) else responses.redirect_to("/join")


@bp.post("/join")
def enter() -> Response:
    """Enter the lobby; in a match, take a free seat with a new PIN, or a person's own seat with its PIN."""
    lobby = context().lobby.waiting
    if lobby is not None:
        return enter_waiting(lobby)
    match = enter_room()
    if not match:
        return wrong_room()
    if "colour" in request.form or "claim" in request.form:  # the host started while somebody was typing
        return join_form(match, words(language())("lobby.began"), 409)
    if "seat" not in request.form:
        seat = knocking.read_seat_number(request.form.get("chosen", ""))
        return responses.redirect_to(knocking.seats_address(seat))
    seat = viewer_pages.read_seat()
    wrong = context().seating.enter(match, seat, request.form.get("pin", "").strip(), known_devices.requesting_device())
    if wrong == "no_pin":
        return knocking.ask_page(words(language())("error.no_pin"))
    if wrong:
        return join_form(match, refused_pin(wrong, match, seat), 422 if wrong == "pin_digits" else 403)
    answer = viewer_pages.open_page(Viewer("seat", match, seat))
    context().hub.dismiss(match, "seat", seat)
    context().hub.refresh()
    return answer


def enter_waiting(lobby: Lobby) -> Response:
    """Admit a person to the lobby that waits for people, or show its form."""
    if not enter_lobby(lobby):
        return wrong_lobby_room(lobby)
    if not {"name", "claim"} & set(request.form):
        return responses.redirect_to("/join")
    return arrive(lobby, room_pin())


def refused_pin(wrong: str, match: str, seat: int) -> str:
    """Return why a seat could not be opened."""
    if wrong == "wrong_pin":
        return knocking.wrong_pin_sentence("error.wrong_pin", context().access.door("seat", match, seat))
    return words(language())(f"error.{wrong}", digits=SEAT_PIN)


@bp.post("/watch")
def watch() -> Response:
    """Become a spectator."""
    lobby = context().lobby.waiting
    if lobby is not None:
        return to_lobby(context().access.spectator(lobby.id)) if enter_lobby(lobby) else wrong_lobby_room(lobby)
    match = enter_room()
    return viewer_pages.open_page(Viewer("watch", match)) if match else wrong_room()


@bp.post("/tablet")
def tablet() -> Response:
    """Make this device the shared tablet."""
    lobby = context().lobby.waiting
    if lobby is not None:
        return to_lobby(context().lobby.add_tablet()) if enter_lobby(lobby) else wrong_lobby_room(lobby)
    match = enter_room()
    return viewer_pages.open_page(Viewer("table", match)) if match else wrong_room()


@bp.get("/host")
def host() -> Response:
    """Ask for the host's PIN, unless this browser already has the host's page."""
    return host_form()


def host_form(wrong: str = "", code: int = 200) -> Response:
    """Return the form that asks for the host's PIN."""
    return Response(render_template("host_pin.html", digits=HOST_PIN, wrong=wrong, own=own_page("h")), code)


@bp.post("/host")
def host_enter() -> Response:
    """Return to the host's page."""
    match = context().snapshot().match_id
    if not match:
        raise responses.PageGone("error.no_match", 409)
    access, pin = context().access, request.form.get("pin", "").strip()
    try:
        right = access.enter_host(match, pin, known_devices.requesting_device())
    except TooMany as problem:
        return host_form(knocking.wait_sentence(problem), 429)
    if not right:
        return host_form(knocking.wrong_pin_sentence("error.wrong_pin", access.door("host", match)), 403)
    return viewer_pages.open_page(Viewer("host", match))
