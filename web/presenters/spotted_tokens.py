"""The tokens that the camera sees, in words, for its page."""

from __future__ import annotations

from itertools import groupby

import msgspec

from companion.devices.frames import LiveFrame, Outline, TokenOutline
from companion.engine import AnyGame, Player, TokenKind, tokens_seen
from companion.i18n import Words
from companion.mechanics.telling import format_money
from companion.messages import Sighted
from web.presenters.camera_status import place_name


class SpottedToken(msgspec.Struct, frozen=True):
    """One token in the picture. `sure`: `named` or `unknown`."""

    where: str
    name: str
    sure: str
    outline: Outline


def tokens_to_show(live: LiveFrame | None, sighted: Sighted | None) -> tuple[TokenOutline, ...]:
    """Return the tokens to show, place by place: those in the picture, else those last read."""
    found = live.tokens if live is not None else ()
    if live is None and sighted is not None:
        found = tuple([TokenOutline(each, ()) for each in sighted.tokens])
    return tuple(sorted(found, key=lambda each: each.sighting.place))


def spot_token(seen: TokenOutline, game: AnyGame, players: tuple[Player, ...], say: Words) -> SpottedToken:
    """Return a seen token in words."""
    one = seen.sighting
    kinds = game.token_kinds if tokens_seen(game) else ()
    name = token_name(one.token, kinds, say) if one.token is not None else "?"
    sure = "named" if one.token is not None else "unknown"
    return SpottedToken(place_name(one.place, players, say), name, sure, seen.outline)


def token_name(token: str, kinds: tuple[TokenKind, ...], say: Words) -> str:
    """Return a token in words: its dollars, or `token.<name>`, or `token.<sort>` with the part after its dash."""
    value = next((kind.value for kind in kinds if kind.name == token), 0)
    if value:
        return format_money(value, say.lang)
    sort, _, number = token.partition("-")
    if say.has(f"token.{token}"):
        return say(f"token.{token}")
    return say(f"token.{sort}", number=number) if say.has(f"token.{sort}") else token


def token_lines(tokens: list[SpottedToken]) -> list[tuple[str, list[str]]]:
    """Return the contents of each place: its name, and the names of its tokens."""
    return [(where, [each.name for each in found]) for where, found in groupby(tokens, key=lambda each: each.where)]
