"""A table that is killed at each of its commits: `python -m tests.faults.committing FOLDER EVERY`.

Each evening is acted once for every step at which it can be killed: before and after each commit; in the first start at
every statement. It is a process of its own that is forked from this one and says what was acknowledged over a pipe.
Another one then starts the house again and says what is wrong there. Prints how often it was killed, and the faults.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from companion.journal.database import check_free
from companion.match.actor import Actor
from companion.ops.backup.backup import make_backup
from companion.ops.backup.restore import restore
from tests.support.matches import TO_WAGONS
from tests.support.web.visitors import HOST_PIN, JOURNAL, Room

Tell = Callable[[str], None]
CONNECT = sqlite3.connect


class Dying(sqlite3.Connection):
    """A connection whose process is killed at one of its steps."""

    steps = -1
    """How many steps are left; negative: it lives."""
    commits_alone = True

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        """Run a statement, unless it is time to die."""
        counts = statement == "COMMIT" or not Dying.commits_alone
        if counts:
            step()
        done = super().execute(statement, *values)
        if counts:
            step()
        return done


def step() -> None:
    """Take a step, and die where it was the last one."""
    if Dying.steps == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    Dying.steps -= 1


# --- evenings -------------------------------------------------------------------------------------


def nothing(folder: Path) -> None:
    """Begin with an empty folder."""


def a_game(folder: Path) -> None:
    """Begin with a game that lies on the table, two of its seats taken."""
    with Room(folder) as room:
        room.set_up()
        room.join(0)


def left_aside(folder: Path) -> None:
    """Begin with a game that was taken off the table."""
    with Room(folder) as room:
        room.set_up()
        room.anybody.tap(room.host, "leave", {"sure": "1"})


def a_backup(folder: Path) -> None:
    """Begin with another game, and an open backup of one that hides nothing."""
    with Room(folder / "saved") as room:
        room.set_up(2, deck="ours")
        for event in TO_WAGONS[:2]:
            assert room.table.propose(event, Actor.TABLE).accepted
    make_backup(folder / "saved", folder / "saved.backup")
    a_game(folder)


def start(folder: Path, tell: Tell) -> None:
    """Start for the very first time."""
    Dying.commits_alone = False
    check_free(folder / JOURNAL)
    with Room(folder):
        pass


def set_up(folder: Path, tell: Tell) -> None:
    """Set a game up."""
    with Room(folder) as room:
        tell(f"host {room.set_up()}")


def join(folder: Path, tell: Tell) -> None:
    """Sit down, on phones and on the shared tablet; a bot gives way; the host comes back."""
    with Room(folder) as room:
        doors = room.context.access.credentials("1")
        assert doors is not None
        room.pin = doors.room
        room.host = room.anybody.submit("/host", {"pin": HOST_PIN}, "/host").headers["Location"]
        tell(f"host {room.host}")
        room.anybody.tap(room.host, "bot", {"seat": "1", "on": "1"})
        tell(f"seat {room.join(1).headers['Location']}")
        tell(f"seat {room.join(0).headers['Location']}")
        tablet = room.page("tablet")
        tell(f"table {tablet}")
        room.anybody.submit(tablet + "hand", {"seat": "2", "pin": "1112"}, tablet)
        tell(f"watch {room.page('watch')}")


def resume(folder: Path, tell: Tell) -> None:
    """Put the game on the table again."""
    with Room(folder) as room:
        tell(f"host {room.anybody.submit('/past/1/resume', {'pin': HOST_PIN}, '/past/').headers['Location']}")


def back(folder: Path, tell: Tell) -> None:
    """Restore a game that has no host, and become its host."""
    restore(folder / "saved.backup", folder)
    resume(folder, tell)


EVENINGS: dict[str, tuple[Callable[[Path], None], Callable[[Path, Tell], None]]] = {
    "first start": (nothing, start),
    "set-up": (nothing, set_up),
    "joining": (a_game, join),
    "resuming": (left_aside, resume),
    "restoring": (a_backup, back),
}

# --- what must be true ----------------------------------------------------------------------------


def check(folder: Path, said: list[list[str]]) -> str:
    """Start again; return what is wrong, or nothing."""
    check_free(folder / JOURNAL)
    with Room(folder) as room:
        shown = room.table.snapshot()
        if shown.findings:
            return f"it says {shown.findings}"
        for kind, page in said:
            if room.anybody.get(page).status_code != 200:
                return f"the acknowledged page of a {kind} is gone"
        if not shown.match_id:
            return unfinished(room, bool(said))
        if room.context.locked_out():
            return "it is locked"
        answer = room.visitor().submit("/host", {"pin": HOST_PIN}, "/host")
        if answer.status_code != 303:
            return f"the host's PIN does not open it ({answer.status_code})"
        room.host = answer.headers["Location"]
        doors = room.context.access.credentials(shown.match_id)
        assert doors is not None
        room.pin = doors.room
        if set(doors.pins) & set(doors.bots):
            return "a bot plays somebody's seat"
        for seat in range(len(shown.setup.seated()) if shown.setup else 0):
            if room.join(seat).status_code != 303:
                return f"seat {seat} cannot be taken"
    return ""


def unfinished(room: Room, said: bool) -> str:
    """Return what is wrong with a table without a game, or nothing."""
    if said:
        return "what was acknowledged is gone"
    for match in room.table.matches():
        answer = room.anybody.submit(f"/past/{match.id}/resume", {"pin": HOST_PIN}, "/past/")
        if answer.status_code != 303:
            return f"match {match.id} cannot be resumed ({answer.status_code})"
        room.anybody.tap(answer.headers["Location"], "leave", {"sure": "1"})
    room.set_up()
    return ""


# --- killing --------------------------------------------------------------------------------------


def forked(act: Callable[[Tell], None]) -> tuple[list[str], bool]:
    """Do something in a process of its own; return what it told, and whether it came to its end."""
    ours, its = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        code = 1
        try:
            act(lambda line: bool(os.write(its, f"{line}\n".encode())) and None)
            code = 0
        except BaseException as error:
            os.write(its, f"error {type(error).__name__}: {error}\n".encode())
        finally:
            os._exit(code)
    os.close(its)
    with open(ours, encoding="utf-8") as pipe:
        told = pipe.read().splitlines()
    return told, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def main(folder: Path, every: int) -> tuple[dict[str, int], list[str]]:
    """Kill every evening at each of its steps, or at every so manieth; the many of a first start three times rarer."""
    warm(folder / "warm")
    kills: dict[str, int] = {}
    faults: list[str] = []
    for name, (prepare, act) in EVENINGS.items():
        prepared = folder / name / "prepared"
        prepared.mkdir(parents=True)
        forked(partial(prepared_by, prepare, prepared))
        kills[name], ended, steps = 0, False, 0
        while not ended:
            place = Path(shutil.copytree(prepared, folder / name / str(steps)))
            told, ended = forked(partial(armed, place, act, steps))
            errors = [line for line in told if line.startswith("error")]
            said = [line.split() for line in told if not line.startswith("error")]
            wrong, _ = forked(partial(checked, place, said))
            faults += [f"{name} killed at step {steps}: {line}" for line in errors + wrong if line]
            ended = ended or bool(errors)
            kills[name] += not ended
            steps += every * 3 if name == "first start" and every > 1 else every
    return kills, faults


def prepared_by(prepare: Callable[[Path], None], place: Path, tell: Tell) -> None:
    """Prepare an evening."""
    prepare(place)


def checked(place: Path, said: list[list[str]], tell: Tell) -> None:
    """Tell what is wrong with what a kill has left."""
    tell(check(place, said))


def warm(folder: Path) -> None:
    """Have the pages' templates compiled once for all processes."""
    folder.mkdir()
    with Room(folder) as room:
        room.set_up()
        room.context.renderer.load_templates()


def armed(place: Path, act: Callable[[Path, Tell], None], steps: int, tell: Tell) -> None:
    """Act an evening until the given step."""
    sqlite3.connect = lambda *a, **k: CONNECT(*a, factory=Dying, **k)  # type: ignore[assignment,misc]
    Dying.steps = steps
    act(place, tell)


if __name__ == "__main__":
    print(msgspec.json.encode(main(Path(sys.argv[1]), int(sys.argv[2]))).decode())
