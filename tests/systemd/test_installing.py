"""Tests of the installation's script on a running machine: repair, upgrade, rollback, failures and removal."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.must_run import must_run
from tests.systemd.conftest import INSTALLING
from tests.systemd.machine import Machine

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.slow,
    pytest.mark.skipif(not must_run("systemd"), reason="takes some minutes (make systemd)"),
]
INSTALL = ("/opt/companion/lib/companion/install",)
PAGE = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/').status)"
WHEELS = ("--wheels", "/wheels")


def plays(machine: Machine) -> bool:
    """Return whether the pages answer."""
    return machine.run("/opt/companion/bin/python", "-c", PAGE, code=None).stdout.strip() == "200"


def version(machine: Machine) -> str:
    """Return the folder of the running version."""
    return machine.sh("readlink -f /opt/companion")


@pytest.fixture
def changed(machine: Machine) -> Iterator[str]:
    """Yield a copy of the source for changes."""
    machine.sh("mkdir /tmp/new && cd /src && cp -r systemd companion hardware vision web *.toml *.md LICENSE /tmp/new/")
    yield "/tmp/new"
    machine.sh("rm -rf /tmp/new")


def test_the_same_again_is_a_repair(machine: Machine) -> None:
    """A second installation repairs broken parts, keeps the settings and leaves no temporary files."""
    machine.sh("echo '# mine' >>/etc/companion/companion.toml; rm /usr/local/bin/companion; chmod 777 /run/companion")
    machine.sh("systemctl disable --now -q companion-camera; rm -r /opt/companion/lib/python*/site-packages/flask")
    before = version(machine)
    said = machine.run("/src/systemd/install", *WHEELS, timeout=INSTALLING).stdout
    assert "installed and runs" in said and plays(machine)
    assert machine.sh("tail -1 /etc/companion/companion.toml; stat -c %a /run/companion") == "# mine\n750"
    assert not machine.active("companion-camera"), "what somebody has switched off stays off"
    left = machine.sh("ls -d /opt/*/ | wc -l; ls -A /tmp | grep -c '^tmp' || true")
    assert left == "2\n0", "the link and what it leads to; the twin of before is gone"
    assert version(machine) != before
    machine.sh("systemctl enable --now -q companion-camera")


def test_an_upgrade_can_be_taken_back_and_forth(machine: Machine, changed: str) -> None:
    """One command rolls back an upgrade, another repeats it, and the data were copied before."""
    old = version(machine)
    machine.sh(f"sed -i 's/^version = .*/version = \"9.9.9\"/' {changed}/pyproject.toml")
    machine.run(f"{changed}/systemd/install", *WHEELS, timeout=INSTALLING)
    assert "9.9.9" in machine.sh("companion --version") and plays(machine)
    copies = machine.sh("ls /var/lib/companion/backups").split()
    assert copies and all(name.startswith("before-upgrade-") for name in copies)
    assert machine.sh(f"stat -c '%a %U' /var/lib/companion/backups/{copies[-1]}/journal.db") == "600 companion"
    machine.run(*INSTALL, "--rollback", timeout=INSTALLING)
    assert version(machine) == old and "9.9.9" not in machine.sh("companion --version") and plays(machine)
    machine.run(*INSTALL, "--rollback", timeout=INSTALLING)
    assert "9.9.9" in machine.sh("companion --version") and plays(machine)


def test_everything_is_on_the_disk_before_it_is_promised(machine: Machine) -> None:
    """The script flushes the disk three times: for the new version, for units and command, and for the link."""
    old = version(machine)
    record = "#!/bin/sh\nls -d /opt/companion-*/lib/companion/fingerprint | wc -l >>/tmp/synced\n"
    record += 'readlink /opt/companion >>/tmp/synced; exec /usr/bin/sync "$@"\n'
    machine.sh(f"cat >/usr/local/bin/sync <<'END'\n{record}END\nchmod 755 /usr/local/bin/sync")
    machine.sh("rm -rf /opt/companion.previous $(ls -d /opt/companion-* | grep -vx $(readlink -f /opt/companion))")
    machine.run("/src/systemd/install", *WHEELS, timeout=INSTALLING)
    new = version(machine)
    assert machine.sh("cat /tmp/synced; rm /tmp/synced /usr/local/bin/sync").split() == ["2", old, "2", old, "2", new]


def test_after_an_upgrade_of_the_system_everything_says_what_to_do(machine: Machine, changed: str) -> None:
    """After a system upgrade, command, screen and rollback report the missing Python, and an installation repairs
    it."""
    advice = "run sudo systemd/install again"
    machine.sh("mv /opt/companion/lib/python3.* /opt/companion/lib/python3.7; systemctl restart companion-address")
    assert advice in machine.sh("companion doctor", code=1) and advice in machine.sh("companion", user="nobody", code=1)
    screen = "tr -s '\\n ' ' ' </run/issue.d/50-companion.issue"
    machine.until(lambda: advice in machine.sh(screen), "the screen says what to do")
    machine.sh(f"sed -i 's/^version = .*/version = \"9.9.8\"/' {changed}/pyproject.toml")
    machine.run(f"{changed}/systemd/install", *WHEELS, timeout=INSTALLING)
    assert plays(machine) and "9.9.8" in machine.sh("companion --version")
    machine.until(lambda: "http://" in machine.sh(screen), "the screen shows the address")
    new = version(machine)
    said = machine.run(*INSTALL, "--rollback", code=1).stderr
    assert said.startswith("The version before cannot come back") and "python3.7" in said and said.count("\n") == 1
    assert version(machine) == new and plays(machine)


def test_a_version_whose_table_does_not_start_gives_way_to_the_one_before(machine: Machine, changed: str) -> None:
    """If the new version's pages never answer, the old version returns by itself."""
    old = version(machine)
    machine.sh(f"echo 'def serve(*_, **__): raise SystemExit(7)' >>{changed}/web/server.py")
    done = machine.run(f"{changed}/systemd/install", *WHEELS, code=1, timeout=INSTALLING)
    assert "the version before is back" in done.stderr and done.stderr.count("\n") == 1
    assert version(machine) == old and plays(machine)


def test_a_version_that_cannot_be_built_changes_nothing(machine: Machine, changed: str) -> None:
    """A version that cannot be built changes nothing and leaves no files behind."""
    old, folders = version(machine), machine.sh("ls /opt")
    machine.sh(f'sed -i \'s/"segno>=1.6"/"no-such-package>=1"/\' {changed}/pyproject.toml')
    done = machine.run(f"{changed}/systemd/install", *WHEELS, code=1, timeout=INSTALLING)
    assert "no-such-package" in done.stderr and done.stderr.count("\n") == 1
    machine.sh(
        f"cp /src/pyproject.toml {changed}/; echo 'import nothing_like_this' >>{changed}/companion/devices/registry.py"
    )
    done = machine.run(f"{changed}/systemd/install", *WHEELS, code=1, timeout=INSTALLING)
    assert (
        "Loading the new version did not work (ModuleNotFoundError: No module named 'nothing_like_this')" in done.stderr
    )
    machine.sh(f"cp /src/companion/devices/registry.py {changed}/companion/devices/; "
               f"echo 'def (' >>{changed}/vision/commands/bench.py")  # fmt: skip
    done = machine.run(f"{changed}/systemd/install", *WHEELS, code=1, timeout=INSTALLING)
    assert "Compiling the new version did not work (vision/commands/bench.py: SyntaxError" in done.stderr
    assert (version(machine), machine.sh("ls /opt")) == (old, folders) and plays(machine)


def test_a_camera_that_dies_at_its_start_brings_the_version_before_back(machine: Machine, changed: str) -> None:
    """If the new camera exits at its start, the previous version returns with the reason, and old debris is removed."""
    old = version(machine)
    machine.sh("cp -r $(readlink -f /opt/companion) /opt/companion-20200101T000000")
    machine.sh(f"echo 'command.callback = lambda *_, **__: 1 / 0' >>{changed}/vision/commands/camera.py")
    done = machine.run(f"{changed}/systemd/install", *WHEELS, code=1, timeout=INSTALLING)
    assert "did not start its camera (ZeroDivisionError: division by zero), so the version before" in done.stderr
    assert done.stderr.count("\n") == 1 and version(machine) == old and plays(machine)
    machine.until(lambda: machine.active("companion-camera"), "the camera of the version before")
    assert machine.sh("ls -d /opt/companion-20200101T000000 2>/dev/null || echo gone") == "gone"


def test_the_way_back_works_from_the_installed_copy_where_a_unit_is_lost(machine: Machine, changed: str) -> None:
    """The installed copy of the script rolls back even if a power cut has removed a unit."""
    old = version(machine)
    machine.sh(f"sed -i 's/^version = .*/version = \"9.9.7\"/' {changed}/pyproject.toml")
    machine.run(f"{changed}/systemd/install", *WHEELS, timeout=INSTALLING)
    machine.sh("rm -rf /usr/local/lib/systemd/system/companion* /usr/local/bin/companion /opt/companion.previous")
    machine.run(*INSTALL, "--rollback", timeout=INSTALLING)
    assert version(machine) == old and plays(machine) and "9.9.7" not in machine.sh("companion --version")


def test_what_is_wrong_is_one_sentence(machine: Machine) -> None:
    """Missing rights, folder, network, space or system, and a second run, cause one sentence each."""

    def said(command: str, user: str = "") -> str:
        done = machine.run("bash", "-c", command, user=user, code=1, timeout=INSTALLING)
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    install = "/src/systemd/install"
    assert "sudo /src/systemd/install" in said(install, user="nobody")
    assert "no folder /nowhere" in said(f"{install} --wheels /nowhere")
    assert "32-bit" in said(f"mount --bind /tmp/armhf /usr/bin/dpkg; {install}; c=$?; umount /usr/bin/dpkg; exit $c")
    system = "mount --bind /tmp/ubuntu /usr/lib/os-release"
    assert "Ubuntu" in said(f"{system}; {install}; c=$?; umount /usr/lib/os-release; exit $c")
    assert "Another installation" in said(f"exec 9>/run/companion-install.lock; flock 9; {install}; c=$?; exit $c")
    full = "mount -t tmpfs -o size=50m none /opt"
    assert "MB free at /opt" in said(f"{full}; {install} --wheels /wheels; c=$?; umount /opt; exit $c")
    full = "mount -t tmpfs -o size=16k none /var/lib/companion/backups"
    copy = f"{full}; {install} --wheels /wheels; c=$?; umount /var/lib/companion/backups; exit $c"
    assert "The copy of the matches: the disk is full at /var/lib/companion" in said(copy)
    small = "mkdir /tmp/small; mount -t tmpfs -o size=100k none /tmp/small"
    source = (
        f"{small}; TMPDIR=/tmp/small {install} --wheels /wheels; c=$?; umount /tmp/small; rmdir /tmp/small; exit $c"
    )
    assert "Copying the source: the disk is full at /tmp/small" in said(source)
    offline = f"unshare --net {install}"
    assert "the internet cannot be reached" in said(offline)
    assert plays(machine)


@pytest.fixture(autouse=True)
def strangers(machine: Machine) -> None:
    """Create the traces of another system."""
    machine.sh("printf '#!/bin/sh\\necho armhf\\n' >/tmp/armhf; chmod 755 /tmp/armhf; cp /etc/os-release /tmp/ubuntu; "
               "sed -i 's/^ID=.*/ID=ubuntu/; s/^PRETTY_NAME=.*/PRETTY_NAME=Ubuntu/' /tmp/ubuntu")  # fmt: skip


def test_away_with_it_and_back_and_away_for_good(machine: Machine) -> None:
    """Removal keeps the data unless their deletion is requested and confirmed."""
    said = machine.run("/src/systemd/install", "--remove").stdout
    assert "still there" in said
    left = "ls -d /opt/companion* /usr/local/lib/systemd/system/companion* /usr/local/bin/companion /run/companion"
    assert machine.sh(f"{left} 2>/dev/null | wc -l; systemctl list-units --no-legend 'companion*' | wc -l") == "0\n0"
    assert machine.sh("ls /var/lib/companion/journal.db /etc/companion/companion.toml").count("companion") == 3
    machine.run("/src/systemd/install", *WHEELS, timeout=INSTALLING)
    assert plays(machine)
    assert "add --yes" in machine.run("/src/systemd/install", "--remove", "--purge", code=1).stderr
    machine.run("/src/systemd/install", "--remove", "--purge", "--yes")
    assert (
        machine.sh(
            "ls -d /var/lib/companion* /etc/companion 2>/dev/null | wc -l; getent passwd | grep -c companion || true"
        )
        == "0\n0"
    )
