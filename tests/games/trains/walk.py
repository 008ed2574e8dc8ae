"""Play random legal games of Trains for the property tests, on both boards, with drawn kingdoms."""

from __future__ import annotations

import random

from companion.engine import JsonObject, Setup
from companion.games.trains.rules import RULES
from companion.games.trains.table import Table
from tests.games.playing import Playing

play = Playing[Table](RULES).at_random
"""Yield every event of a random game with the states before and after it."""
EDITIONS = ("okazu", "okazu", "later")
DECKS = ("dealt", "dealt", "ours")


def setup_of(players: int, seed: int) -> Setup:
    """Return a set-up with a board, a kind of deck and rulings that depend on the seed."""
    luck = random.Random(seed)
    options: JsonObject = {"board": ("tokyo", "osaka")[seed % 2], "draw_kingdom": "yes"}
    options["edition"] = luck.choice(EDITIONS)
    options["wagon_factory"] = luck.choice(("any_card", "train_only", "up_to_3"))
    options["ironworks_on"] = luck.choice(("rail_cards", "lay_rails"))
    options["river_start"] = luck.choice(("yes", "no"))
    return Setup(RULES.name, players, options, deck=luck.choice(DECKS))  # type: ignore[arg-type]
