"""The checks of the settings of pins and wireless buttons."""

from __future__ import annotations

from companion.config import Check, Settings
from hardware.radio import settings as radio_settings
from hardware.wiring import wiring


def _radio(settings: Settings) -> None:
    """Check the wireless buttons; a closed wiring closes them too."""
    if settings.table("radio") is not None:
        radio_settings.configured_radio(settings, wiring.configured_wiring(settings))


CHECKS: dict[str, Check] = {"wiring": wiring.configured_wiring, "radio": _radio}
"""The check of each table."""
