"""The views of Express: the public table, and each seat's own hand and locomotives (§6).

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
    """The public part of a train."""

    number: int
    cars: tuple[str, ...]
    diesel: bool
    shielded: bool
    """Whether a caboose protects its last car from Break and Steal (R-11)."""
    fresh: int
    """The number of its last cars that were laid this turn."""
    score: TrainScore


class SidePublic(msgspec.Struct, frozen=True):
    """The public part of a side."""

    seats: tuple[Seat, ...]
    trains: tuple[TrainPublic, ...]
    maintenance: tuple[str, ...]
    points: int
    """The present value of its trains and maintenance cards in points."""
    total: int
    """Its points from earlier hands."""


class View(PlainView, frozen=True, kw_only=True):
    """The view of Express. The fields called `own_…` belong to the viewer."""

    profile: str
    """The name of the figures: `ours` differ from the publisher's, `reconstruction` is unverified."""
    turn: Seat
    dealer: Seat
    hand_number: int
    reversed: bool
    first_round: bool
    hands: tuple[int, ...]
    """The number of cards in each seat's hand."""
    limit: int
    drawn: tuple[str, ...]
    """Each seat's card for the choice of the first dealer, empty for none (R-02)."""
    left: int
    """The cards that the seat on turn keeps if it discards now."""
    own_limit: int = 0
    """The most cards that the viewer may keep, in its own laying phase: above the limit if it can lay no others
    (A-05)."""
    pile: int
    discard: str
    """The top card, empty for none."""
    discarded: int
    slot: tuple[str, ...]
    sides: tuple[SidePublic, ...]
    missing: tuple[str, ...]
    """The unmet conditions of the side on turn for going out that the table shows, `a` and `b` (R-26)."""
    answer: str
    course: tuple[tuple[int, ...], ...]
    """The totals by side after each hand."""
    own_cards: tuple[str, ...] = ()
    own_locomotives: tuple[tuple[int, str], ...] = ()
    """The numbers of the side's trains and their locomotives, in the viewer's own laying phase (R-16)."""
    partner_cards: tuple[tuple[Seat, tuple[str, ...]], ...] = ()
    """The partners' hands, if the option shows them."""


def view(state: State[Table], seat: Seat | None, basics: JsonObject) -> View:
    """Return the view of the seat, or of everybody for None; `basics` are the fields of every view."""
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
    """Return the public fields of `View`."""
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
    """Return each seat's card for the choice of the dealer; none for tied seats that must draw again (R-02)."""
    step = state.agenda[0] if state.agenda else None
    waits = step.seats[len(step.cards) :] if isinstance(step, DrawForDeal) else ()
    return tuple(["" if seat in waits else card for seat, card in enumerate(state.table.drawn)])


def held(table: Table, seat: Seat) -> tuple[str, ...]:
    """Return the known cards of a seat's hand, in the order of the deck."""
    order = list(table.fixed.deck)
    known = [card for card in table.zones.view_of(hand_of(seat), seat) if card is not None]
    return tuple(sorted(known, key=order.index))


def locomotives(table: Table, seat: Seat) -> tuple[tuple[int, str], ...]:
    """Return the locomotives of the side on turn that a seat of it knows (R-16)."""
    known = [
        (train.number, table.zones.view_of(engine_of(table.side, train.number), seat)) for train in table.own_trains
    ]
    return tuple([(number, cards[0]) for number, cards in known if cards and cards[0] is not None])


def side_view(table: Table, side: int) -> SidePublic:
    """Return the public part of a side."""
    fixed, laid = table.fixed, table.maintenance[side]
    trains = tuple(
        [
            TrainPublic(train.number, train.cars, train.diesel, train.closed, train.fresh, fixed.score(train))
            for train in table.trains[side]
        ]
    )
    points = sum([fixed.book[card].value or 0 for card in laid]) + sum([train.score.points for train in trains])
    return SidePublic(fixed.sides.groups[side], trains, laid, points, table.match.totals[side])
