"""What a program holds of real cards: nobody has told it, so it imagines a hand out of all that may be in it.

The imagined hand stays the same while the seat draws, lays and discards. A program that could play any card that may be
in its hand would begin every hand with the longest trains of the deck.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from hashlib import blake2b

from companion.engine import Seat
from companion.games.express.table import Table, hand_of


def imagined_hand(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return a hand of as many cards as the seat holds: those that all know, and the first of its imagined deck."""
    hand, zones = hand_of(seat), table.zones
    known, hidden = zones.named(hand), Counter(zones.remaining(hand))
    unseen = zones.count(hand) - len(known)
    gone = {card: count - hidden[card] for card, count in table.fixed.deck.items()}
    found = list[str]()
    for card in imagined_deck(tuple(table.fixed.cards), f"{table.drawn} {table.match.number} {seat}"):
        if len(found) == unseen:
            break
        if gone[card] > 0:  # a card that was laid or is seen elsewhere was the first of its kind
            gone[card] -= 1
        else:
            found.append(card)
    return (*known, *found)


@lru_cache(maxsize=32)
def imagined_deck(cards: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the cards in an order that depends on a name alone."""
    order = [(blake2b(f"{name} {at}".encode()).digest(), card) for at, card in enumerate(cards)]
    return tuple([card for _, card in sorted(order)])
