"""Fixtures that start one small machine with the companion installed, or skip with a reason."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.machine import Machine, booted, debian, missing, wheels

INSTALLING = 400.0
"""The seconds that an installation may take."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests that cannot run on this machine, unless they are required."""
    reason = missing(f"bookworm-{debian()}-ready") or (
        "" if wheels().is_dir() else "there are no wheels (make systemd)"
    )
    if reason and not must_run("systemd"):
        for item in items:
            if item.get_closest_marker("systemd"):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """Yield a machine on which the companion's own script installed it without a network."""
    with booted(f"bookworm-{debian()}-ready", binds=(f"{wheels()}:/wheels",)) as machine:
        machine.run("/src/systemd/install", "--wheels", "/wheels", timeout=INSTALLING)
        yield machine


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Yield a folder at the front of the search path for programs."""
    folder = tmp_path / "tools"
    folder.mkdir()
    assert shutil.which("bash")
    return folder
