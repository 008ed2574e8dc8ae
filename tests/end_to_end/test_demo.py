"""Tests of a demonstration as a newcomer starts it: one command runs a whole table and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from tests.support.web.demonstration import Watched, demonstration
from web.commands import EXAMPLES
from web.live.compiled_templates import FOLDER, CompiledTemplates, NamesRead
from web.plugins.demonstration.demo_command import command, keep_templates


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Yield a demonstration of Take a Train for two."""
    with demonstration(tmp_path_factory.mktemp("demo") / "log") as found:
        yield found


@pytest.mark.pixels
@pytest.mark.slow
def test_cards_move_and_are_understood(watched: Watched) -> None:
    """Within a minute of the command, a card is moved, read and shown without errors."""
    watched.until(lambda: watched.now()["ready"])
    watched.want("speed", speed="16")
    watched.until(lambda: watched.counts()[0] > 4 and watched.counts()[1] > 0)
    assert watched.now()["wrong"] == ""
    assert watched.now()["camera"]["sees"]


@pytest.mark.slow
def test_a_seat_is_taken_over_and_given_back(watched: Watched) -> None:
    """The table waits for a taken seat, continues after its return and stops on request."""
    watched.until(lambda: watched.now()["ready"])
    watched.want("speed", speed="16")
    watched.want("take", seat="0", on="1")
    watched.want("take", seat="1", on="1")
    watched.until(lambda: watched.now()["taken"] == [0, 1])
    watched.want("take", seat="0", on="0")
    watched.want("take", seat="1", on="0")
    before = watched.counts()[0]
    watched.until(lambda: watched.counts()[0] > before)
    watched.want("speed", speed="0")
    watched.until(lambda: watched.now()["state"] == "stopped")


@pytest.mark.pixels
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux lists a process's children")
def test_a_killed_camera_and_killed_people_end_nothing(watched: Watched) -> None:
    """After a restart of the camera the cards are laid again, and new people clear the table for another match."""
    watched.until(lambda: watched.now()["ready"])
    watched.want("speed", speed="16")
    watched.until(lambda: watched.counts()[1] > 2)
    kill(watched.process.pid, "camera")
    watched.until(lambda: "laying the cards out again" in watched.log.read_text())
    before = watched.counts()[0]
    watched.until(lambda: watched.counts()[0] > before + 2)
    kill(watched.process.pid, "people")
    watched.until(lambda: watched.counts()[0] < before)
    watched.until(lambda: watched.counts()[1] > 2)
    assert watched.now()["wrong"] == ""
    watched.want("speed", speed="0")


def kill(parent: int, what: str) -> None:
    """Kill one of the companion's services."""
    found = child(parent, what)
    assert found, what
    os.kill(found, signal.SIGKILL)


def child(parent: int, what: str) -> int:
    """Return the process of one of the companion's services, a child or grandchild, or 0 if there is none."""
    for task in Path(f"/proc/{parent}/task").iterdir():
        for number in (task / "children").read_text().split():
            if what in Path(f"/proc/{number}/cmdline").read_text().split("\0"):
                return int(number)
            found = child(int(number), what)
            if found:
                return found
    return 0


@pytest.mark.slow
def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A demonstration that is ended during play removes its folder and processes."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = [sys.executable, "-u", "-m", "companion", "demo", "--host", "127.0.0.1", "--players", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        next(line for line in process.stdout if "http://" in line)
        folders = list(tmp_path.glob("companion-demo-*"))
        assert len(folders) == 1
        process.send_signal(signal.SIGTERM)
        process.wait(30)
    assert not folders[0].exists()


def test_templates_are_compiled_for_the_next_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled templates stay in the user's cache; without a cache the folder holds them."""
    parsed: list[str] = []
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def parse() -> NamesRead:
        parsed.append(name)
        return NamesRead(frozenset(), frozenset())

    for name in ("one", "two"):
        with tempfile.TemporaryDirectory(prefix=name) as folder:
            keep_templates(Path(folder))
            kept = CompiledTemplates(Path(folder))
            assert kept.names_read("page", "text", parse) == NamesRead(frozenset(), frozenset())
    assert parsed == ["one"]
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    keep_templates(tmp_path)
    assert not (tmp_path / FOLDER).exists()


def test_an_example_is_played_when_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples are offered while one of them is demonstrated, but not beside another game."""
    told: list[str] = []
    monkeypatch.setenv(EXAMPLES, "")
    monkeypatch.setattr("web.plugins.demonstration.demo_command.camera_service", lambda *_: None)
    monkeypatch.setattr(
        "web.plugins.demonstration.demo_command.live", lambda *_: told.append(os.environ.get(EXAMPLES, ""))
    )
    for game in ("hill-and-harbour", "take-a-train"):
        with patch.dict(os.environ):
            done = CliRunner().invoke(command, ["--game", game, "--players", "3"])
            assert done.exit_code == 0, done.output
    assert told == ["1", ""]
