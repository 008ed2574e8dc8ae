"""Test forms sent by another site's page, or by no page at all."""

from __future__ import annotations

import time

import pytest

from tests.support.web.visitors import Form, Room, said
from web.words import words

MOVE: Form = {"event": "starter_named", "seat": "1"}


def test_without_a_form_token_nothing_is_done(game: Room) -> None:
    """A form without its page's token is refused."""
    for form in (MOVE, MOVE | {"csrf": "x"}, MOVE | {"csrf": game.anybody.token("/")}):
        answer = game.anybody.client.post(game.seats[0] + "propose", data=form)
        assert answer.status_code == 403
        assert said(answer) == words("en")("error.form")
    assert game.count == 1


def test_a_form_token_belongs_to_its_page_and_browser(game: Room) -> None:
    """A page's token is invalid on other pages and in other browsers."""
    token = game.anybody.token(game.seats[0])
    other = game.anybody.client.post(game.seats[1] + "propose", data=MOVE | {"csrf": token})
    stranger = game.visitor()
    stranger.get("/")
    strange = stranger.client.post(game.seats[0] + "propose", data=MOVE | {"csrf": token})
    assert (other.status_code, strange.status_code) == (403, 403)
    assert game.count == 1


@pytest.mark.parametrize("years", [-50, 10])
def test_a_page_goes_on_when_the_clock_is_put_right(game: Room, monkeypatch: pytest.MonkeyPatch, years: int) -> None:
    """Form tokens stay valid when a Pi's clock, which may start in 1970 or in the future, is corrected."""
    token = game.anybody.token(game.seats[0])
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + years * 365 * 86400)
    answer = game.anybody.client.post(game.seats[0] + "propose", data=MOVE | {"csrf": token})
    assert answer.status_code == 303
    assert game.count == 2


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}]
)
def test_another_sites_page_is_refused(game: Room, headers: dict[str, str]) -> None:
    """A cross-site request is refused, even with a valid token."""
    answer = game.anybody.submit(game.seats[0] + "propose", MOVE, game.seats[0], **headers)
    assert answer.status_code == 403
    assert said(answer) == words("en")("error.foreign")
    assert game.count == 1


@pytest.mark.parametrize(
    "headers", [{"Origin": "http://localhost"}, {"Origin": "null"}, {"Sec-Fetch-Site": "same-origin"}]
)
def test_our_own_pages_are_heard(game: Room, headers: dict[str, str]) -> None:
    """A request with the origin `null` and a valid token is accepted, because the table's own pages send no origin."""
    assert game.anybody.submit(game.seats[0] + "propose", MOVE, game.seats[0], **headers).status_code == 303
    assert game.count == 2


def test_nothing_is_done_by_opening_an_address(game: Room) -> None:
    """A GET request changes nothing, and addresses with side effects cannot be opened."""
    for path in ("propose", "draw", "consent", "correct", "hide"):
        assert game.anybody.get(game.seats[0] + path).status_code == 405
    for path in ("undo", "redo", "pause", "ask", "free", "bot", "leave", "tablet"):
        assert game.anybody.get(game.host + path).status_code == 405
    assert game.count == 1


@pytest.mark.parametrize(
    ("change", "key", "fields"),
    [
        ({"name": ["Jane"]}, "error.player_count", {"players": 1, "least": 2, "most": 6}),
        ({"name": ["Jane", "jane", "Tom"]}, "error.same_name", {"one": "Jane"}),
        ({"colour": ["red", "red", "blue"]}, "error.same_colour", {}),
        ({"shape": ["star", "star", "circle"]}, "error.same_shape", {}),
        ({"colour": ["red", "pink", "blue"]}, "error.colour", {"name": "Bill"}),
        ({"name": ["Jane", "B" * 41, "Tom"]}, "error.name_long", {"name": "B" * 39 + "…", "most": 40}),
        ({"pin": "12"}, "error.host_pin_digits", {"least": 4, "most": 6}),
        ({"min_raise": "1e9"}, "error.option_number", {"option": "Minimum raise", "said": "1e9"}),
        (
            {"sequence_costs": ["600", "x"]},
            "error.option_number",
            {"option": "Prices on the sequence tokens", "said": "x"},
        ),
    ],
)
def test_a_set_up_that_cannot_be_is_explained(room: Room, change: Form, key: str, fields: Form) -> None:
    """An impossible set-up is refused with a sentence, and no game begins."""
    answer = room.anybody.submit("/setup", room.form() | change, "/setup")
    assert answer.status_code == 422
    assert said(answer) == words("en")(key, **fields)
    assert room.table.snapshot().match_id == ""


@pytest.mark.parametrize(
    "change",
    [{"min_raise": "325"}, {"min_raise": "-50"}, {"counting": "never"}, {"edition": "de"}, {"stall": "k_lots"}],
)
def test_options_that_the_game_refuses_are_explained(room: Room, change: Form) -> None:
    """An option that only the game can reject is refused with a sentence, too."""
    answer = room.anybody.submit("/setup", room.form() | change, "/setup")
    assert answer.status_code == 422
    assert said(answer).endswith(".") or ":" in said(answer)
    assert room.table.snapshot().match_id == ""


def test_what_was_chosen_is_played(room: Room) -> None:
    """The order of seats, colours, deck and options reach the match, and rows without a name are ignored."""
    form = room.form() | {
        "name": ["Tom", "", "Jane", " Anna  Lena "],
        "colour": ["red", "blue", "green", "black"],
        "shape": ["star", "circle", "square", "hexagon"],
        "deck": "ours",
        "edition": "fr",
        "lone_bidder": "en_literal",
        "sequence_costs": ["600", "", "400", "", "", ""],
    }
    assert room.anybody.submit("/setup", form, "/setup").status_code == 303
    setup = room.table.snapshot().setup
    assert setup is not None
    assert [p.name for p in setup.seated()] == ["Tom", "Jane", "Anna Lena"]
    assert [p.shape for p in setup.seated()] == ["star", "square", "hexagon"]
    assert (setup.deck, setup.options["edition"], setup.options["lone_bidder"]) == ("ours", "fr", "en_literal")
    assert list(setup.options["sequence_costs"]) == [600, None, 400, None, None, None]
