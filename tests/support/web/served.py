"""Pages at a real address, from the production server in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from web.app import body_limits, goes_first
from web.server import GRACE, open_listener
from web.serving.server import Listener


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an application to browsers, and yield its address; end its streams afterwards."""
    with open_listener("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        front = Listener(app, listener, goes_first, body_limits(app))
        front.when_stopping(app.extensions["context"].hub.stop)
        thread = threading.Thread(target=front.run, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            front.stop(GRACE)
            thread.join()
