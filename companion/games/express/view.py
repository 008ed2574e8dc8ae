"""What may be known of Express: the public table, and each seat's own hand and locomotives (§6).

Views are built up field by field, so that a field not set here cannot leak.
"""

from __future__ import annotations

import msgspec

from companion.engine import JsonObject, Seat, State
from companion.games.express.ending import missing_to_go_out, own_limit
from companion.games.express.scoring import TrainScore
from companion.games.express.steps.setup import DrawForDeal
from companion.games.express.table import DISCARD, PILE, SLOT, Table, engine_of, hand_of
from companion.mechanics.view import PlainView, shared


class TrainPublic(msgspec.Struct, frozen=True):
    """A train as everybody sees it."""

    number: int
    cars: tuple[str, ...]
    diesel: bool
    shielded: bool
    """Whether a caboose protects its last car from break and steal (R-11)."""
    fresh: int
    """How many of its last cars were laid this turn."""
    score: TrainScore


class SidePublic(msgspec.Struct, frozen=True):
    """A side as everybody sees it."""

    seats: tuple[Seat, ...]
    trains: tuple[TrainPublic, ...]
    maintenance: tuple[str, ...]
    points: int
    """What its trains and maintenance cards would score now."""
    total: int
    """Its points of the hands before."""


class View(PlainView, frozen=True, kw_only=True):
    """What a viewer may know. The fields called `own_…` are the viewer's own."""

    profile: str
    """The name of the figures: `ours` are not the publisher's, `reconstruction` is unverified."""
    turn: Seat
    dealer: Seat
    hand_number: int
    reversed: bool
    first_round: bool
    hands: tuple[int, ...]
    """How many cards each seat holds."""
    limit: int
    drawn: tuple[str, ...]
    """What each seat drew for the deal of the first hand, empty for nothing (R-02)."""
    left: int
    """How many cards the seat on turn keeps if it discards now."""
    own_limit: int = 0
    """In the own laying phase: how many cards it may keep, more than the limit where it can lay no others (A-05)."""
    pile: int
    discard: str
    """The top card, empty for none."""
    discarded: int
    slot: tuple[str, ...]
    sides: tuple[SidePublic, ...]
    missing: tuple[str, ...]
    """The conditions of going out that the side on turn does not meet, `a` and `b`: what lies on the table (R-26)."""
    answer: str
    course: tuple[tuple[int, ...], ...]
    """The totals by side after each hand."""
    own_cards: tuple[str, ...] = ()
    own_locomotives: tuple[tuple[int, str], ...] = ()
    """In the own laying phase: the numbers of the side's trains and their locomotives (R-16)."""
    partner_cards: tuple[tuple[Seat, tuple[str, ...]], ...] = ()
    """The partners' hands, where the option shows them."""


def view(state: State[Table], seat: Seat | None, basics: JsonObject) -> View:
    """Return what the seat, or everybody for None, may know; `basics` are the fields of every view."""
    table, fixed = state.table, state.table.fixed
    shown = View(**basics, **public(state))
    if seat is None:
        return shown
    partners = fixed.sides.partners(seat) if fixed.options.partners_see == "hands" else ()
    laying = table.laying and table.turn == seat
    return msgspec.structs.replace(
        shown,
        own_cards=held(table, seat),
        own_locomotives=locomotives(table, seat) if laying else (),
        own_limit=own_limit(table) if laying else 0,
        partner_cards=tuple([(each, held(table, each)) for each in partners]),
    )


@shared
def public(state: State[Table]) -> JsonObject:
    """Return the fields of `View` that everybody may know."""
    table, zones, fixed = state.table, state.table.zones, state.table.fixed
    count = table.hand(table.turn)
    return dict(
        profile=fixed.profile.name,
        turn=table.turn,
        dealer=table.match.dealer,
        hand_number=table.match.number,
        reversed=table.reversed,
        first_round=table.first_round,
        hands=tuple([table.hand(each) for each in range(fixed.players)]),
        limit=fixed.limit,
        drawn=drawn_for_deal(state),
        left=max(0, count - 1) if table.laying else count,
        pile=zones.count(PILE),
        discard=zones.top_of(DISCARD) or "",
        discarded=zones.count(DISCARD),
        slot=zones.named(SLOT),
        sides=tuple([side_view(table, side) for side in range(len(fixed.sides.groups))]),
        missing=tuple([each for each in missing_to_go_out(table) if each in ("a", "b")]),
        answer=table.answer,
        course=table.match.course,
    )


def drawn_for_deal(state: State[Table]) -> tuple[str, ...]:
    """Return what each seat drew for the deal; nothing of those who tied and have to draw again (R-02)."""
    step = state.agenda[0] if state.agenda else None
    waits = step.seats[len(step.cards) :] if isinstance(step, DrawForDeal) else ()
    return tuple(["" if seat in waits else card for seat, card in enumerate(state.table.drawn)])


def held(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the cards of a seat's hand as far as it knows them, in the order of the deck."""
    order = list(table.fixed.deck)
    known = [card for card in table.zones.view_of(hand_of(seat), seat) if card is not None]
    return tuple(sorted(known, key=order.index))


def locomotives(table: Table, seat: Seat) -> tuple[tuple[int, str], ...]:
    """Return the locomotives of the side on turn, as far as a seat of it knows them (R-16)."""
    known = [
        (train.number, table.zones.view_of(engine_of(table.side, train.number), seat)) for train in table.own_trains
    ]
    return tuple([(number, cards[0]) for number, cards in known if cards and cards[0] is not None])


def side_view(table: Table, side: int) -> SidePublic:
    """Return what everybody may know of a side."""
    fixed, laid = table.fixed, table.maintenance[side]
    trains = tuple(
        [
            TrainPublic(train.number, train.cars, train.diesel, train.closed, train.fresh, fixed.score(train))
            for train in table.trains[side]
        ]
    )
    points = sum([fixed.book[card].value or 0 for card in laid]) + sum([train.score.points for train in trains])
    return SidePublic(fixed.sides.groups[side], trains, laid, points, table.match.totals[side])
