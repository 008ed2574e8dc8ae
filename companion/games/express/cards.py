"""The cards in the box, by our own figures, which are not the publisher's."""

from companion.games.express.profile import shipped

CARDS = {card.id: card.count or 0 for card in shipped("ours").cards}
"""How many of each card there are, by its name in layouts."""
