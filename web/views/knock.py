"""Pages on which a newcomer blocked by the limits on PINs asks the host for admission, and waits."""

from __future__ import annotations

from math import ceil
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request

from companion.engine.names import TYPED
from web.context import context
from web.names import isolated, read_name
from web.presenters.match_log import players_of
from web.security import known_devices
from web.security.knocks import TooManyKnocks
from web.security.pin_limits import Door, TooMany
from web.views import responses, viewer_pages
from web.words import language, words

bp = Blueprint("knock", __name__)
SEATS = "/join/seat"
"""The page of seats for a browser that has entered the room."""
AGAIN = 3
"""Seconds after which a waiting page reloads."""


def wrong_pin_sentence(key: str, door: Door) -> str:
    """Return the sentence that a PIN was wrong, with the number of tries left before a wait."""
    say = words(language())
    left, wait = context().access.limits.left(door, known_devices.requesting_device())
    more = say.plural("pin.left", left) if left else say("pin.wait", seconds=ceil(wait)) if wait else ""
    return f"{say(key)} {more}".strip()


def wait_sentence(problem: TooMany) -> str:
    """Return the sentence about the wait before the next try, or about who can help."""
    say = words(language())
    if problem.kind == "host" and problem.all_of_them:
        return say("error.host_held", minutes=ceil(problem.wait / 60))
    return say("error.held") if problem.all_of_them else say("error.wait", seconds=ceil(problem.wait))


def wait_page(problem: TooMany) -> Response:
    """Show the wait, and offer to ask the host. Nobody can admit a second host from a page."""
    sentence = wait_sentence(problem)
    if problem.kind == "host" or request.headers.get("HX-Request") or not context().snapshot().match_id:
        return responses.message(sentence, 429)  # the lobby has no admission by tap yet
    return ask_page(sentence, 429)


def ask_page(sentence: str, code: int = 403) -> Response:
    """Show why a seat stays closed, and offer to ask the host."""
    page = render_template(
        "pin_limit.html",
        sentence=sentence,
        seat_wanted=str(seat) if (seat := read_seat_number(request.form.get("seat", ""))) is not None else "",
        tablet=viewer_pages.page_token() if request.path.startswith("/t/") else "",
        again=way_back(),
        longest=TYPED,
        csrf=context().forms.token(""),
    )
    return Response(page, code)


def way_back() -> str:
    """Return the address of the submitted form, with its fields except PINs."""
    if request.path.startswith("/t/"):
        return f"hand?{urlencode({'seat': request.form.get('seat', '')})}"
    return seats_address(read_seat_number(request.form["seat"])) if "seat" in request.form else "/join"


def seats_address(seat: int | None = None) -> str:
    """Return the address of the page of seats, with one of them perhaps chosen."""
    return SEATS if seat is None else f"{SEATS}?chosen={seat}"


def read_seat_number(text: str) -> int | None:
    """Return a seat number of this game; None for anything else."""
    count = len(players_of(context().snapshot()))
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 and int(text) < count else None


@bp.post("/knock")
def knock() -> Response:
    """Ask the host for admission."""
    match = context().snapshot().match_id
    if not match:
        raise responses.PageGone("error.no_match", 409)
    seat = read_seat_number(request.form.get("seat", ""))
    token = request.form.get("tablet", "")
    viewer = context().viewer(token) if token else None
    from_tablet = viewer is not None and viewer.role == "table" and seat is not None
    back = f"/t/{token}/hand?seat={seat}" if from_tablet else ""
    name = isolated(read_name(request.form.get("name", "")))
    try:
        context().knocks.knock(
            match, seat, known_devices.requesting_device(), name, known_devices.sort_of_device(), back
        )
    except TooManyKnocks as problem:
        raise responses.PageGone("error.knock_refused" if problem.refused else "error.knocks_full", 429) from None
    context().hub.refresh()
    return responses.redirect_to("/knock")


@bp.get("/knock")
def wait() -> Response:
    """Show the wait for the host's answer, and lead on after a yes."""
    match = context().snapshot().match_id
    found = context().knocks.of(match, known_devices.requesting_device().visit) if match else None
    if found is None:
        return responses.redirect_to("/join")
    if found.answer == "yes":
        known_devices.remember(context().access.door("room", found.match))
        return responses.redirect_to(found.back or seats_address(found.seat))
    if found.answer == "no":
        return responses.message_page("error.knock_refused", 403)
    return Response(render_template("knock.html", number=found.number, again=AGAIN))


def answer_knock(match: str, number: str, yes: bool) -> None:
    """Admit or refuse a newcomer; raise `PageGone` if none with that number is waiting."""
    plain = number.isascii() and number.isdecimal() and len(number) < 3
    found = context().knocks.answer(match, int(number), yes) if plain else None
    if found is None:
        raise responses.PageGone("error.knock_over", 409)
    if yes and found.seat is not None:
        context().access.limits.grant(context().access.door("seat", match, found.seat), found.visit)
    context().hub.refresh()
