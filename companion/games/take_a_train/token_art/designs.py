"""All tokens of Take a Train as they are printed."""

from __future__ import annotations

from typing import Any

from companion.drawing import TokenDesign
from companion.games.take_a_train.catalogue import MONEY, Catalogue, read, shipped
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
    auction_token,
    money_token,
    purpose_token,
    sequence_token,
)


def token_designs(catalogue: str | dict[str, Any] | None = None) -> tuple[TokenDesign, ...]:
    """Return every kind of token, with the exchange prices of a catalogue on the sequence tokens.

    `catalogue`: its name, or its data as read from a file. Raise `BadSetup` where the data is no catalogue.
    """
    catalogue = catalogue or "reconstruction"
    book = shipped(catalogue) if isinstance(catalogue, str) else read(catalogue)
    return (*_money(), *_auctions(), *_sequence(book), *_purposes())


def _money() -> list[TokenDesign]:
    made = []
    for value, count in sorted(MONEY.items()):
        face, other = money_faces(value)
        made.append(TokenDesign(money_token(value), round_form(), face, count, other))
    return made


def _auctions() -> list[TokenDesign]:
    back = auction_back()
    return [TokenDesign(auction_token(kind), hexagon(), auction_face(kind), 1, back, AUCTION_BACK) for kind in KINDS]


def _sequence(book: Catalogue) -> list[TokenDesign]:
    return [
        TokenDesign(sequence_token(number), square(), sequence_face(number, price), 1)
        for number, price in enumerate(book.sequence, 1)
    ]


def _purposes() -> list[TokenDesign]:
    back = purpose_back()
    return [
        TokenDesign(purpose_token(purpose.id), tablet(), purpose_face(purpose), 1, back, PURPOSE_BACK)
        for purpose in PURPOSES
    ]
