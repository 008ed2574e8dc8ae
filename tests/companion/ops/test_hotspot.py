"""The machine's own Wi-Fi as table and screen read it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands import address
from companion.ops import avahi, hotspot
from companion.ops.hotspot import Hotspot, read_hotspot
from companion.ops.network_address import Interface

NAME, PASSWORD = "Companion; k7q2", "abcdefghjkmn"


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the path of the hotspot's file on a machine with one address."""
    monkeypatch.setenv(hotspot.ENVIRONMENT, str(tmp_path / "wifi"))
    monkeypatch.setattr(hotspot, "read_interfaces", lambda: [Interface("wlan0", "10.42.0.1")])
    monkeypatch.setattr(address, "own_address", lambda: "10.42.0.1")
    monkeypatch.setattr(avahi, "name_to_show", lambda: "")
    return tmp_path / "wifi"


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("ssid={}\npsk={}\naddress=10.42.0.1\n", True),
        ("ssid={}\npsk={}\naddress=\n", True),  # the hotspot is being switched on
        ("ssid={}\npsk={}\naddress=10.42.9.9\n", False),  # the file is a leftover
        ("ssid={}\n", False),
        ("", False),
    ],
)
def test_it_is_there_while_the_machine_is_in_it(told: Path, text: str, there: bool) -> None:
    """A hotspot is reported only if its file is complete and the machine has its address."""
    assert read_hotspot() is None
    told.write_text(text.format(NAME, PASSWORD))
    found = read_hotspot()
    assert (found is not None and (found.name, found.password) == (NAME, PASSWORD)) is there


def test_its_code_says_what_phones_understand() -> None:
    """Special characters in the Wi-Fi code are escaped."""
    assert Hotspot(NAME, PASSWORD).code() == r"WIFI:T:WPA;S:Companion\; k7q2;P:abcdefghjkmn;;"


def test_the_screen_shows_both_codes_beside_each_other(told: Path) -> None:
    """The console shows both codes within 80 columns and 25 lines, or only the Wi-Fi code during the start."""
    runner = CliRunner()
    assert "Password" not in runner.invoke(address.command, ["--console"]).output
    told.write_text(f"ssid=Companion k7q2\npsk={PASSWORD}\naddress=10.42.0.1\n")
    lines = runner.invoke(address.command, ["--console"]).output.splitlines()
    assert {"Wi-Fi:     Companion k7q2", f"Password:  {PASSWORD}"} <= set(lines)
    assert max(map(len, lines)) < 80 and len(lines) < 24
    assert max(line.count("▄▄▄▄▄ █") for line in lines) == 4, "two corners of each code"
    assert "10.42.0.1" in lines[0] and runner.invoke(address.command, ["--number"]).output == "10.42.0.1\n"
    told.write_text(f"ssid=Companion k7q2\npsk={PASSWORD}\naddress=\n")
    said = runner.invoke(address.command, ["--console"]).output
    assert PASSWORD in said and "http" not in said


def test_asked_for_it_alone_it_says_nothing_where_there_is_none(told: Path) -> None:
    """`--hotspot` prints nothing without a hotspot."""
    assert CliRunner().invoke(address.command, ["--hotspot"]).output == ""
    told.write_text(f"ssid=Companion k7q2\npsk={PASSWORD}\naddress=10.42.0.1\n")
    said = CliRunner().invoke(address.command, ["--hotspot"]).output
    assert PASSWORD in said and "http" not in said
