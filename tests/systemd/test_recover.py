"""Repairing an interrupted update at a start. dpkg and systemctl are recorders; a real plug is pulled in
`test_update`.
"""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.ops.update.asking import outcome
from companion.ops.update.places import Places
from tests.support.packages import write_package

RECOVER = Path(__file__).parents[2] / "systemd" / "recover"
OLD, NEW = "0.2.0", "0.3.0"
QUERY = """#!/bin/sh
case "$1" in -L) cat "$BASE/files" ;; *) cat "$BASE/state" ;; esac
"""
DPKG = """#!/bin/sh
echo "dpkg $*" | sed "s|$BASE/||g; s| --force-[a-z]*||g; s|root/var/lib/table-companion/packages/||" >>"$BASE/record"
case "$*" in
  *--configure*) [ ! -e "$BASE/configures" ] || mv "$BASE/configures" "$BASE/state" ;;
  *--install*) [ ! -e "$BASE/refuses" ] || exit 1; mv "$BASE/installs" "$BASE/state" ;;
esac
[ "$SYSTEMD_OFFLINE" = 1 ] || echo "dpkg may start services" >>"$BASE/record"
"""
COMPANION = """#!/bin/sh
echo "companion $*" >>"$BASE/record"
[ ! -e "$BASE/stays" ] || { echo "one line"; echo "Error: The copy could not be put back."; exit 1; }
"""
FIELD = """#!/bin/sh
[ "$(head -c 7 "$2")" = '!<arch>' ] || exit 2
if [ "$1" = --field ]; then cat "$2.version"; fi
"""


class Cut:
    """A machine that starts after an interruption."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tools = folder, folder / "tools"
        self.places = Places(folder / "root")
        for path in (self.tools, self.places.kept, self.places.request.parent, self.places.program / "bin"):
            path.mkdir(parents=True)
        for name, text in (("dpkg-query", QUERY), ("dpkg", DPKG), ("dpkg-deb", FIELD),
                           ("systemctl", '#!/bin/sh\necho "systemctl $*" >>"$BASE/record"\n'),
                           ("companion", COMPANION)):  # fmt: skip
            place = self.places.program / "bin" if name == "companion" else self.tools
            (place / name).write_text(text)
            (place / name).chmod(0o755)
        self.is_now(f"installed {OLD}")
        self.is_now("", "files")
        for name, version in (("current", OLD), ("previous", "0.1.0")):
            self.keep(name, version)

    def is_now(self, state: str, name: str = "state") -> None:
        """Set dpkg's state of the package, now or after an event."""
        (self.folder / name).write_text(state)

    def keep(self, name: str, version: str) -> None:
        """Store a package."""
        path = write_package(self.places.kept / f"{name}.deb", version)
        path.with_name(f"{name}.deb.version").write_text(f"{version}\n")

    def under_way(self, **marker: str) -> None:
        """Leave an update's marker."""
        self.places.marker.write_text(json.dumps(marker))

    def start(self) -> tuple[int, list[str], str]:
        """Start; return the exit code, the actions, and the output."""
        program = RECOVER.read_text()
        for real, ours in (("/usr/local/sbin:", f"{self.tools}:"), ("/dev/tty1", f"{self.folder}/screen"),
                           ('"SYSTEMD_OFFLINE": "1"', f'"SYSTEMD_OFFLINE": "1", "BASE": "{self.folder}"')):  # fmt: skip
            assert real in program
            program = program.replace(real, ours)
        (self.folder / "recover").write_text(program)
        record, screen = self.folder / "record", self.folder / "screen"
        record.write_text("")
        screen.write_text("")
        environment = {**os.environ, "PATH": f"{self.tools}:{os.environ['PATH']}", "BASE": str(self.folder)}
        command = ("/usr/bin/env", "python3", "-I", str(self.folder / "recover"), str(self.places.root))
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert done.stderr == ""
        return done.returncode, record.read_text().splitlines(), " ".join(screen.read_text().split())


@pytest.fixture
def cut(tmp_path: Path) -> Cut:
    """Yield a healthy machine."""
    return Cut(tmp_path)


BACK = ["dpkg --install current.deb", "dpkg --configure -a"]


@pytest.mark.parametrize("state", [f"installed {OLD}", f"config-files {OLD}", ""])
def test_where_all_is_well_nothing_is_done(cut: Cut, state: str) -> None:
    """Or where the package was taken away."""
    cut.is_now(state)
    assert cut.start() == (0, [], "")


@pytest.mark.parametrize(
    "state", [f"installed {NEW}", f"half-installed {OLD}", f"unpacked {NEW}", f"half-configured {NEW}"]
)
def test_an_update_that_was_under_way_goes_back(cut: Cut, state: str) -> None:
    """However far dpkg had come: nobody has seen the new version work. Saved data are looked at; the page is told."""
    cut.is_now(state)
    cut.is_now(f"installed {OLD}", "installs")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": "/saved"})
    (cut.places.work / "trial").mkdir(parents=True)
    cut.keep(".next", NEW)
    code, done, said = cut.start()
    assert (code, done) == (0, [*BACK, "companion update --data-back /saved", "systemctl daemon-reload"])
    assert "was cut off" in said and f"whole again, version {OLD}" in said
    assert not cut.places.marker.exists() and not cut.places.work.exists()
    assert sorted(path.name for path in cut.places.kept.glob("*.deb")) == ["current.deb", "previous.deb"]
    found = outcome(cut.places)
    assert found is not None and f"Version {OLD} is back" in found.text("en")
    assert cut.start() == (0, [], "")


def test_the_package_of_the_right_version_comes_back(cut: Cut) -> None:
    """Whatever its name is: the cut may have come while kept packages changed their names."""
    cut.keep("current", NEW)
    cut.keep("previous", OLD)
    cut.is_now(f"unpacked {NEW}")
    cut.is_now(f"installed {OLD}", "installs")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": ""})
    assert cut.start()[1] == ["dpkg --install previous.deb", BACK[1], "systemctl daemon-reload"]


def test_what_a_cut_has_left_of_another_version_is_cleared_away(cut: Cut) -> None:
    """dpkg does not know files that it had only begun to unpack; a game among them would be offered."""
    root, program = cut.places.root, "/usr/lib/table-companion"
    ours = [f"{program}/companion/cli.py", f"{program}/bin/companion", "/usr/lib/systemd/system/companion.target"]
    left = ["companion/cli.py.dpkg-new", "companion/games/new/__init__.py", "table_companion-0.3.0.dist-info/METADATA"]
    others = [f"{program}/companion/__pycache__/cli.pyc", "/usr/lib/systemd/system/other.service"]
    theirs = [*(f"{program}/{each}" for each in left), "/usr/lib/systemd/system/companion-new.service"]
    for path in (*ours, *theirs, *others):
        (root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
        if path != f"{program}/bin/companion":
            (root / path.lstrip("/")).touch()
    folders = [program, f"{program}/companion", f"{program}/companion/games", f"{program}/bin"]
    cut.is_now("\n".join([*folders, *ours]) + "\n", "files")
    cut.is_now(f"unpacked {NEW}")
    cut.is_now(f"installed {OLD}", "installs")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": ""})
    assert cut.start()[0] == 0
    there = {path for path in (*ours, *theirs, *others) if (root / path.lstrip("/")).exists()}
    assert there == {*ours, *others}
    assert not (root / f"{program.lstrip('/')}/table_companion-0.3.0.dist-info").exists()


def test_a_marker_that_cannot_be_read_is_one(cut: Cut) -> None:
    """The present version's package comes back."""
    cut.places.marker.write_text("{half")
    cut.is_now(f"unpacked {NEW}")
    cut.is_now(f"installed {OLD}", "installs")
    assert cut.start()[:2] == (0, [*BACK, "systemctl daemon-reload"])


def test_where_no_update_was_under_way_what_was_begun_is_finished(cut: Cut) -> None:
    """Somebody's own dpkg was cut: its scripts are run, and the new version stays."""
    cut.is_now(f"unpacked {NEW}")
    cut.is_now(f"installed {NEW}", "configures")
    assert cut.start()[:2] == (0, [BACK[1], "systemctl daemon-reload"])
    assert (cut.folder / "state").read_text() == f"installed {NEW}"


def test_what_cannot_be_finished_is_replaced(cut: Cut) -> None:
    """A half-installed package cannot be configured; the kept one can be installed."""
    cut.is_now(f"half-installed {NEW}")
    cut.is_now(f"installed {OLD}", "installs")
    assert cut.start()[:2] == (0, [BACK[1], *BACK, "systemctl daemon-reload"])


def test_a_damaged_package_is_left_alone(cut: Cut) -> None:
    """Another one that is whole is taken."""
    (cut.places.kept / "current.deb").write_text("damaged")
    cut.is_now(f"half-installed {NEW}")
    cut.is_now("installed 0.1.0", "installs")
    assert "dpkg --install previous.deb" in cut.start()[1]


def break_dpkg(cut: Cut) -> None:
    """Let dpkg install nothing."""
    (cut.folder / "refuses").touch()


def take_packages(cut: Cut) -> None:
    """Let no package be kept."""
    for path in cut.places.kept.iterdir():
        path.unlink()


@pytest.mark.parametrize("trouble", [break_dpkg, take_packages])
def test_what_cannot_be_put_right_is_said_on_the_screen(cut: Cut, trouble: Callable[[Cut], None]) -> None:
    """The message names the remedy; the marker stays, so that the next start tries again."""
    trouble(cut)
    cut.is_now(f"half-installed {NEW}")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": ""})
    code, _, said = cut.start()
    assert code == 1 and "is not whole" in said and "sudo dpkg --install" in said and cut.places.marker.exists()


def test_matches_that_cannot_be_put_back_are_said_on_the_screen(cut: Cut) -> None:
    """A version that cannot read its journal is not whole: the marker stays, and the next start brings them back."""
    cut.is_now(f"installed {NEW}")
    cut.is_now(f"installed {OLD}", "installs")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": "/saved"})
    (cut.folder / "stays").touch()
    code, _, said = cut.start()
    assert code == 1 and "Error: The copy could not be put back. The next start tries again." in said
    assert "whole" not in said and "one line" not in said and cut.places.marker.exists()
    (cut.folder / "stays").unlink()
    cut.is_now(f"installed {OLD}", "installs")
    assert cut.start()[0] == 0 and not cut.places.marker.exists()


def test_a_third_version_that_somebody_has_installed_stays(cut: Cut) -> None:
    """They followed the screen: nothing is left to go back from."""
    cut.is_now("installed 0.3.1")
    cut.under_way(**{"from": OLD, "to": NEW, "saved": "/saved"})
    cut.keep(".next", NEW)
    assert cut.start() == (0, [], "") and not cut.places.marker.exists()
    assert not (cut.places.kept / ".next.deb").exists()


def test_it_leaves_a_running_update_alone(cut: Cut) -> None:
    """Which starts the companion's target, too."""
    cut.under_way(**{"from": OLD, "to": NEW, "saved": ""})
    with cut.places.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert cut.start() == (0, [], "")
