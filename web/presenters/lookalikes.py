"""A deck's cards in words: their names, the likeliest names of a captured card, and the pairs that look alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.devices.camera_requests import AlikePair, CaptureAnswer
from companion.table.snapshot import Snapshot
from web.presenters.card_names import CardPickGroup, card_groups_of, say_card
from web.words import package, words

CLOSE = 0.15
"""A margin (0 to 1) below this is called small."""


class TaughtCard(NamedTuple):
    """One enrolled card: its name in the deck, its name for people, and its pictures in the frames folder."""

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
    captured: CaptureAnswer | None,
    groups: Sequence[CardPickGroup],
    taught: frozenset[str],
    last: str,
    say: Callable[[str], str],
) -> tuple[tuple[str, str, bool], ...]:
    """Return the cards that the captured one may be: name in the deck, name for people, whether it is enrolled already.

    In this order: the card after the last one named, in the order of the game; the enrolled card that the picture
    resembles most; the card after the next. Cards of no game have no order: only the second is offered.
    """
    order = [pick.card for group in groups for pick in group.picks]
    start = order.index(last) + 1 if last in order else 0
    following = [card for card in order[start:] + order[:start] if card not in taught]
    seen = [card for card in captured.likeliest if card in taught] if captured is not None else []
    found = [*following[:1], *seen[:1], *following[1:2]]
    return tuple([(card, say(card), card in taught) for card in found])


def describe_pair(pair: AlikePair, say: Callable[[str], str]) -> LookalikeCards:
    """Return two cards that look alike in words."""
    how = "alike" if pair.margin <= 0 else "close" if pair.margin < CLOSE else "clear"
    names = (say(pair.cards[0]), say(pair.cards[1]))
    return LookalikeCards(names, pair.pictures, how, round(100 * max(0.0, min(1.0, pair.margin))))


def card_sayer(snapshot: Snapshot, lang: str) -> Callable[[str], str]:
    """Return a function from a card to its name in the game; a card that the game does not have keeps its own name."""
    known = {pick.card: pick.name for group in card_groups_of(snapshot, lang) for pick in group.picks}
    otherwise = say_card(snapshot, words(lang, package(snapshot.game)))
    return lambda card: known.get(card) or otherwise(card)
