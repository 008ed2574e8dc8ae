"""The plain bot: it buys trains first, a few rails and stations, then buildings; it lays rails on the most valuable
cells."""

from __future__ import annotations

from companion.engine import Event, Luck, Seat
from companion.games.trains import events as ev
from companion.games.trains import table as tables
from companion.games.trains.bot.prospect import Prospect, playable
from companion.games.trains.catalogue import EXPRESS, LIMITED, NORMAL, RAILS, STATION, WASTE
from companion.games.trains.rules import RULES
from companion.games.trains.steps.offers import FromHand, TakeOne
from companion.games.trains.table import Table
from companion.games.trains.view import View
from companion.mechanics.policy import PlainPolicy

LATE = 5
"""The number of cards in a pile, cubes or stations left from which the end counts as near."""
RICH = 1.3
"""The average coins of a card in the deck from which the bot buys buildings."""
ENOUGH = {RAILS: 5, STATION: 3}
"""The number of Rail and Station cards that a deck needs."""
GROWING = {LIMITED: 70, EXPRESS: 40, RAILS: 20, STATION: 10}
"""The value of a card while the deck has few coins."""
BUILDING = {"skyscraper": 90, LIMITED: 70, "tower": 60, RAILS: 50, STATION: 45, EXPRESS: 40}
"""The value of a card once the deck has coins."""
ENDING = {"skyscraper": 90, "tower": 60, "apartment": 30}
"""The value of a card near the end."""
VALUES = {NORMAL: 1, EXPRESS: 2, LIMITED: 3}


class Plain(PlainPolicy[Table]):
    """A bot for a seat of Trains that does not look ahead."""

    def choose(self, known: View, luck: Luck) -> Event | None:
        few = [[offer.pick(luck)] if isinstance(offer, FromHand | TakeOne) else offer for offer in known.offers]
        events = [event for events in few for event in events]
        held = playable(known, events, luck)
        return max(held, key=lambda event: (self.worth(known, event), luck()), default=None)

    def worth(self, known: View, event: Event) -> float:
        """Return the value of an event for the seat that has the view."""
        match event:
            case ev.Played(seat, card):
                return 200 if card not in (RAILS, STATION) else 150 if builds(known, seat, card, known.coins) else -1
            case ev.Bought(_, card) | ev.BoughtOnDeck(_, card):
                return wants(known, card)
            case ev.TurnPassed(seat, waste):
                return 2 * waste - 1 if achieves(known, seat) else 300 * waste
            case ev.RailLaid(_, cell):
                return cell_worth(known, cell) - dict(known.own_costs)[cell]
            case ev.StartPlaced(_, cell):
                return cell_worth(known, cell)
            case ev.StationBuilt(seat, cell):
                return 10 if cell in known.seats[seat].rails else -5
            case ev.Ended() | ev.Declined():
                return 0
            case ev.WasteReturned(_, count):
                return count
            case ev.CardsDiscarded(_, cards):
                return sum(1 if card == WASTE else -1 for card in cards)
        return 1


def wants(known: View, card: str) -> float:
    """Return the value of a card: trains, then rails, stations and buildings; only buildings at the end."""
    deck = dict(known.own_deck)
    if known.empty >= 2 or known.markers < LATE or min(seat.cubes for seat in known.seats) < LATE:
        return ENDING.get(card, -1)
    if deck.get(card, 0) >= ENOUGH.get(card, len(deck) + deck.get(card, 0) + 1):
        return -1
    coins = sum(VALUES.get(name, 0) * count for name, count in deck.items()) / max(1, sum(deck.values()))
    return (BUILDING if coins >= RICH else GROWING).get(card, -1)


def builds(known: View, seat: Seat, card: str, coins: int) -> bool:
    """Return whether Lay Rails or a Station Expansion could build anything with these coins."""
    prospect = Prospect(known, seat)
    if card == STATION:
        return any(city in prospect.own for city in prospect.open_cities)
    priced = [(cell, prospect.toll(cell)) for cell in prospect.within_reach]
    return any(cost <= coins and cell_worth(known, cell) > cost for cell, cost in priced)


def achieves(known: View, seat: Seat) -> bool:
    """Return whether a hand can build, or buy a wanted card. An unknown hand always may."""
    hand = known.own_cards
    if len(hand) < known.seats[seat].hand:
        return True
    coins = sum(VALUES.get(card, 0) for card in hand)
    wanted = [pile for pile in known.supply if pile.cost and pile.cost <= coins and pile.left]
    return any(wants(known, pile.card) > 0 for pile in wanted) or any(
        card in hand and builds(known, seat, card, coins) for card in (RAILS, STATION)
    )


def cell_worth(known: View, cell: str) -> float:
    """Return the estimated points of a cube on a cell."""
    place = tables.boards()[known.board].by_name[cell]
    others = sum(cell in seat.rails for seat in known.seats)
    if place.kind == "city":
        return 4 * place.sites - 2 * others
    return (2 * int(place.figure) if place.kind == "remote" else 1) - 3 * others


PLAIN = Plain(RULES)
"""The bot that plays without looking ahead."""
