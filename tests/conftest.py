"""Fixed chance for every test: what the companion deals, what its bots choose and what hypothesis tries never change.

`pytest --hypothesis-profile default` tries something else each time.
"""

from __future__ import annotations

import gc
import os
from random import Random

import pytest
from hypothesis import settings

from companion.match import match
from tests.support.shared_files import FOLDER
from web.plugins.card_table import card_table_views as card_table

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run files with slow tests first, so that no process is left alone with one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays for the whole run: a seventh of the processor's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Name the folder in which all processes of this run find what each file of `make_once` holds."""
    own = tmp_path_factory.getbasetemp()
    os.environ[FOLDER] = str(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture(autouse=True)
def fixed_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw seeds and luck from the test's own name: another test has another game, and the same test always its own.

    A game by chance now and then is one in which something never comes up that a test waits for.
    """
    chance = Random(request.node.nodeid)
    monkeypatch.setattr(match, "new_seed", lambda: f"{chance.getrandbits(256):064x}")
    monkeypatch.setattr(card_table, "LUCK", Random(chance.random()))
    monkeypatch.setattr("random.SystemRandom", lambda: Random(chance.random()))
