"""A person at a seat who reads the page, taps there, presses the seat's button and moves its cards.

The person decides like a program, but knows only what the companion's page shows.
"""

from __future__ import annotations

from random import Random
from typing import Any

from companion.demo.acts import MoveCard
from companion.demo.play_loop import PlayLoop
from companion.engine import Event, Raising, Seat, State, Unveiling
from companion.referee.pace import USUAL
from tests.end_to_end.world import Evening

BY_HAND = 0.5
"""The fraction of cards that the person moves directly; for the others the person taps the event."""


class Person:
    """A person at one seat. `acts` counts the actions."""

    def __init__(self, evening: Evening, playing: PlayLoop, seat: Seat, seed: int) -> None:
        self.evening, self.playing, self.truth, self.seat = evening, playing, playing.truth, seat
        self.luck = Random(f"{seed} {seat}")
        self.acts = 0

    def play(self) -> bool:
        """Do one action if the person wants to, and return whether it happened."""
        state = self.evening.table.snapshot().state
        assert state is not None
        if not state.agenda:
            return False
        now = state.agenda[0].timing(state.table)
        if isinstance(now, Unveiling) and self.seat in now.closed:
            return self.seat not in self.evening.look().ready and self._press(0.5)
        mind = self.truth.minds[self.seat]
        wanted = mind.choose(mind.look(state, self.seat), self.luck.random) if self.seat in mind.asked(state) else None
        if wanted is not None:
            return self._does(state, wanted)
        if isinstance(now, Raising) and now.leader == self.seat:
            return self._press(USUAL.gap_ms(now) / 1000 + 0.2)
        return False

    def _press(self, after: float) -> bool:
        self.evening.rest(after)
        self.evening.press(self.seat)
        self.acts += 1
        return True

    def _does(self, state: State[Any], event: Event) -> bool:
        """Press, tap or move a card to make an event happen; return whether it was done."""
        self.acts += 1
        if self.truth.pressing_seats(state, event) == (self.seat,):
            return self._press(0.5)
        seen = getattr(event, "train", None) is not None and self.truth.made_with_cards(state, event)
        if seen and self.luck.random() < BY_HAND and self.truth.state.agenda[:1] == state.agenda[:1]:
            for act in self.truth.moves(state, event, self.playing.lying):
                if isinstance(act, MoveCard):
                    self.evening.move(act)
            self.evening.settle()
            return True
        said = self.evening.tap(self.seat, event)
        assert said == "", (event, said)
        return True
