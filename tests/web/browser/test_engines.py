"""Play a whole game in Firefox and in WebKit, with axe-core at every moment.

Half of all phones use WebKit.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from tests.support.must_run import must_run
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import NOTE_TAPS, UNHURRIED
from tests.web.browser.engines import ENGINES, Engine, missing
from tests.web.browser.players import OFFERS, play_a_game
from tests.web.browser.truth import FITS, SETTLED

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning:selenium"),
]

VIOLATIONS = """async () => (await axe.run()).violations.flatMap(
  (each) => each.nodes.map((node) => `${each.id}: ${node.html.slice(0, 120)} ${node.failureSummary}`))"""
COUNT_CHANGES = """() => {
  if (window.__changes === undefined) addEventListener("region:changed", () => { window.__changes += 1; });
  window.__changes ??= 0;
}"""
CHANGES = "() => window.__changes"
FOLD = '(number) => window.__offers[number].closest("details:not([open])").querySelector("summary")'
FOLDED = '(number) => Boolean(window.__offers[number].closest("details:not([open])"))'
RADIO = '(number) => window.__offers[number].form.querySelector("label:has(input[type=radio][required])")'
UNCHOSEN = """(number) => {
  const radios = [...window.__offers[number].form.querySelectorAll("input[type=radio][required]")];
  return radios.length > 0 && !radios.some((each) => each.checked);
}"""
LABELLED = """() => document.querySelector("#region-ending h2").textContent"""


class Person:
    """A person who taps a page's offers, in one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.moments = 0

    def open(self, address: str) -> None:
        """Open the page, and load axe-core."""
        self.engine.open(address)
        self.engine.run(f"() => {{ {NOTE_TAPS} }}")
        self.engine.run(
            f"() => {{ {AXE_SCRIPT}; window.__wrong = []; window.onerror = (what) => window.__wrong.push(what); }}"
        )

    def shown(self) -> str:
        """Return the state shown by the page."""
        return str(self.engine.run("() => document.body.dataset.shown"))

    def offers(self) -> list[dict[str, str]]:
        """Return the page's offers."""
        found: list[dict[str, str]] = self.engine.run(OFFERS)
        return found

    def take(self, number: int) -> None:
        """Open the fold, choose an alternative and tap the button."""
        while self.engine.run(FOLDED, number):
            self.engine.click(FOLD, number)
        if self.engine.run(UNCHOSEN, number):
            self.engine.click(RADIO, number)
        while not self.engine.run(UNHURRIED):
            time.sleep(0.02)
        self.engine.click("(number) => window.__offers[number]", number)

    def judge(self) -> None:
        """Check that axe-core finds nothing, the page fits its screen, and its scripts log no errors."""
        self.moments += 1
        self.engine.run(COUNT_CHANGES)
        changes = -1
        while changes != (changes := self.engine.run(CHANGES)):  # colours fade when a page changes
            self.engine.run(f"async () => {{ while (!({SETTLED})()) await new Promise(requestAnimationFrame); }}")
            violations = self.engine.run(VIOLATIONS)
        assert violations == []
        assert self.engine.run(FITS, True) == []
        assert self.engine.run("() => window.__wrong") == []


@pytest.mark.parametrize("name", ENGINES)
def test_a_whole_game_is_played(tmp_path: Path, name: str) -> None:
    """A game can be played to its end by taps on one phone's page."""
    if why := missing(name):
        assert not must_run("browser"), why
        pytest.skip(why)
    with Room(tmp_path) as room, served(room.app) as address, ENGINES[name]() as engine:
        person = Person(engine)
        winner = play_a_game(room, address, person)
        assert winner in engine.run(LABELLED)
        assert engine.run("() => matchMedia('(prefers-reduced-motion: reduce)').matches")
        assert person.moments >= 4
