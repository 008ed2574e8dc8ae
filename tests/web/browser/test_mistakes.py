"""Test mistakes at a table: illegal moves, outdated pages, simultaneous moves, undo, and a lost connection."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from companion.engine import Event, Seat
from companion.games.take_a_train import events as ev
from tests.support.paces import HURRIED
from tests.web.browser.devices import FORM, PHONE, Device, Server
from tests.web.browser.room import Room
from tests.web.test_whole_numbers import NO_NUMBER, UNCLEAR, UNDERSTOOD

pytestmark = pytest.mark.browser
CARDS = ("steam-1", "steam-4", "diesel-1")
REFUSED = r"status of (409|422)"
JANE = Seat(0)
PRESS_SOON = """() => {
  const down = { bubbles: true, cancelable: true, pointerId: 1, button: 0 };
  setTimeout(() => {
    document.querySelector("[data-press]").dispatchEvent(new PointerEvent("pointerdown", down));
    window.dispatchEvent(new PointerEvent("pointerup", down));
  }, 0);
}"""
"""Milliseconds of a short press; a longer one would raise by more."""


def named(kind: ev.Kind) -> tuple[Event, ...]:
    """Return the beginning of a game whose first lot is a steam locomotive of power 150."""
    return ev.StarterNamed(JANE), ev.TokenDrawn(kind), ev.LocosRevealed(CARDS), ev.Nominated(JANE, "steam-4")


def pass_lot(room: Room) -> None:
    """Begin a Pass lot in which Jane has opened at 250 and Bill is asked."""
    room.begin(*named("pass"), ev.Opened(JANE, 250))


def blind_lot(room: Room) -> None:
    """Begin a Blind lot with a named locomotive."""
    room.begin(*named("blind"))


def test_a_refused_bid_is_explained_to_the_one_who_made_it(room: Room) -> None:
    """An illegal bid is explained beside its control, changes nothing, and appears on no other page."""
    pass_lot(room)
    bill = room.phones[1]
    bill.wanted.append(REFUSED)
    before = room.state
    for typed, sentence in (("325", "steps of 50"), ("200", "250"), ("-50", "below zero"), ("", "number")):
        form = bill.form("bid")
        form.evaluate("form => { form.noValidate = true; }")
        form.locator("input[name=amount]").fill(typed)
        assert bill.answer_to(form.locator("button:not([type=button])")).status in (409, 422)
        expect(form.get_by_role("alert")).to_contain_text(sentence)
    for other in (room.tablet, room.host, room.phones[0], room.phones[2]):
        expect(other.page.locator("[data-answer]")).to_have_count(0)
    room.agree()
    assert room.state == before
    bill.move("bid", amount=300)
    expect(bill.page.locator("[data-answer]")).to_have_count(0)


def test_an_old_page_is_told_what_changed(room: Room) -> None:
    """A move from a page that missed other people's moves is refused with a list of them, and overwrites nothing."""
    pass_lot(room)
    bill, tom = room.phones[1], room.phones[2]
    bill.wanted.append(REFUSED)
    shown = bill.page.locator("body").get_attribute("data-shown")
    asked = bill.page.locator("#region-actions").inner_html()
    bill.move("bid", amount=300)
    tom.move("bid", amount=350)
    room.phones[0].move("passed")
    room.agree()
    bill.page.evaluate(
        """([shown, asked]) => {
          const region = document.getElementById("region-actions");
          document.body.dataset.shown = shown; region.innerHTML = asked; htmx.process(region);
        }""",
        [shown, asked],
    )
    before = room.state
    answer = bill.answer_to(bill.form("passed").locator("button"))
    assert answer.status == 409
    expect(bill.page.get_by_role("alert").first).to_contain_text("Jane passes")
    assert room.state == before


@pytest.mark.parametrize("paced_room", [replace(HURRIED, same_moment_ms=5000, open_grace_ms=100)], indirect=True)
def test_two_at_once_never_overwrite_each_other(paced_room: Room) -> None:
    """If Bill and Tom press at the same moment, one of them leads and only the other one is told the reason."""
    room = paced_room
    room.begin(ev.StarterNamed(JANE), ev.TokenDrawn("open"))
    room.locos_turned_up(*CARDS[: room.view.reveal])
    if room.view.moment == "nominate":
        room.phones[0].move("nominated", ("card", CARDS[0]))
    room.phones[0].move("opened", amount=300)
    room.agree()
    rivals = room.phones[1:]
    for rival in rivals:
        rival.page.locator("[data-press]").wait_for()
    for rival in rivals:
        rival.page.evaluate(PRESS_SOON)
    view = room.until(lambda view: view.lot.price == 350 and view.lot.leader != JANE)
    winner, loser = rivals if view.lot.leader == 1 else rivals[::-1]
    expect(loser.page.locator("[data-press-message]")).to_contain_text("same moment")
    for device in (winner, room.phones[0]):
        expect(device.page.locator("[data-press-message]")).to_be_hidden()
    assert room.agree().lot.price == 350


def test_a_half_typed_bid_stays_when_others_move(room: Room) -> None:
    """Another person's move does not delete unfinished input."""
    blind_lot(room)
    jane, bill, _ = room.phones
    field = jane.form("committed").locator("input[name=amount]")
    field.fill("1350")
    bill.move("committed", amount=200)
    room.agree()
    assert field.input_value() == "1350"
    jane.move("committed")
    room.agree()
    expect(jane.page.locator("#region-holdings")).to_contain_text("$1,350")


def test_undo_and_redo(room: Room) -> None:
    """The host can undo and redo the latest bids without asking anybody, because no card was turned up."""
    pass_lot(room)
    room.phones[1].move("bid", amount=400)
    room.agree()
    host = room.host
    line = host.page.locator("ol.corrections li").filter(has_text="400")
    host.tap(line.locator("button", has_text="Go back to before this"))
    assert room.agree().lot.price == 250
    host.tap(host.page.get_by_role("button", name="Redo"))
    assert room.agree().lot.price == 400


def test_undo_past_opened_fists_asks_everybody(room: Room) -> None:
    """Undoing a sale by sealed bids needs every seat's consent; then the fists are closed again, and no redo is
    offered."""
    blind_lot(room)
    for phone, amount in zip(room.phones, (150, 700, 500), strict=True):
        phone.move("committed", amount=amount)
    assert len(room.agree().seats[1].trains) == 1
    host = room.host
    host.tap(host.page.locator("ol.corrections li").first.locator("button", has_text="Go back to before this"))
    for phone in room.phones:
        question = phone.page.locator(".banner.mine")
        expect(question).to_be_visible()
        assert len(room.view.seats[1].trains) == 1
        room.agree()
        phone.tap(question.get_by_role("button", name="Take it back"))
    view = room.agree()
    assert view.moment == "fists"
    assert not any(seat.committed for seat in view.seats)
    expect(host.page.get_by_role("button", name="Redo")).to_have_count(0)


def test_money_is_counted_again(room: Room) -> None:
    """The host asks Bill to count; only Bill sees the amount, and the bank stays balanced."""
    pass_lot(room)
    bill, host = room.phones[1], room.host
    row = host.page.locator("[data-fold=people] li").filter(has_text="Bill")
    host.tap(row.locator("button", has_text="Ask to count"))
    field = bill.page.locator("#region-asked input[name=to]")
    field.fill("4850")
    bill.tap(bill.page.locator("#region-asked button"))
    room.agree()
    assert room.state.table.cash == (5000, 4850, 5000)
    for other in (room.tablet, host, room.phones[0], room.phones[2]):
        assert "4,850" not in other.page.content()


def test_a_pause_stops_everybody(room: Room) -> None:
    """During a pause no page offers a move, and the table refuses one that is sent anyway."""
    pass_lot(room)
    host, bill = room.host, room.phones[1]
    host.tap(host.page.get_by_role("button", name="Pause"))
    for device in (room.tablet, bill):
        expect(device.page.locator("#region-banner")).to_contain_text("paused")
        expect(device.page.locator("#region-status")).to_be_hidden()
    bill.page.evaluate("() => window.scrollTo(0, document.body.scrollHeight)")
    expect(bill.page.locator(".banner")).to_be_in_viewport(ratio=1)
    expect(bill.page.locator("form.move")).not_to_have_count(0)
    assert not any(form.is_visible() for form in bill.page.locator("form.move").all())
    sent = {
        "data": urlencode({"event": "passed", "seat": 1}),
        "headers": {"Content-Type": FORM, "X-CSRF": bill.csrf(), "HX-Request": "true"},
    }
    refused = bill.context.request.post(bill.page.url + "propose", **sent)
    assert refused.status == 409 and "paused" in refused.text()
    host.tap(host.page.get_by_role("button", name="Go on"))
    expect(bill.page.locator("#region-status .sign.mine")).to_be_visible()
    bill.move("passed")
    room.agree()


def test_a_typed_amount_outlasts_a_reload(room: Room) -> None:
    """A typed amount survives a reload on the same phone, and does not appear on another one."""
    blind_lot(room)
    jane, bill, _ = room.phones
    field = jane.form("committed").locator("input[name=amount]")
    field.fill("1250")
    jane.page.reload()
    expect(jane.form("committed").locator("input[name=amount]")).to_have_value("1250")
    expect(bill.form("committed").locator("input[name=amount]")).not_to_have_value("1250")


def test_the_page_reads_amounts_as_the_table_does(room: Room) -> None:
    """The script reads each spelling of an amount as the server does, or both reject it."""
    pass_lot(room)
    texts = [*UNDERSTOOD, *UNCLEAR, *NO_NUMBER]
    read = room.phones[0].page.evaluate("texts => texts.map((text) => String(companion.wholeNumber(text)))", texts)
    assert dict(zip(texts, read, strict=True)) == {text: str(UNDERSTOOD.get(text, "NaN")) for text in texts}


def test_an_amount_is_typed_as_it_is_shown(room: Room) -> None:
    """The line below the field shows a typed amount with its signs, the buttons step from it, and the table accepts
    it."""
    pass_lot(room)
    bill = room.phones[1]
    form = bill.form("bid")
    field = form.locator("input[name=amount]")
    field.fill("$1,200")
    expect(form.locator("[data-costs]")).to_contain_text("If you pay $1,200, you keep $")
    expect(field).to_have_attribute("aria-invalid", "false")
    form.locator("[data-add='100']").click()
    expect(field).to_have_value("1300")
    field.fill("1.5")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("1 200 $")
    bill.tap(form.locator("button:not([type=button])"))
    assert room.state.table.cash[1] >= 1200
    expect(room.tablet.page.locator("#region-log")).to_contain_text("$1,200")
    room.agree()


def test_the_menu_closes_by_itself(room: Room) -> None:
    """A tap beside the menu or Escape closes it, and Escape returns the focus to its button."""
    pass_lot(room)
    page = room.phones[0].page
    menu = page.locator(".menu")
    for leave in (lambda: page.mouse.click(8, 700), lambda: page.keyboard.press("Escape")):
        menu.locator("summary").click()
        expect(menu.locator("form")).to_be_visible()
        leave()
        expect(menu.locator("form")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_a_phone_that_was_cut_off_catches_up(room: Room) -> None:
    """A phone without a network says so, and after reconnecting it is up to date without a reload."""
    pass_lot(room)
    jane, bill, tom = room.phones
    tom.wanted.append("ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to fetch")
    tom.page.evaluate("() => { window.stayed = true; }")
    tom.context.set_offline(True)
    expect(tom.page.locator("[data-lost]")).to_be_visible()
    expect(tom.page.locator("#region-status")).to_be_hidden()  # nobody may follow outdated instructions
    bill.move("bid", amount=300)
    tom.context.set_offline(False)
    expect(tom.page.locator("[data-lost]")).to_be_hidden()
    assert room.agree().awaited == (2,)
    assert tom.page.evaluate("() => window.stayed") is True
    tom.move("bid", amount=350)
    room.agree()
    expect(jane.page.locator(".tote-price b")).to_have_text(re.compile("350"))


def test_a_bot_plays_on_for_someone_who_leaves(room: Room) -> None:
    """If the host frees a seat, a bot plays it, and the former owner's page reports its end."""
    pass_lot(room)
    host, bill = room.host, room.phones[1]
    bill.wanted.append("status of 404")
    host.page.once("dialog", lambda dialog: dialog.accept())
    row = host.page.locator("[data-fold=people] li").filter(has_text="Bill")
    host.tap(row.locator("button", has_text="Free this seat"))
    expect(bill.page.locator("[data-ended]")).to_be_visible()
    for other in (room.tablet, room.phones[0], room.phones[2]):
        expect(other.page.locator("#region-people")).to_contain_text("Bill")
    host.tap(row.locator("button", has_text="A bot plays"))
    expect(room.phones[2].page.locator(".bidder").nth(1)).to_have_class(re.compile("passed|bidder"))
    bill.open(bill.post("/join", room=room.pin, seat=1, pin="9999"))
    expect(bill.page.locator("#region-holdings")).to_be_visible()
    room.agree()


def test_an_empty_field_is_named_in_the_pages_language(browser: Browser, server: Server) -> None:
    """The page's own message, in the page's language, explains an empty field until something is typed.

    The browser's message would use the browser's language.
    """
    device = Device(browser, PHONE, locale="fr")
    page = device.open(f"{server.address}/host")
    field = page.locator("input[name=pin]")
    message = "field => field.validationMessage"
    for typed, told in (("", "Ce champ est à remplir."), ("12", "Ce n'est pas complet.")):
        field.press_sequentially(typed)
        page.get_by_role("main").locator("button").first.click()
        assert field.evaluate(message) == told
    device.context.close()
