"""Test that no page, stream, file or hall reveals a match's end before the ceremony has told it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.devices.hall_link.reports import summary_of, view_of
from companion.journal.journal import Journal
from companion.messages import MILLISECOND, SECOND
from companion.table.take_back import WINDOW
from tests.support.paces import HURRIED
from tests.support.web.finished import all_but_the_last, seat_people
from tests.support.web.visitors import JOURNAL, NAMES, Room, messages
from web.live.channels import ChannelKey
from web.presenters.match_log import players_of
from web.presenters.standings import standings_of
from web.words import package, words

GAMES = ("express", "game-of-trains", "take-a-train", "trains")


class LastMove(Room):
    """Three people before a match's last move, at a table with a ceremony and a clock that the test moves."""

    pace = replace(HURRIED, ending_ms=20_000)

    def __init__(self, folder: Path, game: str) -> None:
        super().__init__(folder)
        self.now = 10 * SECOND
        self.clock = lambda: self.now
        with Journal(folder / JOURNAL) as journal:
            self.event, self.by = all_but_the_last(journal, game)

    def open(self) -> None:
        """Open the table and the application, and give everybody a seat."""
        super().open()
        if not self.seats:
            seat_people(self)

    def end(self) -> None:
        """Make the last move."""
        assert self.table.propose(self.event, self.by).accepted
        self.context.hub.refresh()

    def after(self, time: int) -> None:
        """Let this time pass."""
        self.now += time
        self.table.tick()
        self.context.hub.refresh()

    def pages(self) -> list[str]:
        """Return the current text of each kind of page."""
        live = (self.host, self.seats[0], self.seats[1], self.page("watch"), self.page("tablet"))
        return [self.anybody.read(page) for page in (*live, f"{self.host}log", "/", "/past/", "/past/records")]

    def result(self) -> set[str]:
        """Return the texts that only the end may reveal: the winner's sentence, and every secret score."""
        snapshot = self.table.snapshot()
        assert snapshot.state is not None and snapshot.setup is not None
        say, players = words("en", package(snapshot.game)), players_of(snapshot)
        wins = [say("ending.wins_one", name=player.name) for player in players]
        assert len(standings_of(snapshot.game, snapshot.setup, snapshot.state)) == len(NAMES[:3])
        return {*wins, "wins!", 'class="winner"', "Play again"}


@pytest.fixture(params=GAMES)
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LastMove]:
    """Yield a table before the last move, for each game."""
    with LastMove(tmp_path, request.param) as found:
        yield found


def test_no_page_tells_the_end_before_it_is_told(room: LastMove) -> None:
    """All pages say that the game is over, but show the last event's effect and the winner only after the ceremony."""
    room.end()
    secret = room.result()
    state = room.table.snapshot().state
    assert state is not None
    for wait in (0, WINDOW, 2 * SECOND):
        room.after(wait)
        found = room.pages()
        assert not room.table.snapshot().told
        assert [said for page in found for said in secret if said in page] == []
        assert [page for page in found[:5] if "/replay" in page] == []
        assert all("The game is over." in page for page in found[:5])
    room.after(20 * SECOND)
    told = room.pages()
    assert all("/replay" in page and 'class="winner"' in page for page in told[:5])


def test_regions_are_those_of_a_table_before_its_last_event(room: LastMove) -> None:
    """The log and the announcements stop before the last event, and continue after the ceremony."""
    room.end()
    snapshot = room.table.snapshot()
    teller = room.context.renderer.teller
    known, public = len(teller.places(snapshot.shown())), len(teller.places(snapshot))
    assert known < public
    for seat in (None, 0):
        page = room.context.hub.page(ChannelKey(snapshot.match_id, "watch" if seat is None else "seat", seat, "en"))
        assert page is not None
        lines = [int(number) for number in re.findall(r'data-line="(\d+)"', page.regions["news"])]
        assert lines and max(lines) <= known
        assert page.regions["totals"].count("first") == 0
    room.after(WINDOW)
    room.after(20 * SECOND)
    told = room.context.hub.page(ChannelKey(snapshot.match_id, "watch", None, "en"))
    assert told is not None and f'data-line="{public}"' in told.regions["news"]


def test_files_and_the_report_wait_too(room: LastMove) -> None:
    """Report, replay, files and the saved picture are refused with a sentence until the ceremony is over."""
    room.end()
    match = room.table.snapshot().match_id
    files = ("", "replay", "report.csv", "report.json", "game.jsonl", "podium.svg")
    assert [room.anybody.get(f"/past/{match}/{name}").status_code for name in files] == [403] * len(files)
    assert "just being told" in room.anybody.read(f"/past/{match}/")
    room.after(WINDOW)
    room.after(20 * SECOND)
    assert [room.anybody.get(f"/past/{match}/{name}").status_code for name in files] == [200] * len(files)


def test_a_hall_hears_nothing_before(room: LastMove) -> None:
    """The hall's board shows the table before the last event, and the result goes out after the ceremony."""
    room.end()
    shown = room.table.snapshot().shown()
    view = view_of(shown, lambda snapshot, lang: [str(len(snapshot.entries))])
    summary = summary_of(shown, 0, 0, ())
    before = [entry for entry in room.table.snapshot().entries if not entry.after.over]
    assert view is not None and summary.events == len(before)
    assert view.log in ({"en": (str(len(before)),), "fr": (str(len(before)),)}, {})
    assert not shown.told


def test_after_a_restart_everything_is_told(room: LastMove) -> None:
    """After a restart the table shows the result and starts no second ceremony."""
    room.end()
    room.restart()
    assert room.table.snapshot().told
    assert "/replay" in room.anybody.read(room.seats[0])


def test_who_reloads_in_the_middle_is_sent_the_ceremony(room: LastMove) -> None:
    """A stream that opens during the ceremony gets the same message with the same starting time."""
    room.end()
    context, key = room.context, ChannelKey(room.table.snapshot().match_id, "seat", 0, "en")
    if room.table.snapshot().own_move is not None:
        assert b"event: moment" not in b"".join(context.hub.greeting(key))
    room.after(WINDOW)
    telling = room.table.snapshot().telling
    assert telling is not None
    sent = b"".join(context.hub.greeting(key))
    (line,) = [line for line in sent.split(b"\n") if b'"kind":"ending"' in line]
    found = msgspec.json.decode(line.removeprefix(b"data: "))
    assert (found["kind"], found["at"], found["lasts"]) == ("ending", telling.begins, telling.ends - telling.begins)
    assert found["lasts"] <= 20_000 * MILLISECOND
    room.after(20 * SECOND)
    assert b"event: moment" not in b"".join(context.hub.greeting(key))


def test_an_undo_stops_it_on_every_page(room: LastMove) -> None:
    """After the host's undo, no page shows the end, and streams are told."""
    room.end()
    room.after(WINDOW)
    match, teller = room.table.snapshot().match_id, room.context.renderer.teller
    line = len(teller.places(room.table.snapshot().shown()))
    stream = room.context.hub.open(ChannelKey(match, "watch", None, "en"), "x/y", "")
    assert stream is not None
    answer = room.anybody.tap(room.host, "undo", {"line": str(line)})
    assert answer.status_code == 204, answer.text
    if room.table.snapshot().undo is not None:
        for seat in room.seats:
            assert room.anybody.tap(seat, "consent", {"yes": "1"}).status_code == 204
    assert not room.table.snapshot().over
    assert "The game is over." not in room.anybody.read(room.seats[0])
    assert messages(list(stream[1])) is not None
