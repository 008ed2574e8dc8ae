"""A turn: playing and buying one card after the other, then ending it, or passing (R-06, R-07, R-10 to R-13, R-21)."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace

from companion.engine import Choice, Effect, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.trains.catalogue import NORMAL, RAILS, WASTE
from companion.games.trains.events import (
    Bought,
    BoughtOnDeck,
    Ended,
    GameEnded,
    Played,
    RailLaid,
    StationBuilt,
    TurnBegan,
    TurnPassed,
)
from companion.games.trains.steps.draws import DrawCards, drawable, tidy
from companion.games.trains.steps.effects import most_waste, start_effect
from companion.games.trains.table import (
    GAINED,
    HAND,
    PLAY,
    InPlay,
    Table,
    deck_of,
    gain,
    gain_waste,
    hand_of,
    pay,
    return_waste,
)
from companion.mechanics.seating import left_of

EMPTY_PILES = 4
"""Empty piles that end the game; Waste does not count (R-21)."""
BONUS = 2
"""Coins that an ironworks adds to a Rail card (K11)."""


def playable(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the kinds of cards that a seat may have in its hand and may play, in alphabetical order (R-07)."""
    hand = hand_of(seat)
    return tuple(sorted(set(table.zones.candidates(hand)) - {WASTE}))


def waste_in_hand(table: Table, seat: Seat) -> tuple[int, int]:
    """Return the least and the most Waste that a seat's hand can hold; equal where the companion deals."""
    return table.zones.must_hold(hand_of(seat)).count(WASTE), most_waste(table, seat)


def cost_of(table: Table, card: str) -> int:
    """Return what a card costs."""
    cost = table.card(card).cost
    assert cost is not None, "a match begins only with costs for all that is for sale"
    return cost


def for_sale(table: Table) -> tuple[str, ...]:
    """Return the kinds that the seat on turn can buy now (R-10)."""
    kinds = [card for card, left in table.supply.items() if left and card != WASTE]
    return tuple([card for card in kinds if cost_of(table, card) <= table.coins])


class Act(Step[Table], frozen=True):
    """The seat on turn plays a card, buys one, ends its turn, or passes (R-06)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every card that can be played or bought, and the end of the turn."""
        seat = self.seat
        events: list[Event] = [Played(seat, card) for card in playable(table, seat)]
        for card in for_sale(table):
            events.append(Bought(seat, card))
            if table.holds("early_train"):
                events.append(BoughtOnDeck(seat, card))
        if table.acted:
            events.append(Ended(seat))
        else:
            least, most = waste_in_hand(table, seat)
            events += [TurnPassed(seat, count) for count in sorted({0, *range(max(1, least), most + 1)})]
        return (Choice(seat, tuple(events)),)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return whose turn it is."""
        return (self.seat,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Do it; after the effect of a card the turn goes on."""
        match event:
            case Played(seat, card):
                table, steps, effects = play(table, seat, card)
                return table, (*steps, self), effects
            case Bought(seat, card) | BoughtOnDeck(seat, card):
                table, effects = buy(table, seat, card, deck_of(seat) if isinstance(event, BoughtOnDeck) else GAINED)
                return table, (self,), effects
            case Ended(seat):
                return end(table, seat)
            case TurnPassed(seat, waste):
                return end(return_waste(table, seat, waste), seat)
        raise TypeError(f"a turn takes no {type(event).__name__}")

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return whose turn it is, or why this cannot be played, bought, ended or passed."""
        if isinstance(event, RailLaid) and event.seat == self.seat and not table.cubes_left(event.seat):
            return Refusal("R-15", "no_cube", {})
        if isinstance(event, StationBuilt) and event.seat == self.seat and not table.markers:
            return Refusal("R-17", "no_marker", {})
        if not isinstance(event, Played | Bought | BoughtOnDeck | Ended | TurnPassed):
            return None
        if event.seat != self.seat:
            return Refusal("R-04", "not_your_turn", {"seat": self.seat})
        match event:
            case Played(seat, card):
                return play_refusal(table, seat, card)
            case Bought(_, card) | BoughtOnDeck(_, card):
                return buy_refusal(table, card)
            case TurnPassed(seat, waste):
                if table.acted:
                    return Refusal("R-12", "has_acted", {"waste": waste} if waste else {})
                return Refusal("R-12", "all_or_none", {}, seat)
        return Refusal("R-12", "nothing_done", {})


def play_refusal(table: Table, seat: Seat, card: str) -> Refusal:
    """Return why a card cannot be played (R-07). Only its owner reads what the hand says."""
    if card not in table.fixed.book:
        return Refusal("R-07", "no_such_card", {"card": card})
    if card == WASTE:
        return Refusal("R-07", "waste_is_useless", {})
    return Refusal("R-07", "not_in_hand", {"card": card}, seat)


def buy_refusal(table: Table, card: str) -> Refusal:
    """Return why a card cannot be bought (R-10, R-11)."""
    if card == WASTE:
        return Refusal("R-10", "waste_not_sold", {})
    if card not in table.supply:
        return Refusal("R-10", "no_such_pile", {"card": card})
    if not table.supply[card]:
        return Refusal("R-10", "pile_empty", {"card": card})
    if cost_of(table, card) > table.coins:
        return Refusal("R-11", "too_dear", {"card": card, "cost": cost_of(table, card), "coins": table.coins})
    return Refusal("R-10", "not_on_deck", {})


def play(table: Table, seat: Seat, card: str) -> Turn[Table]:
    """Return the table after a card went from the hand into play, and the steps of its effect (R-07, R-08)."""
    kind = table.card(card)
    bonus = 0
    if kind.is_rail if table.fixed.options.feeds_ironworks == "rail_cards" else card == RAILS:
        bonus = BONUS * table.holds("ironworks")
    zones = table.zones.move(hand_of(seat), PLAY, card)
    table = pay(replace(table, zones=zones, in_play=(*table.in_play, InPlay()), acted=True), (kind.value or 0) + bonus)
    return start_effect(table, seat, card, len(table.in_play) - 1)


def buy(table: Table, seat: Seat, card: str, to: str) -> tuple[Table, tuple[Effect, ...]]:
    """Return the table after a seat bought a card into a zone; a building brings Waste (R-10, M7 to M9)."""
    table = replace(pay(table, -cost_of(table, card)), acted=True)
    table = gain(table, seat, card, to)
    return gain_waste(table, seat) if "victory" in table.card(card).categories else (table, ())


def end(table: Table, seat: Seat) -> Turn[Table]:
    """Return the table after a seat tidied up; then it draws, and the next turn begins or the game ends (R-13)."""
    table = tidy(table, seat)
    draws = (DrawCards(seat, min(HAND, drawable(table, seat))),) if drawable(table, seat) else ()
    return table, (*draws, NextTurn(seat)), ()


class NextTurn(Step[Table], frozen=True):
    """A turn is complete: the game ends, or the left neighbour's turn begins (R-04, R-21)."""

    automatic: ClassVar[bool] = True
    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        """Look for an end."""
        why = end_of_game(table)
        if why:
            return table, (), (GameEnded(why),)  # type: ignore[arg-type]
        seat = left_of(self.seat, table.fixed.players)
        return replace(table, turn=seat), (Act(seat),), (TurnBegan(seat),)


def empty_piles(table: Table) -> tuple[str, ...]:
    """Return the empty piles that count for the end of the game (R-21)."""
    return tuple([card for card, left in table.supply.items() if not left and card not in (WASTE, NORMAL)])


def end_of_game(table: Table) -> str:
    """Return why the game ends after this turn, empty if it goes on (R-21)."""
    if len(empty_piles(table)) >= EMPTY_PILES:
        return "piles"
    if not all(table.cubes_left(seat) for seat in range(table.fixed.players)):
        return "cubes"
    return "" if table.markers else "stations"
