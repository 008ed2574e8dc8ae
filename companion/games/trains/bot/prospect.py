"""Estimates the rest of the game from a seat's view: turns, and the value of coins, rails, stations and cards in
points.

A card that is bought now returns to the hand several times, and each time it replaces an average card of the deck.
Points on the map are counted with the stations that will probably stand there at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache

import msgspec

from companion.engine import Board, Event, Luck, Seat
from companion.games.trains import table as tables
from companion.games.trains.catalogue import RAILS, STATION, WASTE
from companion.games.trains.events import Played
from companion.games.trains.rails import SHARING, STATION_POINTS, SUBWAY, WAIVED_BY, cities
from companion.games.trains.table import CUBES, HAND, MARKERS
from companion.games.trains.view import Pile, View

PILE = 10.0
"""The number of cards in an ordinary pile."""
TOLL = {"field": 0, "river": 1, "mountain": 2, "city": 1, "remote": 3, "sea": 99}
"""The cost of a rail by terrain, in coins."""
BEST = 3
"""The number of the best cells and cities now from which later ones are estimated."""
FLOOR = 0.01
"""The minimum value of a point on a card. It makes the bot buy points when nothing is worth its price, so that games
end.

Once no points are on sale, a card of the pile that runs out first gets a small value.
"""
LEAST = 0.2
"""The minimum value of a further station card, as a share of the value of the best sites now."""
ENDING = 4
"""The number of empty piles that ends the game."""
COINS: Mapping[str, float] = {
    "normal_train": 1, "express_train": 2, "limited_express_train": 3, "amusement_park": 2.6, "control_room": 3.2,
    "signaling_area": 2.2, "passing_station": 2, "information_central": 2.3, "command_central": 1.2, "early_train": 2.4,
    "freight_train": 1.7, "garage": 1.7, "holiday_timetable": 1, "ironworks": 1.8, "landfill": 0.6, "mail_train": 1.9,
    "maintenance_factory": 1.4, "dump_site": 1.6, "pulling": 1.4, "bullet_train": 1.9, "signals": 1.1,
    "station_crew": 1.1, "stationmasters_office": 1.2, "switchback": 1.4, "temporary_timetable": 3, "tourist_train": 1,
    "wagon_factory": 1.4,
}  # fmt: skip
"""The value of a card in a turn, in coins. Cards that draw are valued with the mean of a deck."""
RAIL_COINS = {
    RAILS: 0.0, "collaboration": 0.5, "steel_bridge": 0.4, "tunnel": 0.4, "subway_excavation": 1.2, "viaduct": 0.7,
}  # fmt: skip
"""The coins that a Rail card saves in addition to the rail itself."""


class Weights(msgspec.Struct, frozen=True):
    """The numbers by which the bot judges."""

    turns: float = 22.0
    """The number of turns in a game, for each player."""
    coin: float = 0.32
    """The points that a coin brings in the long run."""
    growth: float = 0.6
    """The additional value of a coin at the beginning, as a share."""
    rail: float = 1.0
    """The value of a later rail, as a share of that of the best rails now."""
    station: float = 1.0
    """The value of a later station, as a share of that of the best stations now."""
    waste: float = 0.8
    """The points that a Waste costs at the beginning; it costs less later."""
    built: float = 0.55
    """The share of a city's free sites on which stations will be built."""
    beyond: float = 0.3
    """The share of the value of the best cells behind a cell that counts for the cell."""


class Prospect:
    """A seat's view with the values derived from it."""

    weights = Weights()

    def __init__(self, known: View, seat: Seat) -> None:
        self.known = known
        self.seat = seat
        self.board = tables.boards()[known.board]
        self.own = frozenset(known.seats[seat].rails)
        self.deck = dict(known.own_deck)
        self.size = max(1, sum(self.deck.values()))

    @cached_property
    def progress(self) -> float:
        """The share of the game that is over, from 0 to 1, by the nearest of its three ends."""
        known = self.known
        piles = sorted([min(1.0, pile.left / PILE) for pile in known.supply if pile.card != WASTE])
        cubes = min(seat.cubes for seat in known.seats)
        return max(1 - known.markers / MARKERS, 1 - cubes / CUBES, 1 - sum(piles[:ENDING]) / ENDING)

    @cached_property
    def turns(self) -> float:
        """The number of turns that the seat has left, without this one."""
        return max(0.0, self.weights.turns * (1 - self.progress) - 0.5)

    @cached_property
    def uses(self) -> float:
        """The expected number of times that a newly gained card will be played."""
        return max(0.0, self.turns - self.size / HAND / 2) * HAND / (self.size + 1)

    @cached_property
    def mean(self) -> float:
        """The mean value of a card of the deck in a turn, in points."""
        return sum(self.in_turn(card) * count for card, count in self.deck.items()) / self.size

    def in_turn(self, card: str) -> float:
        """Return the value of a card in a turn, in points."""
        if card in RAIL_COINS:
            return max(0.0, self.rails + RAIL_COINS[card] * self.coin)
        if card == STATION:
            return self.stations
        return COINS.get(card, 0.0) * self.coin + (card == "tourist_train")

    @cached_property
    def left(self) -> float:
        """The share of the game that is left."""
        return max(0.0, 1 - self.progress)

    @cached_property
    def coin(self) -> float:
        """The points that a coin each turn brings; early coins buy cards that bring more."""
        return self.weights.coin * (1 + self.weights.growth * self.left)

    @cached_property
    def rails(self) -> float:
        """The value of a rail in later turns: the mean of the best cells now, minus their price and Waste."""
        near = around(self.board, self.own) - self.own
        best = sorted([self.rail(cell) - self.toll(cell) * self.coin for cell in near])[-BEST:]
        return max(0.0, self.weights.rail * sum(best) / len(best) - self.waste) if best else 0.0

    @cached_property
    def stations(self) -> float:
        """The value of a station in later turns."""
        found = sorted([self.station(cell) for cell in self.own if self.free(cell)])[-BEST:]
        return max(0.0, self.weights.station * sum(found) / BEST - self.waste)

    def free(self, name: str) -> int:
        """Return how many stations a cell can still take."""
        return self.board.by_name[name].sites - self.known.stations.get(name, 0)

    def toll(self, name: str, waived: Collection[str] = ()) -> int:
        """Return the cost of a rail on a cell under the lasting effects of the cards in `waived`.

        The later edition's Subway waives more. A view does not show the edition, so this is the maximum cost.
        """
        place = self.board.by_name[name]
        terrain = TOLL[place.kind] + (self.known.stations.get(name, 0) if place.kind == "city" else 0)
        if place.kind == "remote":
            terrain = int(place.figure)
        elif SUBWAY in waived or WAIVED_BY.get(place.kind) in waived:
            terrain = 0
        if SUBWAY in waived or SHARING in waived:
            return terrain
        return terrain + sum(name in other.rails for other in self.known.seats if other.seat != self.seat)

    @cached_property
    def within_reach(self) -> frozenset[str]:
        """The cells on which the seat may lay a rail, if it can pay for it."""
        near = around(self.board, self.own) - self.own if self.known.seats[self.seat].cubes else frozenset()
        return frozenset([name for name in near if self.board.by_name[name].kind != "sea"])

    @cached_property
    def open_cities(self) -> tuple[str, ...]:
        """The cities in which the seat may build a station."""
        return tuple([cell.name for cell in cities(self.board) if self.known.markers and self.free(cell.name)])

    @cached_property
    def waste(self) -> float:
        """The cost of one more Waste, in points: a card without value dilutes the deck."""
        left = next((pile.left for pile in self.known.supply if pile.card == WASTE), 0)
        spared = "dump_site" in self.known.lasting
        return self.burden if left and not spared else 0.0

    @property
    def burden(self) -> float:
        """The cost of a Waste in the hand, in points, while it stays there."""
        return self.weights.waste * self.left

    def card(self, pile: Pile) -> float:
        """Return the value of a card of the supply, in points."""
        worth = pile.points + self.uses * (self.in_turn(pile.card) * self._crowded(pile.card) - self.mean)
        if pile.points:
            return max(worth - self.waste, FLOOR * pile.points)
        return worth if self.points_on_sale else max(worth, FLOOR / (1 + pile.left))

    @cached_property
    def points_on_sale(self) -> bool:
        """Whether cards with points are still on sale."""
        return any(pile.points and pile.left for pile in self.known.supply)

    def _crowded(self, card: str) -> float:
        """Return the share of its value that a further rail or station card keeps, as cubes and sites run out."""
        if card in RAIL_COINS:
            planned = self.uses * sum(self.deck.get(name, 0) for name in RAIL_COINS)
            return max(0.0, min(1.0, self.known.seats[self.seat].cubes - planned))
        if card == STATION:
            sites, planned = sum(map(self.free, self.own)), self.uses * self.deck.get(STATION, 0)
            return max(LEAST, min(1.0, (sites + 1 - planned) / BEST))
        return 1.0

    # --- the map ----------------------------------------------------------------------------------

    def cell(self, name: str) -> float:
        """Return the points that a cube on a cell will bring in the end."""
        place = self.board.by_name[name]
        if place.kind == "remote":
            return float(place.figure)
        if place.kind != "city":
            return 0.0
        standing = self.known.stations.get(name, 0)
        later = standing + (place.sites - standing) * self.weights.built * min(1.0, self.turns / 5)
        low = int(later)
        high = min(low + 1, len(STATION_POINTS) - 1)
        return STATION_POINTS[low] + (STATION_POINTS[high] - STATION_POINTS[low]) * (later - low)

    def reach(self, name: str) -> float:
        """Return the value of the best places beyond a cell that are not already near."""
        near = around(self.board, self.own) | self.own
        behind = sorted([self.cell(each) for each in self.board.neighbours(name) if each not in near], reverse=True)
        return sum(worth / (place + 1) for place, worth in enumerate(behind[:3])) * min(1.0, self.turns / 4)

    def rail(self, name: str) -> float:
        """Return the value of a rail on a cell, without its price and Waste."""
        shared = any(name in other.rails for other in self.known.seats if other.seat != self.seat)
        spared = "collaboration" in self.known.lasting
        return self.cell(name) + self.weights.beyond * self.reach(name) - (self.waste if shared and not spared else 0)

    def station(self, name: str) -> float:
        """Return the value of a station in a city: the seat's points minus those of the best other seat."""
        standing = self.known.stations.get(name, 0)
        more = STATION_POINTS[standing + 1] - STATION_POINTS[standing]
        rivals = [other for other in self.known.seats if other.seat != self.seat and name in other.rails]
        share = len(rivals) / max(1, len(self.known.seats) - 1)
        return more * ((name in self.own) - share)


@lru_cache(maxsize=1024)
def around(board: Board, own: frozenset[str]) -> frozenset[str]:
    """Return the cells beside a network."""
    return frozenset([near for cell in own for near in board.neighbours(cell)])


def playable(known: View, events: Sequence[Event], luck: Luck) -> list[Event]:
    """Return the events without the cards that are missing from an imagined hand; all events if the hand is known.

    The bot may play any card that can be in a real hand. If it always played the best of them, it would never draw
    badly, and every game would be the same.
    """
    played = [event for event in events if isinstance(event, Played)]
    unseen = known.seats[played[0].seat].hand - len(known.own_cards) if played else 0
    if not unseen:
        return list(events)
    hidden = [card for card, count in known.own_unseen for _ in range(count)]
    hand = {*known.own_cards, *[hidden.pop(int(luck() * len(hidden))) for _ in range(min(unseen, len(hidden)))]}
    return [event for event in events if not isinstance(event, Played) or event.card in hand]
