"""The host's button held for long: what it says while it is held, and whether letting it go switches the machine off.

Pure: time is handed in, in nanoseconds of CLOCK_MONOTONIC. What a short press and a hold mean in a game is said
elsewhere, and does not change. Nothing happens while the button is down: one that is stuck, that a cup stands on, or
whose opening was lost on its way never switches anything off.
"""

from __future__ import annotations

from typing import Literal

from companion.messages import HOST, SECOND, Press

Stage = Literal["", "hold", "release", "off"]
"""Nothing; keep holding; let go and it is switched off; it was let go."""
ANNOUNCED, HELD, LONGEST = 2 * SECOND, 6 * SECOND, 15 * SECOND
"""Held for so long it is announced; letting go does it; and held for longer it is no finger."""
SEEN = 3 * SECOND
"""It must have been announced for so long before it is let go: what nobody saw coming is not done."""
ONE_PRESS = SECOND // 2
"""A closing and an opening that belong together say the same moment of the closing, but for clocks that differ."""
FINGERS = ("pin", "radio")
"""Whence such a press may come: from the button itself, never from a page or a program."""


class LongPress:
    """Follows the host's button. `since`: when the process began; a press that is older is nobody's."""

    def __init__(self, since: int) -> None:
        self.stage: Stage = ""
        self._since = since
        self._press: Press | None = None
        self._announced_at: int | None = None

    def hear(self, press: Press, now: int) -> Stage:
        """Take a press in, and return what is to be said now."""
        if press.seat != HOST or press.source not in FINGERS:
            return self.stage
        if press.contact == "closed":
            # One that follows without an opening between: that was lost on its way, and holding begins anew.
            fresh = self._press is None or press.at > self._press.at
            if fresh and self._since <= press.at <= now:
                self._press, self._announced_at = press, None
        elif press.contact == "opened":
            return self._opened(press)
        return self.tick(now)

    def _opened(self, press: Press) -> Stage:
        """Let go: only what was announced, was held long enough, and is that very press, switches off."""
        closed = self._press
        if closed is None or closed.source != press.source:
            return self.stage
        same = abs((press.since or closed.at) - closed.at) <= ONE_PRESS
        seen = self._announced_at is not None and press.at - self._announced_at >= SEEN
        done = self.stage == "release" and same and seen and HELD <= press.at - closed.at < LONGEST
        self._press, self.stage = None, "off" if done else ""
        return self.stage

    def forget(self) -> Stage:
        """The button is out of play, or nobody hears it any more: whatever was held is not."""
        self._press, self.stage = None, ""
        return self.stage

    def tick(self, now: int) -> Stage:
        """Return what is to be said at a moment."""
        if self._press is None:
            return self.stage
        held = now - self._press.at
        if held >= LONGEST:
            self.stage = ""  # the press itself is remembered: its opening is not another one's
        else:
            self.stage = "release" if held >= HELD else "hold" if held >= ANNOUNCED else ""
        if self.stage and self._announced_at is None:
            self._announced_at = now
        return self.stage

    def due(self, now: int) -> int | None:
        """Return when something changes next if nothing is heard; None: nothing will."""
        if self._press is None:
            return None
        moments = (self._press.at + span for span in (ANNOUNCED, HELD, LONGEST))
        return next((moment for moment in moments if moment > now), None)
