"""The complete rules of Goods Yard, from the deal to the score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, EventFacts, Place, Seat, SeatEvent, Setup, State, Turn, begin
from companion.mechanics import steps
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import clockwise, left_of
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import ZonesGame, ZonesTable, hand_of

DECK = tuple([f"wagon-{number}" for number in range(1, 61)])
HAND, LONGEST, TARGET, MOST_HANDS = 8, 5, 30, 12
"""Wagons of a hand (R-02), wagons of a train (R-05), the points that end the match (R-07), and the most hands."""
MAIL = 7
"""Every seventh wagon carries mail (R-06)."""
SIDINGS = ("siding.1", "siding.2", "siding.3")


class HandsDealt(Event, frozen=True):
    """Chance: everybody got wagons from the companion (R-02)."""

    facts = EventFacts(dealt_only=True)
    cards: tuple[str, ...]


class SidingBegun(Event, frozen=True):
    """Chance: this wagon begins an empty siding (R-02, R-05)."""

    facts = EventFacts(observed=True)
    card: str


class WagonChosen(SeatEvent, frozen=True):
    """A seat chose a wagon of its hand in secret (R-03)."""

    facts = EventFacts(dealt_only=True, observed=False)
    card: str


class WagonSeen(SeatEvent, frozen=True):
    """A seat's real wagon was turned over (R-03)."""

    facts = EventFacts(observed=True)
    card: str


class HandCalled(SeatEvent, frozen=True):
    """The dealer began the next hand (R-07)."""


class WagonCoupled(Effect, frozen=True):
    """A seat's wagon rolled to a siding (R-04)."""

    seat: Seat
    card: str
    siding: int


class TrainDelivered(Effect, frozen=True):
    """A seat completed a train (R-05, R-06)."""

    seat: Seat
    count: int


class Table(ZonesTable, frozen=True):
    """The zones are the pile, the hands, the sidings, the wagon in front of each seat, and the delivered ones."""

    match: SeveralHands
    points: tuple[int, ...]
    """Each seat's score in this hand."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, from the dealer's left."""
        return tuple(clockwise(left_of(self.match.dealer, len(self.points)), len(self.points)))


class Deal(steps.Deal[Table], frozen=True):
    """Everybody gets wagons (R-02)."""

    kind = HandsDealt

    def counts(self, table: Table) -> dict[str, int]:
        """Return eight for each hand."""
        return {hand_of(seat): HAND for seat in table.seats}


class BeginSiding(steps.Refill[Table], frozen=True):
    """A wagon of the pile begins each empty siding (R-02, R-05)."""

    kind = SidingBegun

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return the wagons of the pile."""
        return table.zones.kinds("pile")

    def empty(self, table: Table) -> list[str]:
        """Return the empty sidings."""
        return [siding for siding in SIDINGS if not table.zones.count(siding)]

    def filled(self, table: Table, place: str, card: str) -> Table:
        """Lay the wagon there."""
        return replace(table, zones=table.zones.draw("pile", place, 1, (card,)))


class Choose(steps.SecretChoice[Table, WagonChosen], frozen=True):
    """Everybody chooses a wagon in secret (R-03)."""

    def choices(self, table: Table, seat: Seat) -> Choice:
        """Return the wagons of the seat's hand."""
        return Choice(seat, tuple([WagonChosen(seat, card) for card in sorted(table.zones.named(hand_of(seat)))]))

    def opened(self, table: Table, chosen: Sequence[WagonChosen]) -> Turn[Table]:
        """Couple them all."""
        for each in chosen:
            table = laid(table, each.seat, each.card)
        return coupled(table)


class TurnOver(steps.OpenTogether[Table], frozen=True):
    """People turn over the real face-down wagons (R-03)."""

    kind = WagonSeen

    def cards(self, table: Table, seat: Seat) -> tuple[str, ...]:
        """Return the wagons that the hand may hold."""
        return table.zones.kinds(hand_of(seat))

    def seen(self, table: Table, event: SeatEvent) -> Table:
        """Lay it in front of its seat."""
        assert isinstance(event, WagonSeen)
        return laid(table, event.seat, event.card)

    def opened(self, table: Table) -> Turn[Table]:
        """Couple them all."""
        return coupled(table)


class NextHand(steps.NextHand[Table], frozen=True):
    """The dealer deals again (R-07)."""

    kind = HandCalled

    def begun(self, table: Table) -> Turn[Table]:
        """Shuffle all wagons and deal."""
        return *start(table.dealt, table.match), ()


def start(dealt: bool, match: SeveralHands) -> tuple[Table, tuple[Any, ...]]:
    """Return the table at the beginning of a hand, and its first steps (R-02)."""
    own = {f"seat.{seat + 1}.wagon": OPEN for seat in range(match.players)}
    hands = {hand_of(seat): only(seat) for seat in range(match.players)}
    zones = Zones.of({"pile": HIDDEN, **dict.fromkeys((*SIDINGS, "delivered"), OPEN), **own, **hands}, {"pile": DECK})
    table, deal = Deal().begin(Table(dealt, zones, match, (0,) * match.players))
    return table, (*deal, *going_on(table))


def number_of(card: str) -> int:
    """Return a wagon's number."""
    return int(card.removeprefix("wagon-"))


def laid(table: Table, seat: Seat, card: str) -> Table:
    """Return the table after a wagon was put in front of its seat."""
    return replace(table, zones=table.zones.move(hand_of(seat), f"seat.{seat + 1}.wagon", card))


def nearest(table: Table, card: str) -> str:
    """Return the siding with the nearest last wagon; of two, the one with the lower number (R-04)."""
    ends = {siding: number_of(table.zones.named(siding)[-1]) for siding in SIDINGS if table.zones.count(siding)}
    number = number_of(card)
    return min(ends, key=lambda siding: (abs(ends[siding] - number), ends[siding])) if ends else SIDINGS[0]


def coupled(table: Table) -> Turn[Table]:
    """Couple the wagons in front of the seats, from the lowest number up, and score each train (R-04 to R-06)."""
    effects: list[Effect] = []
    before = {seat: table.zones.named(f"seat.{seat + 1}.wagon")[0] for seat in table.seats}
    for seat, card in sorted(before.items(), key=lambda each: number_of(each[1])):
        siding = nearest(table, card)
        effects.append(WagonCoupled(seat, card, SIDINGS.index(siding) + 1))
        zones = table.zones.move(f"seat.{seat + 1}.wagon", siding, card)
        train = zones.named(siding)
        if len(train) == LONGEST:
            points = sum([3 if number_of(each) % MAIL == 0 else 1 for each in train])
            effects.append(TrainDelivered(seat, points))
            zones = zones.move_all(siding, "delivered")
            table = replace(table, points=tuple([p + points * (s == seat) for s, p in enumerate(table.points)]))
        table = replace(table, zones=zones)
    if table.zones.count(hand_of(0)):
        return table, going_on(table), tuple(effects)
    table = replace(table, match=table.match.next_hand(table.points), points=(0,) * len(table.points))
    over = table.match.finished(TARGET, shared=True)
    return table, () if over else (NextHand(),), tuple(effects)


def going_on(table: Table) -> tuple[Any, ...]:
    """Return the next steps of a hand: a wagon for each empty siding, then everybody's choice."""
    return (*BeginSiding().begin(table), Choose(table.seats) if table.dealt else TurnOver(table.seats))


class GoodsYard(ZonesGame[Table]):
    """The rules of Goods Yard."""

    name = "goods-yard"
    seats = range(2, 6)
    events: Any = HandsDealt | SidingBegun | WagonChosen | WagonSeen | HandCalled

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        players = self.count_players(setup)
        return begin(self, *start(setup.deck == "dealt", SeveralHands(players, players, MOST_HANDS)))

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return everybody's points (R-06)."""
        return tuple(map(int.__add__, state.table.match.totals, state.table.points))

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places: the sidings, the delivered wagons, and the wagon in front of each seat."""
        own = [Place(f"seat.{seat + 1}.wagon", "spread", 1, Seat(seat)) for seat in range(players)]
        return (*[Place(siding, "row", LONGEST) for siding in SIDINGS], Place("delivered", "pile", len(DECK)), *own)

    def loose(self, state: State[Table]) -> bool:
        """Return whether people are still coupling the wagons."""
        return state.over or any(isinstance(effect, WagonCoupled) for effect in state.effects)


RULES = GoodsYard()
