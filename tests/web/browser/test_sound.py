"""Test a page's sound after a call or a locked screen: it is silent until the next tap, and the control says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PHONE, Device

pytestmark = pytest.mark.browser

WATCHED = """
const Real = window.AudioContext;
window.contexts = []; window.tones = 0;
window.AudioContext = class extends Real {
  constructor(...given) {
    super(...given);
    window.contexts.push(this);
    const make = this.createOscillator.bind(this);
    this.createOscillator = () => { window.tones++; return make(); };
  }
};
"""
"""Records Chromium's audio contexts and tones."""
IPHONE = (
    WATCHED
    + """
window.refuses = false;
const { resume } = Real.prototype;
Object.defineProperty(Real.prototype, "state", { get() { return this.told || "running"; } });
Real.prototype.resume = async function () {
  if (window.refuses) throw new DOMException("no", "InvalidStateError");
  this.told = "running";
  this.dispatchEvent(new Event("statechange"));
};
window.interrupt = (state) => {
  contexts.at(-1).told = state;
  contexts.at(-1).dispatchEvent(new Event("statechange"));
};
"""
)
"""Imitates an iPhone's sound, which the system can interrupt and resumes at a time of its own."""
ON, OFF, SILENT = "Turn sound off", "Turn sound on", "Sound is silent: tap"
YOURS = """(seats) => document.dispatchEvent(
  new CustomEvent("stream:cue", { detail: { now: 0, cue: { message: "your_turn", seats } } })
)"""
"""Sends a cue that tells everybody for whom the table waits."""
STATE = "() => contexts.at(-1).state"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[str]:
    """Yield the address of Jane's page."""
    with Room(tmp_path) as room, served(room.app) as address:
        any_game.lay(room, "trains")
        yield address + room.seats[0]


def loud(browser: Browser, address: str, script: str) -> Page:
    """Open a phone's page and enable its sound."""
    phone = Device(browser, PHONE)
    phone.context.add_init_script(script)
    page = phone.open(address)
    expect(page.locator("[data-sound]")).to_be_hidden()
    page.locator("[data-sound-yes]").tap()
    expect(page.locator("[data-sound]")).to_have_text(ON)
    page.wait_for_function("() => window.tones === 2")
    page.evaluate(YOURS, [])
    return page


def turn(page: Page) -> int:
    """Start the turn of the page's seat, and return the number of tones so far."""
    page.evaluate(YOURS, [0])
    page.evaluate(YOURS, [])
    return int(page.evaluate("() => window.tones"))


@pytest.mark.parametrize("wake", ["tap", "key", "tap on the control", "page shown again"])
def test_a_suspended_sound_comes_back(browser: Browser, table: str, wake: str) -> None:
    """A tap anywhere, a key, the control or the page's return resumes the sound, and missed tones are skipped."""
    page = loud(browser, table, WATCHED)
    control = page.locator("[data-sound]")
    page.evaluate("() => contexts.at(-1).suspend()")
    expect(control).to_have_text(SILENT)
    assert turn(page) == 2
    match wake:
        case "tap":
            page.locator("#region-status .say").tap()
        case "key":
            page.keyboard.press("Shift")
        case "tap on the control":
            control.tap()
        case _:
            page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(control).to_have_text(ON)
    assert page.evaluate(STATE) == "running"
    page.wait_for_function(f"() => window.tones === {4 if wake == 'tap on the control' else 2}")
    assert page.evaluate("() => contexts.length") == 1
    control.tap()
    expect(control).to_have_text(OFF)
    assert page.evaluate(STATE) == "closed"
    page.context.close()


def test_an_interrupted_sound_is_said_until_it_is_back(browser: Browser, table: str) -> None:
    """While the system interrupts the sound, the control says so; a later tap resumes it, or replaces a closed one."""
    page = loud(browser, table, IPHONE)
    control = page.locator("[data-sound]")
    page.evaluate("() => { window.refuses = true; interrupt('interrupted'); }")
    expect(control).to_have_text(SILENT)
    page.locator("#region-status .say").tap()
    expect(control).to_have_text(SILENT)
    assert turn(page) == 2
    page.evaluate("() => { window.refuses = false; }")
    page.locator("#region-status .say").tap()
    expect(control).to_have_text(ON)
    assert turn(page) == 4
    page.evaluate("() => interrupt('closed')")
    page.locator("#region-status .say").tap()
    expect(control).to_have_text(ON)
    assert page.evaluate("() => contexts.length") == 2
    page.context.close()


@pytest.mark.parametrize(("answer", "text"), [("yes", SILENT), ("no", OFF)])
def test_each_device_is_asked_once(browser: Browser, table: str, answer: str, text: str) -> None:
    """A reopened page does not ask again, and one with permission sounds from the first tap on."""
    phone = Device(browser, PHONE)
    phone.context.add_init_script(WATCHED)
    page = phone.open(table)
    page.locator(f"[data-sound-{answer}]").tap()
    expect(page.locator("[data-sound-ask]")).to_be_hidden()
    page.reload()
    control = page.locator("[data-sound]")
    expect(control).to_have_text(text)
    expect(page.locator("[data-sound-ask]")).to_be_hidden()
    page.locator("#region-status .say").tap()
    expect(control).to_have_text(ON if answer == "yes" else OFF)
    page.evaluate(YOURS, [])
    assert turn(page) == (2 if answer == "yes" else 0)
    phone.context.close()


def test_what_one_seat_alone_is_asked_makes_no_sound(browser: Browser, table: str) -> None:
    """Neither a turn that begins for a secret reason nor opening the page then makes a sound."""
    page = loud(browser, table, WATCHED)
    page.evaluate("() => document.dispatchEvent(new CustomEvent('companion:turn'))")
    assert page.evaluate("() => window.tones") == 2
    assert turn(page) == 4
    page.context.close()


def test_a_sale_sounds_like_a_gavel(browser: Browser, table: str) -> None:
    """A sale sounds as two knocks of two pitches, and a step as one tone."""
    page = loud(browser, table, WATCHED)
    sound = "(detail) => document.dispatchEvent(new CustomEvent('companion:tone', { detail }))"
    page.evaluate(sound, {"hammer": True})
    assert page.evaluate("() => window.tones") == 6
    page.evaluate(sound, {"pitch": 440})
    assert page.evaluate("() => window.tones") == 7
    page.context.close()
