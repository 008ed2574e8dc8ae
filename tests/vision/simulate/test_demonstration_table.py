"""Tests of the drawings that an installation makes before the first demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.games import SEEN
from vision.settings import CameraSettings
from vision.simulate import demonstration_table, picture_cache
from vision.simulate.demonstration_table import PLAYERS, demonstration_camera

GAME = "hill-and-harbour"
"""A game without cards, whose table needs no drawn deck."""


def test_a_first_demonstration_draws_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All decks are drawn first, then an empty table of either size for each game, and a demonstration uses them."""
    decks: list[Sequence[str]] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(demonstration_table, "SEEN", {GAME: SEEN[GAME]})
    monkeypatch.setattr(demonstration_table, "is_example", lambda game: False)
    monkeypatch.setattr(demonstration_table.drawn_deck, "main", decks.append)
    demonstration_table.main()
    assert decks == [()] and len([*tmp_path.rglob(f"{GAME}-{PLAYERS}-*.table")]) == 2
    monkeypatch.setattr(picture_cache, "empty_table", None)
    camera = demonstration_camera(CameraSettings(game=GAME, players=PLAYERS))
    assert camera.glance().size and camera.still()[0].shape[1] > 1000
