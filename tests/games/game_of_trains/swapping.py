"""Two tables of Game of Trains that differ in one seat's secrets alone, and all that a seat might try at them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from msgspec.structs import replace

from companion.engine import Event, Seat, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.steps.setup import Choose
from companion.games.game_of_trains.steps.turn import Place
from companion.games.game_of_trains.table import Table

POSITIONS = range(9)
"""All positions of a line, and one beyond either end."""


def swapped(state: State[Table], other: int, luck: random.Random) -> State[Table]:
    """Return the state with other cards in one seat's hand, other ones rejected, and the pile in another order.

    With real cards the companion knows no order and nothing that was rejected. A card becomes the least or the greatest
    that nobody has seen, one close to itself, or any.
    """
    loose = sorted(state.table.unseen)

    def instead(card: int) -> int:
        if not loose or not card:
            return card
        close = min(loose, key=lambda each: abs(each - card))
        found = luck.choice([loose[0], loose[-1], close, luck.choice(loose)])
        loose[loose.index(found)] = card
        loose.sort()
        return found

    head = state.agenda[0] if state.agenda else None
    if isinstance(head, Place) and head.seat == other:
        head = replace(head, card=instead(head.card))
    if isinstance(head, Choose) and head.hands:
        hands = tuple([tuple(map(instead, hand)) if s == other else hand for s, hand in enumerate(head.hands)])
        head = replace(head, hands=hands)
    table = replace(state.table, unseen=tuple(loose))
    if table.fixed.dealt:
        rejected = tuple([instead(card) for card in table.rejected])
        luck.shuffle(loose)
        table = replace(table, unseen=tuple(loose), rejected=rejected)
    return State(table, (head, *state.agenda[1:]) if head is not None else (), state.effects)


def attempts(state: State[Table], seat: Seat, luck: random.Random) -> Iterator[Event]:
    """Yield everything that a seat might try now, sensible or not."""
    head = state.agenda[0] if state.agenda else None
    hands = [card for hand in head.hands for card in hand] if isinstance(head, Choose) else []
    cards = {*state.table.pool, *hands[:6], *luck.sample(range(1, 85), 4), 0, 99}
    yield ev.Drew(seat)
    yield ev.FirstNamed(seat)
    yield from (ev.Placed(seat, position) for position in POSITIONS)
    for card in sorted(cards):
        yield ev.Removed(seat, card)
        for position in POSITIONS:
            yield ev.Kept(seat, card, position)
            yield ev.Protected(seat, card, position)
            yield ev.Shifted(seat, card, position)
            yield ev.Swapped(seat, card, position, luck.choice(POSITIONS))
