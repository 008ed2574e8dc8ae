"""Serve a hall's pages on this machine only, where everybody is the organiser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web.hall_pages import HallBrowser, HallPages
from web.hall import roles


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the hashes of passwords cheap."""
    monkeypatch.setitem(roles.COST, "n", 2)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[HallPages]:
    """Yield a hall without passwords."""
    found = HallPages(tmp_path)
    yield found
    found.close()


@pytest.fixture
def browser(pages: HallPages) -> HallBrowser:
    """Return a browser at the hall without passwords."""
    return pages.browser()
