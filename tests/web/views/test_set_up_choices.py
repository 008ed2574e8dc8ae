"""Test set-up choices without scripts: several values of many, a value for each player, and money by number of
players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from werkzeug.test import TestResponse

from companion.engine import COLOURS, SHAPES, Setup
from companion.i18n import LANGUAGES
from companion.journal.journal import Journal
from tests.support import crowd, market_town
from tests.support.market_town.options import BY_PLAYERS, FAIR, FIRST_DAY, HARVEST
from tests.support.web.offering import offered
from tests.support.web.visitors import NAMES, Form, Room, said
from web.presenters.option_fields import draw, fields_of
from web.words import words

TOWN = market_town.GAME.rules.name
EIGHT = (*NAMES, "Ida", "Leo")


@pytest.fixture(autouse=True)
def games() -> Iterator[None]:
    """Offer the games of these tests."""
    with offered(market_town.GAME.rules, crowd.GAME):
        yield


def form(players: int = 3, game: str = TOWN, **more: object) -> Form:
    """Return the filled form of options and cards, with the game and the people."""
    return {"people": EIGHT[:players], "game": game, "deck": "dealt"} | more


def sent(room: Room, action: str, filled: Form) -> TestResponse:
    """Open a lobby with the people, send the form there, and return the answer or the page to which it redirects."""
    filled = dict(filled)
    page = room.lobby(str(filled.pop("game")), filled.pop("people"))
    return room.anybody.follow(f"{page}{action}", filled, page)


def send(room: Room, filled: Form) -> TestResponse:
    """Start a match with the form."""
    return sent(room, "start", filled)


def press(room: Room, filled: Form) -> TestResponse:
    """Press a button that changes the form, and return the next page."""
    return sent(room, "choices", filled)


def header(room: Room) -> Setup:
    """Return the first record of the match in the journal."""
    with Journal(room.folder / "journal.db", read_only=True) as journal:
        return journal.header(room.table.snapshot().match_id).setup


def ticked(html: str, option: str) -> tuple[str, ...]:
    """Return the ticked values."""
    return tuple(re.findall(rf'name="{option}" value="(\w+)" checked', html))


def test_every_option_has_its_control(room: Room) -> None:
    """An option's type determines its control: several of many, a number, a value for each player, yes or no, one of
    several."""
    fields = {field.name: field for group in fields_of(market_town.GAME.rules).values() for field in group}
    assert {name: field.control for name, field in fields.items()} == {
        "stalls": "pick",
        "weather": "pick",
        "money": "number",
        "handicaps": "each",
        "sides": "each",
        "days": "number",
        "market_tax": "choice",
        "pace": "choice",
    }
    assert (fields["stalls"].least, fields["stalls"].most, len(fields["stalls"].values)) == (8, 8, 30)
    assert (fields["weather"].least, fields["weather"].most) == (1, 2)
    html = room.anybody.read(room.lobby(TOWN))
    assert ticked(html, "stalls") == FIRST_DAY and ticked(html, "weather") == ("sun",)
    assert "8 / 8" in html and "1 / 1–2" in html
    assert html.count('name="handicaps"') == html.count('name="sides"') == 8
    assert html.count('type="checkbox" name="stalls"') == 30


@pytest.mark.parametrize("lang", LANGUAGES)
def test_everything_is_said_in_words(room: Room, lang: str) -> None:
    """The page shows words instead of keys."""
    html = room.visitor(lang).read(room.lobby(TOWN))
    text = re.sub(r"<[^>]*>", " ", html)
    assert not re.findall(r"(?:option|setup|colour|shape)\.\w+", text)
    say = words(lang, "tests.support.market_town")
    assert say("option.stalls.sets.fair") in text and say("setup.draw") in text


def test_a_set_of_values_is_one_button(room: Room) -> None:
    """The button of a set ticks its values and changes nothing else in the form."""
    shown = press(room, form(stalls=["", "wine"], money="77", handicaps=["", "3", ""], preset="stalls:fair"))
    html = unescape(shown.text)
    assert shown.status_code == 200 and ticked(html, "stalls") == FAIR
    assert 'value="77"' in html and 'value="3"' in html and "<b>Jane</b>" in html
    assert room.table.snapshot().match_id == ""
    same = unescape(press(room, form(stalls=["", "wine"], preset="stalls:none")).text)
    assert ticked(same, "stalls") == ("wine",)


def test_a_set_may_be_filled_up_and_propose_more(room: Room) -> None:
    """An incomplete set is filled at random, differently each time, and can propose a value for another option."""
    shown = [
        unescape(press(room, form(stalls=["", "wine"], pace="slow", preset="stalls:harvest")).text) for _ in "1234"
    ]
    drawn = {ticked(each, "stalls") for each in shown}
    assert len(drawn) > 1 and all(len(each) == 8 and {*HARVEST} < {*each} for each in drawn)
    assert all('<option value="fast" selected>' in each for each in shown)
    assert 'data-with="pace=fast "' in shown[0] and not re.findall(r'value="stalls:harvest"[^>]*data-values', shown[0])


def test_a_set_of_trains_brings_its_board(room: Room) -> None:
    """A set named after a board proposes that board, and the set for a first game contains Landfill."""
    osaka = unescape(press(room, form(game="trains", board="tokyo", draw_kingdom="yes", preset="kingdom:osaka")).text)
    assert '<option value="osaka" selected>' in osaka and '<option value="no" selected>' in osaka
    tokyo = unescape(press(room, form(game="trains", board="osaka", preset="kingdom:tokyo")).text)
    assert '<option value="tokyo" selected>' in tokyo
    kept = unescape(press(room, form(game="trains", board="osaka", preset="kingdom:reform")).text)
    assert '<option value="osaka" selected>' in kept
    first = {
        ticked(unescape(press(room, form(game="trains", preset="kingdom:first_game")).text), "kingdom") for _ in "1234"
    }
    assert len(first) > 1 and all(len(each) == 8 and "landfill" in each for each in first)


def test_values_are_drawn_at_random(room: Room) -> None:
    """Each draw has eight different values, and every value is equally likely."""
    drawn = {ticked(unescape(press(room, form(draw="stalls", weather=["", "fog"])).text), "stalls") for _ in range(4)}
    assert len(drawn) > 1 and all(len(set(each)) == 8 for each in drawn)
    field = fields_of(market_town.GAME.rules)["main"][0]
    luck = Random(1)
    counts = dict.fromkeys(field.values, 0)
    for _ in range(3000):
        for value in draw(field, luck):
            counts[value] += 1
    assert all(700 < count < 900 for count in counts.values())


def test_what_is_drawn_no_option_is_ignored(room: Room) -> None:
    """A request to draw an unsuitable option, or to tick an unknown set, changes nothing."""
    for more in ({"draw": "days"}, {"draw": "no"}, {"preset": "days:x"}, {"preset": ""}):
        answer = press(room, form(days="5", **more))
        assert answer.status_code == 200 and 'value="5"' in answer.text


def test_choices_reach_the_journal_as_plain_json(room: Room) -> None:
    """The journal contains lists, numbers and text that the game's own struct accepts, without default values."""
    answer = send(
        room,
        form(
            3,
            stalls=["", *reversed(FAIR)],
            weather=["", "rain", "fog"],
            money="75",
            handicaps=["", "5", " 10 "],
            sides=["town", "town", "country"],
            days="4",
            market_tax="yes",
            pace="slow",
        ),
    )
    assert answer.status_code == 200, said(answer)
    options = {
        "stalls": list(FAIR),
        "weather": ["rain", "fog"],
        "money": 75,
        "handicaps": [0, 5, 10],
        "sides": ["town", "town", "country"],
        "days": 4,
        "market_tax": True,
    }
    assert header(room).options == options
    state = room.table.snapshot().state
    assert state is not None and state.table.purses == (75, 80, 85)
    assert state.table.options.stalls == FAIR


@pytest.mark.parametrize("players", [2, 5, 8])
def test_what_is_left_as_usual_goes_by_the_number_of_players(room: Room, players: int) -> None:
    """The page shows the default money for this number of players, and sending the defaults records nothing."""
    money = BY_PLAYERS["money"]
    shown = unescape(press(room, form(players)).text)
    assert f'placeholder="{money[players]}"' in shown
    assert re.findall(r'data-players="(\d)" aria-current="true"', shown) == [str(players)]
    filled = form(players, money=str(money[players]), stalls=["", *FIRST_DAY], handicaps=[""] * 8, sides=["town"] * 8)
    assert send(room, filled).status_code == 200
    state = room.table.snapshot().state
    assert header(room).options == {}
    assert state is not None and state.table.purses == (money[players],) * players


def test_a_players_value_stands_in_the_order_of_seats(room: Room) -> None:
    """Each player's value is stored in the order of seats, and values for missing seats are ignored."""
    assert send(room, form(3, handicaps=["4", "7", "", "9"])).status_code == 200
    assert header(room).options == {"handicaps": [4, 7, 0]}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"stalls": ["", "wine", "tea"]}, "Stalls: choose 8, not 2."),
        ({"stalls": [""]}, "Stalls: choose 8, not 0."),
        ({"stalls": ["", *FAIR, "tea"]}, "Stalls: choose 8, not 9."),
        ({"stalls": ["", *FAIR[1:], FAIR[1]]}, "Stalls: choose 8, not 7."),
        ({"stalls": ["", *FAIR[1:], "gold"]}, "Stalls: “gold” is not one of the choices."),
        ({"weather": ["", "sun", "rain", "fog"]}, "Weather: choose 1 to 2, not 3."),
        ({"money": "much"}, "Money: “much” is not a whole number."),
        ({"days": "10"}, "Days: choose a number from 1 to 9, not 10."),
        ({"handicaps": ["1", "21", ""]}, "Handicap of Bill: choose a number from 0 to 20, not 21."),
        ({"handicaps": ["1", "", "x"]}, "Handicap of Tom: “x” is not a whole number."),
        ({"sides": ["town", "moon", "town"]}, "Home: “moon” is not one of the choices."),
    ],
)
def test_wrong_input_is_said_and_nothing_is_lost(room: Room, wrong: Form, sentence: str) -> None:
    """One sentence names the option, and the form keeps all other input."""
    filled = form(stalls=["", *FAIR], money="66", handicaps=["2", "3", "4"], days="7") | wrong
    answer = send(room, filled)
    html = unescape(answer.text)
    assert (answer.status_code, said(answer)) == (422, sentence)
    assert set(ticked(html, "stalls")) == set(filled["stalls"]) - {"", "gold"}
    for name in ("money", "days", "handicaps"):
        for text in filled[name] if isinstance(filled[name], list) else [filled[name]]:
            assert f'value="{text}"' in html
    assert room.table.snapshot().match_id == ""


def test_what_only_the_game_refuses_is_said_too(room: Room) -> None:
    """The game refuses an unknown value of a plain choice with a sentence."""
    for wrong in ({"pace": "never"}, {"market_tax": "perhaps"}):
        answer = send(room, form(**wrong))
        assert answer.status_code == 422 and said(answer).startswith("This option does not fit:")


def test_looking_at_another_game_keeps_every_choice(room: Room) -> None:
    """Ticks and players' values return when the host chooses the game again."""
    press(room, form(stalls=["", *FAIR], handicaps=["2", "", "4"]))
    away = room.anybody.submit("/lobby", {"game": "crowd"}).headers["Location"]
    assert "o-stalls" not in room.anybody.read(away)
    room.anybody.submit("/lobby", {"game": TOWN})
    back = room.anybody.read(away)
    assert ticked(back, "stalls") == FAIR
    assert re.findall(r'name="handicaps"[^>]* value="(\d*)"', back)[:3] == ["2", "", "4"]


def test_eight_play_a_game_without_options(room: Room) -> None:
    """The lobby of a game that consists only of rules has eight seats, each with its own colour and shape."""
    html = room.anybody.read(room.lobby("crowd"))
    assert html.count('class="lobby-seat free"') == 8
    assert not re.findall(r'id="o-\w+"', html)
    page = send(room, form(8, "crowd"))
    assert page.status_code == 200, said(page)
    seated = header(room).seated()
    assert [(player.colour, player.shape) for player in seated] == list(zip(COLOURS, SHAPES, strict=False))
    assert "seat-turquoise" in page.text and "shape-heart" in page.text
