"""Test the stage of a demonstration: all tablets over one stream, the speed, and seats that watchers take over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from werkzeug.test import TestResponse

from companion.demo_records import KEY_HEADER, KEY_VARIABLE, StageReport, StageWishes
from companion.engine import Seat
from companion.games.take_a_train.events import StarterNamed
from companion.match.actor import Actor
from tests.support.web.visitors import Room
from web.plugins.demonstration.stage import ALONE, Stage

SECRET = "a key that only the people know"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Yield a room started for a demonstration, with three people seated."""
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    with Room(tmp_path) as found:
        yield found


def report(room: Room, secret: str = SECRET, **more: object) -> TestResponse:
    """Report the addresses of people's pages."""
    where: dict[str, object] = {"pages": tuple(room.seats), "table": room.page("tablet"), "host": room.host}
    data = msgspec.json.encode(msgspec.convert(where | more, StageReport))
    return room.anybody.client.post("/stage/people", data=data, headers={KEY_HEADER: secret})


def seated(room: Room) -> StageWishes:
    """Seat three people, report them, and return the watchers' wishes."""
    room.set_up(3, deck="ours")
    room.join_all()
    answer = report(room, doing="playing", events=7, cards=12)
    assert answer.status_code == 200
    return msgspec.json.decode(answer.data, type=StageWishes)


def streamed(room: Room) -> list[str]:
    """Return the blocks that the stage's stream sends immediately."""
    answer = room.anybody.client.get("/stage/stream?page=p", headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    flow = iter(answer.response)
    first = next(flow)
    answer.close()
    text = first if isinstance(first, str) else first.decode()
    return [block for block in text.split("\n\n") if block.startswith("to: ")]


def test_the_first_page_leads_to_the_stage(room: Room) -> None:
    """A demonstration's address first says that people are taking their seats, and then shows their tablets."""
    assert room.anybody.get("/").headers["Location"] == "/stage/"
    assert "taking their seats" in room.anybody.get("/stage/").text
    seated(room)
    page = room.anybody.get("/stage/").text
    assert [path for path in re.findall(r'data-src="([^"]+)"', page) if path in room.seats] == room.seats


def test_an_ordinary_companion_has_no_stage(tmp_path: Path) -> None:
    """An ordinary companion has no stage and accepts no reports, and other pages cannot frame its pages."""
    with Room(tmp_path) as room:
        for path in ("/stage/", "/stage/now.json", "/stage/stream"):
            assert room.anybody.get(path).status_code == 404
        assert room.anybody.client.post("/stage/people", data=b"{}", headers={KEY_HEADER: ""}).status_code in (403, 404)
        answer = room.anybody.get("/")
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_only_its_own_page_may_show_the_tablets(room: Room) -> None:
    """Only a page on the same machine can frame a demonstration's pages."""
    answer = room.anybody.get("/stage/")
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'; frame-src 'self'" in answer.headers["Content-Security-Policy"]


def test_only_the_people_may_tell(room: Room) -> None:
    """A report with a wrong key or none changes nothing, and its answer does not reveal that the address exists."""
    room.set_up(3, deck="ours")
    room.join_all()
    for secret in ("", "another"):
        assert report(room, secret).status_code == 404
    assert not msgspec.json.decode(room.anybody.get("/stage/now.json").data)["ready"]
    answer = room.anybody.client.post("/stage/people", data=b'{"pages": 3}', headers={KEY_HEADER: SECRET})
    assert answer.status_code == 422


def test_one_stream_carries_every_tablet(room: Room) -> None:
    """One stream carries the channels of the seats, the shared tablet and the host, each with its address."""
    seated(room)
    blocks = streamed(room)
    regions = {block[4] for block in blocks if "event: regions" in block}
    assert regions == {"0", "1", "2", "3", "4"}
    pins = [block for block in blocks if "event: pins" in block]
    assert [block.partition("\n")[0] for block in pins] == ["to: 4"]
    assert room.context.hub.streams == 0


def test_a_stream_follows_what_happens(room: Room) -> None:
    """A move appears in each tablet's part of the stream, and removing the match ends the stream."""
    seated(room)
    answer = room.anybody.client.get("/stage/stream?page=p", headers={"Accept-Language": "en"})
    flow = iter(answer.response)
    next(flow)
    room.begin("open")
    heard = ""
    while "to: 2\nid" not in heard:
        part = next(flow)
        heard += part if isinstance(part, str) else part.decode()
    room.context.hub.stop()
    for _ in flow:  # the stream ends
        pass
    answer.close()
    assert room.context.hub.streams == 0


def test_speed_and_seats_are_told_to_the_people(room: Room) -> None:
    """The answer to a report contains the watchers' wishes, and a new match begins without taken-over seats."""
    assert seated(room) == StageWishes()
    assert room.anybody.tap("/stage/", "speed", {"speed": "4"}).status_code == 204
    assert room.anybody.tap("/stage/", "take", {"seat": "1", "on": "1"}).status_code == 204
    assert room.anybody.tap("/stage/", "take", {"seat": "2", "on": "1"}).status_code == 204
    assert room.anybody.tap("/stage/", "take", {"seat": "2", "on": "0"}).status_code == 204
    told = msgspec.json.decode(room.anybody.get("/stage/now.json").data)
    assert (told["speed"], told["taken"]) == (4.0, [1])
    again = msgspec.json.decode(report(room, pages=()).data, type=StageWishes)
    assert again == StageWishes(speed=4.0)


def test_watchers_may_ask_for_pictures(room: Room) -> None:
    """A camera without pictures causes no error, and `live.json` gives the reason."""
    assert room.anybody.tap("/stage/", "watch").status_code == 204


def test_a_table_that_nobody_watches_stands_still() -> None:
    """After a while without a watcher people are told to stop, and to go on as soon as somebody watches again."""
    now = [0.0]
    here = Stage(SECRET, lambda: now[0])
    assert here.update(StageReport()).speed == 1.0
    now[0] = ALONE + 1
    assert here.update(StageReport()).speed == 0.0
    here.note_watcher()
    assert here.update(StageReport()).speed == 1.0


@pytest.mark.parametrize(("where", "form"), [("speed", {"speed": "99"}), ("speed", {}), ("take", {"seat": "9"})])
def test_what_cannot_be_wanted_is_refused(room: Room, where: str, form: dict[str, str]) -> None:
    """Unknown speeds and seats are refused and change nothing."""
    seated(room)
    assert room.anybody.tap("/stage/", where, form).status_code == 422
    assert msgspec.json.decode(room.anybody.get("/stage/now.json").data)["taken"] == []


def test_how_it_goes_is_said_in_words(room: Room) -> None:
    """The page counts moves, cards and questions in the reader's language, and mistakes only if there are any."""
    seated(room)
    told = msgspec.json.decode(room.anybody.get("/stage/now.json").data)
    assert told["counts"] == "7 moves, 12 cards moved, 0 questions asked" and told["wrong"] == ""
    report(room, events=1, cards=1, questions=1, wrong=1)
    told = msgspec.json.decode(room.anybody.get("/stage/now.json").data)
    assert told["counts"] == "1 move, 1 card moved, 1 question asked" and told["wrong"].endswith(" once")
    report(room, doing="puzzled", wrong=2)
    french = msgspec.json.decode(room.visitor("fr").get("/stage/now.json").data)
    assert french["wrong"].endswith("2 fois")


def test_a_caption_says_what_has_just_happened(room: Room) -> None:
    """The caption is the log's sentence during play, and the current activity before the first move or during a
    problem."""
    seated(room)
    now = "/stage/now.json"
    assert msgspec.json.decode(room.anybody.get(now).data)["doing"] == "The game is in progress."
    assert room.table.propose(StarterNamed(Seat(0)), Actor.TABLE).accepted
    told = msgspec.json.decode(room.anybody.get(now).data)["doing"]
    assert told.startswith("Jane")
    report(room, doing="puzzled")
    assert "does not match" in msgspec.json.decode(room.anybody.get(now).data)["doing"]
