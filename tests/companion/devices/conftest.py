"""Shared fixtures of the tests of devices."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder with a short path, because the path of a socket is limited."""
    with tempfile.TemporaryDirectory(prefix="bus-") as name:
        yield Path(name)
