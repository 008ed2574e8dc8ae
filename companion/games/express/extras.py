"""Public data for the pages of Express beyond the view: drawn trains, possible places, missing conditions."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple, get_args

from companion.engine import Refusal, State
from companion.games.express.ending import short_hand
from companion.games.express.profile import Group
from companion.games.express.scoring import LEAST
from companion.games.express.steps.lay import Lay
from companion.games.express.table import PILE, Table, hand_of
from companion.games.express.trains import Train, added, adding_objection, starting_objection
from companion.i18n import Words
from companion.mechanics.definition import CardGroup, PageParts

CATALOGUES = {"dealt": "reconstruction", "ours": "reconstruction", "box": "box"}
"""The figures of each deck: the option `profile` chooses them, except for the owner's box."""
BACK = "back-card"
"""A locomotive as a camera sees it."""
GROUPS: tuple[str, ...] = get_args(Group)
"""Kinds of cards, in the order of the pages."""


class Run(NamedTuple):
    """Equal consecutive cars of a train, drawn with one label."""

    card: str
    stands_for: str
    """The car that a wild card or a caboose stands for; empty for other cars, and for a wild of transition."""
    link: bool
    """Whether it is a wild card that links to other cars (R-13)."""
    fresh: tuple[bool, ...]
    """Whether each car was laid this turn."""


class Fit(NamedTuple):
    """Why a kind of card cannot be laid; None if it can."""

    trains: dict[int, Refusal | None]
    """The reason why the kind cannot join each train of the side on turn, by the train's number."""
    gains: dict[int, int]
    """The points it would add to each train that accepts it."""
    begins: Refusal | None
    alone: bool
    """Whether it is laid beside the trains."""


def extras(state: State[Table]) -> dict[str, object]:
    """Return values for the templates.

    `book`: the cards of the match by name. `target`: the winning points. `least_cars`: the fewest cars of a train that
    scores. `disasters`: whether last cars are in danger. `runs`: each drawn train, by side and number. `fits`: the
    possible places of each kind of card while a seat lays cards. `held`: the kinds that a real hand may hold. `lengths`
    and `short`: for the side on turn, the lengths of its two longest trains, and the numbers of those that score
    nothing. `pile_share`: the pile's share of the deck, in percent. `hand_over`: whether the totals already include the
    trains. `short_hand`: the rule and key of the sentence that tells the side on turn how many cards to take back
    before it can discard; empty if it can.
    """
    table, fixed = state.table, state.table.fixed
    laying = bool(state.agenda) and isinstance(state.agenda[0], Lay)
    short = short_hand(table) if laying else None
    kinds = table.zones.kinds(hand_of(table.turn)) if laying and not fixed.dealt else ()
    return {
        "book": fixed.book,
        "target": fixed.profile.target,
        "least_cars": LEAST,
        "disasters": any(card.group == "disaster" for card in fixed.book.values()),
        "runs": tuple([tuple([runs(table, each) for each in trains]) for trains in table.trains]),
        "fits": {card: fit(table, card) for card in fixed.book} if laying else {},
        "held": tuple([card for card in fixed.book if card in kinds]),
        "lengths": tuple(sorted([len(train.cars) for train in table.own_trains], reverse=True)[:2]),
        "short": tuple([train.number for train in table.own_trains if len(train.cars) < LEAST]),
        "short_hand": f"{short.rule}.{short.key}" if short else "",
        "hand_over": bool(state.agenda) and state.agenda[0].name == "next_hand",
        "pile_share": 100 * table.zones.count(PILE) // len(fixed.cards),
    }


def runs(table: Table, train: Train) -> tuple[Run, ...]:
    """Return a train for drawing: its cars in laid order, equal ones together."""
    fresh = [at >= len(train.old_cars) for at in range(len(train.cars))]
    cars, found = zip(train.cars, table.fixed.score(train).stands_for, fresh, strict=True), list[Run]()
    for (card, counted), same in groupby(cars, key=lambda car: car[:2]):
        found.append(Run(card, "" if counted == card else counted, not counted, tuple([fresh for *_, fresh in same])))
    return tuple(found)


def fit(table: Table, card: str) -> Fit:
    """Return the possible places of a kind of card for the side on turn, without a look at any hand."""
    book = table.fixed.book
    joins = {train.number: adding_objection(book, train, card) for train in table.own_trains}
    score = table.fixed.score
    gains = {
        train.number: score(added(train, card)).points - score(train).points
        for train in table.own_trains
        if joins[train.number] is None
    }
    return Fit(joins, gains, starting_objection(book, card), card in table.fixed.shields)


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return all cards in the groups of the pages, and their back."""
    book, found = state.table.fixed.book, list[CardGroup]()
    for group in GROUPS:
        cards = tuple([(card, words(f"card.{card}")) for card in book if book[card].group == group])
        found += [(words(f"ui.group.{group}"), "", "", cards)] if cards else []
    return (*found, (words("back.backs"), "", "", ((BACK, words("back.card")),)))


PAGES = PageParts(
    from_hand=(),  # a tap on a card of the hand shows its possible places and enters nothing
    option_groups={"main": ("partners", "side", "variant", "profile", "scoring", "partners_see", "hands")},
    asked_first=("partners", "variant", "scoring"),
    catalogues=CATALOGUES,
    catalogue=lambda deck, options: "box" if options.get("profile") == "owner" else CATALOGUES[deck],
    values=extras,
    card_names=lambda state: tuple(state.table.fixed.book),
    card_groups=card_groups,
)
