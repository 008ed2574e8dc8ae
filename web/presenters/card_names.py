"""Worded names of cards, and cards to choose from, in familiar groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from companion.games import folder_of, teller_of
from companion.i18n import Words
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.match_log import table_of
from web.words import package, words

BACK = "back-"
"""The prefix of a back's name."""


class CardPick(NamedTuple):
    """One card: its name in the deck, its label within the group, and its worded name."""

    card: str
    label: str
    name: str


class CardPickGroup(NamedTuple):
    """Cards that look alike. `icon` is an address below /static, `look` a class of style sheets; both may be empty."""

    title: str
    icon: str
    look: str
    picks: tuple[CardPick, ...]


def say_card(snapshot: Snapshot, say: Words) -> Callable[[str], str]:
    """Return a function that words a card's name as its game does; an unknown name stays as it is."""
    table, card_name = table_of(snapshot), teller_of(snapshot.game).card_name

    def say_name(name: str) -> str:
        if name.startswith(BACK):
            key = f"back.{name.removeprefix(BACK)}"
            sentence = say(key)
            return say("camera_page.back_of", name=name.removeprefix(BACK)) if sentence == key else sentence
        return str(card_name(name, say, table))

    return say_name


def card_groups_of(snapshot: Snapshot, lang: str) -> tuple[CardPickGroup, ...]:
    """Return every card that can lie on the table of this match, in groups."""
    if snapshot.state is None:
        return ()
    say = words(lang, package(snapshot.game))
    card = say_card(snapshot, say)
    sprite = f"{folder_of(snapshot.game)}/sprite.svg"
    found: list[CardPickGroup] = []
    for title, icon, look, cards in pages_of(snapshot.game).card_groups(snapshot.state, say):
        picks = tuple([CardPick(name, label, card(name)) for name, label in cards])
        found.append(CardPickGroup(title, f"{sprite}#{icon}" if icon else "", look, picks))
    counts = Counter([pick.name for group in found for pick in group.picks])
    return tuple([distinguish(group, counts) for group in found])


def distinguish(group: CardPickGroup, counts: Counter[str]) -> CardPickGroup:
    """Return a group; cards that share a name get title and label as their name."""
    picks = [p if counts[p.name] == 1 else p._replace(name=f"{group.title} {p.label}") for p in group.picks]
    return group._replace(picks=tuple(picks))


def back_of(snapshot: Snapshot, lang: str) -> str:
    """Return the back to use for an unknown face-down card: the deck's first."""
    picks = [pick for group in card_groups_of(snapshot, lang) for pick in group.picks]
    return next((pick.card for pick in picks if pick.card.startswith(BACK)), "")
