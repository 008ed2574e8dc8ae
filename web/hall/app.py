"""The hall's web application: its pages, access to them, and its answers to errors."""

from __future__ import annotations

import logging
from urllib.parse import urlencode

from flask import Flask, Response, redirect, render_template, request
from flask.typing import ResponseReturnValue

from companion.devices.hall_link.joining import JoinError
from companion.hall.checks import HallError
from companion.hall.store import StoreError
from web.forms import InvalidForm
from web.hall import (
    board,
    decisions,
    doors,
    feed_streams,
    judge,
    organiser,
    organiser_parts,
    phone_views,
    player_views,
    tournament_views,
)
from web.hall.context import HallContext, hall_context, say
from web.hall.form_handling import SCRIPTED, judge_name
from web.hall.roles import JUDGE, ORGANISER, VIEWER, RoleMissing, current_role, current_sender, has_role
from web.page_app import PageApp
from web.security import csrf, host_names
from web.security.rate_limits import UNBOUNDED, Rates

LOG = logging.getLogger(__name__)
PAGES = (board, feed_streams, doors, judge, organiser, tournament_views, player_views, phone_views, decisions)
NAVIGATION = (
    ("board", "board.page", VIEWER),
    ("judge", "judge.page", JUDGE),
    ("tournament", "tournament.page", VIEWER),
    ("organiser", "organiser.page", ORGANISER),
)
"""Pages in the navigation bar: label, endpoint and required role."""
HOMES = ("enter", "judge", "organiser", "tournament")
"""Pages to return to after an error, by the first part of the path of their forms."""
LARGE_PATHS, LARGE = ("/tournament/",), 1024 * 1024
"""Paths that accept lists of players, and the largest size in bytes."""
FIRST = (*[f"/{home}" for home in HOMES], "/static/", "/join", "/health", "/stream/judge", "/stream/organiser")
"""Path prefixes that are served before the boards of many spectators."""


def create_hall_app(found: HallContext, testing: bool = False) -> Flask:
    """Return the application for a hall; `testing` lifts the limits on how often one may post."""
    app = PageApp(error_answer, LARGE, testing)
    app.extensions["hall"] = found
    if testing:
        found.rates = found.joining = Rates(UNBOUNDED, UNBOUNDED)
    app.before_request(guard)
    app.context_processor(template_globals)
    for kind in (HallError, JoinError, InvalidForm, StoreError, RoleMissing, Exception):
        app.register_error_handler(kind, handle_error)
    for pages in PAGES:
        app.register_blueprint(pages.bp)
    board.install(app, found)
    judge.install(app, found)
    organiser_parts.install(app, found)
    found.hall.listen(lambda table: found.feeds.changed())
    return app


def body_limit(method: str, path: str, length: int) -> int:
    """Return the largest size of a request's body in bytes."""
    return LARGE if path.startswith(LARGE_PATHS) else csrf.MAX_BODY


def goes_first(path: str) -> bool:
    """Whether a request is served before those of spectators."""
    return path.startswith(FIRST)


def guard() -> Response | tuple[str, int] | None:
    """Refuse requests for another host, cross-site requests and forms without a valid token."""
    context = hall_context()
    static = (request.endpoint or "").rpartition(".")[2] == "static"
    if not static:
        misdirected = host_names.refuse_host(context.hosts, context.first_page)
        if misdirected is not None:
            return misdirected
    if request.method in ("GET", "HEAD"):
        return None
    if (request.content_length or 0) > body_limit(request.method, request.path, 0):
        return error_answer("error.too_big", 413)
    if csrf.is_cross_site(request):
        return error_answer("error.foreign", 403)
    if request.endpoint == "doors.join":
        return None  # a table, not a browser: other limits apply to it
    take = context.rates.player if current_role() else context.rates.address
    if not take(current_sender()):
        return error_answer("error.too_many", 429)
    if not context.forms.good(request.headers.get("X-CSRF") or request.form.get("csrf", ""), None):
        return error_answer("error.form", 403)
    return None


def template_globals() -> dict[str, object]:
    """Return the context of every template of a hall, in addition to `appearance`."""
    context = hall_context()
    return {
        "csrf": context.forms.token(""),
        "hall_name": context.hall.state.name,
        "role": current_role(),
        "guarded": context.access.guarded,
        "judge_name": judge_name(),
        "ways": [(name, endpoint) for name, endpoint, role in NAVIGATION if has_role(role)],
    }


def handle_error(problem: Exception) -> ResponseReturnValue:
    """Answer any error with a sentence; log unforeseen ones."""
    match problem:
        case HallError() | JoinError() | InvalidForm():
            return error_answer(problem.key, 422, **problem.fields)
        case StoreError():
            return error_answer("hall.fault.store", 503, why=str(problem))
        case RoleMissing():
            if request.method in ("GET", "HEAD") and "stream" not in (request.endpoint or ""):
                return redirect(f"/enter?{urlencode({'next': request.path})}", 303)
            return error_answer("hall.fault.role", 403, role=say()(f"hall.role.{problem.role}"))
    LOG.error("a page failed (%s %s)", request.method, request.endpoint, exc_info=problem)
    return error_answer("error.broken", 500)


def error_answer(key: str, code: int, **fields: object) -> tuple[str, int]:
    """Return an error page, or only the sentence for a page's own script, in the reader's language."""
    said = say()(key, **fields)
    if SCRIPTED in request.headers:
        return said, code
    home = request.path.split("/")[1]
    back = f"/{home}" if request.method == "POST" and home in HOMES else "/"
    return render_template("hall/error.html", sentence=said, back=back), code
