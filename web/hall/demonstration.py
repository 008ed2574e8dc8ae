"""Tables that play by themselves in a hall, in a process of their own: they join by code, as any table does."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

from companion.hall.admission import TableAdmission
from companion.hall.checks import HallError
from companion.hall.self_play import SelfPlayingTable
from web.presenters.hall_link import PublicLog

GAMES = ("game-of-trains", "take-a-train", "trains", "express")
NAMES = ("By the window", "Stage", "Library", "Garden", "Bar", "Corner", "Attic", "Terrace", "Lounge", "Door")
PACE_S = 1.5
"""Seconds between two moves of a table, on average."""
JOIN_S = 30.0
"""Seconds that a table may take to join."""


class HallDemonstration:
    """Has tables join a hall and play there. Close it before the hall."""

    def __init__(self, admission: TableAdmission, port: int, folder: Path, tables: int) -> None:
        """Prepare tables with their journals in a folder; the hall's pages answer at `port` of this machine."""
        self._admission, self._tables = admission, tables
        self._command = [sys.executable, "-m", "web.hall.demonstration", f"127.0.0.1:{port}", str(folder)]
        self._process: subprocess.Popen[str] | None = None
        self._closing = threading.Event()
        self._came = threading.Event()
        self._thread = threading.Thread(target=self._admit_all, name="demonstration", daemon=True)

    def start(self) -> None:
        """Begin; the pages must be served by now, or soon."""
        # In a session of its own: Ctrl-C in the terminal is for the hall, which ends the tables itself.
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, text=True, start_new_session=True)
        self._admission.desk.listen(self._came.set)
        self._thread.start()

    def close(self) -> None:
        """End the tables."""
        self._closing.set()
        self._came.set()
        self._thread.join()
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()  # they end when nobody can tell them anything any more
            self._process.wait()

    def _admit_all(self) -> None:
        """Give the tables codes, one after the other, and let each in."""
        assert self._process is not None and self._process.stdin is not None
        desk = self._admission.desk
        for _ in range(self._tables):
            print(desk.new_code(), file=self._process.stdin, flush=True)
            while not desk.waiting() and not self._closing.is_set():
                self._came.wait(1.0)
                self._came.clear()
            for candidate in desk.waiting():
                try:
                    self._admission.admit(
                        candidate.exchange, candidate.name, self._admission.free_number(), "demonstration"
                    )
                except HallError:
                    desk.refuse(candidate.exchange)
            if self._closing.is_set():
                return


def play(address: str, folder: Path, codes: Iterable[str]) -> None:
    """Play at one table for each code, until there are no more codes to come."""
    tables: list[SelfPlayingTable] = []
    try:
        for number, code in enumerate(codes):
            name = NAMES[number % len(NAMES)] + (f" {1 + number // len(NAMES)}" if number >= len(NAMES) else "")
            table = SelfPlayingTable(
                folder / f"table-{number + 1}", number, PACE_S, GAMES[number % len(GAMES)], PublicLog()
            )
            tables.append(table)
            if not table.hall.status().hall:
                joined = threading.Event()
                table.hall.listen(joined.set)
                table.hall.join(address, code.strip(), name)
                while not table.hall.status().hall and joined.wait(JOIN_S):
                    joined.clear()
            table.start()
    finally:
        for table in tables:
            table.close()


if __name__ == "__main__":
    play(sys.argv[1], Path(sys.argv[2]), sys.stdin)
