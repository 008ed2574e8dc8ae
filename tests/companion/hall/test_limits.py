"""Limits on what one table can store in the hall, separate for each table and cleared when it is removed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.bus.address import BrokerAddress
from companion.devices.hall_link import messages as m
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.hall import MOST_CALLS, TOO_MUCH, Hall
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.threads.quotas import Quotas, Rate
from tests.support.hall_room import refusals

KEY = TableKey.from_bytes(bytes(32))
A, B = "aaaaaaaa", "bbbbbbbb"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Yield a hall with two tables and no connection to a broker."""
    found = Hall(EntryStore(sqlite_url(tmp_path / "hall.sqlite")), BrokerAddress("127.0.0.1", 1, m.PREFIX), "The club")
    for number, table in enumerate((A, B), 1):
        found.record("organiser", e.TableAdmitted(table, f"Table {number}", number, KEY.public, "$7$"))
    yield found
    found._record.store.close()


def say(hall: Hall, table: str, kind: str, message: m.Up) -> None:
    """Deliver a table's message to the hall."""
    hall._on_message(m.up(table, kind), m.encode(message), False, 0)


def call(hall: Hall, table: str, name: str) -> None:
    """Deliver a table's call for a judge."""
    say(hall, table, "call", m.JudgeCall(name))


def report(hall: Hall, table: str, match: str, *confirmed: int) -> None:
    """Deliver a table's result of a match."""
    placings = (m.Placing((0,), 1, 9), m.Placing((1,), 2, 4))
    result = m.Result(
        hall=hall.state.hall, table=table, match=match, sequence=1, game="trains", names=("Ada", "Ben"),
        placings=placings, confirmed=confirmed,
    )  # fmt: skip
    say(hall, table, "result", KEY.sign(result))


def open_calls(hall: Hall) -> list[str]:
    """Return the ids of the calls that wait for a judge."""
    return [call.id for call in hall.state.calls.values() if not call.closed]


def test_a_table_has_so_many_calls_open(hall: Hall) -> None:
    """Calls above the limit are refused until a judge closes one, and other tables can still call."""
    names = [f"call {number}" for number in range(MOST_CALLS + 3)]
    for name in names:
        call(hall, A, name)
    call(hall, B, "mine")
    assert open_calls(hall) == [*names[:MOST_CALLS], "mine"]
    hall.record("judge", e.CallClosed(names[0]))
    call(hall, A, names[-1])
    assert open_calls(hall) == [*names[1:MOST_CALLS], "mine", names[-1]]


def test_a_table_has_so_many_results_wait(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table can have a limited number of unconfirmed results, and other tables are not affected."""
    monkeypatch.setattr("companion.hall.hall.MOST_WAITING", 2)
    for match in ("m1", "m2", "m3"):
        report(hall, A, match)
    report(hall, B, "m1")
    assert list(hall.state.results) == [f"{A}:m1", f"{A}:m2", f"{B}:m1"]
    report(hall, A, "m1", 0, 1)
    report(hall, A, "m3")
    assert [record.status for record in hall.state.results.values()] == ["confirmed", "waiting", "waiting", "waiting"]


def test_a_table_that_talks_without_end_is_not_listened_to(hall: Hall) -> None:
    """Messages above a table's rate are refused, and other tables are heard."""
    hall._spoken, refused = Quotas(Rate(2, 0)), refusals(hall)
    for number in range(5):
        say(hall, A, "summary", m.TableSummary(events=number))
    say(hall, B, "summary", m.TableSummary(events=9))
    assert (hall.live(A).summary.events, hall.live(B).summary.events) == (1, 9)
    assert refused == [(A, TOO_MUCH)] * 3


def test_a_table_cannot_say_what_only_the_hall_says(hall: Hall) -> None:
    """A table cannot send a message that only the hall may send."""
    refused = refusals(hall)
    say(hall, A, "summary", m.TableSummary(events=7))
    hall._on_message(m.up(A, "assigned"), m.encode(m.Assigned()), False, 0)
    assert hall.live(A).summary.events == 7
    assert refused == [(A, "only the hall says this")]


def test_a_removed_table_takes_its_calls_and_waiting_results_along(hall: Hall) -> None:
    """When a table is removed, its open calls and unconfirmed results go, and its confirmed results stay."""
    for table in (A, B):
        call(hall, table, f"call of {table}")
        report(hall, table, "m1")
        report(hall, table, "m2", 0, 1)
    hall.record("organiser", e.TableRemoved(A))
    assert open_calls(hall) == [f"call of {B}"]
    left = {f"{A}:m2": "confirmed", f"{B}:m1": "waiting", f"{B}:m2": "confirmed"}
    assert {key: record.status for key, record in hall.state.results.items()} == left
    number, refused = hall.state.number, refusals(hall)
    call(hall, A, "later")
    report(hall, A, "m1", 0)
    assert hall.state.number == number and [table for table, _ in refused] == [A, A]
    hall.record("organiser", hall.state.tables[A].admitted())
    report(hall, A, "m1", 0)
    assert hall.state.results[f"{A}:m1"].status == "waiting"


def test_a_table_that_is_removed_while_it_is_heard_writes_nothing(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message that arrives while its table is being removed is refused and not recorded."""
    first = hall._require_present

    def removed_meanwhile(table: str) -> None:
        first(table)
        monkeypatch.undo()
        hall.record("organiser", e.TableRemoved(A))

    monkeypatch.setattr(hall, "_require_present", removed_meanwhile)
    refused = refusals(hall)
    call(hall, A, "late")
    assert hall.state.calls == {} and len(refused) == 1
