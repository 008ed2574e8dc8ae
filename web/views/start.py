"""The first page, and a device's preferences: its language, light or dark."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request

from companion.findings import finding_text
from companion.ops.doctor.disk import judge_held
from web.context import context
from web.game_pages import BROKEN
from web.page_app import local_address, store_preferences
from web.presenters.standings import names_by_side
from web.views import responses
from web.words import language, package, words

bp = Blueprint("start", __name__)


@bp.get("/")
def page() -> str:
    """Show what can be done: set up, join, watch, continue, past games."""
    snapshot = context().snapshot()
    running = bool(snapshot.match_id) and not snapshot.over
    say = words(language(), package(snapshot.game)) if snapshot.match_id else words(language())
    command = context().host_pin_command() if context().locked_out() else ""
    lost = [say("error.doors_lost", command=command)] if command else []
    held = ["{}: {}. {}".format(*finding_text(each, say)) for each in judge_held(snapshot.unsaved)]
    return render_template(
        "start.html",
        running=running,
        over=snapshot.over,
        who=names_by_side(snapshot.game, snapshot.setup) if snapshot.setup is not None else "",
        findings=(*lost, *held, *snapshot.findings),
        locked=bool(lost),
        command=command,
        broken=[(folder.package.rpartition(".")[2], folder.why) for folder in BROKEN],
        words=say,
    )


@bp.post("/preferences")
def preferences() -> Response:
    """Store this device's language or theme."""
    return store_preferences(responses.redirect_to(local_address(request.form.get("back", "/"))))


@bp.get("/health")
def health() -> Response:
    """Say that the companion is up."""
    return Response("ok\n", mimetype="text/plain")
