"""Messages to systemd: "ready" when pages answer, and "alive" while both the writer and the web server answer."""

from __future__ import annotations

import http.client
import logging
import threading
from collections.abc import Callable

from companion.devices.camera_link import CameraSnapshot
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.ops.systemd import SystemdNotifier
from companion.threads.worker import WorkerClosed

SOON = 0.1
"""Seconds between two checks until the first page answers."""
PATIENCE = 5.0
"""The most seconds that a page may take."""
PAGE = "/health"
LOG = logging.getLogger(__name__)


class SystemdWatchdog:
    """A thread beside the web server, whose host and port as seen from this machine are `where`.

    `go_round` waits until the writer has handled earlier requests; it raises `WorkerClosed` once that is closed.
    """

    def __init__(
        self,
        notify: SystemdNotifier,
        go_round: Callable[[], object],
        where: tuple[str, int],
        registry: DeviceRegistry | None,
    ) -> None:
        self._notify, self._go_round, self._where, self._registry = notify, go_round, where, registry
        self._closing = threading.Event()
        self._well = True
        self._telling = threading.Lock()
        """The lock held from reading the devices' state until sending it, so that an older state is never sent last."""
        self._thread = threading.Thread(target=self._run, name="systemd watchdog", daemon=True)

    def start(self) -> None:
        """Start, if systemd listens."""
        if not self._notify.address:
            return
        if self._registry is not None:
            self._registry.listen(lambda was, now: self._tell())
            self._registry.camera_link.listen(lambda was, now: self._tell())
        self._thread.start()

    def close(self) -> None:
        """Tell the thread to end soon; do not wait for it."""
        self._closing.set()

    def _run(self) -> None:
        pause = SOON
        while not self._closing.wait(pause):
            try:
                well = self._answers()
            except WorkerClosed:
                return
            if well and pause == SOON:
                with self._telling:
                    self._notify.ready(self._status())
                pause = self._notify.every or PATIENCE
            if well:
                self._notify.alive()

    def _answers(self) -> bool:
        """Whether the writer and the web server both answer; waits for the writer without a limit."""
        self._go_round()
        connection = http.client.HTTPConnection(*self._where, timeout=PATIENCE)
        try:
            connection.request("GET", PAGE)
            code = connection.getresponse().status
            well, why = code == http.HTTPStatus.OK, f"code {code}"
        except (OSError, http.client.HTTPException) as error:
            well, why = False, str(error) or type(error).__name__
        finally:
            connection.close()
        if self._well and not well:
            LOG.warning("the pages do not answer: %s", why)
        self._well = well
        return well

    def _tell(self) -> None:
        with self._telling:
            self._notify.status(self._status())

    def _status(self) -> str:
        return "" if self._registry is None else status(self._registry.buttons, self._registry.camera)


def status(buttons: ButtonsStatus, camera: CameraSnapshot) -> str:
    """Return the state of buttons and camera in words, without anything about the game."""
    there = [name for name, each in (("buttons", buttons), ("camera", camera)) if each.alive]
    lost = [name for name, each in (("buttons", buttons), ("camera", camera)) if each.lost]
    said = [f"{' and '.join(there)} {verb(there)} there"] if there else []
    said += [f"{' and '.join(lost)} {verb(lost)} missing"] if lost else []
    return "pages answer; " + (", ".join(said) or "no buttons, no camera")


def verb(names: list[str]) -> str:
    """Return the verb that agrees with the names."""
    return "is" if names == ["camera"] else "are"
