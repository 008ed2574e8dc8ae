"""The cards in the box: one of each contract."""

from companion.games.examples.hill_and_harbour.board import CONTRACTS

CARDS = dict.fromkeys(CONTRACTS, 1)
"""How many of each card there are, by its name in layouts."""
