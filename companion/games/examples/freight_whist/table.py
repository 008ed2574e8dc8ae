"""The cards of Freight Whist, what lies on the table, and who takes a trick."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations

from msgspec.structs import replace

from companion.engine import Refusal, Seat
from companion.games.examples.freight_whist import refusals
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import clockwise, left_of
from companion.mechanics.sides import Sides
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import ZonesTable

PLAYERS = 4
SIDES = Sides.alternating(PLAYERS, 2)
"""Partners sit opposite one another (R-01)."""
SUITS = ("coal", "cattle", "oil", "food")
DECK = tuple([f"{suit}-{rank}" for suit in SUITS for rank in range(1, 14)])
"""All cards, by their names in layouts (R-02)."""
TRICKS = 13
ENOUGH = 6
"""Tricks beyond these score (R-07)."""
TARGET = 5
"""The points that win (R-09)."""
MOST_HANDS = 2 * TARGET - 1
"""After so many hands a side has five points: one of them scores in each (R-07)."""
PILE, TRICK = "pile", "trick"
WON = tuple([f"won.{side}" for side in range(len(SIDES.groups))])
HANDS = tuple([f"hand.{seat}" for seat in range(PLAYERS)])


def suit_of(card: str) -> str:
    """Return a card's freight."""
    return card.partition("-")[0]


def rank_of(card: str) -> int:
    """Return a card's rank."""
    return int(card.partition("-")[2])


def best_of(trick: Sequence[str], trump: str) -> int:
    """Return which card of a trick wins, from 0: the highest trump, or else the highest of the freight led (R-06)."""
    led = suit_of(trick[0])
    order = {suit: at for at, suit in enumerate((led, trump))}
    return max(range(len(trick)), key=lambda at: (order.get(suit_of(trick[at]), -1), rank_of(trick[at])))


class Table(ZonesTable, frozen=True, dict=True):
    """What lies on the table, and what the companion knows of the hands."""

    match: SeveralHands
    leader: Seat
    """Who led to the present trick, or leads to it."""
    turned: str = ""
    """The card that was turned up: its freight is trumps (R-03)."""
    voids: tuple[tuple[str, ...], ...] = ((),) * PLAYERS
    """The freights of which each seat has shown to have none."""
    last: tuple[str, ...] = ("",) * PLAYERS
    """The cards of the last trick by seat, until the next one is led."""

    @cached_property
    def trick(self) -> tuple[str, ...]:
        """The cards of the present trick, in the order played."""
        return self.zones.named(TRICK)

    @cached_property
    def played(self) -> frozenset[str]:
        """The cards of this hand that all have seen played."""
        return frozenset([card for zone in (TRICK, *WON) for card in self.zones.named(zone)])

    @cached_property
    def playable(self) -> tuple[str, ...]:
        """The cards that the seat on turn may play; of a freight's unseen cards all are possible, or none."""
        named = self.zones.named(HANDS[self.turn])
        kinds: dict[tuple[str, bool], bool] = {}
        for card in (cards := [card for card in DECK if objection(self, card) is None]):
            kind = (suit_of(card), card in named)
            if kind not in kinds:
                kinds[kind] = self.dealt or can_be(self, card)
        return tuple([card for card in cards if kinds[suit_of(card), card in named]])

    @cached_property
    def turn(self) -> Seat:
        """Who plays next."""
        return Seat((self.leader + len(self.trick)) % PLAYERS)

    @property
    def tricks(self) -> tuple[int, ...]:
        """How many tricks each side has taken."""
        return tuple([self.zones.count(won) // PLAYERS for won in WON])

    @property
    def lying(self) -> tuple[str, ...]:
        """The card of the present trick that each seat has played, empty for none."""
        laid = dict(zip(clockwise(self.leader, PLAYERS), self.trick, strict=False))
        return tuple([laid.get(Seat(seat), "") for seat in range(PLAYERS)])


def new_hand(dealt: bool, match: SeveralHands) -> Table:
    """Return the table before the cards of a hand are dealt."""
    audiences = {PILE: HIDDEN, TRICK: OPEN, **dict.fromkeys(WON, OPEN)}
    hands = {hand: only(seat) for seat, hand in enumerate(HANDS)}
    return Table(dealt, Zones.of({**audiences, **hands}, {PILE: DECK}), match, left_of(match.dealer, PLAYERS))


def lay(table: Table, card: str) -> Table:
    """Return the table after the seat on turn has laid a possible card; who does not follow has none (R-05)."""
    seat, voids = table.turn, list(table.voids)
    if table.trick and suit_of(card) != suit_of(table.trick[0]) and suit_of(table.trick[0]) not in voids[seat]:
        voids[seat] += (suit_of(table.trick[0]),)
    zones = table.zones.move(HANDS[seat], TRICK, card)
    return replace(table, zones=zones, voids=tuple(voids), last=("",) * PLAYERS)


def objection(table: Table, card: str) -> Refusal | None:
    """Return why a card cannot be played that does not fit what was seen; None if no single fact speaks against it."""
    seat, hand = table.turn, HANDS[table.turn]
    own = seat if table.dealt else None
    if card in table.played:
        return refusals.ALREADY_PLAYED(card=card)
    if not table.zones.possible(hand, card):
        return refusals.IN_ANOTHER_HAND.to(own, card=card, seat=seat)
    if suit_of(card) in table.voids[seat]:
        return refusals.DID_NOT_FOLLOW(card=card, seat=seat)
    led = table.trick[0] if table.trick else card
    if suit_of(card) != suit_of(led) and suit_of(led) in map(suit_of, table.zones.named(hand)):
        return refusals.MUST_FOLLOW.to(own, card=led, seat=seat)
    return None


def can_be(table: Table, card: str) -> bool:
    """Whether the unseen cards fit into the hands after this card, though none may hold what its seat does not have.

    They do if, for any freights, the seats that may hold one of them have room for all their cards (Hall's theorem).
    """
    table = lay(table, card)
    zones = table.zones
    unseen = Counter([suit_of(card) for card in max([zones.remaining(hand) for hand in HANDS], key=len)])
    room = [zones.count(hand) - len(zones.named(hand)) for hand in HANDS]
    return all(
        sum([unseen[suit] for suit in suits])
        <= sum([room[seat] for seat, voids in enumerate(table.voids) if not set(suits) <= set(voids)])
        for count in range(1, len(SUITS) + 1)
        for suits in combinations(SUITS, count)
    )
