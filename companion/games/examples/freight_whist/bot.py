"""A bot with a few rules of thumb. It sees its own hand and the trick, never a state."""

from __future__ import annotations

from collections import Counter

from companion.engine import Event, Luck
from companion.games.examples.freight_whist.rules import RULES, CardPlayed, Table, View
from companion.mechanics.policy import PlainPolicy
from companion.mechanics.tricks import best_of, rank_of, suit_of


class Policy(PlainPolicy[Table]):
    """A bot for a seat of Freight Whist."""

    def choose(self, known: View, luck: Luck) -> Event | None:
        """Lead from the longest freight; win as cheaply as possible unless the partner does; else lose little."""
        events = [event for offer in known.offers for event in offer]
        plays = {event.card: event for event in events if isinstance(event, CardPlayed)}
        if not plays:
            return events[0] if events else None
        trick, trump = known.trick, suit_of(known.turned)
        lengths = Counter(map(suit_of, plays))
        if not trick:
            return plays[max(plays, key=lambda card: (lengths[suit_of(card)], rank_of(card)))]
        winning = [card for card in plays if best_of((*trick, card), trump) == len(trick)]
        if best_of(trick, trump) == len(trick) - 2:
            winning = []
        return plays[min(winning or plays, key=lambda card: (suit_of(card) == trump, rank_of(card)))]


POLICY = Policy(RULES)
