"""Test identity: tokens, PINs, guessing, and seats that change hands."""

from __future__ import annotations

import re
import sqlite3
import stat
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion import cli
from companion.i18n import LANGUAGES
from companion.match.actor import Actor
from companion.ops.host_pin import REQUEST, HostPinRequest, hash_pin
from tests.support.web.visitors import HOST_PIN, Room, said
from web.security import access
from web.security.access import Access, Viewer
from web.security.credentials import MOST, Credentials
from web.security.pin_limits import FREE_TRIES, Device
from web.words import words


class Cupboard:
    """A store of values in memory."""

    def __init__(self) -> None:
        self.things: dict[str, bytes] = {}
        self.writes = 0

    def keep_all(self, values: Mapping[str, bytes | None]) -> None:
        """Store values."""
        self.writes += 1
        for key, value in values.items():
            if value is None:
                self.things.pop(key)
            else:
                self.things[key] = value

    def read_value(self, key: str) -> bytes | None:
        """Return a value."""
        return self.things.get(key)

    def read_values(self, prefix: str) -> dict[str, bytes]:
        """Return values whose keys have a prefix."""
        return {key: value for key, value in self.things.items() if key.startswith(prefix)}


def test_tokens_and_pins_are_not_kept_as_they_are(game: Room) -> None:
    """The data folder contains only hashes of tokens and of the PINs of seats and hosts."""
    game.page("tablet")
    tokens = [page.strip("/").split("/")[1] for page in (*game.seats, game.host)]
    doors = game.table.read_value("web.doors.1") or b""
    files = b"".join(file.read_bytes() for file in game.folder.iterdir())
    for token in tokens:
        assert len(token) == 43
        assert token.encode() not in files and token.encode() not in doors
        assert game.table.read_value(f"web.token.1.{access.digest(token)}")
    assert HOST_PIN.encode() not in re.sub(rb"[0-9a-f]{32}:[0-9a-f]{64}|[0-9a-f]{64}", b"", doors)


def test_pages_and_forms_survive_a_restart(game: Room) -> None:
    """After a restart every page works with its old token."""
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
    """On another device a seat opens only with its own PIN, and the first device then loses the seat."""
    phone = game.visitor()
    assert game.join(1, "0000", phone).status_code == 403
    answer = game.join(1, "1111", phone)
    assert answer.status_code == 303
    assert phone.get(answer.headers["Location"]).status_code == 200
    gone = game.anybody.get(game.seats[1])
    assert gone.status_code == 404
    assert said(gone) == words("en")("error.gone")


def test_a_wrong_room_pin_lets_nobody_in(game: Room) -> None:
    """Without the room's PIN a visitor cannot take a seat, watch, or become the tablet."""
    wrong = f"{(int(game.pin) + 1) % 10**6:06d}"
    for path in ("/join", "/watch", "/tablet"):
        answer = game.anybody.submit(path, {"room": wrong, "seat": "0", "pin": "1110"}, "/join")
        assert answer.status_code in (403, 429)


def test_guessing_a_seats_pin_takes_longer_and_longer(game: Room) -> None:
    """After three wrong PINs a visitor must wait, the sentence says how long, and even the right PIN is refused
    until then."""
    answers = [game.join(1, f"900{n}", game.visitor()) for n in range(FREE_TRIES + 1)]
    assert [answer.status_code for answer in answers] == [403] * FREE_TRIES + [429]
    assert said(answers[-1]) == words("en")("error.wait", seconds=5)
    assert game.join(1, "1111", game.visitor()).status_code == 429
    assert game.join(2, "1112", game.visitor()).status_code == 303


def test_a_wrong_pin_costs_the_same_at_every_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checking a PIN takes the same work for a free seat as for a taken one, so that timing reveals nothing."""
    doors = Access(Cupboard())
    doors.open_match("1", "1234")
    doors.claim("1", 0, "1111")
    asked: list[str] = []
    real = access.pin_matches
    monkeypatch.setattr(access, "pin_matches", lambda pin, kept: asked.append(kept) or real(pin, kept))
    assert not doors.enter_seat("1", 0, "2222", Device("a"))
    assert not doors.enter_seat("1", 5, "2222", Device("a"))
    assert not doors.enter_host("2", "2222", Device("a"))
    assert len(asked) == 3 and all(len(kept) == len(asked[0]) for kept in asked)


@pytest.mark.parametrize("pin", ["", "1", "12345", "abcd", "１２３４", "12 4"])
def test_a_pin_has_four_digits(room: Room, pin: str) -> None:
    """A PIN must have four digits, and any other one is invalid and opens no seat."""
    room.set_up()
    answer = room.join(0, pin) if pin else room.anybody.submit("/join", {"room": room.pin, "seat": "0"}, "/join")
    assert answer.status_code == 422
    assert said(answer) == words("en")("error.pin_digits", digits=4)


@pytest.mark.parametrize("seat", ["3", "-1", "x", "99999999999999999999", "²"])
def test_nobody_sits_on_a_seat_that_is_not_there(game: Room, seat: str) -> None:
    """An unknown seat is refused with a sentence."""
    answer = game.anybody.submit("/join", {"room": game.pin, "seat": seat, "pin": "1234"}, "/join")
    assert answer.status_code == 422
    assert said(answer) == words("en")("error.no_seat", players=3)


def test_the_host_frees_a_seat_for_all_to_see(game: Room) -> None:
    """A freed seat's page ends, every page says so, and another person can take the seat with a new PIN."""
    assert game.anybody.tap(game.host, "free", {"seat": "1"}).status_code == 204
    assert game.anybody.get(game.seats[1]).status_code == 404
    assert words("en")("people.freed", name="Bill") in game.anybody.read(game.seats[0])
    assert game.join(1, "5555", game.visitor()).status_code == 303
    assert words("en")("people.freed", name="Bill") not in game.anybody.read(game.seats[0])


def test_a_token_opens_its_own_kind_of_page_alone(game: Room) -> None:
    """A seat's token does not open the page of the host, a tablet or a handed-over seat."""
    token = game.seats[0].strip("/").split("/")[1]
    tablet = game.page("tablet")
    for path in (f"/h/{token}/", f"/t/{token}/", f"/w/{token}/", f"{tablet}s/{token}/"):
        assert game.anybody.get(path).status_code == 404


def test_the_shared_tablet_is_handed_over_by_pin(game: Room) -> None:
    """A seat's PIN opens its page on the tablet as well as on its phone, and hiding ends only the tablet's page."""
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
    """During a game only the host can set up or resume another one, after taking the game off the table."""
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
    """The host's PIN opens the host's page on any device, and no other PIN does."""
    phone = game.visitor()
    assert phone.submit("/host", {"pin": "1110"}, "/host").status_code == 403
    answer = phone.submit("/host", {"pin": HOST_PIN}, "/host")
    assert phone.get(answer.headers["Location"]).status_code == 200


def test_a_viewer_says_who_it_is() -> None:
    """A seat acts under its number, and other viewers act under their role."""
    assert Viewer("seat", "1", 2).by == Actor.at_seat(2)
    assert Viewer("host", "1").by == Actor.HOST


def test_a_player_without_a_phone_takes_a_seat_on_the_shared_tablet(room: Room) -> None:
    """A player without a phone takes a free seat on the tablet with a new PIN, which alone opens it afterwards."""
    room.set_up()
    tablet = room.page("tablet")
    few = room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "12"}, tablet)
    assert few.status_code == 422 and room.context.access.credentials(room.table.snapshot().match_id).pins == {}
    own = tablet + room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "7531"}, tablet).headers["Location"]
    assert 'data-handed="30"' in room.anybody.get(own).text
    assert room.anybody.tap(own, "hide").headers["HX-Redirect"] == "../../"
    assert room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "1111"}, tablet).status_code == 403
    assert room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "7531"}, tablet).status_code == 303


# --- storage --------------------------------------------------------------------------------------


def test_spectators_are_not_kept(game: Room) -> None:
    """Spectators are not stored; after a restart their tokens still open this match's pages for spectators only."""
    written: list[object] = []
    real = game.context.access.store.keep_all
    game.context.access.store.keep_all = written.append  # type: ignore[method-assign,assignment]
    pages = [game.page("watch") for _ in range(20)]
    game.context.access.store.keep_all = real  # type: ignore[method-assign]
    assert written == [] and len(set(pages)) == 20
    game.restart()
    token = pages[0].strip("/").split("/")[1]
    assert game.anybody.get(pages[0]).status_code == 200
    for page in (f"/h/{token}/", f"/t/{token}/", f"/s/{token}/", f"/w/{token[:-2]}AA/", "/w/x/", f"/w/{token}A/"):
        assert game.anybody.get(page).status_code == 404
    assert game.context.access.viewer(token, "2") is None


def test_one_more_token_writes_one_token() -> None:
    """A new viewer stores only their own token, and ending it deletes only that."""
    cupboard = Cupboard()
    doors = Access(cupboard)
    doors.open_match("1", "1234")
    doors.claim("1", 0, "1111")
    tokens = [doors.admit(Viewer("table", "1")) for _ in range(3)]
    before = dict(cupboard.things)
    token = doors.admit(Viewer("seat", "1", 0))
    assert cupboard.things.keys() - before.keys() == {f"web.token.1.{access.digest(token)}"}
    assert {key: cupboard.things[key] for key in before} == before
    doors.dismiss(token, "1")
    assert cupboard.things == before
    again = Access(cupboard)
    assert all(again.viewer(each, "1") == Viewer("table", "1") for each in tokens)
    assert again.viewer(token, "1") is None


def test_only_so_many_devices_have_a_role() -> None:
    """A further host or tablet ends the oldest one, also after a restart, together with the seats handed to that
    tablet."""
    cupboard = Cupboard()
    doors = Access(cupboard)
    doors.open_match("1", "1234")
    hosts = [doors.admit(Viewer("host", "1")) for _ in range(MOST["host"])]
    first, *tablets = [doors.admit(Viewer("table", "1")) for _ in range(MOST["table"])]
    handed = [doors.admit(Viewer("seat", "1", 0, access.digest(each))) for each in (first, tablets[0], tablets[0])]
    doors = Access(cupboard)
    new = [doors.admit(Viewer("host", "1")), doors.admit(Viewer("table", "1"))]
    alive = [each for each in (*hosts, first, *tablets, *handed, *new) if doors.viewer(each, "1")]
    assert alive == [*hosts[1:], *tablets, handed[2], *new]
    assert sum(key.startswith("web.token.") for key in cupboard.things) == len(alive)


def test_doors_of_an_older_companion_open() -> None:
    """Tokens that an older companion stored in one piece stay valid, and the next change stores them one by one."""
    cupboard = Cupboard()
    tokens = {access.digest(name): Viewer("watch" if name == "w" else "host", "1") for name in ("a", "b", "w")}
    cupboard.things["web.doors.1"] = msgspec.json.encode(Credentials("123456", hash_pin("4711"), tokens=tokens))
    doors = Access(cupboard)
    assert [doors.viewer(name, "1") for name in "abwx"] == [*tokens.values(), None]
    doors.dismiss("a", "1")
    assert not msgspec.json.decode(cupboard.things["web.doors.1"], type=Credentials).tokens
    again = Access(cupboard)
    assert [again.viewer(name, "1") for name in "abw"] == [None, *[tokens[access.digest(name)] for name in "bw"]]
    assert again.enter_host("1", "4711", Device("a"))


def test_a_bot_leaves_a_seat_in_the_commit_that_gives_it_away(room: Room) -> None:
    """A person who takes a bot's seat replaces the bot in the same commit, also after a restart."""
    room.set_up()
    assert room.anybody.tap(room.host, "bot", {"seat": "1", "on": "1"}).status_code == 204
    assert room.join(1).status_code == 303
    assert room.context.seating.bots is not None and room.context.seating.bots.seats == frozenset()
    room.restart()
    doors = room.context.access.credentials("1")
    assert doors is not None and doors.bots == () and room.context.seating.bots is None


# --- lost credentials -------------------------------------------------------------------------------


def locked_out(game: Room, how: str) -> None:
    """Damage the current game's credentials, and restart."""
    game.close()
    with closing(sqlite3.connect(game.folder / "journal.db")) as db:
        what = "DELETE FROM kept" if how == "gone" else "UPDATE kept SET value = x'00'"
        assert db.execute(f"{what} WHERE key = 'web.doors.1'").rowcount == 1
        db.commit()
    game.open()
    game.anybody = game.visitor()


@pytest.mark.parametrize("how", ["gone", "damaged"])
def test_lost_doors_are_said_everywhere_with_the_command_that_helps(
    game: Room, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Every page that would lock people out names the command that helps, in both languages, and opens nothing."""
    locked_out(game, how)
    command = f"companion host-pin --data {game.folder}"
    assert command in caplog.text
    for lang in LANGUAGES:
        said_of = words(lang)("error.doors_lost", command=command)
        anybody = game.visitor(lang)
        for page in ("/", "/host", "/join", f"/join?room={game.pin}"):
            assert said_of in anybody.read(page), page
        for path, form in (
            ("/setup", game.form()),
            ("/host", {"pin": HOST_PIN}),
            ("/join", {"room": game.pin, "seat": "1", "pin": "1111"}),
            ("/watch", {"room": game.pin}),
            ("/past/1/resume", {"pin": "999999"}),
        ):
            answer = anybody.submit(path, form)
            assert (answer.status_code, said(answer)) == (409, said_of), path
    assert game.table.snapshot().match_id == "1"


def test_pages_open_since_before_say_that_the_pins_are_lost(game: Room) -> None:
    """Old pages of a seat and of the host name the command, and everybody can open the check."""
    seat, host = game.seats[0], game.host
    locked_out(game, "gone")
    said_of = words("en")("error.doors_lost", command=f"companion host-pin --data {game.folder}")
    for page in (seat, host):
        answer = game.anybody.get(page)
        assert (answer.status_code, said(answer)) == (404, said_of), page
    assert game.anybody.get("/check").status_code == 200
    assert 'href="/host"' not in game.anybody.read("/")


def test_the_shells_command_sets_a_new_host_pin_while_the_table_runs(game: Room) -> None:
    """The next page uses the new PIN; the host enters, reads out the new room PIN, and people take their seats
    again."""
    locked_out(game, "gone")
    result = host_pin(game, "123123")
    assert result.exit_code == 0 and "match 1 (Jane, Bill, Tom)" in result.output
    request = game.folder / REQUEST
    assert stat.S_IMODE(request.stat().st_mode) == 0o600 and b"123123" not in request.read_bytes()
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 403
    assert not request.exists()
    answer = game.anybody.submit("/host", {"pin": "123123"}, "/host")
    found = re.search(r'<b class="pin">(\d+)', game.anybody.get(answer.headers["Location"]).text)
    assert found is not None
    game.pin = found.group(1)
    assert game.join(1).status_code == 303


def test_a_forgotten_host_pin_is_replaced_at_the_next_start(game: Room) -> None:
    """With intact credentials the old host's pages and PIN end, while seats and their PINs stay."""
    game.close()
    assert host_pin(game, "9999").exit_code == 0
    cookies = game.anybody.client._cookies
    game.open()
    game.anybody.client._cookies = cookies
    assert not (game.folder / REQUEST).exists()
    assert game.anybody.get(game.host).status_code == 404
    assert game.anybody.get(game.seats[0]).status_code == 200
    assert game.join(1, "1111").status_code == 303
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 403
    assert game.anybody.submit("/host", {"pin": "9999"}, "/host").status_code == 303


def test_what_the_command_cannot_do_is_a_sentence(room: Room, tmp_path: Path) -> None:
    """A missing journal, a missing or unknown game and an invalid PIN are reported, and nothing is left behind."""
    assert "There is no journal" in CliRunner().invoke(cli.main, ["host-pin", "--data", str(tmp_path / "no")]).output
    assert "There is no match on the table" in host_pin(room, "1234").output
    room.set_up()
    assert "There is no match '7'" in host_pin(room, "1234", "--match", "7").output
    for pin in ("", "123", "1234567", "abcd"):
        assert "must have 4 to 6 digits" in host_pin(room, pin).output
    assert not list(room.folder.glob("*host-pin*"))


def test_a_request_that_others_could_have_left_counts_for_nothing(game: Room) -> None:
    """A request in a file that others may write, in a link, or with invalid content is ignored, and the host's PIN
    stays."""
    mine = msgspec.json.encode(HostPinRequest("1", hash_pin("9999")))
    request, other = game.folder / REQUEST, game.folder / "other"
    other.write_bytes(mine)
    request.write_bytes(mine)
    request.chmod(0o666)
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 303
    request.unlink()
    request.symlink_to(other)
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 303
    request.unlink()
    request.write_bytes(b"{}")
    assert game.anybody.submit("/host", {"pin": HOST_PIN}, "/host").status_code == 303


def test_a_game_that_hides_something_is_nobodys_without_its_doors(game: Room) -> None:
    """A match off the table whose credentials are lost can be resumed only with a PIN from the shell."""
    game.anybody.tap(game.host, "leave", {"sure": "1"})
    locked_out(game, "gone")
    answer = game.anybody.submit("/past/1/resume", {"pin": "123456"}, "/past/")
    command = f"companion host-pin --data {game.folder} --match 1"
    assert (answer.status_code, said(answer)) == (403, words("en")("error.doors_lost", command=command))
    assert host_pin(game, "123456", "--match", "1").exit_code == 0
    assert game.anybody.submit("/past/1/resume", {"pin": "123456"}, "/past/").status_code == 303


def host_pin(room: Room, pin: str, *more: str) -> Result:
    """Run the command with the PIN piped into it."""
    return CliRunner().invoke(cli.main, ["host-pin", "--data", str(room.folder), *more], input=f"{pin}\n")
