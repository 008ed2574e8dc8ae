"""Serve a room with a camera's double to browsers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.support.web.camera_double import Camera, Seeing
from tests.support.web.served import served
from tests.web.browser.devices import PHONE, TABLET, Device


class Watched:
    """A room with a camera's double at a real address."""

    def __init__(self, room: Seeing, address: str, browser: Browser) -> None:
        self.room, self.address, self.browser = room, address, browser
        self.devices: list[Device] = []
        self.camera: Camera = room.camera()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        """Let the double send health messages, as a real service does."""
        while not self._ending.wait(0.4):
            for camera in self.room.cameras:
                camera.live()

    def open(self, path: str, phone: bool = False) -> Page:
        """Open a page on a separate device."""
        self.devices.append(Device(self.browser, PHONE if phone else TABLET))
        return self.devices[-1].open(self.address + path)

    def close(self) -> list[str]:
        """Close all pages, and return their complaints."""
        complaints = [complaint for device in self.devices for complaint in device.complaints]
        for device in self.devices:
            device.context.close()
        self._ending.set()
        self._thread.join()
        return complaints


@contextmanager
def watching(folder: Path, browser: Browser, prepare: Callable[[Seeing], None]) -> Iterator[Watched]:
    """Yield a prepared room under a camera, and check that no page has logged errors."""
    with Seeing(folder) as room:
        prepare(room)
        with served(room.app) as address:
            found = Watched(room, address, browser)
            yield found
            complaints = found.close()
        assert not complaints, complaints
