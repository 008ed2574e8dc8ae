"""The turning points of a finished match: the events that changed the chances to win most.

Bots play on from a position many times; a side's share of those games is its chance there. A search narrows down the
events at which chances change. Further games then confirm each finding, so that luck in the first ones does not count.
A move is judged by the knowledge of its seat: a better move is named only if a bot would have preferred it then, and if
it also wins more of the games played on.
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
"""The maximum number of turning points of a match."""
GRID, POSITIONS = 12, 36
"""The number of stretches at the beginning of the search, and the maximum number of positions that it evaluates."""
SEARCHED, EFFORT = (12, 32), 200_000
"""The minimum and maximum number of games played on from each position, and the approximate limit of all their
events."""
SUSPECTS = 4
"""The number of single events that the search looks for."""
CONFIRMED, GLANCE = 100, 30
"""The number of games, before and after an event, that confirm a finding, and the number of those played first."""
LEAST, SURE = 0.15, 2.58
"""The minimum change of a chance that counts, and the number of standard errors that make it 99 % sure."""
DRAWN, BETTER, BEST, UNWEIGHED = "drawn", "better", "best", "unweighed"
"""The kind of an event: nobody chose it, a better move could be known, none could, or the bots cannot say."""

Shares = tuple[float, ...]
"""Each side's share of the victory."""


class TurningPoint(msgspec.Struct, frozen=True):
    """One event, numbered from 1 like the steps of a replay. Chances are percentages of the games played on."""

    step: int
    side: tuple[int, ...]
    """The seats whose chance changed most."""
    before: int
    after: int
    kind: str
    mover: int | None = None
    instead: int = 0
    """The mover's chance after the better move; `own` is its chance after the actual move."""
    own: int = 0
    better: dict[str, Any] | None = None
    """The better move with its reasons, in the form that `ranked_of` reads."""
    hidden: bool = False
    """Whether the move, or hidden cards of its own seat, were secret; then part of the change is luck in any case."""


class PlayedLine:
    """A line of play: the states at the beginning and after each event, and the policies that play on from them."""

    def __init__(self, game: AnyGame, states: Sequence[AnyState], events: Sequence[Event], sides: Sequence[Any]):
        self.game, self.states, self.events = game, states, events
        self.sides = [tuple(map(int, side)) for side in sides]
        self.policies = [policy_of(game, "sensible")] * sum(map(len, self.sides))

    def played_on(self, state: AnyState, games: int, seed: str) -> list[Shares]:
        """Return each side's share of the victory in games that bots play on from a state."""
        if not state.agenda:
            return [self.won(state)] * games
        ends = [
            play_on(self.game, state, self.policies, random.Random(f"{seed} {number}").random)[0]
            for number in range(games)
        ]
        return [self.won(end) for end in ends]

    def won(self, state: AnyState) -> Shares:
        """Return each side's share of the victory at the end of a game."""
        winners = self.game.winners(state)
        return tuple([len(set(side) & set(winners)) / len(winners) for side in self.sides])

    @cached_property
    def chances(self) -> Callable[[int], Shares]:
        """The function that estimates each side's chance after a number of events."""
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
    """Return the turning points of a finished line of play, in its order; none if only one side plays."""
    if len(line.sides) < 2 or len(line.states) < 2:
        return ()
    found = [confirmed(line, at) for at in suspects(line.chances, len(line.events))]
    sizes = sorted([each for each in found if each is not None], key=lambda each: -abs(each.after - each.before))
    return tuple(sorted(sizes[:MOST], key=lambda each: each.step))


def suspects(chance: Callable[[int], Shares], last: int) -> list[int]:
    """Return the events, from 1, at which chances seem to change most."""
    known = sorted({last * part // GRID for part in range(GRID + 1)})
    while True:
        spans = sorted(pairwise(known), key=lambda span: -change(chance(span[0]), chance(span[1])))
        wide = next((span for span in spans[:SUSPECTS] if span[1] - span[0] > 1), None)
        if wide is None or len(known) >= POSITIONS:
            single = [(before, after) for before, after in spans[:SUSPECTS] if after - before == 1]
            return [after for before, after in single if change(chance(before), chance(after)) >= LEAST]
        known = sorted([*known, sum(wide) // 2])


def change(before: Shares, after: Shares) -> float:
    """Return the change in the chance of the side whose chance changed most."""
    return max([abs(now - then) for then, now in zip(before, after, strict=True)])


def confirmed(line: PlayedLine, step: int) -> TurningPoint | None:
    """Return the result of fresh games about an event; None if they do not clearly show a change."""
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
    """Return the kind of an event, its seat, and the better move with its chance."""
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
    """Yield the moves that bots prefer from a seat's knowledge: the bot that plays to win, then the one that plays
    on."""
    for kind in ("wins", "sensible"):
        question = question_of(game, state, seat, kind)
        ranked = answer(question) if question is not None else ()
        if ranked:
            yield ranked[0]


def mean_of(games: Sequence[Shares], side: int) -> float:
    """Return a side's average share of the victory."""
    return fmean([each[side] for each in games])


def surely_differ(one: Sequence[float], other: Sequence[float]) -> bool:
    """Return whether the means of two samples differ by at least `LEAST`, and significantly."""
    apart = abs(fmean(one) - fmean(other))
    return apart >= LEAST and apart > SURE * sqrt(variance(one) / len(one) + variance(other) / len(other))


# --- messages -------------------------------------------------------------------------------------


def plain(ranked: Ranked) -> dict[str, Any]:
    """Return a ranked event as plain values for JSON."""
    found: dict[str, Any] = msgspec.to_builtins(ranked)
    return found


def ranked_of(game: AnyGame, found: dict[str, Any]) -> Ranked:
    """Return a ranked event from plain values; raise `msgspec.ValidationError` for invalid ones."""
    event: Event = msgspec.convert(found["event"], game.events)
    return Ranked(event, found["value"], msgspec.convert(found["terms"], tuple[Term, ...]))
