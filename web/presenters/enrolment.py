"""Enrolment in words: names, missing cards, candidates for a captured card or token, and look-alikes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.devices.camera_requests.enrolment import AlikePair, CapturedCard, CapturedToken
from companion.engine import AnyGame, TokenKind, tokens_seen
from companion.table.snapshot import Snapshot
from web.game_pages import pages_of
from web.presenters.card_names import CardPick, CardPickGroup, card_groups_of, say_card
from web.words import package, words

CLOSE = 0.15
"""A margin (0 to 1) below this counts as small."""
BOTH_FACES = 2
"""The number of pictures of a token with the same face on both sides."""


class TaughtCard(NamedTuple):
    """One enrolled card: its name in the deck, its name for people, and its pictures in the frames folder."""

    card: str
    name: str
    pictures: tuple[str, ...]


class LookalikeCards(NamedTuple):
    """Two cards that look alike: names, pictures, and how clearly they differ: `alike`, `close`, `clear`."""

    names: tuple[str, str]
    pictures: tuple[str, str]
    how: str
    percent: int


def likely(
    captured: CapturedCard | None,
    groups: Sequence[CardPickGroup],
    taught: frozenset[str],
    last: str,
    say: Callable[[str], str],
) -> tuple[tuple[str, str, bool], ...]:
    """Return the candidates for a captured card: name in the deck, name for people, whether it is enrolled already.

    The order is: the card that follows the last named one in the game, the most similar enrolled card, and the card
    that follows next. Cards of no game have no order: only the similar one is offered.
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


# --- tokens ---------------------------------------------------------------------------------------


def token_groups_of(game: AnyGame, lang: str) -> tuple[CardPickGroup, ...]:
    """Return every face of a game's tokens, in groups; empty if the camera reads none."""
    if not tokens_seen(game):
        return ()
    groups = pages_of(game).token_groups(words(lang, package(game)))
    return tuple(
        CardPickGroup(title, "", look, tuple([CardPick(name, label, label) for name, label in faces]))
        for title, _, look, faces in groups
    )


def wanted_pictures(game: AnyGame) -> dict[str, int]:
    """Return how many pictures each face of a game's tokens needs."""
    kinds: tuple[TokenKind, ...] = game.token_kinds if tokens_seen(game) else ()
    wanted = {kind.name: 1 if kind.back else BOTH_FACES for kind in kinds}
    return wanted | {kind.back: 1 for kind in kinds if kind.back}


def token_sayer(groups: Sequence[CardPickGroup]) -> Callable[[str], str]:
    """Return a function from a token to its name for people, which includes the group's title for a mere number."""
    names = {p.card: f"{g.title} {p.label}" if p.label.isdecimal() else p.label for g in groups for p in g.picks}
    return lambda token: names.get(token, token)


def missing_tokens(
    wanted: Mapping[str, int], enrolled: Mapping[str, Sequence[str]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tokens without a picture, and those that lack the other face."""
    none = tuple([token for token in wanted if token not in enrolled])
    return none, tuple([token for token, most in wanted.items() if 0 < len(enrolled.get(token, ())) < most])


def likely_tokens(
    captured: CapturedToken, wanted: Mapping[str, int], enrolled: Mapping[str, Sequence[str]], last: str
) -> tuple[str, ...]:
    """Return the candidates for a captured token: the most similar enrolled ones, then the next missing ones."""
    order = list(wanted)
    start = order.index(last) + 1 if last in order else 0
    following = [token for token in order[start:] + order[:start] if token not in enrolled]
    return tuple(dict.fromkeys([*[each for each in captured.likeliest if each in enrolled], *following[:2]]))


def alike_tokens(pairs: Sequence[AlikePair], game: AnyGame, say: Callable[[str], str]) -> tuple[LookalikeCards, ...]:
    """Return tokens that look alike in words. Money comes first, because a wrong value costs most."""
    values = {kind.name for kind in (game.token_kinds if tokens_seen(game) else ()) if kind.value}
    ordered = sorted(pairs, key=lambda pair: (not values.issuperset(pair.cards), pair.margin))
    return tuple([describe_pair(pair, say) for pair in ordered])


def may_look(snapshot: Snapshot) -> bool:
    """Whether the camera may take a picture for enrolment now, that is, while the game hides no token place from it."""
    game, state, setup = snapshot.game, snapshot.state, snapshot.setup
    if state is None or setup is None or not tokens_seen(game):
        return True
    places = {place.name for place in game.token_places(len(setup.seated()))}
    return places <= set(game.readable_places(state))
