"""Supervised child processes: restarted when they end, and ended together with the table's process."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence

FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0
"""The first and the longest delay in seconds before restarting a process that has ended."""
SETTLED = 10.0
"""Seconds after which a process counts as started."""
PATIENCE = 3.0
"""Seconds that a process has to end after SIGTERM."""
PARENT = "COMPANION_PARENT"
"""Environment variable with the process id of a child's parent."""
CHECK_PARENT_EVERY = 0.5
"""Seconds between a child's checks of its parent, on systems without pidfd_open(2)."""
ORPHAN_PATIENCE = 10.0
"""Seconds that an orphan has to end after SIGTERM before it kills itself."""
LOG = logging.getLogger(__name__)


class SupervisedProcess:
    """One process, kept running until `close` sends SIGTERM, then SIGKILL."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.command = tuple(command)
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the process, and restart it when it ends; do nothing if it was started before."""
        if self._thread is not None:
            return
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process."""
        self._closing.set()
        process = self.process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                # Its own session, because Ctrl-C in the terminal is for the table, which ends its children itself.
                self.process = subprocess.Popen(
                    self.command,
                    env=child_environment(self.environment),
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,
                )
            except OSError as error:
                LOG.error("%s cannot be started: %s", self.name, error)
            else:
                self._wait_for_end(self.process)
            wait = FIRST_WAIT if time.monotonic() - began > SETTLED else min(wait * 2, LONGEST_WAIT)
            self._closing.wait(wait)

    def _wait_for_end(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until the process ends; when closing, kill it if it takes too long."""
        left = PATIENCE
        if self._closing.is_set():  # closed while the process was starting
            process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            try:
                process.wait(0.2)
            except subprocess.TimeoutExpired:
                if self._closing.is_set():
                    left -= 0.2
                    if left <= 0:
                        process.kill()
        if not self._closing.is_set():
            LOG.warning("%s ended (%s) and is started again", self.name, process.returncode)


def child_environment(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment (default: our own) for a child process that calls `end_with_parent`."""
    return {**(os.environ if environment is None else environment), PARENT: str(os.getpid())}


def end_with_parent() -> None:
    """Send this process SIGTERM once its parent ends, and kill it if it survives `ORPHAN_PATIENCE` seconds longer.

    Call this before anything else: if the parent has already ended, it raises `SystemExit`. `child_environment` names
    the parent; by default it is the current one.
    """
    told = os.environ.pop(PARENT, "")  # our own children have another parent
    parent = int(told) if told.isdecimal() else os.getppid()
    _exit_if_orphaned(parent)
    descriptor = _open_pidfd(parent)
    _exit_if_orphaned(parent)  # the parent may have ended in between, and its id may belong to another process
    threading.Thread(target=_wait_for_parent, args=(parent, descriptor), name="parent", daemon=True).start()


def _exit_if_orphaned(parent: int) -> None:
    if os.getppid() != parent:
        sys.exit(0)


def _open_pidfd(process: int) -> int | None:
    """Return a descriptor that becomes readable when a process ends; None if the system has none.

    prctl(PR_SET_PDEATHSIG) would fire when the *thread* that started us ends.
    """
    try:
        return os.pidfd_open(process)
    except (AttributeError, OSError):  # not Linux, a kernel before 5.3, or forbidden by a sandbox
        return None


def _wait_for_parent(parent: int, descriptor: int | None) -> None:
    if descriptor is None:
        while os.getppid() == parent:
            time.sleep(CHECK_PARENT_EVERY)
    else:
        ended = select.poll()
        ended.register(descriptor, select.POLLIN)
        ended.poll()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(ORPHAN_PATIENCE)
    os.kill(os.getpid(), signal.SIGKILL)
