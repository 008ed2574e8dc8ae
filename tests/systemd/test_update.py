"""Updates on a machine of Debian 13: a good one, every kind of broken one, from a page, and with power cuts."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.machine import Machine, booted
from tests.systemd.packages import DEB, lacking
from tests.systemd.updates import BROKEN, FIRST, LATER, NEW, make_all

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking(DEB)) and not must_run("systemd"), reason=lacking(DEB) or "none"),
]
INSTALLING = 400.0
"""Seconds that an update may take; the machine may be busy."""
SERVICES = ("table", "buttons", "camera", "address")
PAGE = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/health').status)"
REFUSED_FROM_A_PAGE = {
    "good": "unsigned", "forged": "signed_wrongly", "twice": "signed_wrongly", "short": "cut_short",
    "photo": "no_package", "older-signed": "older",
}  # fmt: skip
NOTE = "import sys; sys.path.insert(0, '/usr/lib/table-companion'); from companion.journal.journal import Journal; "
WRITE = NOTE + "j = Journal('/var/lib/companion/journal.db'); j.keep('note', b'mine'); j.close()"
VERSIONED = "import sqlite3; j = sqlite3.connect('/var/lib/companion/journal.db'); "
FORMAT = VERSIONED + "print(*j.execute('PRAGMA user_version').fetchone())"
AS_BEFORE = VERSIONED + "j.execute('PRAGMA user_version=1')"
DECK = """cd /var/lib/companion-camera; install -d -m 750 -o companion-camera -g companion decks
echo ours >decks/ours.deck; chown companion-camera:companion decks/ours.deck; chmod 640 decks/ours.deck"""
READ = NOTE + "j = Journal('/var/lib/companion/journal.db', read_only=True); print(j.read_value('note')); j.close()"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Yield a folder of packages."""
    folder = tmp_path_factory.mktemp("updates")
    make_all(folder)
    return folder


@pytest.fixture(scope="module")
def machine(packages: Path) -> Iterator[Machine]:
    """Yield a machine with the first version, a changed settings file and a value in its journal."""
    with booted(DEB, binds=(f"{packages}:/packages",)) as machine:
        prepare(machine)
        yield machine


def prepare(machine: Machine) -> None:
    """Install the first version; change its settings file and its journal."""
    machine.run("dpkg", "--install", "/packages/first.deb", timeout=INSTALLING)
    machine.until(lambda: well(machine), "all services run")
    machine.sh("systemctl stop companion-table")
    machine.run("python3", "-c", WRITE, user="companion")
    machine.sh("echo '# my own line' >>/etc/companion/companion.toml; systemctl start companion-table")


@pytest.fixture
def first(machine: Machine) -> Machine:
    """Yield the machine with the first version installed."""
    if version(machine) != FIRST:
        machine.run("companion", "update", "--older", "/packages/first.deb", timeout=INSTALLING)
    machine.until(lambda: well(machine), "all services run")
    machine.sh("rm -rf /run/companion/update-outcome.json")
    return machine


def version(machine: Machine) -> str:
    """Return dpkg's state and version of the package; only the version if all is well."""
    said = machine.sh("dpkg-query -W -f '${Status} ${Version}' table-companion", code=None)
    return said.removeprefix("install ok installed ")


def well(machine: Machine) -> bool:
    """Whether all services are running and the table answers."""
    up = all(machine.active(f"companion-{name}.service") for name in SERVICES)
    return up and machine.run("python3", "-c", PAGE, code=None).stdout.strip() == "200"


def update(machine: Machine, name: str, *words: str) -> tuple[int, str]:
    """Update to a package; return the exit code and the output."""
    done = machine.run("companion", "update", *words, f"/packages/{name}.deb", code=None, timeout=INSTALLING)
    return done.returncode, done.stdout + done.stderr


def stands(machine: Machine, wanted: str = FIRST) -> None:
    """Check that a version works, with data and settings unchanged."""
    assert version(machine) == wanted
    machine.until(lambda: well(machine), "all services run")
    assert machine.run("companion", "--version").stdout.strip() == f"companion, version {wanted}"
    assert "# my own line" in machine.sh("cat /etc/companion/companion.toml")
    assert machine.run("python3", "-c", READ, user="companion").stdout.strip() == "b'mine'"
    assert machine.sh("ls /var/lib/table-companion") == "packages"


def test_a_good_version_is_installed_and_kept(first: Machine) -> None:
    """Services restart, a changed settings file stays, data were copied, and both packages are kept."""
    before = first.show("companion-table.service", "MainPID")
    code, said = update(first, "good")
    assert (code, said.splitlines()[0]) == (0, f"Version {NEW} is installed and works."), said
    stands(first, NEW)
    assert first.show("companion-table.service", "MainPID") != before
    kept = "for each in current previous; do dpkg-deb -f /var/lib/table-companion/packages/$each.deb Version; done"
    assert first.sh(kept).split() == [NEW, FIRST]
    assert "journal.db" in first.sh("ls /var/lib/companion/backups/before-update-*")
    assert first.sh("cmp /packages/good.deb /var/lib/table-companion/packages/current.deb") == ""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_version_leaves_the_one_before(first: Machine, name: str) -> None:
    """It is said what is wrong; data, settings and the version before stand, and everything works."""
    code, said = update(first, name)
    assert code == 1 and BROKEN[name][1] in said, said
    stands(first)


@pytest.mark.parametrize("name", ["short", "photo"])
def test_a_file_that_is_no_whole_package_is_refused(first: Machine, name: str) -> None:
    """From root, too."""
    assert update(first, name)[0] == 1
    stands(first)


def test_an_older_version_is_asked_about(first: Machine) -> None:
    """Nobody answers here, so nothing happens."""
    code, said = update(first, "older")
    assert code == 1 and "This is version 0.1.0" in said
    stands(first)


def journal_format(machine: Machine) -> str:
    """Return the format of the table's journal."""
    return machine.run("python3", "-c", FORMAT, user="companion").stdout.strip()


def test_a_version_that_could_not_read_the_matches_is_refused(first: Machine) -> None:
    """The newer version has written its own format; not even root gets the one before by an update."""
    assert journal_format(first) == "1"
    assert update(first, "later")[0] == 0
    stands(first, LATER)
    assert journal_format(first) == "2"
    try:
        code, said = update(first, "first", "--older")
        assert code == 1 and "written by a newer version: this one could not read them" in said, said
        stands(first, LATER)
        assert journal_format(first) == "2"
    finally:
        first.sh("systemctl stop companion-table")
        first.run("python3", "-c", AS_BEFORE, user="companion")
        back = update(first, "first", "--older")
        first.sh("systemctl start companion-table")
    assert back[0] == 0, back[1]
    stands(first)


def test_a_broken_version_that_has_changed_the_matches_gives_them_back(first: Machine) -> None:
    """Its table has converted the journal before its camera dies: the version before gets what it can read.

    The copy lies in the table's folder, which the camera's user may not enter. Decks belong to that user again.
    """
    first.sh(DECK)
    code, said = update(first, "later-dies")
    assert code == 1 and "“camera” does not stay up" in said and "is back and works" in said, said
    stands(first)
    assert journal_format(first) == "1"
    owner = first.sh("cd /var/lib/companion-camera/decks; stat -c '%U %a' ours.deck; cat ours.deck")
    assert owner.split() == ["companion-camera", "640", "ours"]


@pytest.mark.parametrize("folder", ["/usr/lib/table-companion", "/usr/share/doc/table-companion"])
def test_on_a_full_disk_nothing_is_lost(first: Machine, folder: str) -> None:
    """Seen before anything is written, or in the middle of dpkg's work: the version before stands."""
    first.sh(f"mkdir -p /mnt/small; mount -t tmpfs -o size=30m small /mnt/small; cp -a {folder}/. /mnt/small")
    first.sh(f"head -c 30m /dev/zero >/mnt/small/full 2>/dev/null; mount --bind /mnt/small {folder}", code=None)
    try:
        code, said = update(first, "good")
    finally:
        first.sh(f"umount {folder}; umount /mnt/small")
    assert code == 1 and "The disk is full" in said, said
    stands(first)


# --- from a page ----------------------------------------------------------------------------------


def ask(machine: Machine, name: str) -> dict[str, object]:
    """Bring a package as the table does; return what becomes of it."""
    folder = "/var/lib/companion/update"
    machine.sh(f"install -d -m 700 -o companion -g companion {folder}")
    machine.sh(f"install -m 600 -o companion -g companion /packages/{name}.deb {folder}/candidate.deb")
    machine.sh("rm -f /run/companion/update-outcome.json; echo update >/run/companion/update", user="companion")
    found: dict[str, object] = {}

    def ended() -> bool:
        said = machine.sh("cat /run/companion/update-outcome.json", user="companion", code=None)
        found.update(json.loads(said) if said.startswith("{") else {"state": ""})
        return found["state"] not in ("", "running")

    machine.until(ended, "an outcome", INSTALLING)
    return found


@pytest.mark.parametrize("name", REFUSED_FROM_A_PAGE)
def test_from_a_page_only_a_signed_newer_version_counts(first: Machine, name: str) -> None:
    """Root's service refuses everything else, and the table's package and request are gone."""
    found = ask(first, name)
    assert found["state"] == "refused" and [each["key"] for each in found["said"]] == [REFUSED_FROM_A_PAGE[name]]  # type: ignore[attr-defined]
    stands(first)
    assert first.sh("systemctl list-units --failed --no-legend 'companion*'") == ""
    assert first.sh("ls -A /run/companion/update /var/lib/companion/update", code=None).count("candidate") == 0


def test_a_signed_version_comes_from_a_page(first: Machine) -> None:
    """By the table's two files, without any right of its own."""
    found = ask(first, "signed")
    assert found == {"state": "done", "said": [{"key": "done", "fields": {"version": NEW}}]}, first.log()
    stands(first, NEW)


# --- with the plug pulled -------------------------------------------------------------------------


def test_a_plug_pulled_while_dpkg_works_leads_back(first: Machine) -> None:
    """The machine starts with the version before, whole, and the marker is gone."""
    process = subprocess.Popen(
        ("nsenter", "--target", str(first.leader), "--all", "companion", "update", "/packages/good.deb"),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    unpacked = "ls /usr/lib/table-companion/*.dpkg-new /usr/lib/table-companion/*/*.dpkg-new"
    first.until(lambda: bool(first.sh(f"{unpacked} 2>/dev/null | head -1", code=None)), "dpkg unpacks", INSTALLING)
    first.end()
    process.wait(30)
    first.start()
    first.until(lambda: well(first), "all services run")
    stands(first)
    assert "whole again" in first.log("-u", "companion-recover.service")


def test_a_package_that_was_only_unpacked_is_finished(first: Machine) -> None:
    """Somebody's own dpkg was cut: no update was under way, so the new version is configured."""
    first.run("dpkg", "--force-confold", "--unpack", "/packages/good.deb", timeout=INSTALLING)
    first.end()
    first.start()
    first.until(lambda: well(first), "all services run")
    stands(first, NEW)
