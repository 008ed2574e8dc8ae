"""Gather all findings in the table's process. Services examine pins and cameras, which allow one owner at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Literal

from companion.devices.camera_link import CameraSnapshot
from companion.devices.camera_requests.camera_request import CameraRefusal
from companion.devices.camera_requests.table import Examine
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.findings import Finding, answer_of, bad, findings_of, look, without_duplicates
from companion.ops.doctor import machine, services
from companion.ops.doctor.disk import judge_held
from companion.ops.doctor.services import ServiceReading, ServicesReading
from companion.table.table import Table

PATIENCE = 8.0
"""Seconds to wait for a service's answer: the first time, the camera service compares a deck's cards."""
EXAMINE = "examine"
"""The name of the request to the table and its services."""
UNITS = {"table": "companion-table", "buttons": "companion-buttons", "camera": "companion-camera"}
"""The services' systemd units."""
ServiceName = Literal["buttons", "camera"]


SettingsCheck = Callable[[Path], tuple[Finding, ...]]
"""Returns the unused settings of a folder."""


def no_findings(folder: Path) -> tuple[Finding, ...]:
    """Return no findings."""
    return ()


class Examiner:
    """Examines one table and the devices around it. Any thread may call its methods.

    `page` returns the address that tablets open; `now` returns the displayed day and time; `settings` examines a
    folder's settings.
    """

    def __init__(
        self,
        table: Table,
        board: DeviceRegistry | None,
        folder: Path,
        page: Callable[[], str] = lambda: "",
        now: Callable[[], str] = lambda: time.strftime("%Y-%m-%d %H:%M"),
        settings: SettingsCheck = no_findings,
    ) -> None:
        self.table, self.board, self.folder, self.page = table, board, folder, page
        self.bus = str(board.address) if board is not None else ""
        self.now = now
        self.settings = settings
        self.left_out = settings(folder)
        """The settings that were unused when the table started."""
        self.began = now()
        self._since: dict[str, str] = {}
        self._lock = threading.Lock()
        if board is not None:
            board.listen(lambda was, is_: self._note("buttons", was, is_))
            board.camera_link.listen(lambda was, is_: self._note("camera", was, is_))
            board.answer(EXAMINE, lambda: answer_of(self.examine()))

    def _note(self, name: str, was: ButtonsStatus | CameraSnapshot, now: ButtonsStatus | CameraSnapshot) -> None:
        """Note when a service appeared or was lost."""
        if was.alive != now.alive or was.lost != now.lost:
            with self._lock:
                self._since[name] = self.now()

    def examine(self) -> tuple[Finding, ...]:
        """Return all findings; this takes some seconds if a service answers slowly."""
        with ThreadPoolExecutor(2, thread_name_prefix="examining") as pool:
            asked = [pool.submit(self._asked, name) for name in ("buttons", "camera")]
            own = machine.examine(self.folder, self._services(), self.page(), self.table.snapshot().findings)
            held = judge_held(self.table.snapshot().unsaved)
            told = [finding for answer in asked for finding in answer.result()]
            return tuple(without_duplicates([*self._settings(), *held, *own, *self._bus(), *told]))

    def _settings(self) -> list[Finding]:
        """Return the settings that are unused now, or that corrected ones need a restart."""
        found = list(self.settings(self.folder))
        if self.left_out and not found:
            return [look("settings.file", "changed", place=self.left_out[0].fields["place"])]
        return found

    def _bus(self) -> list[Finding]:
        """Return the bus's problem, which cuts off the buttons."""
        said = "" if self.board is None else self.board.buttons.bus
        return [look("buttons.said", "said", said=said.rstrip("."))] if said else []

    def _services(self) -> ServicesReading:
        board = self.board
        found: tuple[ServiceReading, ...] = ()
        if board is not None:
            found = (self._service("buttons", board.buttons), self._service("camera", board.camera))
        tables = tuple(services.find_processes(Path("/proc"), *services.TABLES))
        return ServicesReading(self.bus, True, self.began, services.count_restarts(UNITS["table"]), found, tables)

    def _service(self, name: ServiceName, known: ButtonsStatus | CameraSnapshot) -> ServiceReading:
        with self._lock:
            since = self._since.get(name, self.began)
        expected = known.expected
        return ServiceReading(name, known.alive, expected, since, known.kind, services.count_restarts(UNITS[name]))

    def _asked(self, name: str) -> list[Finding]:
        """Ask a live service for its findings."""
        board = self.board
        if board is None or not (board.buttons.alive if name == "buttons" else board.camera.alive):
            return []
        found: list[Finding] | None = None
        if name == "buttons":
            found = findings_of(board.ask_buttons(EXAMINE, PATIENCE))
        else:
            with suppress(CameraRefusal):
                found = list(board.camera_link.ask(Examine(), PATIENCE).findings)
        return found if found is not None else [bad(f"services.{name}", "no_answer")]
