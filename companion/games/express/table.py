"""The table of Express, and the moves of cards on it."""

from __future__ import annotations

from bisect import bisect_left
from functools import cache

import msgspec
from msgspec.structs import replace

from companion.engine import Seat
from companion.games.express.fixed import PARTNER_ON_TURN, Fixed
from companion.games.express.trains import DIESEL, Train
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import left_of, with_value
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only

PLAYERS = range(2, 7)
PILE, DISCARD, SLOT, WRECK = "pile", "discard", "slot", "wreck"
"""Zones besides hands and locomotives; `wreck` holds locomotives of wrecked trains, face down."""
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


class Table(msgspec.Struct, frozen=True):
    """The whole table."""

    fixed: Fixed
    match: SeveralHands
    zones: Zones[str]
    trains: tuple[tuple[Train, ...], ...]
    """The trains of each side."""
    maintenance: tuple[tuple[str, ...], ...]
    """The maintenance cards of each side."""
    drawn: tuple[str, ...]
    """Each seat's card for the choice of the dealer, empty for none; until the next hand (R-02)."""
    turn: Seat
    started: tuple[bool, ...]
    """Whether each seat has finished its first turn of the hand (R-22)."""
    skips: tuple[int, ...]
    """The number of turns that each seat must miss."""
    reversed: bool = False
    turns: int = 0
    """Turns finished in this hand."""
    idle: int = 0
    """Turns since somebody drew or laid a card (R-06)."""
    dry: bool = False
    """Whether the pile was empty after the last turn (R-06)."""
    passive: tuple[Seat, ...] = ()
    """Seats with a turn since the pile ran out and the last card was laid (R-06)."""
    drew: int = 0
    """Cards drawn in this turn."""
    fresh_maintenance: int = 0
    """The number of the side's last maintenance cards that were laid this turn."""
    laying: bool = False
    """Whether the seat on turn has drawn and may lay (R-16)."""
    touched: bool = False
    """Whether it has laid or moved a card this turn (R-27)."""
    answer: str = ""
    """The state of its question to its partner: `asked`, `yes`, `no`, `withdrawn`; empty for none (R-27)."""
    waived: bool = False
    """Whether it may keep more cards than the limit this turn (A-05)."""
    handed_out: bool = False
    """Whether the hands have been dealt (R-03)."""
    over: bool = False
    """Whether the hand is over: somebody went out, or nothing moves any more (R-06, R-28)."""
    out: Seat | None = None
    """The seat that went out (R-26)."""

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
        """The number of cards laid face up in this turn."""
        return sum([train.fresh + train.fresh_diesel for train in self.own_trains]) + self.fresh_maintenance

    def hand(self, seat: int) -> int:
        """Return the number of cards in a seat's hand."""
        return len(self.zones.zones[hand_of(seat)].cards)

    def train(self, side: int, number: int) -> Train | None:
        """Return a side's train by its number."""
        for train in self.trains[side]:
            if train.number == number:
                return train
        return None

    # --- trains and locomotives -------------------------------------------------------------------

    def with_train(self, side: int, train: Train) -> Table:
        """Return the table with a train in place of the one with its number, or with a new one."""
        own = self.trains[side]
        numbers = [each.number for each in own]
        at = bisect_left(numbers, train.number)
        following = own[at + 1 :] if train.number in numbers else own[at:]
        return replace(self, trains=with_value(self.trains, side, (*own[:at], train, *following)))

    def without_train(self, side: int, number: int, engine_to: str) -> Table:
        """Return the table without a train, whose locomotive went to a zone."""
        engine = engine_of(side, number)
        zones = self.zones.move_all(engine, engine_to).remove(engine)
        left = tuple([train for train in self.trains[side] if train.number != number])
        return replace(self, zones=zones, trains=with_value(self.trains, side, left))

    def without_last_car(self, side: int, train: Train, owner: Seat) -> Table:
        """Return the table after a train lost its last car; the rest of a train without cars goes into a hand."""
        if len(train.cars) > 1:
            return self.with_train(side, replace(train, cars=train.cars[:-1], fresh=max(0, train.fresh - 1)))
        table = self.into_hand(owner, DIESEL) if train.diesel else self
        return table.without_train(side, train.number, hand_of(owner))

    def with_maintenance(self, side: int, cards: tuple[str, ...], fresh: int) -> Table:
        """Return the table with new maintenance cards of a side, the last ones laid this turn."""
        return replace(self, maintenance=with_value(self.maintenance, side, cards), fresh_maintenance=fresh)

    def lay_engine(self, seat: Seat, number: int, card: str) -> Table:
        """Return the table after a card of the hand was laid face down before a train; nobody knows a real one.

        Others who knew a card of the hand can no longer tell whether it is still there.
        """
        side, dealt = self.fixed.side_of[seat], self.fixed.dealt
        hand, engine, zones = hand_of(seat), engine_of(side, number), self.zones
        if engine not in zones.zones:
            zones = zones.add(engine, only(*self.fixed.sides.groups[side]) if dealt else HIDDEN)
        if dealt:
            return replace(self, zones=zones.move(hand, engine, card).conceal(engine).conceal(hand))
        return replace(self, zones=zones.shuffle(hand).move_numbers(hand, engine, 0))

    def into_hand(self, seat: Seat, card: str) -> Table:
        """Return the table after an open card went into a hand, known to everybody."""
        return replace(self, zones=self.zones.put(hand_of(seat), card))

    # --- the next seat -------------------------------------------------------------------------------

    def next_seat(self, seat: int) -> Seat:
        """Return the seat after another one, in the present order of play."""
        return Seat((seat + (-1 if self.reversed else 1)) % self.fixed.players)

    def who_follows(self, seat: Seat, skips: tuple[int, ...]) -> tuple[Seat, tuple[int, ...], tuple[Seat, ...]]:
        """Return the next seat, each seat's remaining lost turns, and the seats that just missed one."""
        lost: list[Seat] = []
        seat = self.next_seat(seat)
        while skips[seat]:
            skips = with_value(skips, seat, skips[seat] - 1)
            lost.append(seat)
            seat = self.next_seat(seat)
        return seat, skips, tuple(lost)

    def next_of_side(self, side: int) -> Seat:
        """Return a side's next seat; by an earlier ruling, lost turns do not count (R-25)."""
        skips = self.skips if PARTNER_ON_TURN in self.fixed.rulings else (0,) * self.fixed.players
        seat, skips, _ = self.who_follows(self.turn, skips)
        while seat not in self.fixed.sides.groups[side]:
            seat, skips, _ = self.who_follows(seat, skips)
        return seat


# --- a new hand -----------------------------------------------------------------------------------


def new_hand(fixed: Fixed, match: SeveralHands, drawn: tuple[str, ...] = ()) -> Table:
    """Return the table before the deal, with the cards drawn for the dealer (R-02, R-03)."""
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


def mix_real(table: Table) -> Table:
    """Return the table with a real hand and the side's locomotives mixed, because people may swap them unseen
    (R-16).
    """
    trains = table.own_trains
    if table.fixed.dealt or not trains:
        return table
    hand = hand_of(table.turn)
    engines = [engine_of(table.side, train.number) for train in trains]
    zones = table.zones.gather(hand, *engines).shuffle(hand)
    for engine in engines:
        zones = zones.move_numbers(hand, engine, 0)
    return replace(table, zones=zones)
