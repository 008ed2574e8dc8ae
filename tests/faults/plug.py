"""Pulls the plug of a machine: User-Mode Linux with a disk in a file, killed; then what may have been on the disk.

Two caches are lost with it: the machine's memory, with all that its file system had not written; and, in the states
that are rebuilt from what was noted, the disk's own, with any of the writes that no completed flush covered.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.faults.disk import Note, between, notes
from tests.faults.disk import missing as no_compiler
from tests.faults.states import File, found
from tests.faults.truth import Said, lines
from tests.hardware.kernel.machine import kernel_path

HERE = Path(__file__).parent
SIZE = 24 * 1024 * 1024
PATIENCE = 120.0
"""Seconds in which a machine must be up, or have looked at its disks."""
MARK = b"guest> "
EARLIER = 4
"""How many cuts at an earlier moment are rebuilt from what one real cut has left, besides four of its own moment."""


class Cut(NamedTuple):
    """What a pulled plug left: how many acknowledgements, and each state of the disk with what was wrong with it."""

    acknowledged: int
    states: dict[str, str]


def missing() -> str:
    """Return why no plug can be pulled here and what would help, or nothing."""
    if not os.access(kernel_path(), os.X_OK):
        return f"there is no kernel at {kernel_path()}: make pins"
    if b"ext4" not in kernel_path().read_bytes():
        return f"the kernel at {kernel_path()} is an older one without ext4: delete it, then make pins"
    if shutil.which("mkfs.ext4", path=f"{os.environ.get('PATH', '')}:/sbin:/usr/sbin") is None:
        return "there is no mkfs.ext4: apt install e2fsprogs"
    return no_compiler()


def pulled(folder: Path, seed: int, synchronous: str = "FULL") -> Cut:
    """Boot a machine that plays, pull its plug at a random moment, and look at what may be left on its disk."""
    luck = Random(seed)
    blank, image, log = folder / "blank.img", folder / "disk.img", folder / "log"
    if not blank.exists():
        with blank.open("wb") as file:
            file.truncate(SIZE)
        path = f"{os.environ.get('PATH', '')}:/sbin:/usr/sbin"
        subprocess.run(["mkfs.ext4", "-q", "-F", str(blank)], check=True, env=os.environ | {"PATH": path})
    for left in (log, *folder.glob("*.cut"), *folder.glob("*.said")):
        left.unlink(missing_ok=True)
    shutil.copy(blank, image)
    said = acknowledged(cut_off(folder, image, log, luck, synchronous, seed))
    states(folder, blank, image, list(notes(log)), said, luck)
    return Cut(len(said), looked_at(folder))


def machine(folder: Path, *told: str) -> list[str]:
    """Return the command that boots a machine with a program as its first process."""
    return [
        *("timeout", "--kill-after=5", str(int(PATIENCE))),  # it ends even where this process was killed
        *(str(kernel_path()), "mem=256M", "root=/dev/root", "rootfstype=hostfs", "rootflags=/", "ro", "quiet"),
        *("con=null", "con0=null,fd:1", "ssl=null", f"uml_dir={folder}", f"init={sys.executable}"),
        f"PYTHONPATH={between('')['PYTHONPATH']}",
        *("PYTHONDONTWRITEBYTECODE=1", "--", str(HERE / "guest.py"), told[0], str(folder), *told[1:]),
    ]


def cut_off(folder: Path, image: Path, log: Path, luck: Random, synchronous: str, seed: int) -> bytes:
    """Boot, let the machine play for a moment, kill all of it; return what it had said by then."""
    running = subprocess.Popen(
        machine(folder, "play", synchronous, str(seed)),
        env=between(str(image), log),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert running.stdout is not None
    data = b""
    try:
        while MARK + b"- 0 -" not in data:
            more = os.read(running.stdout.fileno(), 65536)
            if not more:
                raise RuntimeError(f"the machine did not come up: {data.decode(errors='replace')[-3000:]}")
            data += more
        end = time.monotonic() + luck.uniform(0.1, 1.5)
        os.set_blocking(running.stdout.fileno(), False)
        while time.monotonic() < end:
            data += running.stdout.read() or b""
            time.sleep(0.005)
    finally:
        for process in family(running.pid):  # the machine's own programs are processes here, each in a group of its own
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        running.wait()
        os.set_blocking(running.stdout.fileno(), False)
        data += running.stdout.read() or b""
        running.stdout.close()
    return data


def family(process: int) -> list[int]:
    """Return a process and all that descend from it."""
    found = [process]
    for each in found:
        with suppress(OSError):
            for task in Path(f"/proc/{each}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def acknowledged(data: bytes) -> list[Said]:
    """Return the acknowledgements in what a machine said; half a line does not count."""
    whole = [line.strip() for line in data.split(b"\n")[:-1]]
    parts = [line.removeprefix(MARK) for line in whole if line.startswith(MARK)]
    return lines(b"".join(part + b"\n" for part in parts if part.count(b" ") == 2))


def states(folder: Path, blank: Path, image: Path, noted: list[Note], said: list[Said], luck: Random) -> None:
    """Lay out the states that the disk may have after the cut, and after cuts at earlier moments, to be looked at."""
    shutil.copy(image, folder / "as-it-was.cut")
    (folder / "as-it-was.said").write_text(json.dumps(said))
    begun = next(n for n, note in enumerate(noted) if note.what == "A" and MARK in note.data)
    moments = [len(noted)] * 3 + sorted(luck.randrange(begun, len(noted)) for _ in range(EARLIER))
    for number, moment in enumerate(moments):
        file, output = File(), b""
        file.durable = bytearray(blank.read_bytes())
        for note in noted[:moment]:
            if note.what == "S":
                file.synced()
            elif note.what in "WT":
                file.waiting.append(note)
            elif note.what == "A":
                output += note.data
        share = 0.0 if number == 0 else luck.choice([0.1, 0.5, 0.9])
        (folder / f"{number}.cut").write_bytes(found(file, luck, share))
        known = said if moment == len(noted) else acknowledged(output)
        (folder / f"{number}.said").write_text(json.dumps(known))


def looked_at(folder: Path) -> dict[str, str]:
    """Boot a machine that opens every state of the disk; return what was wrong with each."""
    done = subprocess.run(
        machine(folder, "check"), stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE + 10, check=False
    )
    marked = [line.removeprefix(MARK) for line in done.stdout.splitlines() if line.startswith(MARK)]
    result = dict(json.loads(line) for line in marked)
    if set(result) != {path.name for path in folder.glob("*.cut")}:
        raise RuntimeError(f"not every disk was looked at: {done.stdout.decode(errors='replace')[-3000:]}")
    return result
