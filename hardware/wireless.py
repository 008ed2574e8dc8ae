"""What the doctor says of wireless buttons: whether the broker takes us, and how far each button is."""

from __future__ import annotations

import time
from collections.abc import Mapping

from companion.messages import HOST, MILLISECOND, ButtonState
from hardware.diagnosis import Finding
from hardware.radio import Radio

PATIENCE_S = 3.0
"""Seconds in which broker and buttons have to answer."""
LOOK_S = 0.05


ADVICE = "Look at broker, port, user and password_file in the table [radio], and whether mosquitto runs."


def judge_radio(
    trouble: str, buttons: tuple[ButtonState, ...], trips: Mapping[int, tuple[int, int, int] | None]
) -> list[Finding]:
    """Return what is heard of the wireless buttons, a line each, or the broker's `trouble` where nothing can be."""
    if trouble:
        return [Finding("Wireless buttons", trouble, ADVICE, False)]
    return [_one(state, trips.get(state.seat)) for state in buttons]


def _one(state: ButtonState, trip: tuple[int, int, int] | None) -> Finding:
    owner = "of the host" if state.seat == HOST else f"of seat {state.seat + 1}"
    what = f"Wireless button {owner}"
    if state.condition == "missing":
        return Finding(what, "no sign of it", "Look at its power, its Wi-Fi and its topic.", False)
    if trip is None:
        return Finding(
            what, "there, but it answers no pings", "Its presses count at their arrival: see its YAML.", False
        )
    least, median, most = (f"{span / MILLISECOND:.1f}" for span in trip)
    return Finding(what, f"answers within {median} ms ({least} to {most} ms)")


def examine(radio: Radio) -> list[Finding]:
    """Listen until all wireless buttons have answered, or for `PATIENCE_S`, and judge."""
    radio.start(lambda press: None, lambda: None)
    try:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and None in radio.trips().values():
            time.sleep(LOOK_S)
        return judge_radio(radio.trouble, radio.buttons(), radio.trips())
    finally:
        radio.stop()
