"""Collect what the tests of Take a Train prove."""

from __future__ import annotations

from pathlib import Path

from tests.games import proofs
from tests.games.proofs import proves

__all__ = ["HERE", "proven", "proves"]

HERE = Path(__file__).parent


def proven() -> dict[str, list[str]]:
    """Return the tests of each tag."""
    return proofs.proven(HERE)
