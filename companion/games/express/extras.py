"""Public data for the pages of Express beyond the view: trains as they are drawn, what fits where, what is missing."""

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
"""The figures of each deck: the option `profile` chooses them, but the owner's box has the owner's."""
BACK = "back-card"
"""What a camera sees of a locomotive."""
GROUPS: tuple[str, ...] = get_args(Group)
"""Kinds of cards, in the order of the pages."""


class Run(NamedTuple):
    """Cars of a train that are alike and follow one another: they are drawn with one label."""

    card: str
    stands_for: str
    """What a wild card or a caboose counts as; empty for other cars, and for a wild of transition."""
    link: bool
    """Whether it is a wild card that leads over to other cars (R-13)."""
    fresh: tuple[bool, ...]
    """Of each car, whether it was laid this turn."""


class Fit(NamedTuple):
    """Why a kind of card cannot be laid; None where it can."""

    trains: dict[int, Refusal | None]
    """By the numbers of the trains of the side on turn."""
    gains: dict[int, int]
    """How many points it would add to each train that takes it."""
    begins: Refusal | None
    alone: bool
    """Whether it is laid beside the trains."""


def extras(state: State[Table]) -> dict[str, object]:
    """Return values for the templates.

    `book`: the cards of the match by name. `target`: the points that win. `least_cars`: cars that a train needs to
    score. `disasters`: whether last cars are in danger. `runs`: each train as it is drawn, by side and number. `fits`:
    what each kind of card can do while a seat lays cards. `held`: the kinds that a real hand may hold. `lengths` and
    `short`: of the side on turn the lengths of its two longest trains, and the numbers of those that score nothing.
    `pile_share`: the part of the deck that is still in the pile, in percent. `hand_over`: whether trains are in the
    totals already. `short_hand`: the rule and key that say
    what the side on turn takes back so that it can discard; empty if it can.
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
    """Return a train as it is drawn: its cars in laid order, equal ones together."""
    fresh = [at >= len(train.old_cars) for at in range(len(train.cars))]
    cars, found = zip(train.cars, table.fixed.score(train).stands_for, fresh, strict=True), list[Run]()
    for (card, counted), same in groupby(cars, key=lambda car: car[:2]):
        found.append(Run(card, "" if counted == card else counted, not counted, tuple([fresh for *_, fresh in same])))
    return tuple(found)


def fit(table: Table, card: str) -> Fit:
    """Return what a kind of card can do on the table of the side on turn; whose hand holds it does not matter."""
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
    """Return all cards, as the pages group them, and their back."""
    book, found = state.table.fixed.book, list[CardGroup]()
    for group in GROUPS:
        cards = tuple([(card, words(f"card.{card}")) for card in book if book[card].group == group])
        found += [(words(f"ui.group.{group}"), "", "", cards)] if cards else []
    return (*found, (words("back.backs"), "", "", ((BACK, words("back.card")),)))


PAGES = PageParts(
    from_hand=(),  # a tap on a card of the hand means nothing by itself: the page shows where the card can go
    option_groups={"main": ("partners", "side", "variant", "profile", "scoring", "partners_see", "hands")},
    asked_first=("partners", "variant", "scoring"),
    catalogues=CATALOGUES,
    catalogue=lambda deck, options: "box" if options.get("profile") == "owner" else CATALOGUES[deck],
    values=extras,
    card_names=lambda state: tuple(state.table.fixed.book),
    card_groups=card_groups,
)
