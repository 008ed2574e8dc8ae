"""Watches table, devices and machine, each in its own thread, so that pages show every change."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.devices.camera_link import CameraSnapshot
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.findings import Finding, finding_text
from companion.ops.doctor import machine
from companion.ops.doctor.disk import judge_held
from companion.table.table import Table, WorkerClosed
from web.game_pages import OFFERED
from web.live.cue_publisher import CuePublisher
from web.live.hub import Hub
from web.presenters.buttons import buttons_view
from web.presenters.camera_status import CameraStatus, camera_status
from web.words import words

MOST_PLAYERS = max(max(game.seats) for game in OFFERED.values())
LOGGER = logging.getLogger(__name__)
WARM_AFTER = 2.0
"""Seconds after the start before templates are loaded: the first page has priority."""
LOOK, RETRY = 15.0, 2.0
"""Seconds between two checks of power and disk, and between two tries of a failing disk."""
BACK = 8.0
"""Seconds for which pages show that a lost camera is back."""
WAIT = 1.0
"""Seconds between two checks whether to stop."""
TIDY_AFTER = 200
"""The number of the table's changes after which to use the next quiet moment."""


class Watcher:
    """Refreshes the hub after every change that pages show.

    `load_templates` is called once, soon after the start. `when_quiet` is called after it, then once per match, at its
    end and after every `TIDY_AFTER` changes, as soon as the table has been idle for `WAIT` seconds.
    """

    def __init__(
        self,
        table: Table,
        hub: Hub,
        cue_publisher: CuePublisher,
        data: Path,
        registry: DeviceRegistry | None,
        load_templates: Callable[[], None],
        when_quiet: Callable[[], None],
    ) -> None:
        self.table = table
        self.hub = hub
        self.cue_publisher = cue_publisher
        self.data = data
        self.registry = registry
        self.closing = threading.Event()
        self.threats: tuple[Finding, ...] = ()
        """Threats to the running game: too little power, a full disk."""
        self._load_templates = load_templates
        self._when_quiet = when_quiet
        self._devices_changed = threading.Event()
        self._back_until: float | None = None
        self._table_thread = threading.Thread(target=self._watch_table, name="watcher", daemon=True)
        self._device_thread = threading.Thread(target=self._watch_devices, name="wires", daemon=True)
        self._machine_thread = threading.Thread(target=self._watch_machine, name="threats", daemon=True)

    def start(self) -> None:
        """Start watching."""
        self._table_thread.start()
        self._machine_thread.start()
        if self.registry is not None:
            self.registry.listen(self.buttons_changed)
            self.registry.camera_link.listen(self.camera_changed)
            self._device_thread.start()

    def stop(self) -> None:
        """Tell all threads to end soon."""
        self.closing.set()
        self._devices_changed.set()

    # --- the table --------------------------------------------------------------------------------

    def _watch_table(self) -> None:
        """Refresh the hub after every change of the table."""
        if not self.closing.wait(WARM_AFTER):
            self._load_templates()
            self._use_quiet()
        number, tidied = 0, self.table.snapshot()
        while not self.closing.is_set():
            seen = self.table.wait(number, WAIT)
            quiet, number = seen.number == number, seen.number
            try:
                self.hub.refresh()
                other = (seen.match_id, seen.over) != (tidied.match_id, tidied.over)
                if quiet and (other or seen.number >= tidied.number + TIDY_AFTER):
                    tidied = seen
                    self._use_quiet()
            except Exception:
                current = self.table.snapshot()
                LOGGER.exception("match %s, change %s could not be shown", current.match_id, current.number)

    def _use_quiet(self) -> None:
        """Do the work that waits for a quiet moment; if it fails, go on watching."""
        try:
            self._when_quiet()
        except WorkerClosed:
            return
        except Exception:
            LOGGER.exception("a quiet moment could not be used")

    # --- buttons and camera -----------------------------------------------------------------------

    def buttons_changed(self, was: ButtonsStatus, now: ButtonsStatus) -> None:
        """Show the state of the buttons, first the lamps and soon afterwards the regions."""
        if (was.alive, was.lamps, was.buttons) != (now.alive, now.lamps, now.buttons):
            self.cue_publisher.pins()
        if buttons_view(was, MOST_PLAYERS) != buttons_view(now, MOST_PLAYERS):
            self._devices_changed.set()

    def camera_changed(self, was: CameraSnapshot, now: CameraSnapshot) -> None:
        """Show the state of the camera and, for a while, that it is back."""
        if was.lost and now.alive:
            self._back_until = time.monotonic() + BACK
        if camera_status(was) != camera_status(now):
            self._devices_changed.set()

    def camera(self) -> CameraStatus:
        """Return the state of the camera."""
        until = self._back_until
        return camera_status(self.registry.camera if self.registry else None, until is not None)

    def _watch_devices(self) -> None:
        """Refresh the hub after every visible change of buttons and camera."""
        while not self.closing.is_set():
            until = self._back_until
            self._devices_changed.wait(None if until is None else max(0.0, until - time.monotonic()))
            self._devices_changed.clear()
            if until is not None and time.monotonic() >= until:
                self._back_until = None
            try:
                self.hub.refresh()
            except Exception:
                LOGGER.exception("the state of buttons and camera could not be shown")

    # --- power and disk ---------------------------------------------------------------------------

    def _watch_machine(self) -> None:
        """Check from time to time whether power or disk threaten the game."""
        while True:
            try:
                self.look_at_machine()
            except WorkerClosed:
                return
            except Exception:
                LOGGER.exception("power and disk could not be looked at")
            if self.closing.wait(RETRY if self.table.snapshot().unsaved else LOOK):
                return

    def look_at_machine(self) -> None:
        """Show threats to the game; after a failed save, try again."""
        if self.table.snapshot().unsaved:
            self.table.regain()
        stopped, found = judge_held(self.table.snapshot().unsaved), machine.threats(self.data)
        self.show_threats((*stopped, *[each for each in found if not stopped or each.part != "disk"]))

    def show_threats(self, found: tuple[Finding, ...]) -> None:
        """Show threats to the game; a change of figures alone does not count."""
        if [(each.key, each.state) for each in found] == [(each.key, each.state) for each in self.threats]:
            return
        self.threats = found
        for each in found:
            LOGGER.warning("%s", ": ".join(finding_text(each, words("en"))[:2]))
        self.hub.refresh()
