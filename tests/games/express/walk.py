"""Play random legal games of Express for the property tests, with all numbers of players and variants."""

from __future__ import annotations

import random

from companion.engine import JsonObject, Setup
from companion.games.express.rules import RULES
from companion.games.express.table import Table
from tests.games.playing import Playing

play = Playing[Table](RULES).at_random
"""Yield every event of a random game with the states before and after it."""


def setup_of(players: int, seed: int, partners: str = "usual") -> Setup:
    """Return the set-up of one hand with a random deck, scoring and variant."""
    luck = random.Random(f"{players}:{seed}")
    options: JsonObject = {"hands": 1, "partners": partners}
    options["scoring"] = luck.choice(("set_of_three", "sum"))
    options["variant"] = luck.choice(("full", "full", "full", "family"))
    return Setup(RULES.name, players, options, deck=luck.choice(("dealt", "dealt", "ours")))
