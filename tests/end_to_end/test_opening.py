"""Tests of a companion that is asked to end while it starts: it ends cleanly and leaves nothing behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.brokers import free_port

HELD = """
import sys, threading
from companion.cli import main

start = threading.Thread.start

def held(thread):
    if thread.name == "the buttons' service":
        print("opening", flush=True)
        sys.stdin.readline()
    start(thread)

threading.Thread.start = held
main()
"""
"""A script that runs the companion and pauses in the middle of a service's start until it reads a line."""
LOCAL = ("--host", "127.0.0.1")


def told_to_end(arguments: Sequence[str]) -> None:
    """Send SIGTERM to a starting companion, let it continue, and check that it and its services end cleanly."""
    command = [sys.executable, "-c", HELD, *arguments]
    pipes = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipes, stdout=pipes, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert "opening\n" in process.stdout, process.communicate()[1]
        process.send_signal(signal.SIGTERM)
        errors = process.communicate("go on\n", 60)[1]
    assert (process.returncode, errors.count("Traceback")) == (0, 0), errors
    assert children_of(process.pid) == []


def children_of(parent: int) -> list[str]:
    """Return the running processes whose parent is an ended process."""
    told = f"COMPANION_PARENT={parent}".encode()
    found = []
    for each in Path("/proc").glob("[0-9]*/environ"):
        try:
            if told in each.read_bytes().split(b"\0"):
                found.append(each.parent.name)
        except OSError:
            continue  # it has ended or belongs to another user
    return found


def test_a_demonstration_takes_its_folder_along(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A demonstration ended while it starts its services ends them and removes its folder."""
    here = tmp_path_factory.mktemp("t")  # the path of `tmp_path` is too long for a socket
    monkeypatch.setenv("TMPDIR", str(here))
    monkeypatch.setattr(tempfile, "tempdir", None)
    told_to_end(["demo", *LOCAL, "--players", "2"])
    assert list(here.glob("companion-demo-*")) == []


def test_a_table_closes_its_bus(tmp_path: Path) -> None:
    """A table ended while it starts its services ends them and closes its bus."""
    told_to_end(["run", *LOCAL, "--port", str(free_port()), "--pins", "simulated", "--data", str(tmp_path)])
    assert [each.name for each in tmp_path.rglob("*") if each.is_socket()] == []
