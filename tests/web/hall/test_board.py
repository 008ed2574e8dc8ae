"""Test the board, the wall and the page of a table: the facts about a table, and names in the form that the hall
chose."""

from __future__ import annotations

import re

import pytest

from companion.devices.hall_link import messages as m
from companion.hall import entries as e
from tests.support.crate_rows.rules import RULES as CRATE_ROWS
from tests.support.web.board_room import offered
from tests.support.web.hall_pages import HOSTILE, HallBrowser, HallPages
from web.hall.board import moment_text
from web.hall.rows import BoardRow


def row(text: str, table: str) -> str:
    """Return a table's row on a page, without its tags."""
    found = re.search(rf'<article[^>]*id="row-{table}">.*?</article>', text, re.DOTALL)
    assert found is not None
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_the_board_shows_who_plays_whose_turn_it_is_and_since_when(pages: HallPages, browser: HallBrowser) -> None:
    """The board is complete without JavaScript, in the reader's language, ordered by number."""
    second, first = pages.add_table(2, "Bar"), pages.add_table(1, "Window")
    pages.play(first, "Ann", "Bob", awaited=(1,), waited_s=125, leaders=(0,), round=3, health=("camera",))
    page = browser.get("/").text
    assert row(page, first) == (
        "1 Window Game of Trains · round 3 Bob 2 min Leads: Ann Camera does not answer"
    )  # fmt: skip
    assert row(page, second) == "2 Bar Not connected yet"
    assert page.index(f"row-{first}") < page.index(f"row-{second}")
    assert "En tête : Ann" in row(pages.browser("fr").get("/").text, first)


def test_a_table_that_is_lost_or_newer_says_so(pages: HallPages, browser: HallBrowser) -> None:
    """A lost table's row says nothing about its game."""
    lost, newer = pages.add_table(1), pages.add_table(2)
    pages.play(lost, "Ann", "Bob")
    pages.hear(lost, None)
    pages.hear(newer, m.Presence("s", version=m.VERSION + 1))
    page = browser.get("/").text
    assert row(page, lost) == "1 Name 1 Not reached for 0 s"
    assert "Newer version" in row(page, newer)


@pytest.mark.parametrize(("stage", "said"), [("paused", "Paused"), ("over", "Game over"), ("free", "Free")])
def test_nobody_is_awaited_but_in_play(pages: HallPages, browser: HallBrowser, stage: str, said: str) -> None:
    """The board awaits nobody outside play, even if the table's summary names somebody."""
    table = pages.add_table(1)
    pages.play(table, "Ann", "Bob", stage=stage)
    assert said in row(browser.get("/").text, table)
    assert "Ann" not in row(browser.get("/").text, table)


def test_a_judges_call_stands_out(pages: HallPages, browser: HallBrowser) -> None:
    """The row shows an open call, then the judge who took it, and then nothing."""
    table = pages.add_table(4)
    pages.hall.record(table, e.CallMade("c1", table, 0))
    page = browser.get("/").text
    assert 'class="tcard is-away call-open"' in page
    assert "1 judge's call" in page.replace("&#39;", "'")
    pages.hall.record("judge Mira", e.CallTaken("c1", "Mira"))
    assert "Mira is coming" in row(browser.get("/").text, table)
    pages.hall.record("judge Mira", e.CallClosed("c1"))
    assert "Mira" not in row(browser.get("/").text, table)


def test_walls_show_names_as_the_hall_has_chosen(pages: HallPages, browser: HallBrowser) -> None:
    """Walls show initials or tournament numbers, the board full names; a wall omits a person without a number."""
    table = pages.add_table(1)
    pages.hall.record("organiser", e.PlayersEntered(("Zoe Adams", "Ann Lee")))
    pages.play(table, "Ann Lee", "Bob Guest", awaited=(0, 1), leaders=(1,))
    pages.hall.record(table, e.CallMade("c1", table, 0))
    pages.hall.record("judge Mira", e.CallTaken("c1", "Mira"))
    assert "Ann Lee, Bob Guest" in row(browser.get("/wall").text, table)
    pages.hall.record("organiser", e.NamesShown("initials"))
    assert "A. L., B. G." in row(browser.get("/wall").text, table)
    pages.hall.record("organiser", e.NamesShown("numbers"))
    wall = browser.get("/wall").text
    assert "#2, #–2" in row(wall, table)
    token = re.search(r'name="csrf" content="([^"]+)"', wall)
    assert token is not None
    seen = wall.replace(token[1], "")  # the table's id is random and may contain such letters
    assert not [name for name in ("Ann", "Bob", "Mira") if name in seen]
    assert "Ann Lee, Bob Guest" in row(browser.get("/").text, table)


def test_hostile_names_are_text(pages: HallPages, browser: HallBrowser) -> None:
    """Names of halls, tables, players, games and logs are escaped on every page."""
    table = pages.add_table(1, HOSTILE)
    log: dict[str, tuple[str, ...]] = {"en": (HOSTILE,)}
    pages.play(table, HOSTILE, "Bob", leaders=(0,), game=HOSTILE)
    pages.hear(table, m.PublicView("m1", 1, HOSTILE, {}, (1, 2), log))
    pages.hall.record(table, e.CallMade("c1", table, 0))
    pages.report(table, HOSTILE, "Bob")
    pages.knock(HOSTILE)
    for path in ("/", "/wall", f"/table/{table}", "/judge", "/organiser", f"/organiser/remove/{table}"):
        page = browser.get(path).text
        assert "&lt;b&gt;O&#39;Brien" in page, path
        assert "<b>O'" not in page, path
        assert "<i>club" not in page, path


def test_one_table_shows_seats_scores_and_the_log(pages: HallPages, browser: HallBrowser) -> None:
    """The page is in the reader's language, and the game's own sentence says what the table waits for."""
    table = pages.add_table(1)
    pages.play(table, "Ann", "Bob", game="take-a-train", awaited=(1,))
    pages.hear(
        table, m.PublicView("m1", 1, "take-a-train", {}, (7, 9), {"en": ("Bob passes.",), "fr": ("Bob passe.",)})
    )
    page = browser.get(f"/table/{table}").text
    assert re.search(
        r'<li class="now"><span class="plate">2</span> <b class="tname">Bob</b> <b class="cash">9</b>', page
    )
    assert "Bob passes." in page
    assert "Bob passe." in pages.browser("fr").get(f"/table/{table}").text


def test_scores_and_log_of_another_match_are_not_shown(pages: HallPages, browser: HallBrowser) -> None:
    """An older match's scores and log are not shown for the current match."""
    table = pages.add_table(1)
    pages.play(table, "Ann", "Bob")
    pages.hear(table, m.PublicView("m0", 1, "game-of-trains", {}, (7, 9), {"en": ("Bob passes.",)}))
    page = browser.get(f"/table/{table}").text
    assert "Bob passes." not in page
    assert 'class="cash"' not in page


def test_a_table_that_is_not_there_is_said(pages: HallPages, browser: HallBrowser) -> None:
    """An unknown table and a removed one are refused."""
    table = pages.add_table(1)
    pages.hall.record("organiser", e.TableRemoved(table))
    assert browser.get(f"/table/{table}").status_code == 404
    assert browser.get("/table/nobody00").status_code == 404
    assert browser.get("/stream/table/nobody00?lang=en").status_code == 404
    assert "row-" not in browser.get("/").text


@pytest.mark.parametrize(
    ("awaited", "said"),
    [(("Jane",), "Jane still seals a crate."), (("Jane", "Bill"), "Jane, Bill still seal a crate.")],
)
def test_the_verb_agrees_with_those_whom_a_table_awaits(awaited: tuple[str, ...], said: str) -> None:
    """The verb agrees with one name and with several names, as on the table's own sign."""
    row = BoardRow("t", 1, "Red", True, False, "running", CRATE_ROWS.name, 1, awaited, 0, (), (), 0)
    with offered(CRATE_ROWS):
        assert moment_text(row, "seal", "en") == said
