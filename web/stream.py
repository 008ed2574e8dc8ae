"""Streams: what changed, as server-sent events, one stream a page. Knows no rules and no regions."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

from flask import Response, render_template, request

from web.access import Viewer
from web.house import house
from web.hub import Full, Hub, Stream
from web.sentences import language, words
from web.shared import LONGEST_NAME, Gone, key_of

RETRY_AFTER = 15
"""Seconds after which a refused screen may ask again."""
DEAD_AFTER = 5000
"""Milliseconds after which a tablet that takes nothing is given up (TCP_USER_TIMEOUT)."""


def open_stream(viewer: Viewer) -> Response:
    """Answer with a stream of this viewer's changes from the message it saw last."""
    hub = house().hub
    page = request.args.get("page", "")[:LONGEST_NAME]
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    name = f"{(request.view_args or {}).get('token', '')}/{page}"
    try:
        opened = hub.open(key_of(viewer, request.args.get("lang", "")), name, last[:LONGEST_NAME])
    except Full:
        text = render_template("said.html", sentence=words(language())("error.too_many_screens"), good=False)
        return Response(text, 503, {"Retry-After": str(RETRY_AFTER)})
    if opened is None:
        raise Gone("error.gone")
    patient(request.environ.get("gunicorn.socket"))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Response(Flow(hub, *opened), mimetype="text/event-stream", headers=headers)


class Flow:
    """What a stream sends. The server closes it when the tablet is gone, even before the first byte."""

    def __init__(self, hub: Hub, stream: Stream, missed: list[bytes]) -> None:
        self.hub = hub
        self.stream = stream
        self.flow = self.sending(missed)
        self.closed = False

    def sending(self, missed: list[bytes]) -> Iterator[bytes]:
        """Yield the greeting at once, what was missed, what stands, then whatever comes."""
        yield b"retry: 1000\n\n" + b"".join(missed)
        standing = b"".join(self.hub.greeting(self.stream.key))
        if standing:
            yield standing
        yield from self.stream.read()

    def __iter__(self) -> Iterator[bytes]:
        return self.flow

    def close(self) -> None:
        """Give the stream's place back, once."""
        if not self.closed:
            self.closed = True
            self.hub.close(self.stream)


def patient(connection: Any) -> None:
    """Tell the system to give up a connection that takes nothing, and to send each message at once."""
    if isinstance(connection, socket.socket):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
