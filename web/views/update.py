"""The host's page for updates: passes a signed package to root's service, and shows its progress."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from flask import Blueprint, Response, render_template, request

from companion.ops.update import asking
from companion.ops.update.places import Places
from companion.ops.update.sentences import UpdateError, sentence
from web.context import TableContext, context
from web.presenters.match_log import players_of
from web.security.access import Viewer
from web.security.csrf import MAX_BODY
from web.views import responses, viewer_pages
from web.views.setup import table_is_free
from web.words import language, package, words

bp = Blueprint("update", __name__)
LARGEST = asking.MOST + MAX_BODY
"""The most bytes of a request with a package."""
STAGES = ("examining", "trying", "saving", "installing", "awaiting")
"""The steps of an update, in the order of the page's list."""
LOOKED_AT = 20
"""The most matches to search for the host of one that was taken off the table."""


def host_of(table: TableContext, token: str) -> Viewer | None:
    """Return the host with this token: of the current match, or of one taken off the table for an update."""
    current = table.snapshot().match_id
    left = [] if current else [each.id for each in table.table.matches() if each.ended is None]
    matches = [current] if current else left[:LOOKED_AT]
    found = (table.access.viewer(token, match) for match in matches)
    return next((viewer for viewer in found if viewer is not None and viewer.role == "host"), None)


def require_host() -> None:
    """Raise `PageGone` if the page is not a host's."""
    if host_of(context(), viewer_pages.page_token()) is None:
        viewer_pages.require_viewer("host")


def installed() -> str:
    """Return the installed version; empty if the companion was not installed."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return ""


@bp.get("/update")
def page(token: str) -> str:
    """Show the installed version and an update's progress, or accept a package."""
    require_host()
    return update_page()


def update_page(wrong: str = "") -> str:
    """Return the page, with the faults of the upload."""
    outcome, snapshot = asking.outcome(Places.here()), context().snapshot()
    stage = outcome.said[0].key if outcome is not None and outcome.going_on and outcome.said else ""
    return render_template(
        "update.html",
        version=installed(),
        offered=asking.is_offered(Places.here()),
        running=not table_is_free(),
        kept=not snapshot.match_id,
        title=words(language(), package(snapshot.game))("game.title") if snapshot.match_id else "",
        names=", ".join(player.name for player in players_of(snapshot)) if snapshot.match_id else "",
        going_on=outcome is not None and outcome.going_on,
        state="" if outcome is None else outcome.state,
        told=wrong or ("" if outcome is None else outcome.text(language())),
        wrong=bool(wrong),
        stages=[(each, sentence(each, language())) for each in STAGES],
        at=STAGES.index(stage) if stage in STAGES else -1,
        mark=mark(),
        most=asking.MOST // 1024 // 1024,
    )


def mark() -> str:
    """Return a word that changes with an update's progress."""
    outcome = asking.outcome(Places.here())
    return "" if outcome is None else "-".join([outcome.state, *(each.key for each in outcome.said)])


@bp.get("/update-now")
def now(token: str) -> Response:
    """Return an update's progress in a word, so that an open page notices a change."""
    require_host()
    return Response(mark(), mimetype="text/plain")


@bp.post("/update-leave")
def leave(token: str) -> Response:
    """Take the game off the table, to be continued after the update."""
    require_host()
    if not table_is_free():
        context().table.leave()
        context().new_match()
    return responses.redirect_to("update")


@bp.post("/update")
def bring(token: str) -> Response:
    """Store the uploaded package, and ask root's service to install it; nothing is installed during a game."""
    require_host()
    places, lang = Places.here(), language()
    try:
        if not asking.is_offered(places):
            raise UpdateError("no_key")
        if not table_is_free():
            return Response(update_page(), 409)
        ongoing, file = asking.outcome(places), request.files.get("package")
        if ongoing is not None and ongoing.going_on:
            raise UpdateError("busy")
        if file is None or not file.filename:
            return Response(update_page(words(lang)("update.no_file")), 422)
        asking.receive(file.stream, places)
        asking.ask(places)
    except UpdateError as error:
        return Response(update_page(sentence(error.key, lang, **error.fields)), 409)
    return responses.redirect_to("update")
