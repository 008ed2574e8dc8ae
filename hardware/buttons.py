"""All that is wired: contacts, lamps, buzzer. Knows pins and debounce; refuses to know cues, bus and game.

One thread owns a `Buttons` and calls `wait` again and again; all callbacks are called in that thread, within `wait`:

    with Buttons(DEFAULT, open_pins("auto"), on_press=print) as buttons:
        while True:
            buttons.wait(time.monotonic_ns() + 100 * MILLISECOND)
            buttons.show((True, False, False, False, False, False), buzzer=False)
"""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType

from companion.messages import ButtonState, Condition, LampState, Press
from hardware.pins import Pins
from hardware.wiring import Wiring


def nothing(*heard: object) -> None:
    """Take no notice."""


class Buttons:
    """Every button, lamp and buzzer of a wiring. A pin that is taken makes its button `missing`, the others play."""

    def __init__(
        self,
        wiring: Wiring,
        pins: Pins,
        *,
        on_edge: Callable[[int, int, bool], None] = nothing,
        on_press: Callable[[Press], None] = nothing,
        on_condition: Callable[[int, Condition], None] = nothing,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Open all pins of a wiring.

        `on_edge(seat, at, closed)`: every raw edge, before debounce. `on_press(press)`: what comes out of debounce.
        `on_condition(seat, condition)`: a button's condition changed. Seats count from 0, `HOST` is the host's.
        `clock` gives nanoseconds.
        """
        raise NotImplementedError

    @property
    def said(self) -> tuple[str, ...]:
        """Sentences about everything that is wrong with pins, buttons and lamps now."""
        raise NotImplementedError

    def wait(self, until: int) -> None:
        """Wait for edges and `later` calls until a moment (ns); return after the first that came, or at the moment."""
        raise NotImplementedError

    def later(self, call: Callable[[], None]) -> None:
        """Have a call made within `wait`; may be called from any thread and from a signal handler."""
        raise NotImplementedError

    def due(self) -> int | None:
        """Return the next moment (ns) at which `wait` must be awake, None where nothing is under way."""
        raise NotImplementedError

    def show(self, lamps: tuple[bool, ...], buzzer: bool = False) -> None:
        """Set all lamps (one a seat, by seat; missing ones are passed over) and the buzzer, in one go."""
        raise NotImplementedError

    def buttons(self) -> tuple[ButtonState, ...]:
        """Return every button as it is now: the seats in order, then the host's."""
        raise NotImplementedError

    def lamps(self) -> tuple[LampState, ...]:
        """Return every lamp that is there, by seat, then the buzzer (`HOST`)."""
        raise NotImplementedError

    def noise(self, seat: int) -> int:
        """Return how many closings of a seat's button were too short for a press."""
        raise NotImplementedError

    def close(self) -> None:
        """Put all lamps and the buzzer out and give all pins back."""
        raise NotImplementedError

    def __enter__(self) -> Buttons:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
