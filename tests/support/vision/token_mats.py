"""Mats of Take a Train with its places for tokens."""

from __future__ import annotations

from companion.games.take_a_train.layout import places
from companion.games.take_a_train.rules import RULES
from vision.mat import Mat, make_mat

CARD = (63.0, 88.0)


def token_mat(players: int, paper: str = "a4", card: tuple[float, float] = CARD) -> Mat:
    """Return a mat with places for tokens."""
    return make_mat(places(players), card, paper, players, RULES.token_places(players))
