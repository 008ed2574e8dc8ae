"""Test the page for updates in Chromium: a package picked on a phone, and a page that continues while the server is
down."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from companion.ops.update import asking
from companion.ops.update.asking import Outcome, Said
from companion.ops.update.sentences import sentence
from tests.support.web import any_game
from tests.support.web.served import served
from tests.support.web.updates import lay_machine
from tests.support.web.visitors import Room
from tests.web.browser.devices import Device

pytestmark = pytest.mark.browser


def test_a_page_follows_an_update_while_the_table_is_away(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An untouched page shows every step from removing the game to the end of the update, and nothing overflows."""
    places = lay_machine(tmp_path, monkeypatch)
    package = tmp_path / "table-companion_0.3.0_all.deb"
    package.write_bytes(b"a package")
    with Room(tmp_path) as room:
        any_game.lay(room, "take-a-train", 3)
        with served(room.app) as address:
            device = Device(browser, {"width": 360, "height": 640})
            page = device.open(f"{address}{room.host}check")
            page.get_by_role("link", name="Update …").click()
            page.get_by_role("button", name="Take this game off the table").click()
            page.locator("input[type=file]").set_input_files(package)
            assert Axe().run(page).response["violations"] == []
            page.get_by_role("button", name="Update now").click()
            expect(page.get_by_text(sentence("asked"))).to_be_visible()
            assert asking.take_request(places) and places.upload.read_bytes() == b"a package"
            asking.tell(places, Outcome("running", (Said("awaiting"),)))
            expect(page.locator("[aria-current=step]")).to_contain_text("Waiting until the new version works")
            assert Axe().run(page).response["violations"] == []
            page.route("**/update-now", lambda route: route.abort())
            expect(page.locator("[data-away]")).to_be_visible()
            page.unroute("**/update-now")
            expect(page.locator("[data-away]")).to_be_hidden()
            asking.tell(places, Outcome("done", (Said("done", {"version": "0.3.0"}),)))
            expect(page.get_by_text(sentence("done", version="0.3.0"))).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            device.context.close()
