"""Test a table's side of a hall: the host joins and leaves, players call a judge and confirm the result."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import cast

import msgspec
import pytest

from companion.devices.camera_link import CameraSnapshot
from companion.devices.hall_link.hall_status import HallStatus
from companion.devices.hall_link.joining import FAULTS, JoinError, JoinGrant
from companion.devices.hall_link.membership import MEMBERSHIP, Membership
from companion.devices.hall_link.messages import CallAnswered
from companion.devices.registry import ButtonsStatus, DeviceRegistry
from companion.games import GAMES
from companion.i18n import LANGUAGES
from companion.journal import database
from companion.table.table import Table
from tests.games.completeness import HOUSE
from tests.support.brokers import free_port, until
from tests.support.paces import HURRIED
from tests.support.web import any_game
from tests.support.web.finished import play_on
from tests.support.web.hall_double import FINGERPRINT, HALL, HallVisitors, with_hall
from tests.support.web.visitors import JOURNAL, Room, messages, regions, said
from web.app import create_app
from web.live.channels import ChannelKey
from web.plugins.hall_link.plugin import open_hall
from web.plugins.hall_link.shown import SENTENCES, PublicLog
from web.words import package, words

say = words("en")
AT_HOST = "hall_host"
TYPED = {"address": "10.0.0.5", "code": "ACDEFH", "table_name": "Window"}
ASSIGNED = ("Ann", "Bob", "Cid")
ONLY_AT_TABLE = ("not_a_hall", "code_letter", "code_length", "unreachable", "bad_address")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HallVisitors]:
    """Yield a table outside any hall, with a game of three people in their seats."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    with HallVisitors(tmp_path) as found:
        any_game.lay(found, "game-of-trains")
        yield found


@pytest.fixture
def over(room: HallVisitors) -> HallVisitors:
    """Return the same table in a hall, with its match at the end."""
    room.enter()
    play_on(room)
    room.context.hub.refresh()
    room.say(result=room.result())
    return room


def part(room: Room, page: str, name: str) -> str:
    """Return the text of a page's region, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", regions(room.anybody.get(page).text)[name])).split())


# --- in no hall -----------------------------------------------------------------------------------


def test_without_a_hall_only_the_hosts_page_speaks_of_one(room: HallVisitors) -> None:
    """Outside a hall only the host's page has a fold for it, with three fields."""
    assert say("hall_link.address") in part(room, room.host, AT_HOST)
    pages = (room.seats[0], room.page("tablet"), room.page("watch"))
    for page in pages:
        html = room.anybody.get(page).text
        assert "hall/" not in html and say("hall_link.call") not in html
        assert [regions(html).get(name, "").strip() for name in ("hall", "hall_result", AT_HOST)] == [""] * 3


def test_without_the_programs_for_it_the_host_is_told_how_to_add_them(tmp_path: Path) -> None:
    """Without the optional packages the page names the extra, shows no field, and refuses a form with the same
    sentence."""
    with Room(tmp_path) as room:
        any_game.lay(room, "game-of-trains")
        html = regions(room.anybody.get(room.host).text)[AT_HOST]
        assert "table-companion[hall]" in html and "<form" not in html
        answer = room.anybody.tap(room.host, "hall/join", TYPED)
        assert (answer.status_code, said(answer)) == (422, say("hall_link.missing"))


def test_nobody_does_anything_with_a_hall_that_the_table_is_not_in(room: HallVisitors) -> None:
    """Outside a hall, calling a judge, confirming a result and leaving are refused with a sentence."""
    tablet = room.page("tablet")
    asked = [(tablet, "call"), (room.seats[0], "call"), (tablet, "withdraw"), (room.seats[0], "right")]
    for page, what in asked:
        answer = room.anybody.tap(page, f"hall/{what}", {"right": "1"})
        assert (answer.status_code, said(answer)) == (422, say("hall_link.in_none")), (page, what)
    assert room.anybody.tap(room.host, "hall/leave", {"sure": "1"}).status_code == 422
    assert room.hall.asked == []


# --- joining --------------------------------------------------------------------------------------


def test_the_host_joins(room: HallVisitors) -> None:
    """The hall receives the host's input, and the page shows the progress and the fingerprint to compare."""
    assert room.anybody.tap(room.host, "hall/join", TYPED).status_code == 204
    assert room.hall.asked == [("join", "10.0.0.5", "ACDEFH", "Window")]
    assert say("hall_link.connecting", address="10.0.0.5") in part(room, room.host, AT_HOST)
    assert FINGERPRINT not in part(room, room.host, AT_HOST)
    room.say(joining="waiting")
    text = part(room, room.host, AT_HOST)
    assert say("hall_link.waiting") in text and FINGERPRINT in text
    room.enter(joining="")
    text = part(room, room.host, AT_HOST)
    assert HALL in text and say("hall_link.connected") in text and FINGERPRINT not in text
    assert room.anybody.tap(room.host, "hall/join", TYPED).status_code == 422
    assert len(room.hall.asked) == 1


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[HallVisitors]:
    """Yield a table without a match yet."""
    with HallVisitors(tmp_path) as found:
        yield found


def test_a_table_joins_before_any_match(fresh: HallVisitors) -> None:
    """The first page leads to the form, the fingerprint, the hall and the assigned players, even without scripts."""
    assert 'href="/hall"' in fresh.anybody.get("/").text
    assert fresh.anybody.submit("/hall/join", TYPED, "/hall").headers["Location"] == "/hall"
    assert fresh.hall.asked == [("join", "10.0.0.5", "ACDEFH", "Window")]
    assert 'http-equiv="refresh"' in fresh.anybody.get("/hall").text
    fresh.say(joining="waiting")
    assert FINGERPRINT in fresh.anybody.get("/hall").text
    fresh.enter(joining="", players=ASSIGNED, round=1)
    page = unescape(fresh.anybody.get("/hall").text)
    assert HALL in page and say("hall_link.seated", round=1, names=", ".join(ASSIGNED)) in page
    assert "refresh" not in page and 'action="/hall/join"' not in page and "leave" not in page
    assert fresh.anybody.submit("/hall/join", TYPED, "/hall").status_code == 422
    assert len(fresh.hall.asked) == 1


def test_joining_before_a_match_can_fail_and_be_given_up(fresh: HallVisitors) -> None:
    """If joining before a match fails, the page shows the reason and the form for another attempt."""
    fresh.hall.refuses = JoinError("hall.fault.code_length")
    answer = fresh.anybody.submit("/hall/join", TYPED, "/hall")
    assert answer.status_code == 422 and say("hall.fault.code_length") in unescape(answer.text)
    assert 'value="10.0.0.5"' in answer.text and 'value="Window"' in answer.text
    fresh.hall.refuses = None
    fresh.anybody.submit("/hall/join", TYPED, "/hall")
    fresh.say(joining="wrong_code", join_fault=JoinError("hall.fault.wrong_code"))
    assert say("hall.fault.wrong_code") in unescape(fresh.anybody.get("/hall").text)
    fresh.say(joining="waiting", join_fault=None)
    assert fresh.anybody.submit("/hall/cancel", {}, "/hall").headers["Location"] == "/hall"
    assert fresh.hall.asked[-1] == ("cancel",) and 'action="/hall/join"' in fresh.anybody.get("/hall").text


def test_while_a_game_is_played_the_hall_is_the_hosts(room: HallVisitors) -> None:
    """During a match the first page has no link to the hall, and a direct visit shows the reason."""
    assert 'href="/hall"' not in room.anybody.get("/").text
    assert room.anybody.get("/hall").status_code == 409
    assert room.anybody.submit("/hall/join", TYPED, "/").status_code == 409
    assert room.hall.asked == []


def test_the_host_gives_up(room: HallVisitors) -> None:
    """After the host cancels, the form returns with its input except the code."""
    room.anybody.tap(room.host, "hall/join", TYPED)
    assert room.anybody.tap(room.host, "hall/cancel").status_code == 204
    html = regions(room.anybody.get(room.host).text)[AT_HOST]
    assert room.hall.asked[-1] == ("cancel",)
    assert 'value="10.0.0.5"' in html and 'value="Window"' in html and "ACDEFH" not in html


def test_an_address_that_cannot_be_one_is_said_at_once(room: HallVisitors) -> None:
    """An invalid address or table name is refused with the reason, and nothing changes."""
    room.hall.refuses = JoinError("hall.fault.bad_address", address="<x>")
    answer = room.anybody.tap(room.host, "hall/join", TYPED)
    assert (answer.status_code, said(answer)) == (422, say("hall.fault.bad_address", address="<x>"))
    assert room.link.view.joining == "" and "<x>" not in answer.text
    answer = room.anybody.tap(room.host, "hall/join", TYPED | {"table_name": "x" * 99})
    assert answer.status_code == 422 and len(room.hall.asked) == 1


@pytest.mark.parametrize(
    ("state", "fault", "key"),
    [
        ("wrong_code", JoinError("hall.fault.wrong_code"), "hall.fault.wrong_code"),
        ("not_a_hall", JoinError("hall.fault.code_letter", letter="O"), "hall.fault.code_letter"),
        ("refused", None, "hall_link.refused"),
    ],
)
def test_why_joining_has_failed_stands_above_the_form(
    room: HallVisitors, state: str, fault: JoinError | None, key: str
) -> None:
    """The reason of a failed attempt is above the form, in the reader's language."""
    room.say(joining=state, join_fault=fault)
    fields = fault.fields if fault else {}
    html = regions(room.anybody.get(room.host).text)[AT_HOST]
    assert say(key, **fields) in unescape(html) and 'hx-post="hall/join"' in html
    french = room.visitor("fr")
    french.client._cookies = room.anybody.client._cookies
    assert words("fr")(key, **fields) in unescape(regions(french.get(room.host).text)[AT_HOST])


@pytest.mark.parametrize("key", [*FAULTS, *(f"hall.fault.{name}" for name in ONLY_AT_TABLE)])
def test_every_fault_of_joining_has_a_sentence(key: str) -> None:
    """Every fault of joining has a sentence in each language."""
    for lang in LANGUAGES:
        assert key in words(lang), lang


# --- in a hall ------------------------------------------------------------------------------------


def test_a_hall_that_is_lost_is_said_with_what_is_owed(room: HallVisitors) -> None:
    """A lost hall is shown with the time since when, if there was any contact, and with the note that play goes on."""
    room.enter(connected=False, trouble="Nobody answers.", owed=2)
    assert say("hall_link.lost") in part(room, room.host, AT_HOST)
    room.say(connected=False)
    room.enter(owed=2)
    assert say("hall_link.connected") in part(room, room.host, AT_HOST)
    room.say(connected=False)
    text = part(room, room.host, AT_HOST)
    assert re.search(say("hall_link.lost_since", time=r"\d\d:\d\d"), text)
    assert "Nobody answers." in text and say.plural("hall_link.owed", 2) in text
    assert "Nobody answers." not in room.anybody.get(room.seats[0]).text


def test_a_table_that_has_lost_its_hall_joins_it_again(room: HallVisitors) -> None:
    """A table that has lost its hall can rejoin it at another address, but a connected table cannot."""
    room.enter(owed=2)
    assert say("hall_link.join_again") not in part(room, room.host, AT_HOST)
    assert room.anybody.tap(room.host, "hall/join", TYPED).status_code == 422
    room.say(connected=False)
    assert say("hall_link.join_again") in part(room, room.host, AT_HOST)
    assert room.anybody.tap(room.host, "hall/join", TYPED).status_code == 204
    assert say("hall_link.connecting", address=TYPED["address"]) in part(room, room.host, AT_HOST)
    room.say(joining="expired", join_fault=JoinError("hall.fault.not_known"))
    text = part(room, room.host, AT_HOST)
    assert say("hall.fault.not_known") in text and say.plural("hall_link.owed", 2) in text


def test_leaving_asks_first_and_says_what_is_dropped(room: HallVisitors) -> None:
    """Leaving asks first and names what will be dropped; only the confirmed form leaves."""
    room.enter(owed=1)
    html = unescape(regions(room.anybody.get(room.host).text)[AT_HOST])
    assert f'hx-confirm="{say("hall_link.leave_sure", hall=HALL)} {say.plural("hall_link.dropped", 1)}"' in html
    answer = room.anybody.tap(room.host, "hall/leave")
    assert (answer.status_code, said(answer)) == (409, say("hall_link.leave_sure", hall=HALL))
    assert room.hall.asked == []
    assert room.anybody.tap(room.host, "hall/leave", {"sure": "1"}).status_code == 204
    assert room.hall.asked == [("leave",)] and say("hall_link.address") in part(room, room.host, AT_HOST)


def test_pages_change_by_themselves(room: HallVisitors) -> None:
    """News from the hall changes only the affected part of open pages, through the link's own thread."""
    match = room.table.snapshot().match_id
    keys = [ChannelKey(match, "host", None, "en"), ChannelKey(match, "watch", None, "en")]
    opened = [room.context.hub.open(key, "p", "") for key in keys]
    streams = [found[0] for found in opened if found is not None]
    room.hall.tell(name=HALL, connected=True)
    until(lambda: room.link.view.name == HALL and len(streams[0].outbox) > 0)
    sent = messages([cast(bytes, streams[0].outbox.get())])
    assert [list(message["regions"]) for message in sent] == [["advice_host", AT_HOST]] and HALL in sent[0]["regions"][
        AT_HOST
    ]
    assert len(streams[1].outbox) == 0


def test_a_move_costs_nothing_of_a_hall(room: HallVisitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are drawn from the link's stored state, without a query to the hall."""
    room.enter()
    room.link.stop()
    room.link._thread.join()  # the link checked this after the table had joined
    asked: list[str] = []

    def status() -> HallStatus:
        asked.append("how it is")
        return room.hall.now

    monkeypatch.setattr(room.hall, "status", status)
    before = room.count
    play_on(room)
    room.context.hub.refresh()
    for page in (room.host, room.seats[0]):
        assert room.anybody.get(page).status_code == 200
    assert room.count > before + 10 and asked == []


# --- the round ------------------------------------------------------------------------------------


def test_the_shared_tablet_shows_who_plays_here_next(room: HallVisitors) -> None:
    """Names of the next players appear if they differ or the match is over; a seat's page shows only the table's
    number."""
    tablet = room.page("tablet")
    room.enter(round=2, players=ASSIGNED)
    text = part(room, tablet, "hall")
    assert HALL in text and "Table 7" in text
    assert say("hall_link.seated", round=2, names=", ".join(ASSIGNED)) in text
    assert "Ann" not in part(room, room.seats[0], "hall") and "Table 7" in part(room, room.seats[0], "hall")
    setup = room.table.snapshot().setup
    assert setup is not None
    room.say(players=tuple([player.name for player in reversed(setup.seated())]))
    text = part(room, tablet, "hall")
    assert say("hall_link.round", round=2) in text and "Jane" not in text


@pytest.mark.parametrize(
    ("begins", "ends", "key", "minutes"),
    [
        (61.0, 3600.0, "soon", 2),
        (0.5, 3600.0, "soon", 1),
        (-5.0, 3599.0, "on", 60),
        (-5.0, 0.5, "on", 1),
        (61.0, None, "soon", 2),
    ],
)
def test_every_page_of_a_table_shows_the_minutes_left(
    room: HallVisitors, begins: float, ends: float | None, key: str, minutes: int
) -> None:
    """The tablet, the host and each seat show the clock and the line for everybody, and only shared pages show the
    code."""
    room.enter(round=2, players=ASSIGNED, code="K7F3", announcement="Pizza", begins_s=begins, ends_s=ends)
    sentence = say.plural(f"hall_link.{key}", minutes)
    assert 'data-fold="hall" open' in room.anybody.get(room.host).text
    for page, place in ((room.page("tablet"), "hall"), (room.host, AT_HOST), (room.seats[1], "hall")):
        shown = part(room, page, place)
        assert sentence in shown and "Pizza" in shown
        assert ("K7F3" in shown) == (page is not room.seats[1])


def test_the_clock_ends_with_the_games_own_words(room: HallVisitors) -> None:
    """Every game explains its last round in every language, and no page mentions a clock without one."""
    room.enter(begins_s=-60.0, ends_s=-1.0)
    own = words("en", package(GAMES["game-of-trains"]))("game.time_up")
    assert f"Time! {own}" in part(room, room.host, AT_HOST)
    room.enter(begins_s=-60.0, ends_s=None)
    assert "Time!" not in part(room, room.host, AT_HOST)
    for game in map(GAMES.__getitem__, HOUSE):
        assert len({words(lang, package(game))("game.time_up") for lang in LANGUAGES}) == len(LANGUAGES)


def test_pages_change_with_the_minute(room: HallVisitors, monkeypatch: pytest.MonkeyPatch) -> None:
    """The minutes on pages change without a message from the hall."""
    ends = time.monotonic() + 61

    def status() -> HallStatus:
        return msgspec.structs.replace(room.hall.now, ends_s=ends - time.monotonic())

    monkeypatch.setattr(room.hall, "status", status)
    room.enter(begins_s=-60.0)
    assert room.link.view.minutes == 2
    until(lambda: room.link.view.minutes == 1)


def named(html: str) -> list[str]:
    """Return the names in the lobby."""
    return re.findall(r'<span class="lobby-name"><b>([^<]*)</b>', html)


def test_the_lobby_begins_with_whom_the_hall_has_assigned(room: HallVisitors) -> None:
    """The lobby begins with the hall's players in their order and with a note."""
    room.enter(round=2, players=ASSIGNED)
    room.table.leave()
    room.context.new_match()
    lobby = room.lobby("game-of-trains")
    html = room.anybody.get(lobby).text
    assert (
        named(html) == list(ASSIGNED) and say("hall_link.assigned", hall=HALL, round=2, names="Ann, Bob, Cid") in html
    )
    html = room.anybody.tap(lobby, "add", {"name": "Zoe", "device": "tablet"}).text
    assert named(html) == [*ASSIGNED, "Zoe"]


def test_a_table_whose_round_is_over_does_not_ask_for_it_again(over: HallVisitors) -> None:
    """No page suggests the game of a round that is over, and the form does not contain the hall's players."""
    tablet = over.page("tablet")
    setup = over.table.snapshot().setup
    assert setup is not None
    over.say(round=1, players=tuple([player.name for player in setup.seated()]))
    assert say("hall_link.set_up") in part(over, tablet, "hall")
    over.say(over=True)
    ended = say("hall_link.round_over", round=1)
    for page, region in ((tablet, "hall"), (over.host, AT_HOST)):
        text = part(over, page, region)
        assert ended in text and say("hall_link.set_up") not in text and "play here" not in text
    over.table.leave()
    over.context.new_match()
    html = over.anybody.get(over.lobby("game-of-trains")).text
    assert ended in html and "play here" not in html and named(html) == []
    over.say(round=2, over=False)
    assert "round 2" in over.anybody.get(over.lobby("game-of-trains")).text


def test_those_assigned_begin_as_they_stand(room: HallVisitors) -> None:
    """The assigned players can start at once, because each has a colour and a shape of their own."""
    room.enter(round=1, players=ASSIGNED)
    room.table.leave()
    room.context.new_match()
    lobby = room.lobby("game-of-trains")
    assert room.anybody.submit(f"{lobby}start", {"deck": "dealt"}, lobby).status_code == 303
    setup = room.table.snapshot().setup
    assert setup is not None and tuple([player.name for player in setup.seated()]) == ASSIGNED


# --- the judge ------------------------------------------------------------------------------------


def test_a_seat_calls_a_judge(room: HallVisitors) -> None:
    """The call contains the seat's number, everybody at the table sees it, and only that seat or the tablet can
    withdraw it."""
    room.enter()
    tablet = room.page("tablet")
    assert room.anybody.tap(room.seats[1], "hall/call", {"seat": "2"}).status_code == 204
    assert room.hall.asked == [("call", 1)]
    for page in (tablet, *room.seats):
        text = part(room, page, "hall")
        assert say("hall_link.calling") in text and say("hall_link.call") not in text
        assert (say("hall_link.withdraw") in text) == (page in (tablet, room.seats[1])), page
    answer = room.anybody.tap(room.seats[0], "hall/withdraw")
    assert (answer.status_code, said(answer)) == (422, say("hall_link.not_yours"))
    assert room.anybody.tap(room.seats[2], "hall/call").status_code == 204  # there is already a call
    assert room.anybody.tap(room.seats[1], "hall/withdraw").status_code == 204
    assert room.hall.asked == [("call", 1), ("withdraw",)]
    assert room.anybody.tap(tablet, "hall/call").status_code == 204
    assert room.hall.asked[2:] == [("call", -1)]
    assert room.anybody.tap(room.seats[1], "hall/withdraw").status_code == 422
    assert room.anybody.tap(tablet, "hall/withdraw").status_code == 204
    assert say("hall_link.call") in part(room, room.seats[1], "hall")


@pytest.mark.parametrize(
    ("connected", "call", "sentence"),
    [
        (True, CallAnswered("x", "sent"), say("hall_link.calling")),
        (False, CallAnswered("x", "sent"), say("hall_link.calling_later")),
        (True, CallAnswered("x", "waiting"), say("hall_link.called")),
        (True, CallAnswered("x", "taken", "Maria <b>"), say("hall_link.coming", name="Maria <b>")),
        (True, CallAnswered("x", "taken"), say("hall_link.coming_somebody")),
    ],
)
def test_what_becomes_of_a_call_is_said(room: HallVisitors, connected: bool, call: CallAnswered, sentence: str) -> None:
    """The tablet and every seat's page show the progress of a call."""
    room.enter()
    room.say(connected=connected, call=call)
    for page in (room.page("tablet"), room.seats[2]):
        html = regions(room.anybody.get(page).text)["hall"]
        assert f"<b>{sentence}</b>" in html.replace("&lt;b&gt;", "<b>")
        assert "Maria <b>" not in html


# --- the result -----------------------------------------------------------------------------------


def test_every_seat_is_asked_whether_the_result_is_right(over: HallVisitors) -> None:
    """Each seat answers for itself, and everybody sees the answers and when the result counts."""
    tablet = over.page("tablet")
    asked = "hall_result"
    assert say("hall_link.right") in part(over, over.seats[0], asked)
    assert say("hall_link.needed", count=2) in part(over, over.seats[0], asked)
    assert over.anybody.tap(over.seats[0], "hall/right", {"right": "1", "seat": "2"}).status_code == 204
    assert over.hall.asked == [("say", 0, True)]
    html = regions(over.anybody.get(over.seats[0]).text)[asked]
    assert re.findall(r'value="(\d)" aria-pressed="(\w+)"', html) == [("1", "true"), ("0", "false")]
    once = say.plural("hall_link.more_needed", 1, names="Jane")
    assert once in part(over, over.seats[2], asked) and once in part(over, tablet, "hall")
    assert "hall/right" not in over.anybody.get(tablet).text + over.anybody.get(over.host).text
    over.anybody.tap(over.seats[2], "hall/right", {"right": "1"})
    assert say("hall_link.confirmed", names="Jane and Tom") in part(over, tablet, "hall")
    over.anybody.tap(over.seats[1], "hall/right", {"right": "0"})
    disputed = say.plural("hall_link.disputed", 1, names="Bill")
    assert disputed in part(over, over.seats[0], asked) and disputed in part(over, over.host, AT_HOST)


def test_a_handed_page_speaks_for_its_seat(over: HallVisitors) -> None:
    """A seat's page on the shared tablet can answer for that seat."""
    tablet = over.page("tablet")
    handed = over.anybody.submit(f"{tablet}hand", {"seat": "1", "pin": "1111"}, f"{tablet}hand").headers["Location"]
    page = handed if handed.startswith("/") else tablet + handed
    assert over.anybody.tap(page, "hall/right", {"right": "1"}).status_code == 204
    assert over.anybody.tap(page, "hall/call").status_code == 204
    assert over.hall.asked == [("say", 1, True), ("call", 1)]


@pytest.mark.parametrize("value", ["", "2", "yes"])
def test_only_yes_and_no_are_answers(over: HallVisitors, value: str) -> None:
    """Any answer except yes and no is refused."""
    assert over.anybody.tap(over.seats[0], "hall/right", {"right": value}).status_code == 422
    assert over.hall.asked == []


def test_nobody_is_asked_before_the_end_or_about_another_match(room: HallVisitors) -> None:
    """No page asks about the result of an earlier match or of a resumed one."""
    room.enter()
    room.say(result=room.result())
    assert part(room, room.seats[0], "hall_result") == ""
    room.say(result=msgspec.structs.replace(room.result(), match="99"))
    play_on(room)
    room.context.hub.refresh()
    assert part(room, room.seats[0], "hall_result") == ""
    answer = room.anybody.tap(room.seats[0], "hall/right", {"right": "1"})
    assert (answer.status_code, said(answer)) == (422, say("hall_link.nothing_to_confirm"))
    assert room.hall.asked == []


# --- the table's own end --------------------------------------------------------------------------


class Devices:
    """A registry of devices that are present or lost."""

    buttons = ButtonsStatus(expected=True)
    camera = CameraSnapshot()


def test_a_real_table_says_that_nobody_answers(tmp_path: Path) -> None:
    """If nobody answers, joining ends by itself with a fault and stores no membership."""
    with Table(tmp_path / JOURNAL, pace=HURRIED) as table:
        link = open_hall(table, tmp_path / JOURNAL, cast(DeviceRegistry, Devices()))
        assert link is not None
        app = create_app(table, tmp_path / JOURNAL, testing=True, plugins=with_hall(link))
        link.join(f"127.0.0.1:{free_port()}", "ACDEFH", "Window")
        until(lambda: link.view.fault == "hall.fault.unreachable")
        assert link.view.joining == "" and table.read_value(MEMBERSHIP) is None
        app.extensions["context"].close()
        link.close()


def test_a_real_table_comes_back_to_a_hall_that_is_gone(tmp_path: Path) -> None:
    """A table whose hall has gone reports it and goes on; a call for a judge waits, and leaving forgets the hall."""
    grant = JoinGrant(
        hall="h", hall_name=HALL, table="abcd1234", port=free_port(), tls=False, user="abcd1234", password="x"
    )
    with Table(tmp_path / JOURNAL, pace=HURRIED) as table:
        table.keep(MEMBERSHIP, msgspec.json.encode(Membership(grant, "127.0.0.1", "127.0.0.1")))
        link = open_hall(table, tmp_path / JOURNAL, cast(DeviceRegistry, Devices()))
        assert link is not None
        assert (link.view.name, link.view.connected, link.view.call) == (HALL, False, None)
        assert link._hall._health() == ("buttons",)  # type: ignore[attr-defined]
        link.call_judge(1)
        assert (link.view.call and link.view.call.state, link.view.caller) == ("sent", 1)
        link.leave()
        assert link.view.name == "" and table.read_value(MEMBERSHIP) is None
        link.close()


def test_without_the_extra_there_is_no_hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the optional packages the table opens without a hall."""
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with Table(tmp_path / JOURNAL, pace=HURRIED) as table:
        assert open_hall(table, tmp_path / JOURNAL, cast(DeviceRegistry, Devices())) is None


def test_a_hall_hears_what_everybody_may(room: HallVisitors) -> None:
    """The hall receives the last sentences of the public log, the latest first."""
    play_on(room)
    snapshot = room.table.snapshot()
    told = PublicLog()(snapshot, "en")
    lines = room.context.renderer.teller.log(snapshot, "en", SENTENCES)
    assert told[0] == lines[0].sentences[-1]
    assert sorted(told) == sorted([sentence for line in lines for sentence in line.sentences])
    assert PublicLog()(snapshot, "fr") != told
