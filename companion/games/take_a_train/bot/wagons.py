"""The bot's decisions about trains: which card to take, when to exchange, when to end the round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.engine import Event, Luck
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.bot.outlook import Build, Outlook, Parts, after
from companion.games.take_a_train.purposes import BY_ID, PURPOSES
from companion.games.take_a_train.steps.wagons import BONUS, Exchanges, Takes
from companion.games.take_a_train.table import wagon
from companion.mechanics.policy import Ranked, Term, best_first, term

FRESH = 1.2
"""The profit from fresh cards as a multiple of an average turn's (fitted to the profit from exchanges)."""
SURE = 0.95
"""The minimum probability that a fresh card fits a train, below which the bot does not pay for an exchange."""


def act(known: Known, luck: Luck) -> Sequence[Ranked]:
    """Rank passing, cards to take and an exchange by how much they improve the position (R-60 to R-65)."""
    outlook = Outlook(known)
    now = outlook.parts(outlook.own)
    passed = passing(known, outlook, now)
    found = sorted([passed, *takes(known, outlook, now)], key=lambda each: -each.score)
    still = sum(now) + sum([part.amount for part in market_parts(outlook, outlook.own, None)])
    for offer in known.offers:
        if isinstance(offer, Exchanges) and not known.lot.exchanges:
            slots, hoped = worth_exchanging(known, outlook, offer, found[0].score - still)
            if slots:
                parts = term("fresh", hoped, cards=len(slots)), term("price", -offer.price)
                found.insert(0, Scored(ev.Exchanged(known.seat, slots), hoped - offer.price + still, parts))
    return [Ranked(each.event, each.score - sum(now), told(each.terms)) for each in found]


def told(terms: Sequence[Term]) -> tuple[Term, ...]:
    """Return the terms that are not 0, and always the one that names card and train."""
    return tuple([each for each in terms if each.amount or each.key == "pays"])


class Scored(NamedTuple):
    """An event, the value of the position after it, and its effects."""

    event: Event
    score: float
    terms: Sequence[Term]


def market_parts(outlook: Outlook, own: Sequence[Build], taken: int | None) -> Sequence[Term]:
    """Return the profit that the market then offers the others at once, and the seat after them, as the bot weighs
    it."""
    left, style = outlook.left(own, taken), outlook.known.style
    others = term("others", -style.deny * left.others, seat=left.seat, most=left.most)
    return others, term("second", style.second * left.second)


def passing(known: Known, outlook: Outlook, now: Parts) -> Scored:
    """Return the value of passing; the last pass in a row ends the round, and so all its future profit (R-64)."""
    event = ev.TurnPassed(known.seat)
    if known.lot.passes == known.players - 1:
        ended = outlook.future(outlook.own, None)
        return Scored(event, sum(now) - ended, (term("round_ends", -ended),))
    parts = market_parts(outlook, outlook.own, None)
    return Scored(event, sum(now) + sum([part.amount for part in parts]), parts)


def takes(known: Known, outlook: Outlook, now: Parts) -> Iterator[Scored]:
    """Yield the cards that can be taken, each kind of card for each kind of train once."""
    first = known.options.twin_first
    special = PURPOSES[BY_ID["P-2"]].prize if "P-2" in known.purposes else 0
    tried: set[tuple[str | None, Build | None]] = set()
    for slot, train in [move for offer in known.offers if isinstance(offer, Takes) for move in offer.moves]:
        card = known.market[slot] or ""
        kind = card, None if train is None else outlook.own[train]
        if kind in tried:
            continue
        tried.add(kind)
        own, extra = list(outlook.own), 0 if "-" in card else special
        if train is None:
            score, parts = sum(now) + BONUS, [term("bonus", BONUS)]
        else:
            own[train] = after(own[train], card, first)
            then = outlook.parts(own, own[train][1] if "-" in card else None)
            score, parts = sum(then), [*train_parts(card, train, own[train], now, then)]
        if outlook.gap(own) > 0:
            parts += market_parts(outlook, own, slot)
            score += sum([part.amount for part in parts[-2:]])
        yield Scored(ev.Took(known.seat, slot, train), score + extra, [*parts, term("special", extra)])


def train_parts(card: str, train: int, built: Build, now: Parts, then: Parts) -> Iterator[Term]:
    """Yield the effects of a card on a train: on what trains pay, what purposes promise, and the rest of the round."""
    times, cargo, *_, wagons = built
    yield term("pays", then.pays - now.pays, card=card, train=train, times=times, cargo=cargo or "", wagons=wagons)
    yield term("prizes", then.prizes - now.prizes)
    yield term("later", then.later - now.later)


def worth_exchanging(known: Known, outlook: Outlook, offer: Exchanges, gain: float) -> tuple[tuple[int, ...], float]:
    """Return the slots to exchange if fresh cards promise more than the best one and the price, with the value
    (R-61)."""
    used = {b[1] for b in outlook.own if b[1] is not None and b[0]}
    slots = tuple([slot for slot in offer.filled if not _fits(known.market[slot], used)])
    if not slots:
        return (), 0.0
    hoped = outlook.rate(outlook.own, cards=len(slots)) * FRESH
    worth_it = hoped - offer.price > gain and outlook.chance(len(slots)) >= SURE
    return (slots if worth_it else ()), hoped


def _fits(card: str | None, used: set[str]) -> bool:
    """Return whether a market card fits one of the seat's trains, or is a special card."""
    return card is not None and ("-" not in card or wagon(card).type in used)


def pays_best(known: Known, luck: Luck) -> Sequence[Ranked]:
    """Rank the wagons of a replacement by the money that they pay (R-66)."""
    (offer,) = known.offers

    def rank(event: Event) -> Ranked:
        value = known.own[event.train].wagons[event.wagon].value  # type: ignore[attr-defined]
        return Ranked(event, value, (term("pays", value),))

    return best_first([rank(event) for event in offer])
