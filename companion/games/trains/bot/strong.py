"""The strong bot: it looks ahead to what a turn's coins can buy, and to the value of cards and cells until the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from companion.engine import Choice, Event, Luck, Offer
from companion.games.trains import events as ev
from companion.games.trains.bot.prospect import COINS, RAIL_COINS, TOLL, Prospect, playable
from companion.games.trains.catalogue import STATION, WASTE, shipped
from companion.games.trains.rules import RULES
from companion.games.trains.steps.offers import FromHand
from companion.games.trains.table import Table
from companion.games.trains.view import View
from companion.mechanics.policy import PlainPolicy, Ranked, Ranking, Term, term

FIRST = (
    "maintenance_factory", "dump_site", "ironworks", "early_train", "control_room", "signaling_area",
    "temporary_timetable", "information_central", "passing_station", "signals", "command_central", "wagon_factory",
    "landfill", "freight_train", "garage", "pulling",
)  # fmt: skip
"""Cards to play before the Trains, in this order: they draw, look for Trains in the hand, or save Waste."""
LAST = ("stationmasters_office", "switchback", "holiday_timetable", "station_crew", "conductors_station", "mail_train")
"""Cards to play after the Trains, in this order."""
BEFORE = 1000.0
"""The amount added to the value of an event that comes before all others, such as playing a card."""
ALL = 100.0
"""A number above the position of any card in the order of playing."""
TRAINS = frozenset([card.id for card in shipped().cards if card.is_train])
"""Cards that an amusement park can count a second time."""
RELIEF = frozenset(["landfill", "freight_train"])
"""Cards that return Waste without a pass."""
TWO = 2
"""The number of cards that the garage discards."""


class Strong(Ranking, PlainPolicy[Table]):
    """A bot that plays Trains well."""

    def ranked(self, known: View, luck: Luck) -> Sequence[Ranked]:
        """Return the seat's options, best first: the events that come before all others, then the rest by points."""
        if not known.offers:
            return ()
        seat = known.offers[0].by
        assert seat is not None
        mind = Mind(Prospect(known, seat), luck)
        events = [event for offer in known.offers for event in mind.candidates(offer)]
        weighed = [(mind.worth(event), event) for event in playable(known, events, luck)]
        weighed.sort(key=lambda each: each[0], reverse=True)
        return [Ranked(event, worth + BEFORE * first, mind.terms(event)) for (first, worth), event in weighed]


class Mind:
    """One decision of a seat."""

    def __init__(self, prospect: Prospect, luck: Luck) -> None:
        self.prospect = prospect
        self.known = prospect.known
        self.luck = luck
        self._purchases: list[tuple[float, str]] = [(0.0, "")]
        """The total value of the best purchases and one of them, for each number of coins from 0."""

    def candidates(self, offer: Offer) -> list[Event]:
        """Return the events of an offer worth evaluating; of many cards, those that are best to lose."""
        if isinstance(offer, FromHand):
            return [self.discard(offer)]
        if isinstance(offer, Choice):
            return list(offer.events)
        return [self.taken()] if self.known.revealed else [offer.pick(self.luck)]

    def worth(self, event: Event) -> tuple[bool, float]:
        """Return whether an event comes before all others, as playing a card does, and its value."""
        if isinstance(event, ev.Played):
            order = self.order(event.card) if self.serves(event.card) else -1.0
            return order > 0, order
        if isinstance(event, ev.TurnPassed):
            return (True, ALL) if self.passes(event.waste) else (False, 0.0)
        return False, self.points(event)

    def terms(self, event: Event) -> tuple[Term, ...]:
        """Return the parts of an event's value."""
        match event:
            case ev.Played(_, card):
                return tuple(self.played(card))
            case ev.StartPlaced(_, cell):
                return (term("start", self.start(cell), cell=cell),)
            case ev.Bought(_, card) | ev.BoughtOnDeck(_, card):
                pile = next(pile for pile in self.known.supply if pile.card == card)
                worth, plays = self.prospect.card(pile), round(self.prospect.uses, 1)
                return (term("bought", worth, card=card, points=pile.points, plays=plays),)
            case ev.RailLaid(_, cell):
                cost, coins = dict(self.known.own_costs)[cell], self.known.coins
                spent = self.purchases(coins)[0] - self.purchases(coins - cost)[0]
                parts = term("rail", self.prospect.rail(cell), cell=cell), term("coins", -spent, cost=cost)
                return (*parts, term("waste", -self.prospect.waste))
            case ev.StationBuilt(_, city):
                return term("station", self.prospect.station(city), cell=city), term("waste", -self.prospect.waste)
            case ev.TurnPassed(_, waste) if waste:
                hand = term("hand", -self.deeds(self.known.own_cards))
                return term("returned", waste * self.prospect.burden, count=waste), hand
        return ()

    def played(self, card: str) -> Iterator[Term]:
        """Yield the uses of a card of the hand now."""
        if card in RAIL_COINS:
            for worth, cost, cell in sorted(self.rails(card, self.prospect.within_reach, self.known.coins))[-1:]:
                yield term("lays", worth, cell=cell, cost=cost)
        elif card == STATION:
            for worth, city in sorted([(self.site(city), city) for city in self.prospect.open_cities])[-1:]:
                yield term("builds", worth, cell=city)
        elif card in FIRST:
            yield term("before", 1.0, card=card)
        elif card in COINS:
            yield term("pays", COINS[card], card=card)

    # --- the turn ---------------------------------------------------------------------------------

    def order(self, card: str) -> float:
        """Return a card's place in the order of playing: cards first, then rails and stations, when the coins are
        known.

        Buildings are not played: they have no effect, and for unknown cards a building would be the wrong guess.
        """
        if card in FIRST:
            return 50.0 - FIRST.index(card)
        if card in RAIL_COINS or card == STATION:
            return 5.0 - (card == STATION) - (card == "lay_rails") * 0.5
        if card in LAST:
            return 20.0 - LAST.index(card)
        if card not in COINS:
            return -1.0
        return 30.0 + COINS[card] if card != "amusement_park" else 29.0

    def serves(self, card: str) -> bool:
        """Return whether a card is of use to its seat now; Rail and Station cards that build nothing are not."""
        if card == STATION:
            return any(self.site(city) > 0 for city in self.prospect.open_cities)
        if card not in RAIL_COINS or "ironworks" in self.known.lasting:
            return True
        return bool(self.rails(card, self.prospect.within_reach, self.known.coins))

    def rails(self, card: str, cells: Iterable[str], coins: int) -> list[tuple[float, int, str]]:
        """Return the places where a card may lay a rail that is worth its price: the value, the cost and the cell."""
        waived = {*self.known.lasting, card}
        priced = [(self.prospect.toll(cell, waived), cell) for cell in cells]
        found = [(self.rail(cell, cost, coins), cost, cell) for cost, cell in priced if cost <= coins]
        return [each for each in found if each[0] > 0]

    @cached_property
    def on_sale(self) -> list[tuple[int, float, str]]:
        """The cards on sale: the cost, the value, and the card."""
        piles = [pile for pile in self.known.supply if pile.cost and pile.left]
        return [(pile.cost or 0, worth, pile.card) for pile in piles if (worth := self.prospect.card(pile)) > 0]

    def purchases(self, coins: int) -> tuple[float, str]:
        """Return the total value of the best purchases for an amount of coins, and one of them."""
        best = self._purchases
        while len(best) <= coins:
            found, at = best[-1], len(best)
            for cost, worth, card in self.on_sale:
                if cost <= at:
                    found = max(found, (worth + best[at - cost][0], card))
            best.append(found)
        return best[coins]

    def purchase(self, card: str) -> float:
        """Return the value of a purchase; only one of the best combination has any."""
        worth, first = self.purchases(self.known.coins)
        return worth if card == first else -1.0

    def rail(self, cell: str, cost: int, coins: int) -> float:
        """Return the value of a rail, minus that of the purchases its coins would allow, and minus its Waste."""
        lost = self.purchases(coins)[0] - self.purchases(coins - cost)[0]
        return self.prospect.rail(cell) - lost - self.prospect.waste

    def site(self, city: str) -> float:
        """Return the value of a station in a city, minus its Waste."""
        return self.prospect.station(city) - self.prospect.waste

    def passes(self, waste: int) -> bool:
        """Return whether returning Waste is worth at least as much as playing the hand; never for an unknown hand."""
        hand, count = self.known.own_cards, self.known.seats[self.prospect.seat].hand
        if not waste or len(hand) < count or RELIEF & set(hand):
            return False
        return waste * self.prospect.burden >= self.deeds(hand)

    def deeds(self, hand: Sequence[str]) -> float:
        """Return the value of what a hand can buy and build in this turn, in points; cards that it draws count as
        coins."""
        parks = 0 if TRAINS & set(hand) else hand.count("amusement_park")
        coins = round(sum([COINS.get(card, 0.0) for card in hand]) - parks * (COINS["amusement_park"] - 1))
        found = self.purchases(coins)[0] + hand.count("tourist_train")
        free = set(self.prospect.within_reach)
        for card in [card for card in hand if card in RAIL_COINS]:
            worth, cost, cell = max(self.rails(card, free, coins), default=(0.0, 0, ""))
            found, coins = found + worth, coins - cost
            free.discard(cell)
        sites = sorted([self.site(city) for city in self.prospect.open_cities], reverse=True)
        return found + sum([max(0.0, worth) for worth in sites[: hand.count(STATION)]])

    def start(self, cell: str) -> float:
        """Return the value of a cell for the first cube: its own value, and that of the cells within three rails."""
        board, seen, ring, worth = self.prospect.board, {cell}, {cell}, self.prospect.cell(cell)
        for share in (0.5, 0.3, 0.15):
            ring = {near for each in ring for near in board.neighbours(each)} - seen
            seen |= ring
            worth += share * sum(self.prospect.cell(each) / (1 + TOLL[board.by_name[each].kind]) for each in ring)
        return worth

    # --- choices required by cards ----------------------------------------------------------------

    def points(self, event: Event) -> float:
        """Return the value of an event, in points."""
        match event:
            case ev.Bought(_, card) | ev.BoughtOnDeck(_, card):
                return self.purchase(card) + (0.01 if isinstance(event, ev.BoughtOnDeck) and card in COINS else 0)
            case ev.RailLaid(_, cell):
                return self.rail(cell, dict(self.known.own_costs)[cell], self.known.coins)
            case ev.StationBuilt(_, cell):
                return self.site(cell)
            case ev.StartPlaced(_, cell):
                return self.start(cell)
            case ev.Declined() | ev.Ended() | ev.TopKept():
                return 0.0
            case ev.Applied():
                return self.holiday() if self.known.played[-1:] == ("holiday_timetable",) else 1.0
            case ev.CardChosen(_, card):
                return 1.0 + self.prospect.in_turn(card)
            case ev.WasteReturned(_, count):
                return float(count)
            case ev.CrewSent(_, does):
                return {"waste": 2.0, "coin": 0.9, "draw": 1.0}[does]
            case ev.CardNamed(_, card):
                return float(self.prospect.deck.get(card, 0))
            case ev.TopDiscarded(_, card):
                return self.prospect.mean - self.prospect.in_turn(card)
            case ev.Rebuilt(_, card, gained):
                return self.prospect.in_turn(gained) - self.prospect.in_turn(card) + (card == WASTE) * 0.1
        return 0.5

    def holiday(self) -> float:
        """Return whether three coins now are worth more than the timetable later, as they are near the end."""
        return 1.0 if self.prospect.turns < TWO else -1.0

    def discard(self, offer: FromHand) -> Event:
        """Return the discard of the worst cards of the hand: the required number, or the useless ones."""
        cards = sorted(offer.zones.candidates(offer.hand), key=self.prospect.in_turn)
        useless = sum(self.prospect.in_turn(card) < self.prospect.mean * 0.6 for card in cards)
        return ev.CardsDiscarded(offer.by, tuple(sorted(cards[: max(offer.least, min(offer.most, useless))])))

    def taken(self) -> Event:
        """Return the choice of the best revealed card; the better ones of the rest go on top."""
        seat, cards = self.prospect.seat, sorted(self.known.revealed, key=self.prospect.in_turn)
        return ev.RevealedTaken(seat, cards[-1], tuple(cards[:-1]))


POLICY = Strong(RULES)
"""The bot that plays well."""
