"""Fixtures that boot a kernel with simulated cameras once per program, or skip with a reason."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot, missing
from tests.support.must_run import must_run
from tests.vision.kernel.root import ROOT, boot_root, lacking


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that cannot run on this machine, unless they are required."""
    if must_run("kernel"):
        return
    for item in items:
        if item.get_closest_marker("kernel") and "tests/vision/kernel" in item.nodeid:
            reason = missing() or (lacking() if "libcamera" in getattr(item, "fixturenames", ()) else "")
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def video() -> dict[str, Any]:
    """Return the results of `UsbCamera` on a video device of the kernel."""
    return boot("tests.vision.kernel.video")


@pytest.fixture(scope="session")
def libcamera() -> dict[str, Any]:
    """Return the results of `PiCamera` over the real picamera2 and libcamera."""
    return boot_root(ROOT, "tests.vision.kernel.raspberry")
