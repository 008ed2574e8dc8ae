"""The host's page for updates: brings a signed package to root's service, and shows what becomes of it."""

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
"""Bytes of a request that brings a package, at most."""
STAGES = ("examining", "trying", "saving", "installing", "awaiting")
"""What is done with a package, in this order, as the page lists it."""
LOOKED_AT = 20
"""Matches that are looked through for the host of one that was put aside."""


def host_of(table: TableContext, token: str) -> Viewer | None:
    """Return the host whose token this is: of the match on the table, or of one that was taken off it for an update."""
    current = table.snapshot().match_id
    left = [] if current else [each.id for each in table.table.matches() if each.ended is None]
    matches = [current] if current else left[:LOOKED_AT]
    found = (table.access.viewer(token, match) for match in matches)
    return next((viewer for viewer in found if viewer is not None and viewer.role == "host"), None)


def require_host() -> None:
    """Raise `PageGone` where the page is not a host's."""
    if host_of(context(), viewer_pages.page_token()) is None:
        viewer_pages.require_viewer("host")


def installed() -> str:
    """Return the installed version; empty where the companion was not installed."""
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return ""


@bp.get("/update")
def page(token: str) -> str:
    """Show what is installed and what becomes of an update, or take a package."""
    require_host()
    return update_page()


def update_page(wrong: str = "") -> str:
    """Return the page, with what was wrong with what was sent."""
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
    """Return a word that changes with what becomes of an update."""
    outcome = asking.outcome(Places.here())
    return "" if outcome is None else "-".join([outcome.state, *(each.key for each in outcome.said)])


@bp.get("/update-now")
def now(token: str) -> Response:
    """Say what becomes of an update in a word, so that an open page notices when it changes."""
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
    """Keep the package that was sent, and ask root's service for it; while a game is played nothing is installed."""
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
