"""The server: opens the table and everything around it, serves its pages, and closes everything in order."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import sys
import threading
from collections.abc import Collection, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

from flask import Flask

from companion import config
from companion.devices.bus import BusError
from companion.devices.bus import find_address as bus_address
from companion.devices.camera_link import CameraSnapshot
from companion.devices.child_processes import SupervisedProcess
from companion.devices.fault_log import LONGEST_SAID
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.files.untrusted import printable
from companion.journal.journal import JOURNAL, JournalError
from companion.ops.systemd import SystemdNotifier
from companion.referee.pace import USUAL, Pace
from companion.sight.observer import SightObserver
from companion.table.pace_settings import read_pace
from companion.table.table import Table
from companion.threads.occurrences import Occurrences
from web.app import body_limits, create_app, goes_first
from web.context import DEFAULTS, PageOptions
from web.serving.server import Listener
from web.systemd_watchdog import SystemdWatchdog

LOG = logging.getLogger(__name__)
UNREADABLE = 4
"""The exit code if the journal, the settings or the bus cannot be opened."""
ENDINGS = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
GRACE = 5
"""Seconds within which requests must end when the server stops."""
MOST_LINES = 32
"""The most different lines about buttons and camera to print; further lines are only counted."""
COLLECT_AFTER = (5000, 20, 1000)
"""Thresholds of the garbage collector's three generations: objects, then collections. The oldest generation is
collected in a quiet moment, or automatically if there is none for hundreds of moves.
"""
SWITCH = 0.0005
"""Seconds after which a busy thread yields: a stream must not wait for a page."""


class PortInUse(OSError):
    """The address is not available; the message names the address and a remedy."""


class SideServices(NamedTuple):
    """Services beside the table: processes to start and stop with it, and the names of all expected services."""

    processes: Sequence[SupervisedProcess] = ()
    expected: Collection[str] = ()


ALONE = SideServices()


class WebServer:
    """A table, its devices and its web server, all in this process."""

    def __init__(
        self,
        folder: Path,
        listener: socket.socket,
        options: PageOptions,
        services: SideServices,
        notify: SystemdNotifier | None = None,
    ) -> None:
        self._folder = folder
        self._listener = listener
        self._options = options
        self._services = services
        self._notify = notify or SystemdNotifier()

    def run(self) -> None:
        """Serve until SIGTERM, SIGINT or SIGQUIT, then end streams, finish pending requests and close the table."""
        fronts: list[Listener] = []
        asked = threading.Event()

        def ending(number: int, frame: object) -> None:
            if asked.is_set() and not fronts:
                sys.exit(0)  # a second signal ends a start that hangs
            asked.set()
            for front in fronts:
                front.stop(GRACE)

        with ExitStack() as stack:
            for number in ENDINGS:  # restored last, so that a second signal does not disturb the shutdown
                stack.callback(signal.signal, number, signal.getsignal(number))
                # Handle signals from the beginning: an exception between the start and the registration of a process
                # would leave it running.
                signal.signal(number, ending)
            app, watchdog = self._open(stack)
            hub = app.extensions["context"].hub
            app.extensions["context"].when_quiet = keep_all
            app.extensions["context"].turning.start()
            fronts.append(front := Listener(app, self._listener, goes_first, body_limits(app)))
            if asked.is_set():
                front.stop(GRACE)
            front.when_stopping(hub.stop)
            front.when_stopping(self._notify.stopping)
            watchdog.start()
            for process in self._services.processes:  # last: each slows the table down for a while
                process.start()
            front.run()

    def _open(self, stack: ExitStack) -> tuple[Flask, SystemdWatchdog]:
        """Open the table and everything around it; `stack` closes all of it, the table last."""
        stack.callback(self._listener.close)
        try:
            table = stack.enter_context(Table(self._folder / JOURNAL, pace=pace_in(self._folder)))
            for finding in table.snapshot().findings:
                say(printable(finding))
            observer = SightObserver(table)
            stack.callback(observer.close)
            # end them after closing the registry, so that nobody notices their absence
            for process in self._services.processes:
                stack.callback(process.close)
            registry = DeviceRegistry(table, bus_address(self._folder), self._services.expected)
            stack.callback(registry.close)
        except (JournalError, BusError) as error:
            print(error, file=sys.stderr)
            sys.exit(UNREADABLE)
        registry.camera_link.listen_to_readings(observer.accept_reading)
        registry.camera_link.listen(lambda was, now: say_of_movement(observer, was, now))
        lines = DeviceLines()
        registry.camera_link.listen(lines.camera)
        registry.listen(lines.buttons)
        sys.setswitchinterval(SWITCH)
        where = local_address(self._listener)
        watchdog = SystemdWatchdog(self._notify, table.go_round, where, registry)
        stack.callback(watchdog.close)
        journal, options = self._folder / JOURNAL, self._options._replace(port=where[1], halls=True)
        app = create_app(table, journal, options, registry=registry, observer=observer)
        stack.callback(app.extensions["context"].close)
        return app, watchdog


def pace_in(folder: Path) -> Pace:
    """Return the referee's waiting times from a data folder's settings; the defaults if they cannot be read."""
    try:
        return read_pace(config.read(folder))
    except config.ConfigError:
        return USUAL


def keep_all() -> None:
    """Collect all garbage now, while nobody waits; later collections examine only newer objects.

    In the middle of a move, a full collection would take some 0.3 s on a quarter of a core.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def say(line: str) -> None:
    """Print a line; ignore it if standard output is a file on a full disk."""
    with suppress(OSError):
        print(line, flush=True)


class DeviceLines:
    """Prints the state of buttons and camera in the terminal: each line once; repetitions are only counted."""

    def __init__(self) -> None:
        self._occurrences = Occurrences("Buttons or camera say something else.", MOST_LINES)

    def buttons(self, was: ButtonsStatus, now: ButtonsStatus) -> None:
        """Print the state of the buttons if it has changed."""
        if now.lost and was.alive:
            self._say("The buttons do not answer; every player's page has its own.")
        elif now.alive and (not was.alive or now.said != was.said):
            fair = "" if now.stamped else "The kernel does not stamp the presses. "
            self._say(f"Buttons: {len(now.buttons)}, {now.kind}. {fair}{now.said}".rstrip() if now.kind else now.said)

    def camera(self, was: CameraSnapshot, now: CameraSnapshot) -> None:
        """Print the state of the camera if it has changed."""
        if now.lost and was.alive:
            self._say("The camera does not answer; what lies on the table is typed.")
        elif now.sees and not was.sees:
            self._say(f"Camera: {now.state.size[0]} × {now.state.size[1]} pixels. {now.said}".rstrip())

    def _say(self, line: str) -> None:
        line, count = self._occurrences.add(printable(line, LONGEST_SAID))
        if count:
            say(line if count == 1 else f"{line} ({count} times by now)")


def say_of_movement(observer: SightObserver, was: CameraSnapshot, now: CameraSnapshot) -> None:
    """Tell the observer when movement above the table starts or stops."""
    moving = now.state.looking == "moving"
    if moving != (was.state.looking == "moving"):
        observer.accept_moving(moving)


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `PortInUse` with a sentence."""
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


def local_address(listener: socket.socket) -> tuple[str, int]:
    """Return the host and port at which this machine itself reaches a listening socket."""
    host, port = listener.getsockname()[:2]
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host), port


def serve(folder: Path, host: str, port: int, options: PageOptions = DEFAULTS, services: SideServices = ALONE) -> None:
    """Serve the tablets until stopped; raise `PortInUse` if the address is not available.

    `options.address` is how tablets reach this machine, such as `http://192.168.1.20:8080`, for QR codes.
    """
    notify = SystemdNotifier.from_environment()  # before starting any child: children must not impersonate us
    listener = open_listener(host, port)
    WebServer(folder, listener, options._replace(address=options.address.rstrip("/")), services, notify).run()
