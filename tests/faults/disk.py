"""A disk that is noted and fails when told to: the library between a program and its files, and what it noted."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HEAD = struct.Struct("<cIQQ")


class Note(NamedTuple):
    """One thing that was done to a file: a letter of `disk.c`, its path, where, and the data."""

    what: str
    path: str
    at: int
    data: bytes


def missing() -> str:
    """Return why nothing can stand between a program and its disk here, or nothing."""
    if sys.platform != "linux":
        return "this is no Linux"
    return "" if shutil.which("gcc") else "there is no gcc: apt install gcc"


@cache
def library() -> Path:
    """Return the library, compiled once for each version of its source."""
    source = HERE / "disk.c"
    target = Path(gettempdir()) / f"companion-disk-{os.getuid()}-{source.stat().st_mtime_ns:x}.so"
    if not target.exists():
        half = target.with_suffix(f".{os.getpid()}")
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(half), str(source)], check=True)
        half.rename(target)
    return target


def between(folder: str, log: Path | None = None, ill: Path | None = None, **more: str) -> dict[str, str]:
    """Return the environment of a program whose files that begin with `folder` are noted in `log`, or fail as `ill`."""
    told = {"LD_PRELOAD": str(library()), "DISK_FOLDER": folder, "PYTHONDONTWRITEBYTECODE": "1"}
    told |= {"DISK_LOG": str(log)} if log else {}
    told |= {"DISK_ILL": str(ill)} if ill else {}
    path = os.pathsep.join(filter(None, [str(ROOT), *sys.path]))
    return os.environ | told | {"PYTHONPATH": path} | more


def notes(log: Path) -> Iterator[Note]:
    """Yield what was noted; a last note that is not whole is left out."""
    data = memoryview(log.read_bytes())
    at = 0
    while at + HEAD.size <= len(data):
        what, size, where, length = HEAD.unpack_from(data, at)
        begin = at + HEAD.size
        at = begin + size + length
        if at <= len(data):
            yield Note(what.decode(), bytes(data[begin : begin + size]).decode(), where, bytes(data[begin + size : at]))
