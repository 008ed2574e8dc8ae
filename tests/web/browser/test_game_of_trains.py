"""Play Game of Trains by touch: set-up, lines, the exchange, a drawn card, and a removal with its refills."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from companion.games.game_of_trains.rules import RULES
from companion.games.game_of_trains.view import TableView
from tests.support.web.game_of_trains import KEPT, LINES
from tests.support.web.visitors import COLOURS, SHAPES
from tests.web.browser.devices import Device, unfold
from tests.web.browser.room import HOST_PIN, NAMES, Room
from tests.web.browser.truth import unfit

pytestmark = pytest.mark.browser


def view(room: Room) -> TableView:
    """Return the server's public view."""
    found: TableView = RULES.view(room.state, None)  # type: ignore[arg-type]
    return found


def fits(room: Room) -> None:
    """Check that all pages fit their screens."""
    for device in (*room.phones, room.tablet):
        assert unfit(device.page, touch=device is not room.tablet) == []


def set_up(room: Room) -> None:
    """Begin the game with real cards and take the seats by direct requests, because `test_lobby` tests the forms."""
    looks = {"colour": COLOURS[: len(NAMES)], "shape": SHAPES[: len(NAMES)]}
    room.arrive(room.host.post("/setup", "/", game=RULES.name, name=NAMES, deck="ours", pin=HOST_PIN, **looks))


def type_number(form: Locator, card: int) -> None:
    """Tap a number on the page's keypad."""
    unfold(form.locator("[data-pad]"))
    for digit in str(card):
        form.locator(f"[data-digit='{digit}']").click()
    expect(form.locator("[data-pad] input")).to_have_value(str(card))


def lay(device: Device, event: str, card: int, position: int) -> None:
    """Enter a real card and tap the wagon that it replaces."""
    form = device.form(event)
    type_number(form, card)
    device.tap(form.locator(f"button[name=position][value='{position}']"))


def open_game(room: Room) -> None:
    """Play by touch until Jane's first turn."""
    set_up(room)
    for phone, line in zip(room.phones, LINES, strict=True):
        phone.move("line_dealt", pick=tuple(map(str, line)))
    room.tablet.tap(room.tablet.page.locator("#region-turnup button[name=seat][value='0']"))
    for phone, (card, position) in zip(room.phones, KEPT, strict=True):
        lay(phone, "kept", card, position)


def test_a_game_is_opened_and_a_removal_is_led(room: Room) -> None:
    """A game can be played by touch from its set-up to a removal whose gaps are filled in the stated order."""
    open_game(room)
    assert [card.number for card in view(room).pool] == [80, 52, 66]
    fits(room)

    lay(room.phones[0], "drew", 1, 3)
    expect(room.phones[1].page.locator("#region-seats .seat-red [data-wagon='1']")).to_be_visible()
    assert view(room).turn == 1

    own = room.phones[1].page.locator("[data-fold='use-47']")
    own.locator("summary").click()
    fits(room)
    room.phones[1].tap(own.locator("button.use-do"))
    order = room.tablet.page.locator(".refills .name")
    expect(order).to_have_text(["Bill", "Tom", "Jane"])
    fits(room)

    for device, card, left in ((room.phones[1], 2, 2), (room.tablet, 4, 1), (room.phones[0], 6, 0)):
        form = device.form("refilled")
        type_number(form, card)
        device.tap(form.locator("button.main"))
        expect(order).to_have_count(left)
    assert [seat.line[0].number for seat in view(room).seats if seat.line[0]] == [6, 2, 4]
    assert view(room).turn == 2
    expect(room.phones[2].page.locator(".sign.mine")).to_be_visible()


def test_a_padlock_is_warned_of_and_kept(room: Room) -> None:
    """A tap that would cost a padlock asks first; cancelling changes nothing, and confirming makes the move."""
    open_game(room)
    lay(room.phones[0], "drew", 2, 7)
    lay(room.phones[1], "drew", 1, 7)
    lay(room.phones[2], "drew", 4, 7)
    lay(room.phones[0], "drew", 6, 7)  # the 2 goes to the pool and costs a padlock
    phone = room.phones[1]
    use = phone.page.locator("[data-fold='use-2']")
    use.locator("summary").click()
    phone.tap(use.locator(".use.at-4 button"))
    lay(room.phones[2], "drew", 7, 7)
    lay(room.phones[0], "drew", 8, 7)
    assert view(room).seats[1].locks == (4,)
    form = phone.form("drew")
    type_number(form, 10)
    form.locator(".at-4 .wg-pick").click()
    warning = phone.page.locator("[popover]:popover-open")
    warning.wait_for()
    warning.locator("button[popovertargetaction=hide]").click()
    expect(phone.page.locator("[popover]:popover-open")).to_have_count(0)
    assert view(room).seats[1].locks == (4,)
    form.locator(".at-4 .wg-pick").click()
    phone.tap(warning.locator("button[name=position]"))
    assert view(room).seats[1].locks == ()
