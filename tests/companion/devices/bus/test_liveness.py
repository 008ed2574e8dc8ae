"""The silence of a process excludes its waits for the processor and includes all idle time."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.devices.bus import kernel_readings
from companion.devices.bus.kernel_readings import TICK
from companion.devices.bus.liveness import FORGIVEN, SUSPECT, SilenceTimer
from companion.messages import SECOND

EVERY = 0.25
STEP = round(EVERY * SECOND)
PROCESS = 4711


class Kernel:
    """A process in a simulated `/proc`, with a simulated time (ns)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / str(PROCESS) / "task"
        self.now = 0
        self.silence = SilenceTimer(lambda: self.now, EVERY)

    def thread(self, number: int, state: str, ran: int) -> None:
        """Set the state of a thread and its running time (ns)."""
        place = self.folder / str(number)
        place.mkdir(parents=True, exist_ok=True)
        fields = [state, *["0"] * 10, str(ran // TICK), "0", "0"]
        (place / "stat").write_text(f"{number} (odd) name) {' '.join(fields)}\n")

    def look(self, times: int = 1) -> int:
        """Advance the time and check the silence a number of times, and return the last silence (ns)."""
        found = 0
        for _ in range(times):
            self.now += STEP
            found = self.silence.look(process=PROCESS)
        return found


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """Return a process in a simulated `/proc`."""
    monkeypatch.setattr(kernel_readings, "PROC", tmp_path)
    return Kernel(tmp_path)


@pytest.mark.parametrize("state", ["S", "T", "D"])
def test_a_process_that_stands_still_is_silent(kernel: Kernel, state: str) -> None:
    """A process that sleeps, is stopped or waits for a disk counts as silent all the time."""
    kernel.thread(1, state, 0)
    assert kernel.look(8) == 2 * SECOND


def test_a_process_that_waits_for_the_processor_is_not_silent(kernel: Kernel) -> None:
    """Waiting for the processor is excused, up to a limit, if any thread of the process is ready."""
    kernel.thread(1, "S", 0)
    kernel.thread(2, "R", 0)
    assert kernel.look(20) == SUSPECT  # no time is excused before the first check
    assert kernel.look(int(60 / EVERY)) == 20 * STEP + 60 * SECOND - FORGIVEN


def test_a_process_that_runs_without_a_word_is_silent(kernel: Kernel) -> None:
    """A process that runs in a loop without sending anything counts as silent."""
    for n in range(1, 9):
        kernel.thread(1, "R", n * STEP)
        found = kernel.look()
    assert 2 * SECOND - 8 * TICK <= found <= 2 * SECOND


def test_half_a_processor_is_half_an_excuse(kernel: Kernel) -> None:
    """If a thread has half of the processor, only half of its time is excused."""
    for n in range(1, 9):
        kernel.thread(1, "R", n * STEP // 2)
        found = kernel.look()
    assert abs(found - (SUSPECT + (2 * SECOND - SUSPECT) // 2)) <= 8 * TICK


def test_a_word_ends_the_silence(kernel: Kernel) -> None:
    """A message ends the silence, even if it has only arrived and is not read yet."""
    kernel.thread(1, "S", 0)
    kernel.look(8)
    kernel.silence.restart()
    assert kernel.look() == STEP
    assert kernel.silence.look(unheard=True) == 0
    assert kernel.look() == STEP


def test_a_process_that_is_hidden_or_gone_has_no_excuse(kernel: Kernel) -> None:
    """A process without an entry in `/proc` gets no excuse."""
    assert kernel.look(8) == 2 * SECOND


def test_a_late_look_counts_for_little(kernel: Kernel) -> None:
    """If the check itself comes late, only two intervals count."""
    kernel.now += 60 * SECOND
    assert kernel.silence.look() == 2 * STEP
