"""Who is who: tokens, PINs, guessing, and seats that change hands."""

from __future__ import annotations

import re

import pytest

from tests.web.visitors import HOST_PIN, Room, said
from web import access
from web.access import Access, Viewer
from web.pin_limits import FREE_TRIES, Device
from web.sentences import words


class Cupboard:
    """Keeps things in memory."""

    def __init__(self) -> None:
        self.things: dict[str, bytes] = {}

    def keep(self, key: str, value: bytes | None) -> None:
        """Keep a thing."""
        if value is None:
            self.things.pop(key)
        else:
            self.things[key] = value

    def kept(self, key: str) -> bytes | None:
        """Return a thing."""
        return self.things.get(key)


def test_tokens_and_pins_are_not_kept_as_they_are(game: Room) -> None:
    """Neither tokens nor PINs of seats and hosts can be read out of the data folder; hashes can."""
    game.page("tablet")
    tokens = [page.strip("/").split("/")[1] for page in (*game.seats, game.host)]
    doors = game.table.kept("web.doors.1") or b""
    files = b"".join(file.read_bytes() for file in game.folder.iterdir())
    for token in tokens:
        assert len(token) == 43
        assert token.encode() not in files and token.encode() not in doors
        assert access.digest(token).encode() in doors
    assert HOST_PIN.encode() not in re.sub(rb"[0-9a-f]{32}:[0-9a-f]{64}|[0-9a-f]{64}", b"", doors)


def test_pages_and_forms_survive_a_restart(game: Room) -> None:
    """After the companion was restarted every page goes on where it was, with the token it had."""
    token = game.anybody.token(game.seats[0])
    game.restart()
    answer = game.anybody.client.post(
        game.seats[0] + "propose",
        data={"csrf": token, "event": "starter_named", "seat": "1"},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 204
    assert game.anybody.get(game.host).status_code == 200


def test_a_seat_that_is_taken_needs_its_pin(game: Room) -> None:
    """On another device a seat opens with its own PIN alone, and then leaves the first device."""
    phone = game.visitor()
    assert game.join(1, "0000", phone).status_code == 403
    answer = game.join(1, "1111", phone)
    assert answer.status_code == 303
    assert phone.get(answer.headers["Location"]).status_code == 200
    gone = game.anybody.get(game.seats[1])
    assert gone.status_code == 404
    assert said(gone) == words("en")("error.gone")


def test_a_wrong_room_pin_lets_nobody_in(game: Room) -> None:
    """Without the room's PIN nobody takes a seat, watches, or becomes the tablet."""
    wrong = f"{(int(game.pin) + 1) % 10**6:06d}"
    for path in ("/join", "/watch", "/tablet"):
        answer = game.anybody.submit(path, {"room": wrong, "seat": "0", "pin": "1110"}, "/join")
        assert answer.status_code in (403, 429)


def test_guessing_a_seats_pin_takes_longer_and_longer(game: Room) -> None:
    """After three wrong PINs one must wait, the sentence says how long, and the right PIN does not help before."""
    answers = [game.join(1, f"900{n}", game.visitor()) for n in range(FREE_TRIES + 1)]
    assert [answer.status_code for answer in answers] == [403] * FREE_TRIES + [429]
    assert said(answers[-1]) == words("en")("error.wait", seconds=5)
    assert game.join(1, "1111", game.visitor()).status_code == 429
    assert game.join(2, "1112", game.visitor()).status_code == 303


def test_a_wrong_pin_costs_the_same_whoever_sits_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a seat that nobody has as much is computed as for one that somebody has, so time tells nothing."""
    doors = Access(Cupboard())
    doors.open_doors("1", "1234")
    doors.claim("1", 0, "1111")
    asked: list[str] = []
    real = access.opens
    monkeypatch.setattr(access, "opens", lambda pin, kept: asked.append(kept) or real(pin, kept))
    assert not doors.enter_seat("1", 0, "2222", Device("a"))
    assert not doors.enter_seat("1", 5, "2222", Device("a"))
    assert not doors.enter_host("2", "2222", Device("a"))
    assert len(asked) == 3 and all(len(kept) == len(asked[0]) for kept in asked)


@pytest.mark.parametrize("pin", ["", "1", "12345", "abcd", "１２３４", "12 4"])
def test_a_pin_has_four_digits(room: Room, pin: str) -> None:
    """Anything else is no PIN, and nobody sits down with it."""
    room.set_up()
    answer = room.join(0, pin) if pin else room.anybody.submit("/join", {"room": room.pin, "seat": "0"}, "/join")
    assert answer.status_code == 422
    assert said(answer) == words("en")("error.pin_digits", digits=4)


@pytest.mark.parametrize("seat", ["3", "-1", "x", "99999999999999999999", "²"])
def test_nobody_sits_on_a_seat_that_is_not_there(game: Room, seat: str) -> None:
    """An unknown seat gets a sentence."""
    answer = game.anybody.submit("/join", {"room": game.pin, "seat": seat, "pin": "1234"}, "/join")
    assert answer.status_code == 422
    assert said(answer) == words("en")("error.no_seat", players=3)


def test_the_host_frees_a_seat_for_all_to_see(game: Room) -> None:
    """A freed seat's page ends, everybody reads it, and somebody else takes the seat with a PIN of his own."""
    assert game.anybody.tap(game.host, "free", {"seat": "1"}).status_code == 204
    assert game.anybody.get(game.seats[1]).status_code == 404
    assert words("en")("people.freed", name="Bill") in game.anybody.read(game.seats[0])
    assert game.join(1, "5555", game.visitor()).status_code == 303
    assert words("en")("people.freed", name="Bill") not in game.anybody.read(game.seats[0])


def test_a_token_opens_its_own_kind_of_page_alone(game: Room) -> None:
    """A seat's token is no host's, no tablet's and no handed-over seat's."""
    token = game.seats[0].strip("/").split("/")[1]
    tablet = game.page("tablet")
    for path in (f"/h/{token}/", f"/t/{token}/", f"/w/{token}/", f"{tablet}s/{token}/"):
        assert game.anybody.get(path).status_code == 404


def test_the_shared_tablet_is_handed_over_by_pin(game: Room) -> None:
    """A seat's PIN opens its page on the tablet beside its phone's; hiding ends it, and only it."""
    tablet = game.page("tablet")
    assert game.anybody.submit(tablet + "hand", {"seat": "1", "pin": "0000"}, tablet).status_code == 403
    answer = game.anybody.submit(tablet + "hand", {"seat": "1", "pin": "1111"}, tablet)
    own = tablet + answer.headers["Location"]
    page = game.anybody.get(own)
    assert page.status_code == 200 and 'data-handed="30"' in page.text
    assert game.anybody.get("/s/" + own.rstrip("/").rpartition("/")[2] + "/").status_code == 404
    assert game.anybody.tap(own, "hide").headers["HX-Redirect"] == "../../"
    assert game.anybody.get(own).status_code == 404
    assert game.anybody.get(game.seats[1]).status_code == 200


def test_only_the_host_takes_a_running_game_away(game: Room) -> None:
    """While a game runs nobody sets up or resumes another; the host takes it off the table, and it can go on later."""
    assert game.anybody.get("/setup").status_code == 409
    refused = game.anybody.submit("/setup", game.form())
    assert refused.status_code == 409 and said(refused) == words("en")("error.game_runs")
    assert game.anybody.tap(game.host, "leave").status_code == 409
    assert game.anybody.tap(game.host, "leave", {"sure": "1"}).headers["HX-Redirect"] == "/"
    assert game.anybody.get(game.seats[0]).status_code == 404
    assert game.anybody.submit("/past/1/resume", {"pin": "0000"}, "/past/").status_code == 403
    again = game.anybody.submit("/past/1/resume", {"pin": HOST_PIN}, "/past/")
    assert again.status_code == 303
    assert game.anybody.get(game.seats[0]).status_code == 200


def test_the_host_comes_back_with_the_hosts_pin(game: Room) -> None:
    """The host's PIN opens the host's page on any device; no other PIN does."""
    phone = game.visitor()
    assert phone.submit("/host", {"pin": "1110"}, "/host").status_code == 403
    answer = phone.submit("/host", {"pin": HOST_PIN}, "/host")
    assert phone.get(answer.headers["Location"]).status_code == 200


def test_a_viewer_says_who_it_is() -> None:
    """A seat acts under its number, others under their role."""
    assert Viewer("seat", "1", 2).by == "seat:2"
    assert Viewer("host", "1").by == "host"


def test_a_player_without_a_phone_takes_a_seat_on_the_shared_tablet(room: Room) -> None:
    """One tablet is enough: a free seat is taken there with a new PIN, which then opens it and nothing else does."""
    room.set_up()
    tablet = room.page("tablet")
    few = room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "12"}, tablet)
    assert few.status_code == 422 and room.house.access.doors(room.table.snapshot().match_id).pins == {}
    own = tablet + room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "7531"}, tablet).headers["Location"]
    assert 'data-handed="30"' in room.anybody.get(own).text
    assert room.anybody.tap(own, "hide").headers["HX-Redirect"] == "../../"
    assert room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "1111"}, tablet).status_code == 403
    assert room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "7531"}, tablet).status_code == 303
