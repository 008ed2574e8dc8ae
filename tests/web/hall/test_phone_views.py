"""Test phone reports of results: with the table's code as a seat's word, without it as a request to a judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.hall import entries as e
from companion.hall.phones import table_code
from companion.hall.round_results import round_results
from companion.hall.sqlite import EntryStore, sqlite_url
from tests.support.web.hall_pages import HallBrowser, HallPages
from tests.support.web.tournaments import begin, plain, seat, send, typed
from web.hall import player_views
from web.security.rate_limits import Rate, Rates


@pytest.fixture(autouse=True)
def never_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let phones see every state immediately."""
    monkeypatch.setattr(player_views, "SETTLE_S", 0.0)


@pytest.fixture
def played(pages: HallPages) -> HallPages:
    """Return a round with Ann, Ben and Cleo at table 1, and Dora and Eve at table 2."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", "Eve")
    seat(pages, (1, 2, 3), (4, 5))
    return pages


def code_of(pages: HallPages, table: int = 1) -> str:
    """Return the code of a table in the latest round."""
    state = pages.hall.state
    assert state.round is not None
    return table_code(state, state.round, table)


def say(pages: HallPages, speaker: int, /, *places: object, code: str | None = None, **form: Any) -> TestResponse:
    """Report a result of table 1 for a player from a browser of its own, with the right code unless another is
    given."""
    fields = {"round": "1", "player": ["1", "2", "3"], "place": [str(each) for each in places]} | form
    return send(pages.browser(), f"/p/{speaker}/result", code=code_of(pages) if code is None else code, **fields)


def status(pages: HallPages) -> str:
    """Return the status of table 1's result."""
    found = round_results(pages.hall.state, 1).get(1)
    return "missing" if found is None else found.status


def test_two_phones_with_the_code_bring_the_result(played: HallPages, browser: HallBrowser) -> None:
    """The phone shows its report, and then the result once another phone agrees."""
    assert say(played, 1, 2, 1, 3).location == "/p/1"
    assert status(played) == "waiting" and "It counts once another seat" in plain(browser.get("/p/1"))
    assert say(played, 2, 2, 1, 3, code=code_of(played).lower()).location == "/p/2"
    assert status(played) == "confirmed" and "Your result is in: place 1" in plain(browser.get("/p/2"))


def test_the_same_again_is_written_once(played: HallPages) -> None:
    """Two taps on one phone count as one report of one seat."""
    for _ in range(3):
        assert say(played, 1, 2, 1, 3).status_code == 303
    said = [entry for entry in played.hall.entries() if isinstance(entry.body, e.ResultSaid)]
    assert len(said) == 1 and status(played) == "waiting"
    assert say(played, 1, 1, 2, 3).status_code == 303
    assert say(played, 2, 1, 2, 3).status_code == 303
    assert status(played) == "confirmed"


def test_without_the_code_it_is_a_wish(played: HallPages, browser: HallBrowser) -> None:
    """Without the code, any number of reports changes no result."""
    for player in (1, 2, 3):
        assert say(played, player, 1, 2, 3, code="").status_code == 303
    assert status(played) == "missing" and "A judge looks at it" in plain(browser.get("/p/3"))


def test_partners_share_a_place(played: HallPages) -> None:
    """Partners share a place by the same rules as in the organiser's form."""
    assert say(played, 1, 1, 2, 1, partners="1").status_code == 303
    placings = round_results(played.hall.state, 1)[1].placings
    assert [(each.seats, each.place) for each in placings] == [((0, 2), 1), ((1,), 2)]


@pytest.mark.parametrize(
    ("player", "places", "form", "sentence"),
    [
        (1, (1, 2, 3), {"code": "2222"}, "This is not the code of table 1 in this round. Nothing was changed."),
        (1, (1, 2, 3), {"code": "é😀\x00" * 99}, "This is not the code of table 1"),
        (1, (1, 1, 2), {}, "These places are impossible"),
        (1, (1, 2, 9), {}, "Every player needs a place from 1 to 3."),
        (1, (1, 2, "x"), {}, "That is no number: x"),
        (1, (1, 2), {}, "Every player needs a place"),
        (1, (1, 2, 3), {"round": "7"}, "Round 7 is over, or is not the one that is played."),
        (1, (1, 2, 3), {"round": ""}, "A number is missing."),
        (1, (1, 2, 3), {"player": ["1", "2", "4"]}, "These are not the players who are there."),
        (4, (1, 2, 3), {}, "This is not the code of table 2"),
        (4, (1, 2, 3), {"code": ""}, "These are not the players who are there."),
        (99, (1, 2, 3), {"code": ""}, "This player does not sit at a table in this round."),
    ],
)
def test_what_a_phone_cannot_say_changes_nothing(
    played: HallPages, player: int, places: tuple[object, ...], form: dict[str, Any], sentence: str
) -> None:
    """A wrong code, an unknown player, another round and impossible places are each refused with a sentence."""
    before = played.hall.state.number
    answer = say(played, player, *places, **form)
    assert answer.status_code == 422 and sentence in plain(answer)
    assert played.hall.state.number == before


def test_a_result_that_counts_is_not_changed_by_phones(played: HallPages) -> None:
    """Phones cannot change a result that counts, even if everybody at the table reports another one."""
    typed(played, 1, 1, 2, 3)
    before = played.hall.state.number
    answer = say(played, 1, 2, 1, 3)
    assert answer.status_code == 422 and "Table 1 has its result already. If it is wrong, ask a judge." in plain(answer)
    assert played.hall.state.number == before


def test_the_code_of_another_round_is_none(played: HallPages) -> None:
    """The code of another round, and a form opened in it, are refused even for the same people."""
    old = code_of(played)
    typed(played, 1, 1, 2, 3)
    typed(played, 2, 1, 2)
    seat(played, (1, 2, 3), (4, 5))
    assert code_of(played) != old
    assert "Round 1 is over" in plain(say(played, 1, 2, 1, 3, code=old))
    assert "not the code of table 1" in plain(say(played, 1, 2, 1, 3, code=old, round="2"))


def test_codes_are_tried_slowly_and_nobody_else_waits(played: HallPages) -> None:
    """After too many tries on one phone even the right code must wait, but other players' phones need not."""
    for _ in range(6):
        assert "not the code" in plain(say(played, 1, 1, 2, 3, code="2222"))
    answer = say(played, 1, 1, 2, 3)
    assert answer.status_code == 422 and "Too many tries" in plain(answer) and status(played) == "missing"
    assert say(played, 2, 1, 2, 3).status_code == 303


def test_one_phone_does_not_fill_the_record(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that reports for several players cannot fill the record."""
    monkeypatch.setattr(pages.context, "words", Rates(Rate(6, 0), Rate(2, 0)))
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    answers = [say(pages, player, 1, 2, 3, code="").status_code for player in (1, 2, 3)]
    assert answers == [303, 303, 422]


def test_an_old_hall_gets_codes_and_a_forgotten_one_others(tmp_path: Path) -> None:
    """A hall from an older version gets codes and records them once, and forgetting people replaces the codes."""
    store = EntryStore(sqlite_url(tmp_path / "hall.sqlite"))
    store.append(0, 1.0, "hall", [e.HallOpened("old", "The <i>club</i>")])
    store.close()
    secrets = []
    for _ in range(2):
        pages = HallPages(tmp_path)
        assert (pages.hall.state.hall, pages.hall.state.number) == ("old", 2)
        secrets.append(pages.hall.state.codes)
        pages.close()
    assert secrets[0] and secrets[0] == secrets[1]
    pages = HallPages(tmp_path)
    pages.hall.record("judge Jo", e.Announced("Ann Lee has lost her keys"))
    pages.hall.forget("organiser")
    assert pages.hall.state.codes not in ("", secrets[0]) and pages.hall.state.announcement == ""
    pages.close()


def test_a_player_without_a_table_is_asked_nothing(played: HallPages, browser: HallBrowser) -> None:
    """A player without a table, an unknown number, and a time before any round get no form."""
    assert "table 1" in plain(browser.get("/p/3/result"))
    played.hall.record("organiser", e.NoShow(1, 3))
    for player in (3, 99):
        assert browser.get(f"/p/{player}/result").location == f"/p/{player}"


def test_what_was_typed_stays_in_the_form(played: HallPages) -> None:
    """After a fault the form keeps everything except the faulty part."""
    text = say(played, 1, 2, 1, 3, code="2222").text
    assert 'name="place" inputmode="numeric" maxlength="2" value="2"' in text and 'value="2222"' in text


def test_no_page_of_players_or_viewers_shows_a_code(played: HallPages, browser: HallBrowser) -> None:
    """Only tables and judges can see codes."""
    table, code = played.add_table(1), code_of(played)
    for path in ("/p/1", "/p/1/result", "/p/1/now", "/", "/wall", f"/table/{table}", "/wall/seating", "/tournament",
                 "/tournament/print/seating", "/tournament/round/1/table/1"):  # fmt: skip
        assert code not in browser.get(path).text, path
    assert code in browser.get("/judge/sheet").text
