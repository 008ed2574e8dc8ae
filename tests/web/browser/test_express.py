"""Test Express on phones: tapped and dragged cards, cards taken back, and the discard that ends a turn."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from companion.engine import Seat
from companion.games.express import events as ev
from companion.games.express.profile import FIGURES, Profile, holes, shipped, unconfirmed, unverified
from companion.games.express.rules import RULES
from tests.games.express.build import laid
from tests.support.web.board_room import board_room
from tests.support.web.served import served
from tests.support.web.visitors import Room
from tests.web.browser.devices import PATIENCE, Device
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser

CARDS = unconfirmed().cards
PHONE = ViewportSize(width=360, height=740)


def test_a_phone_plays_a_turn(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only trains that accept the tapped card are lit, and all labels fit a phone's width."""
    state = laid({0: "hopper gondola reefer"}, {0: ("hopper hopper", "reefer reefer caboose")})
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[0])
        lit = page.locator("#region-holdings .here").filter(visible=True)
        expect(lit).to_have_count(0)
        page.locator(".xp-pick", has_text="Reefer").click(timeout=PATIENCE)
        expect(lit).to_have_count(0)
        expect(page.get_by_text("A caboose closes train 2.").filter(visible=True)).to_have_count(1)
        page.locator(".xp-pick", has_text="Hopper").click()
        expect(lit).to_have_count(1)
        phone.tap(lit)
        expect(page.locator("#region-holdings .xp-score").first).to_contain_text("3 points", timeout=PATIENCE)
        phone.tap(page.get_by_role("button", name="Take back Hopper"))
        expect(page.locator("#region-holdings .xp-score").first).to_contain_text("0 points", timeout=PATIENCE)
        page.locator(".xp-pick", has_text="Gondola").click()
        phone.tap(page.locator(".xp-train.new button", has_text="Reefer").filter(visible=True))
        expect(page.locator("#region-holdings figure")).to_have_count(3, timeout=PATIENCE)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("button", name="Take back Gondola").wait_for()
        phone.tap(page.get_by_role("button", name="Take back Gondola"))
        expect(page.locator("#region-holdings figure")).to_have_count(2, timeout=PATIENCE)
        page.locator(".xp-pick", has_text="Gondola").click()
        phone.tap(page.get_by_role("button", name="Discard Gondola"))
        expect(page.locator(".xp-pick")).to_have_count(0, timeout=PATIENCE)
        assert [entry.event for entry in room.table.snapshot().entries[:5]] == [
            ev.CarLaid(Seat(0), 1, "hopper"),
            ev.LaidTakenBack(Seat(0), 1, "hopper"),
            ev.TrainBegun(Seat(0), "gondola", "reefer"),
            ev.LaidTakenBack(Seat(0), 3, "gondola"),
            ev.Discarded(Seat(0), "gondola"),
        ]
        assert phone.complaints == []


def test_a_tapped_disaster_shows_what_it_can_hit(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disaster's targets replace the player's trains; the choice can be cancelled, and a tap on a train plays
    the card."""
    trains = {0: ("hopper hopper",), 1: ("reefer reefer", "tank_car tank_car caboose")}
    state = laid({0: "steal_car hopper gondola", 1: "reefer"}, trains)
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[0])
        mine, aims = page.locator("#own-trains"), page.locator(".xp-aim").filter(visible=True)
        page.locator(".xp-pick", has_text="Steal Car").click(timeout=PATIENCE)
        expect(mine).to_be_hidden()
        expect(aims).to_have_count(2)
        expect(aims.and_(page.locator("button"))).to_have_count(1)
        expect(page.locator(".touched")).to_have_text("Which train does Steal Car hit?")
        page.get_by_role("button", name="Keep Steal Car").click()
        expect(mine).to_be_visible()
        expect(aims).to_have_count(0)
        expect(page.locator(".touched")).to_be_hidden()
        page.locator(".xp-pick", has_text="Steal Car").click()
        phone.tap(aims.and_(page.locator("button")))
        expect(page.locator(".xp-pick")).to_have_count(0, timeout=PATIENCE)
        played = ev.DisasterPlayed(Seat(0), "steal_car", Seat(1), 1, 2)
        assert played in [entry.event for entry in room.table.snapshot().entries]
        assert phone.complaints == []


def test_trains_that_take_the_tapped_card_come_first(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trains that accept the tapped card come first, with the points that it adds to each."""
    state = laid({0: "hopper gondola"}, {0: ("reefer reefer reefer", "hopper hopper")})
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        page = Device(browser, PHONE).open(address + room.seats[0])
        trains = [page.locator("#own-trains figure").nth(at) for at in range(2)]
        assert middle(trains[0])[1] < middle(trains[1])[1]
        page.locator(".xp-pick", has_text="Hopper").click(timeout=PATIENCE)
        expect(trains[1].locator(".here")).to_contain_text("+3 points")
        assert middle(trains[1])[1] < middle(trains[0])[1]


LONG = {
    0: (
        "mail_baggage coach coach dome sleeper observation caboose +diesel",
        "hopper hopper hopper hopper hopper hopper",
    ),
    1: (
        "tank_car tank_car tank_car tank_car tank_car tank_car tank_car wild log_car log_car",
        "coach coach coach wild dome +diesel",
    ),
}
INSIDE = "[...document.querySelectorAll('.xp-train *:not(.sr)')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
"""Returns how many parts of trains are cut off or scroll separately."""
OUT_OF_ORDER = """[...document.querySelectorAll('.xp-line')].filter(line => {
  const cars = [...line.querySelectorAll('.xp-car')].map(car => car.getBoundingClientRect());
  return cars.some((car, at) => at && car.top < cars[at - 1].top - 20);
}).length"""
"""Returns how many trains show a car above an earlier one."""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_long_trains_wrap(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str) -> None:
    """On the narrowest phones the page does not scroll sideways, and no train scrolls separately."""
    monkeypatch.setattr(
        type(RULES), "begin", lambda *_: laid({0: "hopper"}, LONG, maintenance={0: "light_crane office"})
    )
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        phone = Device(browser, PHONE, locale=lang)
        for width in (320, 360):
            phone.page.set_viewport_size({"width": width, "height": 640})
            for path in (room.seats[0], room.page("watch")):
                page = phone.open(address + path)
                expect(page.locator("figure.xp-train").filter(visible=True)).to_have_count(4)
                assert unfit(page, touch=True) == []
                assert page.evaluate(INSIDE) == 0
                assert page.evaluate(OUT_OF_ORDER) == 0


def middle(place: Locator) -> tuple[float, float]:
    """Return the middle of a place's visible part."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


class Finger:
    """A finger on a touch screen, as reported to Chromium."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def tell(self, kind: str, *at: tuple[float, float]) -> None:
        """Report an action of the finger and its position."""
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in at]})


def drag(page: Page, card: Locator, place: Locator, touch: bool) -> None:
    """Drag a card to a place, by finger or by mouse, and drop it."""
    at, to = middle(card), middle(place)
    if touch:
        finger = Finger(page)
        finger.tell("touchStart", at)
        page.locator(".drag-ghost").wait_for(timeout=PATIENCE)
        finger.tell("touchMove", to)
        page.locator("[data-dropping]").wait_for(timeout=PATIENCE)
        finger.tell("touchEnd")
        return
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(*to, steps=4)
    page.locator("[data-dropping]").wait_for(timeout=PATIENCE)
    page.mouse.up()


@pytest.mark.parametrize("touch", [True, False], ids=["finger", "mouse"])
def test_cards_are_dragged_into_trains(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, touch: bool
) -> None:
    """A drop lays the card, whose kind stays chosen while another copy is in hand; a closed train says why it
    refuses one."""
    state = laid({0: "hopper hopper gondola reefer"}, {0: ("hopper hopper", "reefer reefer caboose")})
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        phone = Device(browser, PHONE)
        page = phone.open(address + room.seats[0])
        trains, hopper = page.locator("#region-holdings figure"), page.locator(".xp-pick", has_text="Hopper")
        drag(page, page.locator(".xp-pick", has_text="Reefer"), trains.nth(1), touch)
        expect(page.get_by_text("A caboose closes train 2.").filter(visible=True)).to_have_count(1)
        expect(page.locator("[data-dragging], .drag-ghost")).to_have_count(0)
        drag(page, hopper, trains.first, touch)
        expect(trains.first.locator(".xp-score")).to_contain_text("3 points", timeout=PATIENCE)
        expect(hopper.locator("input")).to_be_checked()
        phone.tap(page.get_by_role("button", name="Lay it here").filter(visible=True))
        expect(trains.first.locator(".xp-score")).to_contain_text("6 points", timeout=PATIENCE)
        expect(page.locator(".xp-pick input:checked")).to_have_count(0)
        assert [entry.event for entry in room.table.snapshot().entries] == [ev.CarLaid(Seat(0), 1, "hopper")] * 2
        assert phone.complaints == []


def test_a_quick_finger_scrolls(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finger that moves at once scrolls the page and lifts no card."""
    state = laid({0: "hopper hopper"}, {0: ("hopper hopper",)})
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        page = Device(browser, PHONE).open(address + room.seats[0])
        x, y = middle(page.locator(".xp-pick"))
        finger = Finger(page)
        finger.tell("touchStart", (x, y))
        for way in range(10, 200, 10):
            finger.tell("touchMove", (x, y - way))
        finger.tell("touchEnd")
        page.wait_for_function("scrollY > 50", timeout=PATIENCE)
        expect(page.locator(".drag-ghost, .xp-pick input:checked")).to_have_count(0)


def test_keys_lay_cards_one_after_the_other(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter lays the next copy at once; after the last one the focus returns to the hand."""
    state = laid({0: "hopper hopper gondola reefer"}, {0: ("hopper hopper",)})
    monkeypatch.setattr(type(RULES), "begin", lambda *_: state)
    with board_room(tmp_path, 2, RULES) as room, served(room.app) as address:
        page = Device(browser, PHONE).open(address + room.seats[0])
        score = page.locator("#region-holdings .xp-score").first
        page.locator(".xp-pick input").first.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator('.xp-pick input[value="hopper"]')).to_be_checked()
        page.locator("#lay-1").focus()
        page.keyboard.press("Enter")
        expect(score).to_contain_text("3 points", timeout=PATIENCE)
        expect(page.locator("#lay-1")).to_be_focused()
        page.keyboard.press("Enter")
        expect(score).to_contain_text("6 points", timeout=PATIENCE)
        expect(page.locator(".xp-pick input").first).to_be_focused()


# --- the figures of an owner's box ----------------------------------------------------------------

SECONDS_A_TAP = 1.2
"""Estimated seconds of a tap on a phone, including the time to look."""
PASSENGERS = {"mail_baggage": "4", "coach": "3", "dome": "5", "sleeper": "5", "observation": "4"}


class Person:
    """A person who fills in a form by touch; counts the taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def pick(self, name: str, field: str, value: str) -> None:
        """Open a line's list of figures and tap one."""
        line = self.page.locator(".box-rows li").nth([*[card.id for card in CARDS], *FIGURES].index(name))
        line.locator(f"select[name={field}]").select_option(value)
        self.taps += 2

    def tap(self, button: Locator) -> None:
        """Tap a button."""
        button.click()
        self.taps += 1


def test_an_owner_enters_the_figures_of_a_box_by_touch(browser: Browser, tmp_path: Path) -> None:
    """The page derives freight counts from the values, and one tap confirms each part."""
    with Room(tmp_path) as room, served(room.app) as address:
        phone = Device(browser, PHONE)
        page = phone.open(f"{address}/setup/cards?game=express")
        assert unfit(page, touch=True) == []
        owner = Person(page)
        parts = page.locator("[data-tick-all]")
        for card in CARDS:
            if card.group == "freight" and card.value is None:
                value = shipped("ours").cards[CARDS.index(card)].value
                owner.pick(card.id, "value", str(value))
            if card.group == "passenger":
                owner.pick(card.id, "value", PASSENGERS[card.id])
            if card.group == "maintenance":
                owner.pick(card.id, "kind", "2")
            if card.group == "disaster" and card.count is None:
                owner.pick(card.id, "value", "2")
        owner.tap(parts.first)
        owner.tap(page.get_by_role("button", name="Save the figures"))
        expect(page.locator(".box-sum")).to_have_text("34 of 35 lines filled in confirmed: 23", timeout=PATIENCE)
        owner.pick("hand_cost", "value", "printed")
        for part in range(1, parts.count()):
            owner.tap(parts.nth(part))
        owner.tap(page.get_by_role("button", name="Save the figures"))
        expect(page.locator(".box-sum")).to_have_text("35 of 35 lines filled in confirmed: 35", timeout=PATIENCE)
        stored = msgspec.json.decode(room.table.read_value("catalogue/express") or b"", type=Profile)
        assert (holes(stored), unverified(stored)) == ([], 0)
        assert stored.deck(4) == shipped("ours").deck(4) | {"switch_engines": 2}
        assert phone.complaints == []
        print(f"{owner.taps} taps, about {SECONDS_A_TAP * owner.taps:.0f} s at {SECONDS_A_TAP} s each")
