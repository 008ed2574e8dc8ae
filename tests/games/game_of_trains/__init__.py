"""Game of Trains: rules, words, secrets, bots, playthroughs."""

from pathlib import Path

HERE = Path(__file__).parent
