"""The guest's first process: it mounts file systems, makes 54 lines, runs a program and switches the machine off."""

from __future__ import annotations

import ctypes
import errno
import importlib
import os
import sys
import traceback
from pathlib import Path

POWER_OFF = 0x4321FEDC
BIND = 4096
MOUNTS = (
    ("proc", "/proc", "proc"),
    ("sys", "/sys", "sysfs"),
    ("dev", "/dev", "devtmpfs"),
    ("run", "/run", "tmpfs"),
    ("config", "/sys/kernel/config", "configfs"),
)
libc = ctypes.CDLL(None, use_errno=True)


def mount(what: str, where: str, kind: str = "", flags: int = 0) -> None:
    """Mount a file system; raise `OSError` if that fails."""
    if libc.mount(what.encode(), where.encode(), kind.encode(), flags, None):
        error = ctypes.get_errno()
        if error == errno.EBUSY:  # The kernel has mounted it already
            return
        raise OSError(error, f"{os.strerror(error)}: {where}")


def become_pi(revision: str) -> None:
    """Show a Raspberry Pi's revision in /proc/cpuinfo, and to rpi-lgpio in the environment."""
    os.environ["RPI_LGPIO_REVISION"] = revision
    told = Path("/run/cpuinfo")
    first = not told.exists()
    told.write_text(f"Hardware\t: BCM2835\nRevision\t: {revision}\nModel\t\t: Raspberry Pi (simulated)\n")
    if first:
        mount(str(told), "/proc/cpuinfo", flags=BIND)


def main() -> None:
    """Run a program, and then switch the machine off in any case."""
    os.environ.update(PATH="/usr/sbin:/usr/bin:/sbin:/bin", HOME="/run", TMPDIR="/run")
    try:
        for what, where, kind in MOUNTS:
            mount(what, where, kind)
        os.chdir("/run")
        importlib.import_module(sys.argv[1]).main()
        print('guest> {"done": true}')
    except BaseException:
        traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    libc.sync()
    libc.reboot(POWER_OFF)


if __name__ == "__main__":
    main()
