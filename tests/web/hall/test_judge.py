"""Test the judges' page: calls, results, and the judge's name."""

from __future__ import annotations

import pytest

from companion.hall import entries as e
from tests.support.web.hall_pages import HOSTILE, HallBrowser, HallPages


@pytest.fixture
def judge(pages: HallPages) -> HallBrowser:
    """Return the browser of a judge who has entered her name."""
    found = pages.browser()
    found.post("/judge/name", name="  Mira   Çelik ")
    return found


def call(pages: HallPages, number: int, seat: int = -1) -> str:
    """Let a new table call a judge, and return the call's id."""
    table = pages.add_table(number)
    pages.hall.record(table, e.CallMade(f"call{number}", table, seat))
    return f"call{number}"


def test_calls_are_shown_by_who_waits_longest(pages: HallPages, judge: HallBrowser) -> None:
    """The longest waiting call comes first, with the table's number and the caller."""
    call(pages, 9)
    call(pages, 2, seat=1)
    pages.play("table002", "Ann", "Bob")
    page = judge.get("/judge").text
    assert page.index('id="call-call9"') < page.index('id="call-call2"')
    assert "Bob has called you for" in page
    assert "The table has called you for" in page


def test_a_call_is_taken_by_name_and_closed(pages: HallPages, judge: HallBrowser) -> None:
    """The record names the judge who takes and closes a call, which then disappears from the page."""
    found = call(pages, 1)
    assert judge.post("/judge/take", call=found).headers["Location"] == "/judge"
    assert pages.hall.state.calls[found].judge == "Mira Çelik"
    assert "/judge/take" not in judge.get("/judge").text
    assert judge.post("/judge/close", call=found, quiet=True).status_code == 204
    assert pages.hall.state.calls[found].closed
    assert [entry.by for entry in pages.hall.entries()[-2:]] == ["judge Mira Çelik"] * 2
    assert "No table waits for a judge." in judge.get("/judge").text


def test_nothing_is_done_without_a_name(pages: HallPages, browser: HallBrowser) -> None:
    """The page asks for the judge's name before any action, because tables read it."""
    found = call(pages, 1)
    before = pages.hall.state
    for path in ("/judge/take", "/judge/close"):
        answer = browser.post(path, call=found)
        assert (answer.status_code, "Say your name first" in answer.text) == (422, True)
    assert pages.hall.state is before
    assert 'action="/judge/name"' in browser.get("/judge").text


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "bell\x07"])
def test_a_name_that_no_table_could_show_is_refused(browser: HallBrowser, name: str) -> None:
    """A name that tables could not show is not stored, and a forged cookie sets no name."""
    assert browser.post("/judge/name", name=name).status_code == 422
    browser.client.set_cookie("hall_judge", "x" * 41)
    assert 'action="/judge/name"' in browser.get("/judge").text


def test_a_call_that_another_judge_has_taken_is_theirs(pages: HallPages, judge: HallBrowser) -> None:
    """A call that another judge has taken is refused with that judge's name."""
    found = call(pages, 1)
    pages.hall.record("judge Ole", e.CallTaken(found, "Ole"))
    answer = judge.post("/judge/take", quiet=True, call=found)
    assert (answer.status_code, answer.text) == (422, "Ole is already on the way.")
    assert judge.post("/judge/take", call="unknown").status_code == 422


def test_results_wait_for_a_judge_until_they_are_judged(pages: HallPages, judge: HallBrowser) -> None:
    """Disputed results come first, and confirmed ones are hidden."""
    for number in (1, 2, 3):
        pages.add_table(number)
    waiting = pages.report("table001", "Ann", HOSTILE)
    disputed = pages.report("table002", "Cem", "Dua", disputed=(1,))
    confirmed = pages.report("table003", "Eva", "Fay", confirmed=(0, 1))
    page = judge.get("/judge").text
    assert page.index(f'id="result-{disputed}"') < page.index(f'id="result-{waiting}"')
    assert f'id="result-{confirmed}"' not in page
    assert "Disputed by Dua" in page
    judge.post("/judge/result", result=waiting, right="1")
    judge.post("/judge/result", result=disputed, right="0")
    assert [pages.hall.state.find_result(each).status for each in (waiting, disputed)] == ["confirmed", "rejected"]  # type: ignore[union-attr]
    assert "No result waits for a judge." in judge.get("/judge").text


def test_a_verdict_that_is_none_or_comes_too_late_changes_nothing(pages: HallPages, judge: HallBrowser) -> None:
    """A verdict on a replaced result, or on one that another judge has decided, is refused."""
    pages.add_table(1)
    result = pages.report("table001", "Ann", "Bob")
    before = pages.hall.state
    assert judge.post("/judge/result", result=result, right="perhaps").status_code == 422
    assert judge.post("/judge/result", result="table001:m1:7", right="1").status_code == 422
    assert pages.hall.state is before
    pages.hall.record("judge Ole", e.ResultJudged(result, False))
    assert "Another judge" in judge.post("/judge/result", result=result, right="1").text


def test_a_judge_may_take_another_name(judge: HallBrowser) -> None:
    """The form for another name contains the current one."""
    assert 'value="Mira Çelik"' in judge.get("/judge?name=1").text
    judge.post("/judge/name", name="Ole")
    assert "<b>Ole</b>" in judge.get("/judge").text


def test_a_refusal_leads_back_to_the_judges_page(pages: HallPages, judge: HallBrowser) -> None:
    """Without JavaScript a refusal is a page that leads back; the page's own script gets only the sentence."""
    answer = judge.post("/judge/close", call="none")
    assert 'href="/judge"' in answer.text
    assert judge.post("/judge/close", quiet=True, call="none").text == "This call is closed already."
