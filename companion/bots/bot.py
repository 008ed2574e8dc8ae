"""Policies by which bots play games. A policy sees only what its seat may know."""

from __future__ import annotations

from typing import Any

from companion.bots.learning import Learning
from companion.engine import AnyGame, AnyState, Event, Luck, Seat, filled, legal
from companion.games import definition_of, load_part
from companion.mechanics.definition import BotPolicy, Bots

LEVELS = ("learns", "plays", "wins")
"""The levels of bots, from weak to strong: one often misses the best event, one plays well, one plays to win."""
KINDS = ("sensible", "plain", "random", *LEVELS)
"""The kinds of bots: `sensible` is the usual one, `plain` plays more simply where a game has such a bot, and
`random` plays any legal event. The levels follow."""


def own_policy(game: AnyGame, kind: str = "sensible") -> BotPolicy | None:
    """Return a game's own policy of a kind (usual, plain or to win); None if it has none."""
    bots = load_part(game, definition_of(game).bots, Bots)
    if bots is None:
        return None
    if kind == "learns":
        return bots.plain or Learning(bots.sensible, RandomPolicy(game), bots.slips)
    if kind == "wins":
        return bots.winning or bots.sensible
    return bots.plain or bots.sensible if kind == "plain" else bots.sensible


class RandomPolicy:
    """Plays any legal event; if several seats may act, it waits half of the time."""

    def __init__(self, game: AnyGame, *, asks_own: bool = True) -> None:
        """Ask the game's own policy who may act, unless it fails."""
        self.game = game
        self.own = own_policy(game) if asks_own else None

    def asked(self, state: AnyState) -> tuple[Seat, ...]:
        """Return the seats that may want to act now."""
        if self.own is not None:
            return self.own.asked(state)
        offers = legal(self.game, state)
        able = dict.fromkeys([offer.by for offer in offers if offer.by is not None and not offer.chance])
        awaited = state.agenda[0].awaits(state.table) if state.agenda else ()
        return tuple([seat for seat in able if seat in awaited]) or tuple(able)

    def look(self, state: AnyState, seat: Seat) -> Any:
        """Return the seat's own offers, and whether others may act too."""
        offers = filled(self.game, state, [offer for offer in legal(self.game, state) if offer.by == seat])
        return offers, len(self.asked(state)) > 1

    def choose(self, known: Any, luck: Luck) -> Event | None:
        """Return one of the legal events."""
        offers, others = known
        if not offers or (others and luck() < WAITS):
            return None
        event: Event = offers[int(luck() * len(offers))].pick(luck)
        return event

    def together(self, state: AnyState, luck: Luck) -> Event | None:
        """Return any event that no single seat makes."""
        offers = [offer for offer in legal(self.game, state) if offer.by is None and not offer.chance]
        return offers[0].pick(luck) if offers else None


WAITS = 0.5
"""The probability that a random bot waits when others may also act."""


def policy_of(game: AnyGame, kind: str) -> BotPolicy:
    """Return the policy of one of `KINDS` for a game; a game without a bot is played at random."""
    if kind not in KINDS:
        raise ValueError(f"There are no {kind!r} bots: choose {', '.join(KINDS[:-1])} or {KINDS[-1]}.")
    return (own_policy(game, kind) if kind != "random" else None) or RandomPolicy(game)
