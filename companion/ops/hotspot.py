"""The machine's own Wi-Fi while it is on: its name, its password and a code for joining it.

`systemd/hotspot` writes them for the table and the console; nobody else on the machine reads them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from companion.ops.network_address import read_interfaces

PLACE = Path("/run/companion-hotspot/wifi")
ENVIRONMENT = "COMPANION_HOTSPOT"
"""Names another file in tests."""


class Hotspot(NamedTuple):
    """The machine's own Wi-Fi."""

    name: str
    password: str
    address: str = ""
    """The machine's address in it; empty while it is being switched on."""

    def code(self) -> str:
        """Return its QR code's text for a phone's camera."""
        from segno.helpers import make_wifi_data

        return make_wifi_data(self.name, self.password, "WPA")


def read_hotspot() -> Hotspot | None:
    """Return the machine's own Wi-Fi; None if it is off, or if somebody has switched to another network."""
    found = read_file(Path(os.environ.get(ENVIRONMENT, PLACE)))
    if found is None or not found.address:
        return found
    return found if found.address in {each.address for each in read_interfaces()} else None


def read_file(path: Path) -> Hotspot | None:
    """Return the file's content, if there is any."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    name, password = values.get("ssid", ""), values.get("psk", "")
    return Hotspot(name, password, values.get("address", "")) if name and password else None
