"""Turns cues into the state of every lamp and the buzzer at any time. Callers must pass times in ascending order."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable

from companion import messages as m
from hardware.lamps.patterns import ECHO, LOOKS, Pattern, dark, double_blink, quick_blink, slow_blink, steady


class PlayingPattern:
    """A pattern that plays from a time on, for one kind of cue."""

    def __init__(self, pattern: Pattern, start: int, cue: type[m.Cue] = m.Cue) -> None:
        self.cue = cue
        self._pattern = pattern
        self.end: int | None = start
        """The end of the current frame; None once the pattern is over."""
        self.on = False
        self._next(start)

    def at(self, now: int) -> bool | None:
        """Return whether the pattern is on at a time; None once it is over."""
        while self.end is not None and self.end <= now:
            self._next(self.end)
        return None if self.end is None else self.on

    def _next(self, start: int) -> None:
        frame = next(self._pattern, None)
        if frame is None:
            self.end = None
        else:
            self.end, self.on = start + round(frame[0] * m.SECOND), frame[1]


class LampRenderer:
    """The state of all lamps (one per seat) and the buzzer."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._order = itertools.count()
        self._scheduled: list[tuple[int, int, m.Cue]] = []
        self._standing: dict[type[m.Cue], m.Cue] = {}
        self._stands: list[tuple[Callable[[], Pattern], PlayingPattern] | None] = [None] * seats
        self._moments: list[list[PlayingPattern]] = [[] for _ in range(seats)]
        self._echoes: list[tuple[int, bool]] = [(0, False)] * seats
        self._tone: PlayingPattern | None = None

    def show(self, cue: m.Cue, now: int) -> None:
        """Schedule a cue for its time, or show it at once if that is past. `Stopped` cancels counts."""
        self._advance(now)
        if isinstance(cue, m.Stopped):
            self._moments = [[each for each in moments if each.cue is not m.Count] for moments in self._moments]
            self._scheduled = [entry for entry in self._scheduled if type(entry[2]) not in LOOKS]
            heapq.heapify(self._scheduled)
        elif cue.at > now:
            heapq.heappush(self._scheduled, (cue.at, next(self._order), cue))
        else:
            self._begin(cue, now)

    def echo_press(self, seat: int, now: int) -> None:
        """Echo a press at its own lamp by inverting it briefly."""
        if 0 <= seat < self._seats:
            self._advance(now)
            self._echoes[seat] = now + round(ECHO * m.SECOND), not self._without_echo(seat, now)

    def lamps(self, now: int) -> tuple[bool, ...]:
        """Return which lamps are lit at a time."""
        self._advance(now)
        return tuple(
            felt if now < until else self._without_echo(seat, now) for seat, (until, felt) in enumerate(self._echoes)
        )

    def buzzer(self, now: int) -> bool:
        """Return whether the buzzer sounds at a time."""
        self._advance(now)
        return self._tone is not None and bool(self._tone.at(now))

    def due(self, now: int) -> int | None:
        """Return the next time after `now` at which something changes, or None."""
        self._advance(now)
        moments = [entry[0] for entry in self._scheduled[:1]]
        moments += [until for until, _ in self._echoes]
        playing = [stand[1] for stand in self._stands if stand is not None]
        playing += [each for seat in self._moments for each in seat]
        playing += [self._tone] if self._tone is not None else []
        for each in playing:
            each.at(now)
        moments += [each.end for each in playing if each.end is not None]
        return min((moment for moment in moments if moment > now), default=None)

    def _advance(self, now: int) -> None:
        while self._scheduled and self._scheduled[0][0] <= now:
            at, _, cue = heapq.heappop(self._scheduled)
            self._begin(cue, at)

    def _begin(self, cue: m.Cue, start: int) -> None:
        look = LOOKS.get(type(cue))
        if look is None:
            self._standing[type(cue)] = cue
            self._stand(start)
            return
        for seat in range(self._seats) if look.everybody else _seat_of(cue):
            if 0 <= seat < self._seats:
                self._moments[seat].append(PlayingPattern(look.lamps(cue), start, type(cue)))
        if look.tone is not None:
            self._tone = PlayingPattern(look.tone(cue), start)

    def _stand(self, start: int) -> None:
        """Show the standing cues; a pattern that continues does not restart."""
        for seat in range(self._seats):
            wanted, shown = self._choose_pattern(seat), self._stands[seat]
            if wanted is None:
                self._stands[seat] = None
            elif shown is None or shown[0] is not wanted:
                self._stands[seat] = wanted, PlayingPattern(wanted(), start)

    def _choose_pattern(self, seat: int) -> Callable[[], Pattern] | None:
        trouble, leading, ready, turn = (
            self._standing.get(kind) for kind in (m.Trouble, m.Leading, m.Ready, m.YourTurn)
        )
        ending = self._standing.get(m.Ending)
        if isinstance(ending, m.Ending) and ending.what:
            return ENDINGS.get(ending.what, dark)
        if isinstance(trouble, m.Trouble) and trouble.what:
            return double_blink
        if isinstance(leading, m.Leading) and leading.seat == seat:
            return steady
        if isinstance(ready, m.Ready) and seat in ready.seats + ready.waiting:
            return steady if seat in ready.seats else slow_blink
        return slow_blink if isinstance(turn, m.YourTurn) and seat in turn.seats else None

    def _without_echo(self, seat: int, now: int) -> bool:
        """Return a lamp's state without the echo."""
        moments = self._moments[seat]
        moments[:] = [each for each in moments if each.at(now) is not None]
        if moments:
            return moments[-1].on
        stand = self._stands[seat]
        return stand is not None and bool(stand[1].at(now))


ENDINGS: dict[str, Callable[[], Pattern]] = {"hold": quick_blink, "release": steady}
"""All lamps show this pattern while the machine prepares to switch off; afterwards they are dark."""


def _seat_of(cue: m.Cue) -> tuple[int, ...]:
    match cue:
        case m.Raise(seat=seat) | m.Sold(seat=seat) | m.Refused(seat=seat):
            return (seat,)
        case _:
            raise TypeError(f"a cue without a look: {cue!r}")
