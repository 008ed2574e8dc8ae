"""Game of Trains: rules, words, secrets, bots, sample games."""

from pathlib import Path

HERE = Path(__file__).parent
