"""The views of Trains: the public table, and each seat's own hand and cards (§7).

Views are built up field by field, so that a field not set here cannot leak.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from companion.engine import JsonObject, Offer, Seat, State
from companion.games.trains.events import RailLaid
from companion.games.trains.rails import card_points, map_points, rail_cost, waivers
from companion.games.trains.steps.effects import RAIL_TEXTS, ApplyText
from companion.games.trains.steps.turn import empty_piles
from companion.games.trains.table import GAINED, PLAY, REVEALED, Table, deck_of, discard_of, hand_of
from companion.mechanics.view import PlainView, shared


class Pile(msgspec.Struct, frozen=True):
    """A pile of the supply; `cost` is None for cards not for sale."""

    card: str
    left: int
    cost: int | None
    value: int
    points: int


class CardInPlay(msgspec.Struct, frozen=True):
    """A card in play: the text that an office has copied with it, and the card whose lasting effect it carries."""

    card: str
    copied: str
    active: str


class SeatPublic(msgspec.Struct, frozen=True):
    """The public part of a seat. `points` are those of map and track; cards count at the end."""

    seat: Seat
    deck: int
    hand: int
    discard: int
    top: str
    """The top card of the discard pile (A-10); empty if nobody else has seen it."""
    cubes: int
    rails: tuple[str, ...]
    points: int


class View(PlainView, frozen=True, kw_only=True):
    """The view of Trains. The fields called `own_…` belong to the viewer."""

    board: str
    turn: Seat
    coins: int
    resolving: str
    """The card whose text is being applied or declined; empty for none."""
    played: tuple[str, ...]
    in_play: tuple[CardInPlay, ...]
    lasting: tuple[str, ...]
    """Cards whose effect lasts until the end of the turn."""
    gained: tuple[str, ...]
    revealed: tuple[str, ...]
    supply: tuple[Pile, ...]
    empty: int
    """The number of empty piles; four end the game."""
    markers: int
    stations: dict[str, int]
    seats: tuple[SeatPublic, ...]
    own_cards: tuple[str, ...] = ()
    """The known cards of the viewer's hand."""
    own_deck: tuple[tuple[str, int], ...] = ()
    """All cards that the viewer possesses, wherever they are, with the number of each."""
    own_discard: tuple[tuple[str, int], ...] = ()
    """The seen cards of the viewer's discard pile."""
    own_unseen: tuple[tuple[str, int], ...] = ()
    """The viewer's cards in places it has not seen: in the deck; with real cards also in the hand."""
    own_top: str = ""
    """The top card of the viewer's deck, if it has seen it."""
    own_points: int = 0
    """The points on these cards."""
    own_costs: tuple[tuple[str, int], ...] = ()
    """The viewer's cost of a rail on each cell open to it now."""


def view(state: State[Table], seat: Seat | None, basics: JsonObject) -> View:
    """Return the view of the seat, or of everybody for None; `basics` are the fields of every view."""
    table = state.table
    shown = View(**basics, **public(state))
    if seat is None:
        return shown
    hand = seen_in(table, hand_of(seat), seat)
    return msgspec.structs.replace(
        shown,
        own_cards=hand,
        own_deck=tuple(sorted(table.owned[seat].items())),
        own_discard=counted(seen_in(table, discard_of(seat), seat)),
        own_unseen=unseen(table, seat),
        own_top=(table.zones.view_of(deck_of(seat), seat)[-1:] or ("",))[0] or "",
        own_points=card_points(table, seat),
        own_costs=_costs(state, shown.offers),
    )


@shared
def public(state: State[Table]) -> JsonObject:
    """Return the public fields of `View`."""
    table, head = state.table, state.agenda[0] if state.agenda else None
    return dict(
        board=table.fixed.options.board,
        turn=table.turn,
        coins=table.coins,
        resolving=head.card if isinstance(head, ApplyText) else "",
        played=table.played,
        in_play=tuple([CardInPlay(c, e.copied, e.active) for c, e in zip(table.played, table.in_play, strict=True)]),
        lasting=tuple([each.active for each in table.in_play if each.active]),
        gained=table.zones.named(GAINED),
        revealed=table.zones.named(REVEALED),
        supply=tuple([_pile(table, card, left) for card, left in table.supply.items()]),
        empty=len(empty_piles(table)),
        markers=table.markers,
        stations=table.stations,
        seats=tuple([_seat(table, Seat(each), points) for each, points in enumerate(live_points(table))]),
    )


def seen_in(table: Table, zone: str, seat: Seat) -> tuple[str, ...]:
    """Return the cards of a zone that a seat knows."""
    return tuple([card for card in table.zones.view_of(zone, seat) if card is not None])


def unseen(table: Table, seat: Seat) -> tuple[tuple[str, int], ...]:
    """Return the cards that a seat possesses and does not see anywhere, with the number of each, by name."""
    left = dict(table.owned[seat])
    zones = [hand_of(seat), discard_of(seat), *((PLAY, GAINED, REVEALED) if table.turn == seat else ())]
    for zone in zones:
        for card in seen_in(table, zone, seat):
            left[card] -= 1
    return tuple(sorted([(card, count) for card, count in left.items() if count]))


def counted(cards: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return cards with the number of each, by name."""
    return tuple(sorted(Counter(cards).items()))


def _costs(state: State[Table], offers: tuple[Offer, ...]) -> tuple[tuple[str, int], ...]:
    """Return the cost of a rail on each offered cell (R-16)."""
    head = state.agenda[0] if state.agenda else None
    if not isinstance(head, ApplyText) or head.card not in RAIL_TEXTS:
        return ()
    waived = waivers(state.table, head.card)
    cells = [event.cell for offer in offers for event in offer if isinstance(event, RailLaid)]
    return tuple([(cell, rail_cost(state.table, head.seat, cell, waived)) for cell in cells])


@shared
def live_points(table: Table) -> tuple[int, ...]:
    """Return the points of map and track, by seat, without the cards, which count at the end."""
    return tuple([table.track[seat] + map_points(table, seat) for seat in range(table.fixed.players)])


def _pile(table: Table, card: str, left: int) -> Pile:
    kind = table.card(card)
    return Pile(card, left, None if card == "waste" else kind.cost, kind.value or 0, kind.points)


def _seat(table: Table, seat: Seat, points: int) -> SeatPublic:
    count = table.zones.count
    return SeatPublic(
        seat=seat,
        deck=count(deck_of(seat)),
        hand=count(hand_of(seat)),
        discard=count(discard_of(seat)),
        top=table.zones.top_of(discard_of(seat)) or "",
        cubes=table.cubes_left(seat),
        rails=table.rails[seat],
        points=points,
    )
