"""The machine's own Wi-Fi, while it is on: its name, its password and a code by which devices join it.

`systemd/hotspot` writes them for the table and for the console's screen; nobody else on the machine reads them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from companion.ops.network_address import read_interfaces

PLACE = Path("/run/companion-hotspot/wifi")
ENVIRONMENT = "COMPANION_HOTSPOT"
"""Names another file, for tests."""


class Hotspot(NamedTuple):
    """A Wi-Fi of the machine's own."""

    name: str
    password: str
    address: str = ""
    """The machine's address in it; empty while it is just being switched on."""

    def code(self) -> str:
        """Return what its QR code says to a phone's camera."""
        from segno.helpers import make_wifi_data

        return make_wifi_data(self.name, self.password, "WPA")


def read_hotspot() -> Hotspot | None:
    """Return the machine's own Wi-Fi; None where it is off, or was left for another one by hand."""
    found = read_file(Path(os.environ.get(ENVIRONMENT, PLACE)))
    if found is None or not found.address:
        return found
    return found if found.address in {each.address for each in read_interfaces()} else None


def read_file(path: Path) -> Hotspot | None:
    """Return what stands in the file, if there is one."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    name, password = values.get("ssid", ""), values.get("psk", "")
    return Hotspot(name, password, values.get("address", "")) if name and password else None
