"""The tournament's pages: what the organiser does with them, and what is refused."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from companion.hall import entries as e
from companion.hall.messages import Placing
from companion.hall.state import HallState
from tests.support.web.hall_pages import HOSTILE, HallBrowser, HallPages
from tests.support.web.tournaments import begin, choices, enter, look, plain, reported, seat, send, typed
from web.forms import InvalidForm
from web.hall import tournament_facts
from web.hall.access import VIEWER, RoleAccess, StoredPasswords, hash_of
from web.names import read_name
from web.words import words

PLAN = {"name": "Open", "game": "", "rounds": "3", "method": "swiss", "sizes": ["3", "4"], "preferred": "4"}
PAGES = (
    "/tournament", "/tournament/plan", "/tournament/players", "/tournament/players/1", "/tournament/standings",
    "/tournament/round/1", "/tournament/round/1/table/1", "/tournament/print/seating", "/tournament/print/standings",
    "/wall/seating", "/wall/standings", "/p", "/p/1", "/p/1/now",
)  # fmt: skip


# --- the plan and the players ---------------------------------------------------------------------


def test_a_plan_is_typed(pages: HallPages, browser: HallBrowser) -> None:
    """The first page is the plan's form; with a plan the players are next."""
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
    """Nothing is written, and what was typed stays in the form."""
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
    """In a sentence, and nobody is entered."""
    begin(pages, "Ann")
    answer = send(browser, "/tournament/players", names="", list=(io.BytesIO(data), "players.csv"))
    assert answer.status_code == 422 and said in plain(answer)
    assert len(pages.hall.state.players) == 1


def test_players_come_typed_or_from_a_spreadsheet(pages: HallPages, browser: HallBrowser) -> None:
    """They are read and shown, and then entered."""
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
    """Other columns are other names: they are shown first. What nobody has offered changes nothing."""
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
    """Without a choice there is nothing to enter."""
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
    """They are corrected there, and what was corrected stays while others are looked at."""
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
    """Typed in a list, as a new name, and at a table: one rule."""
    begin(pages, "Ann")
    try:
        taken = bool(read_name(name))
    except InvalidForm:
        taken = False
    assert bool(choices(look(browser, names=name)).get("shown")) == taken
    assert (send(browser, "/tournament/players/1/name", name=name).status_code == 303) == taken


def test_neither_names_nor_a_list_or_both_is_asked_again(pages: HallPages, browser: HallBrowser) -> None:
    """The names stay in the field."""
    begin(pages, "Ann")
    assert "Type names or choose a list." in plain(send(browser, "/tournament/players", names=" "))
    both = send(browser, "/tournament/players", names="Ben", list=(io.BytesIO(b"Cleo"), "a.csv"))
    assert "not both" in plain(both) and ">Ben</textarea>" in both.text


def test_a_list_that_is_too_large_is_refused(pages: HallPages, browser: HallBrowser) -> None:
    """Before it is read."""
    begin(pages, "Ann")
    kind = "multipart/form-data; boundary=x"
    answer = browser.client.post("/tournament/players", data=b"x\n" * 1024 * 1024, content_type=kind)
    assert answer.status_code == 413 and len(pages.hall.state.players) == 1


def test_a_player_leaves_comes_back_and_is_renamed(pages: HallPages, browser: HallBrowser) -> None:
    """What is impossible is said, and changes nothing."""
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
    """By a part of the name, without its marks, or by the number."""
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
    """The form says which round it is about."""
    begin(pages, "Ann", "Ben")
    assert send(browser, "/tournament/seat", round="1").status_code == 303
    assert send(browser, "/tournament/seat", round="1").status_code == 422
    assert list(pages.hall.state.rounds) == [1]


def test_a_round_waits_for_the_results_of_the_one_before(pages: HallPages, browser: HallBrowser) -> None:
    """It says which tables are open, and offers only what is possible."""
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
    """The call of the seating that is thrown away goes with it."""
    begin(pages, "Ann", "Ben", "Cleo")
    send(browser, "/tournament/seat", round="1")
    send(browser, "/tournament/call", round="1", minutes="5")
    current = pages.hall.state.round
    assert current is not None and current.begins > 300
    assert "Begins at" in plain(browser.get("/tournament"))
    for minutes in ("-1", "241", "soon", ""):
        assert send(browser, "/tournament/call", round="1", minutes=minutes).status_code == 422
    send(browser, "/tournament/seat-again", round="1")
    current = pages.hall.state.round
    assert current is not None and (current.number, current.begins) == (1, 0)


def test_a_round_without_a_plan_leads_to_the_plan(pages: HallPages, browser: HallBrowser) -> None:
    """Old forms do no harm."""
    assert send(browser, "/tournament/call", round="1", minutes="5").status_code == 422
    assert send(browser, "/tournament/seat", round="1").status_code == 422
    assert browser.get("/tournament/round/1").status_code == 404
    assert browser.get("/tournament/seating.csv").status_code == 404


# --- a table --------------------------------------------------------------------------------------


def test_a_result_is_typed_and_corrected(pages: HallPages, browser: HallBrowser) -> None:
    """Both stay in what was written down."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    path = "/tournament/round/1/table/1"
    for places, scores in ((["1", "2", "2"], ["30", "−5", ""]), (["2", "1", "3"], ["", "", ""])):
        assert send(browser, path, player=["1", "2", "3"], place=places, score=scores).location == path
    current = pages.hall.state.round
    assert current is not None
    assert current.typed[1].placings == (Placing((0,), 2, 0), Placing((1,), 1, 0), Placing((2,), 3, 0))
    page = plain(browser.get(path))
    assert "the organiser typed 1. Ann (30), 2. Ben (-5), 2. Cleo (0)." in page
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
    """Nothing is written."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(3, 4))
    seat(pages, (1, 2, 3), byes=(4,))
    answer = send(browser, "/tournament/round/1/table/1", player=list(players), place=places, score=scores)
    assert answer.status_code == 422 and 'class="message bad"' in answer.text
    assert pages.hall.state.rounds[1].typed == {}


def test_partners_are_those_who_share_a_place(pages: HallPages, browser: HallBrowser) -> None:
    """They have one score."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3, 4))
    form = {"player": list("1234"), "place": ["2", "1", "2", "1"], "partners": "1"}
    wrong = send(browser, "/tournament/round/1/table/1", **form, score=["5", "9", "6", ""])
    assert "Partners share one score." in plain(wrong)
    send(browser, "/tournament/round/1/table/1", **form, score=["5", "9", "", ""])
    assert pages.hall.state.rounds[1].typed[1].placings == (Placing((1, 3), 1, 9), Placing((0, 2), 2, 5))


def test_somebody_who_does_not_come_is_left_out(pages: HallPages, browser: HallBrowser) -> None:
    """But not from a table whose result holds."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    assert send(browser, "/tournament/round/1/absent", player="3", table="1").status_code == 303
    assert pages.hall.state.rounds[1].absent == (3,)
    assert "the organiser wrote that Cleo did not come." in plain(browser.get("/tournament/round/1/table/1"))
    pages.hall.record("organiser", e.ResultTyped(1, 1, (1, 2), (Placing((0,), 1, 0), Placing((1,), 2, 0))))
    assert "Did not come" not in plain(browser.get("/tournament/round/1/table/1")).replace("Cleo Did not come", "")
    refused = send(browser, "/tournament/round/1/absent", player="2", table="1")
    assert refused.status_code == 422 and "has a result with this player" in plain(refused)


def test_results_of_tables_are_shown_with_what_was_said_of_them(pages: HallPages, browser: HallBrowser) -> None:
    """Waiting, then right by a judge's word."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    result = reported(pages, "Ben", "Ann", places=(1, 2), confirmed=(0,))
    assert "Waiting for a second seat" in plain(browser.get("/tournament"))
    pages.hall.record("judge Mira", e.ResultJudged(result, True))
    page = plain(browser.get("/tournament/round/1/table/1"))
    assert "Confirmed" in page and "judge Mira said that the result is right." in page
    assert "All results are in." in plain(browser.get("/tournament"))


def test_a_result_that_nobody_expected_is_typed_where_it_belongs(pages: HallPages, browser: HallBrowser) -> None:
    """The form of each possible table holds what is known of its people."""
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
    """If something was written down in the meantime, it asks again."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    page = browser.get("/tournament")
    assert "The seating of round 1, with its call." in plain(page)
    entry = re.search(r'name="entry" value="(\d+)"', page.text)
    assert entry is not None
    typed(pages, 1, 1, 2)
    stale = send(browser, "/tournament/undo", entry=entry[1])
    assert stale.status_code == 422 and pages.hall.state.rounds[1].typed
    assert "The typed result of table 1 in round 1." in plain(stale)
    again = re.search(r'name="entry" value="(\d+)"', stale.text)
    assert again is not None
    assert send(browser, "/tournament/undo", entry=again[1]).status_code == 303
    assert not pages.hall.state.rounds[1].typed
    assert "Taken back by the organiser" in plain(browser.get("/tournament/round/1/table/1"))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("kind", e.UNDOABLE)
def test_everything_that_can_be_taken_back_has_a_sentence(kind: Any, lang: str) -> None:
    """In every language."""
    fields = {each.name: {int: 1, str: "x:y:1"}.get(each.type, ("x",)) for each in msgspec.structs.fields(kind)}
    said = tournament_facts.undo_sentence(e.Entry(1, 0.0, "organiser", kind(**fields)), HallState(), words(lang))
    assert said and not said.startswith("tournament.")


# --- standings and what is taken away -------------------------------------------------------------


def test_standings_show_what_breaks_ties(pages: HallPages, browser: HallBrowser) -> None:
    """They count finished rounds, and every column is explained."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2), byes=(3,))
    assert "No round is finished yet." in plain(browser.get("/tournament/standings"))
    typed(pages, 1, 2, 1)
    page = plain(browser.get("/tournament/standings"))
    assert "Standings After round 1" in page
    assert "1 Ben 100 1 0 1 2 Cleo 100 0 0 0 1 3 Ann 0 0 100 1" in page
    assert "Opposition: the average points of everybody played against." in page


def table(answer: TestResponse) -> list[list[str]]:
    """Return the rows of a download."""
    assert answer.mimetype == "text/csv" and "attachment" in answer.headers["Content-Disposition"]
    return list(csv.reader(io.StringIO(answer.data.decode("utf-8-sig"))))


def test_downloads(pages: HallPages, browser: HallBrowser) -> None:
    """Standings, results and the seating, as spreadsheets read them."""
    begin(pages, "=Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3), byes=(4,))
    pages.hall.record("organiser", e.NoShow(1, 3))
    placings = (Placing((0,), 1, 9), Placing((1,), 2, 4))
    pages.hall.record("organiser", e.ResultTyped(1, 1, (1, 2), placings), e.PlayerLeft(3))
    assert table(browser.get("/tournament/standings.csv"))[1:] == [
        ["1", "1", "'=Ann", "100", "1", "0", "1", "0", "0", ""],
        ["2", "4", "Dora", "100", "0", "0", "0", "1", "0", ""],
        ["3", "2", "Ben", "0", "0", "100", "1", "0", "0", ""],
        ["4", "3", "Cleo", "0", "0", "0", "0", "0", "1", "1"],
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
    """A spreadsheet in French parts cells at semicolons, and decimals at commas."""
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
    """Letters with marks stand where people look for them, not behind Z."""
    begin(pages, "Zoé", "Øystein", "Łukasz", "Oscar", "Đoko", "Ludwig")
    seat(pages, (1, 2, 3), (4, 5, 6))
    names = [row[1] for row in table(browser.get("/tournament/seating.csv"))[1:]]
    assert names == ["Đoko", "Ludwig", "Łukasz", "Oscar", "Øystein", "Zoé"]


def test_the_seating_for_the_wall_is_by_name_and_by_table(pages: HallPages, browser: HallBrowser) -> None:
    """Accents do not change the order."""
    begin(pages, "Zoé", "Étienne", "Frank")
    seat(pages, (1, 3), byes=(2,))
    page = plain(browser.get("/tournament/print/seating"))
    assert "Étienne 2 bye Frank 3 1 /2 Zoé 1 1 /1" in page and "1 1. Zoé 2. Frank" in page


# --- who may --------------------------------------------------------------------------------------


def test_readers_read_and_phones_need_no_password(pages: HallPages, cheap_hashes: None) -> None:
    """Only the organiser changes anything; without a role there are phones alone."""
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
                 "round/1/table/1"):  # fmt: skip
        assert send(browser, f"/tournament/{path}").status_code == 403
    assert pages.hall.state is before


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_no_page_lacks_words_or_lets_a_name_be_markup(pages: HallPages, lang: str) -> None:
    """In both languages, with people whose names are hostile."""
    begin(pages, HOSTILE, "Ben", "{0}%s", sizes=(2, 3))
    seat(pages, (1, 2), byes=(3,))
    typed(pages, 1, 1, 2)
    browser = pages.browser(lang)
    for path in PAGES:
        answer = browser.get(path)
        assert answer.status_code == 200 and "<b>O" not in answer.text, path
        assert not re.search(r"\b(tournament|hall)\.[a-z_]+\.?[a-z_]*\b", plain(answer)), path
