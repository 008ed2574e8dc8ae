"""A token sets the house's bid; all close coins in their fists; the highest bid pays, and seats may claim badges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.engine import (
    Choice,
    Confirming,
    Effect,
    Event,
    Moved,
    Offer,
    Reason,
    Refusal,
    Seat,
    SeatEvent,
    SeenTokens,
    Setup,
    State,
    Step,
    Timing,
    TokenKind,
    TokenPlace,
    Turn,
    Unveiling,
    begin,
    money_place,
    worth,
)
from companion.mechanics.plain import PlainGame
from companion.mechanics.view import PlainView

TOO_MUCH = Reason("S-1", "too_much", "cash")
TOO_LITTLE = Reason("S-2", "too_little", "least")
CLAIMED = Reason("S-3", "claimed")
UNIT = 50
PURSE = 1000
HOUSE = {"house-low": 100, "house-high": 300}
"""The tokens of the house by name, each with its minimum bid in dollars."""
KINDS = (
    TokenKind("money-50", 40, 50),
    TokenKind("money-500", 20, 500),
    *[TokenKind(name, 1, back="back-house") for name in HOUSE],
    *[TokenKind(f"order-{number}", 1) for number in (1, 2, 3)],
    TokenKind("badge", 3, back="back-badge"),
)


class HouseDrawn(Event, frozen=True):
    """A token of the house was drawn."""

    token: str


class Signalled(Event, frozen=True):
    """All fists opened."""


class Counted(SeatEvent, frozen=True):
    """The companion counted a seat's coins."""

    amount: int


class Confirmed(SeatEvent, frozen=True):
    """A seat confirmed its count."""


class Recounted(SeatEvent, frozen=True):
    """A seat asked for another count."""


class BadgeClaimed(SeatEvent, frozen=True):
    """A seat laid its badge open."""


class Table(msgspec.Struct, frozen=True):
    """The coins behind the screens, the house's tokens drawn so far, and the seats that claimed a badge."""

    cash: tuple[int, ...]
    drawn: tuple[str, ...] = ()
    badges: tuple[bool, ...] = ()


class DrawHouse(Step[Table], frozen=True):
    """The step in which a token of the house is drawn."""

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the remaining tokens."""
        return (Choice(None, tuple([HouseDrawn(name) for name in HOUSE if name not in table.drawn]), chance=True),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Go on to the fists of all seats with coins."""
        assert isinstance(event, HouseDrawn)
        table = replace(table, drawn=(*table.drawn, event.token))
        return table, (Fists(bidders(table)),), ()


def bidders(table: Table) -> tuple[Seat, ...]:
    """Return the seats with coins."""
    return tuple([Seat(seat) for seat, cash in enumerate(table.cash) if cash])


class Fists(Step[Table], frozen=True):
    """The step in which fists stay closed until the signal."""

    seats: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer the signal."""
        return (Choice(None, (Signalled(),)),)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Go on to the count."""
        return table, (Count(self.seats, (None,) * len(table.cash), ()),), ()

    def timing(self, table: Table) -> Timing:
        """Return the meaning of a press: ready."""
        return Unveiling(len(table.drawn), self.seats, self.seats, Signalled)


class Count(Step[Table], frozen=True):
    """The step in which coins are counted and confirmed."""

    seats: tuple[Seat, ...]
    sums: tuple[int | None, ...]
    sure: tuple[Seat, ...]

    def legal(self, table: Table) -> tuple[Offer, ...]:
        """Offer counts up to a seat's coins, and their confirmation."""
        offers: list[Offer] = []
        for seat in self.seats:
            if self.sums[seat] is None:
                least = HOUSE[table.drawn[-1]] if seat == 0 else 0
                counts = [Counted(seat, amount) for amount in range(least, table.cash[seat] + 1, UNIT)]
                offers.append(Choice(None, tuple(counts)))
            elif seat not in self.sure:
                offers.append(Choice(seat, (Confirmed(seat), Recounted(seat))))
        return tuple(offers)

    def apply(self, table: Table, event: Event) -> Turn[Table]:
        """Store a sum; the highest one pays once all are confirmed."""
        match event:
            case Counted(seat, amount):
                return table, (replace(self, sums=put(self.sums, seat, amount)),), ()
            case Recounted(seat):
                return table, (replace(self, sums=put(self.sums, seat, None)),), ()
            case Confirmed(seat):
                sure = (*self.sure, seat)
                if set(sure) != set(self.seats):
                    return table, (replace(self, sure=sure),), ()
                return self.sell(table)
        raise TypeError(event)

    def sell(self, table: Table) -> Turn[Table]:
        """Let the highest sum pay, or the first of equal ones."""
        best = max(self.seats, key=lambda seat: (self.sums[seat] or 0, -seat))
        price = self.sums[best] or 0
        paid: tuple[Effect, ...] = (Moved(best, -price, "lot"),) if price else ()
        cash = tuple([have - price * (seat == best) for seat, have in enumerate(table.cash)])
        left = set(HOUSE) - set(table.drawn)
        return replace(table, cash=cash), (DrawHouse(),) if left else (), paid

    def explain(self, table: Table, event: Event) -> Refusal | None:
        """Return the reason why a count is wrong, for its own seat only."""
        match event:
            case Counted(seat, amount) if amount > table.cash[seat]:
                return TOO_MUCH.to(seat, cash=table.cash[seat])
            case Counted(seat):
                return TOO_LITTLE.to(seat, least=HOUSE[table.drawn[-1]])
        return None

    def timing(self, table: Table) -> Timing:
        """Return the meaning of a press: it confirms the seat's sum."""
        asked = [seat for seat in self.seats if self.sums[seat] is not None and seat not in self.sure]
        return Confirming(("count", len(table.drawn)), tuple([(seat, Confirmed(seat)) for seat in asked]))


def put(sums: tuple[int | None, ...], seat: int, amount: int | None) -> tuple[int | None, ...]:
    """Return the sums with one of them replaced."""
    return (*sums[:seat], amount, *sums[seat + 1 :])


class View(PlainView, frozen=True, kw_only=True):
    """A seat's knowledge: its own coins."""

    seat: Seat | None
    cash: int | None
    drawn: tuple[str, ...]
    sums: tuple[int | None, ...]


class SealedCoins(PlainGame[Table]):
    """The rules of the game."""

    name = "sealed-coins"
    seats = range(2, 4)
    events: Any = HouseDrawn | Signalled | Counted | Confirmed | Recounted | BadgeClaimed
    token_kinds = KINDS

    def begin(self, setup: Setup) -> State[Table]:
        """Begin with coins for everybody; the option `purses` sets their number."""
        players = len(setup.seated())
        purses: Sequence[int] = setup.options.get("purses", (PURSE,) * players)
        return begin(self, Table(tuple(purses), (), (False,) * players), (DrawHouse(),))

    # --- a badge at any moment --------------------------------------------------------------------

    def stands(self, event: Event) -> bool:
        """Return whether the event claims a badge, which is possible at any moment."""
        return isinstance(event, BadgeClaimed)

    def stand_refusal(self, state: State[Table], event: Event) -> Refusal | None:
        """Refuse a second badge."""
        assert isinstance(event, BadgeClaimed)
        return CLAIMED() if state.table.badges[event.seat] else None

    def stand(self, state: State[Table], event: Event) -> tuple[Table, tuple[Effect, ...]]:
        """Record the badge."""
        assert isinstance(event, BadgeClaimed)
        badges = tuple([has or seat == event.seat for seat, has in enumerate(state.table.badges)])
        return replace(state.table, badges=badges), ()

    def explain(self, state: State[Table], event: Event) -> Refusal:
        """Return the reason for a refusal, with a badge's own reason first."""
        own = self.stand_refusal(state, event) if self.stands(event) else None
        return own or super().explain(state, event)

    # --- views ------------------------------------------------------------------------------------

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return a seat's view."""
        head = state.agenda[0] if state.agenda else None
        sums = head.sums if isinstance(head, Count) else ()
        cash = None if seat is None else state.table.cash[seat]
        return View(**self.basics(state, seat), seat=seat, cash=cash, drawn=state.table.drawn, sums=sums)

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return scores that reveal nobody's money."""
        return (0,) * len(state.table.cash)

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Return whether an event reveals a secret: a drawn token and open fists cannot be hidden again."""
        return isinstance(event, HouseDrawn | Signalled)

    # --- tokens -----------------------------------------------------------------------------------

    def token_places(self, players: int) -> tuple[TokenPlace, ...]:
        """Return places for each seat's coins, badge and order, and one for the house."""
        found = [TokenPlace("house.token")]
        for seat in map(Seat, range(players)):
            found.append(TokenPlace(money_place(seat), 14, seat))
            found.append(TokenPlace(f"seat.{seat + 1}.badge", 1, seat))
            found.append(TokenPlace(f"seat.{seat + 1}.order", 1, seat))
        return tuple(found)

    def readable_places(self, state: State[Table]) -> tuple[str, ...]:
        """Return all places, without those of coins while fists are closed."""
        closed = isinstance(state.agenda[0], Fists)
        names = [place.name for place in self.token_places(len(state.table.cash))]
        return tuple([name for name in names if not (closed and name.endswith(".money"))])

    def lying_money(self, state: State[Table]) -> dict[str, int]:
        """Return that no money lies at the coin places before the count."""
        return {} if isinstance(state.agenda[0], Count) else {money_place(s): 0 for s in range(len(state.table.cash))}

    def ordered_tokens(self, state: State[Table]) -> dict[str, str]:
        """Return the order token that lies at each seat's place."""
        return {f"seat.{seat + 1}.order": f"order-{seat + 1}" for seat in range(len(state.table.cash))}

    def token_events(self, state: State[Table], seen: SeenTokens) -> Iterator[Event]:
        """Return the house's token, or the sums that are not counted yet."""
        head = state.agenda[0]
        if isinstance(head, DrawHouse) and seen.certain("house.token"):
            for token in seen.places["house.token"][:1]:
                if token in HOUSE and token not in state.table.drawn:
                    yield HouseDrawn(token)
        if isinstance(head, Count):
            for seat in head.seats:
                if head.sums[seat] is None and seen.certain(money_place(seat)):
                    yield Counted(seat, worth(KINDS, seen.places[money_place(seat)]))

    def token_claims(self, state: State[Table], seen: SeenTokens) -> Iterator[Event]:
        """Return the open badges that nobody has claimed yet."""
        for seat in map(Seat, range(len(state.table.cash))):
            if seen.places.get(f"seat.{seat + 1}.badge") == ("badge",) and not state.table.badges[seat]:
                yield BadgeClaimed(seat)


RULES = SealedCoins()
