"""Real power cuts of a real kernel with ext4: a machine that plays is killed, what its caches held is lost."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.faults.plug import pulled

pytestmark = [pytest.mark.faults, pytest.mark.kernel]
CUTS, CONTROLS = 30, 6


def campaign(folder: Path, cuts: int, synchronous: str) -> tuple[int, int, list[str]]:
    """Pull the plug so often; return acknowledged moves, states of the disk and what was wrong."""
    moves = states = 0
    bad: list[str] = []
    for seed in range(cuts):
        cut = pulled(folder, seed, synchronous)
        moves += cut.acknowledged
        states += len(cut.states)
        bad += [f"cut {seed}, {state}: {why}" for state, why in cut.states.items() if why]
    return moves, states, bad


def test_pulled_plugs_lose_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything the machine acknowledged is there after a boot, in every state its disk may be in."""
    begun = time.monotonic()
    moves, states, bad = campaign(tmp_path, CUTS, "FULL")
    with capsys.disabled():
        print(
            f"\npower cuts: {CUTS} machines, {moves:,} acknowledged moves, {states} states of the disk, bad {bad}, "
            f"{time.monotonic() - begun:.0f} s"
        )
    assert bad == []
    assert moves > 10 * CUTS


def test_without_syncs_the_same_cuts_lose_moves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The control: with SQLite's `synchronous=OFF` acknowledged moves are gone."""
    moves, states, bad = campaign(tmp_path, CONTROLS, "OFF")
    with capsys.disabled():
        print(
            f"\npower cuts without syncs (must lose): {CONTROLS} machines, {moves:,} acknowledged moves, "
            f"{len(bad)} of {states} states bad, such as {bad[:1]}"
        )
    assert any("lost" in why for why in bad)
