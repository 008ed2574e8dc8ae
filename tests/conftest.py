"""Chance, told for every test: what the companion deals, what its bots choose and what hypothesis tries never change.

`pytest --hypothesis-profile default` tries something else each time.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from companion.match import match
from web.views import card_bench

settings.register_profile("told", derandomize=True, deadline=None, database=None)
settings.load_profile("told")


@pytest.fixture(autouse=True)
def told_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw seeds and luck from the test's own name: another test has another game, and the same test always its own.

    A game by chance now and then is one in which something never comes up that a test waits for.
    """
    chance = Random(request.node.nodeid)
    monkeypatch.setattr(match, "new_seed", lambda: f"{chance.getrandbits(256):064x}")
    monkeypatch.setattr(card_bench, "LUCK", Random(chance.random()))
    monkeypatch.setattr("random.SystemRandom", lambda: Random(chance.random()))
