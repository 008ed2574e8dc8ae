"""What can happen in Freight Whist, and what it waits for."""

from __future__ import annotations

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, EventFacts, Offer, Refusal, Seat, SeatEvent, Step, Turn
from companion.games.examples.freight_whist.table import (
    DECK,
    ENOUGH,
    HANDS,
    PILE,
    PLAYERS,
    SIDES,
    TARGET,
    TRICK,
    TRICKS,
    WON,
    Table,
    best_of,
    lay,
    new_hand,
    objection,
    suit_of,
)
from companion.mechanics import steps
from companion.mechanics.hands import SeveralHands
from companion.mechanics.seating import clockwise


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
    """The seat on turn was seen to play this real card (R-05, R-10)."""

    card: str


class HandCalled(SeatEvent, frozen=True):
    """The next dealer has the companion deal (R-08)."""

    facts = EventFacts(dealt_only=True)


class CardLaid(Effect, frozen=True):
    """A card was played, dealt or real."""

    seat: Seat
    card: str


class TrickTaken(Effect, frozen=True):
    """A seat took a trick: its side has so many now, the other one so many."""

    seat: Seat
    own: int
    other: int


class HandScored(Effect, frozen=True):
    """A side scored points (R-07)."""

    seats: tuple[Seat, ...]
    count: int


def start(dealt: bool, match: SeveralHands) -> tuple[Table, tuple[Step[Table], ...]]:
    """Return the table and steps of a new hand; people deal real cards, and the last one is seen (R-03)."""
    table, deal = Deal().begin(new_hand(dealt, match))
    return table, (*deal, TurnUp())


class Deal(steps.Deal[Table], frozen=True):
    """Chance: the companion deals all cards but the dealer's last one (R-03)."""

    kind = HandsDealt

    def counts(self, table: Table) -> dict[str, int]:
        """Return how many each hand gets."""
        return {HANDS[seat]: TRICKS - (seat == table.match.dealer) for seat in clockwise(table.leader, PLAYERS)}


class TurnUp(steps.TurnUp[Table], frozen=True):
    """Chance: the dealer's last card is turned up (R-03)."""

    kind = TrumpTurned

    def cards(self, table: Table) -> tuple[str, ...]:
        """Return every card that is left."""
        left = table.zones.remaining(PILE)
        return tuple([card for card in DECK if card in left])

    def turned(self, table: Table, card: str) -> Turn[Table]:
        """Give it to the dealer for all to see; the seat to the left leads (R-04)."""
        hand = HANDS[table.match.dealer]
        zones = table.zones.draw(PILE, hand, 1, (card,)).reveal(hand, card)
        return replace(table, zones=zones, turned=card), (Play(),), ()


class Play(Step[Table], frozen=True):
    """The seat on turn plays a card (R-04 to R-06)."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the cards that may be played; real ones are seen, not chosen."""
        if table.dealt:
            return (Choice(table.turn, tuple([CardPlayed(table.turn, card) for card in table.playable])),)
        return (Choice(table.turn, tuple(map(CardSeen, table.playable)), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Lay the card; a full trick goes to its winner, who leads to the next one."""
        assert isinstance(event, CardPlayed | CardSeen)
        laid = CardLaid(table.turn, event.card)
        table = lay(table, event.card)
        if len(table.trick) < PLAYERS:
            return table, (Play(),), (laid,)
        winner = Seat((table.leader + best_of(table.trick, suit_of(table.turned))) % PLAYERS)
        side = SIDES.side_of(winner)
        zones = table.zones.move_all(TRICK, WON[side])
        table = replace(table, zones=zones, leader=winner, last=table.lying)
        taken = TrickTaken(winner, table.tricks[side], table.tricks[1 - side])
        if sum(table.tricks) < TRICKS:
            return table, (Play(),), (laid, taken)
        points = tuple([max(0, tricks - ENOUGH) for tricks in table.tricks])
        scored = HandScored(SIDES.groups[points.index(max(points))], max(points))
        table = replace(table, match=table.match.next_hand(points))
        if table.match.finished(TARGET):
            return table, (), (laid, taken, scored)
        if table.dealt:
            return table, (NextHand(),), (laid, taken, scored)
        return *start(table.dealt, table.match), (laid, taken, scored)

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Say what is wrong with the card; the offers tell whose turn it is."""
        match event:
            case CardSeen(card) | CardPlayed(table.turn, card) if card in DECK:
                return objection(table, card) or super().explain(table, event)
        return super().explain(table, event)


class NextHand(steps.NextHand[Table], frozen=True):
    """The companion waits with the next deal until people have looked at the last trick (R-08)."""

    kind = HandCalled

    def dealer(self, table: Table) -> Seat:
        """Return who deals."""
        return table.match.dealer

    def begun(self, table: Table) -> Turn[Table]:
        """Begin the next hand."""
        return *start(table.dealt, table.match), ()
