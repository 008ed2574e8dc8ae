"""Tests of Game of Trains."""

from pathlib import Path

HERE = Path(__file__).parent
