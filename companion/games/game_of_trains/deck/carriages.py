"""The wagons of Game of Trains from the side, one form for each ability, with animals that travel on them.

Small things (who looks where, a lamp, a stripe) are left to chance, so that no two wagons of a form are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from companion.drawing import Mark
from companion.drawing.pictures.wagons import running_gear
from companion.games.game_of_trains.deck.freight import crane, pullman, tipper, vault
from companion.games.game_of_trains.deck.livery import Livery
from companion.games.game_of_trains.deck.playthings import carousel, rocket, sailer, seesaw


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
