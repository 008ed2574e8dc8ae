"""When a hand ends though nobody goes out (R-06)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Effect, Seat
from companion.games.express.events import HandStopped, LastRoundAnnounced
from companion.games.express.options import IDLE_ROUND
from companion.games.express.table import PILE, Table

MOST_TURNS = 100
"""Turns after which the last round is announced even if there is a pile; the earlier ruling stopped the hand."""


def after_turn(table: Table, seat: Seat) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a seat's turn, over if nobody moves any more; a last round is announced as it begins.

    The round begins anew whenever somebody lays a card, and only counts while the pile is empty.
    """
    turns = table.turns + 1
    dry = not table.zones.count(PILE) or turns >= MOST_TURNS  # people may take the discard for ever
    idle = 0 if table.drew or table.laid_now else table.idle + 1
    passive = (*table.passive, seat) if dry and table.dry and not table.laid_now else ()
    begins = dry and not table.dry and IDLE_ROUND in table.fixed.rulings
    table = replace(table, turns=turns, idle=idle, dry=dry, passive=passive)
    if stops(table):
        return replace(table, over=True), (HandStopped(),)
    return table, (LastRoundAnnounced(),) if begins else ()


def stops(table: Table) -> bool:
    """Whether nobody moves any more: the pile is empty and no seat has laid a card in its turn.

    By the earlier ruling nobody drew or laid for a round, or there were a hundred turns.
    """
    if IDLE_ROUND in table.fixed.rulings:
        return table.dry and not to_lay_nothing(table)
    return table.idle >= table.fixed.players or table.turns >= MOST_TURNS


def to_lay_nothing(table: Table) -> int:
    """Return how many more seats must lay nothing so that the hand ends; 0 as long as there is a pile."""
    if IDLE_ROUND not in table.fixed.rulings or not table.dry:
        return 0
    return table.fixed.players - len(set(table.passive))
