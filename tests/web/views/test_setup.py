"""Test setting up one of several games: its seats, cards and options, and keeping the input."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.games import GAMES, is_example
from companion.i18n import LANGUAGES
from tests.support.web.game_of_trains import opened, rise
from tests.support.web.visitors import COLOURS, HOST_PIN, NAMES, SHAPES, Form, Room, said
from web.game_pages import OFFERED
from web.presenters.option_fields import fields_of
from web.security.pin_limits import Device
from web.words import package, words

TRAINS = "game-of-trains"
ALL = [name for name, game in GAMES.items() if not is_example(game)]


def options(html: str) -> set[str]:
    """Return the names of the options on the page."""
    return set(re.findall(r'id="o-(\w+)"', html))


def people(count: int) -> Form:
    """Return this number of players in the format of a form."""
    return {"name": list(NAMES[:count]), "colour": list(COLOURS[:count]), "shape": list(SHAPES[:count])}


def test_every_game_with_pages_is_offered() -> None:
    """All games except the examples are offered."""
    assert list(OFFERED) == ALL


@pytest.mark.parametrize("name", ALL)
def test_a_game_asks_for_its_own_alone(room: Room, name: str) -> None:
    """A game's lobby has its own seats, options and decks, and those of no other game."""
    html = room.anybody.read(room.lobby(name))
    game = OFFERED[name]
    assert html.count('class="lobby-seat free"') == game.seats[-1]
    assert options(html) == {field.name for fields in fields_of(game).values() for field in fields}


@pytest.mark.parametrize("name", ["", "no-such", "../etc"])
def test_a_game_that_there_is_not_has_no_lobby(room: Room, name: str) -> None:
    """An unknown game has no lobby, and a program cannot begin it."""
    assert room.anybody.submit("/lobby", {"game": name}).status_code == 422
    assert room.anybody.submit("/setup", room.form(2, game=name)).status_code == 422
    assert room.context.lobby.waiting is None and room.table.snapshot().match_id == ""


def test_nobody_is_left_out_in_silence(room: Room) -> None:
    """Five people at a game for four are refused, both at the start and in the lobby."""
    form = people(5) | {"game": "take-a-train", "pin": HOST_PIN}
    answer = room.anybody.submit("/setup", form | {"game": TRAINS}, "/setup")
    assert answer.status_code == 422
    assert said(answer) == words("en")("error.player_count", least=2, most=4, players=5)
    assert room.table.snapshot().match_id == ""
    page = room.lobby("take-a-train", NAMES[:5])
    room.anybody.submit("/lobby", {"game": TRAINS})
    assert words("en")("lobby.too_many", most=4) in room.anybody.read(page)
    assert room.anybody.submit(f"{page}start", {}, page).status_code == 422


@pytest.mark.parametrize("deck", ["dealt", "ours", "box"])
def test_what_was_chosen_is_played(room: Room, deck: str) -> None:
    """The game begins with the chosen seats, catalogue and options, and its pages show no empty frame."""
    form = people(4) | {"game": TRAINS, "deck": deck, "training": "yes", "edition": "fr", "pin": HOST_PIN}
    answer = room.anybody.submit("/setup", form, "/setup")
    assert answer.status_code == 303
    snapshot = room.table.snapshot()
    assert snapshot.setup is not None
    assert (snapshot.setup.game, len(snapshot.setup.seated()), snapshot.setup.deck) == (TRAINS, 4, deck)
    assert snapshot.setup.options == {"training": "yes"}
    page = room.anybody.get(answer.headers["Location"]).text
    frames = re.findall(r'data-region="(\w+)"', page)
    assert "seats" in frames and not {"display", "holdings", "goals"} & set(frames)


def test_the_running_game_is_named(room: Room) -> None:
    """The first page, the page for joining, the tablet and the list of games name the running game."""
    form = people(2) | {"game": TRAINS, "deck": "dealt", "pin": HOST_PIN}
    room.host = room.anybody.submit("/setup", form, "/setup").headers["Location"]
    found = re.search(r'<b class="pin">(\d+)', room.anybody.get(room.host).text)
    assert found is not None
    room.pin = found.group(1)
    title = words("en", package(GAMES[TRAINS]))("game.title")
    tablet = room.page("tablet")
    for where in ("/", f"/join?room={room.pin}", tablet, "/past/"):
        assert title in room.anybody.read(where), where
    assert "Take a Train" not in room.anybody.read("/past/")


def test_where_there_is_no_money_nobody_is_asked_to_count_it(room: Room) -> None:
    """In a game without money the host has no control for counting, and a request to count gets a sentence."""
    form = people(2) | {"game": TRAINS, "deck": "dealt", "pin": HOST_PIN}
    host = room.anybody.submit("/setup", form, "/setup").headers["Location"]
    assert words("en")("host.ask_cash") not in room.anybody.read(host)
    answer = room.anybody.tap(host, "ask", {"seat": "0"})
    assert (answer.status_code, said(answer)) == (409, words("en")("refusal.R-00.no_money"))
    assert room.context.seating.questions == {}


def test_a_finished_game_without_money_is_told_by_its_score(room: Room) -> None:
    """The list and the result name the game, and the chart counts wagons in order out of seven."""
    opened(room)
    rise(room)
    snapshot = room.table.snapshot()
    assert snapshot.over
    html = room.anybody.read(f"/past/{snapshot.match_id}/")
    say = words("en", package(GAMES[TRAINS]))
    assert say("game.title") in html and say("score.title").capitalize() in html
    assert "7 of 7" in html and "8 of 7" not in html and "$" not in html
    assert html.count('<polyline class="curve') == 3


def test_of_six_who_set_up_at_once_one_is_host(room: Room) -> None:
    """Of six people who send the form at the same time, the first becomes host and the others read the reason."""
    visitors = [room.visitor() for _ in range(6)]
    tokens = [visitor.token("/setup") for visitor in visitors]
    together = Barrier(6)
    real = room.table.start

    def start(*args: Any, **more: Any) -> str:
        together.wait()  # each of them has found the table free
        return real(*args, **more)

    room.table.start = start  # type: ignore[method-assign]

    def send(number: int) -> TestResponse:
        form = room.form(2 + number % 3) | {"csrf": tokens[number], "pin": f"100{number}"}
        return visitors[number].client.post("/setup", data=form)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    assert sorted(answer.status_code for answer in answers) == [303, 409, 409, 409, 409, 409]
    won = next(number for number, answer in enumerate(answers) if answer.status_code == 303)
    assert {said(each) for n, each in enumerate(answers) if n != won} == {words("en")("error.game_began")}
    assert [match.id for match in room.table.matches()] == ["1"]
    assert room.table.snapshot().match_id == "1"
    for number in range(6):
        assert room.context.access.enter_host("1", f"100{number}", Device(str(number))) == (number == won)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_form_that_names_a_decided_option_is_told_so(room: Room, lang: str) -> None:
    """A value of an option that a ruling has decided is refused with a sentence, unless it is the decided value."""
    room.anybody.headers["Accept-Language"] = lang
    answer = room.anybody.submit("/setup", room.form(stall="k_lots", count_gap_ms="0"), "/setup")
    fields = {"option": "stall", "ruled": "exhaustive", "ruling": "R-19", "said": "k_lots"}
    assert answer.status_code == 422
    assert said(answer) == words(lang, package(GAMES["take-a-train"]))("refusal.any.option_ruled", **fields)
    assert room.table.snapshot().match_id == ""
    assert room.set_up(stall="exhaustive", count_gap_ms="0")


@pytest.mark.parametrize(("lang", "link"), [("en", "Trains: Rules"), ("fr", "Trains\N{NO-BREAK SPACE}: Règles")])
def test_the_link_to_the_rules_is_written_as_its_language_writes(room: Room, lang: str, link: str) -> None:
    """In French a space precedes the colon, on the link and in the title of the linked page."""
    reader = room.visitor(lang)
    assert f">{link}</a>" in reader.read(room.lobby("trains"))
    assert f"<title>{link} " in reader.read("/rules/trains/")
