"""The server: one gunicorn worker with threads. The table is opened after the fork, and closed when it stops."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]

from companion.bus import BusError
from companion.bus import address as bus_address
from companion.commands.screen import JOURNAL
from companion.examiner import Settled, nothing_left_out
from companion.journal import JournalError
from companion.lookout import Camera
from companion.notify import Notify
from companion.sibling import Sibling
from companion.switchboard import Buttons

THREADS = 96
GRACE = 5
"""Seconds that requests have to end in when the server stops."""
SWITCH = 0.0005
"""Seconds after which a busy thread lets another one on: a stream must not wait for a page that is being made."""


class PortInUse(OSError):
    """The address cannot be served; the message says which and what to do."""


class Server(BaseApplication):  # type: ignore[misc]
    """Serves the tablets around one table."""

    def __init__(
        self,
        folder: Path,
        listener: int,
        address: str,
        siblings: Sequence[Sibling] = (),
        expected: Collection[str] = (),
        notify: Notify | None = None,
        where: tuple[str, int] = ("127.0.0.1", 8080),
        demonstrations: str = "",
        settings: Settled = nothing_left_out,
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.notify, self.where = notify or Notify(), where
        self.heartbeat: Any = None
        self.listener = listener
        self.address = address
        self.siblings = tuple(siblings)
        self.expected = frozenset(expected)
        self.demonstrations = demonstrations
        self.table: Any = None
        self.switchboard: Any = None
        self.onlooker: Any = None
        super().__init__()

    def load_config(self) -> None:
        """Configure gunicorn: nothing from files or the environment."""
        shared = Path("/dev/shm")
        settings: dict[str, object] = {
            "bind": [f"fd://{self.listener}"],
            "worker_class": "gthread",
            "workers": 1,
            "threads": THREADS,
            "worker_connections": 1000,
            "timeout": 60,
            "graceful_timeout": GRACE,
            "keepalive": 30,
            "limit_request_line": 2048,
            "limit_request_fields": 60,
            "limit_request_field_size": 4096,
            "loglevel": "warning",
            "proc_name": "companion",
            "worker_tmp_dir": str(shared) if shared.is_dir() and os.access(shared, os.W_OK) else None,
            "control_socket_disable": True,
            "post_worker_init": opened,
            "worker_exit": closed,
            "on_exit": lambda server: server.app.notify.stopping(),
        }
        for name, value in settings.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """Open the table and its bus and make the application; only ever called in the worker."""
        from companion.onlooker import Onlooker
        from companion.switchboard import Switchboard
        from companion.table import Table
        from web.app import create_app
        from web.heartbeat import Heartbeat

        try:
            self.table = Table(self.folder / JOURNAL)
            for finding in self.table.snapshot().findings:
                print(finding, flush=True)
            self.switchboard = Switchboard(
                self.table,
                bus_address(self.folder),
                expected="buttons" in self.expected,
                camera="camera" in self.expected,
            )
        except (JournalError, BusError) as error:
            print(error, file=sys.stderr)
            sys.exit(4)
        self.onlooker = Onlooker(self.table)
        self.switchboard.lookout.see(self.onlooker.sighted)
        self.switchboard.lookout.listen(say_of_camera)
        self.switchboard.listen(say_in_terminal)
        sys.setswitchinterval(SWITCH)
        for sibling in self.siblings:
            sibling.start()
        self.heartbeat = Heartbeat(self.notify, self.table, self.where, self.switchboard)
        return create_app(
            self.table,
            self.folder / JOURNAL,
            self.address,
            switchboard=self.switchboard,
            onlooker=self.onlooker,
            port=self.where[1],
            demonstrations=self.demonstrations,
            settings=self.settings,
        )

    def close(self) -> None:
        """End what belongs to the table, the table last. Siblings that we end ourselves are not missed."""
        if self.heartbeat is not None:
            self.heartbeat.close()
        if self.switchboard is not None:
            self.switchboard.close()
        for sibling in self.siblings:
            sibling.close()
        if self.onlooker is not None:
            self.onlooker.close()
        if self.table is not None:
            self.table.close()


def opened(worker: Any) -> None:
    """Begin to say that we are alive. When the worker is told to stop, first end the streams: they would hold it for
    ever."""
    house = worker.wsgi.extensions["house"]

    def ending(number: int, frame: Any) -> None:
        house.hub.stop()
        worker.handle_exit(number, frame)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, ending)
    worker.app.heartbeat.start()
    # What was imported and made so far stays for good: the collector need not look through it at every move.
    gc.freeze()


def closed(server: Any, worker: Any) -> None:
    """Close the table when the worker ends."""
    app = getattr(worker, "wsgi", None)
    if app is not None:
        app.extensions["house"].close()
        if app.extensions["demonstration"] is not None:
            app.extensions["demonstration"].close()
        server.app.close()


def say_in_terminal(was: Buttons, now: Buttons) -> None:
    """Print how the buttons are, for whoever started the companion."""
    if now.lost and was.alive:
        print("The buttons do not answer; every player's page has its own.", flush=True)
    elif now.alive and (not was.alive or now.said != was.said):
        fair = "" if now.stamped else "The kernel does not stamp the presses. "
        print(
            f"Buttons: {len(now.buttons)}, {now.kind}. {fair}{now.said}".rstrip() if now.kind else now.said, flush=True
        )


def say_of_camera(was: Camera, now: Camera) -> None:
    """Print how the camera is, for whoever started the companion."""
    if now.lost and was.alive:
        print("The camera does not answer; what lies on the table is typed.", flush=True)
    elif now.sees and not was.sees:
        print(f"Camera: {now.state.size[0]} × {now.state.size[1]} pixels. {now.said}".rstrip(), flush=True)


def listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raise `PortInUse` with a sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        listener.close()
        why = error.strerror or str(error)
        raise PortInUse(f"Port {port} on {host} cannot be used: {why}. Choose another one.") from error
    return listener


def reached(listener: socket.socket) -> tuple[str, int]:
    """Return the host and the port by which this machine itself reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port


def serve(
    data_folder: Path,
    host: str = "0.0.0.0",
    port: int = 8080,
    address: str = "",
    siblings: Sequence[Sibling] = (),
    expected: Collection[str] = (),
    demonstrations: bool = False,
    settings: Settled = nothing_left_out,
) -> None:
    """Serve the tablets until told to stop; raise `PortInUse` where the address cannot be served.

    `address` is how tablets reach this machine, such as `http://192.168.1.20:8080`, for QR codes. `siblings`
    are services that are started beside the table, `expected` the names of all that should be there.
    `demonstrations`: whether people may start one from the first page. `settings` tells what of a folder's settings
    is left out.
    """
    notify = Notify.taken()  # before anything is started: gunicorn would say "ready" long before the table is
    listener = listening(host, port)
    where = reached(listener)
    watched = host if demonstrations else ""
    # gunicorn closes the descriptor itself, in both processes.
    folder, shown = Path(data_folder), address.rstrip("/")
    Server(folder, listener.detach(), shown, siblings, expected, notify, where, watched, settings).run()
