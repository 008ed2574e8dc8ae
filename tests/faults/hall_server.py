"""A hall as a process of its own that can be killed: broker, database, and an organiser who seats round after round.

It obeys the file `released` in its folder, the number of rounds that may be seated by now. `status.json` is what it
shows. Each letter that it tells is a moment at which a kill may hurt: `w` before, `d` after a write to the database.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import msgspec

from companion.devices import child_processes
from companion.hall import entries as e
from companion.hall.approval import TableApproval
from companion.hall.broker import HallBroker
from companion.hall.hall import Hall
from companion.hall.round_results import round_results
from companion.hall.sqlite import EntryStore, sqlite_url
from companion.hall.tournament.seating import RoundSeating, seat_round
from tests.support.hall_room import enter_table

DATABASE, STATUS, RELEASED = "hall.sqlite", "status.json", "released"
AT_A_TABLE, GAME = 3, "game-of-trains"
LOOK_S = 0.03
"""Seconds between two looks of the organiser."""
Say = Callable[[str], None]


class HallShown(msgspec.Struct, frozen=True):
    """What the killed hall showed last. `at` is of the steady clock, which all processes of a machine share."""

    at: float
    faults: tuple[str, ...]
    here: tuple[str, ...]
    """The tables that are there."""
    complete: int
    """The rounds that are played."""
    broker: int
    """The broker's process."""


class TellingStore(EntryStore):
    """A database that says when it is about to be written."""

    def __init__(self, url: str, say: Say) -> None:
        super().__init__(url)
        self._say = say

    def append(self, after: int, at: float, by: str, bodies: Sequence[e.Body]) -> list[e.Entry] | None:
        """Write entries, and tell before and after."""
        self._say("w")
        written = super().append(after, at, by, bodies)
        self._say("d")
        return written


def prepare(folder: Path, port: int, tables: int, rounds: int) -> None:
    """Open a hall for the first time, admit its tables, and plan the tournament."""
    broker = HallBroker(folder / "broker", "127.0.0.1", port, lambda fault: None)
    store = EntryStore(sqlite_url(folder / DATABASE))
    hall = Hall(store, broker.address, "The club")
    for number in range(1, tables + 1):
        enter_table(hall, table_folder(folder, number), number, port)
    hall.record("organiser", e.TournamentPlanned("Cup", GAME, rounds, "random", (AT_A_TABLE,), AT_A_TABLE))
    hall.record("organiser", e.PlayersEntered(tuple([f"Player {n}" for n in range(1, AT_A_TABLE * tables + 1)])))
    store.close()


def table_folder(folder: Path, number: int) -> Path:
    """Return the folder of a table."""
    return folder / f"table-{number}"


def serve(folder: Path, port: int, seed: str, clock_off_s: float, say: Say) -> None:
    """Be the hall until killed; its wall clock is off by so many seconds."""
    child_processes.FIRST_WAIT = child_processes.LONGEST_WAIT = 0.2  # a broker that is killed so often is no riddle
    broker = HallBroker(folder / "broker", "127.0.0.1", port, lambda fault: None)
    store = TellingStore(sqlite_url(folder / DATABASE), say)
    hall = Hall(store, broker.address, "The club", lambda: time.time() + clock_off_s)
    TableApproval(hall, broker)
    broker.start()
    hall.start()
    luck = Random(seed)
    while True:
        complete = _organise(hall, int((folder / RELEASED).read_text()), luck)
        child = broker._child
        shown = HallShown(
            time.monotonic(),
            hall.faults,
            tuple([table.id for table in hall.state.present if hall.live(table.id).here]),
            complete,
            child.process.pid if child is not None and child.process is not None else 0,
        )
        (folder / "status.new").write_bytes(msgspec.json.encode(shown))
        os.replace(folder / "status.new", folder / STATUS)
        time.sleep(LOOK_S)


def _organise(hall: Hall, released: int, luck: Random) -> int:
    """Seat the next round once it is released and the last is complete; return how many are."""
    state = hall.state
    number = max(state.rounds, default=0)
    if number:
        results = round_results(state, number)
        if not all(t.number in results and results[t.number].holds for t in state.rounds[number].tables):
            return number - 1
    if number < released:
        earlier = [RoundSeating(tuple([t.players for t in r.tables]), r.byes) for r in state.rounds.values()]
        seating = seat_round(
            sorted(state.players), {}, earlier, method="random", sizes={AT_A_TABLE}, preferred=AT_A_TABLE, luck=luck
        )
        tables = tuple([e.SeatedTable(1 + place, players) for place, players in enumerate(seating.tables)])
        hall.record("organiser", e.RoundSeated(number + 1, tables, seating.byes))
    return number
