"""The first page, and a device's preferences: its language, light or dark."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion.findings import finding_text
from companion.ops.doctor.disk import judge_held
from web.context import context
from web.page_app import local_address, store_preferences
from web.presenters.standings import names_by_side
from web.views import responses
from web.views.join_address import join_address, machine_address, qr_code
from web.views.lobby import game_of, seen_mark
from web.views.lobby_visits import is_in_lobby_room, own_page
from web.views.own_wifi import own_wifi, wifi_for_anybody
from web.views.setup import offers, table_is_free
from web.words import language, package, words

bp = Blueprint("start", __name__)


@bp.get("/")
def page() -> str:
    """Show the possible actions: choose a game, join, watch, continue, past games."""
    snapshot, lobby = context().snapshot(), context().lobby.waiting
    running = bool(snapshot.match_id) and not snapshot.over
    say = words(language(), package(snapshot.game)) if snapshot.match_id else words(language())
    command = context().host_pin_command() if context().locked_out() else ""
    lost = [say("error.doors_lost", command=command)] if command else []
    held = ["{}: {}. {}".format(*finding_text(each, say)) for each in judge_held(snapshot.unsaved)]
    inside = lobby is not None and is_in_lobby_room(lobby)
    return render_template(
        "start.html",
        running=running,
        over=snapshot.over,
        who=names_by_side(snapshot.game, snapshot.setup) if snapshot.setup is not None else "",
        findings=(*lost, *held, *snapshot.findings),
        locked=bool(lost),
        command=command,
        offers=offers() if table_is_free() and lobby is None else (),
        lobby=lobby,
        words_of_lobby=say if lobby is None else words(language(), package(game_of(lobby))),
        inside=inside,
        away=lobby is not None and context().lobby.host_is_away,
        own={letter: own_page(letter) for letter in ("l", "s", "h")},
        address=join_address() if inside else machine_address(),
        wifi=own_wifi() if inside else wifi_for_anybody(),
        seen=state_mark(),
        words=say,
    )


def state_mark() -> str:
    """Return a fingerprint of the table's state, as far as the first page shows it."""
    snapshot, lobby = context().snapshot(), context().lobby.waiting
    return f"{snapshot.match_id}.{snapshot.over:d}.{'' if lobby is None else seen_mark(lobby)}"


@bp.get("/now")
def now() -> Response:
    """Report whether the first page is up to date, or must be opened again (`X-Go`)."""
    return Response(status=204, headers={} if request.args.get("seen") == state_mark() else {"X-Go": "/"})


@bp.get("/qr.svg")
def code() -> Response:
    """Show this machine's address as a QR code; to a device in the lobby's room, the one for joining it."""
    lobby = context().lobby.waiting
    return qr_code(join_address() if lobby is not None and is_in_lobby_room(lobby) else machine_address())


@bp.post("/preferences")
def preferences() -> Response:
    """Store this device's language or theme."""
    return store_preferences(responses.redirect_to(local_address(request.form.get("back", "/"))))


@bp.get("/health")
def health() -> Response:
    """Report that the companion is running."""
    return Response("ok\n", mimetype="text/plain")
