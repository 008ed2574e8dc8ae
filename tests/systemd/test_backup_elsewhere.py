"""Tests of backups to a USB stick that only root can write to, with the command that machines with services have.

Recorders replace the programs that need root; the table's user may write anywhere except where a folder forbids it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systemd.environments import environment_of
from tests.systemd.machine import Machine

SYSTEMD = Path(__file__).parents[2] / "systemd"
SETPRIV = """#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift
case "$1" in test) [ ! -e "$3/.root's" ]; exit ;; esac
echo "$*" >>"$RECORD"
exec "$@"
"""
PROGRAM = """#!/bin/bash
while (($# > 1)); do
  [ "$1" != --to ] || to=$2
  shift
done
[ -z "$FAILS" ] || { echo "$FAILS" >&2; exit 1; }
[ ! -d "$to" ] || to=$to/companion-2026.backup
echo matches >"$to"
echo "1 match saved in $to (0.1 MB)."
"""


class Command:
    """The command with recorders."""

    def __init__(self, folder: Path) -> None:
        self.data, self.stick, self.record = folder / "data", folder / "my stick", folder / "record"
        (self.data / "backups").mkdir(parents=True)
        self.stick.mkdir()
        root, tools = folder / "companion", folder / "tools"
        environment_of(root, f"python3.{sys.version_info.minor}").with_name("companion").write_text(PROGRAM)
        (root / "bin" / "companion").chmod(0o755)
        (root / "lib" / "companion").mkdir()
        (root / "lib" / "companion" / "environment").write_text((SYSTEMD / "environment").read_text())
        text = (SYSTEMD / "companion").read_text().replace("root=/opt/companion", f"root={root}")
        self.script = folder / "wrapper"
        self.script.write_text(text.replace("COMPANION_DATA=/var/lib/companion\n", f"COMPANION_DATA={self.data}\n"))
        tools.mkdir()
        for name, said in (("setpriv", SETPRIV), ("id", "#!/bin/sh\necho 0\n"), ("install", "#!/bin/sh\n")):
            (tools / name).write_text(said)
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "RECORD": str(self.record)}

    def run(self, *words: str, fails: str = "") -> tuple[int, str, str]:
        """Make a backup, check that no file is left beside the data, and return the exit code and the output."""
        done = subprocess.run(("bash", str(self.script), "backup", *words), capture_output=True, text=True, timeout=30,
                              env={**self.environment, "FAILS": fails})  # fmt: skip
        assert list((self.data / "backups").glob(".*")) == []
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Yield the command and a stick that only root may write."""
    made = Command(tmp_path)
    (made.stick / ".root's").touch()
    return made


@pytest.mark.parametrize("named", ["", "/evening.backup"])
@pytest.mark.parametrize("form", [("--to", "{}"), ("--to={}",)])
def test_a_stick_of_roots_gets_the_backup(command: Command, named: str, form: tuple[str, ...]) -> None:
    """The backup arrives complete under the requested name, and only the table's user opens the data."""
    words = [word.format(f"{command.stick}{named}") for word in form]
    code, said, error = command.run("--open", *words)
    path = command.stick / (named.removeprefix("/") or "companion-2026.backup")
    assert (code, error, path.read_text()) == (0, "", "matches\n")
    assert said == f"1 match saved in {path} (0.1 MB).\n" and path.stat().st_mode & 0o777 == 0o600
    assert sorted(each.name for each in command.stick.iterdir()) == [".root's", path.name]
    assert "--open" in command.record.read_text() and "cat " in command.record.read_text()


def test_where_the_table_s_user_may_write_nothing_is_different(command: Command) -> None:
    """If the table's user may write the folder, root makes no copy."""
    (command.stick / ".root's").unlink()
    assert command.run("--to", str(command.stick))[0] == 0
    assert "mktemp" not in command.record.read_text() and len(list(command.stick.iterdir())) == 1


def test_nothing_is_overwritten_and_nothing_half_is_left(command: Command) -> None:
    """An existing file stays, and a failed backup reports the reason and leaves no part behind."""
    (command.stick / "mine").write_text("old")
    code, said, error = command.run("--to", str(command.stick / "mine"))
    assert (code, said) == (1, "") and "exists already" in error and (command.stick / "mine").read_text() == "old"
    assert command.run("--to", str(command.stick), fails="no match")[::2] == (1, "no match\n")
    assert sorted(each.name for each in command.stick.iterdir()) == [".root's", "mine"]


@pytest.mark.systemd
@pytest.mark.slow
def test_on_a_machine_it_is_whole_and_root_s(machine: Machine) -> None:
    """A backup into root's folder is complete, and the same command restores it."""
    machine.sh("mkdir -m 755 /mnt/stick; mount -t tmpfs -o mode=755 none /mnt/stick")
    said = machine.sh("companion backup --open --to /mnt/stick")
    (name,) = machine.sh("ls -A /mnt/stick").split()
    assert f"/mnt/stick/{name}" in said and name.endswith(".backup")
    assert "complete" in machine.sh(f"companion restore --check /mnt/stick/{name}")
    assert machine.sh("ls -A /var/lib/companion/backups | grep -c '^[.]' || true") == "0"
    machine.sh("umount /mnt/stick")
