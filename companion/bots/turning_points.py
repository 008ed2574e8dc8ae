"""The turning points of a finished match: the events that changed most who would win.

Programs play on from a position many times, and the share of games that a side wins is its chance there. A search
narrows down where chances change. Other games then confirm what it found, so that luck in the first ones counts for
nothing. A move is judged by what its seat could know: a better one is named only if a program would have preferred it
then, and also wins more of the games played on.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import sqrt
from statistics import fmean, variance
from typing import Any

import msgspec

from companion.bots.advice import answer, question_of
from companion.bots.bot import policy_of
from companion.bots.simulation import play_on
from companion.engine import AnyGame, AnyState, Event, Seat, apply, legal, seat_of
from companion.mechanics.policy import Ranked, Term

MOST = 3
"""The most turning points of a match."""
GRID, POSITIONS = 12, 36
"""Stretches at the beginning of the search, and the most positions that it looks at."""
SEARCHED, EFFORT = (12, 32), 200_000
"""The fewest and the most games played on from each, and how many events all of them may have together, about."""
SUSPECTS = 4
"""Single events that the search looks for."""
CONFIRMED, GLANCE = 100, 30
"""The games played on before and after an event that confirm what the search found, and how many of them come first."""
LEAST, SURE = 0.15, 2.58
"""The least change of a chance that counts, and the standard errors that make it 99 % sure."""
DRAWN, BETTER, BEST, UNWEIGHED = "drawn", "better", "best", "unweighed"
"""What is known of an event: nobody chose it, a better move could be known, none could, or the programs cannot say."""

Shares = tuple[float, ...]
"""The part of the victory that each side has."""


class TurningPoint(msgspec.Struct, frozen=True):
    """One event, numbered from 1 like the steps of a replay. Chances are hundredths: games won of 100 played on."""

    step: int
    side: tuple[int, ...]
    """The seats whose chance changed most."""
    before: int
    after: int
    kind: str
    mover: int | None = None
    instead: int = 0
    """The mover's chance after the better move, and `own` after the move that was made."""
    own: int = 0
    better: dict[str, Any] | None = None
    """The better move with its reasons, as `ranked_of` reads it."""
    hidden: bool = False
    """Whether others could not see the move, nor its seat theirs: part of it is luck in any case."""


class PlayedLine:
    """A line of play: the states at the beginning and after each event, and the programs that play on from them."""

    def __init__(self, game: AnyGame, states: Sequence[AnyState], events: Sequence[Event], sides: Sequence[Any]):
        self.game, self.states, self.events = game, states, events
        self.sides = [tuple(map(int, side)) for side in sides]
        self.policies = [policy_of(game, "sensible")] * sum(map(len, self.sides))

    def played_on(self, state: AnyState, games: int, seed: str) -> list[Shares]:
        """Return each side's part of the victory in games that programs play on from a state."""
        if not state.agenda:
            return [self.won(state)] * games
        ends = [
            play_on(self.game, state, self.policies, random.Random(f"{seed} {number}").random)[0]
            for number in range(games)
        ]
        return [self.won(end) for end in ends]

    def won(self, state: AnyState) -> Shares:
        """Return each side's part of the victory at the end of a game."""
        winners = self.game.winners(state)
        return tuple([len(set(side) & set(winners)) / len(winners) for side in self.sides])

    @cached_property
    def chances(self) -> Callable[[int], Shares]:
        """The function that estimates each side's chance after so many events."""
        known: dict[int, Shares] = {}
        fewest, most = SEARCHED
        games = max(fewest, min(most, EFFORT // (POSITIONS * max(1, len(self.events)))))

        def chance(at: int) -> Shares:
            if at not in known:
                found = self.played_on(self.states[at], games, "search")
                known[at] = tuple([fmean(each) for each in zip(*found, strict=True)])
            return known[at]

        return chance


def turning_points(line: PlayedLine) -> tuple[TurningPoint, ...]:
    """Return the turning points of a finished line of play, in its order; none of one that only one side plays."""
    if len(line.sides) < 2 or len(line.states) < 2:
        return ()
    found = [confirmed(line, at) for at in suspects(line.chances, len(line.events))]
    sizes = sorted([each for each in found if each is not None], key=lambda each: -abs(each.after - each.before))
    return tuple(sorted(sizes[:MOST], key=lambda each: each.step))


def suspects(chance: Callable[[int], Shares], last: int) -> list[int]:
    """Return the events, from 1, after which chances seem to differ most from those before."""
    known = sorted({last * part // GRID for part in range(GRID + 1)})
    while True:
        spans = sorted(pairwise(known), key=lambda span: -change(chance(span[0]), chance(span[1])))
        wide = next((span for span in spans[:SUSPECTS] if span[1] - span[0] > 1), None)
        if wide is None or len(known) >= POSITIONS:
            single = [(before, after) for before, after in spans[:SUSPECTS] if after - before == 1]
            return [after for before, after in single if change(chance(before), chance(after)) >= LEAST]
        known = sorted([*known, sum(wide) // 2])


def change(before: Shares, after: Shares) -> float:
    """Return by how much the chances of the side differ whose chance changed most."""
    return max([abs(now - then) for then, now in zip(before, after, strict=True)])


def confirmed(line: PlayedLine, step: int) -> TurningPoint | None:
    """Return what fresh games say of an event; None if they do not surely show a change."""
    befores: list[Shares] = []
    afters: list[Shares] = []
    for games, seed in ((GLANCE, f"glance {step}"), (CONFIRMED - GLANCE, f"confirm {step}")):
        befores += line.played_on(line.states[step - 1], games, seed)
        afters += line.played_on(line.states[step], games, seed)
        if max([abs(mean_of(afters, at) - mean_of(befores, at)) for at in range(len(line.sides))]) < LEAST / 2:
            return None  # the search was misled by luck
    side = max(range(len(line.sides)), key=lambda at: abs(mean_of(afters, at) - mean_of(befores, at)))
    if not surely_differ([each[side] for each in befores], [each[side] for each in afters]):
        return None
    kind, mover, better, instead = judged(line, step, afters)
    own = next((at for at, seats in enumerate(line.sides) if mover in seats), 0)
    return TurningPoint(
        step,
        line.sides[side],
        round(100 * mean_of(befores, side)),
        round(100 * mean_of(afters, side)),
        kind,
        mover,
        round(100 * instead),
        round(100 * mean_of(afters, own)) if better is not None else 0,
        None if better is None else plain(better),
        kind != DRAWN and bool(line.game.secret(line.states[step - 1], line.events[step - 1])),
    )


def judged(line: PlayedLine, step: int, afters: Sequence[Shares]) -> tuple[str, int | None, Ranked | None, float]:
    """Return the kind of an event, its seat, and the better move with the chance that it gave."""
    game, before, event = line.game, line.states[step - 1], line.events[step - 1]
    mover = seat_of(event)
    if mover is None or any(offer.chance and event in offer for offer in legal(game, before)):
        return DRAWN, None, None, 0.0
    preferred = list(preferences(game, before, Seat(mover)))
    if not preferred:
        return UNWEIGHED, mover, None, 0.0
    side = next(at for at, seats in enumerate(line.sides) if mover in seats)
    made, doubtful = [each[side] for each in afters], False
    for best in preferred:
        if best.event == event:
            continue
        others = line.played_on(apply(game, before, best.event), CONFIRMED, f"instead {step}")
        instead = [each[side] for each in others]
        if surely_differ(made, instead) and fmean(instead) > fmean(made):
            return BETTER, mover, best, fmean(instead)
        doubtful |= fmean(instead) - fmean(made) >= LEAST
    return UNWEIGHED if doubtful else BEST, mover, None, 0.0


def preferences(game: AnyGame, state: AnyState, seat: Seat) -> Iterator[Ranked]:
    """Yield what programs prefer from what a seat knows: the one that plays to win, then the one that plays on."""
    for kind in ("wins", "sensible"):
        question = question_of(game, state, seat, kind)
        ranked = answer(question) if question is not None else ()
        if ranked:
            yield ranked[0]


def mean_of(games: Sequence[Shares], side: int) -> float:
    """Return a side's part of the victory, on average."""
    return fmean([each[side] for each in games])


def surely_differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether the means of two samples differ by `LEAST` or more, and surely differ at all."""
    apart = abs(fmean(one) - fmean(other))
    return apart >= LEAST and apart > SURE * sqrt(variance(one) / len(one) + variance(other) / len(other))


# --- messages -------------------------------------------------------------------------------------


def plain(ranked: Ranked) -> dict[str, Any]:
    """Return a ranked event as plain values, for JSON."""
    found: dict[str, Any] = msgspec.to_builtins(ranked)
    return found


def ranked_of(game: AnyGame, found: dict[str, Any]) -> Ranked:
    """Return a ranked event from plain values; raise `msgspec.ValidationError` for any others."""
    event: Event = msgspec.convert(found["event"], game.events)
    return Ranked(event, found["value"], msgspec.convert(found["terms"], tuple[Term, ...]))
