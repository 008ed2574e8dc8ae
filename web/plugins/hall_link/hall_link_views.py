"""The people's actions towards their table's hall: join (before a game anybody may), leave, call a judge, confirm a
result.
"""

from __future__ import annotations

from flask import Blueprint, Response, current_app, render_template, request

from web.forms import InvalidForm
from web.names import read_name
from web.plugins.hall_link.link import TABLET, TableHallLink
from web.views import responses, viewer_pages
from web.views.setup import table_is_free
from web.words import language, words

bp = Blueprint("hall_link", __name__)
door = Blueprint("hall_door", __name__, url_prefix="/hall")
calls = Blueprint("judge_call", __name__)
confirmations = Blueprint("confirmation", __name__)
LONGEST_ADDRESS, LONGEST_CODE = 300, 40
"""The most characters of input for joining."""


def require_hall() -> TableHallLink:
    """Return the table's link to halls; raise `InvalidForm` if its dependencies are missing."""
    found: TableHallLink | None = current_app.extensions["hall_link"]
    if found is None:
        raise InvalidForm("hall_link.missing")
    return found


# --- the host -------------------------------------------------------------------------------------


@bp.post("/hall/join")
def join(token: str) -> Response:
    """Ask a hall to admit this table."""
    viewer_pages.require_viewer("host")
    ask_to_join()
    return responses.message("")


def ask_to_join() -> None:
    """Ask the form's hall to admit this table; raise `InvalidForm` if that is impossible."""
    form = request.form
    address, code = form.get("address", "").strip(), form.get("code", "").strip()
    require_hall().join(address[:LONGEST_ADDRESS], code[:LONGEST_CODE], read_name(form.get("table_name", "")))


@bp.post("/hall/cancel")
def cancel(token: str) -> Response:
    """Cancel joining."""
    viewer_pages.require_viewer("host")
    require_hall().cancel()
    return responses.message("")


@bp.post("/hall/leave")
def leave(token: str) -> Response:
    """Leave the hall and drop unconfirmed data."""
    viewer_pages.require_viewer("host")
    hall = require_hall()
    if request.form.get("sure") != "1":
        return responses.message(words(language())("hall_link.leave_sure", hall=hall.view.name), 409)
    hall.leave()
    return responses.message("")


# --- anybody, while no game is played -------------------------------------------------------------


@door.before_request
def require_no_game() -> None:
    """Reserve the hall's pages for the host during a game."""
    if not table_is_free():
        raise responses.PageGone("error.game_runs", 409)


def door_page(wrong: str = "", code: int = 200) -> Response:
    """Return the page for joining a hall before there is a match."""
    return Response(render_template("hall_link/door.html", wrong=wrong, plain=True), code)


@door.get("")
def entrance() -> Response:
    """Show the form, or the progress of joining."""
    return door_page()


@door.post("/join")
def join_before() -> Response:
    """Ask a hall to admit this table."""
    try:
        ask_to_join()
    except InvalidForm as error:
        return door_page(words(language())(error.key, **error.fields), 422)
    return responses.redirect_to("/hall")


@door.post("/cancel")
def cancel_before() -> Response:
    """Cancel joining."""
    require_hall().cancel()
    return responses.redirect_to("/hall")


# --- the players ----------------------------------------------------------------------------------


def calling_seat() -> int:
    """Return the page's seat, or the shared tablet."""
    viewer = viewer_pages.require_viewer("table", "seat")
    return TABLET if viewer.seat is None else viewer.seat


@calls.post("/hall/call")
def call(token: str, tablet: str = "") -> Response:
    """Call a judge to the table."""
    seat = calling_seat()
    require_hall().call_judge(seat)
    return responses.message("")


@calls.post("/hall/withdraw")
def withdraw(token: str, tablet: str = "") -> Response:
    """Cancel the judge's call."""
    seat = calling_seat()
    require_hall().withdraw_call(seat)
    return responses.message("")


@confirmations.post("/hall/right")
def say(token: str, tablet: str = "") -> Response:
    """Record a seat's answer whether the match's result is right."""
    viewer = viewer_pages.require_viewer("seat")
    assert viewer.seat is not None
    right = request.form.get("right", "")
    if right not in ("0", "1"):
        raise InvalidForm("error.malformed")
    require_hall().say(viewer.seat, viewer.match, right == "1")
    return responses.message("")
