"""Check that a ceremony's animations cause neither layout nor paint, on a processor slowed four times."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.support.web.served import served
from tests.web.browser.motion import MARKS, work_while_moving
from tests.web.browser.test_ending import Ceremony
from tests.web.live.test_ending import LastMove

pytestmark = pytest.mark.browser
HEAVY = """() => { const sheet = new CSSStyleSheet(); document.adoptedStyleSheets.push(sheet);
    sheet.replaceSync("@keyframes heavy { to { padding-top: 40px } } .end-podium { animation: heavy 1s }"); }"""
AT_REST = "() => getComputedStyle(document.querySelector('.bar')).opacity === '0'"
"""Returns whether the television's bar has faded, as it does when no pointer moves."""


def test_a_ceremony_moves_without_work(tmp_path: Path, browser: Browser) -> None:
    """The place, the winner's train and the podium's steps move without layout or paint; a costly animation is
    detected."""
    room = LastMove(tmp_path, "trains")
    with room, served(room.app) as address:
        ceremony = Ceremony(room, address, browser)
        page = ceremony.open(room.page("watch"))
        page.evaluate(MARKS)
        ceremony.end()
        ceremony.at(100)
        page.wait_for_function(AT_REST)
        for time, names in ((2100, ["end-place"]), (6100, ["end-name", "end-train"]), (10_600, ["end-step"])):
            work = work_while_moving(browser, page, lambda time=time: ceremony.at(time), *names)  # type: ignore[misc]
            assert not work, (names, work)
        work = work_while_moving(browser, page, lambda: page.evaluate(HEAVY), "heavy")
        assert work["Layout"] > 3
        ceremony.devices[0].context.close()
