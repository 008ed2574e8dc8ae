"""Runs the system's programs for an update: dpkg, systemctl, Python."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.ops.update.sentences import UpdateError

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "HOME": "/nonexistent"}
"""The environment of every program that an update runs: without the caller's variables, and without questions to
anybody."""
LONGEST = 600.0
"""The maximum duration of a program in seconds."""
FULL = "No space left on device"
TOLD = 160
"""The number of characters of a program's last line to quote in a sentence."""


class Done(NamedTuple):
    """A finished program: its exit code and its output."""

    code: int
    said: str

    @property
    def last(self) -> str:
        """The last line of the output, shortened."""
        return (self.last_line or f"exit code {self.code}")[:TOLD]

    @property
    def last_line(self) -> str:
        """The last line of the output in full."""
        return self.said.strip().rpartition("\n")[2].strip()


Run = Callable[[Sequence[str]], Done]
"""A function that runs a program and waits for its end."""


def run(command: Sequence[str]) -> Done:
    """Run a program; it counts as failed if it cannot be started or takes too long."""
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
    """Return a program's output; if it failed, raise `UpdateError` with this sentence, or with that for a full disk."""
    if done.code == 0:
        return done
    if FULL in done.said:
        raise UpdateError("full")
    raise UpdateError(key, why=done.last, **fields)
