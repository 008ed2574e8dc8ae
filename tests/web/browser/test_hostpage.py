"""Test a small phone's page: the positions of controls, taps on the sign, and unfinished choices after a reload."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.engine import Event, Seat
from companion.games.take_a_train import events as ev
from tests.web.browser.devices import Server
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
SMALL, LOW = ViewportSize(width=360, height=640), ViewportSize(width=360, height=300)
CARDS = ("steam-1", "steam-4", "diesel-1")
EVERYBODY = ("Jane", "Bill", "Tom", "Ada", "Max", "Zoé")
COMMIT = "#region-actions > form.move:has(input[value=committed]) > button.main"
BLIND: tuple[Event, ...] = (ev.StarterNamed(Seat(0)), ev.TokenDrawn("blind"), ev.LocosRevealed(CARDS))


def bottom(page: Page, place: str) -> float:
    """Return the lower edge of an element, in pixels."""
    page.evaluate("() => document.fonts.ready.then(() => true)")
    box = page.locator(place).bounding_box()
    assert box is not None
    return box["y"] + box["height"]


@pytest.mark.parametrize("players", [2, 6])
def test_a_blind_bid_is_made_on_the_first_screen(browser: Browser, server: Server, players: int) -> None:
    """The sign, or a question in its place, and the button that closes the fist are visible at 360 × 640."""
    room = Room(browser, server, EVERYBODY[:players])
    page = room.phones[1].page
    try:
        room.begin(*BLIND, ev.Nominated(Seat(0), "steam-4"))
        page.set_viewport_size(SMALL)
        for lang in ("en", "fr"):
            room.phones[1].context.add_cookies([{"name": "lang", "value": lang, "url": server.address}])
            page.reload()
            expect(page.locator("#region-status .sign.mine")).to_be_in_viewport()
            assert bottom(page, COMMIT) <= SMALL["height"]
        shown = room.host.page.evaluate("() => document.body.dataset.shown")
        room.host.send_form("undo", line=2, seen=shown)
        expect(page.locator("#region-banner .banner.mine")).to_be_in_viewport()
        assert bottom(page, COMMIT) <= SMALL["height"]
    finally:
        room.leave()
        for device in room.devices:
            device.context.close()


def test_a_tap_on_the_sign_leads_to_its_control(room: Room) -> None:
    """A tap on the sign of a shared page scrolls to the control and focuses it."""
    room.begin(ev.StarterNamed(Seat(0)))
    page = room.host.page
    size = page.viewport_size
    page.set_viewport_size(LOW)
    button = page.locator("#region-turnup form.move button").first
    expect(button).not_to_be_in_viewport()
    page.locator("#region-status .sign").click()
    expect(button).to_be_in_viewport()
    expect(page.locator("#region-turnup form :focus")).to_have_count(1)
    page.set_viewport_size(size or SMALL)


KEPT = """() => JSON.stringify(Object.entries(sessionStorage).filter(([name]) => name.endsWith(location.pathname)))"""
"""Returns the stored choices of this page."""


def test_cards_half_picked_outlast_a_reload(room: Room) -> None:
    """Cards picked in an order are restored in that order until the question is answered."""
    room.begin(*BLIND[:2])
    page = room.tablet.page
    picked = [page.locator(f'label:has(input[value="{card}"])') for card in ("diesel-1", "steam-1", "steam-4")]
    for label in picked[:2]:
        label.click()
    page.reload()
    for number, label in enumerate(picked[:2], 1):
        expect(label.locator("input")).to_be_checked()
        expect(label.locator("[data-nth]")).to_have_text(str(number))
    expect(page.locator("input:checked")).to_have_count(2)
    room.tablet.move("locos_revealed", pick=("steam-4",))
    assert room.view.lot is not None
    assert [card.id for card in room.view.lot.cards] == ["diesel-1", "steam-1", "steam-4"]
    assert "diesel-1" not in page.evaluate(KEPT)


def test_the_card_for_joining_folds_with_the_last_seat(room: Room) -> None:
    """The card for joining is open on the host's page until everybody has joined, and reopens for a freed seat."""
    room.begin()
    card = room.host.page.locator("[data-joining]")
    room.host.page.reload()
    expect(card).not_to_have_attribute("open", "")
    room.host.send_form("free", seat=1)
    expect(card).to_have_attribute("open", "")
