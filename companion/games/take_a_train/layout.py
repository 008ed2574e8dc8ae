"""Where the cards of Take a Train lie: the places of a table, and the cards that the rules expect there."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine import Event, Layout, Luck, Place, Seat, Spot, State
from companion.games.take_a_train import events as ev
from companion.games.take_a_train.purposes import ALL, PER_SEAT, ids
from companion.games.take_a_train.steps.lots import REVEAL
from companion.games.take_a_train.steps.round import DrawToken
from companion.games.take_a_train.steps.twist import Deal, Flips, Pick, TurnUp
from companion.games.take_a_train.table import LONGER_LIMIT, MARKET_SIZE, TRAINS, Table, Train
from companion.mechanics.pool import HandDeal, without

AUCTION, MARKET = "auction", "market"
"""The names of the places of the lots and the market."""
BACKS = ("back-locomotive", "back-wagon")
"""The names of the two backs in a deck of cards."""


def places(players: int) -> tuple[Place, ...]:
    """Return every place of a table for this number of players, as a mat shows them."""
    longest = LONGER_LIMIT + 2  # with the locomotive and Multiplier +1
    return (
        Place(AUCTION, "spread", max(REVEAL, players)),  # Preemption reveals one for each player
        Place(MARKET, "spread", MARKET_SIZE[players]),
        *[Place(name, "pile") for name in ("deck.locomotives", "aside.locomotives", "deck.wagons", "discard.wagons")],
        *[Place(place, "row", longest, Seat(seat)) for seat in range(players) for place in train_places(seat)],
    )


def train_place(seat: int, train: int) -> str:
    """Return the name of the place of a seat's train, both counted from 0."""
    return f"seat.{seat + 1}.train.{train + 1}"


def train_places(seat: int) -> tuple[str, ...]:
    """Return the names of the places of a seat's trains."""
    return tuple([train_place(seat, at) for at in range(TRAINS)])


def layout(state: State[Table]) -> Layout:
    """Return which cards the rules expect where. Between two rounds nothing has to match, as people clear the table."""
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
"""Fields of the public view whose order means nothing: the market and revealed cards."""


def resting_layouts(before: State[Table], event: Event, after: State[Table]) -> Iterator[Layout]:
    """Yield the layouts in between, while people move the cards for an event."""
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
    """Yield the market each time Bin or Longer stock lies in it (R-67a, R-67b)."""
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
