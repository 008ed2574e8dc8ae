"""Tables that play by themselves in a hall. They join by code, like any table, in a tournament's second round."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from random import Random

from companion.devices.hall_link.hall_status import HallStatus
from companion.devices.hall_link.messages import Placing
from companion.hall import entries as e
from companion.hall.approval import TableApproval
from companion.hall.checks import HallError
from companion.hall.hall import Hall
from companion.hall.rounds import next_seating
from companion.hall.self_play import PEOPLE, SelfPlayingTable
from web.plugins.hall_link.shown import PublicLog

GAMES = ("game-of-trains", "take-a-train", "trains", "express")
NAMES = ("By the window", "Stage", "Library", "Garden", "Bar", "Corner", "Attic", "Terrace", "Lounge", "Door")
PACE_S = 1.5
"""Seconds between two moves at a table, on average."""
JOIN_S = 30.0
"""Seconds within which a table must join and receive its players' names."""


class HallDemonstration:
    """Joins tables to a hall and plays on them. Close it before the hall."""

    def __init__(self, approval: TableApproval, port: int, folder: Path, tables: int) -> None:
        """Prepare tables with their journals in a folder. The hall serves its pages on `port` of this machine."""
        self._approval, self._tables = approval, tables
        self._command = [sys.executable, "-m", "web.hall.demonstration", f"127.0.0.1:{port}", str(folder)]
        self._process: subprocess.Popen[str] | None = None
        self._closing = threading.Event()
        self._came = threading.Event()
        self._thread = threading.Thread(target=self._admit_all, name="demonstration", daemon=True)

    def start(self) -> None:
        """Start. The hall must already serve its pages, or do so soon."""
        # A new session: Ctrl-C in the terminal reaches only the hall, which ends the tables itself.
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self._approval.desk.listen(self._came.set)
        self._thread.start()

    def close(self) -> None:
        """End the tables."""
        self._closing.set()
        self._came.set()
        self._thread.join()
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()  # they end when their pipe closes
            self._process.wait()

    def _admit_all(self) -> None:
        """Give the tables their codes, as on a printed sheet, and admit them."""
        assert self._process is not None and self._process.stdin is not None
        desk = self._approval.desk
        desk.print_codes(range(1, self._tables + 1))
        for code in desk.printed():
            print(code.shown, file=self._process.stdin, flush=True)
        while len(self._approval.hall.state.present) < self._tables:
            self._came.wait(1.0)
            self._came.clear()
            if self._closing.is_set():
                return
            with suppress(HallError):  # the table has given up in the meantime
                self._approval.admit_numbered("demonstration")
        hold_tournament(self._approval.hall, Random(self._tables))
        print(file=self._process.stdin, flush=True)


def hold_tournament(hall: Hall, luck: Random) -> None:
    """Create a tournament in its second round, with three or four players per table."""
    count = max(4 * len(hall.state.present) - 2, 4)
    names = [f"{PEOPLE[at % len(PEOPLE)]} {'BCDEFGHIJKLMNOP'[at // len(PEOPLE)]}." for at in range(count)]
    plan = e.TournamentPlanned("Spring Cup", "", 4, "swiss", (3, 4), 4)
    hall.record("organiser", plan, e.PlayersEntered(tuple(names)))
    hall.record("organiser", first := next_seating(hall.state, luck))
    for table in first.tables:
        seats = luck.sample(range(len(table.players)), len(table.players))
        placings = tuple([Placing((seat,), place, 60 - 8 * place) for place, seat in enumerate(seats, start=1)])
        hall.record("organiser", e.ResultTyped(1, table.number, table.players, placings))
    hall.record("organiser", next_seating(hall.state, luck), e.RoundCalled(2, int(time.time())))


def play(address: str, folder: Path, codes: Iterable[str]) -> None:
    """Join one table per code, and play from the first empty line until the input ends."""
    tables: list[SelfPlayingTable] = []
    try:
        for number, code in enumerate(codes):
            if not code.strip():
                begin(tables)
                continue
            name = NAMES[number % len(NAMES)] + (f" {1 + number // len(NAMES)}" if number >= len(NAMES) else "")
            table = SelfPlayingTable(
                folder / f"table-{number + 1}", number, PACE_S, GAMES[number % len(GAMES)], PublicLog()
            )
            tables.append(table)
            if not table.hall.status().name:
                table.hall.join(address, code.strip(), name)
                wait_for(table, lambda status: bool(status.name))
    finally:
        for table in tables:
            table.close()


def begin(tables: list[SelfPlayingTable]) -> None:
    """Start a match at every table. The first ends soon with one seat left to confirm; the last calls a judge."""
    tables[0].pace_s, tables[0].confirming = 0.0, (0,)
    for table in tables:
        wait_for(table, lambda status: status.round > 1)  # the first one has finished
        table.start()
    member = tables[-1].hall.member
    if member is not None:
        member.call_judge(1)


def wait_for(table: SelfPlayingTable, true: Callable[[HallStatus], bool]) -> None:
    """Wait for a condition between a table and its hall, or until nothing has happened for `JOIN_S`."""
    news = threading.Event()
    table.hall.listen(news.set)
    while not true(table.hall.status()) and news.wait(JOIN_S):
        news.clear()


if __name__ == "__main__":
    play(sys.argv[1], Path(sys.argv[2]), sys.stdin)
