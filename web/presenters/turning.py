"""The turning points of a finished match in a language: what happened, what it changed, what could be known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.bots.turning_points import BETTER, TurningPoint, ranked_of
from companion.engine import AnyGame, AnyState, Player, Seat
from companion.games import teller_of
from companion.i18n import Words
from companion.mechanics.advising import said
from companion.mechanics.telling import SentenceContext


class ShownPoint(NamedTuple):
    """A turning point as sentences; `step` is its step of the replay."""

    step: int
    happened: str
    chance: str
    known: tuple[str, ...]


def shown_points(
    game: AnyGame,
    found: Sequence[TurningPoint],
    states: Sequence[AnyState],
    players: Sequence[Player],
    say: Words,
    told: Callable[[int], Sequence[str]],
) -> tuple[ShownPoint, ...]:
    """Return turning points in words; `told` returns the sentences of a step."""

    def shown(point: TurningPoint) -> ShownPoint:
        name = teller_of(game).names([Seat(seat) for seat in point.side], players, say)
        chance = say("report.points.chance", name=name, before=point.before, after=point.after)
        happened = " ".join(told(point.step))
        if point.kind != BETTER or point.better is None:
            return ShownPoint(point.step, happened, chance, (say(f"report.points.{point.kind}"),))
        context = SentenceContext(players, say, table=states[point.step - 1].table)
        ranked = ranked_of(game, point.better)
        (move, *_) = said((ranked,), teller_of(game), context, Seat(point.mover or 0), bool(game.money)).moves
        known = say("report.points.better", move=move.move, instead=point.instead, own=point.own)
        return ShownPoint(point.step, happened, chance, (known, *move.reasons))

    return tuple([shown(point) for point in found])
