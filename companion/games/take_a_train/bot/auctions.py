"""The bot's decisions in auctions: nominating, spoken and sealed bids, choosing, Twist."""

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
from companion.mechanics.policy import Ranked, best_first, term
from companion.mechanics.seating import with_value

Ranking = Sequence[Ranked]
"""The seat's options, best first."""
ITSELF = 1000.0
"""The value of naming itself in a tie, higher than that of any other seat."""
JUMP = 4
"""A spoken bid rises by the distance to the bot's limit divided by this number."""
SHADE_LOW, SHADE_HIGH = 0.80, 1.0
"""The range of a sealed bid as a share of the limit. Bots bid at random within it, so that they rarely tie (fitted)."""
FIRST_FIST = 0.6
"""The share of the limit that a bot bids in Double Blind's first fist."""
FIST = 1.0
"""The highest bid in Preemption, as a share of the expected gain of the first choice over the last.

Everybody pays the bid, even for the last choice. Among equal bots, any bid up to the whole gain is equally good.
"""
SPARSE = 7
"""Only every seventh pair that may follow a first pick in Twist is evaluated; that suffices to rank the cards."""


def units(amount: float) -> int:
    """Return an amount rounded down to whole tokens."""
    return max(0, int(amount) // UNIT * UNIT)


def amounts(known: Known) -> Amounts | None:
    """Return the range of amounts that this seat may say or seal, or None."""
    return next((offer for offer in known.offers if isinstance(offer, Amounts)), None)


def within(offer: Amounts, amount: float) -> int:
    """Return the amount rounded to tokens and kept within the offer."""
    return min(max(units(amount), offer.low), offer.high // UNIT * UNIT)


def top(known: Known, card: str) -> float:
    """Return the maximum that a bot pays for a card."""
    return min(limit_price(known, card) * known.style.eager, purse(known))


# --- lots -----------------------------------------------------------------------------------------


def nominate(known: Known, luck: Luck) -> Ranking:
    """Rank the cards that may be nominated by their expected profit over their power (R-18, R-26).

    A seat that cannot afford any card nominates at random; otherwise the same card would be offered in vain forever
    (R-19).
    """
    (offer,) = known.offers
    if all((known.loco(card).power or 0) > known.cash for card in known.revealed):
        return (Ranked(offer.pick(luck), 0.0, (term("cannot_pay", 0.0),)),)

    def rank(event: Event) -> Ranked:
        card = event.card  # type: ignore[attr-defined]
        worth, price = limit_price(known, card), known.loco(card).power or 0
        return Ranked(event, worth - price, (term("limit", worth, card=card), term("price", -price)))

    return best_first([rank(event) for event in offer])


def lone(known: Known, luck: Luck) -> Ranking:
    """Rank purchases by the value they add over their price; otherwise turn down the least valuable card (R-20)."""
    rest = fill(known, known.missing - 1)
    nothing = worth(known, known.own, [*rest, None])

    def rank(event: Event) -> Ranked:
        match event:
            case ev.Bought(_, card, price):
                value = worth(known, known.own, [known.loco(card), *rest]) - nothing
                return Ranked(event, value - price, (term("worth", value, card=card), term("price", -price)))
            case ev.ReplacementTaken(_, card):
                value = -0.001 * worth(known, (), [known.loco(card)])
                return Ranked(event, value, (term("face_down", value, card=card),))
        raise TypeError(f"a lone bidder has no {type(event).__name__}")

    return best_first([rank(event) for offer in known.offers for event in offer])


def opening(known: Known, luck: Luck) -> Ranking:
    """Open at the lowest price; a beginner without money opens only if the card is worth it (R-18, R-27, R-46)."""
    offer = amounts(known)
    declined = [Ranked(o.events[0], 0.0) for o in known.offers if isinstance(o, Choice)]
    if offer is None:
        return declined
    most = top(known, known.lot.card)
    opened = bid_for(known, ev.Opened(known.seat, offer.low), offer.low, most)
    return (*declined, opened) if declined and most < offer.low else (opened, *declined)


def bidding(known: Known, luck: Luck) -> Ranking:
    """Pass auction: raise while the limit allows it, else leave (R-28)."""
    passed = Ranked(ev.Passed(known.seat), 0.0)
    offer, most = amounts(known), top(known, known.lot.card)
    if offer is None:
        return (passed,)
    if most < offer.low:
        return passed, bid_for(known, ev.Bid(known.seat, offer.low), offer.low, most)
    amount = within(offer, step(known.lot.price, most, offer.low))
    return bid_for(known, ev.Bid(known.seat, amount), amount, most), passed


def calling(known: Known, luck: Luck) -> Ranking:
    """Open auction: the leader counts; any other seat raises while its limit allows it, or waits (R-47, R-48)."""
    if known.seat == known.lot.leader:
        return (Ranked(next(iter(known.offers[0])), 0.0),)
    offer, most = amounts(known), top(known, known.lot.card)
    if offer is None or most < offer.low:
        return ()
    amount = within(offer, step(known.lot.price, most, offer.low))
    return (bid_for(known, ev.Raised(known.seat, amount), amount, most),)


def bid_for(known: Known, event: Event, amount: int, most: float) -> Ranked:
    """Return a bid with the remainder of the seat's limit for the card."""
    card = known.lot.card
    limit = limit_price(known, card) * known.style.eager if card else most
    spare = term("purse", most - limit, cash=known.cash)
    return Ranked(event, most - amount, (term("limit", limit, card=card), spare, term("price", -amount)))


def step(price: int, most: float, low: int) -> int:
    """Return the next spoken amount, part of the way to the limit."""
    return max(low, price + units((most - price) / JUMP))


# --- sealed bids ----------------------------------------------------------------------------------


def fist(known: Known, luck: Luck) -> Ranking:
    """Bid with a closed fist in Blind, Double Blind (two fists) or Preemption (R-30 to R-41)."""
    offer = amounts(known)
    if offer is None or known.lot.bid is not None:
        return ()
    amount = within(offer, fist_amount(known, luck))
    event = ev.Committed(known.seat, amount)
    if not known.lot.card:
        return (Ranked(event, 0.0, (term("first_choice", float(amount)),)),)
    said = amount + (known.lot.firsts[known.seat] or 0 if known.lot.firsts else 0)
    return (bid_for(known, event, said, top(known, known.lot.card)),)


def hand(known: Known, luck: Luck) -> Ranking:
    """Agree to a correction, confirm the count of the open hand, or enter the hand's amount (R-32a, R-32b)."""
    for offer in sorted(known.offers, key=lambda offer: isinstance(offer, Amounts)):
        if isinstance(offer, Choice):
            return (Ranked(offer.events[0], 0.0),)
        if isinstance(offer, Amounts) and offer.kind is ev.FistConfirmed:
            amount = fist_amount(known, luck) if known.lot.bid is None else known.lot.bid
            return (Ranked(ev.FistConfirmed(known.seat, within(offer, amount)), 0.0),)
    return ()


def fist_amount(known: Known, luck: Luck) -> float:
    """Return the bot's preferred bid, before the limits of the rules apply."""
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

    All seats pay their bids in any case, so the bot bids at random between nothing and the first choice's gain.
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


def tie(known: Known, luck: Luck) -> Ranking:
    """Name itself if it is tied, else the seat with the weakest locomotives (R-23)."""
    (offer,) = known.offers

    def rank(event: Event) -> Ranked:
        winner = event.winner  # type: ignore[attr-defined]
        return Ranked(event, -strength(known, winner) if winner != known.seat else ITSELF)

    return best_first([rank(event) for event in offer])


def order(known: Known, luck: Luck) -> Ranking:
    """Put itself first, then the weakest (R-42)."""
    (offer,) = known.offers
    assert isinstance(offer, Orders)
    weakest = sorted(offer.things, key=lambda seat: (seat != known.seat, strength(known, seat)))
    return (Ranked(ev.TieOrdered(known.seat, tuple(weakest)), 0.0),)


def strength(known: Known, seat: Seat) -> float:
    """Return the publicly visible power of a seat's locomotives."""
    return sum(t.multiplier for t in known.trains[seat])


def choose(known: Known, luck: Luck) -> Ranking:
    """Rank the locomotives by their value over their price (R-43, R-44)."""
    (offer,) = known.offers
    paying = known.options.preemption_payment != "bid_only"
    rest = fill(known, known.missing - 1)

    def rank(event: Event) -> Ranked:
        loco = known.loco(event.card)  # type: ignore[attr-defined]
        value, price = worth(known, known.own, [loco, *rest]), paying * (loco.power or 0)
        return Ranked(event, value - price, (term("worth", value, card=loco.id), term("price", -price)))

    return best_first([rank(event) for event in offer])


# --- Twist ----------------------------------------------------------------------------------------


def twist_cost(known: Known, up: Sequence[Loco]) -> int:
    """Return the price of some locomotives in Twist (R-55)."""
    total = sum(loco.power or 0 for loco in up)
    if not up or known.options.twist_payment == "sum_only":
        return total
    return total * max(loco.multiplier or 0 for loco in up)


def net(known: Known, cards: Sequence[Loco]) -> float:
    """Return the value of three cards over their price, with the best choice of cards to turn down (R-56)."""
    for count in range(TRAINS + 1):
        ups = [up for up in combinations(cards, TRAINS - count) if twist_cost(known, up) <= known.cash]
        if ups:
            return max([worth(known, (), [*up, *[None] * count]) - twist_cost(known, up) for up in ups])
    raise AssertionError("three cards turned down cost nothing")


def pick(known: Known, luck: Luck) -> Ranking:
    """Rank the cards by the expected value of the three over their price (R-52, R-53)."""
    (offer,) = known.offers
    events = list(offer)
    if len(events) == 1:
        return (Ranked(events[0], 0.0),)
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

    found = best_first([Ranked(event, gain(event)) for event in events])
    many = max(1, len(lasts))
    return [Ranked(each.event, each.value / many, (term("three", each.value / many),)) for each in found]


def flip(known: Known, luck: Luck) -> Ranking:
    """Rank the cards to turn down by the remaining value over the price (R-56)."""
    (offer,) = known.offers

    def rank(event: Event) -> Ranked:
        down = event.cards  # type: ignore[attr-defined]
        up = [known.loco(card) for card in known.lot.hand if card not in down]
        value, price = worth(known, (), [*up, *[None] * len(down)]), twist_cost(known, up)
        return Ranked(event, value - price, (term("worth", value), term("price", -price)))

    return best_first([rank(event) for event in offer])
