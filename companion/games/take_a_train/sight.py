"""Guesses at the next event of Take a Train from the cards that are seen.

The guesses need not be legal or complete; `companion.sight.reconcile` tries them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from companion.engine import Event, Layout, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.layout import AUCTION, MARKET, train_place
from companion.games.take_a_train.steps.lots import Lone
from companion.games.take_a_train.steps.market import RevealCards, drawable
from companion.games.take_a_train.steps.preemption import Choose
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.twist import Flips, TurnUp
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import TRAINS, Table, power

LONGEST_REVEAL = 12
"""With more new cards than this, no reveal is guessed: a refill never has that many."""
ACTING = ("bin", "longer")
"""Cards that act when revealed and then leave the market (R-67a, R-67b)."""


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield what may have happened next. `said` is the state's own layout; `seen` names its places in the same way."""
    table = state.table
    match state.agenda[0]:
        case RevealLocos(size=size):
            cards = _new_cards(said, seen, AUCTION)
            if len(cards) == size:
                yield ev.LocosRevealed(cards)
        case TurnUp():
            yield from _turned_up(table, seen)
        case Flips(trains=trains, seats=seats):
            for seat in seats:
                down = tuple([c for at, c in enumerate(trains[seat]) if seen.spot(train_place(seat, at)).down])
                if down:
                    yield ev.Flipped(seat, down)
        case Choose() | Lone() as step:
            yield from _chosen(table, step, said, seen)
        case RevealCards(slots=slots):
            yield from _refills(said, seen, len(slots))
        case Act() as act:
            yield from _acts(table, act, said, seen)


def unseen_alternatives(state: State[Table], event: Event) -> Iterator[tuple[tuple[Event, ...], str]]:
    """Yield takes that may have happened instead of a single exchange.

    Little shows of a card tucked under others, and nobody must pay for an exchange that did not happen.
    """
    if isinstance(event, ev.Exchanged) and len(event.slots) == 1:
        for train in range(len(state.table.trains[event.seat])):
            yield (ev.Took(event.seat, event.slots[0], train),), train_place(event.seat, train)


def _chosen(table: Table, step: Choose | Lone, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield which locomotive the seat on turn took to one of its places, or turned face down there."""
    seat = step.legal(table)[0].by
    assert seat is not None
    own = [train_place(seat, at) for at in range(TRAINS)]
    new = [card for place in own for card in _more(said, seen, place)]
    turned = any(seen.spot(place).down > said.spots[place].down for place in own)
    for card in _fewer(said, seen, AUCTION):
        if card in new:
            yield ev.LocoChosen(seat, card) if isinstance(step, Choose) else ev.Bought(seat, card, power(table, card))
        elif turned and isinstance(step, Lone):
            yield ev.ReplacementTaken(seat, card)


def _acts(table: Table, act: Act, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield what the seat on turn may have done: taken a card missing from the market, exchanged it, or passed.

    A card that is missing and lies nowhere else may still be in a hand. Only a card revealed in its place shows that it
    was exchanged, that it was the Bonus, or that it went to a covered train. If a card equal to those that left lies
    there again, all of them were exchanged.
    """
    seat = table.order[act.at]
    again = seen.returned.get(MARKET, ())
    gone, fresh = (*_fewer(said, seen, MARKET), *again), (*_more(said, seen, MARKET), *again)
    for card in dict.fromkeys([card for card in table.market if card is not None]):
        slot = table.market.index(card)  # any of several equal cards
        if card == "bonus" and card in gone and (fresh or not drawable(table)):
            yield ev.Took(seat, slot)
        for train in range(len(table.trains[seat])):
            place = train_place(seat, train)
            unsure = seen.spot(place).unnamed or (fresh and place not in seen.spots)
            if card in _more(said, seen, place) or (card in gone and unsure):
                yield ev.Took(seat, slot, train)
    laid = [card for at in range(TRAINS) for card in _more(said, seen, train_place(seat, at))]
    new = len(fresh) + len(_cards_before_action(seen)) + len(laid)
    for count in range(len(gone) if again else 1, min(len(gone), new) + 1):
        for some in combinations([slot for slot, card in enumerate(table.market) if card in gone], count):
            cards = Counter([str(table.market[slot]) for slot in some])
            if cards <= Counter(gone):
                yield ev.Exchanged(seat, some)
    if _others_took(table, seat, said, seen):
        yield ev.TurnPassed(seat)


def _others_took(table: Table, seat: int, said: Layout, seen: Layout) -> bool:
    """Whether a train of another seat has a new card, so that the seats before it have passed."""
    others = [train_place(other, at) for other in table.order if other != seat for at in range(TRAINS)]
    return any(_more(said, seen, place) or seen.spot(place).unnamed for place in others)


def _refills(said: Layout, seen: Layout, count: int) -> Iterator[Event]:
    """Yield reveals of `count` of the new cards, in the market or already taken.

    Bin and Longer stock are cleared away at once; the cards that lay there before belong to the same reveal.
    """
    before = _cards_before_action(seen)
    fresh = _new_cards(said, seen, MARKET)
    if len(fresh) > LONGEST_REVEAL or len(before) > count:
        return
    tried: set[tuple[str, ...]] = set()
    for some in combinations(fresh, count - len(before)):
        key = tuple(sorted(some))
        if key not in tried:
            tried.add(key)
            yield ev.CardsRevealed((*before, *some))


def _turned_up(table: Table, seen: Layout) -> Iterator[Event]:
    rows = [[seen.spot(train_place(seat, at)).up for at in range(TRAINS)] for seat in range(table.fixed.players)]
    if all(len(up) == 1 for own in rows for up in own):
        yield ev.TwistRevealed(tuple([tuple([up[0] for up in own]) for own in rows]))


def _cards_before_action(seen: Layout) -> tuple[str, ...]:
    """Return the cards revealed up to Bin or Longer stock, if these have been cleared away since."""
    before = seen.passed.get(MARKET, ())
    return before if set(before) & set(ACTING) else ()


def _new_cards(said: Layout, seen: Layout, place: str) -> tuple[str, ...]:
    """Return the new cards at a spread, and those taken from it to a train before they were read there."""
    taken = [card for name in said.spots if name not in (MARKET, AUCTION) for card in _more(said, seen, name)]
    return (*_more(said, seen, place), *taken)


def _more(said: Layout, seen: Layout, place: str) -> tuple[str, ...]:
    """Return the cards seen at a place beyond those that the rules expect there, in order."""
    left = Counter(said.spot(place).up)
    found: list[str] = []
    for card in seen.spot(place).up:
        if left[card] > 0:
            left[card] -= 1
        else:
            found.append(card)
    return tuple(found)


def _fewer(said: Layout, seen: Layout, place: str) -> tuple[str, ...]:
    """Return the expected cards that are missing at a place; none if the place is not seen."""
    if place not in seen.spots:
        return ()
    return tuple((Counter(said.spots[place].up) - Counter(seen.spots[place].up)).elements())
