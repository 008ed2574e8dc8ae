"""Test a rematch of the same people: one tap starts it, and everybody's page leads to it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import msgspec
import pytest

from companion.engine import Setup
from companion.journal import database
from tests.support.web.finished import finished, play_on, seat_people
from tests.support.web.visitors import Room, said
from web.live.channels import ChannelKey
from web.live.hub import MOVED
from web.views.again import further_setup
from web.words import words


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Yield a finished match of three people with all seats taken; a bot plays the last seat."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    finished(tmp_path, "game-of-trains")
    with Room(tmp_path) as found:
        seat_people(found)
        yield found


def again(room: Room, page: str, match: str) -> Any:
    """Tap the rematch button on a page that shows this match."""
    return room.anybody.tap(page, "again", {"match": match})


def test_one_tap_begins_a_further_match_with_everything_as_it_was(room: Room) -> None:
    """A rematch keeps the game, options, people, bots and addresses; only the shuffle changes."""
    access = room.context.access
    access.free("1", 2)
    room.context.seating.set_bot(2, True)
    watching = room.page("watch")
    tablet = room.page("tablet")
    before = room.table.snapshot().setup
    answer = again(room, room.host, "1")
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "./")
    snapshot = room.table.snapshot()
    after = snapshot.setup
    assert (snapshot.match_id, snapshot.over) == ("2", False)
    assert before is not None and after is not None
    assert (after.game, after.players, after.options) == (before.game, before.players, before.options)
    assert after.deck == before.deck and after.seed_hash != before.seed_hash
    assert msgspec.json.encode(after.catalogue) == msgspec.json.encode(before.catalogue)
    for page in (room.host, *room.seats[:2], watching, tablet):
        assert room.anybody.get(page).status_code == 200, page
    assert room.anybody.get(room.seats[2]).status_code == 404  # its player left the seat before
    old, new = access.credentials("1"), access.credentials("2")
    assert old is not None and new is not None
    assert (new.room, new.host, new.pins, new.bots) == (old.room, old.host, old.pins, (2,))
    assert room.context.seating.bots is not None and room.context.seating.bots.seats == {2}


def test_a_further_match_is_played_by_todays_rulings() -> None:
    """A rematch of a match from before a ruling is played by today's ruling."""
    earlier = Setup("express", 4, rulings=())
    assert further_setup(earlier).held(("sum_of_cars",)) == ("sum_of_cars",)


def test_what_leads_on_leads_on_again_and_after_a_restart(room: Room) -> None:
    """A rematch of a rematch, and one after a restart, lead everybody on, including spectators with unstored tokens."""
    watching = room.page("watch")
    for match in ("1", "2"):
        assert again(room, room.host, match).status_code == 204
        if match == "1":
            play_on(room)
    room.restart()
    assert room.table.snapshot().match_id == "3"
    for page in (room.host, *room.seats, watching, room.page("watch")):
        assert room.anybody.get(page).status_code == 200, page


def test_the_shared_tablet_begins_and_seats_do_not(room: Room) -> None:
    """The host's page and the shared tablet have the button; a seat has neither the button nor the right."""
    tablet = room.page("tablet")
    say = words("en")
    for page in (tablet, room.host):
        assert say("again.play") in room.anybody.read(page)
    assert say("again.play") not in room.anybody.read(room.seats[0])
    assert again(room, room.seats[0], "1").status_code in (403, 404)
    assert again(room, tablet, "1").status_code == 204
    assert room.table.snapshot().match_id == "2"
    assert say("again.play") not in room.anybody.read(tablet)


def test_a_second_tap_leads_to_the_match_of_the_first(room: Room) -> None:
    """If host and tablet tap at the same moment, one rematch begins and both pages are led to it."""
    tablet = room.page("tablet")
    pages = (room.host, tablet)
    tokens = [room.anybody.token(page) for page in pages]
    together = Barrier(2)

    def send(number: int) -> Any:
        together.wait()
        client = room.visitor().client
        client._cookies = room.anybody.client._cookies
        form = {"csrf": tokens[number], "match": "1"}
        return client.post(f"{pages[number]}again", data=form, headers={"HX-Request": "true"})

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(send, range(2)))
    assert [(each.status_code, each.headers.get("HX-Redirect")) for each in answers] == [(204, "./")] * 2
    assert again(room, room.host, "1").headers["HX-Redirect"] == "./"
    assert [match.id for match in room.table.matches()] == ["2", "1"]


def test_while_a_match_runs_the_tap_is_refused_with_a_sentence(room: Room) -> None:
    """A tap during a match is refused with a sentence and changes nothing."""
    again(room, room.host, "1")
    answer = again(room, room.host, "2")
    assert (answer.status_code, said(answer)) == (409, words("en")("again.runs"))
    assert (room.table.snapshot().match_id, len(room.table.matches())) == ("2", 2)


def test_open_pages_learn_at_once_and_ask_for_the_further_match(room: Room) -> None:
    """The last message of a stream reports the rematch, and a request with the old match's number is told to reload."""
    key = ChannelKey("1", "seat", 0, "en")
    opened = room.context.hub.open(key, "token/page", "")
    assert opened is not None
    again(room, room.host, "1")
    stream, _ = opened
    sent = []
    while len(stream.outbox):
        sent.append(stream.outbox.get())
    assert sent == [MOVED, None]
    page = room.seats[0]
    assert room.anybody.get(f"{page}stream?page=x&match=1").status_code == 205
    assert room.anybody.get(f"{page}stream?page=x&match=2").status_code == 200
    assert 'data-match="2"' in room.anybody.get(page).text
