"""Test one stream for all pages of a browser: each page gets its own changes and its own end."""

from __future__ import annotations

import msgspec
import pytest
from werkzeug.datastructures import MultiDict

from tests.support.web.visitors import Room, messages
from web.serving.event_stream import Flow
from web.serving.slow_clients import stream_places
from web.views.streams import RETRY_AFTER, SHARED
from web.words import words

Parts = dict[int, list[bytes]]


def parts_of(sent: bytes) -> Parts:
    """Return a shared stream's messages by page."""
    found: Parts = {}
    for block in sent.split(b"\n\n"):
        to, _, rest = block.partition(b"\n")
        if to.startswith(b"to: "):
            found.setdefault(int(to[4:]), []).append(rest + b"\n\n")
    return found


class Shared:
    """A shared stream of some pages."""

    def __init__(self, room: Room, *pages: tuple[str, str], name: str = "w", match: str = "") -> None:
        self.room = room
        here = room.table.snapshot().match_id
        fields = [(("at", at), ("lang", "en"), ("last", last), ("match", match or here)) for at, last in pages]
        query = MultiDict([("page", name), *[each for page in fields for each in page]])
        with room.app.test_request_context("/live/stream", query_string=query):
            flow = room.app.full_dispatch_request().response
        assert isinstance(flow, Flow)
        self.flow = flow
        self.opening = parts_of(b"".join(flow.opening))

    def sent(self) -> Parts:
        """Return the messages since the last call."""
        outbox = self.flow.outbox
        waiting = [outbox.get() for _ in range(len(outbox))]
        return parts_of(b"".join([each for each in waiting if each]))


def shown(room: Room, page: str) -> str:
    """Return the id of the message that a page shows."""
    return room.anybody.get(page).text.partition('data-shown="')[2].partition('"')[0]


def test_each_page_gets_what_its_own_stream_would_send(game: Room) -> None:
    """A seat's page gets its hand, the table's page the public view, and each continues after its last message."""
    table = game.page("tablet")
    stream = Shared(game, (game.seats[0], shown(game, game.seats[0])), (table, shown(game, table)))
    assert not any(messages(blocks) for blocks in stream.opening.values())
    game.begin()
    sent = stream.sent()
    assert {number: messages(blocks)[-1]["id"] for number, blocks in sent.items()} == {
        0: shown(game, game.seats[0]), 1: shown(game, table)}  # fmt: skip
    assert b"region-holdings" not in b"".join(sent[1]) and b'"holdings"' not in b"".join(sent[1])


def test_a_newer_stream_of_the_same_browser_takes_over(game: Room) -> None:
    """A newer stream of the same browser starts at the pages' positions and ends the older one."""
    seen = shown(game, game.seats[0])
    older = Shared(game, (game.seats[0], seen))
    game.begin()
    newer = Shared(game, (game.seats[0], seen), (game.seats[1], shown(game, game.seats[1])))
    ids = [message["id"] for message in messages(newer.opening[0])]
    assert ids == [message["id"] for message in messages(older.sent()[0])]
    assert all(part.ended for part in older.flow.parts) and not any(part.ended for part in newer.flow.parts)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "bad", ["/s/nobody/", "nonsense", "/h/{seat}/", "/t/x/s/{seat}/", "/t/x/h/{host}/", "/s/{host}/"]
)
def test_what_is_gone_is_said_to_its_page_alone(game: Room, bad: str) -> None:
    """A token opens only its own page, and the other pages of the stream continue."""
    tokens = {"seat": game.seats[0].split("/")[2], "host": game.host.split("/")[2]}
    stream = Shared(game, (bad.format(**tokens), ""), (game.seats[1], ""))
    assert stream.opening[0] == [b"event: gone\ndata: {}\n\n"]
    assert messages(stream.opening[1])[0]["id"] == shown(game, game.seats[1])


def test_a_stream_of_pages_that_are_all_gone_ends(game: Room) -> None:
    """A stream whose pages have all ended is closed, and there is no stream without pages."""
    stream = Shared(game, ("/s/nobody/", ""))
    assert stream.flow.outbox.get() is None
    assert game.anybody.get("/live/stream?page=w").status_code == 404


def test_a_page_without_a_place_is_told_so_alone(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page without a free place gets a sentence that says when to try again."""
    monkeypatch.setitem(stream_places.RESERVED, "watch", 1)
    first, second = game.page("watch"), game.page("watch")
    stream = Shared(game, (first, ""), (second, ""), (game.seats[0], ""))
    told = msgspec.json.decode(stream.opening[1][0].split(b"data: ")[1])
    assert told == {"sentence": words("en")("error.too_many_screens"), "again": RETRY_AFTER}
    assert messages(stream.opening[0]) and messages(stream.opening[2])


def test_a_shared_stream_has_so_many_pages_at_most(game: Room) -> None:
    """A page beyond the maximum is told that there are too many pages."""
    stream = Shared(game, *[(game.seats[0], "")] * SHARED, (game.seats[1], ""), (game.seats[2], ""))
    assert [b"event: full" in b"".join(stream.opening[at]) for at in range(SHARED - 1, SHARED + 2)] == [
        False,
        True,
        True,
    ]


def test_a_page_asks_again_while_the_table_restarts(game: Room) -> None:
    """During a restart the stream ends, no page is told that its match has gone, and the pages reconnect to the new
    server."""
    game.context.hub.stop()
    stream = Shared(game, (game.seats[0], ""), (game.seats[1], ""))
    told = b"".join([block for blocks in stream.opening.values() for block in blocks])
    assert b"event: gone" not in told and stream.flow.outbox.get() is None
    alone = game.anybody.get(f"{game.seats[0]}stream?page=p")
    assert alone.status_code == 200 and messages([alone.data]) == []


def test_a_page_that_asks_while_the_next_match_begins_loads_anew(game: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a rematch begins between checking a page's token and opening its channel, the page reloads."""
    monkeypatch.setattr(game.context.hub, "open", lambda *args: None)
    assert Shared(game, (game.seats[0], "")).opening == {0: [b"event: anew\ndata: {}\n\n"]}
    assert game.anybody.get(f"{game.seats[0]}stream?page=p").status_code == 205


def test_a_page_of_the_match_before_loads_anew(game: Room) -> None:
    """A page of an earlier match reloads, and its address leads to the rematch."""
    stream = Shared(game, (game.seats[0], ""), match="0" * 8)
    assert stream.opening == {0: [b"event: anew\ndata: {}\n\n"]}
    assert stream.flow.outbox.get() is None
