"""Test the entrance for tables, and a browser's preferences."""

from __future__ import annotations

import json
import re

import pytest

from companion.devices.hall_link.joining import JoiningTable
from companion.devices.hall_link.signing import TableKey
from tests.support.web.hall_pages import HallBrowser, HallPages
from web.hall.app import create_hall_app
from web.hall.context import JOINING, HallContext
from web.security.rate_limits import Rates

JSON = {"content_type": "application/json"}


def test_a_table_joins_with_the_code(pages: HallPages, browser: HallBrowser) -> None:
    """A table needs neither a role nor a form token to join with a code, and the organiser sees its address."""
    table = JoiningTable(pages.approval.desk.code(), "Bar", TableKey.generate().for_hall)
    answer = browser.client.post("/join", data=table.opening(), **JSON)
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    answer = browser.client.post("/join", data=table.confirmation(answer.data), **JSON)
    assert table.verdict(answer.data).state == "waiting"
    (candidate,) = pages.approval.desk.waiting()
    assert (candidate.name, candidate.remote) == ("Bar", "127.0.0.1")


@pytest.mark.parametrize(("body", "code"), [(b"{", 400), (b"\xff" * 5000, 413), (b"x" * 200_000, 413)])
def test_what_no_table_says_is_refused(browser: HallBrowser, body: bytes, code: int) -> None:
    """A message that no table sends is refused, whatever its size."""
    assert browser.client.post("/join", data=body, **JSON).status_code == code


def test_one_address_cannot_keep_the_desk_busy(pages: HallPages, browser: HallBrowser) -> None:
    """Messages above the limit are answered without the desk, in the format for tables."""
    pages.context.joining = Rates(address=JOINING, clock=lambda: 0.0)
    for _ in range(int(JOINING.burst)):
        browser.client.post("/join", data=b"{", **JSON)
    answer = browser.client.post("/join", data=b"{", **JSON)
    assert (answer.status_code, json.loads(answer.data)) == (429, {"fault": "hall.fault.busy"})


def test_another_sites_page_cannot_try_codes(browser: HallBrowser) -> None:
    """Requests from another site are refused, also with a foreign host name that leads to this hall."""
    foreign = {"Sec-Fetch-Site": "cross-site"}
    assert browser.client.post("/join", data=b"{", headers=foreign).status_code == 403
    assert browser.client.post("/join", data=b"{", headers={"Host": "evil.example"}).status_code == 421


def test_a_hall_that_lets_nobody_in_says_so(pages: HallPages) -> None:
    """Without an entrance there is no code, and no table gets an answer."""
    app = create_hall_app(HallContext(pages.hall), testing=True)
    browser = HallBrowser(app.test_client())
    assert "No table can join this hall." in browser.get("/organiser").text
    assert browser.client.post("/join", data=b"{", **JSON).status_code == 429
    assert browser.post("/organiser/code").status_code == 422


def test_language_and_theme_are_kept(pages: HallPages) -> None:
    """Unknown values are ignored, and the return address is one of the hall's own."""
    browser = pages.browser()
    answer = browser.post("/preferences", lang="fr", theme="dark", back="/judge")
    assert answer.headers["Location"] == "/judge"
    page = browser.get("/").text
    assert '<html lang="fr" data-theme="dark">' in page
    browser.post("/preferences", lang="xx", theme="pink")
    assert '<html lang="fr" data-theme="dark">' in browser.get("/").text
    assert browser.post("/preferences", lang="en", back="https://evil.example").headers["Location"] == "/"


def test_the_pages_own_files_are_served(browser: HallBrowser) -> None:
    """The hall serves its own style sheet and script, without parts of a table's pages."""
    page = browser.get("/").text
    for ending, ours, tables in (("css", b".hall-board", b".press"), ("js", b"data-parts", b"SharedWorker")):
        found = re.search(rf'"(/static/joined/hall\.[0-9a-f]+\.{ending})"', page)
        assert found is not None
        answer = browser.get(found[1])
        assert (answer.status_code, ours in answer.data, tables in answer.data) == (200, True, False)
    assert browser.get("/health").data == b"ok\n"


def test_a_page_that_fails_says_no_more_than_that(
    pages: HallPages, browser: HallBrowser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A failing page gives no reason, which only the log contains."""
    monkeypatch.setitem(pages.context.feeds.kinds, "board", lambda key: 1 / 0)
    answer = browser.get("/")
    assert (answer.status_code, "ZeroDivision" in answer.text) == (500, False)
    assert "a page failed (GET board.page)" in caplog.text


def test_a_network_of_the_newer_kind_is_one_sender(pages: HallPages, browser: HallBrowser) -> None:
    """All addresses of an IPv6 network share three wrong tries of a code, and another network has its own."""
    code = pages.approval.desk.code()
    wrong = code[:-1] + ("2" if code[-1] != "2" else "3")

    def attempt(address: str) -> int:
        table = JoiningTable(wrong, "Bar", TableKey.generate().for_hall)
        where = {"environ_base": {"REMOTE_ADDR": address}, **JSON}
        answer = browser.client.post("/join", data=table.opening(), **where)
        if answer.status_code == 200:
            answer = browser.client.post("/join", data=table.confirmation(answer.data), **where)
        return answer.status_code

    assert [attempt(f"2001:db8::{number}") for number in range(1, 5)] == [403, 403, 403, 410]
    assert attempt("2001:db8:0:1::1") == 403
