"""Streams of changes as server-sent events: a page's own, and one for all pages of a browser."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from flask import Blueprint, Response, render_template, request

from web.context import context
from web.live.bundle import StreamBundle, Wanted
from web.live.channels import Stream
from web.live.hub import Hub
from web.security.access import Viewer
from web.security.client_network import request_address
from web.serving.compression import Packing, accepts_gzip
from web.serving.event_stream import Flow
from web.serving.slow_clients.stream_places import StreamsFull
from web.views.responses import PageGone
from web.views.viewer_pages import LONGEST_NAME, channel_of, page_token, viewer_of
from web.words import language, words

RETRY_AFTER = 15
"""Seconds after which a refused page may try again."""
SHARED = 24
"""The most pages of one browser that share a connection."""
GONE = b"event: gone\ndata: {}"
ANEW = b"event: anew\ndata: {}"
"""Tells a page to reload, because a rematch has begun or somebody was renamed."""
bp = Blueprint("shared", __name__, url_prefix="/live")


def open_stream(viewer: Viewer) -> Response:
    """Open a stream of the changes that follow the page's last message."""
    now = context().snapshot().shown_as
    if request.args.get("match", now) != now:
        # A rematch has begun, or somebody was renamed: have the page reload.
        return Response(status=205)
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
        if context().viewer(page_token()) is None:
            raise PageGone("error.gone")
        return Response(status=205)  # the rematch began between these lines
    return stream_response(Flow(stream.outbox, opening_messages(hub, *opened), lambda: hub.close(stream), packing()))


@bp.get("/stream")
def stream() -> Response:
    """Stream the changes of several pages of one browser; each is identified by its address, as in its own request.

    `at`, `lang`, `last` and `match` come once for each page. A page that is gone, or gets no place, learns that alone.
    """
    name = request.args.get("page", "")[:LONGEST_NAME]
    given = list(zip(*[request.args.getlist(field) for field in ("at", "lang", "last", "match")], strict=False))
    wanted = [wanted_page(name, *fields) for fields in given[:SHARED]]
    wanted += [Wanted(None, name, instead=full())] * len(given[SHARED:])
    if not wanted:
        raise PageGone("error.gone")
    bundle = StreamBundle(context().hub, wanted, packing(), refusal)
    if not bundle.parts:
        bundle.outbox.put(None)
    return stream_response(bundle)


def wanted_page(name: str, at: str, lang: str, last: str, match: str) -> Wanted:
    """Return a page's subscription in a shared stream."""
    page = f"{at.strip('/').rpartition('/')[2]}/{name}"
    viewer = viewer_of(at)
    if viewer is None:
        return Wanted(None, page, instead=GONE)
    if match != context().snapshot().shown_as:
        return Wanted(None, page, instead=ANEW)
    return Wanted(channel_of(viewer, lang), page, last[:LONGEST_NAME], request_address())


def refusal(error: StreamsFull | LookupError, page: Wanted) -> bytes:
    """Return the message for a page that gets no part in a shared stream."""
    if isinstance(error, StreamsFull):
        return full()
    return GONE if context().viewer(page.page.partition("/")[0]) is None else ANEW


def full() -> bytes:
    """Return the message about too many open streams."""
    sentence = words(language())("error.too_many_screens")
    return b"event: full\ndata: %s" % msgspec.json.encode({"sentence": sentence, "again": RETRY_AFTER})


def packing() -> Packing | None:
    """Return the compressor for this answer's stream; None if the browser cannot unpack a stream as it arrives."""
    return Packing() if accepts_gzip() and not request.args.get("plain") else None


def opening_messages(hub: Hub, stream: Stream, missed: list[bytes]) -> Iterator[bytes]:
    """Yield the page's missed messages at once, then the current cues."""
    yield b"retry: 1000\n\n" + b"".join(missed)
    standing = b"".join(hub.greeting(stream.key))
    if standing:
        yield standing


def stream_response(flow: Flow) -> Response:
    """Return a flow as a response that the web server receives unchanged."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", "Vary": "Accept-Encoding"}
    if flow.packed:
        headers["Content-Encoding"] = "gzip"
    return Response(flow, mimetype="text/event-stream", headers=headers, direct_passthrough=True)
