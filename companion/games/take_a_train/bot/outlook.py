"""The basis of a wagon turn's decision: unseen cards, the market, the others' wishes, the expected length of the
round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from companion.games.take_a_train.bot.known import Known
from companion.games.take_a_train.bot.worth import composition
from companion.games.take_a_train.purposes import BY_ID, CARGO_GOALS, PURPOSES
from companion.games.take_a_train.steps.wagons import BONUS
from companion.games.take_a_train.table import Train, wagon
from companion.mechanics.seating import clockwise

STAYS = 0.7
"""The probability that a card in the market is still there at the seat's next turn (estimated)."""
PACE = 0.6
"""The number of turns that a seat still has for each wagon that the longest train lacks (fitted)."""
PROGRESS = 0.5
"""The value of progress towards a wagon purpose, as a share of its prize (estimated)."""

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
    """The value of a position: what the trains pay now, what purposes promise, and the value of the rest of the
    round."""

    pays: float
    prizes: float
    later: float


class Left(NamedTuple):
    """The profit that the market offers at once: to the others on average, then to the seat; and which other gains
    most."""

    others: float = 0.0
    second: float = 0.0
    seat: int = 0
    most: float = 0.0


NOTHING_LEFT = Left()


class Outlook:
    """The basis of a turn's decision: the unseen cards, the market, and the expected length of the round."""

    def __init__(self, known: Known) -> None:
        self.known = known
        first = known.options.twin_first
        self.own: list[Build] = [build(t, first) for t in known.own]
        self.others = [seat for seat in range(known.players) if seat != known.seat]
        self.rivals = [[build(t, first) for t in known.trains[seat]] for seat in self.others]
        self.market = [wagon(card) for card in known.market if card is not None and "-" in card]
        self.lying = Counter([w.type for w in self.market])
        self.fresh = self.unseen()
        self.reach = min(self.gap(own) for own in self.rivals)
        self.rivals_rate = sum(self.rate(own) for own in self.rivals) / len(self.rivals)

    def unseen(self) -> dict[str, tuple[float, float]]:
        """Return for each cargo the probability that the next card has it and its average value, from the visible
        cards."""
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
        """Return the number of wagons that a seat's longest train still lacks."""
        return self.known.limit - max(b[4] for b in own)

    def turns(self, own: Sequence[Build]) -> float:
        """Return how many more turns the seat can expect."""
        return PACE * min(self.reach, self.gap(own))

    def rate(self, own: Sequence[Build], taken: str | None = None, cards: int = 0) -> float:
        """Return the profit that a seat gains in an average turn, from the best wagon that will probably be there.

        `cards` is the number of fresh cards to consider; 0 stands for those revealed until its next turn, besides the
        market.
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
        """Return the probability that at least one of `cards` fresh cards fits a train that earns with every wagon."""
        if any(cargo is None for _, cargo, *_ in self.own):
            return 1.0
        fitting = sum(self.fresh[cargo][0] for multiplier, cargo, *_ in self.own if multiplier and cargo is not None)
        return 1 - (1 - fitting) ** cards

    def free(self, used: Sequence[str | None], fresh: int) -> tuple[float, float]:
        """Return the probability and the value of a next card with the best unused cargo."""
        free = [(1 - (1 - p) ** fresh, mean) for cargo, (p, mean) in self.fresh.items() if cargo not in used]
        return max(free, key=lambda each: each[0] * each[1], default=(0.0, 0.0))

    def future(self, own: Sequence[Build], taken: str | None) -> float:
        """Return the value of the rest of the round to the seat, minus its rivals' profit in that time."""
        return self.turns(own) * (self.rate(own, taken) - self.known.style.rivals * self.rivals_rate)

    def left(self, own: Sequence[Build], taken: int | None) -> Left:
        """Return the profit that the market offers at once without a taken card: to the others, then to the seat."""
        known, found = self.known, 0.0
        if not known.style.deny:
            return NOTHING_LEFT
        cards = [card for slot, card in enumerate(known.market) if card is not None and slot != taken]
        best, nearest = 0.0, known.seat
        for seat in list(clockwise(known.seat, known.players))[1:]:
            gain, card = best_gain(self.rivals[self.others.index(seat)], cards)
            found += gain
            if gain > best:
                best, nearest = gain, seat
            if card:
                cards.remove(card)
        return Left(found / len(self.rivals), best_gain(own, cards)[0], nearest, best)

    def prizes(self, own: Sequence[Build]) -> float:
        """Return the value of the wagon purposes in hand with these trains (P-3, P-6 to P-12)."""
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
        """Return the parts of a position's value after the seat's turn."""
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


def best_gain(own: Sequence[Build], cards: Sequence[str]) -> tuple[float, str]:
    """Return the maximum that one card of the market pays a seat, and the card; "" if none pays."""
    best, which = 0.0, ""
    used = {b[1]: at for at, b in enumerate(own) if b[1] is not None}
    free = [at for at, b in enumerate(own) if b[1] is None]
    for card in cards:
        if "-" not in card:
            gains = [float(BONUS)] if card == "bonus" else []
        else:
            cargo = wagon(card).type
            trains = [own[at] for at in ([used[cargo]] if cargo in used else free)]
            gains = [pays(after(b, card, True)) - pays(b) for b in trains]
        for gain in gains:
            if gain > best:
                best, which = gain, card
    return best, which
