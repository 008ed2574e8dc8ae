"""All tokens of Take a Train as they are printed."""

from __future__ import annotations

from functools import cache

from companion.drawing import TokenDesign
from companion.games.take_a_train.catalogue import MONEY, shipped
from companion.games.take_a_train.events import KINDS
from companion.games.take_a_train.purposes import PURPOSES
from companion.games.take_a_train.token_art.auctions import auction_back, auction_face
from companion.games.take_a_train.token_art.forms import hexagon, round_form, square, tablet
from companion.games.take_a_train.token_art.money import money_faces
from companion.games.take_a_train.token_art.purposes import purpose_back, purpose_face
from companion.games.take_a_train.token_art.sequence import sequence_face
from companion.games.take_a_train.tokens import (
    AUCTION_BACK,
    PURPOSE_BACK,
    TOKEN_KINDS,
    auction_token,
    money_token,
    purpose_token,
    sequence_token,
)


@cache
def token_designs() -> tuple[TokenDesign, ...]:
    """Return every kind of token, with the exchange prices of the shipped list on the sequence tokens."""
    counts = {kind.name: kind.count for kind in TOKEN_KINDS}
    made: list[TokenDesign] = []
    for value in sorted(MONEY):
        name = money_token(value)
        face, other = money_faces(value)
        made.append(TokenDesign(name, round_form(), face, counts[name], other))
    hidden = auction_back()
    for kind in KINDS:
        name = auction_token(kind)
        made.append(TokenDesign(name, hexagon(), auction_face(kind), counts[name], hidden, AUCTION_BACK))
    for number, price in enumerate(shipped("reconstruction").sequence, 1):
        name = sequence_token(number)
        made.append(TokenDesign(name, square(), sequence_face(number, price), counts[name]))
    hidden = purpose_back()
    for purpose in PURPOSES:
        name = purpose_token(purpose.id)
        made.append(TokenDesign(name, tablet(), purpose_face(purpose), counts[name], hidden, PURPOSE_BACK))
    return tuple(made)
