"""Tests of the services under a real systemd: they start, restart and have only their own rights."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.systemd.machine import ADDRESS, PROJECT, Machine, booted, debian
from tests.systemd.test_units import INSTALLING

pytestmark = [pytest.mark.systemd, pytest.mark.slow]
TABLE, BUTTONS, CAMERA = "companion-table", "companion-buttons", "companion-camera"
SERVICES = (TABLE, BUTTONS, CAMERA)
ALL_THERE = "pages answer; buttons and camera are there"
PYTHON = "/opt/companion/bin/python"
PAGE = f"{PYTHON} -c 'import urllib.request; print(urllib.request.urlopen(\"http://127.0.0.1:8080/\").status)'"
BEGIN = """
from companion.engine import Setup
from companion.games import GAMES
from companion.table.table import Table
game = GAMES["take-a-train"]
with Table("/var/lib/companion/journal.db") as table:
    print(table.start(Setup("take-a-train", 3)))
"""


def pid(machine: Machine, unit: str) -> int:
    """Return a service's main process."""
    return int(machine.show(unit, "MainPID"))


def restarts(machine: Machine, unit: str) -> int:
    """Return the number of times that systemd has restarted a service."""
    return int(machine.show(unit, "NRestarts"))


def whole(machine: Machine) -> bool:
    """Return whether all three services are active and connected."""
    return all(machine.active(unit) for unit in SERVICES) and machine.show(TABLE, "StatusText") == ALL_THERE


@pytest.fixture(autouse=True)
def all_well(machine: Machine) -> None:
    """Wait before each test until all services are well."""
    machine.until(lambda: whole(machine), "all three services")


def comes_back(machine: Machine, unit: str, doing: str) -> None:
    """Damage a service, and check that it restarts by itself without affecting the other two."""
    before = {each: (pid(machine, each), restarts(machine, each)) for each in SERVICES}
    machine.sh(doing)
    machine.until(lambda: restarts(machine, unit) > before[unit][1], f"{unit} is started again")
    machine.until(lambda: whole(machine), f"{unit} is back")
    for each in SERVICES:
        if each != unit:
            assert (pid(machine, each), restarts(machine, each)) == before[each]


def test_the_units_are_well_formed_and_closed(machine: Machine) -> None:
    """systemd accepts the units and rates each below 2 of 10, except the resting installer of packages."""
    units = machine.sh("cd /usr/local/lib/systemd/system; ls -d companion*.service companion*.path companion*.target")
    names = [name for name in units.split() if not name.endswith(".d")]
    assert sorted(names) == sorted(each.name for each in (PROJECT / "systemd/units").iterdir() if each.is_file())
    assert machine.sh(f"systemd-analyze verify {' '.join(names)}") == ""
    for name in names:
        if name.endswith(".service") and not name.startswith(INSTALLING):
            machine.run("systemd-analyze", "security", "--threshold=20", "--no-pager", name)


def test_a_service_is_ready_only_when_it_works(machine: Machine) -> None:
    """When `systemctl start` returns, the pages answer at the first request."""
    machine.sh("systemctl stop companion-table")
    assert machine.sh(f"systemctl start companion-table && {PAGE}") == "200"


def test_the_whole_stops_and_starts(machine: Machine) -> None:
    """The target stops and starts all services, and pictures stay on the shelf meanwhile."""
    machine.sh("touch /run/companion/shelf/kept")
    machine.sh("systemctl stop companion.target")
    assert not any(machine.active(unit) for unit in SERVICES)
    machine.sh("systemctl start companion.target && test -e /run/companion/shelf/kept && rm /run/companion/shelf/kept")
    machine.until(lambda: whole(machine), "all three services")


@pytest.mark.parametrize("unit", SERVICES)
def test_one_that_is_killed_comes_back_and_the_others_live(machine: Machine, unit: str) -> None:
    """A service killed with -9, as when memory runs short, restarts while the others continue."""
    comes_back(machine, unit, f"systemctl kill --signal=KILL {unit}")


@pytest.mark.parametrize("unit", SERVICES)
def test_one_that_hangs_is_noticed_and_comes_back(machine: Machine, unit: str) -> None:
    """A stopped process sends no messages, so the watchdog restarts it. (The limit is reduced to 4 s here.)"""
    assert machine.show(unit, "WatchdogUSec") in ("10s", "20s", "30s")
    place = f"/run/systemd/system/{unit}.service.d"
    machine.sh(f"mkdir -p {place}; printf '[Service]\\nWatchdogSec=4\\n' >{place}/hasty.conf; systemctl daemon-reload")
    machine.sh(f"systemctl restart {unit}")
    machine.until(lambda: whole(machine), "all three services")
    try:
        comes_back(machine, unit, f"kill -STOP {pid(machine, unit)}")
        assert "Watchdog timeout" in machine.log("-u", unit, "-n", "1000")  # all threads print their stacks
    finally:
        machine.sh(f"rm -r {place}; systemctl daemon-reload; systemctl restart {unit}")


def test_a_game_on_the_table_goes_on(machine: Machine) -> None:
    """After kill -9 the same match is on the table."""
    machine.sh("systemctl stop companion-table")
    match = machine.run("runuser", "-u", "companion", "--", PYTHON, "-c", BEGIN).stdout.strip()
    machine.sh("systemctl start companion-table; systemctl kill --signal=KILL companion-table")
    machine.until(lambda: whole(machine), "the table is back")
    listed = json.loads(machine.run("/usr/local/bin/companion", "export", "--list", "--json").stdout)
    assert match in json.dumps(listed)
    assert machine.sh("stat -c %U /var/lib/companion/* | sort -u") == "companion"


# --- permissions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "doing"),
    [
        ("companion-camera", "cat /var/lib/companion/journal.db"),
        ("companion-camera", "ls /var/lib/companion"),
        ("companion-camera", "touch /run/companion/power"),
        ("companion-buttons", "cat /var/lib/companion/journal.db"),
        ("companion-buttons", "ls /run/companion/shelf"),
        ("companion-buttons", "ls /var/lib/companion-camera"),
        ("companion-buttons", "touch /run/companion/power"),
        ("companion-address", "ls /run/companion"),
        ("companion", "touch /etc/companion/companion.toml"),
        ("companion", "touch /var/lib/companion-camera/x"),
        ("nobody", "ls /run/companion"),
        ("nobody", "ls /var/lib/companion-camera"),
    ],
)
def test_nobody_reaches_what_is_anothers(machine: Machine, user: str, doing: str) -> None:
    """Other services can read neither the journal's sealed bids nor the shelf, and only the table may switch off."""
    assert "Permission denied" in machine.sh(doing, user=user, code=None)


@pytest.mark.parametrize(
    ("user", "doing"),
    [
        ("companion", "cat /run/companion/shelf/a.jpg"),
        ("companion", "ls /var/lib/companion-camera"),
        ("companion", "touch /run/companion/shelf/upload && rm /run/companion/shelf/upload"),
        ("companion-camera", "touch /var/lib/companion-camera/x && rm /var/lib/companion-camera/x"),
        ("companion-camera", "cat /etc/companion/companion.toml"),
        ("companion-buttons", "cat /etc/companion/companion.toml"),
    ],
)
def test_everybody_reaches_what_is_theirs(machine: Machine, user: str, doing: str) -> None:
    """Each service can use its own files, and the table can read the camera's picture."""
    put = "from companion.devices.frames import replace_file; from pathlib import Path; "
    put += "replace_file(Path('/run/companion/shelf/a.jpg'), b'x')"
    machine.sh(f'umask 0027; {PYTHON} -c "{put}"', user="companion-camera")
    assert machine.sh("stat -c '%a %G' /run/companion/shelf/a.jpg") == "640 companion-pictures"
    machine.sh(doing, user=user)


@pytest.mark.parametrize("unit", SERVICES)
def test_the_system_is_not_theirs_to_write(machine: Machine, unit: str) -> None:
    """Inside a service's view, even root can write no system file and see no home folder."""
    inside = f"nsenter --target {pid(machine, unit)} --mount --"
    for path in ("/etc/x", "/opt/companion/x", "/usr/x", "/boot/x", "/var/lib/x"):
        assert "Read-only file system" in machine.sh(f"{inside} touch {path}", code=None)
    assert machine.sh(f"{inside} ls /root /home", code=None) in ("/home:\n\n/root:", "")  # both views are empty
    assert machine.sh(f"grep -E '^(CapEff|NoNewPrivs|Seccomp):' /proc/{pid(machine, unit)}/status").split() == [
        *("CapEff:", "0000000000000000", "NoNewPrivs:", "1", "Seccomp:", "2")
    ]


# --- the address and the command ------------------------------------------------------------------


def test_the_console_shows_where_the_table_is(machine: Machine) -> None:
    """The console shows address and code before anybody logs in, and again when the network changes."""
    assert machine.active("companion-address")
    issue = "cat /run/issue.d/50-companion.issue"
    machine.until(lambda: f"http://{ADDRESS}:8080/" in machine.sh(issue), "the console shows the address")
    assert "█" in machine.sh(issue)
    machine.sh(f"ip address delete {ADDRESS}/24 dev net0")
    machine.until(lambda: "is not on a network" in machine.sh(issue), "the console says that there is no network")
    machine.sh(f"ip address add {ADDRESS}/24 dev net0")
    machine.until(lambda: f"http://{ADDRESS}:8080/" in machine.sh(issue), "the console shows the address again")


def test_at_a_club_the_console_shows_a_name_only_while_it_is_ours(machine: Machine) -> None:
    """If another table owns companion.local, ours uses its suffix until the name is free."""
    machine.sh("systemctl stop companion-address avahi-daemon")
    suffix = machine.sh("companion address --suffix")
    with booted(f"bookworm-{debian()}-ready") as other:
        other.sh("ip link delete net0")
        wire = ("nsenter", "--target", str(machine.leader), "--net", "ip", "link", "set", "net1", "netns")
        subprocess.run((*wire, str(other.leader)), check=True)
        other.sh("ip link set net1 up; ip address add 10.11.12.2/24 dev net1")
        other.sh("systemctl restart avahi-daemon")
        other.sh("systemd-run -q --unit=theirs avahi-publish --address --no-reverse companion.local 10.11.12.2")
        resolve = "avahi-resolve -4 -n companion.local"
        other.until(lambda: "10.11.12.2" in other.sh(resolve, code=None), "the other has the name")
        machine.sh("systemctl start avahi-daemon companion-address")
        issue = "cat /run/issue.d/50-companion.issue"
        machine.until(lambda: f"http://companion-{suffix}.local:8080/" in machine.sh(issue), "the name with a suffix")
        assert machine.sh(resolve).split()[-1] == "10.11.12.2"
        page = f"{PYTHON} -c 'import urllib.request; urllib.request.urlopen(\"http://companion-{suffix}.local:8080/\")'"
        machine.sh(f"echo {ADDRESS} companion-{suffix}.local >>/etc/hosts; {page}")
        other.sh("systemctl stop theirs")
        machine.until(lambda: "http://companion.local:8080/" in machine.sh(issue), "the name is free, and ours")
    machine.until(lambda: "net0" not in machine.sh("ip link"), "the wire has gone with the other machine")
    machine.sh("ip link add net0 type veth peer name net1; ip link set net0 up; ip link set net1 up")
    machine.sh(f"ip address add {ADDRESS}/24 dev net0")


def test_the_command_takes_the_user_to_whom_things_belong(machine: Machine) -> None:
    """The command run by root writes data as their owner, and without rights it names the command to type."""
    machine.run("/usr/local/bin/companion", "backup", "--open", code=None)
    machine.run("/usr/local/bin/companion", "doctor", code=None)
    assert machine.sh("find /var/lib/companion /run/companion -user root") == ""
    said = machine.sh("/usr/local/bin/companion backup", user="nobody", code=None)
    assert said == "This needs the services' own rights: sudo companion backup"
    assert "take-a-train" in machine.sh("/usr/local/bin/companion --help; echo take-a-train", user="nobody")


# --- the end --------------------------------------------------------------------------------------


def test_after_a_new_start_of_the_machine_everything_is_there_by_itself(machine: Machine) -> None:
    """After a restart requested by the table, folders, services and the console's address return by themselves."""
    place = "/run/companion/power"
    machine.sh(f"runuser -u companion -- bash -c 'echo restart >{place}.x; mv {place}.x {place}'")
    machine.until_started_again()
    machine.until(lambda: whole(machine), "all three services")
    assert machine.sh("stat -c '%a %U %G' /run/companion/shelf") == "2770 companion-camera companion-pictures"
    issue = "cat /run/issue.d/50-companion.issue"
    machine.until(lambda: f"http://{ADDRESS}:8080/" in machine.sh(issue, code=None), "the address on the console")


def test_only_the_tables_word_switches_the_machine_off(machine: Machine) -> None:
    """A link, another user's request and an unknown word are removed without effect, and `off` switches off."""
    place = "/run/companion/power"
    for doing in (
        f"echo off >/run/companion/word; chown companion /run/companion/word; ln -s word {place}",
        f"mkfifo {place}",
        f"echo off >{place}",  # owned by root
        f"runuser -u companion -- bash -c 'echo explode >{place}.x; mv {place}.x {place}'",
    ):
        machine.sh(doing)
        machine.until(lambda: machine.sh(f"ls {place}", code=None).startswith("ls: cannot access"), "it is taken away")
        machine.until(lambda: machine.show("companion-power", "ActiveState") in ("failed", "inactive"), "it is judged")
        assert machine.show("companion-power", "Result") == "exit-code"
        machine.sh("systemctl reset-failed companion-power; systemctl restart companion-power.path")
    machine.sh(f"rm /run/companion/word; runuser -u companion -- bash -c 'echo off >{place}.x; mv {place}.x {place}'")
    machine.until_off()
