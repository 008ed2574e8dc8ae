"""Play: legal events, refusals, and the state that follows an event."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TypeVar

from companion.engine.event import Effect, Event
from companion.engine.game import Game
from companion.engine.offer import Offer
from companion.engine.refusal import EmptyOffer, MoveRefused, Refusal
from companion.engine.state import State
from companion.engine.step import Step, offers_of

T = TypeVar("T")


def begin(game: Game[T], table: T, agenda: tuple[Step[T], ...]) -> State[T]:
    """Return the first state, after running automatic steps."""
    return _settle(table, agenda, ())


_latest: tuple[object, object, tuple[Offer, ...]] = (None, None, ())
"""The game and state of the last call with their offers, because a picked event is checked next."""


def legal(game: Game[T], state: State[T]) -> tuple[Offer, ...]:
    """Return every offer: those of the current step, then those open at any moment (claims)."""
    global _latest
    known_game, known_state, offers = _latest
    if known_state is state and known_game is game:
        return offers
    agenda = state.agenda
    offers = offers_of(agenda[0], state.table) + game.standing(state) if agenda else ()
    _latest = (game, state, offers)
    return offers


def filled(game: Game[T], state: State[T], offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return offers to pick from; raise `EmptyOffer` if one contains no event."""
    found = tuple(offers)
    for offer in found:
        if not offer:
            step = type(state.agenda[0])
            code = step.legal.__code__
            own = "legal" in vars(step)  # otherwise the game's own file is the one to open
            where = f"{code.co_filename}, line {code.co_firstlineno}" if own else sys.modules[step.__module__].__file__
            raise EmptyOffer(game.name, step.__name__, str(where), offer)
    return found


def rule(game: Game[T], state: State[T], event: Event) -> Refusal | None:
    """Return why the event is refused, or None if it is legal."""
    if state.agenda:
        for offer in legal(game, state):
            if event in offer:
                return None
        if game.stands(event) and game.stand_refusal(state, event) is None:
            return None
    return game.explain(state, event)


def apply(game: Game[T], state: State[T], event: Event) -> State[T]:
    """Return the state after a legal event; raise `MoveRefused` for any other."""
    for offer in legal(game, state):
        if event in offer:
            return follow(game, state, event)
    refusal = rule(game, state, event)
    if refusal is not None:
        raise MoveRefused(refusal)
    return follow(game, state, event)


def follow(game: Game[T], state: State[T], event: Event) -> State[T]:
    """Return the state after an event known to be legal: it comes from the journal, or was just checked."""
    table, agenda = state.table, state.agenda
    if game.stands(event):
        table, effects = game.stand(state, event)
        return State(table, agenda, effects)
    left_out = agenda[0].unsaid(event)
    if left_out is not None:
        before = follow(game, state, left_out)
        after = follow(game, before, event)
        return State(after.table, after.agenda, before.effects + after.effects)
    table, steps, effects = agenda[0].apply(game.expire(table, event), event)
    agenda = steps + agenda[1:]
    if agenda and agenda[0].automatic:
        return _settle(table, agenda, effects)
    return State(table, agenda, effects)


def follow_all(game: Game[T], state: State[T], events: Iterable[Event]) -> State[T] | None:
    """Return the state after several events, or None if one of them is illegal."""
    for event in events:
        if rule(game, state, event) is not None:
            return None
        state = follow(game, state, event)
    return state


def _settle(table: T, agenda: tuple[Step[T], ...], effects: tuple[Effect, ...]) -> State[T]:
    """Run automatic steps until one waits for an event."""
    while agenda and agenda[0].automatic:
        table, steps, more = agenda[0].run(table)
        agenda = steps + agenda[1:]
        if more:
            effects += more
    return State(table, agenda, effects)
