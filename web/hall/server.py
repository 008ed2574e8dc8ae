"""The hall's server: opens database, broker, hall and pages, serves them, and closes everything in order."""

from __future__ import annotations

import gc
import signal
import ssl
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from companion.files.untrusted import printable
from companion.hall.approval import TableApproval
from companion.hall.broker import HallBroker
from companion.hall.databases import open_store
from companion.hall.hall import Hall
from companion.ops.systemd import SystemdNotifier
from web.hall.app import body_limit, create_hall_app, goes_first
from web.hall.context import HallContext
from web.hall.roles import RoleAccess
from web.server import ENDINGS, GRACE, local_address, open_listener, say
from web.serving.server import Listener
from web.serving.tls import SecureEntrance
from web.systemd_watchdog import SystemdWatchdog

BROKER = "broker"
"""The folder of the broker's files, inside the hall's."""
STARTING_S = 3.0
"""Seconds that the broker may take before it listens; until then nothing is wrong."""


class HallSettings(NamedTuple):
    """A hall's data folder and addresses. `address` is how browsers reach it (empty: our own).

    `secure_port` is the port for HTTPS, with `tls` (None: no HTTPS); `proxy` is the address of a proxy that serves
    HTTPS.
    """

    folder: Path
    database: str
    host: str
    port: int
    broker_port: int
    name: str = ""
    address: str = ""
    names: tuple[str, ...] = ()
    secure_port: int = 0
    tls: ssl.SSLContext | None = None
    proxy: str = ""


def serve(
    settings: HallSettings, access: RoleAccess, beside: Callable[[TableApproval], Callable[[], object]] | None = None
) -> None:
    """Serve a hall while `beside` runs; raise `PortInUse`, `BusError` or `StoreError`."""
    # Do this before starting the broker, so that nobody else can impersonate the hall.
    notify = SystemdNotifier.from_environment()
    with ExitStack() as stack:
        for number in ENDINGS:
            stack.callback(signal.signal, number, signal.getsignal(number))
        listener = open_listener(settings.host, settings.port)
        stack.callback(listener.close)
        secure = None
        if settings.tls is not None:
            secure = SecureEntrance(open_listener(settings.host, settings.secure_port), settings.tls)
            stack.callback(secure.listener.close)
        everywhere = settings.host in ("0.0.0.0", "::", "")

        def tell(sentence: str) -> None:
            context.broker_fault = sentence
            context.feeds.changed()

        broker = HallBroker(settings.folder / BROKER, "" if everywhere else settings.host, settings.broker_port, tell)
        store = open_store(settings.database)
        for finding in store.findings:
            say(printable(finding))
        hall = Hall(store, broker.address, settings.name)
        stack.callback(broker.close)
        stack.callback(hall.close)
        approval = TableApproval(hall, broker)
        https = settings.proxy or settings.secure_port
        context = HallContext(hall, approval, access, settings.address, settings.port, settings.names, https)
        broker.start()
        broker.wait(STARTING_S)
        hall.start()
        app = create_hall_app(context)
        front = Listener(app, listener, goes_first, body_limit, secure)

        def ending(number: int, frame: object) -> None:
            front.stop(GRACE)

        for number in ENDINGS:
            signal.signal(number, ending)
        front.when_stopping(context.feeds.stop)
        front.when_stopping(notify.stopping)
        watchdog = SystemdWatchdog(notify, hall.go_round, local_address(listener), None)
        stack.callback(watchdog.close)
        watchdog.start()
        context.feeds.start()
        if beside is not None:
            stack.callback(beside(approval))
        # Everything made so far stays: keep the garbage collector from scanning it again and again.
        gc.freeze()
        front.run()
