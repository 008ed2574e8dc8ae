"""Makes PDFs in a process beside the server, one at a time and at low priority, and caches them on disk."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import BinaryIO, NamedTuple

from companion import config

FOLDER = "printed"
"""The cache of PDFs in the data folder. All of them can be made again."""
KEPT, KEPT_BYTES = 24, 64 * 1024 * 1024
"""The most PDFs to keep, and their total bytes. The most recently requested ones are kept."""
ROOM = 128 * 1024 * 1024
"""Free disk space in bytes needed to make a PDF: the journal has priority."""
WAITING = 8
"""The most different PDFs that may wait to be made."""
LATE = 300.0
"""Seconds that a PDF may take on a busy Raspberry Pi."""
REMEMBERED = 60.0
"""Seconds for which a failure is reported again without another try."""
LOW, FIRST_TO_GO = 15, 500
"""The process's niceness and OOM score: the kernel kills it first when memory is short."""
TOUCHED = 3600.0
"""Seconds between two updates of a file's time on repeated requests."""
LOG = logging.getLogger(__name__)
Make = Callable[[Sequence[str], Path], str]
"""Makes a command's PDF at a path; returns the error, or an empty string."""


class PrintedFile(NamedTuple):
    """A PDF's state: the open file, or an error, or neither while it is being made."""

    file: BinaryIO | None = None
    why: str = ""


class PrinterBusy(Exception):
    """Too many different PDFs are waiting to be made."""


class PdfPrinter:
    """Makes PDFs with the companion's own commands. Any thread may call any method."""

    def __init__(self, data: Path, make: Make | None = None) -> None:
        """`data` is the data folder; nothing is written there before the first print."""
        self._data = data
        self._folder = data / FOLDER
        self._make = make or self._run
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, tuple[str, ...]] = OrderedDict()
        self._refused: dict[str, tuple[str, float]] = {}
        self._thread: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, *command: str) -> PrintedFile:
        """Return the state of a command's PDF, and start making it if necessary; raise `PrinterBusy`."""
        key = self._key(command)
        file = self._open(key)
        if file is not None:
            return PrintedFile(file)
        with self._lock:
            why, until = self._refused.get(key, ("", 0.0))
            if why and time.monotonic() < until:
                return PrintedFile(why=why)
            if key not in self._waiting and not self._closed:
                if len(self._waiting) >= WAITING:
                    raise PrinterBusy
                self._waiting[key] = command
            if self._thread is None and self._waiting:
                self._thread = threading.Thread(target=self._work, name="printer", daemon=True)
                self._thread.start()
        return PrintedFile()

    def close(self) -> None:
        """Start no more jobs, and end the running process."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            process, thread = self._process, self._thread
        if process is not None:
            process.kill()
        if thread is not None:
            thread.join()

    # --- the cache --------------------------------------------------------------------------------

    def _key(self, command: Sequence[str]) -> str:
        """Return a PDF's key, which changes with all of its inputs."""
        settings = config.read(self._data).text
        return hashlib.sha256(repr((tuple(command), settings, program_version())).encode()).hexdigest()[:32]

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.pdf"

    def _open(self, key: str) -> BinaryIO | None:
        try:
            file = self._path(key).open("rb")
        except OSError:
            return None
        with contextlib.suppress(OSError):
            if time.time() - os.fstat(file.fileno()).st_mtime > TOUCHED:
                os.utime(self._path(key))
        return file

    def _tidy(self) -> None:
        """Delete the oldest files until the rest is within the limits."""
        there = sorted(((path.stat().st_mtime, path) for path in self._folder.glob("*.pdf")), reverse=True)
        total = 0
        for number, (_, path) in enumerate(there):
            total += path.stat().st_size
            if number and (number >= KEPT or total > KEPT_BYTES):
                path.unlink()

    # --- making -----------------------------------------------------------------------------------

    def _work(self) -> None:
        """Make all waiting PDFs, one after the other."""
        while True:
            with self._lock:
                found = next(iter(self._waiting.items()), None)
                if found is None:
                    self._thread = None
                    return
            key, command = found
            try:
                why = self._make_file(key, command)
            except OSError as error:
                why = error.strerror or str(error)
            with self._lock:
                self._waiting.pop(key, None)
                now = time.monotonic()
                self._refused = {each: refusal for each, refusal in self._refused.items() if refusal[1] > now}
                if why:
                    self._refused[key] = why, now + REMEMBERED

    def _make_file(self, key: str, command: Sequence[str]) -> str:
        """Make one PDF; return the error, or an empty string."""
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if shutil.disk_usage(self._folder).free < ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with tempfile.TemporaryDirectory(prefix="companion-print-", dir=self._folder) as folder:
            path = Path(folder) / "made.pdf"
            why = self._make(command, path)
            if not why:
                os.replace(path, self._path(key))
        self._tidy()
        return why

    def _run(self, command: Sequence[str], path: Path) -> str:
        with self._lock:
            if self._closed:
                return "closed"
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion", *command, "--out", str(path)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            )  # fmt: skip
        with self._process as process:
            lower_priority(process.pid)
            try:
                output = process.communicate(timeout=LATE)[1].decode(errors="replace").strip().splitlines()
            except subprocess.TimeoutExpired:
                process.kill()
                return f"{LATE:.0f} s"
        if path.is_file() and not process.returncode:
            return ""
        return output[-1].removeprefix("Error: ") if output else f"code {process.returncode}"


def lower_priority(process: int) -> None:
    """Give a process the lowest priority, and let the kernel kill it first when memory is short."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, LOW)
    with contextlib.suppress(OSError):
        Path(f"/proc/{process}/oom_score_adj").write_text(str(FIRST_TO_GO))


@cache
def program_version() -> tuple[int, int]:
    """Return a value that changes with every update of this program: the number of files and the latest change."""
    folder = Path(str(resources.files("companion"))).parent
    times = [
        path.stat().st_mtime_ns
        for package in ("companion", "vision", "web")
        for path in (folder / package).rglob("*")
        if path.suffix in (".py", ".toml", ".woff", ".json")
    ]
    return len(times), max(times, default=0)
