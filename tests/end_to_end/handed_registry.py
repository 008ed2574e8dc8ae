"""The devices of a table in handed time: what the services say is handed to it, and no bus is opened.

All that it makes of it is the real one's: lost buttons break a count, a lost camera sees nothing, and pages say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from companion.devices.bus import find_address
from companion.devices.registry import DeviceRegistry
from companion.messages import CameraState, Health, Message
from companion.table.table import Table

SEEING, DARK = CameraState("still"), CameraState("blind", "dark")
"""How a camera is that nobody has to ask for its pictures."""


class End:
    """The end of a line: nobody hears what is said there."""

    said = ""

    def send(self, message: Message) -> bool:
        """Say something to nobody."""
        return True

    def close(self) -> None:
        """Leave."""


class Line(End):
    """The camera's end of a bus that has no way to go."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def send(self, message: Message) -> bool:
        """Hand what the camera's service says to the registry."""
        self.board.says(self.board.camera_end, message)
        return True


class Board(DeviceRegistry):
    """Devices whose services come and go when somebody says so; silence loses none of them."""

    def __init__(self, table: Table, folder: Any, clock: Callable[[], int]) -> None:
        self.buttons_end, self.camera_end = End(), End()
        with patch("companion.devices.registry.serve", lambda *_: End()):
            super().__init__(table, find_address(folder), ("buttons", "camera"), clock)

    def _watch(self) -> None:
        """Time is handed on by others."""

    def says(self, end: Any, message: Any) -> None:
        """Hear what a service says."""
        self._receive(end, message)

    def buttons_come(self) -> None:
        """Hear that the buttons' service lives."""
        self.says(self.buttons_end, Health("buttons", self.clock(), "simulated"))

    def buttons_go(self) -> None:
        """Notice that the buttons' service has gone."""
        self._peer = self.buttons_end  # it may never have come since the companion was started
        self._on_left(self.buttons_end)

    def camera_comes(self, state: CameraState = SEEING) -> None:
        """Hear how the camera is."""
        self.says(self.camera_end, Health("camera", self.clock(), camera=state))

    def camera_goes(self) -> None:
        """Notice that the camera's service has gone."""
        self.camera_link._peer = self.camera_end
        self._on_left(self.camera_end)
