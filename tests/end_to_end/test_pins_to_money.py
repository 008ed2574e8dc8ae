"""Tests from contact to money: simulated pins, debounce, referee, rules and journal on one clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine import Seat, Setup
from companion.games.take_a_train import events as ev
from companion.messages import HOST, MILLISECOND, SECOND, Leading, Reveal, Sold
from hardware.buttons import ButtonBoard
from hardware.lamps.renderer import LampRenderer
from hardware.pins.factory import open_pins
from hardware.pins.simulated import ContactSimulator, Faults
from hardware.wiring.wiring import WiredPart, Wiring
from tests.support.matches import quick
from tests.support.presses import Live

__all__ = ["quick"]
pytestmark = pytest.mark.usefixtures("quick")
MS, S = MILLISECOND, SECOND
A, B, C = Seat(0), Seat(1), Seat(2)
WIRING = Wiring((WiredPart(17, 18), WiredPart(27, 23), WiredPart(22, 24)), host=26, buzzer=12)
BAD = Faults(bounce=5, bounce_ms=9, late_ms=100, seed=3)
"""Contacts that bounce for 9 ms, with edges delivered up to 100 ms late."""


class Bench:
    """A real table, real buttons on simulated pins and the lamps' desk, in simulated time."""

    def __init__(self, folder: Path, setup: Setup, faults: Faults) -> None:
        self.live = Live(folder / "journal.db", now=1000 * S)
        self.pins = open_pins("simulated")
        clock = lambda: self.live.now  # noqa: E731
        self.copper = ContactSimulator(self.pins.factory, faults, clock=clock)
        self.buttons = ButtonBoard(WIRING, self.pins, on_press=self.live.table.press, clock=clock)
        self.desk = LampRenderer(len(WIRING.seats))
        self.live.table.cues.listen(lambda cues: [self.desk.show(cue, self.live.now) for cue in cues])
        self.live.table.start(setup)

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *_: object) -> None:
        self.buttons.close()
        self.live.table.close()

    def finger(self, seat: int, after: int, length: int = 120 * MS) -> None:
        """Let a seat press its button after a delay for a duration, both in ns."""
        pin = WIRING.host if seat == HOST else WIRING.seats[seat].button
        assert pin is not None
        self.copper.drive(pin, False, self.live.now + after)
        self.copper.drive(pin, True, self.live.now + after + length)

    def run(self, length: int) -> None:
        """Advance the time, from deadline to deadline of contacts, buttons and referee."""
        until = self.live.now + length
        while True:
            dues = (self.copper.due(), self.buttons.due(), self.live.table.referee.due(), until)
            self.live.now = max(self.live.now, min(due for due in dues if due is not None))
            self.copper.play(self.live.now)
            self.buttons.wait(self.live.now)
            self.live.table.tick()
            if self.live.now >= until:
                return


def bench(folder: Path, faults: Faults = BAD, **options: str) -> Bench:
    """Return a bench with a match of three, in which seat A is about to start."""
    return Bench(folder, Setup("take-a-train", 3, options, deck="ours"), faults)


@pytest.mark.parametrize("faults", [Faults(), BAD], ids=["clean", "bad"])
def test_a_whole_open_auction(tmp_path: Path, faults: Faults) -> None:
    """Raises, a hold, a press just before three and the final count are judged rightly, and B alone pays 600."""
    with bench(tmp_path, faults) as at:
        at.live.say(ev.StarterNamed(A), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-4",)), ev.Opened(A, 200))
        at.finger(A, S)
        at.finger(B, 1500 * MS)
        at.finger(C, 2500 * MS, 900 * MS)
        at.run(5 * S)
        assert at.live.events[4:] == [ev.Counted(A, 1), ev.Raised(B, 250), ev.Raised(C, 300), ev.RaiseGrown(C, 450)]
        assert at.desk.lamps(at.live.now) == (False, False, True)
        for n in range(3):
            at.finger(C, n * 1100 * MS)
        at.finger(B, 2200 * MS - 1)
        at.finger(A, 2200 * MS + 60 * MS)
        at.run(5 * S)
        assert at.live.events[8:] == [ev.Counted(C, 1), ev.Counted(C, 2), ev.Raised(B, 500)]
        at.finger(A, 0)
        at.finger(B, 800 * MS)
        for n in range(3):
            at.finger(B, 2 * S + n * 1100 * MS)
        at.finger(C, 2 * S + 2200 * MS + MS)
        at.run(6 * S)
        assert at.live.events[11:] == [ev.Raised(A, 550), ev.Raised(B, 600), *[ev.Counted(B, n) for n in (1, 2, 3)]]
        assert at.live.cash == (5000, 4400, 5000)
        assert at.live.shown.state is not None
        assert at.live.shown.state.table.bank == 106_000 - 14_400
        assert at.live.kinds(Sold) == [Sold(seat=B)]
        assert [cue.seat for cue in at.live.kinds(Leading)] == [None, A, B, C, B, A, B, None]
        late = at.live.shown.verdicts[-1]
        assert [(mark.seat, mark.at, mark.outcome) for mark in late.marks] == [(C, 1000, "too_late")]


@pytest.mark.parametrize("faults", [Faults(), BAD], ids=["clean", "bad"])
def test_a_whole_blind_auction(tmp_path: Path, faults: Faults) -> None:
    """Ready, not ready and ready again lead to one signal with all lamps at once, and amounts are typed once."""
    with bench(tmp_path, faults, bid_channel="hand") as at:
        cards = ("steam-1", "steam-4", "diesel-1")
        at.live.say(ev.StarterNamed(A), ev.TokenDrawn("blind"), ev.LocosRevealed(cards), ev.Nominated(A, "steam-4"))
        at.finger(A, S)
        at.finger(B, 2 * S)
        at.finger(C, 3 * S)
        at.finger(B, 4 * S)
        at.run(5 * S)
        assert at.live.shown.ready == (A, C)
        at.finger(B, 0)
        at.run(2 * S)
        opens = at.live.kinds(Reveal)[-1].at
        at.run(opens - 1 - at.live.now)
        assert at.live.events[-1] == ev.Nominated(A, "steam-4")
        assert not all(at.desk.lamps(at.live.now))
        at.run(1)
        assert at.live.events[-1] == ev.RevealSignalled()
        assert at.desk.lamps(at.live.now) == (True, True, True)
        at.live.say(ev.BidsRevealed((200, 650, 350)))
        assert at.live.cash == (5000, 4350, 5000)
        assert at.live.shown.state is not None
        assert at.live.shown.state.table.bank == 106_000 - 14_350


def test_the_hosts_pin_pauses(tmp_path: Path) -> None:
    """The host's button breaks the count and pauses the table; presses have no effect until it is pressed again."""
    with bench(tmp_path) as at:
        at.live.say(ev.StarterNamed(A), ev.TokenDrawn("open"), ev.LocosRevealed(("steam-4",)), ev.Opened(A, 200))
        at.finger(A, S)
        at.finger(HOST, 2 * S)
        at.finger(B, 3 * S)
        at.finger(HOST, 4 * S)
        at.run(5 * S)
        assert at.live.events[4:] == [ev.Counted(A, 1), ev.CountBroken("pause")]
        assert not at.live.shown.paused
        at.finger(B, S)
        at.run(2 * S)
        assert at.live.events[6:] == [ev.Raised(B, 250)]
