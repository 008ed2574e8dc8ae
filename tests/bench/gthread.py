"""Serves the same pages with gunicorn's threaded worker, for comparison: `python -m tests.bench.gthread FOLDER PORT`.

There, each stream and each request still being received holds a thread.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

from companion.journal.journal import JOURNAL
from companion.table.table import Table
from web.app import create_app
from web.serving.connection import DEAD_AFTER
from web.serving.event_stream import Flow

THREADS = 96


class Peer(BaseApplication):  # type: ignore[misc]
    """A worker with threads, as the companion once used."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.port = folder, port
        super().__init__()

    def load_config(self) -> None:
        """Configure gunicorn."""
        settings = {"bind": [f"127.0.0.1:{self.port}"], "worker_class": "gthread", "threads": THREADS, "timeout": 60}
        settings |= {"keepalive": 30, "worker_connections": 1000, "loglevel": "critical"}
        settings |= {"control_socket_disable": True, "graceful_timeout": 1}
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """Open the table in the worker."""
        sys.setswitchinterval(0.0005)
        app = create_app(Table(self.folder / JOURNAL), self.folder / JOURNAL)

        def patient(environment: dict[str, Any], start_response: Any) -> Any:
            found = app(environment, start_response)
            if isinstance(found, Flow):
                connection: socket.socket = environment["gunicorn.socket"]
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAD_AFTER)
            return found

        return patient


if __name__ == "__main__":
    Peer(Path(sys.argv[1]), int(sys.argv[2])).run()
