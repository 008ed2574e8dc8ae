"""Tests of the Debian package on Debian 13: installation, upgrade, removal and the change from systemd/install."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.machine import Machine, booted
from tests.systemd.packages import DEB, DIST, NAME, VERSION, changed, lacking

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking(DEB)) and not must_run("systemd"), reason=lacking(DEB) or "none"),
]
INSTALLING = 300.0
"""The seconds that an installation may take on a busy machine."""
INSTALL = ("dpkg", "--install", f"/dist/{NAME}")
KEEP = ("dpkg", "--force-confold", "--install")
SERVICES = ("companion-table.service", "companion-buttons.service", "companion-camera.service",
            "companion-address.service", "companion-power.path", "companion.target")  # fmt: skip
OF_UPDATES = ("companion-update.path", "companion-recover.service")
"""Units that wait for a request."""
PAGE = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/').status)"


def plays(machine: Machine) -> bool:
    """Return whether the pages answer."""
    return machine.run("python3", "-c", PAGE, code=None).stdout.strip() == "200"


def enabled(machine: Machine) -> set[str]:
    """Return the companion's units that start with the machine."""
    rows = machine.sh("systemctl list-unit-files --no-legend --state=enabled 'companion*'").splitlines()
    return {row.split()[0] for row in rows}


def until_all_run(machine: Machine) -> None:
    """Wait until each service of the companion runs."""
    machine.until(lambda: all(map(machine.active, SERVICES)), "all services run")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Yield a folder with a newer package, whose default settings also differ."""
    folder = tmp_path_factory.mktemp("packages")

    def other_settings(tree: Path) -> None:
        with (tree / "etc/companion/companion.toml").open("a") as file:
            file.write("\n# A new version says more here.\n")

    changed(folder, "9.9.9", other_settings)
    return folder


@pytest.fixture(scope="module")
def machine(packages: Path) -> Iterator[Machine]:
    """Yield a machine with the package but without its recommendations."""
    with booted(DEB, binds=(f"{DIST}:/dist", f"{packages}:/packages")) as machine:
        machine.run(*INSTALL, timeout=INSTALLING)
        yield machine


def test_everything_starts_and_knows_its_version(machine: Machine) -> None:
    """After installation, pages, command, doctor and the table's services work."""
    assert plays(machine)
    until_all_run(machine)
    assert machine.sh("companion --version", user="nobody") == f"companion, version {VERSION}"
    doctor = machine.sh("companion doctor", code=None)
    assert f"Companion: {VERSION}, with Python 3.13" in doctor
    assert enabled(machine) == {*SERVICES, *OF_UPDATES}
    assert machine.sh("systemctl list-units --failed --no-legend 'companion*'") == ""
    assert "dpkg" in machine.sh("cat /usr/lib/table-companion/table_companion-*.dist-info/INSTALLER")


def test_without_what_is_recommended_it_says_why(machine: Machine) -> None:
    """Without the recommended packages, buttons and camera run and name the missing package, and the table works."""
    until_all_run(machine)
    machine.until(lambda: "gpiozero is not installed" in machine.sh("companion doctor", code=None), "buttons say why")
    doctor = machine.sh("companion doctor", code=None)
    assert "python3-gpiozero" in doctor and "OpenCV: not installed (python3-opencv)" in doctor
    assert "does not report" not in doctor
    log = machine.log("-u", "companion-camera", "-u", "companion-buttons")
    assert "Traceback" not in log and "python3-opencv" in log
    assert machine.show("companion-buttons", "NRestarts") == machine.show("companion-camera", "NRestarts") == "0"


def test_compiled_files_are_there_and_programs_find_it(machine: Machine) -> None:
    """Compiled files are installed, because services may not write them, and the printing process finds the program."""
    found = "find /usr/lib/table-companion -name '*.{}' | wc -l"
    assert machine.sh(found.format("py")) == machine.sh(found.format("pyc"))
    said = machine.sh("cd /tmp && companion wiring && /usr/lib/table-companion/bin/python -m companion --version")
    assert "GPIO" in said and said.endswith(VERSION)
    assert machine.sh("dpkg --verify table-companion") == ""


def test_lintian_finds_no_error(machine: Machine) -> None:
    """The target Debian's lintian finds no error."""
    said = machine.sh(f"lintian --fail-on error /dist/{NAME}", user="nobody", timeout=INSTALLING)
    assert "E: " not in said


def test_an_upgrade_asks_nothing_and_keeps_what_was_set(machine: Machine) -> None:
    """An upgrade asks nothing, and keeps the changed settings and the disabled camera."""
    machine.sh("echo '# mine' >>/etc/companion/companion.toml; systemctl disable --now -q companion-camera")
    before = machine.show("companion-table", "MainPID")
    machine.run(*INSTALL, timeout=INSTALLING)
    assert machine.show("companion-table", "MainPID") != before and plays(machine)
    machine.run(*KEEP, "/packages/table-companion_9.9.9_all.deb", timeout=INSTALLING)
    assert "9.9.9" in machine.sh("companion --version") and plays(machine)
    assert machine.sh("tail -1 /etc/companion/companion.toml") == "# mine"
    assert "companion-camera.service" not in enabled(machine) and not machine.active("companion-camera")
    machine.run(*KEEP, f"/dist/{NAME}", timeout=INSTALLING)
    assert VERSION in machine.sh("companion --version") and plays(machine), "the way back"
    machine.sh("systemctl enable --now -q companion-camera")


def test_systemd_install_refuses_beside_the_package(machine: Machine) -> None:
    """systemd/install refuses to run beside the package, because both would use one port."""
    done = machine.run("/src/systemd/install", code=1)
    assert "installed as a package" in done.stderr and done.stderr.count("\n") == 1


def test_away_with_it_and_back_and_away_for_good(machine: Machine) -> None:
    """Removal keeps data and settings; a purge keeps only the users, so that their numbers are not reused."""
    machine.sh("touch /var/lib/companion/mine")
    machine.run("dpkg", "--remove", "table-companion")
    assert (
        machine.sh("ls -d /usr/lib/table-companion /run/companion /etc/avahi/services/comp* 2>/dev/null | wc -l") == "0"
    )
    assert not any(machine.active(each) for each in SERVICES)
    assert machine.sh("ls /var/lib/companion/mine; tail -1 /etc/companion/companion.toml").endswith("# mine")
    machine.run(*INSTALL, timeout=INSTALLING)
    assert plays(machine) and enabled(machine) == {*SERVICES, *OF_UPDATES}
    machine.run("dpkg", "--purge", "table-companion")
    left = "find /etc /usr /var /run /opt -xdev -iname '*companion*' -not -path '*/sympy/*'"
    assert machine.sh(left) == ""
    assert machine.sh("getent passwd | grep -c '^companion'") == "5"


LAY = """
set -e
new=/opt/companion-20260101T000000
python3 -m venv --without-pip --system-site-packages $new
cd /src && cp -r companion hardware vision web $new/lib/python3.*/site-packages/
dpkg-deb -x /dist/*.deb /tmp/deb && cp -r /tmp/deb/usr/lib/table-companion/*.dist-info $new/lib/python3.*/site-packages/
printf '#!%s/bin/python\\nfrom companion.cli import main\\nmain()\\n' $new >$new/bin/companion
chmod 755 $new/bin/companion
sed '/^main "/d; s#^here=.*#here=/src/systemd#' /src/systemd/install >/tmp/install
made=$new
cd / && . /tmp/install
trap - EXIT
new=$made version=1 hall=yes first=yes before='' strict='' ill='' settling=1 work=$(mktemp -d)
keep_files && stage_files $new && place_files && point $current $new && enable && start
"""
"""A script that sets up a machine with functions of systemd/install; a full run would need OpenCV and pip."""


@pytest.fixture
def installed_by_hand() -> Iterator[Machine]:
    """Yield a machine of systemd/install with changed settings, no camera, and a hall without a broker."""
    with booted(DEB, binds=(f"{DIST}:/dist",)) as machine:
        machine.sh(LAY, timeout=INSTALLING)
        machine.sh("echo '# mine' >>/etc/companion/companion.toml; systemctl disable --now -q companion-camera")
        machine.sh("touch /var/lib/companion/mine")
        assert plays(machine)
        yield machine


BY_HAND = "ls -d /opt/companion* /usr/local/bin/companion /usr/local/lib/systemd/system/companion* 2>/dev/null | wc -l"


def test_it_takes_over_a_machine_of_systemd_install(installed_by_hand: Machine) -> None:
    """The package keeps data, settings and enabled units, and removes the previous program."""
    machine = installed_by_hand
    before = enabled(machine)
    assert "companion-hall.service" in before and "companion-camera.service" not in before
    machine.run(*INSTALL, timeout=INSTALLING)
    assert plays(machine) and enabled(machine) == before
    assert machine.show("companion-table", "FragmentPath").startswith("/usr/lib/systemd/system/")
    assert machine.sh("command -v companion; companion --version").split()[0] == "/usr/bin/companion"
    assert machine.sh("ls /var/lib/companion/mine; tail -1 /etc/companion/companion.toml").endswith("# mine")
    assert machine.sh(BY_HAND) == "0" and machine.sh("ls /var/lib/table-companion 2>/dev/null | wc -l") == "0"
    machine.run("systemctl", "--no-block", "reboot")
    machine.until_started_again()
    machine.until(lambda: plays(machine), "the pages after the next start")


def test_one_that_cannot_be_unpacked_leaves_the_machine_as_it_was(installed_by_hand: Machine, tmp_path: Path) -> None:
    """A truncated package leaves the machine unchanged, because dpkg takes over files only at the end."""
    machine = installed_by_hand
    before = enabled(machine)
    whole = (DIST / NAME).read_bytes()
    machine.sh(f"head -c {len(whole) - 20_000} /dist/{NAME} >/tmp/{NAME}")
    assert machine.run("dpkg", "--install", f"/tmp/{NAME}", code=None, timeout=INSTALLING).returncode != 0
    machine.until(lambda: plays(machine), "the pages of the version before")
    assert enabled(machine) == before and machine.sh("readlink /opt/companion").startswith("/opt/companion-")
    assert machine.sh("tail -1 /etc/companion/companion.toml") == "# mine"
