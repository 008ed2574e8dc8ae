"""A hall's pages on a real port, for a hall with an external broker."""

from __future__ import annotations

import signal

from companion.hall.approval import TableApproval
from companion.hall.hall import Hall
from web.hall.app import body_limit, create_hall_app, goes_first
from web.hall.context import HallContext
from web.hall.roles import RoleAccess
from web.server import open_listener
from web.serving.server import Listener
from web.serving.tls import SecureEntrance

LOOP = "127.0.0.1"


def serve_pages(
    hall: Hall, port: int, approval: TableApproval | None = None, access: RoleAccess | None = None,
    secure: SecureEntrance | None = None,
) -> None:  # fmt: skip
    """Serve a hall that is open to everybody on this machine, until SIGTERM or Ctrl-C."""
    context = HallContext(hall, approval, access, f"http://{LOOP}:{port}", port)
    app = create_hall_app(context)
    feeds = context.feeds
    front = Listener(app, open_listener(LOOP, port), goes_first, body_limit, secure)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: front.stop(0.5))
    front.when_stopping(feeds.stop)
    feeds.start()
    front.run()
