"""Test a sealed fist, Ready, and the check of the opening in Firefox and in WebKit.

Half of all phones use WebKit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.match.actor import Actor
from companion.mechanics.seals import seal_of
from tests.support.must_run import must_run
from tests.support.sealing import LOT
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.engines import ENGINES, missing
from tests.web.browser.test_seals import PROMISE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning:selenium"),
]
WAIT = 60.0
"""Seconds until a page must show the table's state, even on a busy machine."""
FIST = """[...document.forms].find((each) => each.elements.event?.value === "committed" && each.elements.amount)"""
FILL = f"""(amount) => {{
  const form = {FIST};
  form.closest("details")?.setAttribute("open", "");
  form.elements.amount.value = amount;
}}"""
CLOSE = f"""() => {FIST}.querySelector("button:not([type=button])")"""
SEALS = """() => document.querySelectorAll("#region-seals .seal:not(.none)").length"""
FOUND = """() => document.querySelector("[data-seals-found]")?.textContent || "" """


def until(true: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    late = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < late
        time.sleep(0.05)


@pytest.mark.parametrize("name", ENGINES)
def test_a_fist_is_sealed_and_checked(tmp_path: Path, name: str) -> None:
    """The phone seals its fist, confirms the seals that it was shown, and reports its check after the opening."""
    if why := missing(name):
        assert not must_run("browser"), why
        pytest.skip(why)
    with Room(tmp_path) as room, served(room.app) as address, ENGINES[name]() as engine:
        room.set_up(3, deck="ours", reveal="signal")
        room.join_all()
        room.begin("blind")
        table = room.table
        for event in (ev.LocosRevealed(("steam-1", "diesel-1", "electric-1")), ev.Nominated(Seat(0), "steam-1")):
            assert table.propose(event, Actor.TABLE).accepted
        engine.open(address + room.seats[0])
        until(lambda: engine.run(f"() => Boolean({FIST})"))
        engine.run(FILL, 1500)
        engine.click(CLOSE)
        until(lambda: any(isinstance(entry.event, ev.Committed) for entry in table.snapshot().entries))
        (bid,) = [entry.event for entry in table.snapshot().entries if isinstance(entry.event, ev.Committed)]
        assert bid.amount == 1500 and bid.seal == seal_of(table.snapshot().match_id, LOT, bid) != ""
        for seat, amount in ((1, 200), (2, 300)):
            assert table.propose(ev.Committed(Seat(seat), amount), Actor.at_seat(seat)).accepted
        until(lambda: engine.run(SEALS) == 1 and engine.run("() => Boolean(document.querySelector('[data-press]'))"))
        engine.click("() => document.querySelector('[data-press]')")
        until(lambda: 0 in table.snapshot().ready)
        assert table.propose(ev.RevealSignalled(), Actor.HOST).accepted
        until(lambda: "1 of 3 checked" in engine.run(FOUND))
        assert PROMISE in engine.run(FOUND)
        assert engine.run("() => document.querySelectorAll('[data-seals-found] .bad').length") == 0
