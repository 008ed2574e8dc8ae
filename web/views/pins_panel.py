"""Simulated buttons and lamps on a page of the host, driven pin by pin through the buttons' service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flask import Blueprint, Response, request

from companion.devices.registry import ButtonsStatus
from companion.messages import HOST, PinDriven
from web.context import context
from web.presenters.buttons import buttons_view
from web.presenters.match_log import players_of
from web.views import responses, viewer_pages
from web.words import language, words

bp = Blueprint("pins_panel", __name__)


class PinPlace(NamedTuple):
    """One place at the table: a seat (-1: the host's), with its button's and its lamp's pin; -1 for none."""

    seat: int
    button: int
    lamp: int
    lit: bool


def pin_places(buttons: ButtonsStatus, players: int) -> tuple[PinPlace, ...]:
    """Return the places of a table, the host's button and the buzzer last."""
    pins = {each.seat: each.pin for each in buttons.buttons}
    lamps = {each.seat: each for each in buttons.lamps}

    def place(seat: int) -> PinPlace:
        lamp = lamps.get(seat)
        return PinPlace(seat, pins.get(seat, -1), lamp.pin if lamp else -1, bool(lamp and lamp.on))

    seats: Iterable[int] = [seat for seat in sorted(pins) if 0 <= seat < players]
    return tuple([place(seat) for seat in (*seats, HOST)])


def buttons_now() -> ButtonsStatus:
    """Return the state of the buttons."""
    board = context().registry
    return board.buttons if board is not None else ButtonsStatus()


@bp.get("/bench")
def former(token: str) -> Response:
    """Redirect from the former address, which people may have bookmarked."""
    viewer_pages.require_viewer("host")
    return responses.redirect_to("pins")


@bp.get("/pins")
def page(token: str) -> str:
    """Show the panel, or say that no pins are simulated."""
    viewer = viewer_pages.require_viewer("host")
    buttons = buttons_now()
    players = len(players_of(context().snapshot()))
    there: dict[str, object] = {"simulated": buttons_view(buttons, players).simulated}
    there["places"] = pin_places(buttons, players) if there["simulated"] else ()
    return viewer_pages.render_page("pins_panel.html", viewer, **there)


@bp.post("/drive")
def drive(token: str) -> Response:
    """Drive the pin of a button."""
    viewer_pages.require_viewer("host")
    pin, high = request.form.get("pin", ""), request.form.get("high", "") == "1"
    board = context().registry
    known = {str(each.pin): each.pin for each in buttons_now().buttons}
    if board is None or pin not in known or not board.drive(PinDriven(known[pin], high)):
        return responses.message(words(language())("pins_panel.absent"), 409)
    return Response(status=204)
