"""Test decisions about results: which match counts, who was present, and tables won without a game."""

from __future__ import annotations

import re

import pytest

from companion.hall import entries as e
from companion.hall.round_results import round_results
from tests.support.web.hall_pages import HallBrowser, HallPages
from tests.support.web.tournaments import begin, plain, reported, seat, send, typed
from web.hall.roles import JUDGE, RoleAccess, StoredPasswords, hash_of


def first_of(pages: HallPages, table: int = 1) -> str:
    """Return the winner of a table of round 1, or an empty text if no result counts."""
    found = round_results(pages.hall.state, 1).get(table)
    if found is None or not found.holds:
        return ""
    return next(pages.hall.state.players[found.players[p.seats[0]]].name for p in found.placings if p.place == 1)


def rematch(pages: HallPages) -> str:
    """Let a table play its round twice with different winners, and return the second result."""
    pages.add_table(1)
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    reported(pages, "Ann", "Ben", places=(1, 2))
    return reported(pages, "Ben", "Ann", places=(1, 2))


def test_a_judge_uses_another_match_or_drops_it(pages: HallPages, cheap_hashes: None) -> None:
    """The first match counts, as the standings say, until a judge decides otherwise, even without an organiser."""
    result = rematch(pages)
    typed(pages, 2, 1, 2)
    stored = StoredPasswords(b"salt", b"s" * 32, {JUDGE: hash_of("AAAA-AAAA", b"salt")})
    pages.context.access = RoleAccess(stored)
    judge = pages.signed_in(JUDGE)
    judge.client.set_cookie("hall_judge", "Mira")
    assert first_of(pages) == "Ann"
    said = "what came later does not count until a judge decides: Round 1, table 1."
    assert said in plain(judge.get("/tournament/standings"))
    page = judge.get("/tournament")
    assert "1. Ben, 2. Ann" in plain(page) and "Use it at table 1 instead of the result there" in plain(page)
    form = {"result": result, "round": "1", "table": "1"}
    assert send(judge, "/tournament/result/use", **form).status_code == 303
    assert first_of(pages) == "Ben"
    assert "Use it at table 1 instead" in plain(judge.get("/tournament"))  # now the first result can be used instead
    pages.hall.undo("organiser")
    assert first_of(pages) == "Ann"
    assert send(judge, "/tournament/result/drop", result=result).status_code == 303
    assert "nobody expected" not in plain(judge.get("/tournament"))
    assert first_of(pages) == "Ann" and said not in plain(judge.get("/tournament/standings"))


@pytest.mark.parametrize(("table", "status"), [("2", 422), ("9", 422), ("", 422)])
def test_a_result_is_used_only_where_its_people_were_to_play(
    pages: HallPages, browser: HallBrowser, table: str, status: int
) -> None:
    """A result cannot be used at another table, in another round, or if it does not exist."""
    result = rematch(pages)
    before = pages.hall.state
    assert send(browser, "/tournament/result/use", result=result, round="1", table=table).status_code == status
    assert send(browser, "/tournament/result/use", result="x:y:1", round="1", table="1").status_code == 422
    assert send(browser, "/tournament/result/use", result=result, round="7", table="1").status_code == 404
    assert pages.hall.state is before


def test_a_table_is_won_without_a_game_only_after_a_look(pages: HallPages, browser: HallBrowser) -> None:
    """The page first names the winner, or says that there is none, and only its button records that."""
    begin(pages, "Ann", "Ben", "Cleo", sizes=(2,))
    seat(pages, (1, 2), byes=(3,))
    for player, said in (("2", "Without Ben, Ann is alone at the table and wins it"), ("1", "nobody is left")):
        asked = browser.get(send(browser, "/tournament/round/1/absent", player=player, table="1").location)
        assert said in plain(asked) and int(player) not in pages.hall.state.rounds[1].absent
        form = dict(re.findall(r'name="(player|table|sure)" value="(\d+)"', asked.text))
        answer = send(browser, "/tournament/round/1/absent", **form)
        assert (answer.status_code, answer.location) == (303, "/tournament/round/1/table/1")
        assert int(player) in pages.hall.state.rounds[1].absent


def test_two_stale_pages_leave_nobody_alone_at_a_table(pages: HallPages, browser: HallBrowser) -> None:
    """If two organisers use outdated pages, the second one is asked before a player is left alone at a table."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2, 3))
    assert send(browser, "/tournament/round/1/absent", player="2", table="1").location.endswith("/table/1")
    assert "absent?" in send(browser, "/tournament/round/1/absent", player="3", table="1").location
    assert pages.hall.state.rounds[1].absent == (2,)


def test_a_no_show_who_was_there_after_all_is_in_the_result(pages: HallPages, browser: HallBrowser) -> None:
    """Removing a no-show affects only that player, asks if a result counts, and the new result includes everybody."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora")
    seat(pages, (1, 2, 3, 4))
    for player in ("3", "4"):
        send(browser, "/tournament/round/1/absent", player=player, table="1")
    pages.hall.record("organiser", e.PlayersEntered(("Late",)))
    path = "/tournament/round/1/table/1"
    send(browser, path, player=["1", "2"], place=["1", "2"], score=["", ""])
    page = browser.get(path)
    assert page.text.count("Was there after all</button>") == 2
    asked = browser.get(send(browser, "/tournament/round/1/came", player="3", table="1").location)
    assert "type the result again, with Cleo" in plain(asked) and first_of(pages) == "Ann"
    assert send(browser, "/tournament/round/1/came", player="3", table="1", sure="1").location == path
    assert pages.hall.state.rounds[1].absent == (4,) and first_of(pages) == ""
    send(browser, path, player=["1", "2", "3"], place=["2", "3", "1"], score=["", "", ""])
    assert first_of(pages) == "Cleo"
    again = send(browser, "/tournament/round/1/came", player="3", table="1", sure="1")
    assert again.status_code == 422 and "is not noted as absent" in plain(again)


def test_a_result_that_somebody_else_has_typed_is_not_replaced_unseen(pages: HallPages, browser: HallBrowser) -> None:
    """A form for a result that has changed since is refused and keeps its input."""
    begin(pages, "Ann", "Ben")
    seat(pages, (1, 2))
    path = "/tournament/round/1/table/1"
    shown = re.findall(r'name="shown" value="([^"]*)"', browser.get(path).text)
    typed(pages, 1, 1, 2)
    form = {"player": ["1", "2"], "place": ["2", "1"], "score": ["", "7"]}
    answer = send(browser, path, **form, shown=shown[0])
    assert (answer.status_code, "has changed since" in plain(answer)) == (422, True)
    assert first_of(pages) == "Ann" and 'name="score" inputmode="text" maxlength="16" value="7"' in answer.text
    assert (
        send(browser, path, **form, shown=re.findall(r'name="shown" value="([^"]*)"', answer.text)[0]).location == path
    )
    assert first_of(pages) == "Ben"


def test_a_seating_that_was_not_shown_is_not_called(pages: HallPages, browser: HallBrowser) -> None:
    """A call is refused if the round has been seated again since the page was loaded."""
    begin(pages, "Ann", "Ben", "Cleo")
    seat(pages, (1, 2), byes=(3,))
    entry = pages.hall.state.number
    pages.hall.record("organiser", e.RoundSeated(1, (e.SeatedTable(1, (1, 3)),), (2,)))
    answer = send(browser, "/tournament/call", round="1", entry=str(entry), minutes="5")
    assert (answer.status_code, "since this page was loaded" in plain(answer)) == (422, True)
    assert pages.hall.state.rounds[1].begins == 0
    assert send(browser, "/tournament/call", round="1", entry=str(entry + 1), minutes="5").status_code == 303
