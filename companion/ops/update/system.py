"""Runs the system's programs for an update: dpkg, systemctl, Python."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.ops.update.sentences import UpdateError

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/nonexistent"}
"""The environment of every program that an update runs: nothing of the caller's, and nobody is asked anything."""
LONGEST = 600.0
"""Seconds that a program may take."""
FULL = "No space left on device"
TOLD = 160
"""Characters of a program's last line that a sentence quotes."""


class Done(NamedTuple):
    """A program that ended: its exit code and what it said."""

    code: int
    said: str

    @property
    def last(self) -> str:
        """The last line that it said, shortened."""
        return (self.last_line or f"exit code {self.code}")[:TOLD]

    @property
    def last_line(self) -> str:
        """The last line that it said, whole."""
        return self.said.strip().rpartition("\n")[2].strip()


Run = Callable[[Sequence[str]], Done]
"""Runs a program and waits for its end."""


def run(command: Sequence[str]) -> Done:
    """Run a program; one that cannot be started, or takes too long, has failed."""
    try:
        ended = subprocess.run(
            command,
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd="/",
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Done(124, f"{command[0]} did not end")
    except OSError as error:
        return Done(127, f"{command[0]}: {error.strerror}")
    return Done(ended.returncode, ended.stdout)


def must(done: Done, key: str, **fields: object) -> Done:
    """Return what a program said; raise `UpdateError` with this sentence, or that the disk is full, where it failed."""
    if done.code == 0:
        return done
    if FULL in done.said:
        raise UpdateError("full")
    raise UpdateError(key, why=done.last, **fields)
