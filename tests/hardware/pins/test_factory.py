"""The choice of pins follows the settings and the machine, and says why if they do not agree."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from hardware.pins.factory import PinsError, open_pins

REAL = any(Path("/dev").glob("gpiochip*"))


@pytest.mark.skipif(REAL, reason="this machine has pins")
def test_a_machine_without_pins_simulates_them_and_says_why() -> None:
    """A machine without pins gets simulated ones and a sentence for the people at the table."""
    pins = open_pins("auto")
    assert (pins.kind, pins.stamped) == ("simulated", True)
    assert pins.said.startswith("This machine has no real buttons, so they are simulated: lgpio ")


def test_simulated_pins_that_were_asked_for_need_no_sentence() -> None:
    """Simulated pins that the settings ask for need no explanation."""
    pins = open_pins("simulated")
    assert (pins.kind, pins.stamped, pins.said) == ("simulated", True, "")


@pytest.mark.skipif(REAL, reason="this machine has pins")
@pytest.mark.parametrize("kind", ["lgpio", "rpigpio"])
def test_real_pins_that_were_asked_for_are_not_replaced_by_simulated_ones(kind: str) -> None:
    """If the settings ask for real pins and there are none, the service says so instead of simulating them."""
    with pytest.raises(PinsError, match=f"^{kind} .*\\.$"):
        open_pins(kind)


def test_a_kind_that_is_none_is_refused_with_those_that_are() -> None:
    """An unknown kind of pins is refused with the list of known ones."""
    with pytest.raises(PinsError, match="“pigpio” pins: choose one of auto, lgpio, rpigpio, simulated"):
        open_pins("pigpio")


@pytest.mark.skipif(find_spec("lgpio") is None, reason="there is no lgpio")
def test_lgpio_leaves_nothing_behind_where_the_program_runs(tmp_path: Path) -> None:
    """lgpio leaves no FIFO in the working directory, and the working directory stays the same."""
    program = (
        "import os, hardware.pins.factory; hardware.pins.factory.open_pins('auto'); import lgpio; print(os.getcwd())"
    )
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.strip(), list(tmp_path.iterdir())) == (str(tmp_path), [])
