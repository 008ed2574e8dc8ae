"""Boots the kernel with simulated pins once for each program; skips with a reason where there is none."""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.hardware.kernel.machine import boot, missing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, unless it must."""
    reason = missing()
    if reason and "kernel" not in os.environ.get("COMPANION_MUST_RUN", ""):
        for item in items:
            if item.get_closest_marker("kernel"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def serving() -> dict[str, Any]:
    """Give what the service did on real lines."""
    return boot("serving")


@pytest.fixture(scope="session")
def deaf() -> dict[str, Any]:
    """Give how many presses fresh processes heard."""
    return boot("deaf")
