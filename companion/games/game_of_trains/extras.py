"""Public data for the pages of Game of Trains beyond the view: rising wagons, help for the seat on turn, numbers."""

from __future__ import annotations

from companion.engine import Event, JsonObject, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import ABILITIES, wagon_id
from companion.games.game_of_trains.lines import rising
from companion.games.game_of_trains.steps.turn import Act
from companion.games.game_of_trains.table import GAP, LENGTH, LOCKABLE, Table
from companion.games.game_of_trains.view import help_view
from companion.i18n import Words

CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, picture in the game's sprite, CSS class, and each card's name with its label."""

OPTION_GROUPS: dict[str, tuple[str, ...]] = {"main": ("training",)}
"""The options by group on the set-up page."""
ASKED_FIRST = ("training",)
"""Options that are shown at once."""
CATALOGUES = {"dealt": "reconstruction", "ours": "reconstruction", "box": "box"}
"""The catalogue for each kind of deck."""
TEN = 10
POSITIONS = ("position", "left", "right")
"""Fields that hold a position in a line."""


def extras(state: State[Table]) -> JsonObject:
    """Return values for the templates.

    `rising`: each seat's positions already in rising order. `numbers`: the possible numbers, greatest first, where
    people enter cards. `turn_help` and `turn_risky`: what the seat on turn could do with each pool card, and where it
    has padlocks. `abilities`: the eight abilities with their rules.
    """
    table = state.table
    found: JsonObject = {
        "rising": tuple([rising(line) for line in table.lines]),
        "numbers": (),
        "turn_help": (),
        "turn_risky": (),
        "abilities": tuple(ABILITIES.items()),
    }
    if table.fixed.dealt:
        return found
    found["numbers"] = turning_up(table)
    head = state.agenda[0] if state.agenda else None
    seat = getattr(head, "seat", None)
    if seat is not None:
        locks = table.locks[seat]
        found["turn_risky"] = tuple([at for at, lock in zip(LOCKABLE, locks, strict=True) if lock])
        if isinstance(head, Act):
            found["turn_help"] = tuple([help_view(table, seat, card) for card in table.pool])
    return found


def turning_up(table: Table) -> tuple[int, ...]:
    """Return the numbers that are not visible anywhere, greatest first.

    They include the closed discard (R-12) and a card that a seat has drawn but not placed.
    """
    open_now = {card for line in table.lines for card in line} | {card for locks in table.locks for card in locks}
    open_now |= set(table.pool)
    return tuple([number for number in reversed(table.fixed.book.numbers) if number not in open_now])


def places(before: State[Table], event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
    """Return the possible positions of a card in a line: value, number from 1, and the wagon there ("": a gap)."""
    if field not in POSITIONS or not isinstance(event, ev.Kept | ev.Placed | ev.Refilled):
        return ()
    line = before.table.lines[event.seat] or (GAP,) * LENGTH
    return tuple([(at, at, wagon_id(card) if card else "") for at, card in enumerate(line, 1)])


def card_names(state: State[Table]) -> tuple[str, ...]:
    """Return the names of all wagons, the smallest number first."""
    return tuple([wagon_id(number) for number in state.table.fixed.book.numbers])


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return all wagons grouped by tens."""
    found: dict[int, list[int]] = {}
    for number in state.table.fixed.book.numbers:
        found.setdefault(number // TEN, []).append(number)
    return tuple(
        [
            (
                words("back.tens", low=ten * TEN or 1, high=ten * TEN + TEN - 1),
                "",
                "",
                tuple([(wagon_id(number), str(number)) for number in numbers]),
            )
            for ten, numbers in found.items()
        ]
    )
