"""A long press of the host's button: what to show meanwhile, and whether letting go switches the machine off.

Callers pass the time in nanoseconds of CLOCK_MONOTONIC. Short presses and holds keep their meaning in a game. Nothing
happens while the button is down: a stuck button, a cup on it, or a lost opening never switches anything off.
"""

from __future__ import annotations

from typing import Literal

from companion.messages import HOST, SECOND, Press

Stage = Literal["", "hold", "release", "off"]
"""Nothing; keep holding; let go to switch off; the button was let go."""
ANNOUNCED, HELD, LONGEST = 2 * SECOND, 6 * SECOND, 15 * SECOND
"""Holding times: until the announcement, until letting go counts, and the longest for a finger."""
SEEN = 3 * SECOND
"""Nanoseconds for which the announcement must have been visible before letting go counts, so that nobody is
surprised."""
ONE_PRESS = SECOND // 2
"""Maximum difference between a press's closing time as reported by its closing and by its opening."""
FINGERS = ("pin", "radio")
"""Accepted sources of such a press: the button itself, never a page or a program."""


class LongPress:
    """Follows the host's button. `since`: when the process began; older presses are ignored."""

    def __init__(self, since: int) -> None:
        self.stage: Stage = ""
        self._since = since
        self._press: Press | None = None
        self._announced_at: int | None = None

    def hear(self, press: Press, now: int) -> Stage:
        """Handle a press, and return the stage to show now."""
        if press.seat != HOST or press.source not in FINGERS:
            return self.stage
        if press.contact == "closed":
            # A closing right after a closing means that the opening was lost: holding starts again.
            fresh = self._press is None or press.at > self._press.at
            if fresh and self._since <= press.at <= now:
                self._press, self._announced_at = press, None
        elif press.contact == "opened":
            return self._release(press)
        return self.tick(now)

    def _release(self, press: Press) -> Stage:
        """Handle the opening: it switches off only after an announcement and a long hold of the same press."""
        closed = self._press
        if closed is None or closed.source != press.source:
            return self.stage
        same = abs((press.since or closed.at) - closed.at) <= ONE_PRESS
        seen = self._announced_at is not None and press.at - self._announced_at >= SEEN
        done = self.stage == "release" and same and seen and HELD <= press.at - closed.at < LONGEST
        self._press, self.stage = None, "off" if done else ""
        return self.stage

    def forget(self) -> Stage:
        """Forget the press: the button is out of play, or its service is lost."""
        self._press, self.stage = None, ""
        return self.stage

    def tick(self, now: int) -> Stage:
        """Return the stage to show at a moment."""
        if self._press is None:
            return self.stage
        held = now - self._press.at
        if held >= LONGEST:
            self.stage = ""  # keep the press, so that its opening is not attributed to another one
        else:
            self.stage = "release" if held >= HELD else "hold" if held >= ANNOUNCED else ""
        if self.stage and self._announced_at is None:
            self._announced_at = now
        return self.stage

    def due(self, now: int) -> int | None:
        """Return the next change if no press arrives; None if there is none."""
        if self._press is None:
            return None
        moments = (self._press.at + span for span in (ANNOUNCED, HELD, LONGEST))
        return next((moment for moment in moments if moment > now), None)
