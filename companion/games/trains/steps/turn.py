"""A turn: playing and buying cards one by one, then ending it, or passing (R-06, R-07, R-10 to R-13, R-21)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.engine import NOT_YOUR_TURN, Automatic, Choice, Event, Offer, Refusal, Seat, Step, Turn
from companion.games.trains import events as ev
from companion.games.trains import refusals
from companion.games.trains.catalogue import NORMAL, RAILS, WASTE
from companion.games.trains.steps.draws import draw
from companion.games.trains.steps.effects import start_effect
from companion.games.trains.table import CUBES, GAINED, HAND, PLAY, InPlay, Table, deck_of, discard_of, hand_of
from companion.mechanics.seating import left_of

EMPTY_PILES = 4
"""The number of empty piles that ends the game; Waste does not count (R-21)."""
NOTHING = InPlay()
EARLY_TRAIN = "early_train"
"""The card that lets bought cards go onto the deck (K07)."""
BONUS = 2
"""Coins that an ironworks adds to a Rail card (K11)."""


@lru_cache(maxsize=4096)
def turn_offers(
    seat: Seat, hand: tuple[str, ...], on_sale: tuple[str, ...], on_deck: bool, waste: tuple[int, int] | None
) -> tuple[Offer, ...]:
    """Return a seat's options: play cards that its hand may hold, buy, end its turn or pass (R-06, R-07, R-12).

    `waste` is the lowest and highest number of Waste in the hand, before any play or purchase. Turns are often alike,
    so the latest offers are cached.
    """
    events: list[Event] = [ev.Played(seat, card) for card in hand if card != WASTE]
    events += [ev.Bought(seat, card) for card in on_sale]
    if on_deck:
        events += [ev.BoughtOnDeck(seat, card) for card in on_sale]
    if waste is None:
        events.append(ev.Ended(seat))
    else:
        least, most = waste
        events += [ev.TurnPassed(seat, count) for count in (0, *range(max(1, least), most + 1))]
    return (Choice(seat, tuple(events)),)


def for_sale(table: Table) -> tuple[str, ...]:
    """Return the kinds that the seat on turn can buy now (R-10)."""
    prices, coins = table.fixed.prices, table.coins
    if coins < table.fixed.cheapest:
        return ()
    return tuple([card for card, left in table.supply.items() if left and prices.get(card, coins + 1) <= coins])


class Act(Step[Table], frozen=True):
    """The seat on turn plays a card, buys one, ends its turn, or passes (R-06)."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        seat = self.seat
        on_deck = table.acted and table.holds(EARLY_TRAIN) > 0
        waste = None if table.acted else table.zones.bounds(hand_of(seat), WASTE)
        return turn_offers(seat, table.zones.kinds(hand_of(seat)), for_sale(table), on_deck, waste)

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        return (self.seat,)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Carry it out; after the effect of a card the turn continues."""
        match event:
            case ev.Played(seat, card):
                table, steps, effects = play(table, seat, card)
                return table, (*steps, self), effects
            case ev.Bought(seat, card) | ev.BoughtOnDeck(seat, card):
                to = deck_of(seat) if isinstance(event, ev.BoughtOnDeck) else GAINED
                table = replace(table, coins=table.coins - table.fixed.prices[card], acted=True).gain(seat, card, to)
                building = "victory" in table.card(card).categories  # which brings Waste (R-10, M7 to M9)
                table, effects = table.gain_waste(seat) if building else (table, ())
                return table, (self,), effects
            case ev.Ended(seat):
                return end(table, seat)
            case ev.TurnPassed(seat, waste):
                return end(table.return_waste(seat, waste), seat)
        raise TypeError(f"a turn takes no {type(event).__name__}")

    def explain(self, table: Table, event: Event) -> Refusal | None:
        match event:
            case ev.RailLaid(seat) if seat == self.seat and not table.cubes_left(seat):
                return refusals.NO_CUBE()
            case ev.StationBuilt(seat) if seat == self.seat and not table.markers:
                return refusals.NO_MARKER()
            case ev.Played(seat) | ev.Bought(seat) | ev.BoughtOnDeck(seat) | ev.Ended(seat) | ev.TurnPassed(seat):
                return NOT_YOUR_TURN(seat=self.seat) if seat != self.seat else self.own_refusal(table, event)
        return None

    def own_refusal(self, table: Table, event: Event) -> Refusal:
        """Return why the seat on turn cannot play, buy, end or pass this way."""
        match event:
            case ev.Played(seat, card):
                return play_refusal(table, seat, card)
            case ev.Bought(_, card) | ev.BoughtOnDeck(_, card):
                return buy_refusal(table, card)
            case ev.TurnPassed(seat, waste) if not table.acted:
                return refusals.ALL_OR_NONE.to(seat)
            case ev.TurnPassed(_, waste):
                return refusals.HAS_ACTED_WITH_WASTE(waste=waste) if waste else refusals.HAS_ACTED()
        return refusals.NOTHING_DONE()


def play_refusal(table: Table, seat: Seat, card: str) -> Refusal:
    """Return why a card cannot be played (R-07). Only its owner may read a reason based on the hand."""
    if card not in table.fixed.book:
        return refusals.NO_SUCH_CARD(card=card)
    if card == WASTE:
        return refusals.WASTE_IS_USELESS()
    return refusals.NOT_IN_HAND.to(seat, card=card)


def buy_refusal(table: Table, card: str) -> Refusal:
    """Return why a card cannot be bought (R-10, R-11)."""
    if card == WASTE:
        return refusals.WASTE_NOT_SOLD()
    if card not in table.supply:
        return refusals.NO_SUCH_PILE(card=card)
    if not table.supply[card]:
        return refusals.PILE_EMPTY(card=card)
    cost = table.fixed.prices[card]
    if cost > table.coins:
        return refusals.TOO_DEAR_R11(card=card, cost=cost, coins=table.coins)
    return refusals.NOT_ON_DECK(card=EARLY_TRAIN)


def play(table: Table, seat: Seat, card: str) -> Turn[Table]:
    """Return the table after a card went from the hand into play, and the steps of its effect (R-07, R-08)."""
    at = len(table.in_play)
    coins = table.coins + (table.card(card).value or 0) + (ironworks_bonus(table, card) if at else 0)
    zones = table.zones.move(hand_of(seat), PLAY, card)
    table = replace(table, zones=zones, in_play=(*table.in_play, NOTHING), acted=True, coins=coins)
    return start_effect(table, seat, card, at)


def ironworks_bonus(table: Table, card: str) -> int:
    """Return the coins that the ironworks in play add to a card (K11, A-12)."""
    feeds = table.card(card).is_rail if table.fixed.options.feeds_ironworks == "rail_cards" else card == RAILS
    return BONUS * table.holds("ironworks") if feeds else 0


def end(table: Table, seat: Seat) -> Turn[Table]:
    """Return the table after a seat tidied up; it draws, then the next turn begins or the game ends (R-13)."""
    zones = table.zones.gather(discard_of(seat), hand_of(seat), PLAY, GAINED)
    tidied = replace(table, zones=zones, in_play=(), coins=0, acted=False)
    return draw(tidied, seat, HAND, NextTurn(seat))


class NextTurn(Automatic[Table], frozen=True):
    """A turn is complete: the game ends, or the left neighbour's turn begins (R-04, R-21)."""

    seat: Seat

    def run(self, table: Table) -> Turn[Table]:
        """End the game or begin the next turn."""
        why = end_of_game(table)
        if why:
            return table, (), (ev.GameEnded(why),)  # type: ignore[arg-type]
        seat = left_of(self.seat, table.fixed.players)
        return replace(table, turn=seat), (Act(seat),), (ev.TurnBegan(seat),)


def empty_piles(table: Table) -> tuple[str, ...]:
    """Return the empty piles that count towards the end of the game (R-21)."""
    return tuple([card for card, left in table.supply.items() if not left and card not in (WASTE, NORMAL)])


def end_of_game(table: Table) -> str:
    """Return why the game ends after this turn, empty if it continues (R-21)."""
    if [*table.supply.values()].count(0) >= EMPTY_PILES and len(empty_piles(table)) >= EMPTY_PILES:
        return "piles"
    if CUBES in map(len, table.rails):
        return "cubes"
    return "" if table.markers else "stations"
