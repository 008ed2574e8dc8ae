"""`kill -9` of hall, broker and tables throughout a tournament: `python -m tests.faults.hall_killing FOLDER …`.

Hall and tables are processes that are forked from this one, so that they need not import everything again. They tell
over pipes where they are, so that kills come also in the middle of sending a result and of writing it down.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import msgspec

from companion.files.atomic_file import replace_file
from tests.faults import hall_server, hall_table, hall_truth
from tests.faults.hall_server import DATABASE, RELEASED, STATUS, HallShown, table_folder
from tests.support.hall_brokers import port_with_neighbour

LONGEST_S = 60.0
"""Seconds after which what should come about never will."""
PACE_S = 0.03
MONTH_S = 30 * 24 * 3600.0
FINISHED = "finished"
AWAY_KILLS = 8
"""For so many kills a table stays away now and then."""
TARGETS = ("hall", "broker", "table", "table")


class TournamentKilled(msgspec.Struct):
    """What came of it. `right_again` are seconds from the broker's first answer until everybody saw everybody."""

    kills: dict[str, int] = {}
    moments: dict[str, int] = {}
    results: int = 0
    right_again: list[float] = []
    faults: list[str] = []


class KilledChild:
    """A process that is forked from this one, killed, and forked again."""

    def __init__(self, play: Callable[[hall_server.Say], None]) -> None:
        self._play = play
        self.pid = self.pipe = 0
        self.there = self.finished = False
        """Whether a table has said last that the hall is there; whether it plays no more."""

    def start(self) -> None:
        """Fork it."""
        self.pipe, its = os.pipe()
        os.set_blocking(self.pipe, False)
        self.pid, self.there = os.fork(), False
        if self.pid:
            os.close(its)
            return
        status = 1
        try:
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: whoever kills us ends all
            os.close(self.pipe)
            told = os.fdopen(its, "w")
            self._play(lambda letter: print(letter, end="", file=told, flush=True))
            status = 0
        except Exception:
            traceback.print_exc()  # nothing here may end by itself
        finally:
            sys.stderr.flush()
            os._exit(status)

    def kill(self) -> None:
        """Kill it."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.read()
            os.close(self.pipe)
            self.pid = self.pipe = 0
            self.there = False

    def read(self) -> str:
        """Return what it has told since the last time."""
        try:
            told = os.read(self.pipe, 65536).decode() if self.pid else ""
        except BlockingIOError:
            told = ""
        for letter in told:
            self.there = letter == "c" if letter in "cl" else self.there
            self.finished |= letter == "f"
        return told


class KilledTournament:
    """A tournament whose every part is killed now and then."""

    def __init__(self, folder: Path, seed: int, tables: int, rounds: int) -> None:
        self.folder, self.rounds, self.seed = folder, rounds, seed
        self.luck, self.port = Random(seed), port_with_neighbour()
        self.found = TournamentKilled()
        self.folders = [table_folder(folder, number) for number in range(1, tables + 1)]
        self.hall = KilledChild(self._serve)
        self.tables = [KilledChild(partial(self._play, number)) for number in range(tables)]
        self.away: dict[int, int] = {}
        """The kills after which a table comes back."""
        self.starts = self.done = 0

    def run(self, kills: int) -> TournamentKilled:
        """Play it with so many kills."""
        setting_up = KilledChild(lambda say: hall_server.prepare(self.folder, self.port, len(self.tables), self.rounds))
        setting_up.start()
        if os.waitpid(setting_up.pid, 0)[1]:
            raise RuntimeError("the hall could not be set up")
        (self.folder / RELEASED).write_text("0")
        try:
            self._start(self.hall)
            for table in self.tables:
                self._start(table)
            for number in range(1, self.rounds + 1):
                replace_file(self.folder / RELEASED, str(number), 0o600)  # the hall reads it all the time
                while self.done < kills * number // self.rounds:
                    self._kill()
                for place in list(self.away):
                    self._come_back(place)
                self._until(partial(self._complete, number), f"round {number} is complete")
            (self.folder / FINISHED).touch()
            self._until(lambda: all(table.finished for table in self.tables), "the last guests have gone")
            self._until(lambda: not hall_truth.owed(self.folders), "everything is confirmed")
            self.found.faults += hall_truth.unkept_promises(self.folders, self.folder / DATABASE)
            self.found.faults += hall_truth.wrong(self.folders, self.folder / DATABASE, self.rounds)
            self.found.results = sum([len(hall_truth.ends_of(folder)) for folder in self.folders])
        finally:
            for child in (*self.tables, self.hall):
                child.kill()
        return self.found

    # --- the processes ----------------------------------------------------------------------------

    def _start(self, child: KilledChild) -> None:
        self.starts += 1
        child.start()

    def _clock(self) -> float:
        """Return by how much the wall clock of what is started next is off."""
        return Random(f"{self.seed}-{self.starts}").choice((0.0, 3600.0, -3600.0, MONTH_S, -MONTH_S))

    def _serve(self, say: hall_server.Say) -> None:
        hall_server.serve(self.folder, self.port, f"{self.seed}-{self.starts}", self._clock(), say)

    def _play(self, number: int, say: hall_server.Say) -> None:
        seed = 1000 * self.seed + self.starts
        hall_table.play(self.folders[number], seed, PACE_S, self._clock(), self.folder / FINISHED, say)

    def shown(self) -> HallShown:
        """Return what the hall showed last."""
        try:
            return msgspec.json.decode((self.folder / STATUS).read_bytes(), type=HallShown)
        except FileNotFoundError:
            return HallShown(0.0, (), (), 0, 0)

    def _until(self, true: Callable[[], bool], what: str) -> None:
        """Wait until something is so."""
        end = time.monotonic() + LONGEST_S
        while not true():
            for child in (*self.tables, self.hall):
                child.read()
            if time.monotonic() > end:
                raise TimeoutError(f"never: {what}; {self.shown()}; {self.found}; {hall_truth.told(self.folder)}")
            time.sleep(0.01)

    def _complete(self, number: int) -> bool:
        return self.shown().complete >= number

    # --- killing ----------------------------------------------------------------------------------

    def _kill(self) -> None:
        """Wait for a moment, kill something, and start it again a little later."""
        target = self.luck.choice(TARGETS)
        moment, place = self._moment()
        if target == "hall":
            self.hall.kill()
            self.found.faults += hall_truth.unkept_promises(self.folders, self.folder / DATABASE)
            time.sleep(self.luck.uniform(0.0, 0.3))
            self._start(self.hall)
        elif target == "broker":
            self._until(self._kill_broker, "the broker is there")
        else:
            self._kill_table(place)
        self.done += 1
        self.found.kills[target] = self.found.kills.get(target, 0) + 1
        self.found.moments[moment] = self.found.moments.get(moment, 0) + 1
        for back in [back for back, after in self.away.items() if self.done >= after]:
            self._come_back(back)
        if target in ("hall", "broker") and self.luck.random() < 0.3:
            self._measure()

    def _kill_broker(self) -> bool:
        """Kill the broker; return whether it was there."""
        try:
            process = self.shown().broker
            if not process or b"mosquitto" not in Path(f"/proc/{process}/cmdline").read_bytes():
                return False
            os.kill(process, signal.SIGKILL)
        except OSError:
            return False
        return True

    def _kill_table(self, place: int | None) -> None:
        here = [number for number in range(len(self.tables)) if number not in self.away]
        place = place if place in here else self.luck.choice(here)
        self.tables[place].kill()
        if self.luck.random() < 0.15 and len(here) > 2:
            self.away[place] = self.done + AWAY_KILLS
            return
        time.sleep(self.luck.uniform(0.0, 0.2))
        self._start(self.tables[place])

    def _come_back(self, place: int) -> None:
        del self.away[place]
        self._start(self.tables[place])

    def _moment(self) -> tuple[str, int | None]:
        """Wait for a moment to kill at; return its kind, and the table that it is about."""
        kind = self.luck.choice(("any", "before a match", "after a match", "at a write"))
        letters = {"before a match": "m", "after a match": "o", "at a write": "w"}.get(kind, "")
        longest = {"at a write": 0.004, "after a match": 0.3, "before a match": 0.15}.get(kind, 0.5)
        found = self._told(letters, 1.5) if letters else None
        if letters and found is None:
            kind, longest = "any", 0.5
        time.sleep(self.luck.uniform(0.0, longest))
        return kind, found

    def _told(self, letter: str, patience: float) -> int | None:
        """Wait until somebody tells a letter; return the table's place (the hall's is -1), None if nobody does."""
        children = {child.pipe: place for place, child in enumerate(self.tables) if child.pid}
        children |= {self.hall.pipe: -1} if self.hall.pid else {}
        for place in children.values():
            (self.hall if place < 0 else self.tables[place]).read()
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            for pipe in select.select(list(children), [], [], left)[0]:
                place = children[pipe]
                told = (self.hall if place < 0 else self.tables[place]).read()
                if letter in told:
                    return place
                if not told:  # it has ended by itself, which nothing here may do
                    raise RuntimeError(f"{'the hall' if place < 0 else f'table {place + 1}'} has ended")
        return None

    def _measure(self) -> None:
        """Wait until the broker answers again, then until all see one another; keep how long that took."""
        self._until(self._answers, "the broker answers")
        answered = time.monotonic()
        self._until(lambda: self._right(answered), "everybody is there again")
        self.found.right_again.append(round(time.monotonic() - answered, 3))

    def _right(self, since: float) -> bool:
        shown, playing = self.shown(), len(self.tables) - len(self.away)
        there = sum(table.there for table in self.tables)
        return shown.at > since and not shown.faults and len(shown.here) == playing == there

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


def main() -> None:
    """Play, kill, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=6)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    found = KilledTournament(asked.folder, asked.seed, asked.tables, asked.rounds).run(asked.kills)
    print(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main()
