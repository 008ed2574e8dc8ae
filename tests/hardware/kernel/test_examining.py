"""The doctor on real lines of a real kernel."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def examining() -> dict[str, Any]:
    """Return the doctor's findings."""
    return boot("tests.hardware.kernel.examining")


def test_the_doctor_names_a_taken_a_noisy_and_a_stuck_line(examining: dict[str, Any]) -> None:
    """The doctor names the program that holds a line (lgpio calls itself lg), and still examines the others."""
    found = {line["what"].split(" (")[0]: line["how"] for line in examining["findings"]}
    assert found.pop("GPIO 27").startswith("floating or noisy: ")
    assert found == {
        "GPIO 17": "in use by lg",
        "GPIO 22": "ok",
        "GPIO 23": "ok",
        "GPIO 5": "stuck: closed although nobody is pressing",
    }


def test_the_same_lines_are_felt_afterwards(examining: dict[str, Any]) -> None:
    """Lines that the doctor has closed can be opened and read again in the same process."""
    assert examining["felt"] == ["felt"] * 4
