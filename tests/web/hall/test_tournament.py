"""Test the tournament's pages: the organiser's actions, and refusals."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from companion.devices.hall_link.messages import Placing
from companion.hall import entries as e
from tests.support.web.hall_pages import HOSTILE, HallBrowser, HallPages
from tests.support.web.tournaments import begin, choices, enter, look, plain, reported, seat, send, typed
from web.forms import InvalidForm
from web.hall.roles import VIEWER, RoleAccess, StoredPasswords, hash_of
from web.names import read_name

PLAN = {"name": "Open", "game": "", "rounds": "3", "method": "swiss", "sizes": ["3", "4"], "preferred": "4"}
PAGES = (
    "/tournament", "/tournament/plan", "/tournament/players", "/tournament/players/1", "/tournament/standings",
    "/tournament/round/1", "/tournament/round/1/table/1", "/tournament/print/seating", "/tournament/print/standings",
    "/wall/seating", "/wall/standings", "/p", "/p/1", "/p/1/now",
)  # fmt: skip


# --- the plan and the players ---------------------------------------------------------------------


def test_a_plan_is_typed(pages: HallPages, browser: HallBrowser) -> None:
    """The first page contains the plan's form, and after it the players."""
    assert "Plan a tournament" in plain(browser.get("/tournament"))
    answer = send(browser, "/tournament/plan", **PLAN)
    assert (answer.status_code, answer.location) == (303, "/tournament/players")
    assert pages.hall.state.tournament == e.TournamentPlanned("Open", "", 3, "swiss", (3, 4), 4)


@pytest.mark.parametrize(
    ("field", "value"),
    [("name", " "), ("rounds", "0"), ("rounds", "1e3"), ("rounds", "9" * 5000), ("method", "knockout"), ("sizes", []),
     ("sizes", ["7", "4"]), ("preferred", "2"), ("preferred", "²")],
)  # fmt: skip
def test_an_impossible_plan_is_a_sentence(pages: HallPages, browser: HallBrowser, field: str, value: Any) -> None:
    """An impossible plan is refused with a sentence, and the form keeps its input."""
    answer = send(browser, "/tournament/plan", **PLAN | {field: value, "game": "game-of-trains"})
    assert answer.status_code == 422 and 'class="message bad"' in answer.text
    assert pages.hall.state.tournament is None
    assert '<option value="game-of-trains" selected>' in answer.text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x89PNG\x00\x01", "This is no list of names."),
        (b"name;club\n", "There are no names in the list."),
        (b'name,club\n"Dora,x\n', "a quotation mark is missing"),
    ],
)
def test_what_is_no_list_is_refused(pages: HallPages, browser: HallBrowser, data: bytes, said: str) -> None:
    """Anything but a list is refused with a sentence, and nobody is entered."""
    begin(pages, "Ann")
    answer = send(browser, "/tournament/players", names="", list=(io.BytesIO(data), "players.csv"))
    assert answer.status_code == 422 and said in plain(answer)
    assert len(pages.hall.state.players) == 1


def test_players_come_typed_or_from_a_spreadsheet(pages: HallPages, browser: HallBrowser) -> None:
    """Typed players and players of a spreadsheet are previewed and then entered."""
    begin(pages, "Ann")
    page = look(browser, names="Ben\n\n Cleo  Day \nann")
    assert "2 names The first are: Ben, Cleo Day." in plain(page) and "Line 4, entered already: ann" in plain(page)
    assert len(pages.hall.state.players) == 1
    answer = send(browser, "/tournament/players", **choices(page))
    assert answer.location == "/tournament/players?entered=2"
    assert "2 players are entered." in plain(browser.get(answer.location))
    assert {browser.get(f"/tournament/players?entered={said}").status_code for said in ("9x", "9" * 5000, "²")} == {200}
    enter(browser, names="", list=(io.BytesIO("club;Nom\nx;Zoé\n".encode("cp1252")), "a.csv"))
    assert [player.name for player in pages.hall.state.players.values()] == ["Ann", "Ben", "Cleo Day", "Zoé"]


def test_a_list_is_entered_as_it_was_shown(pages: HallPages, browser: HallBrowser) -> None:
    """Other columns give other names, which are previewed first, and choices that were not offered change nothing."""
    begin(pages, "Ann")
    form = choices(look(browser, names="Nom;Prénom;Surnom\nPetit;Zoé;Ace\nRoux;Luc;Bo"))
    assert (form["column"], form["family"]) == (["1"], ["0"])
    again = look(browser, **form | {"column": "2", "family": ""})
    assert "The first are: Ace, Bo." in plain(again) and "Look at the names once more" in plain(again)
    assert len(pages.hall.state.players) == 1
    assert look(browser, **form | {"column": "²", "line-x": "y", "keep": "-1", "shown": ""}).status_code == 200
    assert send(browser, "/tournament/players", **form | {"read": "no list"}).status_code == 422
    assert browser.get("/tournament/players/list?read=gone").location == "/tournament/players"
    assert send(browser, "/tournament/players", **form).status_code == 303
    found = [(player.name, player.family) for player in pages.hall.state.players.values()]
    assert found == [("Ann", ""), ("Zoé Petit", "Petit"), ("Luc Roux", "Roux")]


def test_the_encoding_is_chosen_by_its_names(pages: HallPages, browser: HallBrowser) -> None:
    """The page asks for the encoding by sample names, and enters nothing without a choice."""
    begin(pages, "Ann")
    page = look(browser, names="", list=(io.BytesIO("Jméno\nJiří Dvořák\nEva Malá\n".encode("cp1250")), "a.csv"))
    assert (
        "Jiří Dvořák" in page.text and "Jiøí Dvoøák" in page.text and "Choose the names that are right." in plain(page)
    )
    chosen = look(browser, **choices(page) | {"encoding": "cp1250"})
    assert "The first are: Jiří Dvořák, Eva Malá." in plain(chosen)
    send(browser, "/tournament/players", **choices(chosen) | {"encoding": "cp1250"})
    assert [player.name for player in pages.hall.state.players.values()] == ["Ann", "Jiří Dvořák", "Eva Malá"]


def test_one_page_names_all_faulty_lines(pages: HallPages, browser: HallBrowser) -> None:
    """All faulty lines can be corrected on one page, which keeps corrections while it checks others."""
    begin(pages, "Ann")
    page = look(browser, names=f"Dora\nDora\n{'D' * 41}\nAnn\nBob")
    assert "2 lines cannot be entered like this Line 2: Dora is in line 1 already." in plain(page)
    assert "Line 3: the name is longer than 40 letters." in plain(page)
    assert "shown" not in choices(page)
    second = look(browser, **choices(page) | {"line-2": "Dora B."})
    assert "2 names" not in plain(second) and choices(second)["line-2"] == ["Dora B."]
    third = look(browser, **choices(second) | {"line-3": ""})
    assert send(browser, "/tournament/players", **choices(third)).location == "/tournament/players?entered=3"
    assert [player.name for player in pages.hall.state.players.values()] == ["Ann", "Dora", "Dora B.", "Bob"]


@pytest.mark.parametrize(
    "name",
    ["x" * 40, "x" * 41, "நி" * 40, "👩🏽‍🚀" * 40, "علی‌رضا", "Ja\u202ene", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Zoë", "a" + "\u0301" * 30, "\u3164",
     "Anna 2"],
)  # fmt: skip
def test_a_hall_takes_the_names_that_a_table_takes(pages: HallPages, browser: HallBrowser, name: str) -> None:
    """Lists, new names and tables accept the same names."""
    begin(pages, "Ann")
    try:
        taken = bool(read_name(name))
    except InvalidForm:
        taken = False
    assert bool(choices(look(browser, names=name)).get("shown")) == taken
    assert (send(browser, "/tournament/players/1/name", name=name).status_code == 303) == taken


def test_neither_names_nor_a_list_or_both_is_asked_again(pages: HallPages, browser: HallBrowser) -> None:
    """If neither names nor a list is sent, or both, the page asks again and keeps the names."""
    begin(pages, "Ann")
    assert "Type names or choose a list." in plain(send(browser, "/tournament/players", names=" "))
    both = send(browser, "/tournament/players", names="Ben", list=(io.BytesIO(b"Cleo"), "a.csv"))
    assert "not both" in plain(both) and ">Ben</textarea>" in both.text


def test_a_list_that_is_too_large_is_refused(pages: HallPages, browser: HallBrowser) -> None:
    """A list that is too large is refused before it is read."""
    begin(pages, "Ann")
    kind = "multipart/form-data; boundary=x"
    answer = browser.client.post("/tournament/players", data=b"x\n" * 1024 * 1024, content_type=kind)
    assert answer.status_code == 413 and len(pages.hall.state.players) == 1


def test_a_player_leaves_comes_back_and_is_renamed(pages: HallPages, browser: HallBrowser) -> None:
    """A player can leave, return and be renamed, and impossible requests are refused with a sentence."""
    begin(pages, "Ann", "Ben")
    send(browser, "/tournament/players/2/left")
    assert not pages.hall.state.players[2].present
    assert "1 plays · 1 has left" in plain(browser.get("/tournament/players"))
    assert send(browser, "/tournament/players/2/left").status_code == 422
    send(browser, "/tournament/players/2/back")
    assert pages.hall.state.players[2].present
    assert send(browser, "/tournament/players/2/name", name="ANN").status_code == 422
    assert "looks like" in plain(send(browser, "/tournament/players/2/name", name="Аnn"))
    assert send(browser, "/tournament/players/2/name", name="x" * 41).status_code == 422
    send(browser, "/tournament/players/2/name", name=" Benno ")
    assert pages.hall.state.players[2].name == "Benno"
    assert send(browser, "/tournament/players/9/left").status_code == 404


def test_a_long_list_of_players_is_searched(pages: HallPages, browser: HallBrowser) -> None:
    """A part of a name, without accents, or a number finds a player in a long list."""
    begin(pages, "Zoé", *[f"Player {number}" for number in range(2, 300)], "Łukasz Wójcik")
    assert "100 more: look for a name or number." in plain(browser.get("/tournament/players"))
    assert re.findall(r'/players/(\d+)"', browser.get("/tournament/players?q=ZOE").text) == ["1"]
    assert re.findall(r'/players/(\d+)"', browser.get("/tournament/players?q=277").text) == ["277"]
    assert re.findall(r'/players/(\d+)"', browser.get("/tournament/players?q=lukasz+wo").text) == ["300"]


# --- the rounds -----------------------------------------------------------------------------------


def test_one_player_is_no_tournament(pages: HallPages, browser: HallBrowser) -> None:
    """A single player cannot be seated."""
    begin(pages, "Ann")
    answer = send(browser, "/tournament/seat", round="1")
    assert answer.status_code == 422 and "1 present are too few for a table" in plain(answer)
    assert not pages.hall.state.rounds


def test_a_second_press_seats_no_second_round(pages: HallPages, browser: HallBrowser) -> None:
    """The form names its round, so that a second press seats no further round."""
    begin(pages, "Ann", "Ben")
    assert send(browser, "/tournament/seat", round="1").status_code == 303
    assert send(browser, "/tournament/seat", round="1").status_code == 422
    assert list(pages.hall.state.rounds) == [1]


def test_a_round_waits_for_the_results_of_the_one_before(pages: HallPages, browser: HallBrowser) -> None:
    """The page lists the open tables and offers only possible actions."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    assert "Seat again" in plain(browser.get("/tournament"))
    typed(pages, 1, 1, 2)
    page = plain(browser.get("/tournament"))
    assert "Seat again" not in page and "Seat round 2" not in page and "1 of 2 results is missing." in page
    assert re.findall(r'class="cup-number" href="[^"]+/(\d)"', browser.get("/tournament?open=1").text) == ["2"]
    before = pages.hall.state.number
    for path in ("/tournament/seat", "/tournament/seat-again"):
        assert send(browser, path, round="2").status_code == 422
    assert pages.hall.state.number == before
    typed(pages, 2, 1, 2)
    send(browser, "/tournament/seat", round="2")
    assert list(pages.hall.state.rounds) == [1, 2]


def test_a_round_is_seated_again_and_called(pages: HallPages, browser: HallBrowser) -> None:
    """A seating that is discarded also loses its call."""
    begin(pages, "Ann", "Ben", "Cleo")
    send(browser, "/tournament/seat", round="1")
    send(browser, "/tournament/call", round="1", minutes="5")
    current = pages.hall.state.round
    assert current is not None and current.begins > 300
    assert "Begins at" in plain(browser.get("/tournament"))
    for minutes in ("-1", "241", "soon", ""):
        assert send(browser, "/tournament/call", round="1", minutes=minutes).status_code == 422
    asked = browser.get(send(browser, "/tournament/seat-again", round="1", entry=str(current.entry)).location)
    assert "people may be on their way" in plain(asked) and pages.hall.state.round == current
    assert 'name="sure" value="1"' in asked.text
    send(browser, "/tournament/seat-again", round="1", entry=str(current.entry), sure="1")
    current = pages.hall.state.round
    assert current is not None and (current.number, current.begins) == (1, 0)


def test_a_page_from_before_the_call_seats_nothing_again(pages: HallPages, browser: HallBrowser) -> None:
    """A page from before the call, or before an absence, cannot seat the round again."""
    begin(pages, "Ann", "Ben", "Cleo")
    send(browser, "/tournament/seat", round="1")
    for body in (e.RoundCalled(1, 5), e.NoShow(1, 2), e.PlayerCame(1, 2)):
        shown = re.search(
            r'name="entry" value="(\d+)"><button class="button">Seat again', browser.get("/tournament").text
        )
        assert shown is not None
        pages.hall.record("organiser", body)
        before = pages.hall.state
        stale = send(browser, "/tournament/seat-again", round="1", entry=shown[1], sure="1")
        assert (stale.status_code, "since this page was loaded" in plain(stale)) == (422, True)
        assert pages.hall.state is before
    assert send(browser, "/tournament/seat-again", round="1").status_code == 422
    assert send(browser, "/tournament/seat-again", round="1", entry="0").status_code == 422


def test_a_round_without_a_plan_leads_to_the_plan(pages: HallPages, browser: HallBrowser) -> None:
    """Without a plan, forms for a round are refused, and a round has no pages."""
    assert send(browser, "/tournament/call", round="1", minutes="5").status_code == 422
    assert send(browser, "/tournament/seat", round="1").status_code == 422
    assert browser.get("/tournament/round/1").status_code == 404
    assert browser.get("/tournament/seating.csv").status_code == 404


def test_nothing_is_left_to_do_after_the_last_round(pages: HallPages, browser: HallBrowser) -> None:
    """After the last round no empty panel is left where rounds are seated and called."""
    begin(pages, "Ann", "Ben", rounds=1)
    seat(pages, (1, 2))
    assert "cup-actions" in browser.get("/tournament").text
    typed(pages, 1, 2, 1)
    assert "cup-actions" not in browser.get("/tournament").text


# --- a table --------------------------------------------------------------------------------------


def test_a_result_is_typed_and_corrected(pages: HallPages, browser: HallBrowser) -> None:
    """The record keeps both the typed result and its correction."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    path = "/tournament/round/1/table/1"
    for places, scores in ((["1", "2", "2"], ["30", "−5", ""]), (["2", "1", "3"], ["", "", ""])):
        assert send(browser, path, player=["1", "2", "3"], place=places, score=scores).location == path
    current = pages.hall.state.round
    assert current is not None
    assert current.typed[1].placings == (Placing((0,), 2, 0), Placing((1,), 1, 0), Placing((2,), 3, 0))
    assert "cup-score" not in browser.get(path).text + browser.get("/tournament").text, "nobody gave a score"
    page = plain(browser.get(path))
    assert "Organiser typed the result of table 1 in round 1: 1. Ann (30), 2. Ben (-5), 2. Cleo (0)" in page
    assert page.index("1. Ben (0)") < page.index("1. Ann (30)")


@pytest.mark.parametrize(
    ("players", "places", "scores"),
    [
        ("123", ["1", "3", "3"], ["", "", ""]),
        ("123", ["1", "2", "4"], ["", "", ""]),
        ("123", ["0", "1", "2"], ["", "", ""]),
        ("123", ["1", "2", ""], ["", "", ""]),
        ("123", ["1", "2", "3"], ["", "", "many"]),
        ("123", ["1", "2", "3"], ["", "", "9" * 17]),
        ("123", ["1", "2"], ["", ""]),
        ("12", ["1", "2"], ["", ""]),
        ("124", ["1", "2", "3"], ["", "", ""]),
        ("", [], []),
    ],
)
def test_an_impossible_result_is_a_sentence(
    pages: HallPages, browser: HallBrowser, players: str, places: list[str], scores: list[str]
) -> None:
    """An impossible result is refused with a sentence and not recorded."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(3, 4))
    seat(pages, (1, 2, 3), byes=(4,))
    answer = send(browser, "/tournament/round/1/table/1", player=list(players), place=places, score=scores)
    assert answer.status_code == 422 and 'class="message bad"' in answer.text
    assert pages.hall.state.rounds[1].typed == {}


def test_partners_are_those_who_share_a_place(pages: HallPages, browser: HallBrowser) -> None:
    """Partners share one score, and different scores of partners are refused."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3, 4))
    form = {"player": list("1234"), "place": ["2", "1", "2", "1"], "partners": "1"}
    wrong = send(browser, "/tournament/round/1/table/1", **form, score=["5", "9", "6", ""])
    assert "Partners share one score." in plain(wrong)
    send(browser, "/tournament/round/1/table/1", **form, score=["5", "9", "", ""])
    assert pages.hall.state.rounds[1].typed[1].placings == (Placing((1, 3), 1, 9), Placing((0, 2), 2, 5))


def test_somebody_who_does_not_come_is_left_out(pages: HallPages, browser: HallBrowser) -> None:
    """A player who does not come is left out, unless the table has a valid result."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    assert send(browser, "/tournament/round/1/absent", player="3", table="1").status_code == 303
    assert pages.hall.state.rounds[1].absent == (3,)
    assert "Organiser noted that Cleo did not come to round 1" in plain(browser.get("/tournament/round/1/table/1"))
    pages.hall.record("organiser", e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 0), Placing((1,), 2, 0))))
    assert "Mark as absent" not in plain(browser.get("/tournament/round/1/table/1"))
    refused = send(browser, "/tournament/round/1/absent", player="2", table="1")
    assert refused.status_code == 422 and "has a result with this player" in plain(refused)


def test_results_of_tables_are_shown_with_what_was_said_of_them(pages: HallPages, browser: HallBrowser) -> None:
    """A result waits until a second seat or a judge confirms it, and the table's page shows the decision."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    result = reported(pages, "Ben", "Ann", places=(1, 2), confirmed=(0,))
    assert "Waiting for a second seat" in plain(browser.get("/tournament"))
    pages.hall.record("judge Mira", e.ResultJudged(result, True))
    page = plain(browser.get("/tournament/round/1/table/1"))
    assert "Confirmed" in page and "Judge Mira judged a result" in page
    assert "All results are in." in plain(browser.get("/tournament"))


def test_a_result_that_nobody_expected_is_typed_where_it_belongs(pages: HallPages, browser: HallBrowser) -> None:
    """The form of each possible table contains the known values of its people."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    result = reported(pages, "Ann", "Dora", places=(2, 1))
    page = browser.get("/tournament")
    assert "1. Dora, 2. Ann · Game of Trains, round 1" in plain(page)
    assert f'href="/tournament/round/1/table/2?from={result}"' in page.text
    form = browser.get(f"/tournament/round/1/table/2?from={result}")
    assert re.findall(r'name="place"[^>]* value="(\d*)"', form.text) == ["", "1"]
    typed(pages, 1, 2, 1)
    assert "nobody expected" in plain(browser.get("/tournament"))


# --- taking back ----------------------------------------------------------------------------------


def test_undo_says_what_it_takes_back_and_takes_back_nothing_else(pages: HallPages, browser: HallBrowser) -> None:
    """The page first shows the consequences of undoing an entry, even of an older one, and the second press undoes
    it."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    page = browser.get("/tournament")
    assert "The last entry seated round 1" in plain(page)
    entry = re.search(r'name="entry" value="(\d+)"', page.text)
    assert entry is not None
    typed(pages, 1, 1, 2)
    typed_at = str(pages.hall.state.number)
    first = send(browser, "/tournament/undo", entry=entry[1])
    assert "Impossible without it: typed the result" in plain(browser.get(first.location))
    asked = browser.get(f"/tournament/undo?entry={typed_at}")
    assert "Organiser typed the result of table 1 in round 1: 1. Ann" in plain(asked)
    assert "Round 1, table 1, after that: No result yet" in plain(asked) and pages.hall.state.rounds[1].typed
    shown = re.search(r'name="shown" value="(\d+)"', asked.text)
    assert shown is not None
    done = send(browser, "/tournament/undo", entry=typed_at, shown=shown[1])
    assert (done.status_code, done.location) == (303, "/tournament")
    assert not pages.hall.state.rounds[1].typed
    assert '<li class="undone">' in browser.get("/tournament/round/1/table/1").text


# --- standings and downloads ----------------------------------------------------------------------


def test_standings_show_what_breaks_ties(pages: HallPages, browser: HallBrowser) -> None:
    """The standings count finished rounds, and explain every column."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2), byes=(3,))
    assert "No round is finished yet." in plain(browser.get("/tournament/standings"))
    typed(pages, 1, 2, 1)
    page = plain(browser.get("/tournament/standings"))
    assert "Standings After round 1" in page
    assert "1 Ben tied 100 1 50 1 1 Cleo tied 100 1 50 0 1 3 Ann 0 0 50 1" in page
    assert "Opposition: what everybody played against got at their other tables" in page


@pytest.mark.parametrize(("lang", "tied", "met"), [("en", "tied", "opp. 50"), ("fr", "à égalité", "adv. 50")])
def test_equal_points_show_the_reason_of_each_place(pages: HallPages, lang: str, tied: str, met: str) -> None:
    """The reasons for the order of equal points are on the page, on paper and on the wall, in the reader's language."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", "Emil", sizes=(2,))
    reader = pages.browser(lang)
    assert "cup-why" not in reader.get("/tournament/standings").text
    seat(pages, (1, 2), (3, 4), byes=(5,))
    typed(pages, 1, 1, 2)
    typed(pages, 2, 1, 1)
    seat(pages, (1, 3), (4, 5), byes=(2,))
    typed(pages, 1, 2, 1)
    typed(pages, 2, 1, 2)
    reasons = {"Cleo": tied, "Dora": tied, "Ann": f"{met}, {tied}", "Emil": f"{met}, {tied}", "Ben": met[:-2] + "0"}
    for path in ("/tournament/standings", "/tournament/print/standings", "/wall/standings"):
        page = plain(reader.get(path))
        assert [name for name, reason in reasons.items() if f"{name} {reason} 1" not in page] == [], path


def table(answer: TestResponse) -> list[list[str]]:
    """Return the rows of a download."""
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_downloads(pages: HallPages, browser: HallBrowser) -> None:
    """Standings, results and the seating can be downloaded as spreadsheets."""
    begin(pages, "=Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3), byes=(4,))
    pages.hall.record("organiser", e.NoShow(1, 3))
    placings = (Placing((0,), 1, 9), Placing((1,), 2, 4))
    pages.hall.record("organiser", e.ResultTyped(1, 1, (1, 2), placings), e.PlayerLeft(3))
    assert table(browser.get("/tournament/standings.csv"))[1:] == [
        ["1", "1", "'=Ann", "100", "1", "50", "1", "0", "0", ""],
        ["1", "4", "Dora", "100", "1", "50", "0", "1", "0", ""],
        ["3", "2", "Ben", "0", "0", "50", "1", "0", "0", ""],
        ["3", "3", "Cleo", "0", "0", "50", "0", "0", "1", "1"],
    ]
    assert table(browser.get("/tournament/results.csv"))[1:] == [
        ["1", "1", "1", "1", "'=Ann", "1", "9", "Typed"],
        ["1", "1", "2", "2", "Ben", "2", "4", "Typed"],
        ["1", "1", "", "3", "Cleo", "", "", "Did not come"],
        ["1", "", "", "4", "Dora", "", "", "Bye"],
    ]
    assert table(browser.get("/tournament/seating.csv")) == [
        ["Round", "Name", "Number", "Table", "Seat"],
        ["1", "'=Ann", "1", "1", "1"],
        ["1", "Ben", "2", "1", "2"],
        ["1", "Dora", "4", "Bye", ""],
    ]


def test_downloads_in_french(pages: HallPages) -> None:
    """A French spreadsheet separates cells by semicolons, and decimals by commas."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3, 4))
    placings = tuple([Placing((at,), place, 0) for at, place in enumerate((1, 2, 3, 4))])
    pages.hall.record("organiser", e.ResultTyped(1, 1, (1, 2, 3, 4), placings))
    browser = pages.browser(lang="fr")
    text = browser.get("/tournament/standings.csv").data.decode("utf-8-sig")
    assert text.splitlines()[0].startswith("Rang;Numéro;Nom;") and "2;2;Ben;66,67;" in text
    assert browser.get("/tournament/seating.csv").data.decode("utf-8-sig").count(";") == 5 * 4
    assert ";" in browser.get("/organiser/results.csv").data.decode("utf-8-sig")


def test_the_seating_by_name_is_in_the_order_of_the_alphabet(pages: HallPages, browser: HallBrowser) -> None:
    """Accented letters are sorted with the plain ones, not after Z."""
    begin(pages, "Zoé", "Øystein", "Łukasz", "Oscar", "Đoko", "Ludwig")
    seat(pages, (1, 2, 3), (4, 5, 6))
    names = [row[1] for row in table(browser.get("/tournament/seating.csv"))[1:]]
    assert names == ["Đoko", "Ludwig", "Łukasz", "Oscar", "Øystein", "Zoé"]


def test_the_seating_for_the_wall_is_by_name_and_by_table(pages: HallPages, browser: HallBrowser) -> None:
    """The seating is listed by name, where accents do not change the order, and by table."""
    begin(pages, "Zoé", "Étienne", "Frank")
    seat(pages, (1, 3), byes=(2,))
    page = plain(browser.get("/tournament/print/seating"))
    assert "Étienne 2 bye Frank 3 1 /2 Zoé 1 1 /1" in page and "1 1. Zoé 2. Frank" in page


# --- permissions ----------------------------------------------------------------------------------


def test_readers_read_and_phones_need_no_password(pages: HallPages, cheap_hashes: None) -> None:
    """Only the organiser can change anything, and without a role only phones' pages open."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    stored = StoredPasswords(b"salt", b"s" * 32, {VIEWER: hash_of("AAAA-AAAA", b"salt")})
    access = pages.context.access = RoleAccess(stored)
    browser = pages.browser()
    walls = [path for path in PAGES if path.startswith("/p")]
    assert {browser.get(path).status_code for path in walls} == {200}
    assert {browser.get(path).status_code for path in PAGES if path not in walls} == {303}
    browser.client.set_cookie("hall", access.session(VIEWER))
    assert {browser.get(path).status_code for path in PAGES if path != "/tournament/players/1"} == {200}
    assert "Take back" not in plain(browser.get("/tournament"))
    before = pages.hall.state
    for path in ("plan", "players", "players/1/left", "seat", "seat-again", "call", "undo", "round/1/absent",
                 "round/1/table/1", "hand/swap", "hand/again", "apart", "close"):  # fmt: skip
        assert send(browser, f"/tournament/{path}").status_code == 403
    assert {browser.get(f"/tournament/{path}").status_code for path in ("hand", "close")} == {303}
    assert pages.hall.state is before


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_page_lacks_words_or_lets_a_name_be_markup(pages: HallPages, lang: str) -> None:
    """Pages work in both languages, and escape hostile names."""
    begin(pages, HOSTILE, "Ben", "{0}%s", sizes=(2, 3))
    seat(pages, (1, 2), byes=(3,))
    tournament = pages.hall.state.tournament
    assert tournament is not None
    pages.hall.record("organiser", msgspec.structs.replace(tournament, apart=((1, 2),), points=(3, 1), final=2))
    browser = pages.browser(lang)
    opened = [browser.get("/tournament/hand")]
    typed(pages, 1, 1, 2)
    opened += [browser.get(path) for path in (*PAGES, "/tournament/close")]
    pages.hall.record("organiser", e.TournamentClosed())
    opened += [browser.get(f"/tournament/{path}") for path in ("plan", "earlier/1", "earlier/1/round/1")]
    for answer in opened:
        path = answer.request.path
        assert answer.status_code == 200 and "<b>O'" not in answer.text, path
        assert not re.search(r"\b(tournament|hall)\.[a-z_]+\.?[a-z_]*\b", plain(answer)), path


# --- manual seating -------------------------------------------------------------------------------


def shown(browser: HallBrowser) -> str:
    """Return the fingerprint of the seating shown on the manual page."""
    found = re.search(r'name="shown" value="(\w+)"', browser.get("/tournament/hand").text)
    assert found is not None
    return found[1]


def hand(browser: HallBrowser, what: str, mark: str = "", **form: Any) -> TestResponse:
    """Change the seating by hand, with the page's own fingerprint unless another is given."""
    return send(browser, f"/tournament/hand/{what}", shown=mark or shown(browser), **form)


def seated(pages: HallPages) -> list[tuple[int, ...]]:
    """Return the players of the latest round's tables, then its byes."""
    current = pages.hall.state.round
    assert current is not None
    return [*[table.players for table in current.tables], current.byes]


def test_two_change_places_by_hand(pages: HallPages, browser: HallBrowser) -> None:
    """Two ticked players change places, also with a bye; another number is refused and keeps the ticks."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", "Emil", sizes=(2,))
    seat(pages, (1, 2), (3, 4), byes=(5,))
    assert 'href="/tournament/hand"' in browser.get("/tournament").text
    assert hand(browser, "swap", player=["2", "3"]).location == "/tournament/hand"
    assert seated(pages) == [(1, 3), (2, 4), (5,)]
    hand(browser, "swap", player=["1", "5"])
    assert seated(pages) == [(5, 3), (2, 4), (1,)]
    before = pages.hall.state.number
    for ticked in (["1"], ["1", "2", "3"], ["1", "99"], ["1", "x"]):
        answer = hand(browser, "swap", player=ticked)
        assert answer.status_code == 422 and pages.hall.state.number == before
        assert 'value="1" checked' in answer.text


def test_a_called_round_asks_and_stays_called(pages: HallPages, browser: HallBrowser) -> None:
    """A change in a called round needs one more tick, because people are on their way, and absent players stay
    absent."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", "Emil", sizes=(2,))
    seat(pages, (1, 2), (3, 4), byes=(5,))
    pages.hall.record("organiser", e.RoundCalled(1, 900), e.NoShow(1, 4, True), e.NoShow(1, 1, True))
    refused = hand(browser, "swap", player=["2", "3"])
    assert refused.status_code == 422 and "is called already" in plain(refused)
    assert hand(browser, "swap", player=["1", "5"], sure="1").status_code == 303
    current = pages.hall.state.round
    assert current is not None
    assert (seated(pages), current.begins, current.absent) == ([(5, 2), (3, 4), (1,)], 900, (4,))


def test_a_page_of_before_changes_nothing(pages: HallPages, browser: HallBrowser) -> None:
    """After another change, a call or a result, a page that was loaded before changes nothing."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    mark = shown(browser)
    hand(browser, "swap", player=["2", "3"])
    stale = hand(browser, "swap", mark, player=["2", "3"])
    assert stale.status_code == 422 and "another one by now" in plain(stale)
    mark = shown(browser)
    pages.hall.record("organiser", e.RoundCalled(1, 900))
    assert hand(browser, "again", mark, sure="1").status_code == 422
    mark = shown(browser)
    typed(pages, 1, 1, 2)
    assert hand(browser, "swap", mark, player=["2", "3"], sure="1").status_code == 422
    assert seated(pages) == [(1, 3), (2, 4), ()]
    assert browser.get("/tournament/hand").location == "/tournament"


def test_ticked_tables_stay_while_the_others_are_seated_again(pages: HallPages, browser: HallBrowser) -> None:
    """Ticked tables stay while the others are seated again, and a player who has left does not prevent a swap."""
    begin(pages, *[f"Player {number}" for number in range(1, 13)], sizes=(4,))
    seat(pages, (1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
    found = set()
    for _ in range(6):
        assert hand(browser, "again", held=["2"]).status_code == 303
        found.add(tuple(seated(pages)))
        assert seated(pages)[1] == (5, 6, 7, 8)
    assert len(found) > 1
    pages.hall.record("organiser", e.PlayerLeft(5))
    assert hand(browser, "swap", player=["5", "1"]).status_code == 303
    assert 1 in seated(pages)[1]


def test_a_couple_is_kept_apart_from_the_plan(pages: HallPages, browser: HallBrowser) -> None:
    """A couple can be entered by name or number; the plan keeps it, and a manual seating that breaks it is reported."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    for one, other in (("ann", "2"), ("Ben", " Ann ")):
        assert send(browser, "/tournament/apart", one=one, other=other).status_code == 303
    for one, other in (("Ann", "ANN"), ("Ann", "Zoe"), ("Ann", "")):
        assert send(browser, "/tournament/apart", one=one, other=other).status_code == 422
    send(browser, "/tournament/plan", **PLAN)
    tournament = pages.hall.state.tournament
    assert (
        tournament is not None
        and tournament.apart == ((1, 2),)
        and "Ann and Ben" in plain(browser.get("/tournament/plan"))
    )
    seat(pages, (1, 2), (3, 4))
    for path in ("/tournament", "/tournament/hand"):
        assert "Ann and Ben are to be kept apart and sit together at table 1." in plain(browser.get(path))
    send(browser, "/tournament/apart", end="1-2")
    tournament = pages.hall.state.tournament
    assert tournament is not None and tournament.apart == ()


def test_a_plan_is_saved_where_one_of_a_couple_is_no_player_any_more(pages: HallPages, browser: HallBrowser) -> None:
    """A plan can be saved even if the entry of one of a couple has been undone."""
    begin(pages, "Ann", "Ben")
    pages.hall.record("organiser", e.PlayersEntered(("Cleo",)))
    entered = pages.hall.state.number
    send(browser, "/tournament/apart", one="Ann", other="Cleo")
    pages.hall._record.write("organiser", lambda: (e.Undone(entered),))
    assert list(pages.hall.state.players) == [1, 2]
    assert send(browser, "/tournament/plan", **PLAN | {"sizes": ["2"], "preferred": "2"}).status_code == 303
    send(browser, "/tournament/seat", round="1")
    assert pages.hall.state.rounds and browser.get("/tournament/plan").status_code == 200


@pytest.mark.parametrize(
    ("typed_points", "points"), [("5-3-2-1", (5, 3, 2, 1)), ("10, 6 , 3", (10, 6, 3)), ("", ()), ("3/1", (3, 1))]
)
def test_points_by_place_and_a_final_are_planned(
    pages: HallPages, browser: HallBrowser, typed_points: str, points: tuple[int, ...]
) -> None:
    """A plan can have points by place and a final, the standings show the points, and an invalid plan keeps its
    input."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", rounds=1)
    send(browser, "/tournament/plan", **PLAN, points=typed_points, final="4")
    tournament = pages.hall.state.tournament
    assert tournament is not None and (tournament.points, tournament.final) == (points, 4)
    assert "-".join(map(str, points)) in plain(browser.get("/tournament/standings"))
    for wrong in ({"points": "1-2"}, {"points": "five"}, {"final": "9"}, {"final": "x"}):
        answer = send(browser, "/tournament/plan", **PLAN | wrong)
        assert answer.status_code == 422 and pages.hall.state.tournament == tournament
        assert f'value="{next(iter(wrong.values()))}"' in answer.text and 'name="rounds" value="3"' in answer.text


# --- one tournament after another -----------------------------------------------------------------


def test_one_tournament_follows_another(pages: HallPages, browser: HallBrowser) -> None:
    """The page first lists what is missing; the earlier tournament can be read, saved, and deleted with its people."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2), byes=(3,))
    assert "Results are missing, from the tables 1" in plain(browser.get("/tournament/close"))
    assert send(browser, "/tournament/close").status_code == 422 and pages.hall.state.rounds
    typed(pages, 1, 2, 1)
    pages.hall.record("organiser", e.PlayerLeft(3))
    assert send(browser, "/tournament/close", sure="1", also="1").location == "/tournament/plan"
    state = pages.hall.state
    assert [player.name for player in state.players.values()] == ["Ann", "Ben"] and not state.rounds
    viewer = pages.browser("en")
    assert '/tournament/earlier/1">Open' in viewer.get("/tournament").text
    assert "Open Final standings" in plain(viewer.get("/tournament/earlier/1"))
    assert "1 Ben tied 100 1 50" in plain(viewer.get("/tournament/earlier/1"))
    page = viewer.get("/tournament/earlier/1/round/1")
    assert "2 Ann 20" in plain(page) and "Byes Cleo" in plain(page) and "/table/" not in page.text
    assert table(viewer.get("/tournament/earlier/1/standings.csv"))[1][2] == "Ben"
    assert len(table(viewer.get("/tournament/earlier/1/results.csv"))) == 4
    for path in ("2", "0", "1/round/2", "2/results.csv", "1/seating.csv"):
        assert viewer.get(f"/tournament/earlier/{path}").status_code == 404
    assert send(browser, "/tournament/undo", entry="4").status_code == 422
    pages.hall.forget("organiser")
    assert pages.hall.state.past == () and viewer.get("/tournament/earlier/1").status_code == 404
