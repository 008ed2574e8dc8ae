"""Public data for the pages of Game of Trains beyond the view: rising wagons, help for the seat on turn, numbers."""

from __future__ import annotations

from companion.engine import Event, JsonObject, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import ABILITIES, wagon_id
from companion.games.game_of_trains.lines import rising
from companion.games.game_of_trains.steps.turn import Act, Draw, Place
from companion.games.game_of_trains.table import GAP, LENGTH, Table
from companion.games.game_of_trains.view import help_view
from companion.i18n import Words
from companion.mechanics.definition import CardGroup, CellPlace, PageParts

TEN = 10
POSITIONS = ("position", "left", "right")
"""Fields that hold a position in a line."""


def extras(state: State[Table]) -> JsonObject:
    """Return values for the templates.

    `rising`: each seat's positions already in rising order. `numbers`: the possible numbers, highest first, if people
    enter cards. `turn_help` and `turn_risky`: the possible uses of each pool card for the seat on turn, and its
    positions with padlocks. `abilities`: the eight abilities with their rules.
    """
    table, head = state.table, state.agenda[0] if state.agenda else None
    entered = not table.fixed.dealt
    seat = head.seat if entered and isinstance(head, Act | Draw | Place) else None
    return {
        "rising": tuple([rising(line) for line in table.lines]),
        "numbers": turning_up(table) if entered else (),
        "turn_help": tuple([help_view(table, head.seat, card) for card in table.pool])
        if entered and isinstance(head, Act)
        else (),
        "turn_risky": () if seat is None else table.locked(seat),
        "abilities": tuple(ABILITIES.items()),
    }


def turning_up(table: Table) -> tuple[int, ...]:
    """Return the numbers that are not visible anywhere, highest first.

    They include the closed discard (R-12) and a card that a seat has drawn but not placed.
    """
    open_now = {card for cards in (*table.lines, *table.locks, table.pool) for card in cards}
    return tuple([number for number in reversed(table.fixed.book.numbers) if number not in open_now])


def places(before: State[Table], event: Event, field: str) -> tuple[CellPlace, ...]:
    """Return the possible positions of a card in a line: value, number from 1, and the wagon there ("": a gap)."""
    if field not in POSITIONS or not isinstance(event, ev.Kept | ev.Placed | ev.Refilled):
        return ()
    line = before.table.lines[event.seat] or (GAP,) * LENGTH
    return tuple([(at, at, wagon_id(card) if card else "") for at, card in enumerate(line, 1)])


def card_names(state: State[Table]) -> tuple[str, ...]:
    """Return the names of all wagons, in ascending order."""
    return tuple([wagon_id(number) for number in state.table.fixed.book.numbers])


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return all wagons grouped by tens."""
    groups: dict[int, list[tuple[str, str]]] = {}
    for number in state.table.fixed.book.numbers:
        groups.setdefault(number - number % TEN, []).append((wagon_id(number), str(number)))
    title = "back.tens"
    return tuple([(words(title, low=low or 1, high=low + TEN - 1), "", "", tuple(of)) for low, of in groups.items()])


PAGES = PageParts(
    option_groups={"main": ("training",)},
    asked_first=("training",),
    catalogues={"dealt": "reconstruction", "ours": "reconstruction", "box": "box"},
    values=extras,
    card_names=card_names,
    card_groups=card_groups,
    places=places,
)
