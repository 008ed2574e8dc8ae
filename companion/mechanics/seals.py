"""Seals of secret bids: a phone commits to a bid when a fist closes, and the table checks whether the opened bid fits.

Phones compute the same in `web/static/js/seals.js`. All texts are ASCII, and no field contains a line feed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import sha256

from companion.engine import SeatEvent

BID, BIDS = "companion seal 1", "companion seals 1"
"""The first line of the hashed text, for one bid and for all seals of a lot."""
NONE = "-"
"""The text for a bid without a seal."""
NONCE_FIELD = "nonce"
"""The field that not even its seat's own pages show: another device may have drawn it."""
DEVICE, NONCE, HASH = re.compile("[0-9a-f]{16}"), re.compile("[0-9a-f]{32}"), re.compile("[0-9a-f]{64}")


class SealedAmount(SeatEvent, frozen=True, omit_defaults=True):
    """A seat closed an amount (in dollars) in its fist.

    `seal` and `device` are public at once. `nonce` is as secret as the amount: with it, the seal gives the amount away.
    All three are empty for a bid that no phone has sealed.
    """

    amount: int
    seal: str = ""
    """The SHA-256 in hex over the lines “companion seal 1”, the match, the lot (`1 steam-1 only`), `seat`, `device`,
    `amount` and `nonce`, joined by line feeds.
    """
    device: str = ""
    """16 hex digits that name the phone."""
    nonce: str = ""
    """32 hex digits."""


def seal_of(match: str, lot: str, bid: SealedAmount) -> str:
    """Return the seal of a bid: SHA-256 in hex over match, lot, seat, device, amount and nonce."""
    return _hash(BID, match, lot, str(bid.seat), bid.device, str(bid.amount), bid.nonce)


def set_of(match: str, lot: str, seals: Mapping[int, str]) -> str:
    """Return the hash of all seals of a lot, by seat; an empty seal stands for a bid without one."""
    return _hash(BIDS, match, lot, *[f"{seat} {seals[seat] or NONE}" for seat in sorted(seals)])


def is_sealed(bid: SealedAmount) -> bool:
    """Return whether a bid claims a phone's seal, correctly or not."""
    return bool(bid.seal or bid.device or bid.nonce)


def fits(match: str, lot: str, bid: SealedAmount) -> bool:
    """Return whether a sealed bid is well formed and fits its seal."""
    formed = DEVICE.fullmatch(bid.device) and NONCE.fullmatch(bid.nonce)
    return bool(formed) and seal_of(match, lot, bid) == bid.seal


def _hash(*lines: str) -> str:
    """Return the SHA-256 of lines, in hex."""
    return sha256("\n".join(lines).encode()).hexdigest()
