"""The companion's services around an update: finds those that work, restarts them, and waits until they stay up."""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.ops.update.system import Run

NAMES = ("table", "buttons", "camera", "address", "hall", "hotspot")
TABLE = "table"
"""The service with the page `HEALTH`."""
HEALTH = "http://127.0.0.1:8080/health"
PATIENCE = 180.0
"""Seconds within which all services must be up; a small machine with a long journal needs time."""
STEADY = 8.0
"""Seconds for which all services must stay up, because one may fail right after its start."""
LOOK = 0.5
"""Seconds between two checks."""
STARTS = 3
"""The number of restarts by systemd after which a service counts as failed; waiting longer is useless."""
PROPERTIES = ("Id", "ActiveState", "UnitFileState", "NRestarts")


class ServiceState(NamedTuple):
    """The state of a service."""

    active: bool
    enabled: bool
    restarts: int


def is_healthy(address: str = HEALTH) -> bool:
    """Return whether the table's pages answer."""
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except (OSError, urllib.error.URLError):
        return False


class Services:
    """The services of this machine. `booted`: whether systemd runs here; otherwise there is nothing to wait for."""

    def __init__(
        self,
        run: Run,
        booted: bool,
        healthy: Callable[[], bool] = is_healthy,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], object] = time.sleep,
    ) -> None:
        self._run, self._booted = run, booted
        self._healthy, self._clock, self._pause = healthy, clock, pause

    def states(self) -> dict[str, ServiceState]:
        """Return the state of each service."""
        units = [f"companion-{name}.service" for name in NAMES]
        said = self._run(("systemctl", "show", f"--property={','.join(PROPERTIES)}", *units)).said
        found: dict[str, ServiceState] = {}
        for block in said.split("\n\n"):
            row = dict(line.partition("=")[::2] for line in block.splitlines())
            name = row.get("Id", "").removeprefix("companion-").removesuffix(".service")
            restarts = row.get("NRestarts", "")
            found[name] = ServiceState(
                row.get("ActiveState") == "active",
                row.get("UnitFileState", "").startswith("enabled"),
                int(restarts) if restarts.isdecimal() else 0,
            )
        return found

    def working(self) -> tuple[str, ...]:
        """Return the services that are enabled and up; the others need not be up after the update either."""
        if not self._booted:
            return ()
        states = self.states()
        return tuple([name for name in NAMES if name in states and states[name].enabled and states[name].active])

    def restart(self, names: Iterable[str]) -> None:
        """Restart services in their order; with the table, also start all other enabled ones."""
        if not self._booted:
            return
        self._run(("systemctl", "daemon-reload"))
        self._run(("systemctl", "reset-failed", "companion-*"))
        for name in names:
            self._run(("systemctl", "restart", f"companion-{name}.service"))
        if TABLE in names:
            self._run(("systemctl", "--no-block", "start", "companion.target"))

    def stop_table(self) -> None:
        """Stop the table, so that its data can be restored."""
        if self._booted:
            self._run(("systemctl", "stop", "companion-table.service"))

    def failing(self, names: Iterable[str]) -> str:
        """Wait until services stay up and the table answers; return the name of one that fails, or nothing."""
        names = tuple(names)
        if not self._booted or not names:
            return ""
        end, since, counted = self._clock() + PATIENCE, 0.0, dict[str, int]()
        while True:
            states, now = self.states(), self._clock()
            down = [name for name in names if name not in states or not states[name].active]
            restless = [name for name in names if name in states and states[name].restarts >= STARTS]
            if restless:
                return restless[0]
            starts = {name: states[name].restarts for name in names if name in states}
            if down or starts != counted or (TABLE in names and not self._healthy()):
                since, counted = now, starts
            elif now - since >= STEADY:
                return ""
            if now >= end:
                return down[0] if down else TABLE if TABLE in names else names[0]
            self._pause(LOOK)
