"""The first process of a machine whose plug is pulled: a disk in a file of the host, the real journal on it.

`guest.py play FOLDER SYNCHRONOUS SEED` plays on `disk.img` of that folder until the machine is killed, its wall clock
jumping about; `guest.py check FOLDER` opens every `*.cut` there as the next start of the companion would.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.journal import database
from companion.table.snapshot import Snapshot
from tests.faults.player import acknowledged, play
from tests.faults.truth import Said, wrong
from tests.hardware.kernel.guest import MOUNTS, POWER_OFF, libc, mount

HOST, DISK = Path("/run/host"), Path("/run/disk")
JOURNAL = DISK / "journal.db"
SET_FILE, CLEAR_FILE = 0x4C00, 0x4C01
"""What a loop device is asked to do."""
JUMPS = 0.1
"""How often the wall clock is set, to anything from 1970 to 2038."""


def ready(folder: str) -> None:
    """Mount what every system has, and the host's folder, which may be written to."""
    os.environ.update(PATH="/usr/sbin:/usr/bin:/sbin:/bin", HOME="/run", TMPDIR="/run")
    for what, where, kind in MOUNTS:
        mount(what, where, kind)
    for place in (HOST, DISK):
        place.mkdir()
    if libc.mount(b"none", str(HOST).encode(), b"hostfs", 0, folder.encode()):
        raise OSError(ctypes.get_errno(), "the host's folder cannot be mounted")


@contextmanager
def disk(image: Path) -> Iterator[None]:
    """Have a file as a disk with ext4: writes stay in this machine's memory until the file system asks for a flush."""
    loop = os.open("/dev/loop0", os.O_RDWR)
    file = os.open(image, os.O_RDWR)
    fcntl.ioctl(loop, SET_FILE, file)
    mount("/dev/loop0", str(DISK), "ext4")
    yield
    libc.umount(str(DISK).encode())
    fcntl.ioctl(loop, CLEAR_FILE, 0)
    os.close(loop)
    os.close(file)


def tell(shown: Snapshot) -> None:
    """Acknowledge to the host, and let the wall clock jump now and then."""
    os.write(1, f"guest> {acknowledged(shown)}\n".encode())
    if LUCK.random() < JUMPS:
        time.clock_settime(time.CLOCK_REALTIME, LUCK.randrange(1, 1 << 31))


LUCK = Random(0)


def main(what: str, folder: str, *more: str) -> None:
    """Play until the plug is pulled, or look at what such a cut has left."""
    ready(folder)
    if what == "play":
        database.SYNCHRONOUS, seed, *_ = more  # the kernel adds words of its own
        LUCK.seed(seed)
        with disk(HOST / "disk.img"):
            print("guest> ready", flush=True)
            play(JOURNAL, seed, tell=tell)
    for image in sorted(HOST.glob("*.cut")):
        said = [Said(*each) for each in json.loads(image.with_suffix(".said").read_text())]
        with disk(image):
            try:
                found = wrong(JOURNAL, said)
            except Exception as error:
                found = f"stuck: {error}"
        print(f"guest> {json.dumps([image.name, found])}", flush=True)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    libc.reboot(POWER_OFF)
