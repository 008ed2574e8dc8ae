"""Playing on in tests of any game: what is legal, what is refused, and that a refusal changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

import pytest

from companion.engine import Event, Game, MoveRefused, Refusal, Seat, Setup, State, apply, legal, rule
from companion.engine import state_hash as hash_of

T = TypeVar("T")


class Playing(Generic[T]):
    """A game as its tests play it."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def after(self, state: State[T], *events: Event) -> State[T]:
        """Return the state after some events, all of them legal."""
        for event in events:
            state = apply(self.game, state, event)
        return state

    def refusal(self, state: State[T], event: Event) -> Refusal:
        """Return why an event is refused, having seen that nothing changed by trying it."""
        before = hash_of(state)
        said = rule(self.game, state, event)
        assert said is not None, f"{event} was accepted"
        with pytest.raises(MoveRefused) as caught:
            apply(self.game, state, event)
        assert caught.value.refusal == said
        assert hash_of(state) == before
        return said

    def why(self, state: State[T], event: Event) -> tuple[str, str, Seat | None]:
        """Return rule, key and audience of a refusal."""
        said = self.refusal(state, event)
        return said.rule, said.key, said.audience

    def accepted(self, state: State[T], event: Event) -> bool:
        """Whether an event is legal."""
        return rule(self.game, state, event) is None

    def at_random(self, setup: Setup, seed: int, most: int = 20_000) -> Iterator[tuple[State[T], Event, State[T]]]:
        """Play any legal thing until the game is over; yield every event with the states before and after it."""
        luck = random.Random(seed)
        state = self.game.begin(setup)
        for _ in range(most):
            if state.over:
                return
            offers = legal(self.game, state)
            event = offers[luck.randrange(len(offers))].pick(luck.random)
            following = apply(self.game, state, event)
            yield state, event, following
            state = following

    def offered(self, state: State[T], seat: Seat | None) -> list[Event]:
        """Return every event that is offered to a seat (None: to nobody in particular), written out."""
        return [event for offer in legal(self.game, state) if offer.by == seat for event in offer]
