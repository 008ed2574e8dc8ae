"""Skips, with a reason, what needs a compiler or a kernel where there is none, and prints figures of long runs."""

from __future__ import annotations

import pytest

from tests.faults import disk
from tests.must_run import must_run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, unless it must."""
    reason = disk.missing()
    if reason and not must_run("gcc"):
        for item in items:
            if item.get_closest_marker("gcc"):
                item.add_marker(pytest.mark.skip(reason=reason))
