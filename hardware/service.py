"""The buttons service: one loop between pins and bus. Knows how a press reaches the bus, not what it means.

`serve` is the whole service, `Buttons` (in `hardware.buttons`) all that is wired, for the service and for trials.
"""

from __future__ import annotations

from pathlib import Path

from hardware.buttons import Buttons
from hardware.simulated import Faults
from hardware.wiring import Wiring

__all__ = ["Buttons", "serve"]


def serve(wiring: Wiring, kind: str, bus: Path, faults: Faults | None = None) -> None:
    """Run the buttons until SIGTERM or SIGINT; raise `PinsError` where the pins that were asked for cannot be opened.

    `kind` is `auto`, `lgpio`, `rpigpio` or `simulated`; `faults` are those of simulated pins.
    """
    raise NotImplementedError
