"""A deck's cards in words: what they are called, which one a picture likely shows, which of them look alike.

Knows no pages, no camera and no picture's content.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.table.snapshot import Snapshot
from web.presenters.card_names import CardPickGroup, card_groups_of, say_card
from web.words import package, words

CLOSE = 0.15
"""A margin below this is said to be small."""


class TaughtCard(NamedTuple):
    """One card that was taught: its name in the deck, as people say it, and its pictures on the shelf."""

    card: str
    name: str
    pictures: tuple[str, ...]


class LookalikeCards(NamedTuple):
    """Two cards that look alike: names, pictures, and how surely they are told apart: `alike`, `close`, `clear`."""

    names: tuple[str, str]
    pictures: tuple[str, str]
    how: str
    percent: int


def likely(
    captured: dict[str, Any],
    groups: Sequence[CardPickGroup],
    taught: frozenset[str],
    last: str,
    say: Callable[[str], str],
) -> tuple[tuple[str, str, bool], ...]:
    """Return the cards that the captured one may be: name, as people say it, taught already.

    The next one after the last that was named, in the order of the deck; the taught one that it looks most like;
    the one after the next. A deck without an order has only the second.
    """
    order = [pick.card for group in groups for pick in group.picks]
    start = order.index(last) + 1 if last in order else 0
    following = [card for card in order[start:] + order[:start] if card not in taught]
    seen = [str(card) for card in captured.get("likeliest", ()) if card in taught]
    found = [*following[:1], *seen[:1], *following[1:2]]
    return tuple([(card, say(card), card in taught) for card in found])


def twins(pair: Any, say: Callable[[str], str]) -> LookalikeCards | None:
    """Return two cards of the report in words; None for what is no pair."""
    try:
        (one, other), (left, right), margin = pair["cards"], pair["pictures"], float(pair["margin"])
    except (KeyError, TypeError, ValueError):
        return None
    if not isinstance(one, str) or not isinstance(other, str):
        return None
    how = "alike" if margin <= 0 else "close" if margin < CLOSE else "clear"
    return LookalikeCards((say(one), say(other)), (str(left), str(right)), how, round(100 * max(0.0, min(1.0, margin))))


def card_sayer(snapshot: Snapshot, lang: str) -> Callable[[str], str]:
    """Return how the game calls its cards; a card that it does not know keeps its own name."""
    known = {pick.card: pick.name for group in card_groups_of(snapshot, lang) for pick in group.picks}
    otherwise = say_card(snapshot, words(lang, package(snapshot.game)))
    return lambda card: known.get(card) or otherwise(card)
