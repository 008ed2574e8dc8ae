"""Test renaming a seat on the host's page: every page, report, record and export shows the new name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import database
from tests.support.web.finished import finished, seat_people
from tests.support.web.visitors import NAMES, Room, said
from web.live.channels import ChannelKey
from web.live.hub import MOVED
from web.words import words

NEW = "Zoë"


def rename(room: Room, seat: int, name: str, page: str = "") -> tuple[int, str]:
    """Rename a seat on the host's page, and return the status and the sentence of the answer."""
    answer = room.anybody.tap(page or room.host, "rename", {"seat": str(seat), "name": name})
    return answer.status_code, said(answer)


def test_every_page_has_the_new_name_at_once(game: Room) -> None:
    """Open pages reload with the new name, which everybody is told, and even earlier lines of the log use it."""
    game.begin()
    pages = (game.host, *game.seats, game.page("tablet"), game.page("watch"))
    old = NAMES[0]
    assert all(old in game.anybody.read(page) for page in pages)
    stream, _ = game.context.hub.open(ChannelKey("1", "seat", 1, "en"), "token/page", "") or pytest.fail("no stream")
    before = game.table.snapshot()
    assert rename(game, 0, f"  {NEW} ") == (204, "")
    after = game.table.snapshot()
    assert after.names == (NEW, *NAMES[1:3]) and after.state is before.state
    sent = []
    while len(stream.outbox):
        sent.append(stream.outbox.get())
    assert sent == [MOVED, None]
    for page in pages:
        shown = game.anybody.get(page).text
        assert f'data-match="{after.shown_as}"' in shown and after.shown_as != "1"
        assert NEW in shown and old not in game.anybody.read(page), page
        assert game.anybody.get(f"{page}stream?page=x&match=1").status_code == 205
        assert game.anybody.get(f"{page}stream?page=x&match={after.shown_as}").status_code == 200


def test_a_new_name_outlasts_undo_and_a_restart(game: Room) -> None:
    """The new name is stored beside the events, so that an undo and a restart keep it."""
    game.begin()
    assert rename(game, 2, NEW) == (204, "")
    assert game.anybody.tap(game.host, "undo", {"line": "1"}).status_code == 204
    game.restart()
    assert game.table.snapshot().names == (*NAMES[:2], NEW)
    assert NEW in game.anybody.read(game.seats[2]) and game.anybody.read("/past/").count(NEW) == 1


@pytest.mark.parametrize(
    ("name", "key", "fields"),
    [
        ("", "refused.no_name", {}),
        ("   ", "refused.no_name", {}),
        (NAMES[1].upper(), "error.same_name", {"one": "BILL"}),
        ("Вill", "error.names_alike", {"one": "Вill", "other": "Bill"}),
        ("x" * 41, "error.name_long", {"name": "x" * 39 + "…", "most": 40}),
        ("a\u202eb", "error.name_unseen", {"name": "ab"}),
    ],
)
def test_names_are_checked_as_at_set_up(game: Room, name: str, key: str, fields: dict[str, object]) -> None:
    """An invalid or duplicate name is refused with a sentence and changes nothing, as at set-up."""
    before = game.count
    assert rename(game, 0, name) == (422, words("en")(key, **fields))
    assert (game.count, game.table.snapshot().names) == (before, NAMES[:3])


def test_only_the_host_renames(game: Room) -> None:
    """Neither a seat nor the tablet can rename, a missing seat cannot be renamed, and the same name stores nothing."""
    for page in (game.seats[0], game.page("tablet")):
        assert rename(game, 0, NEW, page)[0] in (403, 404)
    assert rename(game, 7, NEW)[0] == 422
    before = game.count
    assert rename(game, 0, NAMES[0]) == (204, "") and game.count == before


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    """Yield a finished match of three people with all seats taken."""
    monkeypatch.setattr(database, "SYNCHRONOUS", "OFF")
    finished(tmp_path, "game-of-trains")
    with Room(tmp_path) as found:
        seat_people(found)
        yield found


def test_records_reports_and_exports_have_the_new_name(ended: Room) -> None:
    """A finished match, its report that was read before, and a rematch show the new name."""
    read, old = ended.anybody.read, NAMES[0]
    paths = ("/past/", "/past/records", "/past/1/", "/past/1/report.csv", "/past/1/report.json", "/past/1/replay")
    assert all(old in read(path) for path in paths)
    assert rename(ended, 0, NEW) == (204, "")
    for path in paths:
        shown = ended.anybody.get(path).get_data(as_text=True)
        assert (NEW in shown or "Zo\\u00eb" in shown) and old not in shown, path
    assert '"event":"seat_renamed","seat":0,"name":"Zoë"' in read("/past/1/game.jsonl")
    assert ended.anybody.tap(ended.host, "again", {"match": "1"}).status_code == 204
    assert ended.table.snapshot().names[0] == NEW
