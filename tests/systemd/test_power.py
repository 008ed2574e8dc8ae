"""Tests of the table's requests to the machine and their refusals, with a recorder in place of systemctl."""

from __future__ import annotations

import os
import pwd
import subprocess
from pathlib import Path

import pytest

POWER = Path(__file__).parents[2] / "systemd" / "power"
ME = pwd.getpwuid(os.getuid()).pw_name


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Yield the file for requests."""
    place = tmp_path / "run"
    place.mkdir()
    return place / "power"


def done(asked: Path, tmp_path: Path, user: str = ME) -> tuple[int, str, str]:
    """Run the program, and return its exit code, the calls of systemctl and the error output."""
    tools = tmp_path / "tools"
    tools.mkdir(exist_ok=True)
    told = tmp_path / "told"
    (tools / "systemctl").write_text(f'#!/bin/sh\necho "$*" >>{told}\n')
    (tools / "systemctl").chmod(0o755)
    environment = {"PATH": f"{tools}:{os.environ['PATH']}"}
    command = ("/usr/bin/env", "python3", "-I", str(POWER), str(asked), user)
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)
    assert not os.path.lexists(asked), "what is asked is taken away, whatever it is"
    return ran.returncode, told.read_text() if told.exists() else "", ran.stderr


@pytest.mark.parametrize(
    ("word", "verb"), [("off", "poweroff"), ("off\n", "poweroff"), ("restart", "reboot"), (" restart \n", "reboot")]
)
def test_two_words_are_done(asked: Path, tmp_path: Path, word: str, verb: str) -> None:
    """`off` and `restart` are carried out, with or without a newline."""
    asked.write_text(word)
    assert done(asked, tmp_path) == (0, f"--no-block {verb}\n", "")


@pytest.mark.parametrize("word", ["", "OFF", "off; rm -rf /", "halt", "off" + " " * 40, "\0off", "ö"])
def test_anything_else_is_not(asked: Path, tmp_path: Path, word: str) -> None:
    """Any other text is refused and reaches no command line."""
    asked.write_text(word)
    code, told, said = done(asked, tmp_path)
    assert (code, told) == (1, "") and "neither off nor restart" in said


def test_a_link_is_not_followed(asked: Path, tmp_path: Path) -> None:
    """A symbolic link is refused, and its target stays untouched."""
    target = tmp_path / "target"
    target.write_text("off")
    asked.symlink_to(target)
    code, told, _ = done(asked, tmp_path)
    assert (code, told, target.read_text()) == (1, "", "off")


def test_a_file_with_a_second_name_is_no_wish(asked: Path, tmp_path: Path) -> None:
    """A file with a second hard link is refused, because it could be another user's."""
    (tmp_path / "other").write_text("off")
    asked.hardlink_to(tmp_path / "other")
    code, told, said = done(asked, tmp_path)
    assert (code, told) == (1, "") and "no ordinary file" in said


def test_pipes_and_folders_are_taken_away_and_not_waited_for(asked: Path, tmp_path: Path) -> None:
    """Pipes and folders are removed without waiting, because a pipe without a writer would block forever."""
    os.mkfifo(asked)
    assert done(asked, tmp_path)[:2] == (1, "")
    asked.mkdir()
    assert done(asked, tmp_path)[:2] == (1, "")


def test_a_strangers_file_is_not_the_tables(asked: Path, tmp_path: Path) -> None:
    """Only the table's own user may make requests."""
    stranger = next(each.pw_name for each in pwd.getpwall() if each.pw_uid != os.getuid())
    asked.write_text("off")
    code, told, said = done(asked, tmp_path, user=stranger)
    assert (code, told) == (1, "") and f"not {stranger}'s" in said


def test_nothing_asked_is_nothing_done(asked: Path, tmp_path: Path) -> None:
    """A missing file is no error, because it may disappear before it is read."""
    assert done(asked, tmp_path) == (0, "", "")
