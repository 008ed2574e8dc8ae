"""Crate Rows: all seats seal a crate and open them together, one bids and accuses, then everybody turns a crate up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import (
    Amounts,
    Choice,
    Effect,
    Event,
    EventFacts,
    Layout,
    Offer,
    Place,
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
from companion.mechanics.plain import PlainGame
from companion.mechanics.seating import with_value
from companion.mechanics.view import Fact, PlainView

CRATES = tuple([f"crate-{number}" for number in range(1, 121)])
HAND = 4
MOST_BARRELS = 25


class Sealed(SeatEvent, frozen=True):
    """A seat laid a crate face down."""

    facts = EventFacts(observed=False)
    card: str


class Bid(SeatEvent, frozen=True):
    """A seat bid an amount."""

    amount: int


class Accused(SeatEvent, frozen=True):
    """A seat guessed how many barrels another one, or nobody, hides."""

    whom: Seat | None
    barrels: int


class Turned(SeatEvent, frozen=True):
    """A seat's next crate was seen to turn up."""

    facts = EventFacts(observed=True)
    card: str


class Rang(SeatEvent, frozen=True):
    """A seat rang the bell."""


class Table(msgspec.Struct, frozen=True):
    """Hands, sealed crates (empty for none), crates that lie open, the seats that rang, and each seat's hidden pawn."""

    hands: tuple[tuple[str, ...], ...]
    sealed: tuple[str, ...]
    rows: tuple[str, ...] = ()
    rang: tuple[Seat, ...] = ()

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.hands)


class Seal(Step[Table], frozen=True):
    """All seats seal a crate at once, and may change it until the last one has sealed."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every crate except the sealed one."""
        seats = map(Seat, range(table.players))
        return tuple([Choice(s, tuple([Sealed(s, c) for c in table.hands[s] if c != table.sealed[s]])) for s in seats])

    def awaits(self, table: Table) -> tuple[Seat, ...]:
        """Return the seats that have not sealed a crate."""
        return tuple([Seat(seat) for seat, card in enumerate(table.sealed) if not card])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Store the crate; the last seat opens all crates."""
        assert isinstance(event, Sealed)
        table = replace(table, sealed=with_value(table.sealed, event.seat, event.card))
        if "" in table.sealed:
            return table, (Seal(),), ()
        hands = tuple([tuple([c for c in h if c not in table.sealed]) for h in table.hands])
        opened = replace(table, hands=hands, rows=table.rows + table.sealed, sealed=("",) * table.players)
        return opened, (Offering(Seat(0)),), (AllOpened(table.sealed),)


class AllOpened(Effect, frozen=True):
    """All crates were opened."""

    cards: tuple[str, ...]


class Offering(Step[Table], frozen=True):
    """A seat bids a little or a lot, or accuses."""

    seat: Seat

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer small and large bids, and accusations."""
        whom = [None, *[Seat(seat) for seat in range(table.players) if seat != self.seat]]
        said = tuple([Accused(self.seat, each, count) for each in whom for count in range(1, MOST_BARRELS + 1)])
        small, large = Amounts(self.seat, Bid, 1, 5, 1), Amounts(self.seat, Bid, 10, 50, 10)
        return small, large, Choice(self.seat, said)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Go on to the step in which all turn up a crate."""
        return table, (TurnUp(tuple(map(Seat, range(table.players)))),), ()

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """State the allowed bids."""
        return Refusal("R-02", "amount") if isinstance(event, Bid) else None


class TurnUp(Step[Table], frozen=True):
    """An outcome of chance: each of these seats turns up a crate, in any order."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer every crate of each hand."""
        return tuple([Choice(s, tuple([Turned(s, card) for card in table.hands[s]]), chance=True) for s in self.seats])

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Put the crate into the row."""
        assert isinstance(event, Turned)
        left = tuple([seat for seat in self.seats if seat != event.seat])
        hand = tuple([card for card in table.hands[event.seat] if card != event.card])
        table = replace(table, rows=(*table.rows, event.card), hands=with_value(table.hands, event.seat, hand))
        return table, (TurnUp(left),) if left else (Seal(),) if hand else (), ()


class View(PlainView, frozen=True, kw_only=True):
    """A viewer's knowledge."""

    own_cards: tuple[str, ...]
    hands: tuple[int, ...]


class CrateRows(PlainGame[Table]):
    """The rules of the game."""

    name = "crate-rows"
    seats = range(2, 5)
    events: Any = Sealed | Bid | Accused | Turned | Rang

    def begin(self, setup: Setup) -> State[Table]:
        """Give each seat four crates with very different numbers."""
        players = len(setup.seated())
        hands = [sorted([CRATES[seat + at] for at in (0, 10, 50, 100)]) for seat in range(players)]
        return begin(self, Table(tuple(map(tuple, hands)), ("",) * players), (Seal(),))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return the view of a seat, or of everybody."""
        table, basics = state.table, self.basics(state, seat)
        own = () if seat is None else table.hands[seat]
        if seat is not None:
            basics["facts"] += (Fact("debt", {"count": seat + 3}),)
        return View(**basics, own_cards=own, hands=tuple(map(len, table.hands)))

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return how many crates lie open."""
        return (Fact("open", {"count": len(state.table.rows)}),)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return no points for any seat."""
        return (0,) * state.table.players

    def secret(self, before: State[Table], event: Event) -> tuple[str, ...]:
        """Return the secret fields of an event: the sealed crate."""
        return ("card",) if isinstance(event, Sealed) else ()

    def newly_public(self, back: Iterable[Event], effects: Sequence[Effect]) -> tuple[int, ...]:
        """Return the crates sealed last, once all are open."""
        opened = next((effect.cards for effect in effects if isinstance(effect, AllOpened)), ())
        found: dict[Seat, int] = {}
        for at, event in enumerate(back):
            if len(found) == len(opened):
                break
            if isinstance(event, Sealed):
                found.setdefault(event.seat, at)
        return tuple(found.values())

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return whether an event reveals a crate."""
        return isinstance(event, Turned) or not any(after.table.sealed)

    # --- a bell at any moment ---------------------------------------------------------------------

    def standing(self, state: State[Table]) -> tuple[Offer, ...]:
        """Offer the bell to the seats that have not rung it."""
        table = state.table
        return tuple([Choice(s, (Rang(s),)) for s in map(Seat, range(table.players)) if s not in table.rang])

    def stands(self, event: Event) -> bool:
        """Return whether the event is a ring of the bell."""
        return isinstance(event, Rang)

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Refuse a second ring."""
        return Refusal("R-03", "rang") if isinstance(event, Rang) and event.seat in state.table.rang else None

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Record the ring."""
        assert isinstance(event, Rang)
        return replace(state.table, rang=(*state.table.rang, event.seat)), ()

    # --- on the table -----------------------------------------------------------------------------

    def places(self, players: int) -> tuple[Place, ...]:
        """Return a row of crates, and each seat's pawn and won crates."""
        pawns = [Place(f"seat.{seat + 1}.pawn", "spread", 1, Seat(seat)) for seat in range(players)]
        return (Place("row.1", "spread", 16), Place("row.2", "spread", 16), *pawns)

    def layout(self, state: State[Table]) -> Layout:
        """Return the open crates and, face down, the pawns."""
        pawns = {f"seat.{seat + 1}.pawn": Spot(down=1) for seat in range(state.table.players)}
        return Layout({"row.1": Spot(state.table.rows), "row.2": Spot(), **pawns})

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return no events: no camera follows this game."""
        return []

    def shown_layout(self, state: State[Table], seat: Seat) -> Layout:
        """Return the layout of the table with the seat's own pawn face up."""
        layout = self.layout(state)
        return replace(layout, spots=layout.spots | {f"seat.{seat + 1}.pawn": Spot((f"pawn-{seat + 7}",))})


RULES = CrateRows()
