"""Test the pages of games without regions of their own: a seat's essentials must be visible."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.engine import AnyGame
from companion.games.examples.branch_lines.rules import RULES as BRANCH_LINES
from companion.games.examples.branch_lines.rules import LineTurned
from companion.games.examples.freight_whist.rules import RULES as FREIGHT_WHIST
from companion.games.examples.goods_yard.rules import RULES
from companion.games.examples.hill_and_harbour.rules import RULES as HILL_AND_HARBOUR
from companion.games.examples.twenty_tons.rules import RULES as TWENTY_TONS
from companion.match.actor import Actor
from tests.support.web import any_game
from tests.support.web.board_room import board_room, play
from tests.support.web.finished import play_on
from tests.support.web.served import served
from tests.web.browser.devices import TABLET, Device

pytestmark = pytest.mark.browser

PHONE = ViewportSize(width=390, height=844)
SCREENS = (ViewportSize(width=1024, height=768), TABLET, ViewportSize(width=1920, height=1080))
LONG = ("Maximiliane-Alexandra von der Hohenheim", "Jean-Baptiste", "Wilhelmine-Charlotte Grandpierre-Lefèvre", "Bo")


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_secret_choice_is_in_sight(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    """The chosen wagon is marked in the hand and named directly below it, without scrolling."""
    with board_room(tmp_path, 3, RULES) as room, served(room.app) as address:
        phone = Device(browser, ViewportSize(width=size[0], height=size[1]))
        page = phone.open(address + room.seats[0])
        phone.tap(page.locator(".hand .play").nth(2))
        expect(page.locator(".hand .chosen")).to_have_count(1)
        chosen = page.locator(".hand > .move").nth(2).locator(".chosen")
        expect(chosen).to_be_in_viewport(ratio=1)
        named = page.locator(".sealed")
        expect(named).to_have_text(chosen.inner_text().split("\n")[0].capitalize())
        expect(named).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        assert phone.complaints == []


def test_every_card_that_may_turn_up_is_one_tap_away(browser: Browser, tmp_path: Path) -> None:
    """The action bar shows three of nine wagons; the button that counts the others opens all of them."""
    with board_room(tmp_path, 3, TWENTY_TONS) as room, served(room.app) as address:
        any_game.lay(room, TWENTY_TONS.name, deck="ours")
        page = Device(browser, ViewportSize(width=390, height=700)).open(address + room.seats[0])
        wagons = page.locator("#region-turnup button")
        expect(wagons).to_have_count(9)
        assert [wagon.is_visible() for wagon in wagons.all()].count(True) == 3
        page.locator("#region-turnup summary").get_by_text("6 more").click()
        for wagon in wagons.all():
            expect(wagon).to_be_in_viewport(ratio=1)


def test_the_only_place_in_the_middle_says_what_it_is(browser: Browser, tmp_path: Path) -> None:
    """On a phone, "The middle" is the only heading above the card."""
    with board_room(tmp_path, 3, TWENTY_TONS) as room, served(room.app) as address:
        page = Device(browser, ViewportSize(width=390, height=700)).open(address + room.seats[0])
        expect(page.locator("#region-play .card-chip")).to_have_count(1)
        expect(page.locator("#region-play h3")).to_have_text("The middle")


def test_before_anything_has_happened_a_wall_says_so_within_its_frame(browser: Browser, tmp_path: Path) -> None:
    """The sentence of an empty log is indented by at least ten pixels."""
    with board_room(tmp_path, 3, TWENTY_TONS) as room, served(room.app) as address:
        any_game.lay(room, TWENTY_TONS.name, deck="ours")
        page = Device(browser, TABLET).open(address + room.page("watch"))
        inset = page.locator("#region-log .hint").evaluate("each => parseFloat(getComputedStyle(each).paddingLeft)")
        assert inset >= 10


def test_both_ways_to_mend_an_entry_stand_in_one_row(browser: Browser, tmp_path: Path) -> None:
    """Both buttons of an entry are in one row on a phone."""
    with board_room(tmp_path, 3, BRANCH_LINES) as room, served(room.app) as address:
        any_game.lay(room, BRANCH_LINES.name, deck="ours")
        play(room, LineTurned("line-6"))
        page = Device(browser, ViewportSize(width=390, height=844)).open(f"{address}{room.host}log")
        buttons = page.locator(".corrections .button")
        expect(buttons).to_have_count(2)
        boxes = [box for each in buttons.all() if (box := each.bounding_box())]
        assert max([box["y"] for box in boxes]) < min([box["y"] + box["height"] for box in boxes])


def test_every_entry_of_a_log_is_mended_at_the_same_place(browser: Browser, tmp_path: Path) -> None:
    """All buttons begin at the same left edge, and a link is level with the button beside it."""
    with board_room(tmp_path, 3, HILL_AND_HARBOUR) as room, served(room.app) as address:
        play_on(room)
        page = Device(browser, PHONE).open(f"{address}{room.host}log")
        boxes = [box for each in page.locator(".corrections form .button").all() if (box := each.bounding_box())]
        assert len({box["x"] for box in boxes}) == 1 and len(boxes) > 20
        row = page.locator(".corrections li:has(a)").first
        button, link = row.locator("button").bounding_box(), row.locator("a").bounding_box()
        assert button and link
        assert abs(button["y"] + button["height"] / 2 - link["y"] - link["height"] / 2) < 2


def test_a_log_ends_with_a_whole_line(browser: Browser, tmp_path: Path) -> None:
    """The log hides the entry below the last whole line completely."""
    with board_room(tmp_path, 3, TWENTY_TONS) as room, served(room.app) as address:
        play_on(room)
        page = Device(browser, PHONE).open(address + room.seats[0])
        log = page.locator("#region-log .log")
        frame = log.bounding_box()
        assert frame and log.evaluate("each => each.scrollHeight > each.clientHeight")
        lines = [box for each in log.locator("li").all() if (box := each.bounding_box())]
        cut = [line for line in lines if line["y"] < frame["y"] + frame["height"] - 1 < line["y"] + line["height"] - 2]
        assert cut == []


def test_long_names_of_partners_fit_a_wall(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No part is off the screen, and no score wraps."""
    monkeypatch.setattr(any_game, "NAMES", LONG)
    with board_room(tmp_path, 4, FREIGHT_WHIST) as room, served(room.app) as address:
        for size in SCREENS:
            page = Device(browser, size).open(address + room.page("watch"))
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), size
            scores = [box["height"] for each in page.locator(".seat .cash").all() if (box := each.bounding_box())]
            assert len(scores) == 2 and max(scores) < 1.5 * min(scores), size
            assert max(scores) < 62, size


@pytest.mark.parametrize("size", SCREENS)
def test_four_players_and_their_map_fit_a_screen(browser: Browser, tmp_path: Path, size: ViewportSize) -> None:
    """The line with the latest event is visible on a screen with four players and their map."""
    with board_room(tmp_path, 4, HILL_AND_HARBOUR) as room, served(room.app) as address:
        page = Device(browser, size).open(address + room.page("tablet"))
        expect(page.locator("#region-log")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        assert room.table.pause(Actor.HOST).accepted
        room.context.hub.refresh()
        expect(page.locator("[data-paused]")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("size", SCREENS)
def test_the_end_of_a_long_game_fits_a_screen(browser: Browser, tmp_path: Path, size: ViewportSize) -> None:
    """The link to the chart is visible, even if a railway has delivered many contracts."""
    with board_room(tmp_path, 3, HILL_AND_HARBOUR) as room, served(room.app) as address:
        play_on(room)
        page = Device(browser, size).open(address + room.page("tablet"))
        expect(page.locator(".seats .card-chip")).not_to_have_count(0)
        expect(page.locator("#region-people a").first).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("game", [TWENTY_TONS, RULES], ids=["without a table", "with a table"])
def test_at_the_end_no_half_of_a_tablet_is_empty(browser: Browser, tmp_path: Path, game: AnyGame) -> None:
    """At the end, a seat without cards of its own shows the seats on one side and the log on the other."""
    with board_room(tmp_path, 3, game) as room, served(room.app) as address:
        play_on(room)
        page = Device(browser, TABLET).open(address + room.seats[0])
        seats, log = page.locator("#region-seats").bounding_box(), page.locator("#region-log").bounding_box()
        assert seats and log
        assert seats["x"] < 50 and log["x"] >= seats["x"] + seats["width"]
        assert abs(TABLET["width"] - log["x"] - log["width"] - seats["x"]) < 1


def test_a_new_name_has_room_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    """The field for a new name is as wide as the form, and its button is below."""
    with board_room(tmp_path, 3, TWENTY_TONS) as room, served(room.app) as address:
        page = Device(browser, PHONE).open(address + room.host)
        page.locator("summary").filter(has_text="Seats").first.click()
        page.locator("summary").filter(has_text="Rename").first.click()
        form = page.locator('form[hx-post="rename"]').first
        form.scroll_into_view_if_needed()
        whole, field = form.bounding_box(), form.locator("input[name=name]").bounding_box()
        assert whole and field and field["width"] == whole["width"]
