"""The doctor's findings about wireless buttons: whether the broker accepts the companion, and each button's delay."""

from __future__ import annotations

import time
from collections.abc import Mapping

from companion.findings import Finding, bad, look, well
from companion.messages import MILLISECOND, ButtonState
from hardware.doctor.diagnosis import button_of
from hardware.radio.radio import Radio

PATIENCE_S = 3.0
"""Seconds to wait for answers from the broker and the buttons."""
LOOK_S = 0.05


def judge_radio(
    trouble: str, buttons: tuple[ButtonState, ...], trips: Mapping[int, tuple[int, int, int] | None]
) -> list[Finding]:
    """Return a finding for each wireless button, or one about the broker if it has trouble."""
    if trouble:
        return [bad("radio.broker", "trouble", said=trouble.rstrip("."))]
    return [_button_finding(state, trips.get(state.seat)) for state in buttons]


def _button_finding(state: ButtonState, trip: tuple[int, int, int] | None) -> Finding:
    part = [button_of(state.seat)]
    if state.condition == "missing":
        return bad("radio.button", "missing", part=part)
    if trip is None:
        return look("radio.button", "no_ping", part=part)
    least, median, most = (round(span / MILLISECOND, 1) for span in trip)
    return well("radio.button", part=part, least=least, median=median, most=most)


def examine(radio: Radio) -> list[Finding]:
    """Listen until all wireless buttons have answered, or for `PATIENCE_S`, and return the findings."""
    radio.start(lambda press: None, lambda: None)
    try:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and None in radio.trips().values():
            time.sleep(LOOK_S)
        return judge_radio(radio.trouble, radio.buttons(), radio.trips())
    finally:
        radio.stop()
