"""Tests of the order of the installation's steps, which leaves a working version after a power cut.

The script's functions run with recorders in a folder, and this machine is not changed. `make systemd` tests the state
after a real power cut on a machine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.environments import environment_of

INSTALL = Path(__file__).parents[2] / "systemd" / "install"
PREPARE = """
source <(head -n -2 "$0")
[ ! -d "$BASE-$STAMP" ] || here=$BASE-$STAMP # the source of this version
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
done_well() { say "The companion is installed and runs."; tell_dead; }
settling=0
"""
SYNC = """#!/bin/bash
here() { [ -e "$1" ] && echo "$2"; }
version=$BASE/companion-$STAMP
{
  echo "sync:" $(here "$version/lib/companion/fingerprint" built) $(here "$version/bin/companion" program) \
    $(here "$BASE/units/.companion.new/companion-table.service" staged) \
    $(here "$BASE/units/companion-table.service" units) $(here "$BASE/bin/companion" command) \
    $(here "$BASE/settings/companion.toml" settings) $(readlink "$BASE/companion" | sed "s|$BASE/||")
  printf ' %s\n' "$@" | sed "s|$BASE|.|"
} | paste -sd' ' >>"$BASE/record"
[ "$(grep -c sync: "$BASE/record")" != "$FAILS" ] || { echo "sync: error syncing: Input/output error" >&2; exit 1; }
"""
SYSTEMCTL = """#!/bin/bash
case "$*" in
  --version) echo "systemd 252 (252.39)" ;;
  "--quiet enable companion.target") echo "enabled" >>"$BASE/record" ;;
  "--quiet enable "*) echo "enabled also ${*:3}" >>"$BASE/record" ;;
  *is-enabled*) case " $ENABLED " in *" ${*: -1} "*) exit 0 ;; *) exit 1 ;; esac ;;
  show*)
    case " $DIES " in
      *" $2 "*) echo activating ;;
      *) echo active ;;
    esac
    case "$*" in *MainPID*) echo 7 ;; esac ;;
  "restart companion-table.service") echo "started $(readlink "$BASE/companion" | sed "s|$BASE/||")" >>"$BASE/record" ;;
esac
"""
BUILT = "sync: built program"
PLACED = f"{BUILT} units command settings"
STAGED = f"{BUILT} staged units command settings"
WAITING = "-f  ./units  ./tmpfiles  ./settings  ./data  ./bin"
DONE = "-f  .  ./units  ./bin  /etc"


class Machine:
    """A folder in place of a machine's root, and a record of disk flushes."""

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

    def run(self, doing: str, stamp: str, script: Path = INSTALL, **more: str) -> tuple[int, str, list[str]]:
        """Run a function, and return its exit code, error output and record; the n-th `sync` can be made to fail."""
        command = ("bash", "-c", f"{PREPARE}\n{doing}", str(script))
        environment = {**self.environment, "STAMP": stamp, "FAILS": "0", "ENABLED": "", "DIES": "", **more}
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, start_new_session=True
        )
        record = self.folder / "record"
        said = record.read_text().splitlines() if record.exists() else []
        record.unlink(missing_ok=True)
        self.said = done.stdout
        return done.returncode, done.stderr, said

    def runs(self) -> str:
        """Return the version to which the link leads."""
        link = self.folder / "companion"
        return os.readlink(link).rpartition("/")[2] if link.is_symlink() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Yield a machine without a companion."""
    return Machine(tmp_path)


ONE, TWO = "20260101T000000", "20260201T000000"


def test_everything_is_on_the_disk_before_the_next_step(machine: Machine) -> None:
    """The version, then the prepared files, then units, command and link are flushed before the table starts."""
    code, error, record = machine.run("install_it", ONE)
    assert (code, error) == (0, "")
    assert record == [
        f"{BUILT}  -f  ./companion-{ONE}",
        f"{BUILT} staged settings  {WAITING}",
        "enabled",
        f"{PLACED} companion-{ONE}  {DONE}",
        f"started companion-{ONE}",
    ]


def test_an_upgrade_and_the_way_back_are_in_order_too(machine: Machine) -> None:
    """Until all files are flushed, the link leads to the previous version, which is complete."""
    machine.run("install_it", ONE)
    code, error, record = machine.run("install_it", TWO)
    assert (code, error, record) == (0, "", [
        f"{PLACED} companion-{ONE}  -f  ./companion-{TWO}",
        f"{STAGED} companion-{ONE}  {WAITING}",
        f"{PLACED} companion-{TWO}  {DONE}",
        f"started companion-{TWO}",
    ])  # fmt: skip
    code, error, record = machine.run("roll_back", ONE)
    assert (code, error, record) == (0, "", [
        f"{STAGED} companion-{TWO}  {WAITING}",
        f"{PLACED} companion-{ONE}  {DONE}",
        f"started companion-{ONE}",
    ])  # fmt: skip


def test_a_disk_that_does_not_take_the_new_version_keeps_the_old_one(machine: Machine) -> None:
    """If the disk fails during the build, nothing is switched over; if it fails later, the old version returns."""
    machine.run("install_it", ONE)
    code, error, record = machine.run("install_it", TWO, FAILS="1")
    assert code == 1 and len(record) == 1 and error.startswith("Writing the new version to the disk did not work.")
    assert machine.runs() == f"companion-{ONE}" and not (machine.folder / f"companion-{TWO}").exists()
    code, error, record = machine.run("install_it", TWO, FAILS="2")
    assert code == 1 and "the version before is back and plays on" in error
    assert not [line for line in record if line.startswith("started")], "it was never touched"
    code, error, record = machine.run("install_it", TWO, FAILS="3")
    assert code == 1 and record[-1] == f"started companion-{ONE}" and "the version before is back" in error
    assert machine.runs() == f"companion-{ONE}"


def test_there_is_no_way_back_to_an_environment_of_another_python(machine: Machine, tmp_path: Path) -> None:
    """A rollback to an environment of another Python is refused before anything is switched over."""
    machine.run("install_it", ONE)
    machine.run("install_it", TWO)
    (old,) = (machine.folder / f"companion-{ONE}" / "lib").glob("python3.*")
    old.rename(old.with_name("python3.7"))
    code, error, record = machine.run("roll_back", ONE)
    assert (code, record, machine.runs()) == (1, [], f"companion-{TWO}")
    assert error == (
        "The version before cannot come back, and the present one stays. The companion was built for python3.7, and an "
        "upgrade of the system has replaced it.\n"
    )


def test_a_version_before_that_does_not_start_either_is_no_comfort(machine: Machine) -> None:
    """If the previous version does not start either, the script does not claim that it runs."""
    machine.run("install_it", ONE)
    never = "start() { false; }; install_it"
    code, error, _ = machine.run(never, TWO)
    assert code == 1 and "the table of the version before, which is back, does not start either" in error
    assert machine.runs() == f"companion-{ONE}"


# --- power cuts -----------------------------------------------------------------------------------

CUTS = """
eval "$(declare -f take | sed '1s/take/taken/')"
take() {
  n=0
  set -T
  trap 'case ${FUNCNAME[0]} in place_files | point | enable) keep ;; esac' DEBUG
  taken "$@"
  trap - DEBUG
}
keep() {
  local state=$BASE-cuts/$((++n)).$BASHPID each
  mkdir "$state"
  for each in units bin companion companion.first companion.previous; do
    [ ! -e "$BASE/$each" ] || cp -a "$BASE/$each" "$state/"
  done
}
"""
"""A recorder of the state before each command that changes files in use; versions do not change at that time."""
ZERO, THREE = "20251201T000000", "20260301T000000"
UNITS = sorted(path.relative_to(INSTALL.parent / "units") for path in (INSTALL.parent / "units").rglob("*.*")
               if path.is_file())  # fmt: skip


def source(machine: Machine, stamp: str) -> None:
    """Create the source of a version whose units contain its name."""
    folder = Path(f"{machine.folder}-{stamp}")
    shutil.copytree(INSTALL.parent, folder)
    for unit in UNITS:
        with (folder / "units" / unit).open("a") as file:
            file.write(f"# {stamp}\n")


def versions(machine: Machine) -> set[str]:
    """Return the versions of the present units."""
    found = [path.read_text() for unit in UNITS if (path := machine.folder / "units" / unit).exists()]
    return {text.splitlines()[-1].removeprefix("# ") for text in found}


def whole(machine: Machine) -> bool:
    """Return whether each unit, the command and the linked version exist."""
    needed = [Path("units") / unit for unit in UNITS] + [
        Path("companion/lib/companion/fingerprint"),
        Path("bin/companion"),
    ]
    return all((path := machine.folder / each).exists() and path.stat().st_size for each in needed)


def put_back(part: Path, to: Path) -> None:
    """Replace a path with a folder, a link or a file."""
    if to.is_dir() and not to.is_symlink():
        shutil.rmtree(to)
    to.unlink(missing_ok=True)
    part.rename(to)


def cuts(machine: Machine, doing: str, stamp: str) -> Iterator[None]:
    """Run an action, then yield each different state that a power cut would have left."""
    states = Path(f"{machine.folder}-cuts")
    states.mkdir()
    saved = Path(f"{machine.folder}-saved")
    shutil.copytree(machine.folder, saved, symlinks=True)
    code, error, _ = machine.run(f"{CUTS}\n{doing}", stamp)
    assert (code, error) == (0, "")
    for version in machine.folder.glob("companion-2*"):
        shutil.rmtree(saved / version.name, ignore_errors=True)
        shutil.copytree(version, saved / version.name, symlinks=True)
    found = sorted(states.iterdir(), key=lambda path: int(path.name.partition(".")[0]))
    assert len(found) > 12
    kinds = set()
    for state in found:
        shutil.rmtree(machine.folder)
        shutil.copytree(saved, machine.folder, symlinks=True)
        for part in state.iterdir():
            put_back(part, machine.folder / part.name)
        kind = (machine.runs(), frozenset(versions(machine)), (machine.folder / "companion.first").exists())
        if kind not in kinds:
            kinds.add(kind)
            yield
    assert len(kinds) > 2, "nothing was cut"


def test_a_plug_pulled_while_it_switches_over_leaves_old_or_new(machine: Machine) -> None:
    """A power cut during the switch leaves the old or the new version, and the installed copy can roll back."""
    for stamp in (ZERO, ONE, TWO):
        source(machine, stamp)
    machine.run("install_it", ZERO)
    machine.run("install_it", ONE)
    installed = machine.folder / "companion" / "lib" / "companion" / "install"
    came_back = set()
    for _ in cuts(machine, "install_it", TWO):
        assert whole(machine) and versions(machine) <= {ONE, TWO}
        now = machine.runs()
        code, error, _ = machine.run("roll_back", THREE, installed)
        assert (code, error) == (0, ""), error
        before = {f"companion-{TWO}": f"companion-{ONE}", f"companion-{ONE}": f"companion-{ZERO}"}[now]
        assert machine.runs() == before and versions(machine) == {before.removeprefix("companion-")}
        came_back.add(before)
    assert len(came_back) == 2


def test_a_plug_pulled_on_the_way_back_leaves_the_way_open(machine: Machine) -> None:
    """After a power cut during a rollback, a second run completes or reverts it, and both versions always exist."""
    for stamp in (ONE, TWO):
        source(machine, stamp)
        machine.run("install_it", stamp)
    installed = machine.folder / "companion" / "lib" / "companion" / "install"
    for _ in cuts(machine, "roll_back", THREE):
        assert whole(machine) and versions(machine) <= {ONE, TWO}
        (other,) = {f"companion-{ONE}", f"companion-{TWO}"} - {machine.runs()}
        code, error, _ = machine.run("roll_back", THREE, installed)
        assert (code, error, machine.runs()) == (0, "", other)


def test_a_first_version_that_was_cut_short_is_enabled_the_next_time(machine: Machine) -> None:
    """After an interrupted first installation, the next one enables the units, although their link exists already."""
    source(machine, ONE)
    source(machine, TWO)
    cut = 0
    for _ in cuts(machine, "install_it", ONE):
        short = (machine.folder / "companion.first").exists()
        cut += short and bool(machine.runs())
        code, error, record = machine.run("install_it", TWO)
        assert (code, error) == (0, "") and ("enabled" in record) is short
        assert not (machine.folder / "companion.first").exists()
    assert cut


def test_units_that_are_new_in_a_version_are_enabled_with_the_others(machine: Machine) -> None:
    """An upgrade enables its new units, even after a power cut, unless all are disabled or the upgrade is repeated."""
    on = {"ENABLED": "companion.target"}
    new = "companion-recover.service"
    enabled = f"enabled also {new}"

    def of_enabling(doing: str, stamp: str, **more: str) -> list[str]:
        return [line for line in machine.run(doing, stamp, **more)[2] if "enabled" in line]

    machine.run("install_it", ONE)
    (machine.folder / f"companion-{ONE}/lib/companion/units" / new).unlink()
    kept = machine.folder.with_name("kept")
    shutil.copytree(machine.folder, kept, symlinks=True)
    assert of_enabling("install_it", TWO) == []
    put_back(kept, machine.folder)
    assert of_enabling("point() { kill -KILL $$; exit 1; }; install_it", TWO, **on) == [enabled]
    assert machine.runs() == f"companion-{ONE}"
    shutil.rmtree(machine.folder / f"companion-{TWO}")
    assert of_enabling("install_it", TWO, **on) == [enabled]
    assert of_enabling("roll_back", ZERO, **on) == []
    assert of_enabling("roll_back", ZERO, **on) == []
    assert machine.runs() == f"companion-{TWO}"
    assert of_enabling("install_it", THREE, **on) == []


def test_what_earlier_tries_left_half_built_goes(machine: Machine) -> None:
    """Unfinished builds are removed, and the running and previous versions stay, even if the installation fails."""
    machine.run("install_it", ONE)
    machine.run("install_it", TWO)
    half = machine.folder / f"companion-{ZERO}"
    half.mkdir()
    (machine.folder / "companion-mine").mkdir()
    code, error, _ = machine.run("packages() { die no; }; install_it", THREE)
    assert (code, error) == (1, "no\n")
    assert sorted(path.name for path in machine.folder.glob("companion-*")) == [
        f"companion-{ONE}", f"companion-{TWO}", "companion-mine",
    ]  # fmt: skip


# --- required services ----------------------------------------------------------------------------

CAMERA = "companion-camera.service"
ALL = f"companion-table.service companion-buttons.service {CAMERA}"
JOURNAL = 'journalctl() { case "$*" in *_SYSTEMD_UNIT=companion-camera*) echo "ImportError: no lens" ;; esac; }'


def test_a_camera_that_dies_at_its_start_brings_the_version_before_back(machine: Machine) -> None:
    """If the camera exits at its start, the previous version returns with the reason, although the table works."""
    machine.run("install_it", ONE, ENABLED=ALL)
    dies = f"{JOURNAL}\nill_services() {{ :; }}\ninstall_it"
    code, error, _ = machine.run(dies, TWO, ENABLED=ALL, DIES=CAMERA)
    assert code == 1 and machine.runs() == f"companion-{ONE}"
    assert error.startswith("The new version did not start its camera (ImportError: no lens), so the version before")
    assert machine.run("install_it", TWO, ENABLED=ALL.replace(CAMERA, ""), DIES=CAMERA)[0] == 0, "nobody wants it"


def test_a_camera_that_did_not_run_before_stops_no_new_version(machine: Machine) -> None:
    """A camera that did not run before is named, but does not prevent a first version or a rollback."""
    for doing, stamp in (("install_it", ONE), ("install_it", TWO), ("roll_back", THREE)):
        code, error, _ = machine.run(f"{JOURNAL}\n{doing}", stamp, ENABLED=ALL, DIES=CAMERA)
        assert (code, error) == (0, "")
        assert "Not running: companion-camera (ImportError: no lens)." in machine.said
    assert machine.runs() == f"companion-{ONE}"


# --- a full disk ----------------------------------------------------------------------------------

FULL = "{ echo 'cp: error writing: No space left on device' >&2; false; }"
STAGES = {
    "find_wheel() { try 'Copying the source' copy_source; }; copy_source()": "Copying the source",
    "pip()": "Installing the companion",
    "mkdir()": "Keeping the services' files",
    "compiled()": "Compiling the new version",
    "sync()": "Writing the new version to the disk",
    "copy_data()": "The copy of the matches",
    "stage_files()": "The new version could not be put in place, for",
    "place_files()": "The new version could not be put in place, for",
    "start()": "The new version could not be put in place, for",
}


@pytest.mark.parametrize("stage", STAGES)
def test_a_full_disk_is_said_at_every_stage(machine: Machine, stage: str) -> None:
    """At each stage a full disk causes one sentence, and the running version stays."""
    machine.run("install_it", ONE)
    (machine.folder / "data" / "journal.db").touch()
    checks = "" if stage != "compiled()" else 'check_program() { try "Compiling the new version" compiled; }\n'
    once = f"stage() {FULL}\n" + stage.rpartition("; ")[0] + (";" if ";" in stage else "")
    name = stage.rpartition("; ")[2].removesuffix("()")
    copies = "" if name == "copy_data" else "save_data() { :; }\n"
    code, error, _ = machine.run(f"{once}\n{checks}{copies}{name}() {FULL}\ninstall_it", TWO)
    assert code == 1 and error.count("\n") == 1
    assert error.startswith(STAGES[stage]) and "the disk is full" in error, error
    assert ("plays on" in error) is (name in ("stage_files",))
    assert machine.runs() == f"companion-{ONE}"


def test_a_file_that_python_cannot_read_is_named(machine: Machine, tmp_path: Path) -> None:
    """An unreadable file is named, because most files are read only when needed."""
    place = tmp_path / "site-packages"
    for package in ("companion", "hardware", "vision", "web"):
        (place / package).mkdir(parents=True)
    (place / "vision" / "service.py").write_text("def read(:\n")
    python = tmp_path / "tools" / "python"
    python.write_text(f'#!/bin/sh\ncase "$*" in *purelib*) echo {place} ;; *) exec {sys.executable} "$@" ;; esac\n')
    python.chmod(0o755)
    doing = f'new={tmp_path}; mkdir {tmp_path}/bin; ln -s {python} {tmp_path}/bin/python; try "Compiling" compiled'
    code, error, _ = machine.run(doing, ONE)
    assert code == 1
    assert error == (f"Compiling did not work (vision/service.py: SyntaxError: invalid syntax). The details are in "
                     f"{machine.folder}/log.\n")  # fmt: skip
