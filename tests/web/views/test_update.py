"""Test the host's page for updates: who may upload a package, when it is refused, and what the page reports."""

from __future__ import annotations

import os
from html import unescape
from pathlib import Path

import pytest

from companion.ops.update import asking
from companion.ops.update.asking import Outcome, Said
from companion.ops.update.places import Places
from companion.ops.update.sentences import sentence
from tests.support.web.served import served
from tests.support.web.updates import lay_machine, package_form
from tests.support.web.visitors import Room
from web.app import body_limits
from web.security.csrf import MAX_BODY
from web.views.update import LARGEST
from web.words import words

SAY = words("en")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Return a machine on which pages can install updates."""
    return lay_machine(tmp_path, monkeypatch)


@pytest.fixture
def aside(game: Room) -> Room:
    """Return a room whose game was taken off the table for an update."""
    answer = game.anybody.submit(f"{game.host}update-leave", {}, f"{game.host}update")
    assert (answer.status_code, answer.headers["Location"]) == (303, "update")
    assert not game.table.snapshot().match_id
    return game


def bring(room: Room, content: bytes = b"a package") -> tuple[int, str]:
    """Upload a package as the host, and return the status and the text of the answer."""
    answer = room.anybody.submit(f"{room.host}update", package_form(content), f"{room.host}update")
    return answer.status_code, unescape(answer.text)


def test_a_host_brings_a_package_and_root_is_asked(places: Places, aside: Room) -> None:
    """The complete package is in the table's own file before the request is written."""
    assert 'type="file"' in aside.anybody.read(f"{aside.host}update")
    assert bring(aside)[0] == 303
    assert places.upload.read_bytes() == b"a package" and places.request.read_text() == asking.ASKED
    assert places.upload.parent.stat().st_mode & 0o077 == 0
    page = aside.anybody.read(f"{aside.host}update")
    assert sentence("asked") in page and "data-updating" in page and 'type="file"' not in page


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_during_a_game_nothing_is_installed(places: Places, game: Room, lang: str) -> None:
    """During a game the page names the game and its players and how to end it or take it off, and refuses the form."""
    say = words(lang)
    page = game.visitor(lang).read(f"{game.host}update")
    names = ", ".join(player.name for player in game.table.snapshot().setup.players)  # type: ignore[union-attr]
    assert say("update.game", game=words(lang, "companion.games.take_a_train")("game.title"), names=names) in page
    assert say("update.ways") in page and 'action="update-leave"' in page and 'type="file"' not in page
    code, text = bring(game)
    assert code == 409 and SAY("update.ways") in text
    assert not places.upload.exists() and not places.request.exists()


def test_a_game_taken_off_the_table_can_go_on(places: Places, aside: Room) -> None:
    """After the table's restart, the host of a game that was taken off still reaches the page, which links to past
    games."""
    aside.restart()
    page = aside.anybody.read(f"{aside.host}update")
    assert SAY("update.kept") in page and 'href="/past/"' in page and 'type="file"' in page
    (match,) = [each for each in aside.table.matches() if each.ended is None]
    assert aside.anybody.get(f"/past/{match.id}/").status_code == 200


def test_only_a_host_may_bring_anything(places: Places, aside: Room) -> None:
    """Neither a seat nor the tablet nor anybody else can upload a package, even without a game on the table."""
    for page in (*aside.seats, "/h/nobody/"):
        for path in (page, page.replace("/s/", "/h/")):
            assert aside.anybody.get(f"{path}update").status_code == 404
            answer = aside.anybody.submit(f"{path}update", package_form(), f"{aside.host}update")
            assert answer.status_code in (403, 404, 405)
    assert not places.request.exists()


def test_a_form_that_no_page_gave_out_brings_nothing(places: Places, aside: Room) -> None:
    """A form with a wrong token, or from another site, uploads nothing."""
    client, path = aside.anybody.client, f"{aside.host}update"
    assert client.post(path, data={**package_form(), "csrf": "x"}).status_code == 403
    form = {**package_form(), "csrf": aside.anybody.token(path)}
    assert client.post(path, data=form, headers={"Origin": "http://elsewhere"}).status_code == 403
    assert not places.request.exists()


def test_where_there_is_no_key_nothing_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Room) -> None:
    """Without a key, Check has no link, the page says so, and the form is refused."""
    places = lay_machine(tmp_path, monkeypatch, key=False)
    assert 'href="update"' not in game.anybody.read(f"{game.host}check")
    assert SAY("update.not_offered") in game.anybody.read(f"{game.host}update")
    game.table.leave()
    game.context.new_match()
    code, text = bring(game)
    assert code == 409 and sentence("no_key") in text and not places.upload.exists()


def test_check_leads_there(places: Places, game: Room) -> None:
    """With a key, Check links to the page."""
    assert 'href="update"' in game.anybody.read(f"{game.host}check")


def test_a_form_without_a_file_is_sent_back(places: Places, aside: Room) -> None:
    """A form without a file is answered with a sentence."""
    answer = aside.anybody.submit(f"{aside.host}update", {}, f"{aside.host}update")
    assert answer.status_code == 422 and SAY("update.no_file") in unescape(answer.text)
    assert not places.request.exists()


def test_a_second_package_waits_for_the_first(places: Places, aside: Room) -> None:
    """A second package is refused while the first one is installed."""
    assert bring(aside)[0] == 303
    code, text = bring(aside, b"another")
    assert code == 409 and sentence("busy") in text and places.upload.read_bytes() == b"a package"


def test_each_stage_and_the_end_are_told(places: Places, aside: Room) -> None:
    """An open page can ask for a mark that changes with each stage; the end has a sentence, and then another upload
    is possible."""
    host, marks = f"{aside.host}update", []
    for said in (Outcome("running", (Said("trying"),)), Outcome("running", (Said("awaiting"),)),
                 Outcome("done", (Said("done", {"version": "0.3.0"}),))):  # fmt: skip
        asking.tell(places, said)
        marks.append(aside.anybody.get(f"{aside.host}update-now").text)
        page = aside.anybody.read(host)
        if said.going_on:
            assert f'data-mark="{marks[-1]}"' in page and 'aria-current="step"' in page
    assert len(set(marks)) == 3
    assert sentence("done", version="0.3.0") in page and 'type="file"' in page and "data-updating" not in page
    back = (Said("service_fails", {"version": "0.3.0", "service": "camera"}), Said("went_back", {"version": "0.2.0"}))
    asking.tell(places, Outcome("failed", back))
    assert "Version 0.2.0 is back" in aside.anybody.read(host)
    assert "La version 0.2.0 est de retour" in aside.visitor("fr").read(host)


def test_the_page_outlives_a_restart_of_the_table(places: Places, aside: Room) -> None:
    """The page reports the update's progress at the same address after a restart."""
    bring(aside)
    asking.take_request(places)
    asking.tell(places, Outcome("running", (Said("awaiting"),)))
    aside.restart()
    assert aside.anybody.get(f"{aside.host}update-now").text == "running-awaiting"


def test_a_full_disk_is_said(places: Places, aside: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the page gives the reason and nothing is requested."""

    def full(source: object, target: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(asking, "copy_at_most", full)
    code, text = bring(aside)
    assert code == 409 and os.strerror(28) in text and not places.request.exists()
    assert not list(places.upload.parent.iterdir())


def test_only_the_hosts_package_may_be_large(places: Places, aside: Room) -> None:
    """The server limits a request's size before it receives it, and only the host's package may be large."""
    limit = body_limits(aside.app)
    assert limit("POST", f"{aside.host}update", MAX_BODY + 1) == LARGEST
    for path in ("/h/nobody/update", f"{aside.host}update-leave", f"{aside.host}power", "/join"):
        assert limit("POST", path, MAX_BODY + 1) == MAX_BODY
    assert LARGEST < 17 * 1024 * 1024


@pytest.mark.parametrize(("size", "code"), [(MAX_BODY * 8, 303), (LARGEST + 1, 413)])
def test_a_package_comes_over_the_wire(places: Places, aside: Room, size: int, code: int) -> None:
    """The server receives a package over HTTP, and refuses one that is too large."""
    import http.client
    from urllib.parse import urlsplit

    path = f"{aside.host}update"
    form = f'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{aside.anybody.token(path)}\r\n--x\r\n'
    form += 'Content-Disposition: form-data; name="package"; filename="a.deb"\r\n\r\n'
    body = form.encode() + b"p" * size + b"\r\n--x--\r\n"
    cookie = aside.anybody.client.get_cookie("visit")
    assert cookie is not None
    with served(aside.app) as address:
        connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": f"visit={cookie.value}"}
        try:
            connection.request("POST", path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            assert code == 413  # the server has closed the connection
        assert connection.getresponse().status == code
        connection.close()
    assert places.upload.exists() == (code == 303)
