"""In the guest: real lines, the buttons service, both kinds of bus, the table with its journal, and real lamps.

Table and buttons are processes of their own, as on a Pi. The bus is first a socket, then a real mosquitto.
"""

from __future__ import annotations

import fcntl
import socket
import struct
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.devices.bus import SocketAddress
from companion.games.take_a_train.events import Counted, Raised
from hardware.wiring.wiring import DEFAULT
from tests.end_to_end.processes import A, B, Split
from tests.hardware.kernel.guest import become_pi
from tests.hardware.kernel.lines import Chip, report
from tests.support.brokers import mosquitto, running

SIOCSIFFLAGS, IFF_UP = 0x8914, 1
PATIENCE = 20.0


def network() -> None:
    """Bring up the loopback interface, over which pages and broker are reached."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        fcntl.ioctl(end, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


class Wired(Split):
    """A table in two processes whose players press real lines and read real lamps.

    Nobody is killed here, so no press is lost. On a slow guest nobody presses twice, because a second press by the
    leader would count.
    """

    again = PATIENCE

    def __init__(self, chip: Chip, folder: Path, where: Any) -> None:
        folder.mkdir()
        super().__init__(folder, where, ("buttons",))
        self.chip = chip
        self.commands["buttons"] = ["lgpio" if word == "simulated" else word for word in self.commands["buttons"]]

    def press(self, seat: int) -> None:
        """Press and release a line with bounce."""
        self.chip.press(DEFAULT.seats[seat].button, 0.05, bounces=2)

    def lit(self, seat: int) -> bool:
        """Return whether a seat's lamp is on."""
        return self.chip.value(DEFAULT.seats[seat].lamp or 0)

    def soon(self, true: Callable[[], bool]) -> bool:
        """Return whether a condition comes true within a while."""
        end = time.monotonic() + PATIENCE
        while not true():
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True


def played(chip: Chip, folder: Path, where: Any) -> dict[str, Any]:
    """A opens with 200, B, A and B raise, and B counts to three. Return who led, whose lamp was on, and the money."""
    with Wired(chip, folder, where) as at:
        at.set_up()
        at.start("table", "buttons")
        at.until(lambda: "devices" in at.page() and "devices lost" not in at.page(), 60)
        at.until(lambda: "lgpio" in at.said("table"), 60)
        lamps = []
        for seat in (B, A, B):
            at.press_until(seat, lambda seat=seat: at.leader() == seat)  # type: ignore[misc]
            lamps.append(at.soon(lambda seat=seat: at.lit(seat)))  # type: ignore[misc]
        for count in (1, 2, 3):
            at.press_until(B, lambda count=count: Counted(B, count) in at.events())  # type: ignore[misc]
        raised = [event.seat for event in at.events() if isinstance(event, Raised)]
        return {"raised": raised, "lamps": lamps, "money": at.money(), "said": at.said("buttons")[-400:]}


def main() -> None:
    """Play over both kinds of bus."""
    network()
    chip = Chip()
    for wired in DEFAULT.seats:
        chip.pull(wired.button, True)
    chip.pull(DEFAULT.host or 0, True)
    become_pi("c03111")
    report(local=played(chip, Path("/run/one"), SocketAddress(Path("/run/one/bus"))))
    if mosquitto() is None:
        return
    with ExitStack() as stack:
        folder = Path("/run/broker")
        folder.mkdir()
        report(broker=played(chip, Path("/run/two"), stack.enter_context(running(folder)).address))
