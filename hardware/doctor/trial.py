"""Shows every edge of each contact, including its bounce, to try buttons and lamps while soldering."""

from __future__ import annotations

import time
from collections.abc import Callable

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table

from companion.messages import HOST, MILLISECOND, SECOND, Press
from hardware.buttons import ButtonBoard
from hardware.pins.factory import Pins
from hardware.pins.simulated import ContactSimulator, Faults
from hardware.wiring.wiring import Wiring

BURST = 25 * MILLISECOND
"""Nanoseconds; edges closer together than this are one bounce, because no finger is that quick."""
STEP_MS, ALL_MS, TONE_MS = 300, 700, 200
"""Milliseconds of each lamp in the test, of all lamps together, and of the buzzer."""
FRAME = SECOND // 10
"""Nanoseconds between two updates of the screen."""
HINT = "First all lamps, then each button lights its own (●). Edges and ms: the last bounce. Ctrl-C ends."
TAP, EVERY = 120 * MILLISECOND, 700 * MILLISECOND
"""The duration of a simulated press, and the interval between presses, in nanoseconds."""


class BounceCount:
    """The presses and bounces of one button so far."""

    def __init__(self) -> None:
        self.closed = False
        self.presses = 0
        self.last = 0
        """The time of its last press; 0: never."""
        self.edges = 0
        """The number of edges of the last closing or opening."""
        self.shortest: int | None = None
        self.longest = 0
        """The shortest and longest bounce, in nanoseconds."""
        self.gap = 0
        """The longest time between two edges of one bounce, in nanoseconds."""
        self.closing = (0, 0)
        """The edges and the duration (ns) of the last closing alone."""
        self._first = self._latest = 0
        self._begun_closed = False

    @property
    def bounce(self) -> int:
        """The duration of the bounce of the last closing or opening (ns)."""
        return self._latest - self._first

    def edge(self, at: int, closed: bool) -> None:
        """Record an edge, and join edges in quick succession to one bounce."""
        self.closed = closed
        if self.edges and abs(at - self._latest) < BURST:
            self.gap = max(self.gap, at - self._latest)
            self.edges += 1
        else:
            self._end()
            self._first, self.edges, self._begun_closed = at, 1, closed
        self._latest = max(self._latest, at)
        if self._begun_closed:
            self.closing = (self.edges, self.bounce)

    def pressed(self, at: int) -> None:
        """Count a press."""
        self.presses += 1
        self.last = at

    def range(self) -> tuple[int, int]:
        """Return the shortest and the longest bounce so far (ns), including the last one."""
        shortest = self.bounce if self.shortest is None else min(self.shortest, self.bounce)
        return shortest, max(self.longest, self.bounce)

    def _end(self) -> None:
        if self.edges:
            self.shortest, self.longest = self.range()


class PressTally:
    """The presses and bounces of all buttons so far: the seats in order, then the host (`HOST`)."""

    def __init__(self, wiring: Wiring) -> None:
        seats = [*range(len(wiring.seats)), *([HOST] if wiring.host is not None else [])]
        self.contacts = {seat: BounceCount() for seat in seats}
        self.bounce_ms = wiring.bounce_ms

    def edge(self, seat: int, at: int, closed: bool) -> None:
        """Record a raw edge."""
        self.contacts[seat].edge(at, closed)

    def press(self, press: Press) -> None:
        """Record a debounced press."""
        if press.contact == "closed":
            self.contacts[press.seat].pressed(press.at)

    def advice(self) -> list[str]:
        """Return advice based on the bounces."""
        found = []
        silent = [button_name(seat) for seat, contact in self.contacts.items() if not contact.presses]
        if silent:
            found.append(f"Never felt: {', '.join(silent)}.")
        gap = max((contact.gap for contact in self.contacts.values()), default=0)
        if gap > self.bounce_ms * MILLISECOND:
            wanted = -(-gap // MILLISECOND) + 1
            found.append(f"Contacts bounce with pauses of up to {milliseconds(gap)} ms: set bounce_ms = {wanted}.")
        return found


class TrialView(msgspec.Struct, frozen=True):
    """A step of the lamp test: the lamps by seat, and the buzzer."""

    lamps: tuple[bool, ...]
    buzzer: bool = False


def lamp_test_at(elapsed: int, seats: int) -> TrialView | None:
    """Return the lamp test's step after `elapsed` ns: one lamp after another, all together, the buzzer, None."""
    step, rest = divmod(elapsed // MILLISECOND, STEP_MS)
    if step < seats:
        return TrialView(tuple(seat == step for seat in range(seats)))
    rest = elapsed // MILLISECOND - seats * STEP_MS
    if rest < ALL_MS:
        return TrialView((True,) * seats)
    return TrialView((False,) * seats, True) if rest < ALL_MS + TONE_MS else None


def button_name(seat: int) -> str:
    """Return a button's name, with the seats counted from 1."""
    return "host" if seat == HOST else f"seat {seat + 1}"


def milliseconds(span: int) -> str:
    """Return a duration in milliseconds, to a tenth."""
    return f"{span / MILLISECOND:.1f}"


def button_table(tally: PressTally, buttons: ButtonBoard, now: int, caption: str = "") -> RenderableType:
    """Return a table of all buttons at a time; bounces are in milliseconds."""
    shown = Table(box=None, padding=(0, 2, 0, 0))
    for head in ("Button", "GPIO", "State", "Presses", "Last", "Edges", "ms", "Least", "Most", "Noise"):
        shown.add_column(head, justify="left" if head in ("Button", "State") else "right")
    lit = {lamp.seat for lamp in buttons.lamps() if lamp.on}
    for state in buttons.buttons():
        contact = tally.contacts[state.seat]
        ago = f"{(now - contact.last) / SECOND:.1f} s" if contact.last else "never"
        condition = "closed" if contact.closed and state.condition == "open" else state.condition
        bounces = (
            [str(contact.edges), *(milliseconds(span) for span in (contact.bounce, *contact.range()))]
            if contact.edges
            else ["–"] * 4
        )
        lamp = " ●" if state.seat in lit else ""
        counted = (str(contact.presses), ago, *bounces, str(buttons.noise(state.seat)))
        shown.add_row(button_name(state.seat), str(state.pin), condition + lamp, *counted)
    return Group(shown, caption) if caption else shown


def press_line(press: Press, contact: BounceCount) -> str:
    """Return a line about a press."""
    who = f"{button_name(press.seat):<7}"
    if press.contact != "opened":
        return f"{who} {'pressed' if press.contact == 'closed' else 'held'}"
    edges, span = contact.closing
    bounce = f"bounced: {edges} edges in {milliseconds(span)} ms" if edges > 1 else "no bounce"
    return f"{who} let go after {milliseconds(press.at - press.since)} ms; {bounce}"


class Trial:
    """The loop between buttons and screen: a live table on a terminal, lines in a pipe."""

    def __init__(self, wiring: Wiring, pins: Pins, faults: Faults | None, console: Console) -> None:
        """Open the pins; simulated ones get a finger that presses them in turn."""
        self.tally = PressTally(wiring)
        self._console = console
        self._seats = len(wiring.seats)
        self._live = console.is_terminal
        self.buttons = ButtonBoard(wiring, pins, on_edge=self.tally.edge, on_press=self._pressed)
        self._simulator: ContactSimulator | None = None
        if pins.kind == "simulated":
            self._simulator = ContactSimulator(
                pins.factory, faults, tuple(state.pin for state in self.buttons.buttons())
            )
            self._simulator.start()
        self._begun = self._next_tap = time.monotonic_ns()
        self._taps = 0

    def run(self, until: int | None = None) -> None:
        """Show events until a time (ns) or Ctrl-C, then print the summary."""
        try:
            if self._live:
                with Live(console=self._console, auto_refresh=False, transient=True) as live:
                    self._loop(until, lambda now: live.update(self._table(now, HINT), refresh=True))
            else:
                self._console.print("Testing the lamps: one after another, all together, the buzzer.")
                self._loop(until, lambda now: None)
        except KeyboardInterrupt:
            pass
        finally:
            self._console.print(self._table(time.monotonic_ns()))
            self.close()
        for line in (*self.buttons.said, *self.tally.advice()):
            self._console.print(line)

    def close(self) -> None:
        """Switch off the lamps and release the pins."""
        if self._simulator is not None:
            self._simulator.close()
            self._simulator = None
        self.buttons.close()

    def _table(self, now: int, caption: str = "") -> RenderableType:
        return button_table(self.tally, self.buttons, now, caption)

    def _loop(self, until: int | None, draw: Callable[[int], object]) -> None:
        now = time.monotonic_ns()
        while until is None or now < until:
            draw(now)
            self._light(now)
            self._tap(now)
            self.buttons.wait(now + FRAME if until is None else min(now + FRAME, until))
            now = time.monotonic_ns()

    def _light(self, now: int) -> None:
        """Show the lamp test; after it, light each lamp while its button is closed."""
        shown = lamp_test_at(now - self._begun, self._seats)
        if shown is None:
            shown = TrialView(tuple(self.tally.contacts[seat].closed for seat in range(self._seats)))
        self.buttons.show(shown.lamps, shown.buzzer)

    def _tap(self, now: int) -> None:
        """Have the simulated finger press the next button."""
        if self._simulator is None or now < self._next_tap:
            return
        states = self.buttons.buttons()
        pin = states[self._taps % len(states)].pin
        self._simulator.drive(pin, False, now)
        self._simulator.drive(pin, True, now + TAP)
        self._taps += 1
        self._next_tap = now + EVERY

    def _pressed(self, press: Press) -> None:
        self.tally.press(press)
        if not self._live:
            self._console.print(press_line(press, self.tally.contacts[press.seat]))
