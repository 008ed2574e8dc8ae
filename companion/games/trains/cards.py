"""The cards in the box of Trains, by their names in layouts."""

from companion.games.trains.catalogue import shipped

CARDS = {card.id: card.count for card in shipped().cards}
"""How many of each card there are."""
