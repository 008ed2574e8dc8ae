"""The tokens in the box of Take a Train as data: money, auctions, sequence, purposes."""

from __future__ import annotations

from companion.engine import TokenKind
from companion.games.take_a_train.catalogue import MONEY
from companion.games.take_a_train.events import KINDS
from companion.games.take_a_train.purposes import PURPOSES

SEQUENCE = 6
"""Sequence tokens, numbered from 1 (both rulebooks; R-03)."""
AUCTION_BACK, PURPOSE_BACK = "back-auction", "back-purpose"
"""The names of the faces that hide what a token is."""


def money_token(value: int) -> str:
    """Return the name of a money token, such as `money-500`."""
    return f"money-{value}"


def auction_token(kind: str) -> str:
    """Return the name of an auction token, such as `auction-blind`."""
    return f"auction-{kind}"


def sequence_token(number: int) -> str:
    """Return the name of a sequence token, such as `sequence-1`."""
    return f"sequence-{number}"


def purpose_token(purpose: str) -> str:
    """Return the name of a purpose token, such as `purpose-P-1`."""
    return f"purpose-{purpose}"


TOKEN_KINDS: tuple[TokenKind, ...] = (
    *[TokenKind(money_token(value), count, value) for value, count in sorted(MONEY.items())],
    *[TokenKind(auction_token(kind), 1, back=AUCTION_BACK) for kind in KINDS],
    *[TokenKind(sequence_token(number), 1) for number in range(1, SEQUENCE + 1)],
    *[TokenKind(purpose_token(purpose.id), 1, back=PURPOSE_BACK) for purpose in PURPOSES],
)
"""All 155 tokens, of 35 kinds (both rulebooks; R-03, R-04). Money and sequence tokens are the same on both faces."""
