"""Test what players see of a tournament: their own place on a phone, and the walls."""

from __future__ import annotations

import re
import time

import pytest

from companion.hall import entries as e
from companion.hall.rounds import PlayerPlace
from companion.hall.state import HallState
from tests.support.web.hall_pages import HallBrowser, HallPages
from tests.support.web.tournaments import begin, plain, seat, typed
from web.hall import player_views

SOON, LONG_AGO = 4_000_000_000, 1
"""The start of a round, in seconds since 1970."""


@pytest.fixture(autouse=True)
def never_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let phones see every state immediately."""
    monkeypatch.setattr(player_views, "SETTLE_S", 0.0)


# --- players' phones ------------------------------------------------------------------------------


def phone(browser: HallBrowser, player: int) -> str:
    """Return the text of a player's phone."""
    return plain(browser.get(f"/p/{player}/now"))


def test_a_phone_says_where_to_go(pages: HallPages, browser: HallBrowser) -> None:
    """The phone's text fits the time: before the round, after the call, during play, and afterwards."""
    begin(pages, "Ann", "Ben", "Cleo", rounds=2)
    assert phone(browser, 1) == "1 Ann No round is seated yet. This page tells you when one is."
    seat(pages, (1, 2), byes=(3,))
    assert phone(browser, 2) == "2 Ben Round 1 Table 1 Seat 2 The round is not called yet With Ann Give the result"
    assert "You have a bye" in phone(browser, 3)
    pages.hall.record("organiser", e.RoundCalled(1, SOON))
    assert "Begins at" in phone(browser, 2) and f'data-begins="{SOON}"' in browser.get("/p/2/now").text
    assert "Give the result" not in phone(browser, 2)
    pages.hall.record("organiser", e.RoundCalled(1, LONG_AGO), e.PlayersEntered(("Late",)))
    assert "Play is on" in phone(browser, 2) and "from the next round on" in phone(browser, 4)
    typed(pages, 1, 2, 1)
    assert phone(browser, 2).startswith("2 Ben After round 1 Place 1 of 4")
    pages.hall.record("organiser", e.PlayerLeft(4))
    assert "You have left the tournament" in phone(browser, 4)


def test_a_phone_says_what_became_of_its_table(pages: HallPages, browser: HallBrowser) -> None:
    """The phone reports a result or a missing opponent, and sends an absent player to the organiser."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", "Eve", "Finn", rounds=1, sizes=(2,))
    seat(pages, (1, 2), (3, 4), (5, 6))
    typed(pages, 1, 2, 1)
    assert "Your result is in: place 2" in phone(browser, 1)
    pages.hall.record("organiser", e.NoShow(1, 3, alone=True))
    assert "go to the organiser" in phone(browser, 3)
    assert "Nobody else came: the table is won." in phone(browser, 4)
    typed(pages, 3, 1, 2)
    assert "The tournament is over Place 1 of 6" in phone(browser, 4)


def test_names_on_phones_and_walls_are_shown_as_chosen(pages: HallPages, browser: HallBrowser) -> None:
    """Phones and walls show names only in the chosen form: in full, as initials, or as numbers."""
    begin(pages, "Ann Lee", "Ben Moss")
    seat(pages, (1, 2))
    for how, own, other in (
        ("full", "Ann Lee", "Ben Moss"),
        ("initials", "A. L. (1)", "B. M. (2)"),
        ("numbers", "#1", "#2"),
    ):
        pages.hall.record("organiser", e.NamesShown(how))
        assert phone(browser, 1).startswith(f"1 {own} ") and phone(browser, 1).endswith(f"With {other} Give the result")
        wall = plain(browser.get("/wall/seating"))
        assert own in wall and other in wall
        assert (how == "full") == ("Moss" in wall + phone(browser, 1))


def test_phones_are_answered_from_what_was_rendered_once(pages: HallPages, browser: HallBrowser) -> None:
    """Most answers are 304 without a cookie, and a part is rendered only if its content changes."""
    begin(pages, "Ann", "Ben", "Cleo", "Dora", sizes=(2,))
    seat(pages, (1, 2), (3, 4))
    player_views.rendered.cache_clear()
    first = browser.get("/p/1/now")
    assert first.headers["Cache-Control"] == "private, max-age=5" and "Set-Cookie" not in first.headers
    known = {"If-None-Match": first.headers["ETag"]}
    for _ in range(3):
        assert browser.get("/p/1/now", headers=known).status_code == 304
    typed(pages, 2, 1, 2)  # another table's result does not change Ann's page
    again = browser.get("/p/1/now", headers=known)
    assert (again.status_code, again.data) == (304, b"")
    assert player_views.rendered.cache_info().misses == 1
    typed(pages, 1, 1, 2)
    assert browser.get("/p/1/now", headers=known).status_code == 200
    assert pages.browser("fr").get("/p/1/now").text != browser.get("/p/1/now").text


def test_where_everybody_is_may_lag_a_moment_but_not_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are not recomputed for each of many results, but are up to date a moment later."""
    now = [100.0]
    monkeypatch.setattr("web.hall.player_views.time.monotonic", lambda: now[0])
    monkeypatch.setattr(player_views, "SETTLE_S", 1.0)
    made: list[HallState] = []

    def everywhere(state: HallState) -> dict[int, PlayerPlace]:
        made.append(state)
        return {}

    monkeypatch.setattr(player_views, "everywhere", everywhere)
    index, states = player_views.PlaceIndex(), [HallState(number) for number in range(3)]
    for state in (states[0], states[0], states[1]):
        index.of(state)
    assert made == [states[0]]
    now[0] += 1.5
    index.of(states[2])
    assert made == [states[0], states[2]]


def test_a_number_finds_the_page(pages: HallPages, browser: HallBrowser) -> None:
    """An unused number is reported as unknown."""
    begin(pages, "Ann")
    assert browser.get("/p?number=%201").location == "/p/1"
    for number in ("7", "0", "x", "9" * 99, "²", "-1"):
        answer = browser.get("/p", query_string={"number": number})
        assert answer.status_code == 200 and "Nobody has the name or number" in plain(answer)
    assert browser.get("/p/7").status_code == 404 and browser.get("/p/7/now").status_code == 404


@pytest.mark.parametrize(
    ("said", "found"),
    [("luk", 1), ("WOJ", 1), ("luk woj", 1), ("wójcik ł", 1), ("bo", 3), ("o", 0), ("bob", 4), ("李", 5), ("mar", 0),
     ("obr", 2), ("kasz", 0), ("luc bob", 0)],
)  # fmt: skip
def test_three_letters_find_a_player(pages: HallPages, browser: HallBrowser, said: str, found: int) -> None:
    """Three letters find every part of a name that starts with them, ignoring accents; a shorter name must match
    fully."""
    begin(pages, "Łukasz Wójcik", "Mary-Ann O’Brien", "Bo Marx", "Bobby", "李小龙")
    answer = browser.get("/p", query_string={"number": said})
    assert (answer.location or "") == (f"/p/{found}" if found else "")


def test_those_who_are_called_alike_choose(pages: HallPages, browser: HallBrowser) -> None:
    """Players with the same name are listed by family name in the walls' form; if walls show numbers, names find
    nobody."""
    families = e.PlayersEntered(("Ann Zorn", "Ann Abel", "Ben"), families=("Zorn", "Abel", ""))
    begin(pages, *[f"Max {chr(97 + at) * 3}" for at in range(25)])
    pages.hall.record("organiser", families)
    answer = browser.get("/p?number=ann")
    assert re.findall(r'href="/p/(\d+)">([^<]+)', answer.text) == [("27", "Ann Abel"), ("26", "Ann Zorn")]
    assert "There are more" in plain(browser.get("/p?number=max"))
    pages.hall.record("organiser", e.NamesShown("initials"))
    assert "A. A. (27)" in plain(browser.get("/p?number=ann"))
    pages.hall.record("organiser", e.NamesShown("numbers"))
    assert browser.get("/p?number=ben").location is None and "/p/28" not in browser.get("/p?number=ben").text


# --- walls ----------------------------------------------------------------------------------------


def test_walls_are_sorted_by_family_name_where_it_is_known(pages: HallPages, browser: HallBrowser) -> None:
    """Names are sorted alphabetically by family name, and a name without a known one is sorted as a whole."""
    begin(pages, "Zoé Ærø", "Ann Łuk", "Ben Luz", "Olga", "Đina Abt")
    names = ("Zoé Ørn", "Ann Łun", "Đuro Abel", "Max Muster")
    pages.hall.record("organiser", e.PlayersEntered(names, families=("Ørn", "Łun", "Abel", "Muster")))
    pages.hall.record("organiser", e.PlayerRenamed(9, "Maxine Oz"))
    seat(pages, (1, 2, 3, 4, 5), (6, 7, 8, 9))
    ordered = ["Abel, Đuro", "Ann Łuk", "Ben Luz", "Đina Abt", "Łun, Ann", "Maxine Oz", "Olga", "Ørn, Zoé", "Zoé Ærø"]
    for path in ("/wall/seating", "/tournament/print/seating"):
        text = plain(browser.get(path))
        assert sorted(ordered, key=text.index) == ordered


def test_a_long_wall_turns_its_pages(pages: HallPages, browser: HallBrowser) -> None:
    """A long wall changes pages with and without JavaScript, and starts again after the last one."""
    names = [f"Player {number:03}" for number in range(1, 101)]
    begin(pages, *names, sizes=(4,))
    seat(pages, *[tuple(range(first, first + 4)) for first in range(1, 101, 4)])
    first, second = browser.get("/wall/seating"), browser.get("/wall/seating?page=2")
    assert 'data-again="/wall/seating?page=2"' in first.text
    assert '<meta http-equiv="refresh" content="12;url=/wall/seating?page=2">' in first.text
    assert 'data-again="/wall/seating?page=1"' in second.text
    shown = [name for answer in (first, second) for name in re.findall(r"Player \d{3}", answer.text)]
    assert shown == names
    assert "Player 073" in browser.get("/wall/seating?page=99").text
    pages.hall.record("judge Jo", e.Announced("Pizza"))
    assert len(re.findall(r"Player \d{3}", browser.get("/wall/seating").text)) == 64


def test_the_wall_shows_standings_of_finished_rounds(pages: HallPages, browser: HallBrowser) -> None:
    """The wall shows standings of finished rounds, and none before the first one."""
    begin(pages, "Ann", "Ben", rounds=1)
    seat(pages, (1, 2))
    assert "No round is finished yet." in plain(browser.get("/wall/standings"))
    typed(pages, 1, 2, 1)
    assert "Final standings 1 Ben 100 2 Ann 0" in plain(browser.get("/wall/standings"))


def test_the_final_standings_have_no_clock(pages: HallPages, browser: HallBrowser) -> None:
    """The final standings have the line for everybody, but not the clock of the last round."""
    begin(pages, "Ann", "Ben", rounds=1)
    seat(pages, (1, 2))
    pages.hall.record("organiser", e.RoundCalled(1, int(time.time()) - 60, 60))
    pages.hall.record("judge Jo", e.Announced("Pizza"))
    assert "round-clock" in browser.get("/wall/standings").text
    typed(pages, 1, 2, 1)
    final = browser.get("/wall/standings").text
    assert "round-clock" not in final and "Pizza" in final
