"""Test options in Chromium's lobby: sets and draws without a new page, and the same form without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.games.examples import freight_whist
from companion.table.table import Table
from tests.support import crowd, market_town
from tests.support.market_town.options import FAIR, HARVEST
from tests.support.web.offering import offered
from tests.support.web.served import served
from tests.support.web.visitors import NAMES
from tests.web.browser.truth import unfit
from web.app import create_app

pytestmark = pytest.mark.browser
SIZES = (
    ViewportSize(width=360, height=740),
    ViewportSize(width=820, height=1180),
    ViewportSize(width=1920, height=1080),
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[tuple[Table, str]]:
    """Serve a table that offers the tests' games, and yield its address."""
    with offered(market_town.GAME.rules, crowd.GAME, freight_whist.GAME.rules):
        table = Table(tmp_path / "journal.db")
        app = create_app(table, tmp_path / "journal.db", testing=True)
        with served(app) as address:
            yield table, address
        app.extensions["context"].close()
        table.close()


def ticked(page: Page) -> list[str]:
    """Return the ticked stalls."""
    found = page.locator("input[type=checkbox][name=stalls]:checked").all()
    return [str(box.get_attribute("value")) for box in found]


def open_lobby(page: Page, address: str, players: int) -> None:
    """Open the lobby, enter names, and unfold the options."""
    page.goto(address)
    page.locator('button.box[value="market-town"]').click()
    for number, name in enumerate(NAMES[:players], 1):
        page.locator(".lobby-add input[name=name]").fill(name)
        page.locator('.lobby-add button[value="tablet"]').click()
        expect(page.locator(".lobby-seat[data-number]")).to_have_count(number)
    page.locator("details.more > summary").click()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))
def test_choices_are_made_on_the_page(browser: Browser, table: tuple[Table, str], size: ViewportSize) -> None:
    """A chosen set, a draw by the server and manual ticks all update the count."""
    context = browser.new_context(viewport=size, has_touch=size["width"] < 1000)
    page = context.new_page()
    open_lobby(page, table[1], 3)
    expect(page.locator("input[name=money]")).to_have_attribute("placeholder", "100")
    expect(page.locator("input[name=handicaps]").nth(2)).to_be_visible()
    page.locator("button[value='stalls:fair']").click()
    assert ticked(page) == sorted(FAIR)
    expect(page.locator("select[name=pace]")).to_have_value("slow")
    page.locator("button[value='stalls:harvest']").click()
    expect(page.locator("select[name=pace]")).to_have_value("fast")
    expect(page.locator("input[name=stalls][value=grain]")).to_be_checked()
    assert len(ticked(page)) == 8 and {*HARVEST} < {*ticked(page)}
    page.locator("select[name=pace]").evaluate("select => { select.value = 'slow'; }")
    page.locator("button[value='stalls:fair']").click()
    page.locator("button[name=draw][value=stalls]").click()
    for _ in range(100):
        if ticked(page) != sorted(FAIR):
            break
        page.wait_for_timeout(50)
    assert len(ticked(page)) == 8 and ticked(page) != sorted(FAIR)
    expect(page.locator("input[type=checkbox][name=stalls]:not(:checked)").first).to_be_disabled()
    page.locator("input[type=checkbox][name=stalls]:checked").first.uncheck()
    expect(page.locator("#pick-stalls [data-count]")).to_have_text("7 / 8")
    page.locator("input[type=checkbox][name=stalls]:not(:checked)").last.check()
    expect(page.locator("#pick-stalls [data-count]")).to_have_text("8 / 8")
    assert unfit(page, touch=size["width"] < 1000) == []
    chosen = ticked(page)
    page.locator("[data-start]").click()
    page.wait_for_url("**/h/**")
    setup = table[0].snapshot().setup
    assert setup is not None and setup.options == {"stalls": chosen}
    context.close()


def test_everything_works_without_script(browser: Browser, table: tuple[Table, str]) -> None:
    """Without scripts, buttons reload the form at their option, and a player's fields appear only beside a name."""
    context = browser.new_context(viewport=SIZES[0], java_script_enabled=False)
    page = context.new_page()
    open_lobby(page, table[1], 2)
    page.locator("input[name=handicaps]").nth(1).fill("5")
    page.locator("button[value='stalls:fair']").click()
    page.locator("details.more > summary").is_visible()
    assert ticked(page) == sorted(FAIR)
    with page.expect_navigation():
        page.locator("button[name=draw][value=stalls]").click()
    chosen = ticked(page)
    assert len(chosen) == 8 and page.locator("input[name=handicaps]").nth(1).input_value() == "5"
    page.locator("[data-start]").click()
    page.wait_for_url("**/h/**")
    setup = table[0].snapshot().setup
    assert setup is not None and setup.options == {"stalls": chosen, "handicaps": [0, 5]}
    context.close()
