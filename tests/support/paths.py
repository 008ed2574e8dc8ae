"""Paths of the project, for tests that read its documents and sources."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
