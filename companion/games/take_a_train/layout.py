"""The positions of Take a Train cards that the rules expect, and guesses at the next event.

The guesses need not be legal or complete; `companion.sight.reconcile` tries them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from companion.engine import Event, Layout, Luck, Place, Seat, Spot, State, offers_of
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.catalogue import DRIVES
from companion.games.take_a_train.purposes import ALL, PER_SEAT, ids
from companion.games.take_a_train.steps.lots import REVEAL, Lone
from companion.games.take_a_train.steps.market import RevealCards, drawable
from companion.games.take_a_train.steps.preemption import Choose
from companion.games.take_a_train.steps.reveal import RevealLocos
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.twist import Deal, Flips, Pick, TurnUp
from companion.games.take_a_train.steps.wagons import Act
from companion.games.take_a_train.table import LONGER_LIMIT, MARKET_SIZE, TRAINS, Table, Train, power
from companion.mechanics.pool import HandDeal, without

AUCTION, MARKET = "auction", "market"
"""The names of the places of the lots and the market."""
BACKS = ("back-locomotive", "back-wagon")
"""The names of the two backs in a deck of cards."""
LOCOMOTIVES = tuple([f"{drive}-{number}" for drive, count in DRIVES.items() for number in range(1, count + 1)])
"""The names of the locomotive cards."""


def places(players: int) -> tuple[Place, ...]:
    """Return every place of a table for this number of players, as on the mat."""
    longest = LONGER_LIMIT + 2  # with the locomotive and Multiplier +1
    return (
        Place(
            AUCTION, "spread", max(REVEAL, players), firsts=LOCOMOTIVES
        ),  # Preemption reveals one for each player
        Place(MARKET, "spread", MARKET_SIZE[players]),
        *[Place(name, "pile") for name in ("deck.locomotives", "aside.locomotives", "deck.wagons", "discard.wagons")],
        *[
            Place(place, "row", longest, Seat(seat), (*LOCOMOTIVES, BACKS[0]))
            for seat in range(players)
            for place in train_places(seat)
        ],
    )


def train_place(seat: int, train: int) -> str:
    """Return the name of the place of a seat's train, both counted from 0."""
    return f"seat.{seat + 1}.train.{train + 1}"


def train_places(seat: int) -> tuple[str, ...]:
    """Return the names of the places of a seat's trains."""
    return tuple([train_place(seat, at) for at in range(TRAINS)])


def layout(state: State[Table]) -> Layout:
    """Return the expected cards at each place. Nothing has to match between two rounds, while people clear the
    table.
    """
    table, head = state.table, state.head
    spots = {
        AUCTION: Spot(tuple(table.revealed)),
        MARKET: Spot(tuple([card for card in table.market if card is not None])),
    }
    if not isinstance(head, Deal | Pick | TurnUp):  # cards placed for Twist are still secret
        unsettled = {seat: head.trains[seat] for seat in head.seats} if isinstance(head, Flips) else {}
        for seat, own in enumerate(table.trains):
            waiting = unsettled.get(Seat(seat), ())
            for at in range(TRAINS):
                spot = Spot(waiting[at : at + 1]) if waiting else row(own[at]) if at < len(own) else Spot()
                spots[train_place(seat, at)] = spot
    alike = tuple(map(train_places, range(table.fixed.players)))
    return Layout(spots, alike, _lingering(state), loose=head is None or isinstance(head, DrawToken))


def _lingering(state: State[Table]) -> dict[str, tuple[str, ...]]:
    """Return the cards just revealed or set aside that may still lie there (R-24, R-67a, R-67b)."""
    market: tuple[str, ...] = ()
    for effect in state.effects:
        if isinstance(effect, ev.BinCleared):
            market += ("bin", *effect.cards)
        elif isinstance(effect, ev.StockLengthened):
            market += ("longer",)
    found = {MARKET: market} if market else {}
    return found if state.table.revealed or not state.table.aside else found | {AUCTION: tuple(state.table.aside)}


def row(train: Train) -> Spot:
    """Return the cards at the place of a train: the locomotive first, a replacement face down."""
    return Spot(tuple(_cards(train)), 0 if train.face_up else 1)


def _cards(train: Train) -> Iterator[str]:
    if train.face_up:
        yield train.loco
    for wagon in train.wagons:
        yield "twin" if wagon.twin else f"{wagon.type}-{wagon.value}"
    if train.boosted:
        yield "multiplier"


UNORDERED_FIELDS = frozenset({"market", "cards"})
"""Fields of the public view with a meaningless order: the market and revealed cards."""


def resting_layouts(before: State[Table], event: Event, after: State[Table]) -> Iterator[Layout]:
    """Yield the intermediate layouts while people move the cards for an event."""
    match event:
        case ev.CardsRevealed(cards):
            yield from _turned_up(before.table, cards)
        case ev.ReplacementTaken(seat, card):  # the others are cleared away later
            rest = without(before.table.revealed, (card,))
            yield Layout(layout(after).spots | {AUCTION: Spot(rest)})
        case ev.TwistPicked(seat) if isinstance(before.head, Pick):
            yield _placed_layout(before.head.passes, seat)
            if isinstance(after.head, TurnUp):  # the last card is placed automatically
                yield from [_placed_layout(TRAINS - 1, each) for each in range(before.table.fixed.players)]


def _turned_up(table: Table, cards: tuple[str, ...]) -> Iterator[Layout]:
    """Yield the market at each moment with Bin or Longer stock in it (R-67a, R-67b)."""
    lies = [card for card in table.market if card is not None]
    for card in cards:
        lies.append(card)
        if card in ("bin", "longer"):
            yield Layout({MARKET: Spot(tuple(lies))})
            lies = [] if card == "bin" else lies[:-1]


def _placed_layout(passes: int, seat: int) -> Layout:
    """Return the cards that a seat has placed face down for Twist so far."""
    return Layout({train_place(seat, at): Spot((), 1) for at in range(passes + 1)})


def draws_before_match(state: State[Table], luck: Luck) -> tuple[Event, ...]:
    """Return the purposes that people draw before the match and enter on their own tablets (R-10)."""
    dealt = HandDeal(ev.PurposesDealt, ids(ALL), state.table.fixed.players, PER_SEAT).pick(luck)
    assert isinstance(dealt, ev.PurposesDealt)
    return tuple([ev.PurposesEntered(Seat(seat), hand) for seat, hand in enumerate(dealt.purposes)])


LONGEST_REVEAL = 12
"""The most new cards for which reveals are guessed: a refill never has so many."""
ACTING = ("bin", "longer")
"""Cards that act when revealed and then leave the market (R-67a, R-67b)."""


def candidate_events(state: State[Table], said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible next events. `said` is the state's own layout; `seen` names its places in the same way."""
    table = state.table
    match state.agenda[0]:
        case RevealLocos(size=size):
            cards = _new_cards(said, seen, AUCTION)
            if len(cards) == size:
                yield ev.LocosRevealed(cards)
        case TurnUp():
            yield from _twist_revealed(table, seen)
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

    Only a little of a tucked card shows, and nobody must pay for an exchange that did not happen.
    """
    if isinstance(event, ev.Exchanged) and len(event.slots) == 1:
        for train in range(len(state.table.trains[event.seat])):
            yield (ev.Took(event.seat, event.slots[0], train),), train_place(event.seat, train)


def _chosen(table: Table, step: Choose | Lone, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible choices of the seat on turn: a locomotive taken to one of its places, or turned face down
    there.
    """
    seat = offers_of(step, table)[0].by
    assert seat is not None
    own = [train_place(seat, at) for at in range(TRAINS)]
    new = [card for place in own for card in said.added_cards(seen, place)]
    turned = any(seen.spot(place).down > said.spots[place].down for place in own)
    for card in said.missing_cards(seen, AUCTION):
        if card in new:
            yield ev.LocoChosen(seat, card) if isinstance(step, Choose) else ev.Bought(seat, card, power(table, card))
        elif turned and isinstance(step, Lone):
            yield ev.ReplacementTaken(seat, card)


def _acts(table: Table, act: Act, said: Layout, seen: Layout) -> Iterator[Event]:
    """Yield possible actions of the seat on turn: taking a card missing from the market, exchanging it, or passing.

    A missing card that lies nowhere else may still be in a hand. Only a new card in its place proves that it was
    exchanged, was the Bonus, or went to a covered train. If a card equal to the missing ones lies there again, all of
    them were exchanged.
    """
    seat = table.order[act.at]
    again = seen.returned.get(MARKET, ())
    gone, fresh = (*said.missing_cards(seen, MARKET), *again), (*said.added_cards(seen, MARKET), *again)
    for card in dict.fromkeys([card for card in table.market if card is not None]):
        slot = table.market.index(card)  # any of several equal cards
        if card == "bonus" and card in gone and (fresh or not drawable(table)):
            yield ev.Took(seat, slot)
        for train in range(len(table.trains[seat])):
            place = train_place(seat, train)
            unsure = seen.spot(place).unnamed or (fresh and place not in seen.spots)
            if card in said.added_cards(seen, place) or (card in gone and unsure):
                yield ev.Took(seat, slot, train)
    laid = [card for at in range(TRAINS) for card in said.added_cards(seen, train_place(seat, at))]
    new = len(fresh) + len(_cards_before_action(seen)) + len(laid)
    for count in range(len(gone) if again else 1, min(len(gone), new) + 1):
        for some in combinations([slot for slot, card in enumerate(table.market) if card in gone], count):
            cards = Counter([str(table.market[slot]) for slot in some])
            if cards <= Counter(gone):
                yield ev.Exchanged(seat, some)
    if _others_took(table, seat, said, seen):
        yield ev.TurnPassed(seat)


def _others_took(table: Table, seat: int, said: Layout, seen: Layout) -> bool:
    """Return whether a train of another seat has a new card, so that the seats before it have passed."""
    others = [train_place(other, at) for other in table.order if other != seat for at in range(TRAINS)]
    return any(said.added_cards(seen, place) or seen.spot(place).unnamed for place in others)


def _refills(said: Layout, seen: Layout, count: int) -> Iterator[Event]:
    """Yield reveals of `count` of the new cards, in the market or already taken.

    Bin and Longer stock are cleared away at once; the earlier cards there belong to the same reveal.
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


def _twist_revealed(table: Table, seen: Layout) -> Iterator[Event]:
    rows = [[seen.spot(train_place(seat, at)).up for at in range(TRAINS)] for seat in range(table.fixed.players)]
    if all(len(up) == 1 for own in rows for up in own):
        yield ev.TwistRevealed(tuple([tuple([up[0] for up in own]) for own in rows]))


def _cards_before_action(seen: Layout) -> tuple[str, ...]:
    """Return the cards revealed up to Bin or Longer stock, if these have been cleared away since."""
    before = seen.passed.get(MARKET, ())
    return before if set(before) & set(ACTING) else ()


def _new_cards(said: Layout, seen: Layout, place: str) -> tuple[str, ...]:
    """Return the new cards at a spread, including those taken to a train before they were read there."""
    taken = [card for name in said.spots if name not in (MARKET, AUCTION) for card in said.added_cards(seen, name)]
    return (*said.added_cards(seen, place), *taken)
