"""The complete rules of Freight Whist, from the deal to the score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.engine import (
    Choice,
    Effect,
    Event,
    EventFacts,
    Layout,
    Offer,
    Place,
    Reason,
    Refusal,
    Seat,
    SeatEvent,
    Setup,
    Spot,
    State,
    Step,
    Turn,
    begin,
)
from companion.mechanics import steps
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import clockwise, left_of
from companion.mechanics.sides import Sides
from companion.mechanics.tricks import TRICK, Objections, TrickTable, suit_of
from companion.mechanics.view import Fact
from companion.mechanics.zones import HIDDEN, OPEN, Zones, only
from companion.mechanics.zones_game import ZonesGame, ZonesView, hand_of

PLAYERS = 4
SIDES = Sides.alternating(PLAYERS, 2)
"""Partners sit opposite one another (R-01)."""
SUITS = ("coal", "cattle", "oil", "food")
DECK = tuple([f"{suit}-{rank}" for suit in SUITS for rank in range(1, 14)])
"""All cards, by their names in layouts (R-02)."""
TRICKS, ENOUGH, TARGET = 13, 6, 5
"""Tricks in a hand, tricks above which each scores (R-07), and the points that win (R-09)."""
MOST_HANDS = 2 * TARGET - 1
"""After this many hands a side has five points, because one of them scores in each (R-07)."""
WON = ("seat.1.tricks", "seat.2.tricks")
"""The place of each side's tricks."""
LAID = ("turned", *[f"seat.{seat + 1}.card" for seat in range(PLAYERS)])
"""The places of the card turned up and of each seat's card in the trick."""
MUST_FOLLOW = Reason("R-05", "must_follow", "card", "seat")
ALREADY_PLAYED = Reason("R-10", "already_played", "card")
IN_ANOTHER_HAND = Reason("R-10", "in_another_hand", "card", "seat")
DID_NOT_FOLLOW = Reason("R-10", "did_not_follow", "card", "seat")


class HandsDealt(Event, frozen=True):
    """Chance: the companion dealt all cards but the last one, from the dealer's left on (R-03)."""

    facts = EventFacts(dealt_only=True)
    cards: tuple[str, ...]


class TrumpTurned(Event, frozen=True):
    """Chance: this was the dealer's last card (R-03)."""

    card: str


class CardPlayed(SeatEvent, frozen=True):
    """A seat played a card that the companion had dealt (R-05)."""

    facts = EventFacts(dealt_only=True)
    card: str


class CardSeen(Event, frozen=True):
    """A real card of the seat on turn was seen (R-05, R-10)."""

    card: str


class HandCalled(SeatEvent, frozen=True):
    """The next dealer started the companion's deal (R-08)."""

    facts = EventFacts(dealt_only=True)


class CardLaid(Effect, frozen=True):
    """A card was played, dealt or real."""

    seat: Seat
    card: str


class TrickTaken(Effect, frozen=True):
    """A seat took a trick, with the new totals of both sides."""

    seat: Seat
    own: int
    other: int


class HandScored(Effect, frozen=True):
    """A side scored points (R-07)."""

    seats: tuple[Seat, ...]
    count: int


class Table(TrickTable, frozen=True, dict=True, kw_only=True):
    """The cards on the table, and the companion's knowledge of the hands (R-04 to R-06, R-10)."""

    match: SeveralHands
    turned: str = ""
    """The card that was turned up: its freight is trumps (R-03)."""
    deck = DECK
    objections = Objections(MUST_FOLLOW, ALREADY_PLAYED, IN_ANOTHER_HAND, DID_NOT_FOLLOW)

    @property
    def tricks(self) -> tuple[int, ...]:
        """The number of tricks of each side."""
        return tuple([self.zones.count(won) // PLAYERS for won in WON])


def start(dealt: bool, match: SeveralHands) -> tuple[Table, tuple[Step[Table], ...]]:
    """Return the table and steps of a new hand; people deal real cards, and show the last one (R-03)."""
    hands = {hand_of(seat): only(seat) for seat in range(PLAYERS)}
    zones = Zones.of({"pile": HIDDEN, **dict.fromkeys((TRICK, *WON), OPEN), **hands}, {"pile": DECK})
    leader = left_of(match.dealer, PLAYERS)
    table, deal = Deal().begin(Table(dealt, zones, leader, ((),) * PLAYERS, match=match))
    return table, (*deal, TurnUp())


class Deal(steps.Deal[Table], frozen=True):
    """Chance: the companion deals all cards but the dealer's last one (R-03)."""

    kind = HandsDealt

    def counts(self, table: Table) -> dict[str, int]:
        """Return the number of cards for each hand."""
        return {hand_of(seat): TRICKS - (seat == table.match.dealer) for seat in clockwise(table.leader, PLAYERS)}


class TurnUp(steps.TurnUp[Table], frozen=True):
    """Chance: the dealer's last card is turned up (R-03)."""

    kind = TrumpTurned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return every remaining card."""
        return tuple(sorted(table.zones.remaining("pile"), key=DECK.index))

    def turned(self, table: Table, card: str) -> Turn[Table]:
        """Give it to the dealer in the open; the seat to the left leads (R-04)."""
        hand = hand_of(table.match.dealer)
        zones = table.zones.draw("pile", hand, 1, (card,)).reveal(hand, card)
        return replace(table, zones=zones, turned=card), (Play(),), ()


class Play(Step[Table], frozen=True):
    """The seat on turn plays a card (R-04 to R-06)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the playable cards; real ones are seen, not chosen."""
        if table.dealt:
            return (Choice(table.turn, tuple([CardPlayed(table.turn, card) for card in table.playable])),)
        return (Choice(table.turn, tuple(map(CardSeen, table.playable)), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay the card; a full trick goes to its winner, who leads to the next one."""
        assert isinstance(event, CardPlayed | CardSeen)
        laid = CardLaid(table.turn, event.card)
        table = table.laid(event.card)
        if len(table.trick) < PLAYERS:
            return table, (Play(),), (laid,)
        winner = table.winner(suit_of(table.turned))
        side = SIDES.side_of(winner)
        table = table.taken(winner, WON[side])
        taken = TrickTaken(winner, table.tricks[side], table.tricks[1 - side])
        if sum(table.tricks) < TRICKS:
            return table, (Play(),), (laid, taken)
        points = tuple([max(0, tricks - ENOUGH) for tricks in table.tricks])
        effects = (laid, taken, HandScored(SIDES.groups[points.index(max(points))], max(points)))
        table = replace(table, match=table.match.next_hand(points))
        if table.match.finished(TARGET):
            return table, (), effects
        if table.dealt:
            return table, (NextHand(),), effects
        return *start(table.dealt, table.match), effects

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Explain the fault of the card; the offers show the turn."""
        match event:
            case CardSeen(card) | CardPlayed(table.turn, card) if card in DECK:
                return table.objection(card) or super().explain(table, event)
        return super().explain(table, event)


class NextHand(steps.NextHand[Table], frozen=True):
    """The companion delays the next deal until people have looked at the last trick (R-08)."""

    kind = HandCalled

    def begun(self, table: Table) -> Turn[Table]:
        """Begin the next hand."""
        return *start(table.dealt, table.match), ()


class View(ZonesView, frozen=True, kw_only=True):
    """The view of Freight Whist."""

    turned: str
    trick: tuple[str, ...]
    """The cards of the present trick, in the order played."""


class FreightWhist(ZonesGame[Table]):
    """The rules of Freight Whist."""

    name = "freight-whist"
    seats = range(PLAYERS, PLAYERS + 1)
    events: Any = HandsDealt | TrumpTurned | CardPlayed | CardSeen | HandCalled

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        hands = SeveralHands(self.count_players(setup), len(SIDES.groups), MOST_HANDS)
        return begin(self, *start(setup.deck == "dealt", hands))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return the cards, with the one turned up."""
        return View(**self.basics(state, seat), turned=state.table.turned, trick=state.table.trick)

    def rank(self, card: str) -> int:
        """Return a card's position in the deck."""
        return DECK.index(card)

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return trumps, the leader or else the dealer, and the number of tricks of each side."""
        table = state.table
        tricks = [Fact("tricks", {"seats": s, "count": n}) for s, n in zip(SIDES.groups, table.tricks, strict=True)]
        trumps = [Fact(f"trumps.{suit_of(table.turned)}")] if table.turned else []
        led = Fact("led", {"seat": table.leader}) if table.trick else Fact("dealer", {"seat": table.match.dealer})
        return (*trumps, led, *tricks)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the points of every seat's side (R-07)."""
        return SIDES.each_seat(state.table.match.totals)

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return the partners (R-01)."""
        return SIDES.groups

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return whether people saw a card for the first time; a mistyped real card is just corrected."""
        return isinstance(event, HandsDealt | TrumpTurned | CardPlayed)

    # --- for the camera ---------------------------------------------------------------------------

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places of the table: each seat's card of the trick in the middle, each side's tricks in a pile."""
        piles = [Place(won, "pile", len(DECK), side[0]) for won, side in zip(WON, SIDES.groups, strict=True)]
        return (*[Place(name, "spread") for name in LAID], *piles)

    def layout(self, state: State[Table]) -> Layout:
        """Return the cards at each place.

        Dealt cards of a trick lie until the next lead. Real ones are gathered at once, and the dealer takes up the last
        card at the first play, but people may take their time.
        """
        table = state.table
        if not table.turned:
            return Layout({"turned": Spot()})
        waits = not any(table.tricks) and not table.lying[table.match.dealer]
        shown = (table.turned if waits else "", *((table.dealt and table.last) or table.lying))
        spots = {name: Spot((card,) if card else ()) for name, card in zip(LAID, shown, strict=True)}
        if table.dealt and not waits:
            del spots["turned"]
        spots |= {won: Spot(down=count) for won in WON if (count := table.zones.count(won))}
        gathered = [(name, (card,)) for name, card in zip(LAID, (table.turned, *table.last), strict=False) if card]
        return Layout(spots, lingering=dict(gathered), loose=state.over)

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return possible events: the card in front of the seat on turn, or the one turned up."""
        if isinstance(state.agenda[0], TurnUp):
            return list(map(TrumpTurned, seen.spot("turned").up))
        return list(map(CardSeen, seen.spot(LAID[state.table.turn + 1]).up))

    def resting_layouts(self, before: State[Table], event: Event, after: State[Table]) -> Iterator[Layout]:
        """Yield the last card of a trick before the trick is gathered."""
        if isinstance(event, CardSeen) and len(before.table.trick) == PLAYERS - 1:
            yield Layout(self.layout(before).spots | {LAID[before.table.turn + 1]: Spot((event.card,))})


RULES = FreightWhist()
