"""Test streams: a change is rendered once for each language and sent to everybody, and nothing else is."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from companion.threads.quotas import QuotaExceeded
from tests.support.web.hall_pages import HallBrowser, HallPages
from web.hall import feeds
from web.hall.feeds import FeedKey, HallFeeds, fill_ages
from web.serving.event_stream import Flow
from web.serving.slow_clients import pushed_streams

BOARD = FeedKey("board", "en")


def sent(flow: Flow) -> list[dict[str, Any]]:
    """Return a stream's queued messages, without heartbeats."""
    queued = []
    while len(flow.outbox):
        message = flow.outbox.get(timeout=1)
        queued.append({"ended": True} if message is None else parsed(message))
    return queued


def parsed(message: bytes) -> dict[str, Any]:
    """Return a message's data."""
    data = next(line for line in message.decode().splitlines() if line.startswith("data: "))
    found: dict[str, Any] = json.loads(data.removeprefix("data: "))
    return found


def test_a_stream_brings_what_has_changed_and_nothing_else(pages: HallPages) -> None:
    """A stream sends only changed rows, and all readers of a language get the same bytes."""
    first, second = pages.add_table(1), pages.add_table(2)
    _, shown = pages.context.feeds.page(BOARD)
    one = pages.context.feeds.open(BOARD, shown)
    _, shown = pages.context.feeds.page(BOARD)
    other = pages.context.feeds.open(BOARD, shown)
    (opening,) = other.opening  # the page already shows everything and receives only the time
    assert {"now", "at", "parts"} == set(parsed(opening)) and parsed(opening)["parts"] == {}
    pages.play(second, "Ann", "Bob")
    pages.context.feeds.refresh()
    pages.context.feeds.refresh()
    (message,) = (one.outbox.get(timeout=1),)
    assert message is other.outbox.get(timeout=1)
    assert message is not None
    assert set(parsed(message)["parts"]) == {"head", f"row-{second}"}
    assert not len(one.outbox)
    assert f"row-{first}" in pages.context.feeds.page(BOARD)[0]


def test_a_page_that_was_away_gets_all_of_it(pages: HallPages) -> None:
    """A page that was away gets all parts and their order, so that no removed part stays."""
    table = pages.add_table(1)
    flow = pages.context.feeds.open(BOARD, "another-1")
    (opening,) = flow.opening
    assert parsed(opening)["order"] == ["head", f"row-{table}"]
    assert set(parsed(opening)["parts"]) == {"head", f"row-{table}"}


def test_a_new_table_comes_into_its_place(pages: HallPages) -> None:
    """A message about a new table contains the order of all rows."""
    later = pages.add_table(2)
    flow = pages.context.feeds.open(BOARD)
    earlier = pages.add_table(1)
    pages.context.feeds.refresh()
    (message,) = sent(flow)
    assert message["order"] == ["head", f"row-{earlier}", f"row-{later}"]


def test_rows_are_rendered_once_for_all_readers(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the changed row is rendered, once for each language, however many boards are open."""
    for number in range(1, 6):
        pages.add_table(number)
    flows = [pages.context.feeds.open(BOARD) for _ in range(50)]
    rendered: list[str] = []
    template = pages.app.jinja_env.get_template("hall/board_row.html")
    render = template.render

    def counting(**fields: Any) -> str:
        rendered.append(fields["row"].id)
        return render(**fields)

    monkeypatch.setattr(template, "render", counting)
    pages.play("table003", "Ann", "Bob")
    pages.context.feeds.refresh()
    assert rendered == ["table003"]
    assert [len(flow.outbox) for flow in flows] == [1] * 50


def test_a_table_is_watched_as_long_as_somebody_looks(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table is watched while at least one stream is open; readers of the plain page do not count."""
    watched: list[int] = []

    @contextmanager
    def watching(table: str) -> Iterator[None]:
        watched.append(1)
        yield
        watched.append(-1)

    monkeypatch.setattr(pages.hall, "watching", watching)
    table = pages.add_table(1)
    pages.browser().get(f"/table/{table}")
    assert watched == []
    flow = pages.context.feeds.open(FeedKey("table", "en", table))
    assert watched == [1]
    flow.close()
    flow.close()
    assert watched == [1, -1]
    assert pages.context.feeds.streams == 0


def test_a_reader_who_is_too_slow_has_to_ask_again(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow reader's stream ends instead of collecting messages."""
    monkeypatch.setattr(pushed_streams, "BACKLOG", 3)
    table = pages.add_table(1)
    flow = pages.context.feeds.open(BOARD)
    for number in range(8):
        pages.play(table, f"Ann {number}", "Bob")
        pages.context.feeds.refresh()
    assert [message.get("ended", False) for message in sent(flow)] == [False, False, False, True]


def test_streams_are_limited_and_end_with_the_server(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream above the limit is refused, and a new one during shutdown ends at once."""
    monkeypatch.setattr(feeds, "MOST", 1)
    flow = pages.context.feeds.open(BOARD)
    with pytest.raises(QuotaExceeded):
        pages.context.feeds.open(BOARD)
    assert pages.browser().get("/stream/board?lang=en").status_code == 503
    pages.context.feeds.stop()
    assert sent(flow) == [{"ended": True}]
    flow.close()
    assert sent(pages.context.feeds.open(BOARD)) == [{"ended": True}]


def test_one_reader_s_streams_shut_nobody_out(pages: HallPages, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person with the most streams loses one for a newcomer, and judges have reserved places."""
    monkeypatch.setattr(feeds, "MOST", 4)
    monkeypatch.setattr(feeds, "KEPT", 1)
    greedy = [pages.context.feeds.open(BOARD, sender="phone") for _ in range(4)]
    flow = pages.context.feeds.open(BOARD, sender="ada")
    assert sent(greedy[0]) == [{"ended": True}]
    with pytest.raises(QuotaExceeded):
        pages.context.feeds.open(BOARD, sender="phone")
    pages.context.feeds.open(BOARD, sender="ben")
    with pytest.raises(QuotaExceeded):  # everybody else has at most one stream more than the newcomer would have
        pages.context.feeds.open(BOARD, sender="ada")
    pages.context.feeds.open(FeedKey("organiser", "en"), sender="judge", trusted=True)
    with pytest.raises(QuotaExceeded):
        pages.context.feeds.open(BOARD, sender="another judge", trusted=True)
    pages.context.feeds.stop()
    assert sent(flow) == [{"ended": True}]


def test_a_page_that_cannot_be_rendered_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    """The error is logged, and a page about something that has gone ends its streams."""
    found = HallFeeds()
    values: dict[str, Any] = {"good": "1", "gone": "1", "bad": "1"}

    def make(key: FeedKey) -> dict[str, str]:
        if values["bad"] == "x" and key.kind == "bad":
            raise TypeError
        return {"part": values[key.kind]}

    for kind in values:
        found.kinds[kind] = make
    flows = {kind: found.open(FeedKey(kind, "en")) for kind in ("bad", "gone", "good")}
    values |= {"good": "2", "bad": "x"}
    del values["gone"]
    found.refresh()
    assert sent(flows["good"])[0]["parts"] == {"part": "2"}
    assert sent(flows["gone"]) == [{"ended": True}]
    assert sent(flows["bad"]) == []
    assert "bad could not be rendered" in caplog.text


def test_something_that_happens_is_sent_by_itself(pages: HallPages) -> None:
    """A change in the hall triggers rendering by itself."""
    pages.context.feeds.start()
    flow = pages.context.feeds.open(BOARD)
    pages.add_table(1)
    assert b"row-table001" in (flow.outbox.get(timeout=10) or b"")


def test_streams_of_a_page_start_over_http(pages: HallPages, browser: HallBrowser) -> None:
    """A known page in a known language has a stream, and others are refused."""
    pages.add_table(1)
    answer = browser.get("/stream/board?lang=en", buffered=False)
    assert answer.mimetype == "text/event-stream"
    assert b"row-table001" in next(answer.iter_encoded())
    answer.close()
    for path in (
        "/stream/board?lang=xx",
        "/stream/nothing?lang=en",
        "/stream/board/more?lang=en",
        "/stream/table?lang=en",
    ):
        assert browser.get(path).status_code == 404, path


def test_times_are_filled_in_for_readers_without_javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hall's clock fills in each time, and no person's text can imitate a time."""
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    monkeypatch.setattr(time, "time", lambda: 5000.0)
    page = '<time data-since="40.0"></time><time data-at="4000.5"></time><p>&lt;time data-at="1"&gt;</p>'
    assert fill_ages(page, lambda seconds: f"{seconds:.1f}") == (
        '<time data-since="40.0">60.0</time><time data-at="4000.5">999.5</time><p>&lt;time data-at="1"&gt;</p>'
    )
