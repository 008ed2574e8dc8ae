"""How the bot builds trains: what to take, when to exchange, when to end the round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.engine import Event, Luck
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.bot.worth import composition
from companion.games.take_a_train.purposes import BY_ID, CARGO_GOALS, PURPOSES
from companion.games.take_a_train.steps.wagons import BONUS, Exchanges, Takes
from companion.games.take_a_train.table import Train, wagon
from companion.mechanics.policy import Ranked, Term, best_first, term

STAYS = 0.7
"""The probability that a card in the market is still there at the seat's next turn (estimated)."""
PACE = 0.6
"""Turns that a seat still has for each wagon that the longest train lacks (fitted)."""
RIVALS = 0.8
"""The value of a dollar that the others do not earn (fitted)."""
FRESH = 1.2
"""The part of an average turn's profit that fresh cards bring (fitted to what exchanges gave)."""
SURE = 0.95
"""The least probability that fresh cards bring one for a train, from which they are paid for."""
PROGRESS = 0.5
"""The part of a wagon purpose's prize that progress towards it is worth (estimated)."""

Build = tuple[float, str | None, int, int, int]
"""A train in short: multiplier (0: replacement), cargo, sum of its wagons (replacement: the best), last, length."""


def build(train: Train, first: bool) -> Build:
    """Return a train in short; `first` says that a Twin copies the first wagon."""
    values = [w.value for w in train.wagons]
    total = sum(values) if train.face_up else max(values, default=0)
    copied = (values[0] if first else values[-1]) if values else 0
    return train.multiplier + train.boosted if train.face_up else 0, train.cargo, total, copied, len(values)


def pays(b: Build) -> float:
    """Return what a train in short would pay now."""
    return b[2] * b[0] if b[0] else b[2]


class Parts(NamedTuple):
    """How good a position is: what the trains pay now, what purposes promise, and what the rest of the round brings."""

    pays: float
    prizes: float
    later: float


class Outlook:
    """What a turn's decision depends on: the unseen cards, the market, and how long the round may last."""

    def __init__(self, known: Known) -> None:
        self.known = known
        first = known.options.twin_first
        self.own: list[Build] = [build(t, first) for t in known.own]
        self.rivals = [[build(t, first) for t in own] for s, own in enumerate(known.trains) if s != known.seat]
        self.market = [wagon(card) for card in known.market if card is not None and "-" in card]
        self.lying = Counter([w.type for w in self.market])
        self.fresh = self.unseen()
        self.reach = min(self.gap(own) for own in self.rivals)
        self.rivals_rate = sum(self.rate(own) for own in self.rivals) / len(self.rivals)

    def unseen(self) -> dict[str, tuple[float, float]]:
        """Return for each cargo the probability of the next card and its average value, from what is visible."""
        own = [w for own in self.known.trains for train in own for w in train.wagons if not w.twin]
        count, total = Counter[str](), Counter[str]()
        for w in own + self.market:
            count[w.type] += 1
            total[w.type] += w.value
        deck = composition(self.known.book.wagons)
        left = {cargo: (cards - count[cargo], worth - total[cargo]) for cargo, (cards, worth) in deck.items()}
        every = max(1, sum(n for n, _ in left.values()))
        return {c: (n / every, total / n if n > 0 else 0.0) for c, (n, total) in left.items()}

    def gap(self, own: Sequence[Build]) -> int:
        """Return how many wagons a seat's longest train still lacks."""
        return self.known.limit - max(b[4] for b in own)

    def turns(self, own: Sequence[Build]) -> float:
        """Return how many more turns the seat can count on."""
        return PACE * min(self.reach, self.gap(own))

    def rate(self, own: Sequence[Build], taken: str | None = None, cards: int = 0) -> float:
        """Return the profit a seat adds in one average turn, from the best wagon that is likely to be there.

        `cards` fresh cards are considered; 0 means those revealed until its next turn, besides the market.
        """
        gains: list[tuple[float, float]] = []
        fresh = cards or len(self.known.market) // 2 + 1
        used = [b[1] for b in own]
        for multiplier, cargo, total, _, _ in own:
            if cargo is None:
                # An empty train is worth as much as the best cargo it may still carry.
                p, mean = self.free(used, fresh)
                gains.append((mean * (multiplier or 1), p))
                continue
            p, mean = self.fresh[cargo]
            missed = (1 - p) ** fresh
            if not cards:
                missed *= STAYS ** (self.lying[cargo] - (taken == cargo))
            value = mean * multiplier if multiplier else max(0.0, mean - total)
            gains.append((value, 1 - missed))
        gains.sort(reverse=True)
        found, open_ = 0.0, 1.0
        for value, q in gains:
            found += open_ * q * value
            open_ *= 1 - q
        return found

    def chance(self, cards: int) -> float:
        """Return the probability that at least one of so many fresh cards fits a train that earns by every wagon."""
        if any(cargo is None for _, cargo, *_ in self.own):
            return 1.0
        fitting = sum(self.fresh[cargo][0] for multiplier, cargo, *_ in self.own if multiplier and cargo is not None)
        return 1 - (1 - fitting) ** cards

    def free(self, used: Sequence[str | None], fresh: int) -> tuple[float, float]:
        """Return how likely and how valuable the next card of the best unused cargo is."""
        free = [(1 - (1 - p) ** fresh, mean) for cargo, (p, mean) in self.fresh.items() if cargo not in used]
        return max(free, key=lambda each: each[0] * each[1], default=(0.0, 0.0))

    def future(self, own: Sequence[Build], taken: str | None) -> float:
        """Return the value of the rest of the round to the seat, minus what its rivals earn meanwhile."""
        return self.turns(own) * (self.rate(own, taken) - RIVALS * self.rivals_rate)

    def prizes(self, own: Sequence[Build]) -> float:
        """Return what the wagon purposes in hand are worth with these trains (P-3, P-6 to P-12)."""
        found = 0.0
        for purpose in self.known.purposes:
            share = self.progress(purpose, own)
            if share:
                prize = PURPOSES[BY_ID[purpose]].prize
                found += prize if share >= 1 else prize * PROGRESS * share
        return found

    def progress(self, purpose: str, own: Sequence[Build]) -> float:
        """Return the progress of these trains towards a wagon purpose, 0 to 1."""
        if purpose == "P-6":
            return min(1.0, sum(b[4] for b in own) / 10)
        if purpose == "P-3":
            return sum(min(b[4], 3) for b in own) / 9
        for cargo, (need, goal) in CARGO_GOALS.items():
            if goal == purpose:
                return max([min(1.0, b[4] / need) for b in own if b[1] == cargo], default=0.0)
        return 0.0

    def parts(self, own: Sequence[Build], taken: str | None = None) -> Parts:
        """Return how good a position is after the seat's turn, in parts."""
        ended = self.gap(own) <= 0
        later = 0.0 if ended else self.future(own, taken)
        return Parts(sum(pays(b) for b in own), self.prizes(own), later)


def after(b: Build, card: str, first: bool) -> Build:
    """Return a train in short with a card added."""
    multiplier, cargo, total, copied, size = b
    if card == "multiplier":
        return (multiplier + 1 if multiplier else 0), cargo, total, copied, size
    if card == "twin":
        return multiplier, cargo, (total + copied if multiplier else total), copied, size + 1
    new = wagon(card)
    kept = copied if first and size else new.value
    return multiplier, new.type, (total + new.value if multiplier else max(total, new.value)), kept, size + 1


def act(known: Known, luck: Luck) -> Sequence[Ranked]:
    """Rank to pass, cards to take and an exchange by what the position then is worth more than now (R-60 to R-65)."""
    outlook = Outlook(known)
    now = outlook.parts(outlook.own)
    # The last pass in a row ends the round, and all its future profit.
    last = known.lot.passes == known.players - 1
    ended = outlook.future(outlook.own, None) if last else 0.0
    found = [
        Scored(ev.TurnPassed(known.seat), sum(now) - ended, (term("round_ends", -ended),)),
        *takes(known, outlook, now),
    ]
    found.sort(key=lambda each: -each.score)
    for offer in known.offers:
        if isinstance(offer, Exchanges) and not known.lot.exchanges:
            slots, hoped = worth_exchanging(known, outlook, offer, found[0].score - sum(now))
            if slots:
                parts = term("fresh", hoped, cards=len(slots)), term("price", -offer.price)
                found.insert(0, Scored(ev.Exchanged(known.seat, slots), hoped - offer.price + sum(now), parts))
    gains = [(each.event, each.score - sum(now), each.terms) for each in found]
    return [Ranked(event, gain, tuple([part for part in terms if part.amount])) for event, gain, terms in gains]


class Scored(NamedTuple):
    """An event, how good the position is after it, and what it changes."""

    event: Event
    score: float
    terms: Sequence[Term]


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
        extra = 0 if "-" in card else special
        if train is None:
            parts, then = [term("bonus", BONUS)], now
            score = sum(now) + BONUS
        else:
            own = list(outlook.own)
            own[train] = after(own[train], card, first)
            then = outlook.parts(own, own[train][1] if "-" in card else None)
            score = sum(then)
            times, cargo, *_, wagons = own[train]
            paid = then.pays - now.pays
            parts = [
                term("pays", paid, card=card, train=train, times=times, cargo=cargo or "", wagons=wagons),
                term("prizes", then.prizes - now.prizes),
                term("later", then.later - now.later),
            ]
        yield Scored(ev.Took(known.seat, slot, train), score + extra, [*parts, term("special", extra)])


def worth_exchanging(known: Known, outlook: Outlook, offer: Exchanges, gain: float) -> tuple[tuple[int, ...], float]:
    """Return the slots to exchange if fresh cards promise more than the best one and the price, and what (R-61)."""
    used = {b[1] for b in outlook.own if b[1] is not None and b[0]}
    slots = tuple([slot for slot in offer.filled if not _fits(known.market[slot], used)])
    if not slots:
        return (), 0.0
    hoped = outlook.rate(outlook.own, cards=len(slots)) * FRESH
    worth_it = hoped - offer.price > gain and outlook.chance(len(slots)) >= SURE
    return (slots if worth_it else ()), hoped


def _fits(card: str | None, used: set[str]) -> bool:
    """Whether a market card fits one of the seat's trains, or is a special card."""
    return card is not None and ("-" not in card or wagon(card).type in used)


def pays_best(known: Known, luck: Luck) -> Sequence[Ranked]:
    """Rank the wagons of a replacement by what they pay (R-66)."""
    (offer,) = known.offers

    def rank(event: Event) -> Ranked:
        value = known.own[event.train].wagons[event.wagon].value  # type: ignore[attr-defined]
        return Ranked(event, value, (term("pays", value),))

    return best_first([rank(event) for event in offer])
