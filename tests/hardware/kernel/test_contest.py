"""The same contests through lgpio and RPi.GPIO show what the kernel's time stamps are worth."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.contest import BUSY, KINDS, MARGINS_MS
from tests.hardware.kernel.machine import boot, with_rpi_gpio

pytestmark = [pytest.mark.kernel, pytest.mark.rpi_gpio]
ROW = "{:<8} {:<6} {:>9} {:>12} " + " {:>8}" * len(MARGINS_MS)


@pytest.fixture(scope="module")
def contest() -> dict[str, Any]:
    """Return the results of the contests."""
    return boot("tests.hardware.kernel.contest", with_rpi_gpio())


def test_both_roads_tell_every_contested_press(contest: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """No press is lost through either library, on an idle or a busy machine. The test prints the figures."""
    heads = [f"{margin} ms" for margin in MARGINS_MS]
    with capsys.disabled():
        print(f"\n\nContested presses judged wrongly (busy: {BUSY} programs beside it on one processor):")
        print("Order of two fingers, and presses made so much before the third count that are judged too late.")
        print(ROW.format("pins", "", "contests", "wrong order", *heads))
        for name, found in contest.items():
            late = [f"{found['late'][str(margin)]}/{found['presses']}" for margin in MARGINS_MS]
            print(ROW.format(*name.split(), found["contests"], f"{found['order']}/{found['whole']}", *late))
    assert set(contest) == {f"{kind} {name}" for kind in KINDS for name in ("quiet", "busy")}
    for name, found in contest.items():
        assert found["whole"] == found["contests"], name
