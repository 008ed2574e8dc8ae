"""Skips, with a reason, what needs a compiler or a kernel where there is none."""

from __future__ import annotations

import pytest

from tests.faults import disk, plug
from tests.support.must_run import must_run


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here, unless it must."""
    for marker, missing in (("gcc", disk.missing), ("kernel", plug.missing)):
        mine = [item for item in items if item.get_closest_marker(marker) and "faults" in item.path.parts]
        reason = missing() if mine and not must_run(marker) else ""
        for item in mine if reason else ():
            item.add_marker(pytest.mark.skip(reason=reason))
