"""Public data for the pages of Express beyond the view: trains as they are drawn, what fits where, what is missing."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple, get_args

from companion.engine import JsonObject, Refusal, State
from companion.games.express.ending import short_hand
from companion.games.express.profile import Group
from companion.games.express.scoring import LEAST
from companion.games.express.steps.lay import Lay
from companion.games.express.table import PILE, Table, hand_of
from companion.games.express.trains import Train, adding_objection, group_of, starting_objection
from companion.i18n import Words

OPTION_GROUPS: dict[str, tuple[str, ...]] = {
    "main": ("partners", "side", "variant", "profile", "scoring", "partners_see", "hands"),
}
"""The options of the set-up page by group."""
ASKED_FIRST = ("partners", "variant", "scoring")
"""Options that are shown at once."""
CATALOGUES = {"dealt": "reconstruction", "ours": "reconstruction", "box": "box"}
"""The figures of each deck: the option `profile` chooses them, but the owner's box has the owner's."""
FROM_HAND: frozenset[str] = frozenset()
"""A tap on a card of the hand means nothing by itself: the page shows where the card can go."""
BACK = "back-card"
"""What a camera sees of a locomotive."""
CardGroup = tuple[str, str, str, tuple[tuple[str, str], ...]]
"""Cards to choose from: title, picture, look, and each card's name with its label."""
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
    """A kind of card, and why it cannot be laid; None where it can."""

    card: str
    trains: dict[int, Refusal | None]
    """By the numbers of the trains of the side on turn."""
    begins: Refusal | None
    alone: bool
    """Whether it is laid beside the trains."""


def extras(state: State[Table]) -> dict[str, object]:
    """Return values for the templates.

    `book`: the cards of the match by name. `target`: the points that win. `least_cars`: cars that a train needs to
    score. `disasters`: whether last cars are in danger. `runs`: each train as it is drawn, by side and number. `fits`:
    what each kind of card can do while a seat lays cards. `held`: the kinds that a real hand may hold. `lengths` and
    `short`: of the side on turn the lengths of its two longest trains, and the numbers of those that score nothing.
    `pile_share`: the part of the deck that is still in the pile, in percent. `short_hand`: the rule and key that say
    what the side on turn takes back so that it can discard; empty if it can.
    """
    table, fixed = state.table, state.table.fixed
    laying = bool(state.agenda) and isinstance(state.agenda[0], Lay)
    short = short_hand(table) if laying else None
    return {
        "book": fixed.book,
        "target": fixed.profile.target,
        "least_cars": LEAST,
        "disasters": any(card.group == "disaster" for card in fixed.book.values()),
        "runs": tuple([{each.number: runs(table, each) for each in trains} for trains in table.trains]),
        "fits": {card: fit(table, card) for card in fixed.book} if laying else {},
        "held": may_hold(table) if laying and not fixed.dealt else (),
        "lengths": tuple(sorted([len(train.cars) for train in table.own_trains], reverse=True)[:2]),
        "short": tuple([train.number for train in table.own_trains if len(train.cars) < LEAST]),
        "short_hand": f"{short.rule}.{short.key}" if short else "",
        "pile_share": 100 * table.zones.count(PILE) // len(fixed.cards),
    }


def catalogue(deck: str, options: JsonObject) -> str:
    """Return whose figures a set-up takes: the owner's can be played with any deck."""
    return "box" if options.get("profile") == "owner" else CATALOGUES[deck]


def may_hold(table: Table) -> tuple[str, ...]:
    """Return the kinds of cards that the real hand on turn may hold, in the order of the deck."""
    kinds = table.zones.kinds(hand_of(table.turn))
    return tuple([card for card in table.fixed.book if card in kinds])


def runs(table: Table, train: Train) -> tuple[Run, ...]:
    """Return a train as it is drawn: its cars in laid order, equal ones together."""
    stands_for = table.fixed.score(train).stands_for
    old = len(train.cars) - train.fresh
    cars = zip(train.cars, stands_for, [at >= old for at in range(len(train.cars))], strict=True)
    return tuple(
        [
            Run(card, "" if counted == card else counted, not counted, tuple([fresh for *_, fresh in same]))
            for (card, counted), same in groupby(cars, key=lambda car: car[:2])
        ]
    )


def fit(table: Table, card: str) -> Fit:
    """Return what a kind of card can do on the table of the side on turn; whose hand holds it does not matter."""
    book = table.fixed.book
    return Fit(
        card,
        {train.number: adding_objection(book, train, card) for train in table.own_trains},
        starting_objection(book, card),
        group_of(book, card) == "maintenance",
    )


def card_names(state: State[Table]) -> tuple[str, ...]:
    """Return the names of all cards of the match."""
    return tuple(state.table.fixed.book)


def card_groups(state: State[Table], words: Words) -> tuple[CardGroup, ...]:
    """Return all cards, as the pages group them, and their back."""
    book = state.table.fixed.book
    found = [(words(f"ui.group.{group}"), [card for card in book if book[card].group == group]) for group in GROUPS]
    groups = [
        (title, "", "", tuple([(card, words(f"card.{card}")) for card in cards])) for title, cards in found if cards
    ]
    return (*groups, (words("back.backs"), "", "", ((BACK, words("back.card")),)))
