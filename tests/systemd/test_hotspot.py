"""The hotspot's script. No radio is switched on: a recorder stands in for NetworkManager's nmcli.

Only what is asked of it is tested. Whether a Wi-Fi then appears needs a real machine with one.
"""

from __future__ import annotations

import configparser
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HOTSPOT = Path(__file__).parents[2] / "systemd" / "hotspot"
RECORDER = """#!/bin/bash
echo "$*" >>"$RECORD"
case "$*" in
  *DEVICE,TYPE*) printf '%s' "$DEVICES" ;;
  *DEVICE,CONNECTION*) echo "wlan0:Home" ;;
  *"connection show --active"*) cat "$RECORD.active" 2>/dev/null ;;
  *"connection up"*) [ -z "$FAILS" ] || { echo "Error: $FAILS"; exit 4; }; echo companion-hotspot >"$RECORD.active" ;;
  *"connection down"*) rm "$RECORD.active" ;;
esac
exit 0
"""


class Bench:
    """The script among recorders."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.record = folder, folder / "record"
        self.connections = folder / "connections"
        self.connections.mkdir()
        tools = folder / "tools"
        tools.mkdir()
        for name, text in (
            ("nmcli", RECORDER),
            ("dnsmasq", "#!/bin/sh\n"),
            ("nm-online", "#!/bin/sh\nexit $OFFLINE\n"),
        ):
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "RECORD": str(self.record),
            "COMPANION_CONNECTIONS": str(self.connections),
            "COMPANION_PYTHON": sys.executable,
            "DEVICES": "eth0:ethernet\nwlan0:wifi\n",
            "FAILS": "",
            "OFFLINE": "1",
        }

    def run(self, *words: str, **environment: str) -> tuple[int, str, str]:
        """Run the script; return its exit code and what it said."""
        done = subprocess.run(
            (str(HOTSPOT), *words), env={**self.environment, **environment}, capture_output=True, text=True, timeout=30
        )
        return done.returncode, done.stdout, done.stderr

    @property
    def asked(self) -> str:
        """All that nmcli was asked."""
        return self.record.read_text()

    def connection(self) -> configparser.ConfigParser:
        """Return the connection that was written for NetworkManager."""
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(self.connections / "companion-hotspot.nmconnection")
        return parser


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Give the script among recorders."""
    return Bench(tmp_path)


def test_on_writes_a_network_of_its_own_and_shows_how_to_join(bench: Bench) -> None:
    """Name, password and two codes: one for the Wi-Fi, one for the page."""
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
    assert "Companion" in said and password in said and said.count("█████") > 2
    assert "leaves the Wi-Fi Home" in said
    assert f"connection load {bench.connections}/companion-hotspot.nmconnection" in bench.asked
    assert "connection up companion-hotspot ifname wlan0" in bench.asked


def test_the_password_is_in_a_file_of_roots_and_on_no_command_line(bench: Bench) -> None:
    """Everybody on a machine sees the words of every command."""
    bench.run("on")
    assert bench.connection()["wifi-security"]["psk"] not in bench.asked
    assert (bench.connections / "companion-hotspot.nmconnection").stat().st_mode & 0o777 == 0o600
    assert [each.name for each in bench.connections.iterdir()] == ["companion-hotspot.nmconnection"]


def test_the_password_stays_so_that_tablets_join_again(bench: Bench) -> None:
    """What was joined once is joined by itself the next time."""
    bench.run("on")
    password = bench.connection()["wifi-security"]["psk"]
    assert bench.run("off")[0] == 0
    bench.run("on")
    assert bench.connection()["wifi-security"]["psk"] == password


def test_status_and_off(bench: Bench) -> None:
    """Off is said to be off, and is no mistake."""
    assert bench.run("status")[1] == "The hotspot is off.\n"
    assert bench.run("off")[:2] == (0, "The hotspot is off.\n")
    bench.run("on")
    assert bench.run("status")[1].startswith("The hotspot is on.\nWi-Fi:")
    assert "joins a Wi-Fi that it knows" in bench.run("off")[1]


def test_it_comes_by_itself_only_where_there_is_no_network(bench: Bench) -> None:
    """After the machine has started, and not before a known network had its time."""
    assert bench.run("if-needed", OFFLINE="0")[1] == "There is a network: no hotspot is needed.\n"
    assert "connection up" not in bench.asked
    assert bench.run("if-needed")[1] == "No network was found: the hotspot is on.\n"
    assert "connection up" in bench.asked


def test_what_is_wrong_is_one_sentence(bench: Bench) -> None:
    """No Wi-Fi in the machine, one that does not start, a word that is none."""
    code, said, error = bench.run("on", DEVICES="eth0:ethernet\n")
    assert (code, said) == (1, "") and error.count("\n") == 1 and "no Wi-Fi in this machine" in error
    code, _, error = bench.run("on", FAILS="Connection activation failed: rfkill")
    assert code == 1 and error.count("\n") == 1 and "WLAN Country" in error and "rfkill" in error
    assert bench.run("up")[2] == "Usage: companion hotspot on | off | status\n"
