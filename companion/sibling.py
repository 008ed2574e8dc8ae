"""Siblings: processes that live and die with the table's, started again when they end. Knows not what they do.

`Sibling` is the table's side, `end_with_parent` the child's.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence

SOON, LATE = 0.5, 8.0
"""Seconds before a sibling that has ended is started again: at first, and when it keeps ending."""
SETTLED = 10.0
"""Seconds after which a sibling counts as well started."""
PATIENCE = 3.0
"""Seconds a sibling has to end in when told to."""
PARENT_EVERY = 0.5
"""Seconds between a child's looks at whether its parent still lives."""
LOG = logging.getLogger(__name__)


class Sibling:
    """One process, kept running until `close`. It is told to end by SIGTERM, and killed if it does not."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.command = tuple(command)
        self.environment = environment
        self.process: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start it, and again whenever it ends."""
        self._thread = threading.Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End it."""
        self._closing.set()
        process = self.process
        if process is not None and process.poll() is None:
            process.send_signal(signal.SIGTERM)
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        wait = SOON
        while not self._closing.is_set():
            began = time.monotonic()
            try:
                # A session of its own: a Ctrl-C in the terminal is for the table, which ends its siblings itself.
                self.process = subprocess.Popen(
                    self.command, env=self.environment, stdin=subprocess.DEVNULL, start_new_session=True
                )
            except OSError as error:
                LOG.error("%s cannot be started: %s", self.name, error)
            else:
                self._attend(self.process)
            wait = SOON if time.monotonic() - began > SETTLED else min(wait * 2, LATE)
            self._closing.wait(wait)

    def _attend(self, process: subprocess.Popen[bytes]) -> None:
        """Wait until it ends; when we close, give it time, then kill it."""
        left = PATIENCE
        if self._closing.is_set():  # told to end while it was being started
            process.send_signal(signal.SIGTERM)
        while process.poll() is None:
            try:
                code = process.wait(0.2)
            except subprocess.TimeoutExpired:
                if self._closing.is_set():
                    left -= 0.2
                    if left <= 0:
                        process.kill()
            else:
                if not self._closing.is_set():
                    LOG.warning("%s ended (%s) and is started again", self.name, code)


def end_with_parent() -> None:
    """Have this process told to end (SIGTERM) within a second of its parent's end, however that came."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_EVERY)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="parent", daemon=True).start()
