"""What the sign says to a seat whose locomotive cannot pull the wagon."""

from __future__ import annotations

from typing import ClassVar

from companion.games.examples.twenty_tons.steps import Passed, Table, Took
from companion.mechanics.telling import GameTeller


class Teller(GameTeller[Table]):
    """Makes the sentences of Twenty Tons from its words."""

    signs: ClassVar = {"ask": {"you": (Took, Passed), "too_heavy": (Passed,)}}


TELLER = Teller()
