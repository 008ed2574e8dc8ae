"""What tests of devices share."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder with a short name: a socket's address is short."""
    with tempfile.TemporaryDirectory(prefix="bus-") as name:
        yield Path(name)
