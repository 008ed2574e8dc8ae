"""The cards in the box: thirteen of each freight."""

from companion.games.examples.freight_whist.table import DECK

CARDS = dict.fromkeys(DECK, 1)
"""How many of each card there are, by its name in layouts."""
