"""Tables enter a hall with printed codes, as former tables, or two at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.hall_link.joining import AGAIN, JoinError
from companion.devices.hall_link.signing import TableKey
from companion.hall import entries as e
from companion.hall.checks import HallError
from tests.support.web.hall_pages import HallPages


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[HallPages]:
    """Yield a hall without a broker."""
    found = HallPages(tmp_path)
    yield found
    found.close()


def code_of(pages: HallPages, number: int) -> str:
    """Return a table's code from a newly printed sheet."""
    pages.approval.desk.print_codes([number])
    return next(code.shown for code in pages.approval.desk.printed() if code.number == number)


def test_a_table_of_before_comes_in_at_once(pages: HallPages) -> None:
    """A former table enters at once with its old name, number and results, and gets a new password."""
    tables = [pages.add_table(number) for number in (4, 5)]
    before, code = pages.hall.state.tables, code_of(pages, AGAIN)
    for table in tables:
        desk = pages.approval.desk
        assert desk.waiting() == ()
        with pytest.raises(StopIteration):  # it was admitted, so it does not wait
            pages.knock("Another name", pages.keys[table], code)
        now = pages.hall.state.tables[table]
        assert now == before[table].__class__(now.id, f"Name {now.number}", now.number, now.key, now.secret)
        assert now.secret != before[table].secret
    assert pages.hall.entries()[-1].by == "hall"


def test_a_removed_table_does_not_come_in_by_the_code_for_those_of_before(pages: HallPages) -> None:
    """A removed table cannot use the code for former tables, and needs a new code and the organiser."""
    table = pages.add_table(4)
    pages.hall.record("organiser", e.TableRemoved(table))
    with pytest.raises(StopIteration):
        pages.knock("Back", pages.keys[table], code_of(pages, AGAIN))
    assert pages.hall.state.present == () and pages.approval.desk.waiting() == ()
    pages.approval.admit(pages.knock("Back", pages.keys[table]), "Back", 4, "organiser")
    assert [each.id for each in pages.hall.state.present] == [table]


def test_tables_of_a_sheet_are_let_in_together(pages: HallPages) -> None:
    """Tables of a sheet get their numbers together, except one with a taken number or name, which is reported."""
    pages.add_table(2)
    pages.knock("By itself")
    for number, name in ((1, "Bar"), (2, "Door"), (3, "Window")):
        pages.knock(name, code=code_of(pages, number))
    with pytest.raises(HallError) as fault:
        pages.approval.admit_numbered("organiser")
    assert fault.value.key == "hall.fault.number_taken"
    assert [(each.number, each.name) for each in pages.hall.state.present] == [(1, "Bar"), (2, "Name 2"), (3, "Window")]
    assert [each.name for each in pages.approval.desk.waiting()] == ["By itself", "Door"]


def test_a_listener_lets_tables_of_a_sheet_in(pages: HallPages, caplog: pytest.LogCaptureFixture) -> None:
    """A listener of the desk can admit tables, and all of them are admitted."""
    for number in (1, 2, 3):
        pages.knock(f"Table {number}", code=code_of(pages, number))
    pages.approval.desk.listen(lambda: pages.approval.admit_numbered("organiser"))
    pages.approval.admit_numbered("organiser")
    assert [each.number for each in pages.hall.state.present] == [1, 2, 3]
    assert pages.approval.desk.waiting() == () and not caplog.records


@pytest.mark.parametrize("known", [True, False])
def test_a_table_that_gave_up_keeps_what_it_had(pages: HallPages, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a table has given up, a new one is removed again, and a former one keeps its old password."""
    table = pages.add_table(1)
    before = pages.hall.state.tables[table]
    exchange = pages.knock("Bar", pages.keys[table] if known else TableKey.generate())

    def gone(*_: object) -> None:
        raise JoinError("hall.fault.unknown_exchange")

    monkeypatch.setattr(pages.approval.desk, "approve", gone)
    with pytest.raises(HallError):
        pages.approval.admit(exchange, "Bar", 1 if known else 2, "organiser")
    assert pages.hall.state.present == (before,)
