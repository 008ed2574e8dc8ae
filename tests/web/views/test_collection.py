"""Test the host's page of the owner's cards: the values are shown, changed, and stored for the next game with that
box."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from companion.games.express.sheet import row_choices
from companion.games.game_of_trains.catalogue import Catalogue, Wagon
from companion.games.trains.catalogue import shipped
from companion.games.trains.sheet import rows
from tests.support.web import game_of_trains
from tests.support.web.visitors import Room
from web.words import words

Form = dict[str, list[str]]


def form_of(room: Room, path: str) -> Form:
    """Return the list as the page shows it."""
    html = room.anybody.get(path).text
    rows = re.findall(r"<li class=\"(?:checked|supposed|unread)\">(.*?)</li>", html, re.S)
    values = [re.search(r'value="(\w*)" selected', row) for row in rows]
    return {
        "number": [re.findall(r'name="number"[^>]* value="(\d+)"', row)[0] for row in rows],
        "value": [found[1] if found else "" for found in values],
        "checked": [str(at) for at, row in enumerate(rows) if 'name="checked"' in row and " checked " in row],
    }


def kept(room: Room) -> dict[int, Wagon]:
    """Return the stored cards of the box."""
    data = room.table.read_value("catalogue/game-of-trains")
    known = msgspec.json.decode(data, type=Catalogue) if data else Catalogue("box", ())
    return {wagon.number: wagon for wagon in known.wagons}


def test_an_unread_box_is_filled_in(room: Room) -> None:
    """The page begins empty and proposes the reconstruction, and a value that was compared with the card counts as
    the owner's."""
    game_of_trains.lay(room)
    path = room.host + "cards"
    assert set(form_of(room, path)["value"]) == {""}
    assert "cards" in room.anybody.get(room.host).text
    form = form_of(room, path + "?suggest")
    assert form["value"] == [game_of_trains.ABILITY[number] for number in range(1, 85)] and form["checked"] == []
    form["value"][6] = "protect"
    form["checked"] = ["2"]
    assert words("en")("cards.saved") in room.anybody.follow(path, form, path).text
    wagons = kept(room)
    assert (wagons[7].ability, wagons[7].source) == ("protect", "owner")
    assert (wagons[3].ability, wagons[3].source) == (game_of_trains.ABILITY[3], "owner")
    assert (wagons[8].ability, wagons[8].source) == (game_of_trains.ABILITY[8], "public")
    assert form_of(room, path)["checked"] == ["2", "6"]


def test_the_next_game_with_the_box_knows_the_list(room: Room) -> None:
    """A new game with the box uses the stored list, which cannot be changed during that game."""
    game_of_trains.lay(room)
    path = room.host + "cards"
    form = form_of(room, path)
    form["value"][79] = "protect"
    assert words("en")("cards.saved") in room.anybody.follow(path, form, path).text
    room.table.leave()
    game_of_trains.lay(room, deck="box")
    state = room.table.snapshot().state
    assert state is not None
    assert state.table.fixed.book.abilities[80] == "protect" and state.table.fixed.book.abilities[79] is None
    path = room.host + "cards"
    page = room.anybody.get(path).text
    assert "readonly" in page and "Save the list" not in page
    assert room.anybody.submit(path, form, path).status_code == 409


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda form: form["number"].__setitem__(0, "2"), "2 wagons have the number 2: each must have its own."),
        (lambda form: form["value"].__setitem__(0, "fly"), "Wagon 1: 'fly' is not one of the eight abilities"),
        (lambda form: [form[name].pop(11) for name in ("number", "value")], "No wagon has the number 12."),
        (lambda form: form["number"].__setitem__(3, "four"), "“four” is not a whole number."),
        (lambda form: form["value"].pop(), "This is missing or does not fit: number."),
    ],
)
def test_a_list_that_cannot_be_is_refused_in_words(room: Room, change: Any, said: str) -> None:
    """A missing row, a duplicate number and a ninth ability are each refused with a sentence, and nothing is stored."""
    game_of_trains.lay(room)
    path = room.host + "cards"
    form = form_of(room, path + "?suggest")
    change(form)
    answer = room.anybody.submit(path, form, path)
    assert answer.status_code == 422
    assert said.replace("'", "&#39;") in answer.text or said in answer.text
    assert kept(room) == {}


def test_only_the_host_sees_the_list_and_only_of_a_game_that_has_one(room: Room) -> None:
    """Only the host's page leads to the list, and Take a Train has none."""
    game_of_trains.lay(room)
    own = room.seats[0].removeprefix("/s/")
    assert room.anybody.get(f"/h/{own}cards").status_code == 404
    room.table.leave()
    room.set_up()
    assert room.anybody.get(room.host + "cards").status_code == 409


def test_a_list_of_named_cards_is_confirmed_card_by_card(room: Room) -> None:
    """For Trains each kind is listed by name with its cost and coins, and a ticked kind counts as confirmed by the
    owner."""
    room.set_up(2, game="trains", edition="okazu")
    path = room.host + "cards"
    page = room.anybody.get(path + "?suggest").text
    assert '<b class="box-title">Tunnel</b>' in page and "Lay Rails<small>Rails</small>" in page
    assert "costs 5 · +0" in page
    form = {"number": [str(n) for n in range(1, 40)], "value": ["3/0"] * 39, "checked": ["4"]}
    assert words("en")("cards.saved") in room.anybody.follow(path, form, path).text
    data = msgspec.json.decode(room.table.read_value("catalogue/trains") or b"{}")
    assert [card["source"] for card in data["cards"]].count("owner") > 1 and data["cards"][4]["source"] == "owner"


def test_a_list_is_filled_in_before_the_game(room: Room) -> None:
    """The set-up leads to the list; a category that differs counts as the owner's, and the next game uses it."""
    assert "/setup/cards" not in room.anybody.get(room.lobby()).text
    lobby = room.lobby("trains")
    assert 'href="/setup/cards?game=trains"' in room.anybody.get(lobby).text
    path = "/setup/cards?game=trains"
    page = room.anybody.get(path).text
    assert f'href="{lobby}"' in page and page.count('class="box-kind"') == 30
    cards = shipped().cards
    form = {
        "game": ["trains"],
        "number": [row.number for row in rows(None)],
        "value": [row.value for row in rows(None)],
        "kind": [row.kind for row in rows(None)],
    }
    tunnel = next(nth for nth, card in enumerate(cards) if card.id == "tunnel")
    form["kind"][tunnel], form["kind"][0] = "action", "action"  # the first is a basic card, the same in every box
    assert words("en")("cards.saved") in room.anybody.follow("/setup/cards", form, path).text
    kept = msgspec.json.decode(room.table.read_value("catalogue/trains") or b"{}")["cards"]
    assert (kept[tunnel]["categories"], kept[tunnel]["source"]) == (["action"], "owner")
    assert [card["source"] for card in kept].count("owner") == 1 and kept[0]["categories"] == ["train"]
    room.context.lobby.close()
    room.set_up(2, game="trains", deck="box", edition="okazu")
    state = room.table.snapshot().state
    assert state is not None
    assert state.table.card("tunnel").categories == ("action",)
    assert room.anybody.get(path).status_code == room.anybody.submit("/setup/cards", form).status_code == 409


def test_a_box_that_nobody_has_compared_can_be_played(room: Room) -> None:
    """The match uses the reconstruction, as the set-up says, and has the same state after a restart."""
    room.set_up(2, game="trains", deck="box", edition="okazu")
    snapshot = room.table.snapshot()
    assert snapshot.state is not None and snapshot.setup is not None
    assert snapshot.setup.catalogue == msgspec.to_builtins(shipped("box"))
    room.table.resume(snapshot.match_id)
    assert room.table.snapshot().state == snapshot.state


def express_form(room: Room, path: str) -> Form:
    """Return the lines of Express as the page shows them."""
    html = room.anybody.get(path).text
    found: Form = {
        "game": ["express"],
        "number": re.findall(r'name="number" value="(\d+)"', html),
        "kind": [],
        "value": [],
    }
    for name, inside in re.findall(r'name="(kind|value)"(?: value="">| aria-label="[^"]*">(.*?)</select>)', html, re.S):
        chosen = re.search(r'<option value="(\w*)" selected', inside)
        found[name].append(chosen[1] if chosen else "")
    return found


def test_all_figures_of_a_game_are_filled_in(room: Room) -> None:
    """Each line of Express offers its own figures and says what is unverified or missing; the match uses them with
    any deck."""
    path = "/setup/cards?game=express"
    assert 'href="/setup/cards?game=express"' in room.anybody.get(room.lobby("express")).text
    page = room.anybody.get(path).text
    assert "<small>R-03 · S-02 · unverified</small>" in page and "<small>S-08 · not entered</small>" in page
    assert "<small>R-03 · S-05 · unverified, incomplete</small>" in page
    assert "Fill in the reconstruction" not in page
    room.context.lobby.close()
    refused = room.anybody.submit("/setup", room.form(2, game="express", deck="box"), "/setup")
    assert refused.status_code == 422
    assert "S-08: What each card left in hand costs. R-03: number of cards (Flat Car" in refused.text
    form = express_form(room, path)
    assert [len(form[name]) for name in ("number", "kind", "value")] == [35, 35, 35]
    kinds = row_choices(words("en", "companion.games.express"))
    form["kind"] = [
        kind or ("8" if kinds[number][0] else "") for number, kind in zip(form["number"], form["kind"], strict=True)
    ]
    form["value"] = [value or "2" for value in form["value"]]
    assert room.anybody.follow("/setup/cards", form, path).text.count('class="message" role="status"') == 1
    assert express_form(room, path) == form
    for deck, options in (("box", {}), ("dealt", {"profile": "owner"})):
        room.set_up(2, game="express", deck=deck, **options)
        profile = room.table.snapshot().state.table.fixed.profile  # type: ignore[union-attr]
        assert (profile.name, profile.hand_cost, profile.confirmed) == ("owner", 2, ("hand_cost",))
        room.table.leave()


def test_what_was_typed_wrongly_stays_in_the_form(room: Room) -> None:
    """A negative value is refused with its rule and field, and the form keeps it and all other values."""
    path = "/setup/cards?game=express"
    form = express_form(room, path)
    form["value"][3], form["kind"][3], form["value"][14] = "-1", "10", "4"
    answer = room.anybody.submit("/setup/cards", form, path)
    assert answer.status_code == 422
    assert "S-02: points (Hopper): “-1” is not possible, only 0 to 15." in answer.text
    assert '<option value="-1" selected>-1</option>' in answer.text
    lines = re.findall(r'<li class="(?:checked|supposed|unread)">(.*?)</li>', answer.text, re.S)
    assert [re.findall(r'value="([-\w]+)" selected', lines[at]) for at in (3, 14)] == [["10", "-1"], ["4"]]
    assert room.table.read_value("catalogue/express") is None


@pytest.mark.parametrize(("game", "lines"), [("express", "35 of the list"), ("trains", "39 kinds of card")])
def test_a_form_with_other_rows_is_refused(room: Room, game: str, lines: str) -> None:
    """The form is refused with a sentence, and nothing is stored."""
    form = {"game": [game], "number": ["1", "fifty"], "value": ["2", "3"], "kind": ["", ""]}
    answer = room.anybody.submit("/setup/cards", form, f"/setup/cards?game={game}")
    assert answer.status_code == 422 and lines in answer.text
    assert room.table.read_value(f"catalogue/{game}") is None


@pytest.mark.parametrize("game", ["take-a-train", "chess", ""])
def test_a_game_without_a_list_has_no_such_page(room: Room, game: str) -> None:
    """Neither a game without a list nor an unknown game has such a page."""
    assert room.anybody.get(f"/setup/cards?game={game}").status_code == 409
