"""Market Town: everybody visits the market once, in seat order."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.engine import Choice, Event, Offer, Seat, SeatEvent, Setup, State, Step, Turn, begin
from companion.mechanics.options import resolve
from companion.mechanics.plain import PlainGame
from tests.support.market_town.options import BY_PLAYERS, Options


class Visited(SeatEvent, frozen=True):
    """A seat went to the market."""


class Table(msgspec.Struct, frozen=True):
    """Each seat's money, and the options in force."""

    purses: tuple[int, ...]
    options: Options | None = None


class Visit(Step[Table], frozen=True):
    """A seat goes to the market."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the only possible action."""
        return (Choice(self.seat, (Visited(self.seat),)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Go on to the next seat."""
        left = self.seat + 1 < len(table.purses)
        return table, (Visit(Seat(self.seat + 1)),) if left else (), ()


class View(msgspec.Struct, frozen=True):
    """A view of everything: nothing is secret."""

    moment: str
    awaited: tuple[Seat, ...]
    chance: bool
    purses: tuple[int, ...]
    offers: tuple[Offer, ...]


class Market(PlainGame[Table]):
    """The rules of both games."""

    seats = range(2, 9)
    events: Any = Visited

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return a seat's view."""
        head = state.agenda[0] if state.agenda else None
        offers = tuple([offer for offer in head.legal(state.table) if offer.by == seat]) if head else ()
        awaited = head.awaits(state.table) if head else ()
        return View("visit" if head else "over", awaited, False, state.table.purses, offers)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return everybody's money."""
        return state.table.purses

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return False: nothing is hidden."""
        return False


class MarketTown(Market):
    """The game with options."""

    name = "market-town"

    def begin(self, setup: Setup) -> State[Table]:
        """Begin with the money, and the handicap, of each seat."""
        players = len(setup.seated())
        options = resolve(Options, setup.options, players, BY_PLAYERS)
        assert options.money is not None
        purses = tuple([options.money + more for more in options.handicaps or (0,) * players])
        return begin(self, Table(purses, options), (Visit(Seat(0)),))


RULES = MarketTown()
