"""The cards in the box: a wagon of each weight."""

from companion.games.examples.twenty_tons.steps import WAGONS

CARDS = {f"wagon-{weight}": 1 for weight in WAGONS}
"""How many of each card there are, by its name in layouts."""
