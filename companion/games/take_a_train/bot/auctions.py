"""How the bot buys locomotives: nominating, spoken and sealed bids, choosing, Twist."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from companion.engine import Amounts, Choice, Event, Luck, Seat
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.bot.worth import fill, free_locos, limit_price, purse, worth
from companion.games.take_a_train.catalogue import UNIT, Loco
from companion.games.take_a_train.table import TRAINS
from companion.mechanics.offers import Orders
from companion.mechanics.seating import with_value

JUMP = 4
"""A spoken bid goes up by one part in this many of the distance to the bot's limit."""
SHADE_LOW, SHADE_HIGH = 0.80, 1.0
"""The range of a sealed bid as a part of the limit, so that bots do not always tie (fitted)."""
FIRST_FIST = 0.6
"""The part of the limit that a bot bids in Double Blind's first fist."""
FIST = 1.0
"""The highest bid in Preemption, as a part of the expected gain of the first choice over the last.

Everybody pays the bid, whichever choice it wins: among equal bots any bid up to the whole gain is equally good.
"""
SPARSE = 7
"""Every seventh of the pairs that may follow a first pick in Twist is evaluated, which is enough to rank the cards."""


def units(amount: float) -> int:
    """Return an amount rounded down to whole tokens."""
    return max(0, int(amount) // UNIT * UNIT)


def amounts(known: Known) -> Amounts | None:
    """Return the range of amounts that this seat may say or commit, or None."""
    return next((offer for offer in known.offers if isinstance(offer, Amounts)), None)


def within(offer: Amounts, amount: float) -> int:
    """Return the amount rounded to tokens and kept within the offer."""
    return min(max(units(amount), offer.low), offer.high // UNIT * UNIT)


def top(known: Known, card: str) -> float:
    """Return the most that a bot pays for a card."""
    return min(limit_price(known, card), purse(known))


# --- lots -----------------------------------------------------------------------------------------


def nominate(known: Known, luck: Luck) -> Event:
    """Nominate the card that promises the most over its power, among those that may be nominated (R-18, R-26).

    A seat that can afford none nominates at random, as the same card would be offered in vain forever (R-19).
    """
    (offer,) = known.offers
    if all((known.loco(card).power or 0) > known.cash for card in known.revealed):
        return offer.pick(luck)
    return max(offer, key=lambda e: limit_price(known, e.card) - (known.loco(e.card).power or 0))  # type: ignore[attr-defined]


def lone(known: Known, luck: Luck) -> Event:
    """Buy what adds most over its price; else turn the least valuable card face down (R-20)."""
    rest = fill(known, known.missing - 1)
    nothing = worth(known, known.own, [*rest, None])

    def gain(event: Event) -> float:
        match event:
            case ev.Bought(_, card, price):
                return worth(known, known.own, [known.loco(card), *rest]) - nothing - price
            case ev.ReplacementTaken(_, card):
                return -0.001 * worth(known, (), [known.loco(card)])
        raise TypeError(f"a lone bidder has no {type(event).__name__}")

    return max([event for offer in known.offers for event in offer], key=gain)


def opening(known: Known, luck: Luck) -> Event:
    """Open at the lowest price; for a beginner without money only if the card is worth it (R-18, R-27, R-46)."""
    offer = amounts(known)
    declining = [o for o in known.offers if isinstance(o, Choice)]
    if offer is None or (declining and top(known, known.lot.card) < offer.low):
        return declining[0].events[0]
    return ev.Opened(known.seat, offer.low)


def bidding(known: Known, luck: Luck) -> Event:
    """Pass auction: raise while the limit allows, else leave (R-28)."""
    offer, most = amounts(known), top(known, known.lot.card)
    if offer is None or most < offer.low:
        return ev.Passed(known.seat)
    return ev.Bid(known.seat, within(offer, step(known.lot.price, most, offer.low)))


def calling(known: Known, luck: Luck) -> Event | None:
    """Open auction: the leader counts; anybody else raises while its limit allows, or waits (R-47, R-48)."""
    if known.seat == known.lot.leader:
        return next(iter(known.offers[0]))
    offer, most = amounts(known), top(known, known.lot.card)
    if offer is None or most < offer.low:
        return None
    return ev.Raised(known.seat, within(offer, step(known.lot.price, most, offer.low)))


def step(price: int, most: float, low: int) -> int:
    """Return the next spoken amount: a part of the way to the limit."""
    return max(low, price + units((most - price) / JUMP))


# --- sealed bids ----------------------------------------------------------------------------------


def fist(known: Known, luck: Luck) -> Event | None:
    """Bid in a closed fist: Blind, Double Blind's two, or Preemption (R-30 to R-41)."""
    offer = amounts(known)
    if offer is None or known.lot.bid is not None:
        return None
    return ev.Committed(known.seat, within(offer, fist_amount(known, luck)))


def hand(known: Known, luck: Luck) -> Event | None:
    """Agree to a correction; confirm what was counted of the open hand, or say what it held (R-32a, R-32b)."""
    for offer in sorted(known.offers, key=lambda offer: isinstance(offer, Amounts)):
        if isinstance(offer, Choice):
            return offer.events[0]
        if isinstance(offer, Amounts) and offer.kind is ev.FistConfirmed:
            amount = fist_amount(known, luck) if known.lot.bid is None else known.lot.bid
            return ev.FistConfirmed(known.seat, within(offer, amount))
    return None


def fist_amount(known: Known, luck: Luck) -> float:
    """Return what the bot would like to bid, before the rules' bounds."""
    if known.lot.stage == "preemption":
        return preemption_bid(known, luck)
    power = known.loco(known.lot.card).power or 0
    most = top(known, known.lot.card)
    shade = SHADE_LOW + (SHADE_HIGH - SHADE_LOW) * luck()
    if known.lot.stage in ("only", "first"):
        part = FIRST_FIST if known.lot.stage == "first" else 1
        return max(most * part * shade, power) if most >= power else 0
    firsts = [first or 0 for first in known.lot.firsts]
    rival = max(with_value(tuple(firsts), known.seat, 0))
    target = max(most * shade, rival + UNIT) if most > rival else 0
    return target - firsts[known.seat] if target >= power else 0


def preemption_bid(known: Known, luck: Luck) -> float:
    """Return a bid for the right to choose among as many unseen cards as there are seats.

    Everybody pays their bid in any case, so the bot bids at random between nothing and the first choice's gain.
    """
    left = free_locos(known)
    if not left:
        return 0.0
    rest = fill(known, known.missing - 1)
    paying = known.options.preemption_payment != "bid_only"
    gains = sorted(worth(known, known.own, [x, *rest]) - paying * (x.power or 0) for x in left)
    n = known.players
    best = gains[min(len(gains) - 1, round(len(gains) * n / (n + 1)))]
    worst = gains[max(0, round(len(gains) / (n + 1)) - 1)]
    dearest = max(x.power or 0 for x in left) if paying else 0
    return min((best - worst) * FIST * luck(), max(0, purse(known) - dearest))


def tie(known: Known, luck: Luck) -> Event:
    """Name itself if tied, else the seat with the weakest locomotives (R-23)."""
    (offer,) = known.offers
    return min(offer, key=lambda e: (e.winner != known.seat, strength(known, e.winner)))  # type: ignore[attr-defined]


def order(known: Known, luck: Luck) -> Event:
    """Put itself first, then the weakest (R-42)."""
    (offer,) = known.offers
    assert isinstance(offer, Orders)
    ranked = sorted(offer.things, key=lambda seat: (seat != known.seat, strength(known, seat)))
    return ev.TieOrdered(known.seat, tuple(ranked))


def strength(known: Known, seat: Seat) -> float:
    """Return what everybody can see of a seat's locomotives."""
    return sum(t.multiplier for t in known.trains[seat])


def choose(known: Known, luck: Luck) -> Event:
    """Take the locomotive that is worth most over its price (R-43, R-44)."""
    (offer,) = known.offers
    paying = known.options.preemption_payment != "bid_only"
    rest = fill(known, known.missing - 1)

    def gain(event: Event) -> float:
        loco = known.loco(event.card)  # type: ignore[attr-defined]
        return worth(known, known.own, [loco, *rest]) - paying * (loco.power or 0)

    return max(offer, key=gain)


# --- Twist ----------------------------------------------------------------------------------------


def twist_cost(known: Known, up: Sequence[Loco]) -> int:
    """Return the price of some locomotives in Twist (R-55)."""
    total = sum(loco.power or 0 for loco in up)
    if not up or known.options.twist_payment == "sum_only":
        return total
    return total * max(loco.multiplier or 0 for loco in up)


def net(known: Known, cards: Sequence[Loco]) -> float:
    """Return what three cards are worth over their price, with the best choice of cards to turn down (R-56)."""
    for count in range(TRAINS + 1):
        ups = [up for up in combinations(cards, TRAINS - count) if twist_cost(known, up) <= known.cash]
        if ups:
            return max([worth(known, (), [*up, *[None] * count]) - twist_cost(known, up) for up in ups])
    raise AssertionError("three cards turned down cost nothing")


def pick(known: Known, luck: Luck) -> Event:
    """Place the card with which the expected three are worth most over their price (R-52, R-53)."""
    (offer,) = known.offers
    events = list(offer)
    if len(events) == 1:
        return events[0]
    placed = [known.loco(card) for card in known.lot.placed]
    hand = set(known.lot.hand) | set(known.lot.placed)
    others = [loco for loco in known.book.locos.values() if loco.known and loco.id not in hand]
    if placed:
        lasts: Sequence[tuple[Loco, ...]] = [(loco,) for loco in others]
    else:
        lasts = [*combinations(others, 2)][::SPARSE]

    def gain(event: Event) -> float:
        own = [*placed, known.loco(event.card)]  # type: ignore[attr-defined]
        return sum(net(known, [*own, *last]) for last in lasts)

    return max(events, key=gain)


def flip(known: Known, luck: Luck) -> Event:
    """Turn down the cards that leave the most worth over the price (R-56)."""
    (offer,) = known.offers

    def gain(event: Event) -> float:
        down = event.cards  # type: ignore[attr-defined]
        up = [known.loco(card) for card in known.lot.hand if card not in down]
        return worth(known, (), [*up, *[None] * len(down)]) - twist_cost(known, up)

    return max(offer, key=gain)
