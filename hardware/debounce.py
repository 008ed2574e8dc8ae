"""Turns the edges of one button into presses. Callers pass times in nanoseconds.

The time of a press is the first closing edge of its burst. The order of delivery does not matter: edges are processed
in the order of their stamps, and after a late edge the edges behind it are processed again.
"""

from __future__ import annotations

from collections import deque
from typing import Literal, NamedTuple

import msgspec

from companion.messages import MILLISECOND, SECOND, Condition, Contact, Press
from hardware.wiring.wiring import Wiring

LONGEST_BURST = 300 * MILLISECOND
"""The longest burst that a finger makes, in nanoseconds."""
BUSY = 2 * SECOND
MOST_PRESSES = 12
"""The maximum number of presses that a finger makes within `BUSY`."""
QUIET = SECOND
"""Nanoseconds without an edge after which an ignored button counts again if it is open."""
LOST = 250 * MILLISECOND
"""Nanoseconds after which an edge that the level has revealed counts as lost if it has not arrived."""
REMEMBERED = 64
"""The number of remembered edges of one button; a late edge can be inserted among them."""


class DebounceState(msgspec.Struct, frozen=True):
    """A contact's state according to its edges."""

    closed: bool = False
    at: int = 0
    """The time since which it has been closed or open."""
    last: int = -QUIET
    """The time of its last edge, even if that edge changed nothing."""
    burst: int = 0
    """The time at which the burst of `last` began."""
    first: int | None = None
    """The time of the first closing edge of a burst that is not a press yet."""
    pressed: int | None = None
    """The time since which it has been pressed."""
    held: bool = False
    mute: bool = False
    """Whether it is closed although no closing edge was seen; that is no press."""
    out: Literal["stuck", "chattering"] | None = None
    bounces: int = 0
    recent: tuple[int, ...] = ()
    """The times of the latest presses."""
    noise: int = 0
    """The number of bursts that were not a press."""


class DebounceFact(NamedTuple):
    """An event of the contact."""

    contact: Contact
    at: int
    bounces: int


class DebounceEntry(NamedTuple):
    """An edge and the state after it."""

    at: int
    state: DebounceState


class DebounceRules(NamedTuple):
    """The wiring's durations in nanoseconds."""

    bounce: int
    noise: int
    hold: int
    stuck: int


def rules_of(wiring: Wiring) -> DebounceRules:
    """Return a wiring's durations in nanoseconds."""
    return DebounceRules(
        wiring.bounce_ms * MILLISECOND,
        wiring.noise_ms * MILLISECOND,
        wiring.hold_ms * MILLISECOND,
        wiring.stuck_s * SECOND,
    )


def settle(rules: DebounceRules, state: DebounceState, until: int) -> tuple[DebounceState, list[DebounceFact]]:
    """Return the state and events at a time up to which the contact has not changed."""
    if state.out is not None:
        if not state.closed and until - state.last >= QUIET:
            return DebounceState(at=state.at, last=state.last, noise=state.noise), []
        return state, []
    return (_settle_closed if state.closed else _settle_open)(rules, state, until)


def _settle_closed(rules: DebounceRules, state: DebounceState, until: int) -> tuple[DebounceState, list[DebounceFact]]:
    facts: list[DebounceFact] = []
    if state.first is not None and until - state.at >= rules.noise:
        recent = (*(at for at in state.recent if state.first - at <= BUSY), state.first)
        state = msgspec.structs.replace(state, pressed=state.first, first=None, held=False, recent=recent)
        if len(recent) > MOST_PRESSES:
            return msgspec.structs.replace(state, out="chattering", pressed=None), facts
        facts.append(DebounceFact("closed", recent[-1], state.bounces))
    if state.pressed is not None and not state.held and until - state.pressed >= rules.hold:
        facts.append(DebounceFact("held", state.pressed + rules.hold, state.bounces))
        state = msgspec.structs.replace(state, held=True)
    since = state.pressed if state.pressed is not None else state.at
    if until - since >= rules.stuck:
        state = msgspec.structs.replace(state, out="stuck", pressed=None, mute=False)
    return state, facts


def _settle_open(rules: DebounceRules, state: DebounceState, until: int) -> tuple[DebounceState, list[DebounceFact]]:
    if until - state.last < rules.bounce:
        return state, []
    if state.pressed is not None:
        fact = DebounceFact("opened", state.at, state.bounces)
        return msgspec.structs.replace(state, pressed=None, bounces=0), [fact]
    if state.first is not None:
        return msgspec.structs.replace(state, first=None, bounces=0, noise=state.noise + 1), []
    return (msgspec.structs.replace(state, mute=False) if state.mute else state), []


def after_edge(
    rules: DebounceRules, state: DebounceState, at: int, closed: bool
) -> tuple[DebounceState, list[DebounceFact]]:
    """Return the state and events after an edge."""
    state, facts = settle(rules, state, at)
    same_burst = at - state.last < rules.bounce
    burst = state.burst if same_burst else at
    bounces = state.bounces + 1 if same_burst else state.bounces
    first = state.first
    if closed and not state.closed and first is None and state.pressed is None and not state.mute:
        first, bounces = at, 0
    changed = closed != state.closed
    out = state.out or ("chattering" if at - burst > LONGEST_BURST else None)
    state = msgspec.structs.replace(
        state,
        closed=closed,
        at=at if changed else state.at,
        last=at,
        burst=burst,
        first=None if out else first,
        pressed=None if out else state.pressed,
        bounces=bounces,
        out=out,
    )
    return state, facts


class Debounce:
    """Debounces one button. Pass it edges and, at the times that `due` returns, the level of its pin."""

    def __init__(self, seat: int, wiring: Wiring, now: int, closed: bool = False, within: int = 0) -> None:
        """Begin with an open or closed contact. A closed one is not a press, and is stuck if it stays closed.

        `within`: the largest error of the stamps, in nanoseconds.
        """
        self.seat = seat
        self._rules = rules_of(wiring)
        self._within = within
        begun = DebounceState(closed=closed, mute=closed, at=now, last=now - self._rules.bounce)
        self._edges: deque[DebounceEntry] = deque([DebounceEntry(now, begun)], REMEMBERED)
        self._state = begun
        self._doubt: int | None = None
        """The time since which the level has contradicted the edges."""
        self._agreed_at = now
        """The last time at which they agreed."""
        self._reported_at = now - 1
        """The time of the last reported event."""
        self._open_press: Press | None = None
        """The last reported press whose end has not been reported."""

    @property
    def condition(self) -> Condition:
        """The condition of the button."""
        if self._state.out is not None:
            return self._state.out
        return "closed" if self._open_press is not None or self._state.mute else "open"

    @property
    def noise(self) -> int:
        """The number of closings that were too short for a press."""
        return self._state.noise

    def edge(self, at: int, closed: bool) -> list[Press]:
        """Process an edge with its stamp; return new events."""
        facts: list[DebounceFact] = []
        if closed and self._edges[-1].state.closed and self._doubt is not None and self._doubt < at:
            facts += self._replace_lost()
        facts += self._insert(at, closed)
        self._doubt = None
        self._agreed_at = max(self._agreed_at, at)
        self._state = self._edges[-1].state
        return self._new_presses(facts)

    def tick(self, now: int, closed: bool | None = None) -> list[Press]:
        """Process the time and the current level (None: as the edges say); return new events.

        If the level contradicts the edges, an edge is still on its way; decide nothing before it arrives.
        """
        facts: list[DebounceFact] = []
        if closed is None or closed == self._edges[-1].state.closed:
            self._doubt = None
        else:
            self._doubt = now if self._doubt is None else self._doubt
            if now - self._doubt < LOST:
                return []
            facts += self._replace_lost()
        self._agreed_at = max(self._agreed_at, now)
        self._state, more = settle(self._rules, self._edges[-1].state, now)
        return self._new_presses(facts + more)

    def due(self) -> int | None:
        """Return the next time at which `tick` has something to do; None if only an edge can change anything."""
        state, rules = self._state, self._rules
        if self._doubt is not None:
            return self._doubt + LOST
        if state.out is not None:
            return None if state.closed else state.last + QUIET
        if not state.closed:
            waiting = state.pressed is not None or state.first is not None or state.mute
            return state.last + rules.bounce if waiting else None
        if state.first is not None:
            return state.at + rules.noise
        if state.pressed is not None:
            return state.pressed + (rules.stuck if state.held else min(rules.hold, rules.stuck))
        return state.at + rules.stuck

    def _insert(self, at: int, closed: bool) -> list[DebounceFact]:
        """Insert an edge by its stamp, and process the edges from there again."""
        later: list[DebounceEntry] = []
        while len(self._edges) > 1 and self._edges[-1].at > at and not self._edges[-1].state.mute:
            later.append(self._edges.pop())
        at = max(at, self._edges[-1].at)
        facts: list[DebounceFact] = []
        for when, level in ((at, closed), *((entry.at, entry.state.closed) for entry in reversed(later))):
            state, more = after_edge(self._rules, self._edges[-1].state, when, level)
            self._edges.append(DebounceEntry(when, state))
            facts += more
        return facts

    def _replace_lost(self) -> list[DebounceFact]:
        """Replace a lost edge: an opening gets the last time at which the contact was known to be closed; a closing
        is no press."""
        base, self._doubt = self._edges[-1].state, None
        if base.closed:
            return self._insert(self._agreed_at, False)
        state, facts = settle(self._rules, base, self._agreed_at)
        found = msgspec.structs.replace(
            state, closed=True, mute=True, at=self._agreed_at, last=self._agreed_at, first=None
        )
        self._edges.append(DebounceEntry(self._agreed_at, found))
        return facts

    def _new_presses(self, facts: list[DebounceFact]) -> list[Press]:
        """Return the events not reported yet, in order: closed, perhaps held, opened, and so on."""
        news: list[Press] = []
        for fact in facts:
            if fact.contact == "closed":
                if fact.at <= self._reported_at:
                    continue
                if self._open_press is not None:
                    news.append(self._press("opened", fact.at, fact.bounces))
            elif self._open_press is None or self._open_press.contact == fact.contact:
                continue
            news.append(self._press(fact.contact, fact.at, fact.bounces))
        shown = self._state
        if shown.out is not None:
            self._open_press = None
        elif self._open_press is not None and not shown.closed and shown.pressed is None and shown.first is None:
            # a late edge showed that the press was only noise
            news.append(self._press("opened", shown.at, shown.bounces))
        return news

    def _press(self, contact: Contact, at: int, bounces: int) -> Press:
        """Return an event as a press, and remember it."""
        down, at = self._open_press, max(at, self._reported_at)
        since = 0 if down is None else down.at if down.contact == "closed" else down.since
        press = Press(self.seat, at, contact, since, within=self._within, bounces=bounces)
        self._open_press, self._reported_at = None if contact == "opened" else press, at
        return press
