"""What lies on the table of Express, and how cards come and go there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from companion.engine import Offer, Seat
from companion.games.express.fixed import Fixed
from companion.games.express.options import PARTNER_ON_TURN
from companion.games.express.trains import Train
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import clockwise, left_of, with_value
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only

PLAYERS = range(2, 7)
PILE, DISCARD, SLOT, WRECK = "pile", "discard", "slot", "wreck"
"""Zones besides hands and locomotives; in `wreck` lie locomotives of wrecked trains, face down."""
DRAWN = 2
"""Cards that a turn draws from the pile (R-05)."""


@cache
def hand_of(seat: int) -> str:
    """Return the zone of a seat's hand."""
    return f"hand.{seat}"


@cache
def engine_of(side: int, train: int) -> str:
    """Return the zone of a train's locomotive."""
    return f"locomotive.{side}.{train}"


class Table(msgspec.Struct, frozen=True, dict=True):
    """Everything on the table."""

    fixed: Fixed
    match: SeveralHands
    zones: Zones[str]
    trains: tuple[tuple[Train, ...], ...]
    """By side."""
    maintenance: tuple[tuple[str, ...], ...]
    """By side."""
    drawn: tuple[str, ...]
    """What each seat drew for the deal, empty for nothing; until the next hand (R-02)."""
    turn: Seat
    started: tuple[bool, ...]
    """Whether each seat has finished its first turn of the hand (R-22)."""
    skips: tuple[int, ...]
    """How many turns each seat must miss."""
    reversed: bool = False
    turns: int = 0
    """Turns finished in this hand."""
    idle: int = 0
    """Turns since somebody drew or laid a card (R-06)."""
    dry: bool = False
    """Whether the pile was empty after the last turn (R-06)."""
    passive: tuple[Seat, ...] = ()
    """Seats that had a turn since the pile ran out and somebody laid a card the last time (R-06)."""
    drew: int = 0
    """Cards drawn in this turn."""
    fresh_maintenance: int = 0
    """How many of the side's last maintenance cards were laid this turn."""
    laying: bool = False
    """Whether the seat on turn has drawn and may lay (R-16)."""
    touched: bool = False
    """Whether it has laid or moved anything this turn (R-27)."""
    answer: str = ""
    """Whether it asked its partner, and the answer: `asked`, `yes`, `no`; `withdrawn` (R-27)."""
    waived: bool = False
    """Whether it may keep more cards than the limit this turn (A-05)."""
    handed_out: bool = False
    """Whether the hands have been dealt (R-03)."""
    over: bool = False
    """Whether the hand is over: somebody went out, or nothing moves any more (R-06, R-28)."""
    out: Seat | None = None
    """Who went out (R-26)."""

    @cached_property
    def offers(self) -> dict[str, tuple[Offer, ...]]:
        """What can be done now, by the name of the step, once it has been asked for: pages ask several times."""
        return {}

    @property
    def side(self) -> int:
        """The side on turn."""
        return self.fixed.side_of[self.turn]

    @property
    def own_trains(self) -> tuple[Train, ...]:
        """The trains of the side on turn."""
        return self.trains[self.fixed.side_of[self.turn]]

    @property
    def first_round(self) -> bool:
        """Whether it is the first turn of the seat on turn (R-22)."""
        return not self.started[self.turn]

    @property
    def laid_now(self) -> int:
        """How many cards were laid face up in this turn."""
        return sum([train.fresh + train.fresh_diesel for train in self.own_trains]) + self.fresh_maintenance

    def hand(self, seat: int) -> int:
        """Return how many cards a seat holds."""
        return len(self.zones.zones[hand_of(seat)].cards)

    def train(self, side: int, number: int) -> Train | None:
        """Return a side's train by its number."""
        return next((train for train in self.trains[side] if train.number == number), None)


# --- a new hand -----------------------------------------------------------------------------------


def new_hand(fixed: Fixed, match: SeveralHands, drawn: tuple[str, ...] = ()) -> Table:
    """Return the table before the cards are dealt, after these were drawn for the deal (R-02, R-03)."""
    players, sides = fixed.players, len(fixed.sides.groups)
    audiences = {PILE: HIDDEN, DISCARD: OPEN, SLOT: OPEN, WRECK: HIDDEN}
    hands = {hand_of(seat): only(seat) if fixed.dealt else HIDDEN for seat in range(players)}
    return Table(
        fixed=fixed,
        match=match,
        zones=Zones.of({**audiences, **hands}, {PILE: fixed.cards}),
        trains=((),) * sides,
        maintenance=((),) * sides,
        drawn=drawn or ("",) * players,
        turn=left_of(match.dealer, players),
        started=(False,) * players,
        skips=(0,) * players,
    )


def hand_out(table: Table, cards: Sequence[str] = ()) -> Table:
    """Return the table with all hands dealt; real cards have no names (R-03)."""
    counts = {hand_of(seat): table.fixed.deal for seat in clockwise(table.turn, table.fixed.players)}
    return replace(table, zones=table.zones.deal(PILE, counts, cards), handed_out=True)


# --- hands and locomotives ------------------------------------------------------------------------


def with_train(table: Table, side: int, train: Train) -> Table:
    """Return the table with a train in place of the one with its number, or a new one."""
    others = {each.number: each for each in table.trains[side]} | {train.number: train}
    return replace(table, trains=with_value(table.trains, side, tuple([others[n] for n in sorted(others)])))


def without_train(table: Table, side: int, number: int, engine_to: str) -> Table:
    """Return the table without a train, whose locomotive went to a zone."""
    zones = table.zones.move_all(engine_of(side, number), engine_to)
    zones = replace(zones, zones={name: zone for name, zone in zones.zones.items() if name != engine_of(side, number)})
    left = tuple([train for train in table.trains[side] if train.number != number])
    return replace(table, zones=zones, trains=with_value(table.trains, side, left))


def free_number(trains: tuple[Train, ...]) -> int:
    """Return the lowest number that no train has."""
    taken = {train.number for train in trains}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def lay_engine(table: Table, seat: Seat, number: int, card: str) -> Table:
    """Return the table after a card of the hand was laid face down before a train; a real one is nobody's to know.

    Others who knew a card of the hand cannot tell any more whether it is still there.
    """
    side = table.fixed.side_of[seat]
    zone, zones = engine_of(side, number), table.zones
    if zone not in zones.zones:
        zones = zones.add(zone, only(*table.fixed.sides.groups[side]) if table.fixed.dealt else HIDDEN)
    if table.fixed.dealt:
        return replace(table, zones=zones.move(hand_of(seat), zone, card).conceal(zone).conceal(hand_of(seat)))
    return replace(table, zones=zones.shuffle(hand_of(seat)).move_numbers(hand_of(seat), zone, 0))


def mix_real(table: Table) -> Table:
    """Return the table with a real hand and the side's locomotives mixed: they may be swapped unseen (R-16)."""
    trains = table.own_trains
    if table.fixed.dealt or not trains:
        return table
    hand = hand_of(table.turn)
    engines = [engine_of(table.side, train.number) for train in trains]
    zones = table.zones.gather(hand, *engines).shuffle(hand)
    for engine in engines:
        zones = zones.move_numbers(hand, engine, 0)
    return replace(table, zones=zones)


def into_hand(table: Table, seat: Seat, card: str) -> Table:
    """Return the table after an open card came into a hand, where everybody knows it."""
    return replace(table, zones=table.zones.put(hand_of(seat), card))


def next_seat(table: Table, seat: int) -> Seat:
    """Return who plays after a seat, in the present order of play."""
    return Seat((seat + (-1 if table.reversed else 1)) % table.fixed.players)


class Following(NamedTuple):
    """Who plays after a seat, once the seats that had to miss a turn are passed over."""

    seat: Seat
    skips: tuple[int, ...]
    """How many turns each seat must still miss."""
    lost: tuple[Seat, ...]
    """Who missed a turn."""


def who_follows(table: Table, seat: Seat, skips: tuple[int, ...]) -> Following:
    """Return who plays after a seat if the seats must miss so many turns."""
    lost: list[Seat] = []
    seat = next_seat(table, seat)
    while skips[seat]:
        skips = with_value(skips, seat, skips[seat] - 1)
        lost.append(seat)
        seat = next_seat(table, seat)
    return Following(seat, skips, tuple(lost))


def next_of_side(table: Table, side: int) -> Seat:
    """Return which seat of a side plays next; by an earlier ruling, lost turns do not count (R-25)."""
    skips = table.skips if PARTNER_ON_TURN in table.fixed.rulings else (0,) * table.fixed.players
    seat, skips, _ = who_follows(table, table.turn, skips)
    while seat not in table.fixed.sides.groups[side]:
        seat, skips, _ = who_follows(table, seat, skips)
    return seat


def total_cards(table: Table) -> int:
    """Return how many cards there are in all places."""
    lying = sum([len(zone.cards) for zone in table.zones.zones.values()])
    cars = sum([len(train.cars) + train.diesel for trains in table.trains for train in trains])
    return lying + cars + sum(map(len, table.maintenance))
