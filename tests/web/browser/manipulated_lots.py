"""Build lots of sealed bids as phones see them, some manipulated between the seals and the opening."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from companion.engine import Seat
from companion.mechanics.seals import SealedAmount, seal_of, set_of

Bids = dict[int, SealedAmount]


class ShownLot(NamedTuple):
    """A lot as phones see it; `forged` are the seats whose bids or seals were manipulated.

    `phones` are JSON: the match, the opened lot, the seals that the phone received, and the seal that it sent. The last
    page of an honest lot may be one that was never ready and that received an older seal of `victim`.
    """

    kind: str
    phones: list[dict[str, Any]]
    sealed: list[int]
    forged: set[int]
    victim: int


def hexed(luck: random.Random, digits: int) -> str:
    """Return random hexadecimal digits."""
    return f"{luck.getrandbits(4 * digits):0{digits}x}"


def sealed_again(match: str, lot: str, bid: SealedAmount) -> SealedAmount:
    """Return a bid with the seal that fits it."""
    return replace(bid, seal=seal_of(match, lot, bid))


def honest(luck: random.Random, match: str, lot: str) -> Bids:
    """Return the honest bids of two to six seats, at least two of them sealed."""
    seats = sorted(luck.sample(range(6), luck.randrange(2, 7)))
    sealed = {*luck.sample(seats, 2), *[seat for seat in seats if luck.random() < 0.8]}
    bids: Bids = {}
    for seat in seats:
        bid = SealedAmount(Seat(seat), luck.randrange(0, 9950, 50))
        if seat in sealed:
            bid = sealed_again(match, lot, replace(bid, device=hexed(luck, 16), nonce=hexed(luck, 32)))
        bids[seat] = bid
    return bids


def seen(
    match: str, lot: str, opened: Bids, shown: Bids, held: list[tuple[int, str]], own: SealedAmount, ready: bool = True
) -> dict[str, Any]:
    """Return the knowledge of one phone: the opened bids, and the seals that it received before."""
    return {
        "match": match,
        "opened": {"lot": lot, "bids": [asdict(bid) | {"corrected": False} for bid in opened.values()], "held": held},
        "seals": {str(each): bid.seal for each, bid in shown.items()},
        "own": {"device": own.device, "sent": [own.seal], "ready": ready},
    }


def shown_lot(luck: random.Random, number: int, kind: str) -> ShownLot:
    """Return a lot with one kind of manipulation, or none (`honest`)."""
    match, lot = str(number // 12 + 1), f"{number % 12 + 1} steam-{number % 6 + 1} only"
    bids = honest(luck, match, lot)
    sealed = [seat for seat, bid in bids.items() if bid.seal]
    victim, other = luck.sample(sealed, 2)
    opened, shown = dict(bids), {seat: bids for seat in sealed}
    openings = {seat: opened for seat in sealed}
    forged = {victim}
    mine = bids[victim]
    match kind:
        case "honest":
            forged = set()
        case "amount":
            opened[victim] = replace(mine, amount=mine.amount + 50)
        case "nonce":
            opened[victim] = replace(mine, nonce=hexed(luck, 32))
        case "order":
            theirs, forged = bids[other], {victim, other}
            opened[victim], opened[other] = replace(theirs, seat=Seat(victim)), replace(mine, seat=Seat(other))
        case "omitted":
            del opened[victim]
        case "sets":
            fake = sealed_again(match, lot, replace(mine, amount=mine.amount + 50, nonce=hexed(luck, 32)))
            shown[other] = bids | {victim: fake}
            if luck.random() < 0.5:  # the same phone gets a forged opening, which fits its seals
                openings[other], forged = shown[other], set()
    held = [(seat, set_of(match, lot, {each: bid.seal for each, bid in shown[seat].items()})) for seat in sealed]
    phones = [seen(match, lot, openings[seat], shown[seat], held, bids[seat]) for seat in sealed]
    if kind == "honest" and number % 3 == 0:  # it slept while a bid was sealed again, and was not ready
        older = sealed_again(match, lot, replace(mine, nonce=hexed(luck, 32)))
        stranger = SealedAmount(Seat(0), 0)
        phones.append(seen(match, lot, opened, bids | {victim: older}, held, stranger, ready=False))
    return ShownLot(kind, phones, sealed, forged, victim)


MANIPULATIONS = ("amount", "nonce", "order", "omitted", "sets")


def lots(
    count: int, share: float, seed: int, make: Callable[[random.Random, int, str], ShownLot] = shown_lot
) -> list[ShownLot]:
    """Return `count` lots, of which `share` are manipulated, each way equally often."""
    luck = random.Random(seed)
    chosen = luck.sample(range(count), round(count * share))
    ways = {number: MANIPULATIONS[at % len(MANIPULATIONS)] for at, number in enumerate(chosen)}
    return [make(luck, number, ways.get(number, "honest")) for number in range(count)]
