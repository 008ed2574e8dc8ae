"""Test the lobby's pages: people arrive, the host corrects the list and starts, and every device reaches the game."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest
from msgspec import UNSET

from companion.i18n import LANGUAGES
from tests.support.web.visitors import NAMES, Room, Visitor, said
from web.lobby.keeper import AWAY, LobbyKeeper, NoLobby
from web.lobby.record import FACES, Lobby
from web.security.access import digest
from web.words import words

say = words("en")
GAME = "trains"


def lobby_of(room: Room) -> Lobby:
    """Return the current lobby."""
    found = room.context.lobby.last
    assert found is not None
    return found


def people(room: Room) -> list[str]:
    """Return the names of the people in the order of seats."""
    return [each.name for each in lobby_of(room).people]


def arrive(room: Room, name: str, colour: str = "", face: str = "", who: Visitor | None = None) -> tuple[Visitor, str]:
    """Scan the code and enter a name; return the browser and its page in the lobby."""
    visitor = who or room.visitor()
    form = {"room": lobby_of(room).room, "name": name, "colour": colour, "face": face}
    answer = visitor.submit("/join", form, "/join")
    assert answer.status_code == 303, said(answer)
    return visitor, answer.headers["Location"]


def host_page(visitor: Visitor) -> str:
    """Return the host's page to which the first page leads."""
    found = re.search(r'href="(/h/[^"]+)"', visitor.read("/"))
    assert found is not None
    return found[1]


def seats_of(room: Room) -> list[tuple[str, str, str, object]]:
    """Return the players in the match's header."""
    setup = room.table.snapshot().setup
    assert setup is not None
    return [(each.name, each.colour, each.shape, each.face) for each in setup.seated()]


def test_a_whole_evening_begins_without_a_pin(room: Room) -> None:
    """Phones, the shared tablet, a spectator and the host reach their own pages without a PIN."""
    host = room.lobby(GAME)
    assert room.anybody.tap(host, "add", {"name": "Jane", "device": "phone"}).status_code == 200
    bill, in_lobby = arrive(room, "Bill", "green", "owl")
    assert say("lobby.in", name="Bill") in bill.read(in_lobby)
    tablet, wall = room.visitor(), room.visitor()
    shared = tablet.submit("/tablet", {"room": lobby_of(room).room}, "/join").headers["Location"]
    watched = wall.submit("/watch", {"room": lobby_of(room).room}, "/join").headers["Location"]
    for visitor, page in ((tablet, shared), (wall, watched)):
        assert "Jane" in visitor.read(page) and lobby_of(room).room[:3] in visitor.read(page)
    assert bill.get(f"{in_lobby}now?seen=old").status_code == 200
    answer = room.anybody.submit(f"{host}start", {"deck": "dealt"}, host)
    assert answer.status_code == 303 and answer.headers["Location"].startswith("/s/")
    assert seats_of(room) == [("Jane", "red", "circle", "fox"), ("Bill", "green", "triangle", "owl")]
    assert bill.get(f"{in_lobby}now?seen=old").headers["X-Go"] == "./"
    where = {name: who.get(page).headers["Location"] for name, who, page in
             (("s", bill, in_lobby), ("t", tablet, shared), ("w", wall, watched))}  # fmt: skip
    assert all(place.startswith(f"/{letter}/") for letter, place in where.items())
    assert room.context.access.viewer(where["s"].split("/")[2], "1") == room.context.viewer(in_lobby.split("/")[2])
    for name, who in (("s", bill), ("t", tablet), ("w", wall)):
        assert who.get(where[name]).status_code == 200
    assert host_page(room.anybody).startswith("/h/")
    room.context.hub.refresh()
    assert say("people.waiting", names="Bill") not in room.anybody.read(answer.headers["Location"])


def test_the_lobby_survives_a_restart(room: Room) -> None:
    """After a restart the people, order, room and host are the same, phones stay in, and the start works."""
    host = room.lobby(GAME, ["Ann"])
    bill, page = arrive(room, "Bill", "blue", "cat")
    room.anybody.tap(host, "move", {"number": "2", "place": "0"})
    before, cookies = lobby_of(room), bill.client._cookies
    room.restart()
    bill = room.visitor()
    bill.client._cookies = cookies
    assert lobby_of(room) == before and people(room) == ["Bill", "Ann"]
    assert say("lobby.in", name="Bill") in bill.read(page)
    assert room.anybody.submit(f"{host}start", {"deck": "dealt"}, host).status_code == 303
    assert bill.get(page).headers["Location"].startswith("/s/")
    room.restart()
    assert lobby_of(room).match == "1" and room.context.lobby.waiting is None


def test_no_token_is_kept_in_plain_text(room: Room) -> None:
    """The disk contains only hashes of tokens."""
    host = room.lobby(GAME)
    _, page = arrive(room, "Bill")
    kept = (room.table.read_value("web.lobby") or b"").decode()
    assert digest(page.split("/")[2]) in kept and digest(host.split("/")[2]) in kept
    assert page.split("/")[2] not in kept and host.split("/")[2] not in kept


@pytest.mark.parametrize(
    ("action", "form"),
    [
        ("add", {"name": "Eve", "device": "tablet"}), ("add", {"device": "bot"}),
        ("move", {"number": "1", "place": "1"}),
        ("remove", {"number": "1"}), ("last", {}), ("choices", {"deck": "ours"}), ("start", {"deck": "dealt"}),
        ("close", {}),
    ],
)  # fmt: skip
def test_nobody_but_the_host_may_do_it(room: Room, action: str, form: dict[str, str]) -> None:
    """Guests, shared tablets and spectators are refused every action of the host."""
    room.lobby(GAME, ["Ann", "Bo"])
    room.anybody = room.visitor()
    visitor, page = arrive(room, "Cy")
    room_pin = lobby_of(room).room
    pages = [
        page,
        *[visitor.submit(f"/{kind}", {"room": room_pin}, "/join").headers["Location"] for kind in ("tablet", "watch")],
    ]
    before = lobby_of(room)
    for each in pages:
        assert visitor.submit(f"{each}{action}", form, each).status_code == 404
    assert lobby_of(room) == before and room.table.snapshot().match_id == ""


def test_no_form_of_the_lobby_is_heard_without_its_own_token(room: Room) -> None:
    """A form without its own token, or with one of another page, browser or site, is refused and changes nothing."""
    host = room.lobby(GAME, ["Ann", "Bo"])
    before, other = lobby_of(room), room.visitor()
    posts = [
        rule.rule
        for rule in room.app.url_map.iter_rules()
        if rule.endpoint.startswith("lobby") and "POST" in (rule.methods or ())
    ]
    assert len(posts) == 11
    for rule in posts:
        path = rule.replace("/l/<token>/", host)
        for csrf in ("", "x", room.anybody.token("/"), other.token(host)):
            if path.startswith("/lobby") and csrf == room.anybody.token("/"):
                continue
            answer = room.anybody.client.post(path, data={"csrf": csrf, "game": GAME})
            assert answer.status_code == 403 or (path.startswith("/lobby") and len(csrf) > 1), path
        assert room.anybody.client.post(path, headers={"Origin": "http://evil.example"}).status_code == 403
    assert lobby_of(room).people == before.people and room.context.lobby.waiting is not None


def test_another_host_is_told_and_a_left_lobby_can_be_closed(room: Room) -> None:
    """While the host's page is open, nobody else can open or close a lobby or begin a match by a program."""
    clock = [0.0]
    room.context.lobby.clock = lambda: clock[0]
    host = room.lobby(GAME)
    other = room.visitor()
    for where, form in (("/lobby", {"game": GAME}), ("/lobby/close", {}), ("/setup", room.form(2, game=GAME))):
        answer = other.submit(where, form)
        assert (answer.status_code, said(answer)) == (409, say("error.lobby_open"))
    clock[0] = AWAY
    room.anybody.get(f"{host}now")
    clock[0] += AWAY
    assert other.submit("/lobby/close", {}).status_code == 409 and say("lobby.away") not in other.read("/")
    clock[0] += 1
    assert say("lobby.away") in other.read("/")
    assert other.submit("/lobby/close", {}).status_code == 303
    assert room.context.lobby.waiting is None
    assert say("lobby.gone") in room.anybody.read(host)


def test_the_rooms_pin_is_asked_of_who_types_the_address(room: Room) -> None:
    """The first page shows the PIN only to browsers in the room, and wrong PINs are counted as everywhere."""
    room.lobby(GAME)
    pin, stranger = lobby_of(room).room, room.visitor()
    assert pin[:3] + " " + pin[3:] not in stranger.read("/") and f"room={pin}" not in stranger.read("/")
    assert pin[:3] + " " + pin[3:] in room.anybody.read("/")
    wrong = "000000" if pin != "000000" else "111111"
    for tries in range(3):
        answer = stranger.submit("/join", {"room": wrong, "name": "Eve", "colour": "red", "face": "fox"}, "/join")
        assert answer.status_code == 403, tries
        assert 'name="room" inputmode' in answer.text
    assert stranger.submit("/join", {"room": pin, "name": "Eve"}, "/join").status_code == 429
    assert people(room) == []


def test_a_scanned_code_is_enough(room: Room) -> None:
    """The form contains the PIN, and asks for name, colour and face on one page with the first free ones chosen."""
    room.lobby(GAME, ["Ann"])
    pin = lobby_of(room).room
    page = room.visitor().read(f"/join?room={pin}")
    assert f'type="hidden" name="room" value="{pin}"' in page
    assert re.findall(r'name="(\w+)" value="(\w+)" required checked', page) == [("colour", "blue"), ("face", "owl")]
    assert re.findall(r'value="(\w+)" required disabled', page) == ["red", "fox"]


@pytest.mark.parametrize(
    ("colour", "face", "key", "offered"),
    [("green", "bear", "lobby.taken_colour", ("red", "bear")), ("blue", "owl", "lobby.taken_face", ("blue", "fox"))],
)
def test_the_second_of_two_is_told_and_offered_the_next(
    room: Room, colour: str, face: str, key: str, offered: tuple[str, str]
) -> None:
    """The second of two people is told, keeps the typed name, and gets the next free colour and face."""
    room.lobby(GAME)
    arrive(room, "Ann", "green", "owl")
    form = {"room": lobby_of(room).room, "name": "Bo", "colour": colour, "face": face}
    answer = room.visitor().submit("/join", form, "/join")
    assert (answer.status_code, said(answer)) == (409, say(key, name="Ann"))
    assert 'value="Bo"' in answer.text
    chosen = dict(re.findall(r'name="(\w+)" value="(\w+)" required checked', answer.text))
    assert (chosen["colour"], chosen["face"]) == offered
    assert people(room) == ["Ann"]


@pytest.mark.parametrize(("name", "code"), [("", 422), ("ANN", 409), ("\u202e", 422), ("x" * 41, 422)])
def test_names_are_refused_as_everywhere(room: Room, name: str, code: int) -> None:
    """A missing name, one too similar to another, an invisible one and one that is too long are refused."""
    room.lobby(GAME)
    arrive(room, "Ann")
    answer = room.visitor().submit(
        "/join", {"room": lobby_of(room).room, "name": name, "colour": "", "face": ""}, "/join"
    )
    assert answer.status_code == code and people(room) == ["Ann"]
    assert say("error.same_name", one="Ann", other="ANN") in answer.text.replace("&#39;", "'") or name != "ANN"


def test_a_full_lobby_lets_people_watch(room: Room) -> None:
    """The fifth person at a game for four is told so, and may watch."""
    room.lobby(GAME, NAMES[:4])
    visitor = room.visitor()
    assert say("lobby.taken_seat") in visitor.read(f"/join?room={lobby_of(room).room}")
    answer = visitor.submit("/join", {"room": lobby_of(room).room, "name": "Max"}, "/join")
    assert answer.status_code == 409 and len(people(room)) == 4
    assert visitor.submit("/watch", {}, "/join").status_code == 303


def test_who_types_while_the_host_starts_is_led_to_free_seats(room: Room) -> None:
    """A person who sends a name after the start is told so and led to the free seats."""
    host = room.lobby(GAME, ["Ann", "Bo"])
    pin, late = lobby_of(room).room, room.visitor()
    assert room.anybody.submit(f"{host}start", {"deck": "dealt"}, host).status_code == 303
    answer = late.submit("/join", {"room": pin, "name": "Cy", "colour": "red", "face": "fox"}, "/join")
    assert (answer.status_code, said(answer)) == (409, say("lobby.began"))
    assert answer.text.count('name="seat"') == 2
    assert late.submit("/join", {"seat": "0", "pin": "1111"}, "/join/seat").headers["Location"].startswith("/s/")


def test_who_is_on_the_list_without_a_phone_may_find_one(room: Room) -> None:
    """One tap takes a listed person's place on a phone, and a second person who tries it is told."""
    room.lobby(GAME, ["Ann", "Bo"])
    pin = lobby_of(room).room
    one, two = room.visitor(), room.visitor()
    assert 'name="claim" value="1"' in one.read(f"/join?room={pin}")
    assert one.submit("/join", {"room": pin, "claim": "1"}, "/join").status_code == 303
    assert lobby_of(room).people[0].device == "phone"
    answer = two.submit("/join", {"room": pin, "claim": "1"}, "/join")
    assert (answer.status_code, said(answer)) == (409, say("lobby.taken_person", name="Ann"))


def test_the_host_corrects_the_list(room: Room) -> None:
    """With scripts the host's changes return only the list, without them the page; a bot has a name and a face."""
    host = room.lobby(GAME, ["Ann", "Bo"])
    assert room.anybody.tap(host, "add", {"device": "bot"}).text.startswith('<div class="lobby-part"')
    assert room.anybody.submit(f"{host}move", {"number": "3", "place": "0"}, host).headers["Location"] == "./"
    assert people(room) == ["Otto", "Ann", "Bo"] and lobby_of(room).people[0].face == "robot"
    visitor, page = arrive(room, "Cy")
    room.anybody.tap(host, "remove", {"number": "4"})
    assert visitor.get(f"{page}now?seen=x").headers["X-Go"] == "./"
    gone = visitor.get(page)
    assert gone.status_code == 404 and say("lobby.gone") in gone.text and 'href="/join"' in gone.text
    answer = room.anybody.submit(f"{host}start", {"deck": "dealt"}, host)
    assert answer.headers["Location"].startswith("/h/")
    credentials = room.context.access.credentials("1")
    assert credentials is not None and (credentials.bots, credentials.tablet) == ((0,), (1, 2))
    assert room.context.seating.occupancy(room.table.snapshot()).awaited() == ()


def test_a_start_that_is_refused_keeps_what_was_chosen(room: Room) -> None:
    """If people are missing or an option does not fit, one sentence says so and all choices are kept."""
    host = room.lobby("take-a-train", ["Ann"])
    answer = room.anybody.submit(f"{host}start", {"min_raise": "100", "deck": "ours"}, host)
    assert (answer.status_code, said(answer)) == (422, say("error.player_count", least=2, most=6, players=1))
    assert 'value="100"' in answer.text and 'value="ours" checked' in answer.text
    assert room.table.snapshot().match_id == "" and room.context.lobby.waiting is not None


def test_another_game_keeps_everybody(room: Room) -> None:
    """When the host chooses another game, the people, the room and the choices for the first game stay."""
    host = room.lobby("take-a-train", ["Ann", "Bo"])
    room.anybody.submit(f"{host}choices", {"min_raise": "100"}, host)
    pin = lobby_of(room).room
    assert room.anybody.submit("/lobby", {"game": GAME}).headers["Location"] == host
    assert (lobby_of(room).game, people(room), lobby_of(room).room) == (GAME, ["Ann", "Bo"], pin)
    room.anybody.submit("/lobby", {"game": "take-a-train"})
    assert 'value="100"' in room.anybody.read(host)


def test_the_same_people_as_last_time_are_one_tap(room: Room) -> None:
    """For another game after a match, one tap restores names, colours, faces, bots, phones and PINs."""
    host = room.lobby("game-of-trains", [])
    room.anybody.tap(host, "add", {"name": "Jane", "device": "phone"})
    bill, page = arrive(room, "Bill", "green", "owl")
    room.anybody.tap(host, "add", {"device": "bot"})
    own = room.anybody.submit(f"{host}start", {"deck": "dealt"}, host).headers["Location"]
    seat = bill.get(page).headers["Location"]
    assert bill.submit(f"{seat}pin", {"pin": "4321"}, seat).status_code == 303
    room.table.leave()
    room.context.new_match()
    second = room.anybody.submit("/lobby", {"game": GAME}).headers["Location"]
    assert "Jane, Bill" in room.anybody.read(second)
    room.anybody.tap(second, "last")
    assert [(each.name, each.face, each.device) for each in lobby_of(room).people] == [
        ("Jane", "fox", "tablet"), ("Bill", "owl", "tablet"), ("Otto", "robot", "bot"),
    ]  # fmt: skip
    assert own.startswith("/s/")


def test_a_match_that_ended_hands_its_phones_on(room: Room) -> None:
    """Everybody's open page and PIN lead from a finished match to the next one of another game."""
    from tests.support.web.game_of_trains import opened, rise

    opened(room)
    rise(room)
    assert room.table.snapshot().over
    old = list(room.seats)
    host = room.anybody.submit("/lobby", {"game": GAME}).headers["Location"]
    room.anybody.tap(host, "last")
    devices = [each.device for each in lobby_of(room).people]
    assert devices == ["phone"] * len(old)
    answer = room.anybody.submit(f"{host}start", {"deck": "dealt"}, host)
    assert answer.status_code == 303
    match = room.table.snapshot().match_id
    for seat, page in enumerate(old[:-1]):  # the host's page now uses the last one's browser
        viewer = room.context.viewer(page.split("/")[2])
        assert viewer is not None and (viewer.match, viewer.seat) == (match, seat)
        assert room.anybody.get(page).status_code == 200


def begun_with_bill(room: Room) -> tuple[str, Visitor, str, str]:
    """Begin a match with Ann, who has no phone, and Bill; return the host's page, Bill, his seat and the room's PIN."""
    host = room.lobby(GAME, ["Ann"])
    bill, page = arrive(room, "Bill")
    pin = lobby_of(room).room
    room.anybody.submit(f"{host}start", {"deck": "dealt"}, host)
    host = host_page(room.anybody)
    seat = bill.get(page).headers["Location"]
    return host, bill, seat, pin


def test_a_seat_without_a_pin_opens_elsewhere_only_through_the_host(room: Room) -> None:
    """A seat without a PIN accepts none; the host lets another device in, which then sets a PIN."""
    host, bill, seat, pin = begun_with_bill(room)
    other = room.visitor()
    for code in ("0000", "1234"):
        answer = other.submit("/join", {"room": pin, "seat": "1", "pin": code}, "/join")
        assert (answer.status_code, said(answer)) == (403, say("error.no_pin"))
    other.submit("/knock", {"seat": "1", "name": "Bill"}, "/join")
    (found,) = room.context.knocks.waiting("1")
    room.anybody.tap(host, "knock", {"number": str(found.number), "on": "1"})
    answer = other.submit("/join", {"room": pin, "seat": "1", "pin": "2468"}, "/join")
    assert answer.headers["Location"].startswith("/s/") and bill.get(seat).status_code == 404
    assert bill.submit("/join", {"room": pin, "seat": "1", "pin": "2468"}, "/join").status_code == 303


def test_people_and_host_may_set_a_pin_of_their_own(room: Room) -> None:
    """People and the host can set a PIN on their own pages and use it on any device."""
    host, bill, seat, pin = begun_with_bill(room)
    assert bill.submit(f"{seat}pin", {"pin": "12"}, seat).status_code == 422
    assert bill.submit(f"{seat}pin", {"pin": "1234"}, seat).headers["Location"] == "./"
    assert say("own_pin.kept") in bill.read(seat)
    other = room.visitor()
    assert other.submit("/join", {"room": pin, "seat": "1", "pin": "1234"}, "/join").status_code == 303
    assert other.submit("/host", {"pin": "135790"}, "/host").status_code == 403
    assert room.anybody.submit(f"{host}pin", {"pin": "12"}, host).status_code == 422
    assert room.anybody.submit(f"{host}pin", {"pin": "135790"}, host).status_code == 303
    assert other.submit("/host", {"pin": "135790"}, "/host").headers["Location"].startswith("/h/")


def test_a_browser_finds_its_own_pages_again(room: Room) -> None:
    """The first page leads a browser back to its lobby, seat or host's page, but not to a freed seat."""
    host = room.lobby(GAME, ["Ann"])
    bill, page = arrive(room, "Bill")
    assert f'href="{page}"' in bill.read("/") and f'href="{host}"' in room.anybody.read("/")
    room.anybody.submit(f"{host}start", {"deck": "dealt"}, host)
    room.anybody.get(host)
    host = host_page(room.anybody)
    seat = bill.get(page).headers["Location"]
    assert f'href="{seat}"' in bill.read("/") and f'href="{seat}"' in bill.read("/join")
    room.anybody.tap(host, "free", {"seat": "1"})
    assert seat not in bill.read("/") and bill.get(page).status_code == 404


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_face_has_a_drawing_and_a_word(room: Room, lang: str) -> None:
    """Each of the twelve faces has a drawing and a name."""
    drawn = (Path("web") / "static" / "img" / "faces.svg").read_text(encoding="utf-8")
    names = [words(lang)(f"face.{face}") for face in FACES]
    assert len(FACES) == 12 and len(set(names)) == 12
    assert re.findall(r'<symbol id="face-(\w+)"', drawn) == list(FACES)


def test_what_nobody_can_read_is_no_lobby(room: Room) -> None:
    """A record that cannot be read, such as a newer companion's, counts as no lobby."""
    room.table.keep("web.lobby", b'{"id": 7}')
    assert LobbyKeeper(room.context.access).last is None


def test_an_open_page_costs_nothing_while_nothing_changes(room: Room) -> None:
    """While nothing changes, the answers to open pages have no body."""
    host = room.lobby(GAME, ["Ann"])
    found = re.search(r'data-seen="([^"]+)"', room.anybody.read(host))
    assert found is not None
    answer = room.anybody.get(f"{host}now?seen={found[1]}")
    assert (answer.status_code, answer.data, "X-Go" in answer.headers) == (204, b"", False)
    shown = re.search(r'data-seen="([^"]*)"', room.visitor().read("/"))
    assert shown is not None and "X-Go" not in room.visitor().get(f"/now?seen={shown[1]}").headers
    arrive(room, "Bo")
    assert room.visitor().get(f"/now?seen={shown[1]}").headers["X-Go"] == "/"
    assert urljoin(host, "now").startswith("/l/")


def test_a_match_begun_by_a_program_has_no_faces(room: Room) -> None:
    """The header of a match that a program begins contains no faces."""
    room.set_up(2)
    assert [each[3] for each in seats_of(room)] == [UNSET, UNSET]


def test_a_look_that_is_taken_keeps_the_host_on_the_hosts_page(room: Room) -> None:
    """The host's page says who has the chosen face, and still offers to start."""
    host = room.lobby(GAME)
    assert room.anybody.tap(host, "add", {"name": "Jane", "device": "phone"}).status_code == 200
    arrive(room, "Bill", "green", "owl")
    answer = room.anybody.submit(f"{host}looks", {"name": "Jane", "colour": "red", "face": "owl"}, host)
    assert answer.status_code == 422 and say("lobby.taken_face", name="Bill") in unescape(answer.text)
    assert "data-start" in answer.text


@pytest.mark.parametrize("action", ["quit", "looks"])
def test_a_lobby_that_closed_meanwhile_says_so(room: Room, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who acts just after the lobby closed gets a sentence instead of an error."""
    room.lobby(GAME)
    bill, page = arrive(room, "Bill")

    def closed(make: object) -> Lobby:
        raise NoLobby

    monkeypatch.setattr(room.context.lobby, "change", closed)
    answer = bill.submit(f"{page}{action}", {"name": "Bill"}, page)
    assert (answer.status_code, say("lobby.gone") in unescape(answer.text)) == (404, True)
