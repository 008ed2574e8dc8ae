"""Routes that all live pages share: the page itself, its stream, its clock, and, for players, propose and draw."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, request
from werkzeug.datastructures import MultiDict

from web.context import context
from web.forms import InvalidForm, events_of, form_of
from web.live.clocks import seat_key
from web.security.access import Role, Viewer
from web.views.responses import message, proposal_outcome
from web.views.streams import open_stream
from web.views.viewer_pages import LONGEST_NAME, page_token, require_viewer
from web.words import language, package, words


def add_live_routes(bp: Blueprint, role: Role, render: Callable[[Viewer], str]) -> None:
    """Register a role's live page, made by `render`, its match, stream and clock; spectators get nothing more."""

    def page(token: str, tablet: str = "") -> str:
        return render(require_viewer(role))

    def stream(token: str, tablet: str = "") -> Response:
        return open_stream(require_viewer(role))

    def clock(token: str, tablet: str = "") -> Response:
        return answer_clock(require_viewer(role))

    def propose(token: str, tablet: str = "") -> Response:
        return propose_event(require_viewer(role))

    def draw(token: str, tablet: str = "") -> Response:
        return draw_by_chance(require_viewer(role))

    def match(token: str, tablet: str = "") -> Response:
        return Response(require_viewer(role).match, mimetype="text/plain", headers={"Cache-Control": "no-store"})

    bp.get("/")(page)
    bp.get("/match")(match)
    bp.get("/stream")(stream)
    bp.get("/clock")(clock)
    if role != "watch":
        bp.post("/propose")(propose)
        bp.post("/draw")(draw)


def answer_clock(viewer: Viewer) -> Response:
    """Return the time at once, for pages' clocks. Round trips are stored for seats, because seats press buttons."""
    clocks = context().clocks
    if viewer.seat is None:
        now, nonce = clocks.fresh()
    else:
        page = f"{page_token()}/{request.args.get('page', '')[:LONGEST_NAME]}"
        returned = request.args.get("nonce", "")[:LONGEST_NAME]
        now, nonce = clocks.answer(seat_key(viewer.match, viewer.seat), page, returned)
    return Response(b'{"now":%d,"nonce":"%s"}' % (now, nonce.encode()), mimetype="application/json")


def propose_event(viewer: Viewer) -> Response:
    """Propose the event that a page sent, with those that follow it at once."""
    table = context().table
    snapshot = table.snapshot()
    game, setup = snapshot.game, snapshot.setup
    try:
        form = read_form()
        # If the companion deals, its possible draws are secret.
        state = None if setup is None or setup.deck == "dealt" else snapshot.state
        event, *more = events_of(game, form, viewer, state)
    except InvalidForm as error:
        return message(words(language(), package(game))(error.key, **error.fields), 422)
    answer = table.propose(event, viewer.by, seen_record(viewer, form), viewer.match, tuple(more))
    return proposal_outcome(answer, viewer)


def draw_by_chance(viewer: Viewer) -> Response:
    """Draw the chance that a person triggers."""
    answer = context().table.draw(viewer.by, seen_record(viewer, request.form), viewer.match)
    return proposal_outcome(answer, viewer)


def read_form() -> MultiDict[str, str]:
    """Return a page's data, from a form or from JSON; raise `InvalidForm` if it is neither."""
    if request.mimetype == "application/json":
        try:
            return form_of(msgspec.json.decode(request.get_data()))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise InvalidForm("refused.no_json") from None
    return request.form


def seen_record(viewer: Viewer, form: MultiDict[str, str]) -> int | None:
    """Return the last record that the page knew of; None if it does not say, -1 if it is too old to tell."""
    shown = form.get("seen", "")
    return context().hub.seq(viewer.match, viewer.role, viewer.seat, shown) if shown else None
