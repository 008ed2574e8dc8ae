"""The cards in the box: one wagon of each weight."""

from companion.games.examples.twenty_tons.steps import WAGONS

CARDS = {f"wagon-{weight}": 1 for weight in WAGONS}
"""The number of each card, by its name in layouts."""
