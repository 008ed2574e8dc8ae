"""What the sign says to a seat that cannot do everything."""

from __future__ import annotations

from typing import ClassVar

from companion.games.examples.hill_and_harbour.board import BOARD
from companion.games.examples.hill_and_harbour.steps import Delivered, Ended, Laid, Table, Waited
from companion.mechanics.telling import GameTeller

END = Ended | Waited


class Teller(GameTeller[Table]):
    """Makes the sentences of Hill and Harbour from its words."""

    signs: ClassVar = {
        "build": {"you": (Laid, Delivered, END), "lay": (Laid, END), "deliver": (Delivered, END), "end": (END,)},
    }


TELLER = Teller((BOARD,))
