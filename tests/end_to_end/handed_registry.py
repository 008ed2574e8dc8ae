"""A table's devices in simulated time: services' messages are passed directly, and no bus is opened.

Everything else is the real registry: lost buttons break a count, a lost camera sees nothing, and pages report both.
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
"""The camera's state before anybody asks for its pictures."""


class End:
    """The end of a line without a listener."""

    said = ""

    def send(self, message: Message) -> bool:
        """Discard the message."""
        return True

    def close(self) -> None:
        """Do nothing."""


class Line(End):
    """The camera's end of a bus that consists of a method call."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def send(self, message: Message) -> bool:
        """Pass a message of the camera's service to the registry."""
        self.board.says(self.board.camera_end, message)
        return True


class Board(DeviceRegistry):
    """A registry whose services come and go on call; silence loses none of them."""

    def __init__(self, table: Table, folder: Any, clock: Callable[[], int]) -> None:
        self.buttons_end, self.camera_end = End(), End()
        with patch("companion.devices.registry.serve", lambda *_: End()):
            super().__init__(table, find_address(folder), ("buttons", "camera"), clock)

    def _watch(self) -> None:
        """Start no watch, because the test advances the time."""

    def says(self, end: Any, message: Any) -> None:
        """Handle a message of a service."""
        self._receive(end, message)

    def buttons_come(self) -> None:
        """Report that the buttons' service is alive."""
        self.says(self.buttons_end, Health("buttons", self.clock(), "simulated"))

    def buttons_go(self) -> None:
        """Report that the buttons' service has gone."""
        self._peer = self.buttons_end  # it may not have connected since the companion started
        self._on_left(self.buttons_end)

    def camera_comes(self, state: CameraState = SEEING) -> None:
        """Report the camera's state."""
        self.says(self.camera_end, Health("camera", self.clock(), camera=state))

    def camera_goes(self) -> None:
        """Report that the camera's service has gone."""
        self.camera_link._peer = self.camera_end
        self._on_left(self.camera_end)
