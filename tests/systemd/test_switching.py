"""The order in which the installation's script does things, so that a pulled plug leaves a version that works.

Its functions run among recorders, in a folder; nothing of this machine is touched. What a plug really leaves behind is
seen on a machine (`make systemd`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systemd.environments import environment_of

INSTALL = Path(__file__).parents[2] / "systemd" / "install"
PREPARE = """
source <(head -n -2 "$0")
opt=$BASE current=$BASE/companion previous=$BASE/companion.previous units=$BASE/units sysusers=$BASE/sysusers
tmpfiles=$BASE/tmpfiles data=$BASE/data camera=$BASE/camera halls=$BASE/halls settings=$BASE/settings avahi=$BASE/avahi
bin=$BASE/bin log=$BASE/log stamp=$STAMP work=$(mktemp -d) wheel=$BASE/$STAMP.whl wheels="" hall="" first="" absent=()
mkdir -p "$data" "$bin"
echo "$STAMP" >"$wheel"
packages() { :; }
find_wheel() { :; }
pip() { echo program >"$new/bin/companion"; }
pins() { :; }
joining() { :; }
check_program() { :; }
booted() { true; }
done_well() { say "The companion is installed and runs."; }
"""
SYNC = """#!/bin/bash
here() { [ -e "$1" ] && echo "$2"; }
version=$BASE/companion-$STAMP
{
  echo "sync:" $(here "$version/lib/companion/fingerprint" built) $(here "$version/bin/companion" program) \
    $(here "$BASE/units/companion-table.service" units) $(here "$BASE/bin/companion" command) \
    $(here "$BASE/settings/companion.toml" settings) $(readlink "$BASE/companion" | sed "s|$BASE/||")
  printf ' %s\n' "$@" | sed "s|$BASE|.|"
} | paste -sd' ' >>"$BASE/record"
[ "$(grep -c sync: "$BASE/record")" != "$FAILS" ] || { echo "sync: error syncing: Input/output error" >&2; exit 1; }
"""
SYSTEMCTL = """#!/bin/bash
case "$*" in
  --version) echo "systemd 252 (252.39)" ;;
  "--quiet enable"*) echo "enabled" >>"$BASE/record" ;;
  "restart companion-table.service") echo "started $(readlink "$BASE/companion" | sed "s|$BASE/||")" >>"$BASE/record" ;;
esac
"""
BUILT = "sync: built program"
PLACED = f"{BUILT} units command settings"


class Machine:
    """A folder in the place of a machine's, and a record of what was written to the disk when."""

    def __init__(self, folder: Path) -> None:
        self.folder, tools = folder / "machine", folder / "tools"
        self.folder.mkdir()
        tools.mkdir()
        python = f'#!/bin/sh\n[ "$2" != venv ] || cp -r "{folder}/venv" "$4"\n'
        environment_of(folder / "venv", f"python3.{sys.version_info.minor}")
        for name, text in (("sync", SYNC), ("systemctl", SYSTEMCTL), ("python3", python),
                           ("systemd-sysusers", "#!/bin/sh\n"), ("systemd-tmpfiles", "#!/bin/sh\n")):  # fmt: skip
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "BASE": str(self.folder)}

    def run(self, doing: str, stamp: str, fails: int = 0) -> tuple[int, str, list[str]]:
        """Run a function; return its exit code, what it said of errors, and the record. The n-th `sync` may fail."""
        command = ("bash", "-c", f"{PREPARE}\n{doing}", str(INSTALL))
        environment = {**self.environment, "STAMP": stamp, "FAILS": str(fails)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        record = self.folder / "record"
        said = record.read_text().splitlines()
        record.unlink()
        return done.returncode, done.stderr, said

    def runs(self) -> str:
        """Return the version to which the link leads."""
        link = self.folder / "companion"
        return os.readlink(link).rpartition("/")[2] if link.is_symlink() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Give a machine without a companion."""
    return Machine(tmp_path)


ONE, TWO = "20260101T000000", "20260201T000000"


def test_everything_is_on_the_disk_before_the_next_step(machine: Machine) -> None:
    """The version, then units and command, then the link; only then the table starts and anything is promised."""
    code, error, record = machine.run("install_it", ONE)
    assert (code, error) == (0, "")
    assert record == [
        f"{BUILT}  -f  ./companion-{ONE}",
        f"{PLACED}  -f  ./units  ./tmpfiles  ./settings  ./data",
        "enabled",
        f"{PLACED} companion-{ONE}  -f  .  /etc",
        f"started companion-{ONE}",
    ]


def test_an_upgrade_and_the_way_back_are_in_order_too(machine: Machine) -> None:
    """Until all is on the disk the link leads to the version before, which is whole."""
    machine.run("install_it", ONE)
    code, error, record = machine.run("install_it", TWO)
    assert (code, error, record) == (0, "", [
        f"{PLACED} companion-{ONE}  -f  ./companion-{TWO}",
        f"{PLACED} companion-{ONE}  -f  ./units  ./tmpfiles  ./settings  ./data",
        f"{PLACED} companion-{TWO}  -f  .  /etc",
        f"started companion-{TWO}",
    ])  # fmt: skip
    code, error, record = machine.run("roll_back", ONE)
    assert (code, error, record) == (0, "", [
        f"{PLACED} companion-{TWO}  -f  ./units  ./tmpfiles  ./settings  ./data",
        f"{PLACED} companion-{ONE}  -f  .  /etc",
        f"started companion-{ONE}",
    ])  # fmt: skip


def test_a_disk_that_does_not_take_the_new_version_keeps_the_old_one(machine: Machine) -> None:
    """While it is built nothing is switched over; while it is placed the old one comes back."""
    machine.run("install_it", ONE)
    code, error, record = machine.run("install_it", TWO, fails=1)
    assert code == 1 and len(record) == 1 and error.startswith("Writing the new version to the disk did not work.")
    assert machine.runs() == f"companion-{ONE}" and not (machine.folder / f"companion-{TWO}").exists()
    code, error, record = machine.run("install_it", TWO, fails=2)
    assert code == 1 and record[-1] == f"started companion-{ONE}" and "the version before is back" in error
    assert machine.runs() == f"companion-{ONE}"


def test_there_is_no_way_back_to_an_environment_of_another_python(machine: Machine, tmp_path: Path) -> None:
    """It says so before it switches anything over."""
    machine.run("install_it", ONE)
    machine.run("install_it", TWO)
    (old,) = (machine.folder / f"companion-{ONE}" / "lib").glob("python3.*")
    old.rename(old.with_name("python3.7"))
    (machine.folder / "record").touch()
    code, error, record = machine.run("roll_back", ONE)
    assert (code, record, machine.runs()) == (1, [], f"companion-{TWO}")
    assert error == (
        "The version before cannot come back, and the present one stays. The companion was built for python3.7, and an "
        "upgrade of the system has replaced it.\n"
    )


def test_a_version_before_that_does_not_start_either_is_no_comfort(machine: Machine) -> None:
    """Nobody is told that it plays on."""
    machine.run("install_it", ONE)
    never = "start() { false; }; install_it"
    code, error, _ = machine.run(never, TWO)
    assert code == 1 and "that of the version before, which is back, does not either" in error
    assert machine.runs() == f"companion-{ONE}"
