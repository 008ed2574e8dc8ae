"""Watching for the house: table, buttons and camera, power and disk, each in a thread of its own, so that pages show
every change. Knows no pages and no rules.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.devices.camera_link import CameraSnapshot
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.findings import Finding, said
from companion.ops import doctor
from companion.table.service import Table
from web.game_pages import OFFERED
from web.live.cue_publisher import CuePublisher
from web.live.hub import Hub
from web.presenters.buttons import buttons_view
from web.presenters.camera_status import CameraStatus, camera_status
from web.words import words

MOST_PLAYERS = max(max(game.seats) for game in OFFERED.values())
LOGGER = logging.getLogger(__name__)
WARM_AFTER = 0.5
"""Seconds after the start, when the first page has been served."""
LOOK = 15.0
"""Seconds between two looks at power and disk."""
BACK = 8.0
"""Seconds for which pages say that a camera that was lost sees again."""
WAIT = 1.0
"""Seconds after which the watcher looks whether it must stop."""


class Watcher:
    """Refreshes the hub after every change that pages show, until it is stopped. `warm` is called once, soon."""

    def __init__(
        self,
        table: Table,
        hub: Hub,
        cue_publisher: CuePublisher,
        data: Path,
        registry: DeviceRegistry | None,
        warm: Callable[[], None],
    ) -> None:
        self.table = table
        self.hub = hub
        self.cue_publisher = cue_publisher
        self.data = data
        self.registry = registry
        self.closing = threading.Event()
        self.threats: tuple[Finding, ...] = ()
        """What threatens the running game: too little power, a full disk."""
        self._warm = warm
        self._rewired = threading.Event()
        self._back_until: float | None = None
        self._watcher = threading.Thread(target=self._watch_table, name="watcher", daemon=True)
        self._electrician = threading.Thread(target=self._watch_wires, name="wires", daemon=True)
        self._warden = threading.Thread(target=self._watch_threats, name="threats", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._watcher.start()
        self._warden.start()
        if self.registry is not None:
            self.registry.listen(self.wired)
            self.registry.camera_link.listen(self.looked)
            self._electrician.start()

    def stop(self) -> None:
        """Have all threads end soon."""
        self.closing.set()
        self._rewired.set()

    # --- the table --------------------------------------------------------------------------------

    def _watch_table(self) -> None:
        """Refresh the hub after every change of the table."""
        number = 0
        if not self.closing.wait(WARM_AFTER):
            self._warm()
        while not self.closing.is_set():
            number = self.table.wait(number, WAIT).number
            try:
                self.hub.refresh()
            except Exception:
                current = self.table.snapshot()
                LOGGER.exception("match %s, change %s could not be shown", current.match_id, current.number)

    # --- buttons and camera -----------------------------------------------------------------------

    def wired(self, was: ButtonsStatus, now: ButtonsStatus) -> None:
        """Show how the buttons are now: lamps at once, whatever regions say of them soon."""
        if (was.alive, was.lamps, was.buttons) != (now.alive, now.lamps, now.buttons):
            self.cue_publisher.pins()
        if buttons_view(was, MOST_PLAYERS) != buttons_view(now, MOST_PLAYERS):
            self._rewired.set()

    def looked(self, was: CameraSnapshot, now: CameraSnapshot) -> None:
        """Show how the camera is now, and for a while that it is back."""
        if was.lost and now.alive:
            self._back_until = time.monotonic() + BACK
        if camera_status(was) != camera_status(now):
            self._rewired.set()

    def lens(self) -> CameraStatus:
        """Return how the camera is."""
        until = self._back_until
        return camera_status(self.registry.camera if self.registry else None, until is not None)

    def _watch_wires(self) -> None:
        """Refresh the hub after every change of buttons and camera that pages show."""
        while not self.closing.is_set():
            until = self._back_until
            self._rewired.wait(None if until is None else max(0.0, until - time.monotonic()))
            self._rewired.clear()
            if until is not None and time.monotonic() >= until:
                self._back_until = None
            try:
                self.hub.refresh()
            except Exception:
                LOGGER.exception("the state of buttons and camera could not be shown")

    # --- power and disk ---------------------------------------------------------------------------

    def _watch_threats(self) -> None:
        """Look now and then whether power or disk threaten the game."""
        while True:
            try:
                self.threatened(doctor.threats(self.data))
            except Exception:
                LOGGER.exception("power and disk could not be looked at")
            if self.closing.wait(LOOK):
                return

    def threatened(self, found: tuple[Finding, ...]) -> None:
        """Show what threatens the game; figures that change a little are no news."""
        if [(each.key, each.state) for each in found] == [(each.key, each.state) for each in self.threats]:
            return
        self.threats = found
        for each in found:
            LOGGER.warning("%s", ": ".join(said(each, words("en"))[:2]))
        self.hub.refresh()
