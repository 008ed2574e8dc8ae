"""Places of a machine in a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.ops.update.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Give the places of a machine in a folder."""
    found = Places(tmp_path / "root")
    for path in (found.work, found.kept, found.data, found.request.parent):
        path.mkdir(parents=True)
    return found
