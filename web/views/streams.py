"""Streams of changes as server-sent events, one stream per page."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, render_template, request

from web.context import context
from web.live.channels import Stream
from web.live.hub import Hub
from web.live.stream_limits import StreamsFull
from web.security.access import Viewer
from web.security.client_address import request_address
from web.serving.flow import Flow
from web.views.answers import PageGone
from web.views.pages import LONGEST_NAME, channel_of, page_token
from web.words import language, words

RETRY_AFTER = 15
"""Seconds after which a refused page may try again."""


def open_stream(viewer: Viewer) -> Response:
    """Open a stream of this viewer's changes after the last message that the page saw."""
    if request.args.get("match", viewer.match) != viewer.match:
        return Response(status=205)  # the same people play again: the page loads anew, and shows that match
    hub = context().hub
    page = request.args.get("page", "")[:LONGEST_NAME]
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    key = channel_of(viewer, request.args.get("lang", ""))
    stream = Stream(key, f"{page_token()}/{page}", request_address())
    try:
        opened = hub.open(key, stream.page, last[:LONGEST_NAME], stream)
    except StreamsFull:
        text = render_template("message.html", sentence=words(language())("error.too_many_screens"), good=False)
        return Response(text, 503, {"Retry-After": str(RETRY_AFTER)})
    if opened is None:
        raise PageGone("error.gone")
    return stream_response(Flow(stream.queue, opening_messages(hub, *opened), lambda: hub.close(stream)))


def opening_messages(hub: Hub, stream: Stream, missed: list[bytes]) -> Iterator[bytes]:
    """Yield what the page missed at once, then the current cues."""
    yield b"retry: 1000\n\n" + b"".join(missed)
    standing = b"".join(hub.greeting(stream.key))
    if standing:
        yield standing


def stream_response(flow: Flow) -> Response:
    """Return a flow as a response that the web server receives unchanged."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(flow, mimetype="text/event-stream", headers=headers, direct_passthrough=True)
