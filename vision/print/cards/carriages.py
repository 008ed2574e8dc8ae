"""The wagons of Game of Trains from the side, one form for each ability, with animals that travel on them.

Small things (who looks where, a lamp, a stripe) are left to chance, so that no two wagons of a form are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from vision.print.cards.freight import crane, pullman, tipper, vault
from vision.print.cards.livery import Livery
from vision.print.cards.playthings import carousel, rocket, sailer, seesaw
from vision.print.cards.wagons import running_gear
from vision.print.drawing import Mark


def carriage(ability: str, livery: Livery, luck: Random) -> tuple[Mark, ...]:
    """Return a wagon on the rail, coupled to what is beyond both edges of the card."""
    return (*FORMS[ability](livery, luck), *running_gear(luck, livery.trim))


Form = Callable[[Livery, Random], tuple[Mark, ...]]
FORMS: dict[str, Form] = {
    "swap_adjacent": seesaw,
    "swap_one_between": carousel,
    "move_right_2": sailer,
    "move_left_2": rocket,
    "remove_left": tipper,
    "remove_middle": crane,
    "remove_right": pullman,
    "protect": vault,
}
"""The form of each ability's wagon."""
