"""A hall's pages, open only on this machine: everybody is the organiser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.web.hall_pages import HallBrowser, HallPages
from web.hall import roles


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cheap password hashes for tests."""
    monkeypatch.setitem(roles.COST, "n", 2)


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[HallPages]:
    """A hall without passwords."""
    found = HallPages(tmp_path)
    yield found
    found.close()


@pytest.fixture
def browser(pages: HallPages) -> HallBrowser:
    """A browser at the hall without passwords."""
    return pages.browser()
