"""The streams of open pages."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from companion.i18n import LANGUAGES
from companion.threads.quotas import QuotaExceeded
from web.hall.context import hall_context
from web.hall.feeds import FeedKey
from web.hall.roles import JUDGE, ORGANISER, VIEWER, RoleMissing, current_sender, has_role, is_trusted

bp = Blueprint("streams", __name__)
ROLES = {"board": VIEWER, "wall": VIEWER, "table": VIEWER, "judge": JUDGE, "organiser": ORGANISER}
"""The role that a kind of page requires; other kinds are public."""
ABOUT = ("table",)
"""Kinds of pages with several instances."""
RETRY_AFTER_S = 15


@bp.get("/stream/<kind>", endpoint="stream")
@bp.get("/stream/<kind>/<about>", endpoint="stream")
def stream(kind: str, about: str = "") -> Response:
    """Stream a page's changes since the state that it already shows."""
    feeds = hall_context().feeds
    if kind not in feeds.kinds or bool(about) != (kind in ABOUT):
        abort(404)
    if kind in ROLES and not has_role(ROLES[kind]):
        raise RoleMissing(ROLES[kind])
    lang = request.args.get("lang", "")
    if lang not in LANGUAGES:
        abort(404)
    try:
        shown = request.args.get("shown", "")[:40]
        flow = feeds.open(FeedKey(kind, lang, about), shown, current_sender(), is_trusted())
    except LookupError:
        abort(404)
    except QuotaExceeded:
        return Response(status=503, headers={"Retry-After": str(RETRY_AFTER_S)})
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(flow, mimetype="text/event-stream", headers=headers, direct_passthrough=True)
