"""Tests of the hotspot's script with a recorder in place of NetworkManager's nmcli, so that no radio is switched on.

They check only its requests; whether a Wi-Fi then appears needs a real machine with a radio. Waiting takes no time: the
recorder of `sleep` runs the intermediate events.
"""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systemd.environments import environment_of

HOTSPOT = Path(__file__).parents[2] / "systemd" / "hotspot"
RECORDER = """#!/bin/bash
echo "$*" >>"$RECORD"
case "$*" in
  *DEVICE,TYPE*) printf '%s' "$DEVICES" ;;
  *DEVICE,CONNECTION*) echo "wlan0:Home" ;;
  *"connection show --active"*) cat "$RECORD.active" 2>/dev/null ;;
  *TYPE,AUTOCONNECT*) printf "$KNOWN" ;;
  *"connection up"*)
    cat "$COMPANION_HOTSPOT" "$COMPANION_CONSOLE" >>"$RECORD.known" 2>/dev/null
    [ ! -e "$RECORD.fails" ] || exit 4
    if [ -n "$OLDER" ] && grep -qx pmf=2 "$COMPANION_CONNECTIONS/companion-hotspot.nmconnection"; then exit 4; fi
    [ -z "$FAILS" ] || { echo "Error: $FAILS"; exit 4; }
    echo companion-hotspot >"$RECORD.active" ;;
  *"connection down"*) rm "$RECORD.active" ;;
esac
exit 0
"""
ONLINE = """#!/bin/bash
[ -n "$OFFLINE" ] && exit $OFFLINE
[ ! -e "$RECORD.active" ] && [ -e "$RECORD.router" ]
"""
PYTHON = """#!/bin/bash
case "$*" in
  "-m companion address --suffix") echo "$SUFFIX" ;;
  "-m companion address --number") echo "$NUMBER" ;;
  *) exec "$REAL" "$@" ;;
esac
"""
SLEEP = """#!/bin/bash
echo x >>"$RECORD.sleeps"
n=$(wc -l <"$RECORD.sleeps")
[ "$n" -lt 2000 ] || kill $PPID
eval "$MEANWHILE"
"""
"""Runs an action while the script waits for the n-th time; each wait is ten seconds."""
HALF_AN_HOUR = {
    "OFFLINE": "",
    "COMPANION_HOTSPOT_PACE": "60",
    "MEANWHILE": 'touch "$RECORD.router"; [ "$n" -lt 30 ] || rm -f "$RECORD.active"',
}
"""Settings under which the hotspot is on for half an hour unless it gives way to the router, which is available."""
STATIONS = """#!/bin/bash
[ -e "$RECORD.stations" ] || exit 1
cat "$RECORD.stations"
"""


class Bench:
    """The script with recorders."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, folder / "record"
        self.connections = folder / "connections"
        self.connections.mkdir()
        tools = folder / "tools"
        self.told, self.console = folder / "run" / "wifi", folder / "console"
        for each in (tools, self.told.parent):
            each.mkdir()
        self.console.touch()
        for name, text in (
            ("nmcli", RECORDER),
            ("ip", "#!/bin/sh\necho '3: wlan0    inet 127.0.0.1/24 brd 10.42.0.255 scope global wlan0'\n"),
            ("dnsmasq", "#!/bin/sh\n"),
            ("nm-online", ONLINE),
            ("sleep", SLEEP),
            ("iw", STATIONS),
            ("systemctl", '#!/bin/sh\necho "systemctl $*" >>"$RECORD"\n'),
            ("sync", '#!/bin/sh\necho "sync $*" >>"$RECORD"\n'),
        ):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        python = environment_of(folder / "program", f"python3.{sys.version_info.minor}", PYTHON)
        self.stations("")
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "RECORD": str(self.record),
            "COMPANION_CONNECTIONS": str(self.connections),
            "COMPANION_PYTHON": str(python),
            "COMPANION_LEASES": str(folder),
            "COMPANION_HOTSPOT": str(self.told),
            "COMPANION_CONSOLE": str(self.console),
            "OLDER": "",
            "REAL": sys.executable,
            "DEVICES": "eth0:ethernet\nwlan0:wifi\n",
            "KNOWN": "802-3-ethernet:yes\n802-11-wireless:yes\n802-11-wireless:no\n",
            "FAILS": "",
            "OFFLINE": "1",
            "SUFFIX": "k7q2",
            "NUMBER": "192.168.1.20",
            "MEANWHILE": "",
        }

    def stations(self, listed: str) -> None:
        """Let `iw` list these devices as connected to the hotspot."""
        Path(f"{self.record}.stations").write_text(listed)

    def turns(self) -> list[str]:
        """Return the order in which the hotspot was switched on and off."""
        return re.findall("connection (up|down)", self.asked)

    def looks(self) -> int:
        """Return the number of the script's waits."""
        return Path(f"{self.record}.sleeps").read_text().count("x")

    def run(self, *words: str, **environment: str) -> tuple[int, str, str]:
        """Run the script, and return its exit code and output."""
        done = subprocess.run(
            (str(HOTSPOT), *words), env={**self.environment, **environment}, capture_output=True, text=True, timeout=180
        )
        return done.returncode, done.stdout, done.stderr

    @property
    def asked(self) -> str:
        """Return all calls of nmcli."""
        return self.record.read_text()

    def connection(self) -> configparser.ConfigParser:
        """Return the connection written for NetworkManager."""
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(self.connections / "companion-hotspot.nmconnection")
        return parser


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Yield the script with recorders."""
    return Bench(tmp_path)


def test_on_writes_a_network_of_its_own_and_shows_how_to_join(bench: Bench) -> None:
    """`on` creates a network with its own name and password, and shows a code for the Wi-Fi and one for the page."""
    code, said, error = bench.run("on")
    assert (code, error) == (0, "")
    kept = bench.connection()
    assert (kept["wifi"]["mode"], kept["ipv4"]["method"], kept["connection"]["autoconnect"]) == (
        "ap",
        "shared",
        "false",
    )
    password = kept["wifi-security"]["psk"]
    assert re.fullmatch("[a-hjkmnp-z2-9]{12}", password)
    assert "Companion k7q2" in said and password in said and said.count("█████") > 2
    assert "leaves the Wi-Fi Home" in said
    assert f"connection load {bench.connections}/companion-hotspot.nmconnection" in bench.asked
    assert "connection up companion-hotspot ifname wlan0" in bench.asked


def test_how_to_join_is_shown_before_the_wifi_is_left(bench: Bench) -> None:
    """The access data appear, on the screen too, before the Wi-Fi changes, because remote sessions end then."""
    _, said, _ = bench.run("on")
    password = bench.connection()["wifi-security"]["psk"]
    known = Path(f"{bench.record}.known").read_text()
    assert f"psk={password}" in known and f"Password:  {password}" in known and known.count("█████") > 2
    assert said.index("leaves the Wi-Fi Home") < said.index(password) < said.index("live table")
    assert bench.console.read_text().count(password) == 1
    assert bench.told.read_text() == f"ssid=Companion k7q2\npsk={password}\naddress=127.0.0.1\n"
    bench.run("off")
    assert not bench.told.exists()


def test_a_hotspot_that_comes_by_itself_is_told_to_the_screen(bench: Bench) -> None:
    """A hotspot started at boot is announced in a file for the screen's service and the pages while it is on."""
    bench.run("if-needed")
    assert "address=127.0.0.1" in bench.told.read_text() and bench.console.read_text() == ""
    gone = (
        'touch "$RECORD.router"; [ -e "$COMPANION_HOTSPOT" ] && [ ! -e "$RECORD.active" ] && touch "$RECORD.stale"; :'
    )
    bench.run("watch", OFFLINE="", MEANWHILE=gone)
    assert not bench.told.exists() and not Path(f"{bench.record}.stale").exists()


def test_a_hotspot_that_does_not_start_is_not_told(bench: Bench) -> None:
    """A hotspot that fails to start is not announced."""
    assert bench.run("on", FAILS="no radio")[0] == 1
    assert not bench.told.exists()


def test_an_older_chip_makes_a_hotspot_without_protected_frames(bench: Bench) -> None:
    """Protected frames are optional on a chip that offers them and disabled on an older one."""
    bench.run("on")
    assert bench.connection()["wifi-security"]["pmf"] == "2"
    bench.run("off")
    code, _, error = bench.run("on", OLDER="yes")
    assert (code, error) == (0, "") and bench.connection()["wifi-security"]["pmf"] == "1"
    assert (bench.connections / "companion-hotspot.nmconnection").stat().st_mode & 0o777 == 0o600
    assert "psk" in bench.connection()["wifi-security"]


def test_a_hotspot_that_fails_for_another_reason_keeps_its_protection(bench: Bench) -> None:
    """If the hotspot fails for another reason, such as a missing country, protected frames stay optional."""
    bench.run("on", FAILS="no country")
    assert bench.connection()["wifi-security"]["pmf"] == "2"


def test_the_password_is_in_a_file_of_roots_and_on_no_command_line(bench: Bench) -> None:
    """The password is in a file that only root can read, because every user sees the command lines."""
    bench.run("on")
    assert bench.connection()["wifi-security"]["psk"] not in bench.asked
    assert (bench.connections / "companion-hotspot.nmconnection").stat().st_mode & 0o777 == 0o600
    assert [each.name for each in bench.connections.iterdir()] == ["companion-hotspot.nmconnection"]


def test_the_password_stays_so_that_tablets_join_again(bench: Bench) -> None:
    """The password stays the same, so that tablets reconnect by themselves."""
    bench.run("on")
    password = bench.connection()["wifi-security"]["psk"]
    assert bench.run("off")[0] == 0
    bench.run("on")
    assert bench.connection()["wifi-security"]["psk"] == password


def test_status_and_off(bench: Bench) -> None:
    """`status` reports that the hotspot is off, and `off` is no error then."""
    assert bench.run("status")[1] == "The hotspot is off.\n"
    assert bench.run("off")[:2] == (0, "The hotspot is off.\n")
    bench.run("on")
    assert bench.run("status")[1].startswith("The hotspot is on.\nWi-Fi:")
    assert "joins a Wi-Fi that it knows" in bench.run("off")[1]


def test_it_comes_by_itself_only_where_there_is_no_network(bench: Bench) -> None:
    """The hotspot starts by itself only if no known network appears some time after the machine's start."""
    assert bench.run("if-needed", OFFLINE="0")[1] == "There is a network: no hotspot is needed.\n"
    assert "connection up" not in bench.asked
    assert bench.run("if-needed")[1] == "No network was found: the hotspot is on.\n"
    assert "connection up" in bench.asked


def test_a_network_of_containers_is_none(bench: Bench) -> None:
    """NetworkManager's networks of containers and cables without a router do not count as networks."""
    for number in ("", "169.254.7.7"):
        said = bench.run("if-needed", OFFLINE="0", NUMBER=number)[1]
        assert said == "No network was found: the hotspot is on.\n" and bench.looks() == 5
        bench.run("off")
        Path(f"{bench.record}.sleeps").unlink()


@pytest.mark.parametrize(("was", "becomes"), [("Companion", "Companion k7q2"), ("Companion abcd", "Companion k7q2"),
                                              ("Companion k7q2", ""), ("The old station", "")])  # fmt: skip
def test_each_machines_hotspot_has_a_name_of_its_own(bench: Bench, was: str, becomes: str) -> None:
    """Only `on` renames a hotspot that has the common name or a copied card's, and the password stays."""
    bench.run("on")
    path = bench.connections / "companion-hotspot.nmconnection"
    path.write_text(path.read_text().replace("Companion k7q2", was))
    password = bench.connection()["wifi-security"]["psk"]
    bench.run("if-needed")
    assert bench.connection()["wifi"]["ssid"] == was
    said = bench.run("on")[1]
    assert bench.connection()["wifi"]["ssid"] == (becomes or was) and ("no longer" in said) is bool(becomes)
    assert bench.connection()["wifi-security"]["psk"] == password and path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in bench.connections.iterdir()] == [path.name]


def test_without_anything_to_tell_machines_apart_it_is_called_companion(bench: Bench) -> None:
    """Without a serial number and a machine-id, the name is "companion" without a trailing space."""
    bench.run("on", SUFFIX="")
    assert bench.connection()["wifi"]["ssid"] == "Companion"


def test_the_settings_are_on_the_disk_before_they_count(bench: Bench) -> None:
    """Settings are flushed to the disk before they replace the old ones, so that a power cut leaves no empty file."""
    bench.run("on")
    assert f"sync {bench.connections}/companion-hotspot.nmconnection.new\n" in bench.asked


# --- giving way -----------------------------------------------------------------------------------


def test_a_router_that_starts_late_is_joined(bench: Bench) -> None:
    """A router that needs minutes after a power cut is joined, because the hotspot gives way repeatedly."""
    code, said, error = bench.run("watch", OFFLINE="", MEANWHILE='[ "$n" -lt 15 ] || touch "$RECORD.router"')
    assert (code, error) == (0, "") and bench.turns() == ["up", "down", "up", "down"]
    assert said.splitlines() == [
        "No network was found: the hotspot is on.",
        "No network has come: the hotspot is on again.",
        "A network has come: the hotspot is off.",
    ]
    assert bench.looks() == 24 and "rescan" in bench.asked


def test_it_gives_way_ever_less_often(bench: Bench) -> None:
    """Without a network, the hotspot gives way ever less often: eight times in 67 minutes."""
    bench.run("watch", COMPANION_HOTSPOT_PACE="60", MEANWHILE='[ "$n" -le 67 ] || rm -f "$RECORD.active"')
    assert bench.turns() == ["up", "down"] * 8 + ["up"]


def test_nobody_is_thrown_out(bench: Bench) -> None:
    """The hotspot gives way only two minutes after the last tablet has left."""
    bench.stations("Station 12:34:56:78:9a:bc (on wlan0)\n")
    leaves = 'touch "$RECORD.router"; [ "$n" -lt 20 ] || : >"$RECORD.stations"'
    bench.run("watch", OFFLINE="", COMPANION_HOTSPOT_PACE="30", MEANWHILE=leaves)
    assert bench.turns() == ["up", "down"] and bench.looks() == 19 + 4


@pytest.mark.parametrize(("lease", "stays"), [("4000000000", True), ("0", True), ("1000000000", False)])
def test_without_iw_whoever_got_an_address_counts(bench: Bench, lease: str, stays: bool) -> None:
    """Without `iw` a device counts until its address expires, and one with a permanent address always counts."""
    Path(f"{bench.record}.stations").unlink()
    leases = bench.folder / "dnsmasq-wlan0.leases"
    leases.write_text(f"duid 00:01\n{lease} 12:34:56:78:9a:bc 10.42.0.17 tablet *\n")
    bench.run("watch", **HALF_AN_HOUR)
    assert bench.turns() == (["up"] if stays else ["up", "down"])


def test_where_nothing_can_tell_somebody_may_be_there(bench: Bench) -> None:
    """Without `iw` and a list of addresses, the hotspot stays on."""
    Path(f"{bench.record}.stations").unlink()
    bench.run("watch", **HALF_AN_HOUR)
    assert bench.turns() == ["up"]


def test_without_a_known_network_it_never_gives_way(bench: Bench) -> None:
    """Without a known network, the hotspot never gives way."""
    bench.run("watch", KNOWN="802-3-ethernet:yes\n802-11-wireless:no\n", **HALF_AN_HOUR)
    assert bench.turns() == ["up"]


def test_a_hotspot_that_does_not_come_back_at_once_is_tried_again(bench: Bench) -> None:
    """If the hotspot fails to return, it is tried again, because the table would be unreachable."""
    bench.run("watch", MEANWHILE='[ "$n" != 12 ] || touch "$RECORD.fails"; [ "$n" != 15 ] || rm "$RECORD.fails"; '
                                 '[ "$n" -lt 20 ] || rm -f "$RECORD.active"')  # fmt: skip
    assert bench.turns() == ["up", "down", *["up", "up"] * 3, "up"], "each time without protected frames, too"


@pytest.mark.parametrize("word", ["on", "off"])
def test_what_is_done_by_hand_is_not_taken_back(bench: Bench, word: str) -> None:
    """The service ends first, so that it cannot undo a switch made by hand."""
    bench.run(word)
    assert bench.asked.index("systemctl stop companion-hotspot.service") < bench.asked.index("connection")


def test_with_its_python_gone_it_says_so_and_can_be_switched_off(bench: Bench) -> None:
    """If a system upgrade has removed its Python, the script reports it and can only be switched off."""
    bench.run("on")
    gone = str(environment_of(bench.folder / "old", "python3.7", PYTHON))
    for word in ("on", "status", "if-needed", "watch"):
        code, said, error = bench.run(word, COMPANION_PYTHON=gone)
        assert (code, said) == (1, "") and error.count("\n") == 1
        assert "python3.7" in error and "sudo systemd/install again" in error
    assert bench.run("off", COMPANION_PYTHON=gone)[0] == 0


def test_what_is_wrong_is_one_sentence(bench: Bench) -> None:
    """A missing Wi-Fi, a failed start and an unknown word cause one sentence each."""
    code, said, error = bench.run("on", DEVICES="eth0:ethernet\n")
    assert (code, said) == (1, "") and error.count("\n") == 1 and "no Wi-Fi in this machine" in error
    code, _, error = bench.run("on", FAILS="Connection activation failed: rfkill")
    assert code == 1 and error.count("\n") == 1 and "WLAN Country" in error and "rfkill" in error
    assert bench.run("up")[2] == "Usage: companion hotspot on | off | status\n"
