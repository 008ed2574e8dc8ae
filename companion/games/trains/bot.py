"""How a program plays Trains: trains first, then buildings; rails and stations where they are worth most."""

from __future__ import annotations

from companion.engine import Event, Luck
from companion.games.trains import events as ev
from companion.games.trains.catalogue import EXPRESS, LIMITED, RAILS, STATION, WASTE
from companion.games.trains.rules import GAME
from companion.games.trains.table import Table, boards
from companion.games.trains.view import View
from companion.mechanics.policy import PlainPolicy

LATE = 5
"""Cards of a pile, cubes or stations left, from which the end is near."""
WORTH = {LIMITED: 70, "skyscraper": 60, EXPRESS: 40, "tower": 30, "control_room": 35}
"""How much a card is wanted while the game is young."""
WORTH_LATE = {"skyscraper": 90, "tower": 60, "apartment": 30, LIMITED: 10, EXPRESS: 2}
"""How much a card is wanted near the end."""


class Policy(PlainPolicy[Table]):
    """How a program fills a seat of Trains."""

    def choose(self, known: View, luck: Luck) -> Event | None:
        """Return the best of the possible events, judged one by one."""
        events = [event for offer in known.offers for event in ([offer.pick(luck)] if _is_wide(offer) else offer)]
        return max(events, key=lambda event: (self.worth(known, event), luck()), default=None)

    def worth(self, known: View, event: Event) -> float:
        """Return how good an event is for the seat whose view it is."""
        late = known.empty >= 2 or known.markers < LATE or min(seat.cubes for seat in known.seats) < LATE
        match event:
            case ev.Played(_, card):
                return 200 if card not in (RAILS, STATION) else 150
            case ev.Bought(_, card):
                return (WORTH_LATE if late else WORTH).get(card, -1)
            case ev.Ended():
                return 0
            case ev.TurnPassed(_, waste):
                return 2 * waste - 1
            case ev.RailLaid(seat, cell) | ev.StartPlaced(seat, cell):
                return 50 + self._cell_worth(known, cell)
            case ev.StationBuilt(seat, cell):
                return 60 if cell in known.seats[seat].rails else -5
            case ev.Declined():
                return 0
            case ev.WasteReturned(_, count):
                return count
            case ev.CardsDiscarded(_, cards):
                return sum(1 if card == WASTE else -1 for card in cards)
        return 1

    def _cell_worth(self, known: View, cell: str) -> float:
        """Return what a cube on a cell is likely to count."""
        place = boards()[known.board].by_name[cell]
        others = sum(cell in seat.rails for seat in known.seats)
        if place.kind == "city":
            return 4 * place.sites - 2 * others
        return (2 * int(place.figure) if place.kind == "remote" else 1) - 3 * others


def _is_wide(offer: object) -> bool:
    """Whether an offer has too many events to look at each of them."""
    return type(offer).__name__ in ("FromHand", "TakeOne")


POLICY = Policy(GAME)
