"""Test the organiser's page: every action, refusals that change nothing, and undoing."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from companion.devices.hall_link.signing import TableKey, fingerprint
from companion.hall import entries as e
from companion.hall.hall import assigned
from companion.hall.store import StoreError
from tests.support.web.hall_pages import HallBrowser, HallPages
from tests.support.web.tournaments import begin, plain, seat, typed

HOME = "/organiser"


def test_a_table_that_waits_is_let_in(pages: HallPages, browser: HallBrowser) -> None:
    """The page shows the key's fingerprint, and the table then gets the organiser's name and number for it."""
    pages.add_table(1)
    key = TableKey.generate()
    exchange = pages.knock("Upstairs", key)
    page = browser.get(HOME).text
    assert fingerprint(key.public) in page
    assert "192.168.1.44" in page
    assert f'id="number-{exchange}" min="1" value="2"' in page
    assert browser.post("/organiser/admit", exchange=exchange, name=" Up  there ", number="7").status_code == 303
    (table,) = [each for each in pages.hall.state.present if each.number == 7]
    assert (table.name, table.key) == ("Up there", key.public)
    assert pages.hall.entries()[-1].by == "organiser"
    assert pages.approval.desk.waiting() == ()


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"name": "", "number": "2"}, "A name is missing."),
        ({"name": "Two", "number": ""}, "A number is missing."),
        ({"name": "Two", "number": "²"}, "That is no number: ²"),
        ({"name": "Two", "number": "1"}, "Another table has the number 1 already."),
        ({"name": "Two", "number": "0"}, "A table&#39;s number goes from 1 to 5000."),
        ({"name": "name 1", "number": "2"}, "Another table is called name 1 already."),
        ({"name": "x" * 41, "number": "2"}, "a name has at most 40 letters"),
        ({"name": "Two", "number": "2", "exchange": "none"}, "does not wait any more"),
    ],
)
def test_a_table_that_cannot_be_let_in_so_goes_on_waiting(
    pages: HallPages, browser: HallBrowser, form: dict[str, str], sentence: str
) -> None:
    """The table keeps waiting, the page gives the reason, and nothing is recorded."""
    pages.add_table(1)
    exchange = pages.knock()
    before = pages.hall.state
    answer = browser.send("/organiser/admit", {"exchange": exchange, **form})
    assert (answer.status_code, sentence in answer.text) == (422, True)
    assert pages.hall.state is before
    assert len(pages.approval.desk.waiting()) == 1


def test_a_table_that_comes_back_is_known(pages: HallPages, browser: HallBrowser) -> None:
    """For a table with a known key, the page shows its former name and offers its number."""
    table = pages.add_table(5, "Old name")
    exchange = pages.knock("New name", pages.keys[table])
    page = browser.get(HOME).text
    assert "was here before as Old name" in page
    assert f'id="number-{exchange}" min="1" value="5"' in page


def test_a_table_is_refused(pages: HallPages, browser: HallBrowser) -> None:
    """The first refusal removes the waiting table, and a second one finds nothing."""
    exchange = pages.knock()
    assert browser.post("/organiser/refuse", exchange=exchange).status_code == 303
    assert pages.approval.desk.waiting() == ()
    assert "does not wait any more" in browser.post("/organiser/refuse", exchange=exchange).text


def test_a_new_code_ends_the_old_one(pages: HallPages, browser: HallBrowser) -> None:
    """A new code replaces the old one, and the page shows it at once."""
    old = pages.approval.desk.code()
    assert old in browser.get(HOME).text
    browser.post("/organiser/code")
    page = browser.get(HOME).text
    assert old not in page
    assert pages.approval.desk.code() in page
    assert browser.get("/organiser/qr.svg").mimetype == "image/svg+xml"


def test_a_table_gets_another_number(pages: HallPages, browser: HallBrowser) -> None:
    """A table can get a free number; a taken or invalid one is refused."""
    table = pages.add_table(1)
    pages.add_table(2)
    assert browser.post("/organiser/number", table=table, number="3").status_code == 303
    assert pages.hall.state.tables[table].number == 3
    before = pages.hall.state
    for number in ("2", "", "-1", "1.5", "9" * 12):
        assert browser.post("/organiser/number", table=table, number=number).status_code == 422
    assert browser.post("/organiser/number", table="nobody00", number="9").status_code == 422
    assert pages.hall.state is before


def test_a_table_is_removed_once_it_was_said_twice(pages: HallPages, browser: HallBrowser) -> None:
    """A page in between names the table before it is removed."""
    table = pages.add_table(4, "Bar")
    assert "Table 4, Bar, will be disconnected" in browser.get(f"/organiser/remove/{table}").text
    assert not pages.hall.state.tables[table].removed
    browser.post(f"/organiser/remove/{table}")
    assert pages.hall.state.tables[table].removed
    assert browser.get(f"/organiser/remove/{table}").status_code == 404
    assert browser.post(f"/organiser/remove/{table}").status_code == 404


def test_names_on_walls_are_chosen(pages: HallPages, browser: HallBrowser) -> None:
    """Only valid choices for names on walls are accepted."""
    browser.post("/organiser/names", how="initials")
    assert pages.hall.state.names == "initials"
    assert browser.post("/organiser/names", how="loud").status_code == 422
    assert 'value="initials" aria-pressed="true"' in browser.get(HOME).text


def test_advice_is_allowed_and_taken_back(pages: HallPages, browser: HallBrowser) -> None:
    """Advice is not allowed at the beginning; the organiser's choice reaches every table and the audit trail."""
    pages.add_table(4)
    assert not assigned(pages.hall.state, 4).advice
    assert 'value="no" aria-pressed="true"' in browser.get(HOME).text
    browser.post("/organiser/advice", allowed="yes")
    assert assigned(pages.hall.state, 4).advice
    page = browser.get(HOME).text
    assert 'value="yes" aria-pressed="true"' in page
    assert "changed advice at tables: Each host decides" in page
    browser.post("/organiser/advice", allowed="no")
    assert not assigned(pages.hall.state, 4).advice


def test_any_entry_is_taken_back_after_a_look_at_what_follows(pages: HallPages, browser: HallBrowser) -> None:
    """The first press shows the consequences, the second one undoes the entry, and a third one finds nothing."""
    for names in (("Ann", "Abe"), ("Bob",), ("Cid",)):
        pages.hall.record("organiser", e.PlayersEntered(names))
    first = pages.hall.state.number - 2
    assert f'href="/organiser/undo?entry={first}"' in browser.get(HOME).text
    asked = browser.get(f"/organiser/undo?entry={first}")
    assert "Organiser entered 2 players: Ann, Abe Nothing else changes." in plain(asked)
    assert browser.post("/organiser/undo", entry=str(first)).location == f"/organiser/undo?entry={first}"
    assert len(pages.hall.state.players) == 4
    form = {"entry": str(first), "shown": shown_in(asked.text)}
    assert browser.post("/organiser/undo", **form).status_code == 303
    assert {player.id: player.name for player in pages.hall.state.players.values()} == {3: "Bob", 4: "Cid"}
    before = pages.hall.state
    again = browser.post("/organiser/undo", **form)
    assert (again.status_code, "taken back already" in plain(again)) == (422, True)
    assert pages.hall.state is before


def shown_in(page: str) -> str:
    """Return the page's fingerprint of the shown consequences."""
    found = re.search(r'name="shown" value="(\d+)"', page)
    assert found is not None
    return found[1]


def test_what_follows_from_taking_back_may_change_meanwhile(pages: HallPages, browser: HallBrowser) -> None:
    """If the consequences change in the meantime, nothing is undone before the organiser has seen them."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    entry = str(pages.hall.state.number)
    shown = shown_in(browser.get(f"/organiser/undo?entry={entry}").text)
    pages.hall.record("organiser", e.RoundCalled(1, 0))
    answer = browser.post("/organiser/undo", entry=entry, shown=shown)
    assert (answer.status_code, "Something else was written" in answer.text) == (422, True)
    assert pages.hall.state.rounds
    asked = browser.get(f"/organiser/undo?entry={entry}")
    assert "This then says nothing: called round 1" in plain(asked)
    assert browser.post("/organiser/undo", entry=entry, shown=shown_in(asked.text)).status_code == 303
    assert not pages.hall.state.rounds


def test_what_results_depend_on_is_not_taken_back(pages: HallPages, browser: HallBrowser) -> None:
    """An entry on which results depend has a reason instead of a button, and an older form does nothing."""
    begin(pages, "Ann", "Ben")
    players = str(pages.hall.state.number)
    seat(pages, (1, 2))
    entry = str(pages.hall.state.number)
    shown = shown_in(browser.get(f"/tournament/undo?entry={entry}").text)
    typed(pages, 1, 1, 2)
    page = browser.get(f"/tournament/undo?entry={entry}")
    assert "Results that count would be lost: Round 1, table 1" in plain(page) and "button danger" not in page.text
    assert browser.post("/tournament/undo", entry=entry, shown=shown).status_code == 422
    assert browser.post("/tournament/undo", entry=entry, shown=shown_in(page.text)).status_code == 422
    assert pages.hall.state.rounds[1].typed
    assert "Impossible without it: seated round 1" in plain(browser.get(f"/tournament/undo?entry={players}"))


def test_what_has_happened_is_not_taken_back(pages: HallPages, browser: HallBrowser) -> None:
    """An event that has happened has no link and cannot be undone, because a result needs a judge's verdict instead."""
    table = pages.add_table(3)
    pages.report(table, "Ann", "Ben")
    reported = str(pages.hall.state.number)
    assert "/organiser/undo" not in browser.get(HOME).text
    for entry, why in ((reported, "A judge can say that it is not right"), ("1", "it has happened"), ("99", "nothing")):
        for answer in (browser.get(f"/organiser/undo?entry={entry}"), browser.post("/organiser/undo", entry=entry)):
            assert (answer.status_code, why in plain(answer)) == (422, True), entry


def test_the_audit_trail_goes_back_to_the_first_entry(pages: HallPages, browser: HallBrowser) -> None:
    """A page of the trail contains 200 entries and links to the previous ones."""
    for number in range(250):
        pages.hall.record("organiser", e.PlayersEntered((f"Player {number}",)))
    page = browser.get("/organiser/entries")
    assert "Player 249" in page.text and "Player 49 <" not in page.text
    older = browser.get(re.findall(r'href="(/organiser/entries\?before=[^"]+)"', page.text)[0])
    assert "Player 49 <" in older.text and "named the hall" in older.text and "?before" not in older.text


def test_the_audit_trail_says_who_did_what(pages: HallPages, browser: HallBrowser) -> None:
    """The latest entry comes first, with the person who made it, and undone entries are struck out."""
    table = pages.add_table(3, "Bar")
    pages.hall.record(table, e.CallMade("c", table, 0))
    pages.hall.record("judge Mira", e.CallTaken("c", "Mira"))
    pages.hall.record("organiser", e.PlayersEntered(("Ann", "Bob")))
    pages.hall.undo("organiser")
    page = browser.get(HOME).text
    said = [
        "took back: entered 2 players",
        '<li class="undone">',
        "Judge Mira</b> <span>is coming to Table 3",
        "let in Bar",
    ]
    assert [page.find(each) > 0 for each in said] == [True] * 4
    assert [page.index(each) for each in said] == sorted(page.index(each) for each in said)


def test_what_is_wrong_is_shown(pages: HallPages, browser: HallBrowser) -> None:
    """The page reports a broker that does not run, with the reason."""
    assert "The broker at 127.0.0.1:1 was not reached yet." in browser.get(HOME).text
    pages.context.broker_fault = "Another program uses port 1884."
    assert "Another program uses port 1884." in browser.get(HOME).text


def test_results_are_served_as_a_table(pages: HallPages, browser: HallBrowser) -> None:
    """The results have a line for every player, and no cell can act as a formula."""
    pages.add_table(3, "Bar")
    pages.report("table003", "=SUM(A1)", "Bob", disputed=(1,))
    answer = browser.get("/organiser/results.csv")
    assert "attachment" in answer.headers["Content-Disposition"]
    assert list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig")))) == [
        ["Round", "Table", "Table's name", "Game", "Place", "Player", "Score", "Status"],
        ["", "3", "Bar", "Game of Trains", "1", "'=SUM(A1)", "10", "disputed"],
        ["", "3", "Bar", "Game of Trains", "2", "Bob", "9", "disputed"],
    ]


def test_everything_about_persons_is_forgotten_once_it_was_said_twice(pages: HallPages, browser: HallBrowser) -> None:
    """Without the tick nothing is deleted; with it the people are deleted and the tables stay."""
    table = pages.add_table(1)
    pages.report(table, "Ann Unmistakable", "Bob")
    assert 'name="sure"' in browser.get("/organiser/forget").text
    assert browser.post("/organiser/forget").status_code == 422
    assert pages.hall.state.results
    assert browser.post("/organiser/forget", sure="1").status_code == 303
    assert not pages.hall.state.results
    assert [each.id for each in pages.hall.state.present] == [table]
    assert "Ann Unmistakable" not in browser.get(HOME).text


def test_a_database_that_takes_nothing_is_said(
    pages: HallPages, browser: HallBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that cannot be written is reported with a sentence that nothing has changed."""

    def full(*args: object) -> None:
        raise StoreError("database or disk is full")

    monkeypatch.setattr(pages.hall, "record", full)
    answer = browser.post("/organiser/names", quiet=True, how="initials")
    assert (answer.status_code, answer.text) == (
        503, "The hall's database did not take it, and nothing has changed: database or disk is full",
    )  # fmt: skip


def test_forms_in_live_parts_have_each_readers_own_token(pages: HallPages) -> None:
    """Live parts are the same for everybody, and the page inserts its own form token."""
    pages.add_table(1)
    one, other = pages.browser().get(HOME).text, pages.browser().get(HOME).text
    assert 'name="csrf" value=""' not in one
    assert one != other


def test_a_table_is_renamed(pages: HallPages, browser: HallBrowser) -> None:
    """A table can get a name with or without its number; a taken name is refused, and an old form changes only the
    number."""
    table = pages.add_table(1, "Window")
    pages.add_table(2, "Bar")
    for number, name in (("1", " By the  window "), ("3", "Attic")):
        assert browser.post("/organiser/number", table=table, number=number, name=name).status_code == 303
        found = pages.hall.state.tables[table]
        assert (found.number, found.name) == (int(number), " ".join(name.split()))
    before = pages.hall.state.number
    for name in ("bar", "", "x" * 99):
        assert browser.post("/organiser/number", table=table, number="4", name=name).status_code in (400, 409, 422)
    assert pages.hall.state.number == before
    browser.post("/organiser/number", table=table, number="5")
    assert (pages.hall.state.tables[table].number, pages.hall.state.tables[table].name) == (5, "Attic")
    assert "named Table 5 Attic" in browser.get("/organiser").text


def test_a_database_that_was_empty_is_said_on_the_page(tmp_path: Path) -> None:
    """The organiser reads that the database was empty before entering anybody; the board does not show it."""
    (tmp_path / "hall.sqlite").touch()
    pages = HallPages(tmp_path)
    browser = pages.browser()
    assert "was empty, although a hall was kept there before" in browser.get("/organiser").text
    assert "was empty" not in browser.get("/").text
    pages.close()
