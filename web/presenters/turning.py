"""The turning points of a finished match in a language: the event, its effect on the chances, and a better move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.bots.turning_points import BETTER, TurningPoint, ranked_of
from companion.engine import AnyGame, AnyState, Event, Player, Seat
from companion.games import teller_of
from companion.i18n import Words
from companion.mechanics.advising import AdvisedMove, said
from companion.mechanics.policy import Ranked
from companion.mechanics.telling import SentenceContext

NEAR = 8
"""How many steps to go back from a draw without words to find the event before it."""


class ShownPoint(NamedTuple):
    """A turning point as sentences; `step` is its step of the replay."""

    step: int
    happened: str
    chance: str
    known: str
    reasons: str = ""


def shown_points(
    game: AnyGame,
    found: Sequence[TurningPoint],
    states: Sequence[AnyState],
    events: Sequence[Event],
    players: Sequence[Player],
    say: Words,
    told: Callable[[int], Sequence[str]],
) -> tuple[ShownPoint, ...]:
    """Return turning points in words. `told` returns the sentences of a step; `states` begins with the state before
    the first event.
    """
    teller = teller_of(game)

    def shown(point: TurningPoint) -> ShownPoint:
        name = teller.names([Seat(seat) for seat in point.side], players, say)
        chance = say("turning.chance", name=name, before=point.before, after=point.after)
        happened, luck, known = happening(point.step, told, say), "", ""
        mover, context = Seat(point.mover or 0), SentenceContext(players, say, table=states[point.step - 1].table)

        def advised(ranked: Ranked) -> AdvisedMove:
            return said((ranked,), teller, context, mover, bool(game.money)).moves[0]

        if point.hidden:
            made, luck = advised(Ranked(events[point.step - 1], 0.0)), say("turning.luck")
            known = say("turning.hidden", move=made.move)
        if point.kind != BETTER or point.better is None:
            judged, reasons = say(f"turning.{point.kind}"), ""
        else:
            move, own = advised(ranked_of(game, point.better)), players[mover].name
            judged = say("turning.better", move=move.move, name=own, instead=point.instead, own=point.own)
            reasons = say("turning.reasons", name=own, reasons=" ".join(move.reasons)) if move.reasons else ""
        return ShownPoint(point.step, happened, chance, " ".join(filter(None, (known, judged, luck))), reasons)

    return tuple([shown(point) for point in found])


def happening(step: int, told: Callable[[int], Sequence[str]], say: Words) -> str:
    """Return the event of a step in words; for an event without words, the last one before it that has some."""
    if sentences := told(step):
        return " ".join(sentences)
    earlier = next(filter(None, [told(at) for at in range(step - 1, max(0, step - NEAR), -1)]), ())
    return say("turning.followed", told=" ".join(earlier)) if earlier else say("turning.step", step=step)
