"""The drawn tokens of Take a Train.

May import drawing and the game's data. Enter at `token_designs`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.drawing import TokenDesign
from companion.games.take_a_train import tokens
from companion.games.take_a_train.catalogue import MONEY, given
from companion.games.take_a_train.events import KINDS
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.token_art.auctions import auction_back, auction_face
from companion.games.take_a_train.token_art.forms import hexagon, round_form, square, tablet
from companion.games.take_a_train.token_art.money import money_faces
from companion.games.take_a_train.token_art.purposes import purpose_back, purpose_face
from companion.games.take_a_train.token_art.sequence import sequence_face


def token_designs(catalogue: str | dict[str, Any] | None = None) -> tuple[TokenDesign, ...]:
    """Return every kind of token, with the exchange prices of a catalogue on the sequence tokens.

    `catalogue`: its name, or its data as read from a file. Raise `BadSetup` for invalid data.
    """
    return tuple(_designs(given(catalogue or "reconstruction").sequence))


def _designs(prices: tuple[int | None, ...]) -> Iterator[TokenDesign]:
    for value, count in sorted(MONEY.items()):
        face, other = money_faces(value)
        yield TokenDesign(tokens.token("money", value), round_form(), face, count, other)
    back = auction_back()
    for kind in KINDS:
        yield TokenDesign(tokens.token("auction", kind), hexagon(), auction_face(kind), 1, back, tokens.AUCTION_BACK)
    for number, price in enumerate(prices, 1):
        yield TokenDesign(tokens.token("sequence", number), square(), sequence_face(number, price), 1)
    back = purpose_back()
    for each in PURPOSES:
        yield TokenDesign(tokens.token("purpose", each.id), tablet(), purpose_face(each), 1, back, tokens.PURPOSE_BACK)
