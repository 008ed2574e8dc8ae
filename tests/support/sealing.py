"""Bids sealed as a phone does it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.mechanics.seals import seal_of, set_of

LOT = "1 steam-1 only"
DEVICES = ("d0" * 8, "d1" * 8, "d2" * 8, "d3" * 8)
NONCES = ("a0" * 16, "a1" * 16, "a2" * 16, "a3" * 16)


def sealed(match: str, seat: int, amount: int, lot: str = LOT, nonce: str = "") -> ev.Committed:
    """Return a bid with its seal."""
    bid = ev.Committed(Seat(seat), amount, device=DEVICES[seat], nonce=nonce or NONCES[seat])
    return replace(bid, seal=seal_of(match, lot, bid))


def held(match: str, bids: Mapping[int, ev.Committed], lot: str = LOT) -> str:
    """Return the hash of the seals of some bids."""
    return set_of(match, lot, {seat: bid.seal for seat, bid in bids.items()})
