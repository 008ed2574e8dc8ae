"""Fixtures with a machine's paths in a temporary folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.ops.update.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Return a machine's paths in a temporary folder."""
    found = Places(tmp_path / "root")
    for path in (found.work, found.kept, found.data, found.request.parent):
        path.mkdir(parents=True)
    return found
