"""The uses of a pool card by ability, and the reasons to refuse a use (R-09, B-1 to B-8)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine import Event, Refusal, Seat
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains import refusals
from companion.games.game_of_trains.catalogue import Book
from companion.games.game_of_trains.lines import shift, swap
from companion.games.game_of_trains.table import LENGTH, LOCK, LOCKABLE, UNLOCKED, Fixed, Line, Locks, Table

APART = {"swap_adjacent": 1, "swap_one_between": 2}
"""The distance between the two wagons of a swap (B-1, B-2)."""
BY = {"move_right_2": 2, "move_left_2": -2}
"""The positions by which a wagon moves to the right (B-3, B-4)."""
AT = {"remove_left": 1, "remove_middle": 4, "remove_right": 7}
"""The position at which everybody loses a wagon (B-5, B-6, B-7)."""
KINDS: dict[str, type[Event]] = {
    **dict.fromkeys(APART, ev.Swapped),
    **dict.fromkeys(BY, ev.Shifted),
    **dict.fromkeys(AT, ev.Removed),
    "protect": ev.Protected,
}
"""The event of each ability's use."""
POSITIONS: dict[str, tuple[tuple[int, ...], ...]] = {
    **{name: tuple([(at, at + apart) for at in range(1, LENGTH + 1 - apart)]) for name, apart in APART.items()},
    **{name: tuple([(at,) for at in range(1, LENGTH + 1) if 1 <= at + by <= LENGTH]) for name, by in BY.items()},
    **dict.fromkeys(AT, ((),)),
    "protect": tuple([(at,) for at in LOCKABLE]),
}
"""The positions for each ability's use, regardless of padlocks already placed."""
WRONG_POSITIONS = {
    "swap_adjacent": refusals.NOT_ADJACENT,
    "swap_one_between": refusals.NOT_ONE_BETWEEN,
    "move_right_2": refusals.NOT_TWO_RIGHT,
    "move_left_2": refusals.NOT_TWO_LEFT,
}
"""The reasons to refuse a use at other positions (B-1 to B-4)."""


def uses(seat: Seat, card: int, ability: str) -> tuple[Event, ...]:
    """Return every use of a card by a seat, regardless of padlocks already placed."""
    kind = KINDS[ability]
    return tuple([kind(seat, card, *at) for at in POSITIONS[ability]])


def open_uses(fixed: Fixed, seat: Seat, card: int, locks: Locks) -> tuple[Event, ...]:
    """Return every use of a card open to a seat now."""
    ability = fixed.book.abilities[card]
    if ability is None:
        return ()
    found = fixed.known_uses.get((seat, card))
    if found is None:  # asked for again in every turn
        found = fixed.known_uses[seat, card] = uses(seat, card, ability)
    if locks != UNLOCKED and ability == "protect":
        return tuple([event for event, lock in zip(found, locks, strict=True) if not lock])
    return found


def moved(book: Book, event: Event, line: Line) -> tuple[Line, Sequence[int]]:
    """Return a line after wagons were swapped or shifted in it, and the changed positions; otherwise the unchanged
    line.
    """
    match event:
        case ev.Swapped(_, _, left, right):
            return swap(line, left, right), (left, right)
        case ev.Shifted(_, card, position):
            to = position + BY[book.abilities[card] or ""]
            return shift(line, position, to), range(min(position, to), max(position, to) + 1)
    return line, ()


def use_refusal(table: Table, event: ev.Use) -> Refusal:
    """Return why a use of a card is refused: the card first, then the ability, then the positions (R-09 to R-12)."""
    card = event.card
    if card not in table.pool:
        if not table.pool:
            return refusals.POOL_EMPTY()
        if card in table.discard:
            return refusals.DISCARD_CLOSED(card=card)
        return refusals.NOT_IN_POOL(card=card)
    ability = table.fixed.book.abilities[card]
    if ability is None:
        return refusals.ABILITY_UNREAD(card=card)
    if type(event) is not KINDS[ability]:
        return refusals.OTHER_ABILITY(card=card, ability=ability)
    if isinstance(event, ev.Protected):
        reason = refusals.ALREADY_PROTECTED if event.position in LOCK else refusals.ENDS_AND_CENTRE_ONLY
        return reason(position=event.position)
    return WRONG_POSITIONS[ability]()
