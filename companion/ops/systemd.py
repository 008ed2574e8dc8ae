"""systemd's notification socket. We remove it from the environment, since our children must not speak for us."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, MutableMapping

SOCKET, MICROSECONDS, WHOM = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
"""systemd's environment variables for a service; see sd_notify(3) and sd_watchdog_enabled(3)."""
SHARE = 3
"""Maximum number of "alive" notifications within systemd's watchdog interval."""
LOG = logging.getLogger(__name__)


class SystemdNotifier:
    """Notifies systemd. Any thread may call any method; none of them ever fails.

    `address` is the socket's path, with a leading `@` in the abstract name space; empty: none. After `limit` seconds
    without a notification systemd restarts the service; None: never.
    """

    def __init__(
        self, address: str = "", limit: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.address, self.limit = address, limit if address else None
        self._clock = clock
        self._alive_at: float | None = None
        self._said = ""
        self._lock = threading.Lock()

    @classmethod
    def from_environment(cls, environment: MutableMapping[str, str] = os.environ) -> SystemdNotifier:
        """Create a notifier from the environment, and remove the variables so that no child inherits them."""
        address = environment.pop(SOCKET, "")
        microseconds, whom = environment.pop(MICROSECONDS, ""), environment.pop(WHOM, "")
        ours = not whom or whom == str(os.getpid())
        usable = microseconds.isdecimal() and int(microseconds) > 0
        return cls(address, int(microseconds) / 1_000_000 if usable and ours else None)

    @property
    def every(self) -> float | None:
        """Seconds between two "alive" notifications; None: systemd expects none."""
        return None if self.limit is None else self.limit / SHARE

    def ready(self, status: str = "") -> None:
        """Notify that the service is working."""
        self._send("READY=1", *self._status_line(status))

    def alive(self) -> None:
        """Notify that the main loop is running; call it at any rate, since it sends only when due."""
        if self.every is None:
            return
        now = self._clock()
        with self._lock:
            if self._alive_at is not None and now - self._alive_at < self.every:
                return
            self._alive_at = now
        self._send("WATCHDOG=1")

    def status(self, status: str) -> None:
        """Set the status text of `systemctl status`, which must contain no seat's secret."""
        news = self._status_line(status)
        if news:
            self._send(*news)

    def stopping(self) -> None:
        """Notify that the service is ending on purpose."""
        self._send("STOPPING=1")

    def _status_line(self, status: str) -> tuple[str, ...]:
        line = " ".join(status.split())
        if not line or line == self._said:
            return ()
        self._said = line
        return (f"STATUS={line}",)

    def _send(self, *lines: str) -> None:
        """Send one datagram; a failure must not stop a game."""
        if not self.address:
            return
        where = "\0" + self.address[1:] if self.address.startswith("@") else self.address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as end:
                end.setblocking(False)
                end.sendto("\n".join(lines).encode(), where)
        except OSError as error:
            LOG.debug("systemd was not told %s: %s", lines[0], error)
