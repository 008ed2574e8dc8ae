"""Decides whether going out now is better than waiting a round, both for a partner's answer and for the seat itself.

Compares the chance to win the match in both cases. Unseen cards are estimated with rough figures.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, prod

from msgspec.structs import replace

from companion.games.express.bot.mind import UNKNOWN, Mind, best_lays, lacking, laid_out
from companion.games.express.ending import Plan, finishing_plan
from companion.games.express.scoring import LEAST
from companion.games.express.table import DRAWN
from companion.games.express.trains import Train
from companion.games.express.view import SidePublic

ENDED, NEAR, FAR = 2.0, 8.0, 0.4
"""The points that make a clear lead: after the match, just before its end, and for each point still to go.

The first is not 0 because the cards in hands are estimates.
"""
FARTHEST = 50.0
"""The largest lead to distinguish, in multiples of a clear lead."""
AGAIN, SURE = 0.5, 0.8
"""The chance that the side can still go out a round later: in general, and if the partner can lay its whole hand."""
GAIN, GAIN_A_CARD = 1.0, 0.6
"""Points gained in a turn: a fixed part, and a part for each card in hand. A card that is laid no longer costs
points."""
LAID = 2.0
"""Points gained with each card that the seat on turn lays when it goes out."""
SOON, LATER = 0.35, 0.6
"""The chance to go out in a turn with one card left and the trains ready, and the factor for each further car or
card."""
SPREAD = 1.5
"""The assumed deviation of the cost of a partner's card from the mean, in points."""


def agrees(mind: Mind) -> bool:
    """Return whether a seat allows its partner to go out.

    Assume that the partner lays its cards well and completes its trains.
    """
    view, asker = mind.view, mind.view.turn
    trains = {number: completed(train) for number, train in mind.trains.items()}
    needed = sum([len(train.cars) for train in trains.values()]) - sum([len(t.cars) for t in mind.trains.values()])
    laid = max(0, view.hands[asker] - 1 - needed) * LAID
    table = points(mind, trains.values()) + laid
    unknown = view.hands[mind.seat] - len(view.own_cards)
    cost = mind.fixed.hand_cost(view.own_cards) + unknown * mean_cost(mind)
    lays = best_lays(mind, (*view.own_cards, *(UNKNOWN,) * DRAWN), trains)
    gain = points(mind, laid_out(trains, lays.cards).values()) - points(mind, trains.values()) + unknown * GAIN_A_CARD
    gain += mind.fixed.hand_cost([card for _, card in lays.cards]) + worth_of_shields(mind, lays.cards)
    others = [seat for seat in mind.side.seats if seat not in (mind.seat, asker)]
    cost += sum([view.hands[seat] for seat in others]) * mean_cost(mind)
    able = view.own_cards and finishing_plan(mind.book, tuple(trains.values()), view.own_cards)
    return pays(mind, table - cost, gain, SURE if able else AGAIN)


def verdict(mind: Mind, plan: Plan, can_ask: bool) -> bool | None:
    """Return whether the seat on turn should go out by a plan; None if that depends on its partner's cards.

    Asking the partner helps if its cards can change the decision: it may hold cheap cards that cannot be laid, or
    expensive ones that it would lay next turn.
    """
    trains = laid_out(mind.trains, plan.lays).values()
    table = points(mind, trains) + worth_of_shields(mind, plan.lays)
    shown, mean = dict(mind.view.partner_cards), mean_cost(mind)
    table -= sum([mind.fixed.hand_cost(held) for held in shown.values()])
    seen = GAIN + GAIN_A_CARD * sum(map(len, shown.values()))
    hidden = sum([mind.view.hands[seat] for seat in mind.side.seats if seat != mind.seat and seat not in shown])
    cases = [(mean, GAIN_A_CARD * hidden)]
    if can_ask:
        cases = [(max(0.0, mean - SPREAD), -GAIN), (mean + SPREAD, 2 * hidden * (mean + SPREAD))]
    found = {pays(mind, table - cost * hidden, seen + gain, AGAIN) for cost, gain in cases}
    return found.pop() if len(found) == 1 else None


def pays(mind: Mind, now: float, gain: float, again: float) -> bool:
    """Return whether going out now gives at least the chance to win that another round gives.

    `now`: the own side's points if the hand ends now, without the bonus; `gain`: the points that it would add in a
    round; `again`: its chance to go out after that round.
    """
    bonus = mind.fixed.out_bonus
    held = [sum([mind.view.hands[seat] for seat in side.seats]) for side in mind.others]
    others = [side.points - mean_cost(mind) * count for side, count in zip(mind.others, held, strict=True)]
    at_once = chance(mind, now + bonus, others)
    turns = [GAIN * len(side.seats) + GAIN_A_CARD * count for side, count in zip(mind.others, held, strict=True)]
    grown = [points + more for points, more in zip(others, turns, strict=True)]
    open_still = chance(mind, now + gain, grown, ended=False)
    out_later = max(open_still, chance(mind, now + bonus + gain, grown))
    dangers = [danger(mind, side) for side in mind.others]
    safe = prod([1 - each for each in dangers])
    later = safe * (again * out_later + (1 - again) * open_still)
    for at, each in enumerate(dangers):
        theirs = [points + bonus * (at == other) for other, points in enumerate(grown)]
        caught = chance(mind, now + gain / 2 - mean_cost(mind), theirs)
        later += (1 - safe) * each / sum(dangers) * caught
    return at_once >= later


def chance(mind: Mind, own: float, others: Iterable[float], ended: bool = True) -> float:
    """Return the chance to win the match with `own` points from this hand, given the others' points.

    A lead counts more if the hand has `ended`, and most if the match ends with it.
    """
    own += mind.side.total
    best = max([side.total + points for side, points in zip(mind.others, others, strict=True)])
    left = max(0.0, (mind.fixed.profile.target or 0) - max(own, best))
    over = ended and (not left or mind.view.hand_number >= mind.fixed.options.hands)
    clear = ENDED if over else NEAR + FAR * left
    return 1 / (1 + exp(min(FARTHEST, max(-FARTHEST, (best - own) / clear))))


# --- unseen cards ---------------------------------------------------------------------------------


def danger(mind: Mind, side: SidePublic) -> float:
    """Return the chance that a side goes out within a round."""
    missing = lacking([len(train.cars) for train in side.trains])
    missing += sum([max(0, LEAST - len(train.cars)) for train in side.trains])
    seats = [SOON * LATER ** (missing + max(0, mind.view.hands[seat] - 1)) for seat in side.seats]
    return 1 - prod([1 - each for each in seats])


def mean_cost(mind: Mind) -> float:
    """Return what an unseen card costs on average."""
    return mind.fixed.hand_cost(mind.unseen.elements()) / max(1, mind.unseen.total())


def completed(train: Train) -> Train:
    """Return a train extended to the number of cars that it needs to score."""
    return replace(train, cars=train.cars + train.cars[:1] * (LEAST - len(train.cars)))


# --- points ---------------------------------------------------------------------------------------


def points(mind: Mind, trains: Iterable[Train]) -> float:
    """Return the own side's points for the given trains and its maintenance cards."""
    return sum(map(mind.points, trains)) + sum(map(mind.value, mind.side.maintenance))


def worth_of_shields(mind: Mind, laid: Iterable[tuple[int, str]]) -> float:
    """Return the points for the maintenance cards among the laid cards."""
    return sum([mind.value(card) for number, card in laid if not number])
