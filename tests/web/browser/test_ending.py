"""Test the ceremony at the end of a match with a clock that the tests move: its order, joining, leaving and
stopping."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.messages import MILLISECOND
from companion.table.take_back import WINDOW
from tests.support.web.served import served
from tests.web.browser.devices import PHONE, TABLET, Device
from tests.web.live.test_ending import LastMove

pytestmark = pytest.mark.browser
STAGE = "[data-ending-stage]"
CLOCK = "(now) => { window.__now = now; window.companion.clock.there = () => window.__now; }"
SEEN = f"() => [...document.querySelectorAll('{STAGE} [data-at].seen')].map((each) => each.dataset.say)"


class Ceremony:
    """Three people before a game's last move. Their pages use the table's clock."""

    def __init__(self, room: LastMove, address: str, browser: Browser) -> None:
        self.room, self.address, self.browser = room, address, browser
        self.devices: list[Device] = []

    def open(self, path: str, motion: bool = True) -> Page:
        """Open a page on a separate device."""
        size = PHONE if "/s/" in path else TABLET
        device = Device(self.browser, size, reduced_motion="no-preference" if motion else "reduce")
        self.devices.append(device)
        page = device.open(self.address + path)
        page.wait_for_function("() => window.companion.clock.there(0) !== null")
        page.evaluate(CLOCK, self.room.now)
        return page

    def end(self) -> None:
        """Make the last move, which starts the ceremony."""
        self.room.end()
        self.room.after(WINDOW)

    def at(self, time: int) -> None:
        """Set the time since the ceremony's start, in milliseconds, for the table and every page."""
        telling = self.room.table.snapshot().telling
        assert telling is not None
        self.room.after(telling.begins + time * MILLISECOND - self.room.now)
        for device in self.devices:
            device.page.evaluate(CLOCK, self.room.now)


@pytest.fixture
def ceremony(tmp_path: Path, browser: Browser) -> Iterator[Ceremony]:
    """Yield a match of Trains before the last move, in which three people have different places."""
    with LastMove(tmp_path, "trains") as room, served(room.app) as address:
        found = Ceremony(room, address, browser)
        yield found
        for device in found.devices:
            assert device.complaints == []
            device.context.close()


def test_places_are_told_from_the_last_to_the_first(ceremony: Ceremony) -> None:
    """A television and a phone show the places alike, then the winner, the podium and the full page."""
    pages = [ceremony.open(ceremony.room.page("watch")), ceremony.open(ceremony.room.seats[0])]
    ceremony.end()
    for time, told in ((100, 0), (2100, 1), (4100, 2), (6100, 3), (10_600, 4)):
        ceremony.at(time)
        for page in pages:
            page.wait_for_function(f"() => document.querySelectorAll('{STAGE} [data-at].seen').length === {told}")
            expect(page.locator("#region-ending .ranking")).to_have_count(0)
    said = pages[0].evaluate(SEEN)
    assert said[:2] == sorted(said[:2]) and said[0].startswith("2. ") and said[1].startswith("3. ")
    assert said[2].endswith("wins!")
    for page in pages:
        expect(page.locator(".end-podium.now .step")).to_have_count(3)
    ceremony.at(14_000)
    for page in pages:
        expect(page.locator(STAGE)).to_be_hidden()
        expect(page.locator("#region-ending .ranking .first")).to_be_visible()


def test_a_page_opened_in_the_middle_joins_there(ceremony: Ceremony) -> None:
    """A page that joins late shows the earlier parts at once, without motion or speech."""
    ceremony.end()
    ceremony.at(4300)
    page = ceremony.open(ceremony.room.page("watch"))
    page.reload()
    page.evaluate(CLOCK, ceremony.room.now)
    expect(page.locator(".end-place")).to_have_count(2)
    expect(page.locator(".end-place.told")).to_have_count(1)
    assert len(page.evaluate(SEEN)) == 2


def test_who_is_half_a_minute_behind_sees_the_end_alone(ceremony: Ceremony) -> None:
    """A television that missed the whole ceremony shows the final page."""
    page = ceremony.open(ceremony.room.page("watch"))
    page.evaluate(CLOCK, ceremony.room.now + 40_000 * MILLISECOND)
    page.evaluate(
        "() => { window.__shown = 0; document.addEventListener('companion:ending', () => { window.__shown++; }); }"
    )
    ceremony.end()
    ceremony.room.after(14_000 * MILLISECOND)
    expect(page.locator("#region-ending .ranking .first")).to_be_visible()
    assert page.evaluate("() => window.__shown") == 0


def test_an_undo_stops_it(ceremony: Ceremony) -> None:
    """After the host's undo, the ceremony disappears from every page, and the game goes on."""
    page = ceremony.open(ceremony.room.seats[1])
    ceremony.end()
    ceremony.at(2500)
    expect(page.locator(STAGE)).to_be_visible()
    room = ceremony.room
    line = len(room.context.renderer.teller.places(room.table.snapshot().shown()))
    room.anybody.tap(room.host, "undo", {"line": str(line)})
    for seat in room.seats:
        room.anybody.tap(seat, "consent", {"yes": "1"})
    assert not room.table.snapshot().over
    expect(page.locator(STAGE)).to_be_hidden()
    expect(page.locator("#region-status .sign.over")).to_have_count(0)


def test_one_tap_on_a_phone_leads_to_the_podium_and_one_closes_it(ceremony: Ceremony) -> None:
    """A tap on a phone leads to the podium, and another one closes it; a television has no controls."""
    phone, wall = ceremony.open(ceremony.room.seats[0]), ceremony.open(ceremony.room.page("watch"))
    ceremony.end()
    ceremony.at(2500)
    expect(phone.locator(".end-list.now")).to_be_visible()
    for page in (phone, wall):
        page.mouse.click(100, 300)
    expect(phone.locator(".end-podium.now")).to_be_visible()
    expect(wall.locator(".end-list.now")).to_be_visible()
    expect(wall.locator(".end-skip")).to_be_hidden()
    phone.mouse.click(100, 300)
    expect(phone.locator(STAGE)).to_be_hidden()
    expect(phone.locator("#region-status")).to_contain_text("The game is over.")


def test_without_motion_the_order_is_the_same(ceremony: Ceremony) -> None:
    """With reduced motion, nothing moves; the winner comes after the last place."""
    page = ceremony.open(ceremony.room.page("watch"), motion=False)
    ceremony.end()
    ceremony.at(2100)
    page.wait_for_function(f"() => document.querySelectorAll('{STAGE} [data-at].seen').length === 1")
    expect(page.locator(".end-winner")).to_be_hidden()
    ceremony.at(6100)
    expect(page.locator(".end-winner.now .end-train")).to_be_visible()
    assert page.evaluate("() => document.getAnimations().length") == 0


def test_it_moves_by_transform_and_opacity_for_a_short_time(ceremony: Ceremony) -> None:
    """None of the ceremony's animations lasts longer than 1.2 seconds or causes layout or paint."""
    page = ceremony.open(ceremony.room.page("watch"))
    ceremony.end()
    ceremony.at(6100)
    expect(page.locator(".end-winner.now .end-train")).to_be_visible()
    found = page.evaluate(
        "() => document.getAnimations().map((each) => [each.effect.getTiming().duration,"
        " ...each.effect.getKeyframes().flatMap((frame) => Object.keys(frame))])"
    )
    names = {"offset", "easing", "composite", "computedOffset", "transform", "opacity"}
    assert found and all(duration <= 1200 and set(used) <= names for duration, *used in found)
