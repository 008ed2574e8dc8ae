"""Play any game in tests: find legal events, check refusals, and verify that a refusal changes nothing."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from companion.engine import Event, Game, MoveRefused, Refusal, Seat, Setup, State, apply, legal, rule
from companion.engine import state_hash as hash_of

T = TypeVar("T")
LONGER = 25
"""Factor for the number of examples in the slow profile."""


def bounded(examples: int) -> Callable[[Any], Any]:
    """Return settings for this number of examples. `HYPOTHESIS_PROFILE=slow` tries many more, with new random seeds."""
    slow = os.environ.get("HYPOTHESIS_PROFILE") == "slow"
    return settings(
        max_examples=examples * LONGER if slow else examples,
        deadline=None,
        database=None,
        derandomize=not slow,
        suppress_health_check=list(HealthCheck),
    )


def seeds() -> st.SearchStrategy[int]:
    """Draw the seed that determines a random game."""
    return st.integers(0, 2**32 - 1)


class Playing(Generic[T]):
    """The operations with which tests play a game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game

    def after(self, state: State[T], *events: Event) -> State[T]:
        """Return the state after these events, which must be legal."""
        for event in events:
            state = apply(self.game, state, event)
        return state

    def refusal(self, state: State[T], event: Event) -> Refusal:
        """Return the refusal of an event, and check that the attempt changes nothing."""
        before = hash_of(state)
        said = rule(self.game, state, event)
        assert said is not None, f"{event} was accepted"
        with pytest.raises(MoveRefused) as caught:
            apply(self.game, state, event)
        assert caught.value.refusal == said
        assert hash_of(state) == before
        return said

    def why(self, state: State[T], event: Event) -> tuple[str, str, Seat | None]:
        """Return the rule, the key and the audience of the refusal."""
        said = self.refusal(state, event)
        return said.rule, said.key, said.audience

    def accepted(self, state: State[T], event: Event) -> bool:
        """Return whether an event is legal."""
        return rule(self.game, state, event) is None

    def any_event(self, state: State[T], luck: random.Random) -> Event:
        """Return a random legal event."""
        offers = legal(self.game, state)
        return offers[luck.randrange(len(offers))].pick(luck.random)

    def at_random(
        self,
        setup: Setup,
        seed: int,
        most: int = 20_000,
        choose: Callable[[State[T], random.Random], Event] | None = None,
    ) -> Iterator[tuple[State[T], Event, State[T]]]:
        """Play random legal events, or those that `choose` returns, until the game is over or has `most` events.

        Yield every event with the states before and after it.
        """
        luck = random.Random(seed)
        state = self.game.begin(setup)
        for _ in range(most):
            if state.over:
                return
            event = (choose or self.any_event)(state, luck)
            following = apply(self.game, state, event)
            yield state, event, following
            state = following

    def offered(self, state: State[T], seat: Seat | None) -> list[Event]:
        """Return all events that are offered to a seat, or to nobody in particular if the seat is None."""
        return [event for offer in legal(self.game, state) if offer.by == seat for event in offer]

    def view_bytes(self, state: State[T], seat: Seat | None) -> bytes:
        """Return a view as JSON, with event types by name."""
        return msgspec.json.encode(self.game.view(state, seat), enc_hook=lambda kind: kind.__name__)
