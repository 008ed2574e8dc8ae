"""Test the generic pages of a game with hidden hands, sealed choices, bids and events at any moment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from companion.engine import Event, Seat
from companion.games.examples.twenty_tons.rules import RULES as TWENTY_TONS
from companion.games.examples.twenty_tons.steps import Took, WagonTurned
from companion.match.actor import Actor
from tests.support.crate_rows.rules import RULES, Accused, Bid, CrateRows, Rang, Sealed, Turned
from tests.support.web import any_game
from tests.support.web.board_room import board_room
from tests.support.web.visitors import Room, Visitor, regions


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """Yield a match of three people in which everybody seals a crate."""
    with board_room(tmp_path, game=RULES) as found:
        yield found


def shown(room: Room, page: str, lang: str = "en") -> dict[str, str]:
    """Return the visible text of a page's regions."""
    return shown_to(room, Visitor(room.anybody.client, lang), page)


def shown_to(room: Room, reader: Visitor, page: str) -> dict[str, str]:
    """Return the visible text of a page's regions on a device."""
    room.context.hub.refresh()
    found = regions(unescape(reader.get(page).text))
    return {name: re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip() for name, html in found.items()}


def drawn(room: Room, page: str, region: str) -> str:
    """Return the HTML of one region."""
    room.context.hub.refresh()
    return unescape(regions(room.anybody.get(page).text)[region])


def happen(room: Room, *events: Event) -> None:
    """Apply some events."""
    for event in events:
        assert room.table.propose(event, Actor.TABLE).accepted, event


def seal(room: Room, *seats: int) -> None:
    """Seal a crate for each of these seats: `crate-1` for seat 0, and so on."""
    happen(room, *[Sealed(Seat(seat), f"crate-{seat + 1}") for seat in seats])


# --- choices ------------------------------------------------------------------------------------------


def test_two_ranges_of_one_event_are_two_fields(room: Room) -> None:
    """A small bid and a large one each have a field and a button."""
    seal(room, 0, 1, 2)
    actions = drawn(room, room.seats[0], "actions")
    assert re.findall(r'data-low="(\d+)" data-high="(\d+)" data-step="(\d+)"', actions)[:2] == [
        ("1", "5", "1"),
        ("10", "50", "10"),
    ]
    assert re.findall(r"<span>(From [^<]+)</span>", actions)[:2] == ["From 1 to 5", "From 10 to 50, in steps of 10"]
    assert re.findall(r"data-picked>([^<]+?) <", actions) == ["Bid", "Bid", "Accuse"]
    assert room.anybody.say(room.seats[0], "bid", amount=4).status_code == 204


def test_seats_to_pick_are_people(room: Room) -> None:
    """The page offers names and "Nobody" for the accused seat, and a field with bounds for the number."""
    seal(room, 0, 1, 2)
    actions = drawn(room, room.seats[0], "actions")
    radios = re.findall(r'<input type="radio" name="whom" value="(\d*)"[^>]*><span>([^<]+)</span>', actions)
    assert radios == [("1", "Bill"), ("2", "Tom"), ("", "Nobody")]
    assert '"barrels"' in actions and 'data-low="1" data-high="25" data-step="1"' in actions
    assert room.anybody.say(room.seats[0], "accused", whom="2", barrels=25).status_code == 204
    assert Accused(Seat(0), Seat(2), 25) in [entry.event for entry in room.table.snapshot().entries]


def test_an_event_at_any_moment_has_a_control(room: Room) -> None:
    """A seat can ring the bell once, although the table does not wait for it."""
    seal(room, 0, 1, 2)
    page = room.seats[2]
    assert shown(room, page)["actions"] == "At any moment Ring the bell"
    assert shown(room, page)["where"] == ""
    assert room.anybody.say(page, "rang").status_code == 204
    assert room.table.snapshot().entries[-1].event == Rang(Seat(2))
    assert shown(room, page)["actions"] == "" and shown(room, page)["where"] != ""
    assert "Ring the bell" in shown(room, room.seats[0])["actions"]


# --- sealed choices -----------------------------------------------------------------------------------


def test_a_sealed_choice_is_on_its_owners_page_alone(room: Room) -> None:
    """The owner of a sealed choice can read and change it, and no other page shows it."""
    seal(room, 0)
    own = shown(room, room.seats[0])["actions"]
    assert own.startswith("Your sealed choice Crate 1 You may still change it.")
    others = [room.host, room.anybody.tap(room.host, "tablet").headers["HX-Redirect"], *room.seats[1:]]
    assert not [page for page in others if re.search(r"crate[ -]1\b", room.anybody.get(page).text)]
    assert room.anybody.say(room.seats[0], "sealed", card="crate-11").status_code == 204
    assert "Your sealed choice Crate 11" in shown(room, room.seats[0])["actions"]
    seal(room, 1, 2)
    assert "sealed choice" not in shown(room, room.seats[0])["actions"]


@pytest.mark.parametrize(
    ("lang", "hand"),
    [
        ("en", "Your cards: tap another one to change crate 1 chosen crate 11 crate 51 crate 101"),
        ("fr", "Tes cartes : touche-en une autre pour changer caisse 1 choisie caisse 11 caisse 51 caisse 101"),
    ],
)
def test_the_sealed_card_is_marked_in_its_owners_hand(room: Room, lang: str, hand: str) -> None:
    """The hand of the owner marks the sealed card, and no other page marks anything."""
    seal(room, 0)
    assert shown(room, room.seats[0], lang)["holdings"].endswith(hand)
    assert not [page for page in (room.host, *room.seats[1:]) if " chosen" in room.anybody.get(page).text]
    seal(room, 1, 2)
    assert "chosen" not in shown(room, room.seats[0])["holdings"]


def test_all_may_seal_at_once(room: Room) -> None:
    """Another seat's sealed choice or bell does not outdate a page; after the opening, an old page can seal nothing."""
    seen = room.anybody.get(room.seats[0]).text.partition('data-shown="')[2].partition('"')[0]
    seal(room, 1)
    happen(room, Rang(Seat(2)))
    assert room.anybody.say(room.seats[0], "sealed", card="crate-1", seen=seen).status_code == 204
    seal(room, 2)
    assert room.anybody.say(room.seats[0], "sealed", card="crate-11", seen=seen).status_code == 409


def test_a_freed_seat_does_not_show_what_was_sealed_before(room: Room) -> None:
    """The next owner of a freed seat cannot read its sealed choice, so the host cannot spy by freeing and joining
    it."""
    seal(room, 0)
    assert room.anybody.tap(room.host, "free", {"seat": "0"}).status_code == 204
    device = room.visitor()
    page = room.join(0, "9876", device).headers["Location"]
    assert "sealed choice" not in device.read(page) and "Crate 1 " not in shown_to(room, device, page)["actions"]
    assert "Your cards" in shown_to(room, device, page)["holdings"]


def test_a_secret_of_chance_is_nobodys_choice(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card that turned up secretly for a seat is not called the seat's choice."""
    any_game.lay(room, RULES.name, deck="ours")
    monkeypatch.setattr(CrateRows, "secret", lambda self, before, event: ("card",))
    seal(room, 0)
    assert "sealed choice" in shown(room, room.seats[0])["actions"]
    seal(room, 1, 2)
    happen(room, Bid(Seat(0), 3), Turned(Seat(1), "crate-12"))
    assert "sealed choice" not in shown(room, room.seats[1])["actions"]


def test_what_was_opened_stays_until_the_next_time(room: Room) -> None:
    """Everybody can read the last opened choices while the game goes on, and nobody before the opening."""
    any_game.lay(room, RULES.name, deck="ours")
    seal(room, 0, 1)
    assert "Opened last" not in shown(room, room.seats[2])["play"]
    seal(room, 2)
    happen(room, Bid(Seat(0), 3), Turned(Seat(1), "crate-12"))
    for page in (room.host, room.seats[2]):
        assert "Opened last Jane Crate 1 Bill Crate 2 Tom Crate 3" in shown(room, page)["play"]


# --- what turns up ------------------------------------------------------------------------------------


def test_what_turns_up_is_asked_of_its_seat(room: Room) -> None:
    """A seat is asked for its own crates, and the shared tablet and the host for those of each seat by name."""
    any_game.lay(room, RULES.name, deck="ours")
    seal(room, 0, 1, 2)
    happen(room, Bid(Seat(0), 3))
    assert shown(room, room.seats[1])["turnup"] == "Tap what was seen Crate 12 Crate 52 Crate 102"
    tablet = room.anybody.tap(room.host, "tablet").headers["HX-Redirect"]
    for page in (room.host, tablet):
        assert shown(room, page)["turnup"] == (
            "Tap what was seen Jane Crate 11 Crate 51 Crate 101"
            " Bill Crate 12 Crate 52 Crate 102 Tom Crate 13 Crate 53 Crate 103"
        )
    assert room.anybody.say(room.host, "turned", seat=2, card="crate-13").status_code == 204
    assert "Tom" not in shown(room, room.host)["turnup"]
    assert shown(room, room.seats[2])["turnup"] == ""


# --- words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "two", "one"),
    [
        ("en", "Jane and Bill still seal a crate.", "Bill still seals a crate."),
        ("fr", "Jane et Bill cachent encore une caisse.", "Bill cache encore une caisse."),
    ],
)
def test_the_sign_counts_whom_it_names(room: Room, lang: str, two: str, one: str) -> None:
    """The verb agrees with one name and with several names."""
    seal(room, 2)
    assert two in shown(room, room.seats[2], lang)["status"]
    seal(room, 0)
    assert one in shown(room, room.seats[2], lang)["status"]


def test_a_seats_own_facts_are_on_its_page(room: Room) -> None:
    """Facts for one seat appear on its own page only, together with the public ones."""
    for seat, page in enumerate(room.seats):
        found = shown(room, page)
        assert f"You owe {seat + 3} crates" in found["holdings"]
        assert found["status"].endswith("0 crates lie open")
    assert "You owe" not in room.anybody.get(room.host).text


def test_cards_are_in_the_order_of_their_numbers(room: Room) -> None:
    """Crate 11 comes before crate 101 in the hand and among choices."""
    assert re.findall(r"crate (\d+)", shown(room, room.seats[0])["holdings"]) == ["1", "11", "51", "101"]


# --- places -------------------------------------------------------------------------------------------


def test_people_hold_cards_though_nothing_lies_before_them(room: Room) -> None:
    """Each name shows the number of cards in the hand, and an empty place in the middle shows its own name."""
    found = shown(room, room.host)
    assert found["seats"].count("4 cards in hand") == 3
    assert found["play"].endswith("Row 1 nothing here Row 2 nothing here")


def test_an_empty_place_of_a_seats_own_is_left_out(room: Room) -> None:
    """A seat's empty place is omitted, because it would suggest an empty hand; a filled one is shown."""
    any_game.lay(room, TWENTY_TONS.name, deck="ours")
    happen(room, WagonTurned(7), Took(Seat(0)))
    found = shown(room, room.host)
    assert found["seats"].endswith("Jane 7 t wagon 7 Bill 0 t Tom 0 t")
    assert found["play"] == "On the table The middle nothing here"


def test_a_seat_sees_its_own_hidden_pawn(room: Room) -> None:
    """A seat's own page always shows its pawn face up, and all other pages show it face down."""
    for sealed in ((), (0, 1, 2)):
        seal(room, *sealed)
        for seat, page in enumerate(room.seats):
            assert re.findall(r"pawn \d+(?! card)", shown(room, page)["seats"]) == [f"pawn {seat + 7}"]
        assert not re.search(r"pawn[ -]\d", room.anybody.get(room.host).text)
