"""Boot the kernel with simulated pins once for each program, or skip with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot, missing, missing_rpi_gpio, with_rpi_gpio
from tests.support.must_run import must_run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, unless `COMPANION_MUST_RUN` demands it."""
    if must_run("kernel"):
        return
    reasons = {"kernel": missing(), "rpi_gpio": missing_rpi_gpio()}
    for item in items:
        for marker, reason in reasons.items():
            if reason and item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session", params=["lgpio", pytest.param("rpigpio", marks=pytest.mark.rpi_gpio)])
def serving(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return the service's results on real lines, through lgpio (the default) and through RPi.GPIO."""
    if request.param == "lgpio":
        return boot("tests.hardware.kernel.serving", PINS="auto")
    return boot("tests.hardware.kernel.serving", with_rpi_gpio(), PINS=request.param)


@pytest.fixture(scope="session")
def deaf() -> dict[str, Any]:
    """Return how many presses each fresh process heard."""
    return boot("tests.hardware.kernel.deaf")
