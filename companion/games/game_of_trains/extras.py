"""What the game's own page regions know besides the view: rising wagons, help for the seat on turn, numbers to pick.

All of it is public. What a seat alone may know is in its own view.
"""

from __future__ import annotations

from typing import Any

from companion.engine import Event, State
from companion.games.game_of_trains import events as ev
from companion.games.game_of_trains.catalogue import ABILITIES, wagon_id
from companion.games.game_of_trains.lines import rising
from companion.games.game_of_trains.steps.turn import Act
from companion.games.game_of_trains.table import GAP, LENGTH, LOCKABLE, Table
from companion.games.game_of_trains.view import help_view
from companion.i18n import Words

CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, icon in the sprite, look, and each card's name with what tells it apart."""

OBSERVED = frozenset({"line_dealt", "first_named", "card_drawn", "refilled", "reshuffled", "odd_kept", "ability_read"})
"""What anybody at the table may enter because everybody sees it. What was drawn is told by who drew it."""
HOSTS = frozenset({"kept", "drew", "placed", "swapped", "shifted", "removed", "protected"})
"""Whole moves: with real cards they lie open, so that a tablet in the middle of the table is enough for everybody."""
KEPT = frozenset({"hands_drawn"})
"""Only the companion deals hands; with real cards nobody tells what was drawn."""
AMENDABLE = (
    "line_dealt",
    "first_named",
    "card_drawn",
    "placed",
    "kept",
    "refilled",
    "odd_kept",
    "ability_read",
)
"""Events that may be put right afterwards: what was read off cards, and where a card was laid."""
OPTION_GROUPS: dict[str, tuple[str, ...]] = {"main": ("training",)}
"""The options as the set-up page groups them."""
ASKED_FIRST = ("training",)
"""Options that are asked at once."""
WITH_BUTTONS: dict[str, str] = {}
"""Choices that the set-up page proposes where there are buttons: none."""
CATALOGUES = {"dealt": "reconstruction", "ours": "reconstruction", "box": "box"}
"""The list of wagons that each choice of a deck stands for."""
TEN = 10
POSITIONS = ("position", "left", "right")
"""Fields that hold a position in a line."""


def extras(state: State[Table]) -> dict[str, Any]:
    """Return names for the templates, all of them public.

    `rising`: each seat's positions that stand in rising order already. `numbers`: numbers that could turn up, the
    greatest first, where people tell what does. `turn_help` and `turn_risky`: what the seat on turn could do with
    each pool card, and where it has padlocks. `abilities`: the eight, with their rules.
    """
    table = state.table
    found: dict[str, Any] = {
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
    """Return the numbers that lie nowhere open, the greatest first.

    Those of the closed discard are among them (R-12), and so is one that a seat has drawn and not placed.
    """
    open_now = {card for line in table.lines for card in line} | {card for locks in table.locks for card in locks}
    open_now |= set(table.pool)
    return tuple([number for number in reversed(table.fixed.book.numbers) if number not in open_now])


def hides(now: State[Table], before: State[Table]) -> bool:
    """Return False: nothing in this log is forgotten."""
    return False


def places(before: State[Table], event: Event, field: str) -> tuple[tuple[int, int, str], ...]:
    """Return the positions of a line that a card could have come to, each twice (as the event has it and as people
    count), with the wagon there ("": a gap)."""
    if field not in POSITIONS or not isinstance(event, ev.Kept | ev.Placed | ev.Refilled):
        return ()
    line = before.table.lines[event.seat] or (GAP,) * LENGTH
    return tuple([(at, at, wagon_id(card) if card else "") for at, card in enumerate(line, 1)])


def card_names(state: State[Table]) -> tuple[str, ...]:
    """Return the names of all wagons, the smallest number first."""
    return tuple([wagon_id(number) for number in state.table.fixed.book.numbers])


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return all wagons by their tens: title, icon, look, and each card's name with its number."""
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
