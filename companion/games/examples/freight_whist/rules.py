"""Freight Whist as the house plays it: how it begins, what is seen, what lies where, who wins."""

from __future__ import annotations

from typing import Any

from companion.engine import Event, Layout, Place, Seat, Setup, Spot, State, begin
from companion.games.examples.freight_whist.steps import (
    CardPlayed,
    CardSeen,
    HandCalled,
    HandsDealt,
    TrumpTurned,
    TurnUp,
    start,
)
from companion.games.examples.freight_whist.table import (
    DECK,
    HANDS,
    MOST_HANDS,
    PLAYERS,
    SIDES,
    Table,
    suit_of,
)
from companion.mechanics.hands import SeveralHands
from companion.mechanics.plain import PlainGame
from companion.mechanics.view import Fact, PlainView


class View(PlainView, frozen=True, kw_only=True):
    """What a viewer may know."""

    turned: str
    trick: tuple[str, ...]
    """In the order played."""
    own_cards: tuple[str, ...]
    """The viewer's own."""


class FreightWhist(PlainGame[Table]):
    """The rules of Freight Whist."""

    name = "freight-whist"
    seats = range(PLAYERS, PLAYERS + 1)
    events: Any = HandsDealt | TrumpTurned | CardPlayed | CardSeen | HandCalled

    def begin(self, setup: Setup) -> State[Table]:
        """Return the first state (R-01)."""
        hands = SeveralHands(self.count_players(setup), len(SIDES.groups), MOST_HANDS)
        return begin(self, *start(setup.deck == "dealt", hands))

    def view(self, state: State[Table], seat: Seat | None) -> View:
        """Return what the seat, or everybody, may know, built up from nothing."""
        table = state.table
        held = () if seat is None else table.zones.view_of(HANDS[seat], seat)
        own = tuple(sorted([card for card in held if card], key=DECK.index))
        return View(**self.basics(state, seat), turned=table.turned, trick=table.trick, own_cards=own)

    def facts(self, state: State[Table]) -> tuple[Fact, ...]:
        """Return trumps, the dealer, and how many tricks each side has."""
        table = state.table
        tricks = [{"seats": side, "count": count} for side, count in zip(SIDES.groups, table.tricks, strict=True)]
        trumps = [Fact(f"trumps.{suit_of(table.turned)}")] if table.turned else []
        return (*trumps, Fact("dealer", {"seat": table.match.dealer}), *[Fact("tricks", side) for side in tricks])

    def scores(self, state: State[Table]) -> tuple[int, ...]:
        """Return the points of every seat's side (R-07)."""
        return SIDES.each_seat(state.table.match.totals)

    def sides(self, setup: Setup) -> tuple[tuple[Seat, ...], ...]:
        """Return the partners (R-01)."""
        return SIDES.groups

    def reveals(self, event: Event, after: State[Table]) -> bool:
        """Whether people saw a card for the first time; a real one that was typed wrongly is just corrected."""
        return isinstance(event, HandsDealt | TrumpTurned | CardPlayed)

    # --- for the camera ---------------------------------------------------------------------------

    def places(self, players: int) -> tuple[Place, ...]:
        """Return the places of the table: each seat's card of the trick in the middle, each side's tricks in a pile."""
        cards = [Place(f"seat.{seat + 1}.card", "spread") for seat in range(players)]
        piles = [Place(f"seat.{group[0] + 1}.tricks", "pile", len(DECK), group[0]) for group in SIDES.groups]
        return (Place("turned", "spread"), *cards, *piles)

    def layout(self, state: State[Table]) -> Layout:
        """Return what lies there.

        Dealt cards of a trick lie until the next lead. Real ones are gathered at once, and the dealer takes up the last
        card at the first play, but nobody has to hurry.
        """
        table = state.table
        if not table.turned:
            return Layout({"turned": Spot()})
        waits = not any(table.tricks) and not table.lying[table.match.dealer]
        spots = {"turned": Spot((table.turned,) if waits else ())} if waits or not table.dealt else {}
        shown = table.last if table.dealt and not table.trick else table.lying
        spots |= {f"seat.{seat}.card": Spot((card,) if card else ()) for seat, card in enumerate(shown, 1)}
        for group, tricks in zip(SIDES.groups, table.tricks, strict=True):
            spots |= {f"seat.{group[0] + 1}.tricks": Spot(down=PLAYERS * tricks)} if tricks else {}
        gathered = [("turned", table.turned), *[(f"seat.{seat}.card", card) for seat, card in enumerate(table.last, 1)]]
        return Layout(spots, lingering={name: (card,) for name, card in gathered if card}, loose=state.over)

    def candidate_events(self, state: State[Table], said: Layout, seen: Layout) -> list[Event]:
        """Return what may have happened: the card that lies before the seat on turn, or the one turned up."""
        if isinstance(state.agenda[0], TurnUp):
            return list(map(TrumpTurned, seen.spot("turned").up))
        return list(map(CardSeen, seen.spot(f"seat.{state.table.turn + 1}.card").up))

    def resting_layouts(self, before: State[Table], event: Event, after: State[Table]) -> list[Layout]:
        """Return the last card of a trick as it lies before the trick is gathered."""
        if not isinstance(event, CardSeen) or len(before.table.trick) < PLAYERS - 1:
            return []
        return [Layout(self.layout(before).spots | {f"seat.{before.table.turn + 1}.card": Spot((event.card,))})]


RULES = FreightWhist()
