"""Test the sheet of codes and the code for former tables on the organiser's pages."""

from __future__ import annotations

import pytest

from companion.devices.hall_link.joining import AGAIN
from tests.support.web.hall_pages import HallBrowser, HallPages

CODES = "/organiser/codes"


def test_a_sheet_has_a_code_for_each_table(pages: HallPages, browser: HallBrowser) -> None:
    """The sheet has each code with its number, the hall's address and its expiry, and no used codes."""
    assert "No code of a sheet is good any more." in browser.get(CODES).text
    answer = browser.post(CODES, first="7", last="9")
    assert answer.headers["Location"] == CODES
    page = browser.get(CODES).text
    for code in pages.approval.desk.printed():
        assert f"Table {code.number}</b>" in page and f">{code.shown}</p>" in page
    assert page.count(pages.context.first_page().removeprefix("http://").rstrip("/")) == 3
    assert "3 codes of the sheet are still good" in browser.get("/organiser").text
    pages.knock("Bar", code=pages.approval.desk.printed()[1].shown)
    page = browser.get(CODES).text
    assert "Table 7" in page and "Table 8" not in page


def test_the_organiser_sees_which_table_waits(pages: HallPages, browser: HallBrowser) -> None:
    """The form contains a code's number, other tables get numbers without a code, and one press admits the whole
    sheet."""
    browser.post(CODES, first="1", last="3")
    shown = [code.shown for code in pages.approval.desk.printed()]
    other = pages.knock("By itself")
    exchanges = [pages.knock(name, code=code) for name, code in zip(("Bar", "Door"), shown[1:], strict=True)]
    page = browser.get("/organiser").text
    for exchange, number in zip([*exchanges, other], (2, 3, 4), strict=True):
        assert f'id="number-{exchange}" min="1" value="{number}"' in page
    assert "Let in all 2 that came by the sheet" in page
    assert browser.post(f"{CODES}/admit").status_code == 303
    assert [(each.number, each.name) for each in pages.hall.state.present] == [(2, "Bar"), (3, "Door")]


@pytest.mark.parametrize(("first", "last"), [("0", "3"), ("3", "2"), ("1", "301"), ("4999", "5001"), ("", "2")])
def test_numbers_that_no_sheet_has_are_refused(pages: HallPages, browser: HallBrowser, first: str, last: str) -> None:
    """An invalid number is refused with a sentence, and no code is made."""
    answer = browser.post(CODES, first=first, last=last)
    assert answer.status_code == 422 and ("the lowest first" in answer.text or "A number is missing" in answer.text)
    assert pages.approval.desk.printed() == ()


def test_the_code_for_tables_of_before_is_shown(pages: HallPages, browser: HallBrowser) -> None:
    """The code for former tables is on the organiser's page, and on no sheet."""
    assert browser.post(f"{CODES}/again").status_code == 303
    (code,) = pages.approval.desk.printed()
    assert code.number == AGAIN
    assert code.shown in browser.get("/organiser").text
    assert code.shown not in browser.get(CODES).text
