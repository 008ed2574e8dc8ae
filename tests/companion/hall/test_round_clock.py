"""The clock of a round and the announcement are recorded by the hall and sent to its tables."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.devices.hall_link import messages as m
from companion.hall import entries as e
from companion.hall.checks import HallError, check
from companion.hall.hall import assigned
from companion.hall.state import HallState, fold
from tests.support.brokers import until
from tests.support.hall_room import HallRoom, hall_room

NAMES = ("Ann", "Ben", "Cleo", "Dora")
ROUND = (
    e.HallOpened("h" * 8, "Hall", "secret"),
    e.TournamentPlanned("Open", "", 3, "swiss", (2,), 2),
    e.PlayersEntered(NAMES),
    e.RoundSeated(1, (e.SeatedTable(1, (1, 2)), e.SeatedTable(2, (3, 4)))),
)
CALLED = (*ROUND, e.RoundCalled(1, 1000, 50))
END = 1000 + 50 * 60


def after(*bodies: e.Body, at: float = 0.0) -> HallState:
    """Return the state after entries, of which the last is written at a given time (s) of the hall."""
    last = len(bodies)
    return fold([e.Entry(n, at if n == last else 0.0, "judge Jo", body) for n, body in enumerate(bodies, 1)])


def ends(state: HallState) -> tuple[int, int]:
    """Return the ends (s) of both tables' clocks."""
    assert state.round is not None
    return state.round.ends_at(1), state.round.ends_at(2)


def test_a_round_has_a_clock_if_it_is_called_with_its_length() -> None:
    """A round that is called with a length has a clock, and a new call replaces or removes it."""
    assert ends(after(*CALLED)) == (END, END)
    assert ends(after(*CALLED, e.MinutesAdded(1, 5, 2), e.RoundCalled(1, 2000, 10))) == (2600, 2600)
    assert ends(after(*CALLED, e.RoundCalled(1, 2000))) == (0, 0)
    assert msgspec.json.decode(b'{"type":"called","round":1,"begins":7}', type=e.Body) == e.RoundCalled(1, 7)


def test_minutes_are_added_for_all_tables_or_for_one() -> None:
    """Minutes can be added or removed for one table or all, and after the end they count from now."""
    assert ends(after(*CALLED, e.MinutesAdded(1, 5, 2))) == (END, END + 300)
    assert ends(after(*CALLED, e.MinutesAdded(1, 5, 2), e.MinutesAdded(1, 10))) == (END + 600, END + 900)
    assert ends(after(*CALLED, e.MinutesAdded(1, 5, 2), at=END + 90)) == (END, END + 390)
    assert ends(after(*CALLED, e.MinutesAdded(1, 5), at=END + 90)) == (END + 390, END + 390)
    assert ends(after(*CALLED, e.MinutesAdded(1, -5))) == (END - 300, END - 300)
    assert ends(after(*CALLED, e.MinutesAdded(1, -60))) == (1000, 1000)
    assert ends(after(*ROUND, e.MinutesAdded(1, 5))) == (0, 0)


@pytest.mark.parametrize(
    ("before", "body", "key"),
    [
        (CALLED, e.MinutesAdded(2, 5), "round_gone"),
        (ROUND, e.MinutesAdded(1, 5), "no_clock"),
        (CALLED, e.MinutesAdded(1, 0), "more_minutes"),
        (CALLED, e.MinutesAdded(1, 61), "more_minutes"),
        (CALLED, e.MinutesAdded(1, 5, 3), "no_such_table"),
        (CALLED, e.RoundCalled(1, 1000, 601), "round_length"),
        (CALLED, e.RoundCalled(1, 1000, -1), "round_length"),
        (CALLED, e.Announced("x" * 121), "announcement"),
        (CALLED, e.Announced("one\ntwo"), "announcement"),
        ((), e.Announced(" padded "), "announcement"),
    ],
)
def test_what_cannot_be_is_refused(before: tuple[e.Body, ...], body: e.Body, key: str) -> None:
    """Each impossible entry is refused with its own fault."""
    with pytest.raises(HallError) as refused:
        check(after(*before), body)
    assert refused.value.key == f"hall.fault.{key}"


def test_a_table_is_told_its_own_end_and_the_line_for_everybody() -> None:
    """A table receives its own end and the announcement, or only the announcement if it has no players."""
    state = after(*CALLED, e.MinutesAdded(1, 5, 2), e.Announced("Pizza is here"))
    told = assigned(state, 2)
    assert (told.begins, told.ends, told.announcement) == (1000, END + 300, "Pizza is here")
    assert assigned(state, 9) == m.Assigned(9, tournament=0, announcement="Pizza is here")
    assert assigned(after(*CALLED, e.Announced("Pizza is here"), e.Announced("")), 1).announcement == ""


@pytest.fixture
def room(tmp_path: Path) -> Iterator[HallRoom]:
    """Yield a hall."""
    with hall_room(tmp_path) as found:
        yield found


def begin(room: HallRoom, minutes: int) -> None:
    """Seat a round at table 1 that begins now, and announce a line."""
    room.hall.record("organiser", *ROUND[1:], e.RoundCalled(1, int(time.time()), minutes), e.Announced("Hello"))


def test_the_clock_survives_the_hall_the_connection_and_a_wrong_clock(room: HallRoom) -> None:
    """A table counts down with a wrong clock and without the hall, and resynchronises when the hall returns."""
    table = room.add_table(1)
    begin(room, 50)

    def left() -> float:
        seconds = table.hall.status().ends_s
        return -1.0 if seconds is None else seconds

    until(lambda: 2990 < left() <= 3001)
    assert table.hall.status().announcement == "Hello"
    room.hall.close()
    assert 2990 < left() <= 3001  # the table needs no message for that
    room.open_hall()
    room.hall.record("judge Jo", e.MinutesAdded(1, 10, 1))
    until(lambda: 3580 < left() <= 3601)
    room.hall._clock = lambda: time.time() + 600  # ten minutes later
    table.close()
    room.tables.clear()
    again = table = type(table)(room.folder / "table-1", 1, 0.0)
    room.tables.append(again)
    until(lambda: 2970 < left() <= 3001)


def test_what_the_broker_has_kept_is_not_what_time_it_is(room: HallRoom) -> None:
    """A table that restarts while the hall is away shows no clock, because the retained message has no time."""
    table = room.add_table(1)
    begin(room, 50)
    until(lambda: table.hall.status().ends_s is not None)
    until(lambda: table.hall._store.assigned().ends > 0)
    table.close()
    room.tables.clear()
    room.hall.close()
    again = type(table)(room.folder / "table-1", 1, 0.0)
    room.tables.append(again)
    member = again.hall.member
    assert member is not None
    until(lambda: member._link.connected and again.hall.status().announcement == "Hello")
    assert again.hall.status().ends_s is None
    room.open_hall()
    until(lambda: again.hall.status().ends_s is not None)
