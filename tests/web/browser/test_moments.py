"""Test moments in a browser with a clock that the tests move: they never block the page, and never appear twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.engine import Event, Seat
from companion.games.take_a_train import events as ev
from tests.web.browser.devices import PATIENCE, TABLET, Device
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
CARDS = ("steam-1", "steam-4", "diesel-1")
BLIND: tuple[Event, ...] = (
    ev.StarterNamed(Seat(0)), ev.TokenDrawn("blind"), ev.LocosRevealed(CARDS), ev.Nominated(Seat(0), "steam-4"),
)  # fmt: skip
OPEN: tuple[Event, ...] = (
    ev.StarterNamed(Seat(0)), ev.TokenDrawn("open"), ev.LocosRevealed(CARDS[1:2]), ev.Opened(Seat(0), 300),
)  # fmt: skip
BIDS = (250, 400, 300)
SEND = """(moment) => {
  const now = window.companion.clock.there(performance.now()) ?? 0;
  document.dispatchEvent(new CustomEvent("stream:moment", { detail: { at: now - 1e6 * moment.age, now, ...moment } }));
}"""
TOLD = """document.addEventListener("stream:cue", ({ detail: { cue } }) => {
  if (cue.message === "your_turn") window.__told = true;
});"""
"""Records that a page knows whose turn it is; later changes are announced."""
KEPT = """() => document.addEventListener("stream:moment", ({ detail }) => { window.__kept = detail; })"""
SAID = "() => window.__said.map(({ text, spoken }) => [text, spoken])"
VOICES = """(() => {
  const spoken = window.__spoken = [];
  window.__voices = %s;
  const fake = {
    getVoices: () => window.__voices, cancel: () => spoken.push("cancel"), addEventListener: () => {},
    speak: (told) => spoken.push([told.voice && told.voice.name, told.text]),
  };
  Object.defineProperty(window, "speechSynthesis", { value: fake });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
})()"""
LOCAL = {"name": "box", "lang": "en-GB", "localService": True}
REMOTE = {"name": "cloud", "lang": "en-US", "localService": False, "default": True}
FRENCH = {"name": "boîte", "lang": "fr-FR", "localService": True}


@pytest.fixture
def screen(room: Room, browser: Browser) -> Iterator[Device]:
    """Yield a spectator's screen with motion, whose page clock runs only when a test advances it."""
    device = Device(browser, TABLET, reduced_motion="no-preference")
    device.open(room.server.address)
    yield device
    assert device.complaints == []
    device.context.close()


def watch(room: Room, device: Device, voices: list[dict[str, Any]] | None = None) -> Page:
    """Open a spectator's page; `voices` are those of its browser."""
    if voices is not None:
        device.page.add_init_script(VOICES % json.dumps(voices))
    device.page.add_init_script(TOLD)
    page = device.open(device.post("/watch", "/join", room=room.pin))
    page.wait_for_function("() => window.__told && window.companion.clock.there(0) !== null", timeout=PATIENCE)
    page.evaluate(KEPT)
    return page


def stop_time(page: Page) -> None:
    """Stop the page's clock, which `page.clock.run_for` then advances.

    No moment can be late while the clock stands still.
    """
    page.evaluate("() => { window.companion.clock.there = () => null; }")
    page.clock.install()
    page.clock.pause_at(int(page.evaluate("() => Date.now()")) + 1000)


def reveal(room: Room, page: Page) -> None:
    """Close a fist for everybody, and wait until the page has received the moment."""
    for seat, amount in enumerate(BIDS):
        assert page.evaluate("() => window.__kept === undefined")
        room.say(ev.Committed(Seat(seat), amount))
    page.wait_for_function("() => window.__kept !== undefined", timeout=PATIENCE)


def opened(page: Page) -> list[str]:
    """Return the amounts of the open fists, by seat."""
    return page.locator(".fist.seen .fist-amount").all_inner_texts()


def again(page: Page, **more: Any) -> None:
    """Send the page a moment that it has already shown, as one that happens now or happened `age` milliseconds ago."""
    page.evaluate(SEND, {"age": 0, "kind": "reveal", "html": page.evaluate("() => window.__kept.html")} | more)


def test_fists_open_one_after_another_the_winner_s_last(room: Room, screen: Device) -> None:
    """The fists open one by one, the winner's last, and the game does not wait for the moment."""
    room.begin(*BLIND)
    page = watch(room, screen)
    stop_time(page)
    reveal(room, page)
    order = [opened(page)]
    while page.evaluate("() => document.body.dataset.moment"):
        page.clock.run_for(50)
        if page.locator(".fist").count() and opened(page) != order[-1]:
            order.append(opened(page))
        if page.locator(".moment-result.seen").count():
            expect(page.locator(".moment-result")).to_have_text("Bill buys for $400")
    assert order == [["$250"], ["$250", "$300"], ["$250", "$400", "$300"]]
    expect(page.locator("[data-moment-stage]")).to_be_hidden()
    assert page.evaluate("() => window.__moments") == ["reveal"]
    room.agree()


def test_no_page_knows_an_amount_before_the_fists_open(room: Room, screen: Device) -> None:
    """While two fists are closed, neither the screen nor another seat's page contains their amounts in any form."""
    room.begin(*BLIND)
    page = watch(room, screen)
    for seat in (0, 1):
        room.say(ev.Committed(Seat(seat), 1350 + 100 * seat))
    expect(page.locator(".bidder.done")).to_have_count(2)
    for each in (page, room.phones[2].page):
        assert each.evaluate("() => window.__moments") == []
        assert not {"1350", "1450"} & set(re.findall(r"\d+", each.locator("body").inner_html().replace(",", "")))


@pytest.mark.parametrize("by", ["tap beside", "tap on", "key"])
def test_a_tap_or_a_key_ends_it(room: Room, screen: Device, by: str) -> None:
    """A tap or a key ends a moment."""
    room.begin(*BLIND)
    page = watch(room, screen)
    stop_time(page)
    reveal(room, page)
    expect(page.locator(".moment")).to_be_visible()
    match by:
        case "tap beside":
            page.mouse.click(5, 400)
        case "tap on":
            page.locator(".moment").click()
        case _:
            page.keyboard.press("Escape")
    expect(page.locator(".moment")).to_have_count(0)
    page.clock.run_for(60_000)
    assert page.evaluate("() => window.__moments") == ["reveal"]


def test_a_moment_is_a_strip_that_gives_way_to_what_a_seat_is_asked(room: Room) -> None:
    """A moment takes at most a fifth of the height of Bill's phone and no taps, and ends when he may raise."""
    room.begin(*OPEN[:-1])
    bill = room.phones[1]
    bill.page.emulate_media(reduced_motion="no-preference")
    html = "<p class='moment-result seen'>" + "A long moment. " * 60 + "</p>"
    expect(bill.page.locator("body[data-turn='']")).to_have_count(1)
    bill.page.evaluate(SEND, {"age": 0, "kind": "sold", "html": html})
    expect(bill.page.locator(".moment")).to_be_visible()
    box = bill.page.locator(".moment-stage").bounding_box()
    size = bill.page.viewport_size
    assert box is not None and size is not None and box["y"] == 0 and box["height"] <= size["height"] / 5
    assert bill.page.evaluate("() => document.elementFromPoint(innerWidth / 2, 20).closest('.moment-stage')") is None
    room.say(OPEN[-1])
    expect(bill.page.locator(".moment")).to_have_count(0)
    bill.page.evaluate(SEND, {"age": 0, "kind": "sold", "html": html})
    expect(bill.page.locator(".moment")).to_have_count(0)
    bill.press()
    assert room.until(lambda view: view.lot.price == 350).lot.leader == 1
    bill.page.emulate_media(reduced_motion="reduce")
    room.agree()


def test_a_stage_has_the_colour_of_whose_moment_it_is(room: Room, screen: Device) -> None:
    """The winner's colour fills the screen only when the winner's fist opens, because earlier it would reveal the
    winner."""
    room.begin(*BLIND)
    page = watch(room, screen)
    stop_time(page)
    reveal(room, page)
    expect(page.locator(".moment-stage[class*=seat-]")).to_have_count(0)
    while not page.locator(".moment-result.seen").count():
        page.clock.run_for(50)
    expect(page.locator(".moment-stage.seat-blue")).to_be_visible()
    assert page.locator(".moment-stage").bounding_box() == {"x": 0, "y": 0, **TABLET}


def test_late_moments_and_reloads_show_nothing(room: Room, screen: Device) -> None:
    """A page skips a moment that arrives two seconds late, and moments from before a reload."""
    room.begin(*BLIND)
    page = watch(room, screen)
    reveal(room, page)
    page.keyboard.press("Escape")
    again(page, age=2500)
    assert page.evaluate("() => window.__moments") == ["reveal"]
    again(page, age=500)
    assert page.evaluate("() => window.__moments") == ["reveal", "reveal"]
    page.reload()
    page.wait_for_function("() => window.companion.clock.there(0) !== null", timeout=PATIENCE)
    assert page.evaluate("() => window.__moments") == []


def test_a_count_ends_a_moment(room: Room, screen: Device) -> None:
    """A count ends the moment that is shown."""
    room.begin(*BLIND)
    page = watch(room, screen)
    stop_time(page)
    reveal(room, page)
    page.evaluate(
        "() => document.dispatchEvent(new CustomEvent('stream:cue',"
        " { detail: { now: 0, cue: { message: 'count', number: 1, at: 0, seat: 0 } } }))"
    )
    page.clock.run_for(100)
    expect(page.locator(".cue-number")).to_be_visible()
    expect(page.locator(".moment")).to_have_count(0)


def test_without_motion_a_reveal_is_a_still_picture(room: Room, screen: Device) -> None:
    """With reduced motion, all amounts and the buyer appear at once, and moments of income and cards are skipped."""
    room.begin(*BLIND)
    screen.page.emulate_media(reduced_motion="reduce")
    page = watch(room, screen)
    stop_time(page)
    reveal(room, page)
    assert opened(page) == ["$250", "$400", "$300"]
    expect(page.locator(".moment-result")).to_be_visible()
    assert page.evaluate("() => document.getAnimations().length") == 0
    page.clock.run_for(10_000)
    expect(page.locator(".moment")).to_have_count(0)
    for kind in ("income", "turned"):
        again(page, kind=kind)
    assert page.evaluate("() => window.__moments") == ["reveal"]


# --- voice, captions and sound ------------------------------------------------------------------------


def open_menu(page: Page) -> None:
    """Unfold the menu of the page."""
    page.mouse.move(200, 200)  # a television shows the device's controls only while a pointer moves
    page.locator(".menu > summary").click()


def test_only_voices_of_the_device_speak(room: Room, screen: Device) -> None:
    """Of a remote voice and two local ones, the local voice in the page's language speaks, as soon as the sound is
    on."""
    room.begin(*BLIND)
    page = watch(room, screen, [REMOTE, FRENCH, LOCAL])
    open_menu(page)
    page.locator("[data-voice]").click()
    assert page.evaluate("() => window.__spoken") == ["cancel", ["box", "The voice is on."]]
    page.keyboard.press("Escape")
    reveal(room, page)
    page.wait_for_function("() => window.__said.some(({ text }) => text.startsWith('Bill buys'))", timeout=PATIENCE)
    spoken = [each for each in page.evaluate("() => window.__spoken") if each != "cancel"]
    assert {name for name, _ in spoken} == {"box"}
    assert spoken[-1][1] == "Bill buys for $400"
    page.keyboard.press("Escape")
    # If the turn changes at the same time, one utterance contains both sentences.
    page.evaluate(
        """(html) => {
          const cue = { message: "your_turn", at: 0, seats: [2] };
          document.dispatchEvent(new CustomEvent("stream:cue", { detail: { now: 0, cue } }));
          const now = window.companion.clock.there(performance.now());
          document.dispatchEvent(new CustomEvent("stream:moment", { detail: { at: now, now, kind: "sold", html } }));
        }""",
        "<p data-beat='1' data-say='Jane buys'></p>",
    )
    spoken = [each for each in page.evaluate("() => window.__spoken") if each != "cancel"]
    assert spoken[-1][1] == "Jane buys. Tom's turn"


@pytest.mark.parametrize("voices", [[], [REMOTE], [FRENCH]])
def test_without_an_own_voice_nothing_is_spoken(room: Room, screen: Device, voices: list[dict[str, Any]]) -> None:
    """Without a local voice the menu says so and offers captions, and a voice enabled earlier stays silent."""
    room.begin(*BLIND)
    screen.page.add_init_script("try { localStorage.setItem('voice', 'on'); } catch {}")
    page = watch(room, screen, voices)
    open_menu(page)
    expect(page.locator("[data-no-voice]")).to_be_visible()
    expect(page.locator("[data-voice]")).to_be_hidden()
    page.locator("[data-captions]").click()
    expect(page.locator("[data-captions]")).to_have_text("Hide captions")
    page.evaluate("() => document.dispatchEvent(new CustomEvent('companion:say', { detail: { text: 'One!' } }))")
    expect(page.locator("[data-caption]")).to_have_text("One!")
    expect(page.locator("[data-caption]")).to_be_visible()
    assert page.evaluate("() => window.__spoken") == []
    assert page.evaluate(SAID)[-1] == ["One!", False]


def test_what_is_late_is_not_said_and_what_is_new_interrupts(room: Room, screen: Device) -> None:
    """An announcement that is two seconds old is dropped, and each new one interrupts the previous one."""
    room.begin(*BLIND)
    page = watch(room, screen, [LOCAL])
    open_menu(page)
    page.locator("[data-voice]").click()
    page.evaluate(
        """() => {
          window.__spoken.length = 0;
          const say = (text, age) => document.dispatchEvent(new CustomEvent("companion:say",
            { detail: { text, at: performance.now() - age } }));
          say("Old", 2000); say("One!", 0); say("Two!", 100);
        }"""
    )
    assert page.evaluate("() => window.__spoken") == ["cancel", ["box", "One!"], "cancel", ["box", "Two!"]]


def test_turns_are_said_on_the_table_s_screen_and_ones_own_on_a_seat_s(room: Room, screen: Device) -> None:
    """The table's screen announces every change of turn, and Bill's page announces only his own turns."""
    room.begin(
        ev.StarterNamed(Seat(0)), ev.TokenDrawn("pass"), ev.LocosRevealed(CARDS), ev.Nominated(Seat(0), "steam-4")
    )
    page = watch(room, screen)
    assert page.evaluate(SAID) == []
    room.say(ev.Opened(Seat(0), 300))
    page.wait_for_function("() => window.__said.length === 1", timeout=PATIENCE)
    assert page.evaluate(SAID) == [["Bill's turn", False]]
    _, bill, tom = (phone.page for phone in room.phones)
    bill.wait_for_function("() => window.__said.length === 1", timeout=PATIENCE)
    assert bill.evaluate(SAID) == [["Your turn", False]]
    assert tom.evaluate(SAID) == []
    room.agree()


def test_the_sound_button_says_what_a_tap_does(room: Room, screen: Device) -> None:
    """The button's name is its action, "Turn sound on" or "Turn sound off", and it is not a switch."""
    room.begin(*BLIND)
    page = watch(room, screen)
    page.mouse.move(200, 200)
    page.locator("[data-sound-no]").click()
    button = page.get_by_role("button", name="Turn sound on", exact=True)
    expect(button).to_have_text("Turn sound on")
    assert button.get_attribute("aria-pressed") is None
    button.click()
    page.get_by_role("button", name="Turn sound off", exact=True).click()
    expect(page.get_by_role("button", name="Turn sound on", exact=True)).to_be_visible()
