"""The views: the public table and each seat's own part (secrecy table of the rules).

Views are built up field by field, never by removing parts of a state, so that a field not set here cannot leak.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from companion.engine import Event, Offer, Seat, State, Step, offers_of
from companion.games.game_of_trains.catalogue import ABILITIES
from companion.games.game_of_trains.lines import in_order
from companion.games.game_of_trains.steps.pool import KeepOdd, ReadAbility
from companion.games.game_of_trains.steps.setup import Choose, Deal, DrawHands, NameFirst, draws
from companion.games.game_of_trains.steps.turn import Act, Draw, Place, Refill
from companion.games.game_of_trains.steps.uses import moved, open_uses
from companion.games.game_of_trains.table import GAP, Table
from companion.mechanics.view import shared

CHANCE = (Deal, NameFirst, DrawHands, Draw, Refill, ReadAbility)
"""Steps that wait for cards to be revealed, not for a decision."""


class CardView(msgspec.Struct, frozen=True, gc=False):
    """A face-up wagon card. `rule` is the number of its ability; both are empty until somebody has read it."""

    number: int
    ability: str
    rule: str


class SeatPublic(msgspec.Struct, frozen=True):
    """The public part of a seat. `locks` are the protected positions, `draws` its cards of the set-up."""

    seat: Seat
    line: tuple[CardView | None, ...]
    """The wagons from left to right; None is a gap."""
    locks: tuple[int, ...]
    in_order: int
    """The length of the longest rising sequence; 7 wins."""
    awaited: bool
    draws: int
    holds: bool = False
    """Whether it holds a drawn card before its placement."""


class TableView(msgspec.Struct, frozen=True):
    """The public table. `moment` is the name of the current step, such as `act` or `refill`."""

    moment: str
    awaited: tuple[Seat, ...]
    chance: bool
    """Whether the table waits for a card to be revealed, not for a decision."""
    first: Seat
    turn: Seat | None
    """The seat on turn, once the set-up is done."""
    seats: tuple[SeatPublic, ...]
    pool: tuple[CardView, ...]
    pile: int
    discard: int
    """The number of cards in the closed discard (R-12)."""
    reshuffle: bool
    """Whether the pile is empty and a card is needed (R-13)."""
    refill: int = 0
    """The position of the current refills; 0 for none."""
    refills: tuple[Seat, ...] = ()
    """The seats that still have a gap, the next one first."""
    asked: tuple[CardView, ...] = ()
    """Cards in question: those of which one stays in the pool, or the one with an unread ability."""
    discarded: tuple[CardView, ...] = ()
    """The cards in the discard, only under `training`."""
    winner: Seat | None = None


class UseView(msgspec.Struct, frozen=True):
    """One possible use of a pool card by a seat, and the positions whose padlocks it would lose (R-16)."""

    event: Event
    loses: tuple[int, ...] = ()


class HelpView(msgspec.Struct, frozen=True):
    """A pool card and its possible uses in a seat's own line, in anybody's turn."""

    card: CardView
    uses: tuple[UseView, ...]


class SeatView(msgspec.Struct, frozen=True):
    """One seat's own part, for that seat alone: hand, help and offers."""

    table: TableView
    seat: Seat
    hand: tuple[CardView, ...]
    """The cards it drew in the set-up, if the companion dealt them, or the card of action 1."""
    help: tuple[HelpView, ...]
    risky: tuple[int, ...]
    """Positions where placing a card would lose a padlock (R-16)."""
    offers: tuple[Offer, ...]
    """The seat's own offers."""


@shared
def public_view(state: State[Table]) -> TableView:
    """Return the public view, built field by field."""
    table, head = state.table, state.agenda[0] if state.agenda else None
    waits = awaited_seats(state)
    return TableView(
        moment=head.name if head is not None else "over",
        awaited=waits,
        chance=isinstance(head, CHANCE),
        first=table.first,
        turn=head.seat if isinstance(head, Act | Draw | Place) else head.user if isinstance(head, Refill) else None,
        seats=tuple([_seat(table, head, Seat(s), Seat(s) in waits) for s in range(table.fixed.players)]),
        pool=_cards(table, table.pool),
        pile=table.pile,
        discard=table.discarded,
        reshuffle=isinstance(head, Draw | Refill) and not table.pile,
        refill=head.position if isinstance(head, Refill) else 0,
        refills=head.seats if isinstance(head, Refill) else (),
        asked=_cards(table, _asked_cards(head)),
        discarded=_cards(table, sorted(table.discard)) if table.fixed.options.training == "yes" else (),
        winner=table.winner,
    )


def seat_view(state: State[Table], seat: Seat) -> SeatView:
    """Return one seat's own part."""
    table = state.table
    offers = offers_of(state.agenda[0], table) if state.agenda else ()
    return SeatView(
        table=public_view(state),
        seat=seat,
        hand=_cards(table, table.hand(seat)),
        help=tuple([help_view(table, seat, card) for card in table.pool]),
        risky=table.locked(seat),
        offers=tuple([offer for offer in offers if offer.by == seat]),
    )


def awaited_seats(state: State[Table]) -> tuple[Seat, ...]:
    """Return the seats that the table waits for, to decide or to reveal a card."""
    match state.agenda:
        case ():
            return ()
        case (Deal(seats), *_):
            return seats
        case (Draw(seat), *_):
            return (seat,)
        case (Refill(seats=seats), *_):
            return seats[:1]
    return state.agenda[0].awaits(state.table)


def card_view(table: Table, card: int) -> CardView:
    """Return the view of a face-up card."""
    ability = table.fixed.book.abilities[card]
    return CardView(card, ability or "", ABILITIES[ability] if ability else "")


def help_view(table: Table, seat: Seat, card: int) -> HelpView:
    """Return a seat's possible uses of a pool card, and the padlocks it would lose."""
    book, line, locked = table.fixed.book, table.lines[seat], table.locked(seat)
    found = [(event, moved(book, event, line)[1]) for event in open_uses(table.fixed, seat, card, table.locks[seat])]
    uses = [UseView(event, tuple([at for at in locked if at in changed])) for event, changed in found]
    return HelpView(card_view(table, card), tuple(uses))


def _seat(table: Table, head: Step[Table] | None, seat: Seat, waits: bool) -> SeatPublic:
    """Return the public part of a seat."""
    line = table.lines[seat]
    choosing = isinstance(head, Choose) and seat in head.seats
    return SeatPublic(
        seat=seat,
        line=tuple([None if card == GAP else card_view(table, card) for card in line]),
        locks=table.locked(seat),
        in_order=in_order(line),
        awaited=waits,
        draws=draws(table, seat) if choosing or isinstance(head, DrawHands) else 0,
        holds=choosing or (isinstance(head, Place) and head.seat == seat),
    )


def _cards(table: Table, cards: Iterable[int]) -> tuple[CardView, ...]:
    return tuple([card_view(table, card) for card in cards])


def _asked_cards(head: Step[Table] | None) -> tuple[int, ...]:
    match head:
        case KeepOdd(cards):
            return cards
        case ReadAbility(card):
            return (card,)
    return ()
