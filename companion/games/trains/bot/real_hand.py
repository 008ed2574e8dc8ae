"""What a program holds of real cards: nobody has told it, so it imagines a hand out of all that may be in it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Event, Luck
from companion.games.trains.events import Played
from companion.games.trains.view import View


def playable(known: View, events: Sequence[Event], luck: Luck) -> list[Event]:
    """Return the events without the cards that an imagined hand lacks; where the hand is known, all of them.

    Any card that may be in a real hand can be played. A program that always played the best of them would never draw
    badly, and every game would be the same.
    """
    played = [event for event in events if isinstance(event, Played)]
    unseen = known.seats[played[0].seat].hand - len(known.own_cards) if played else 0
    if not unseen:
        return list(events)
    hidden = [card for card, count in known.own_unseen for _ in range(count)]
    hand = {*known.own_cards, *[hidden.pop(int(luck() * len(hidden))) for _ in range(min(unseen, len(hidden)))]}
    return [event for event in events if not isinstance(event, Played) or event.card in hand]
