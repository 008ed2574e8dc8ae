"""The header's chip is found under other numbers on a real kernel."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot, with_rpi_gpio

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module", params=["lgpio", pytest.param("rpigpio", marks=pytest.mark.rpi_gpio)])
def renumbered(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the results on these chips, through lgpio (the default) and through RPi.GPIO."""
    if request.param == "lgpio":
        return boot("tests.hardware.kernel.renumbered", PINS="auto")
    return boot("tests.hardware.kernel.renumbered", with_rpi_gpio(), PINS=request.param)


def test_a_header_with_another_number_is_found_by_its_label(renumbered: dict[str, Any]) -> None:
    """Button and lamp work although the header is neither gpiochip4 nor gpiochip0, which gpiozero tries."""
    assert renumbered["chips"] == ["gpiochip5", "gpiochip6", "gpiochip7"]
    pressed = renumbered["pressed"]
    assert (pressed["felt"], pressed["lit"]) == ("felt", True)
    assert pressed["chip"] in (7, None)  # RPi.GPIO does not name its chip


def test_chips_without_a_header_are_named_and_not_touched(renumbered: dict[str, Any]) -> None:
    """The Pi's other chips are not taken for its header."""
    assert "gpiochip5 is gpio-brcmstb-0, gpiochip6 is gpio-brcmstb-1" in renumbered["said"]
