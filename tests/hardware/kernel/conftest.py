"""Boots the kernel with simulated pins once for each program; skips with a reason where there is none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot, missing
from tests.must_run import must_run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, unless it must."""
    reason = missing()
    if reason and not must_run("kernel"):
        for item in items:
            if item.get_closest_marker("kernel"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def serving() -> dict[str, Any]:
    """Give what the service did on real lines."""
    return boot("tests.hardware.kernel.serving")


@pytest.fixture(scope="session")
def deaf() -> dict[str, Any]:
    """Give how many presses fresh processes heard."""
    return boot("tests.hardware.kernel.deaf")
