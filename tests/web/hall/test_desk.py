"""Test a judge's desk: the line for everybody, the round's clock, typed results and phone reports."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.hall_link.messages import Placing
from companion.games import GAMES
from companion.hall import entries as e
from companion.hall.round_results import round_results
from tests.support.web.hall_pages import HallBrowser, HallPages
from tests.support.web.tournaments import begin, plain, seat, send
from web.hall import player_views
from web.hall.roles import JUDGE, VIEWER, open_access
from web.words import package, words

SHOWN = ("/", "/wall", "/table/table001", "/wall/seating", "/wall/standings", "/p/1")
PLACES = (Placing((0,), 2, 0), Placing((1,), 1, 0))


@pytest.fixture(autouse=True)
def never_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let phones see every state immediately."""
    monkeypatch.setattr(player_views, "SETTLE_S", 0.0)


@pytest.fixture
def judge(pages: HallPages) -> HallBrowser:
    """Return the browser of a named judge; Ann and Ben play at table 1, Cleo and Dora at table 2."""
    pages.add_table(1)
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    found = pages.browser()
    found.post("/judge/name", name="Jo")
    return found


@pytest.fixture
def guarded(tmp_path: Path, cheap_hashes: None) -> Iterator[HallPages]:
    """Yield a hall with passwords, in which a round is played."""
    access, _ = open_access(tmp_path / "kept")
    found = HallPages(tmp_path, access)
    begin(found, "Ann", "Ben")
    seat(found, (1, 2))
    yield found
    found.close()


def call(pages: HallPages, ends_s: int) -> int:
    """Call a round that began an hour before its end; return the end."""
    ends = int(time.time()) + ends_s
    pages.hall.record("organiser", e.RoundCalled(1, ends - 3600, 60))
    return ends


# --- the clock and the line -----------------------------------------------------------------------


def test_every_wall_and_phone_counts_down(pages: HallPages, judge: HallBrowser) -> None:
    """Clocks count down to the round's end by the hall's time, and show the end without JavaScript."""
    ends = call(pages, 1500)
    at = time.strftime("%H:%M", time.localtime(ends))
    for path in SHOWN:
        answer = judge.get(path)
        assert f'data-until="{ends}"' in answer.text and f"until {at}" in plain(answer), path
        assert "data-at=" in answer.text or "data-clock=" in answer.text, path


def test_at_the_end_every_wall_and_phone_says_time(pages: HallPages, judge: HallBrowser) -> None:
    """Walls and phones show the final sentence of the tournament's game, or the general one."""
    call(pages, -5)
    for path in SHOWN:
        assert "Time! Finish by the rules of the game, then report the result." in plain(judge.get(path)), path
    pages.hall.record("organiser", e.TournamentPlanned("Open", "express", 3, "swiss", (2,), 2))
    own = words("en", package(GAMES["express"]))("game.time_up")
    for path in SHOWN:
        assert own in plain(judge.get(path)), path


def test_before_the_round_walls_count_to_its_beginning(pages: HallPages, judge: HallBrowser) -> None:
    """Walls count down to the beginning of a round, and phones show their usual text."""
    call(pages, 3700)
    assert "Round 1 begins at" in plain(judge.get("/wall"))
    assert "Begins at" in plain(judge.get("/p/1")) and "begins at" not in plain(judge.get("/p/1"))


def test_a_round_is_called_with_its_length(pages: HallPages, judge: HallBrowser) -> None:
    """The next call proposes the same length, and a round with an empty length has no clock."""
    assert send(judge, "/tournament/call", round="1", minutes="0", length="45").status_code == 303
    current = pages.hall.state.round
    assert current is not None and current.ends - current.begins == 45 * 60
    assert 'name="length" value="45"' in judge.get("/tournament").text
    for wrong in ("601", "-1", "x"):
        assert send(judge, "/tournament/call", round="1", minutes="0", length=wrong).status_code == 422
    assert pages.hall.state.round == current
    send(judge, "/tournament/call", round="1", minutes="0", length="")
    assert pages.hall.state.round is not None and pages.hall.state.round.ends == 0


def test_a_judge_adds_minutes_for_all_or_one_table(pages: HallPages, judge: HallBrowser) -> None:
    """The table's row shows its extra time, and its players' phones count down to the later end."""
    ends = call(pages, 600)
    judge.post("/judge/minutes", round="1", minutes="5", table="")
    judge.post("/judge/minutes", round="1", minutes="10", table="1")
    for path, until in (("/wall", ends + 300), ("/p/1", ends + 900), ("/p/3", ends + 300)):
        assert f'data-until="{until}"' in judge.get(path).text
    assert "+10 min" in plain(judge.get("/wall"))
    before = pages.hall.state
    for wrong in ({"minutes": "0"}, {"minutes": "x"}, {"minutes": "5", "table": "9"}, {"minutes": "5", "round": "2"}):
        assert judge.send("/judge/minutes", {"round": "1"} | wrong).status_code == 422
    assert pages.hall.state is before


def test_a_line_is_on_all_walls_and_phones_until_it_is_removed(pages: HallPages, judge: HallBrowser) -> None:
    """The line is on all walls and phones, even of people who are not playing, until it is removed."""
    assert judge.post("/judge/announce", text="  Pizza   <b>at six</b>  ").status_code == 303
    for path in (*SHOWN, "/p/4"):
        assert "Pizza &lt;b&gt;at six&lt;/b&gt;" in judge.get(path).text, path
    assert judge.post("/judge/announce", text="x" * 121, quiet=True).status_code == 422
    assert pages.hall.state.announcement == "Pizza <b>at six</b>"
    judge.post("/judge/announce", text=" ")
    for path in SHOWN:
        assert "Pizza" not in judge.get(path).text, path


# --- results --------------------------------------------------------------------------------------


def test_a_judge_types_and_corrects_results(guarded: HallPages) -> None:
    """A result is recorded under the judge's name; a viewer and a judge without a name cannot type one."""
    form = {"player": ["1", "2"], "place": ["1", "2"], "score": ["", ""]}
    viewer, judge = guarded.signed_in(VIEWER), guarded.signed_in(JUDGE)
    before = guarded.hall.state
    assert send(viewer, "/tournament/round/1/table/1", **form).status_code == 403
    assert send(judge, "/tournament/round/1/table/1", **form).status_code == 422
    assert guarded.hall.state is before and "Save the result" not in viewer.get("/tournament/round/1/table/1").text
    judge.post("/judge/name", name="Jo")
    assert "Save the result" in judge.get("/tournament/round/1/table/1").text
    for first in ("1", "2"):
        places = {"place": [first, "3" if first == "3" else str(3 - int(first))]}
        assert send(judge, "/tournament/round/1/table/1", **form | places).status_code == 303
    found = round_results(guarded.hall.state, 1)[1]
    assert [placing.place for placing in found.placings] == [2, 1]
    assert "typed the result of table 1 in round 1: 1. Ben" in plain(judge.get("/tournament/round/1/table/1"))


@pytest.mark.parametrize("path", ["announce", "minutes", "said"])
def test_the_desk_is_for_judges(guarded: HallPages, path: str) -> None:
    """Only a judge can change anything or read the codes."""
    viewer, before = guarded.signed_in(VIEWER), guarded.hall.state
    fields = {"text": "x", "round": "1", "minutes": "5", "player": "1"}
    assert viewer.send(f"/judge/{path}", fields).status_code == 403
    assert viewer.get("/judge/sheet").location.startswith("/enter")
    assert guarded.hall.state is before


def test_a_judge_confirms_what_a_phone_says(pages: HallPages, judge: HallBrowser) -> None:
    """A judge can use a phone's report as the typed result, with or without the code, or set it aside."""
    pages.hall.record("phone", e.ResultSaid(1, 1, 1, True, (1, 2), PLACES))
    pages.hall.record("phone", e.ResultSaid(1, 2, 3, False, (3, 4), PLACES))
    shown = plain(judge.get("/judge"))
    assert "The phone of Ann says, with the code: 1. Ben, 2. Ann" in shown
    assert "Somebody says for Cleo, without the code: 1. Dora, 2. Cleo" in shown
    wish = {"player": "3", "coded": "0", "places": "[(1, 4), (2, 3)]"}
    assert judge.send("/judge/said", wish | {"right": "0"}).status_code == 303
    assert judge.send("/judge/said", wish | {"right": "1"}).status_code == 422  # the report is gone
    assert judge.send("/judge/said", {"player": "1", "coded": "1", "places": "[(1, 1), (2, 2)]"}).status_code == 422
    right = {"player": "1", "coded": "1", "places": "[(1, 2), (2, 1)]", "right": "1"}
    assert judge.send("/judge/said", right).status_code == 303
    assert round_results(pages.hall.state, 1)[1].status == "typed" and 2 not in round_results(pages.hall.state, 1)
    assert "No result waits for a judge." in plain(judge.get("/judge"))
    history = plain(judge.get("/tournament/round/1/table/2"))
    assert "set aside what the phone of Cleo had said" in history and "1. Dora, 2. Cleo" in history


def test_the_sheet_has_the_code_of_each_table(judge: HallBrowser) -> None:
    """The printed page lists each table's people with its code."""
    assert plain(judge.get("/judge/sheet")).count("……") == 4
