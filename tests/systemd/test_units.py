"""The unit files in the source: well formed, restrictive, consistent with the program. Needs no running systemd."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion import config
from companion.devices.bus import find_address

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = SYSTEMD / "units"
SERVICES = sorted(UNITS.glob("*.service"))
LOOPS = tuple(UNITS / f"companion-{name}.service" for name in ("table", "buttons", "camera", "hall"))
MOST = 2.0
"""The highest allowed exposure of a service, of 10, by `systemd-analyze security`."""
INSTALLING = ("companion-update", "companion-recover")
"""Services that run dpkg as root everywhere: they replace the shared restrictions."""
analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd-analyze")


def settings(unit: Path) -> dict[str, list[str]]:
    """Return a unit's settings with the shared ones, each with all its values."""
    found: dict[str, list[str]] = {}
    for path in (unit, UNITS / "companion-.service.d" / "restrictions.conf"):
        for line in path.read_text().splitlines():
            name, equals, value = line.partition("=")
            if equals and not line.startswith("#"):
                found.setdefault(name, []).append(value)
    return found


@analyze
def test_systemd_finds_nothing_to_say(tmp_path: Path) -> None:
    """`systemd-analyze verify` prints nothing (programs are looked up in a root that has them)."""
    places = tmp_path / "units"
    shutil.copytree(UNITS, places)
    for unit in places.glob("*.service"):
        unit.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", unit.read_text()))
    names = [path.name for path in sorted(places.iterdir()) if path.is_file()]
    # As at a start, all in one: of units that wait for each other in a circle systemd leaves one out, any of them.
    (places / "start.target").write_text(f"[Unit]\nWants=basic.target {' '.join(names)}\n")
    names = [str(places / name) for name in ("start.target", *names)]
    done = subprocess.run(("systemd-analyze", "verify", *names), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


@analyze
def test_every_service_is_closed(capsys: pytest.CaptureFixture[str]) -> None:
    """A service can do only what it needs: the score is printed, and stays low."""
    scores = {}
    for unit in SERVICES:
        command = ("systemd-analyze", "security", "--offline=true", "--no-pager", str(unit))
        said = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
        scores[unit.stem] = float(re.findall(r"level for .*: ([0-9.]+)", said)[0])
    with capsys.disabled():
        print("\nexposure of 10:", ", ".join(f"{name} {score}" for name, score in scores.items()))
    assert max(score for name, score in scores.items() if name not in INSTALLING) <= MOST, scores
    assert all((UNITS / f"{name}.service.d" / "restrictions.conf").exists() for name in INSTALLING)


@pytest.mark.parametrize("unit", LOOPS, ids=lambda unit: unit.stem)
def test_it_never_gives_up_and_is_watched(unit: Path) -> None:
    """A service that ends, hangs or keeps failing is always restarted."""
    found = settings(unit)
    assert found["Restart"] == ["always"] and found["StartLimitIntervalSec"] == ["0"]
    assert found["Type"] == ["notify"] and 5 <= int(found["WatchdogSec"][0]) <= 30
    assert found["LimitCORE"] == ["0"] and found["UMask"] == ["0027"]


def test_updates_are_heard_however_often_a_file_was_wrong() -> None:
    """systemd gives up a service that starts often, and its path; a request is taken away in any case."""
    found = settings(UNITS / "companion-update.service")
    assert found["StartLimitIntervalSec"] == ["0"] and found["ExecStopPost"] == ["-/bin/rm -rf /run/companion/update"]


def test_each_service_is_a_user_of_its_own() -> None:
    """And sysusers makes every user and group that a unit names."""
    made = (SYSTEMD / "files" / "sysusers.conf").read_text().splitlines()
    users = {line.split()[1] for line in made if line.startswith("u ")}
    groups = {line.split()[1] for line in made if line.startswith(("g ", "u "))}
    named = [settings(unit)["User"][0] for unit in SERVICES if "User" in settings(unit)]
    assert len(set(named)) == len(named) == 5 and set(named) == users
    for unit in SERVICES:
        found = settings(unit)
        assert set(" ".join(found.get("Group", []) + found.get("SupplementaryGroups", [])).split()) <= groups


def test_what_older_systemds_do_not_know_lies_apart() -> None:
    """Bookworm's systemd 252 would complain of them at every start."""
    later = ("RestartSteps", "RestartMaxDelaySec")
    assert not any(name in settings(unit) for unit in SERVICES for name in later)
    assert all(name in (SYSTEMD / "later" / "backoff.conf").read_text() for name in later)


def test_the_folders_are_the_same_everywhere() -> None:
    """Units, tmpfiles and the command say the same places."""
    table, camera, buttons = (settings(LOOPS[n]) for n in (0, 2, 1))
    said = {name: dict(pair.split("=", 1) for line in found["Environment"] for pair in line.split())
            for name, found in (("table", table), ("camera", camera), ("buttons", buttons))}  # fmt: skip
    wrapper = (SYSTEMD / "companion").read_text()
    folders = {
        line.split()[1] for line in (SYSTEMD / "files" / "tmpfiles.conf").read_text().splitlines() if "/" in line
    }
    assert {
        said["table"]["COMPANION_DATA"],
        said["camera"]["COMPANION_DATA"],
        said["table"]["COMPANION_SHELF"],
    } <= folders
    for name in ("COMPANION_CONFIG", "COMPANION_SOCKET"):
        assert len({each[name] for each in said.values()}) == 1
        assert f"export {name}={said['table'][name]}" in wrapper
    assert said["table"]["COMPANION_SHELF"] == said["camera"]["COMPANION_SHELF"]


def test_the_shipped_settings_say_how_it_is_anyway(tmp_path: Path) -> None:
    """Every line is a remark; with the # taken away they are the settings of a companion without any."""
    vision = pytest.importorskip("vision.settings", reason="OpenCV is not installed")
    text = (SYSTEMD / "files" / "companion.toml").read_text()
    assert tomllib.loads(text) == {}
    bare = re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.M)
    (tmp_path / "companion.toml").write_text(bare)
    found = config.read(tmp_path)
    assert set(found.tables["camera"]) == set(config.TABLES["camera"]), (
        "a key is missing here, or is not known any more"
    )
    assert vision.settings(tmp_path) == vision.CameraSettings()


def test_avahis_file_names_the_port_of_the_pages() -> None:
    """A search for web pages in the network finds the table."""
    from web.commands import PORT

    assert f"<port>{PORT}</port>" in (SYSTEMD / "files" / "avahi.xml").read_text()


def test_units_are_read_as_they_were_meant() -> None:
    """No setting is outside a section, and no section is unknown."""
    for unit in sorted(path for path in UNITS.rglob("*") if path.is_file()):
        parser = configparser.ConfigParser(strict=False, interpolation=None, comment_prefixes=("#",))
        parser.read_string(unit.read_text())
        assert set(parser.sections()) <= {"Unit", "Service", "Path", "Install"}, unit


def test_the_settings_may_name_another_bus_than_the_systems_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A maker who moves the camera to another machine changes one file, and no unit."""
    monkeypatch.delenv("COMPANION_BUS", raising=False)
    monkeypatch.setenv("COMPANION_SOCKET", "/run/companion/bus")
    assert str(find_address(tmp_path)) == "unix:/run/companion/bus"
    (tmp_path / "companion.toml").write_text('[bus]\nurl = "mqtt://192.168.1.20"\n')
    assert str(find_address(tmp_path)) == "mqtt://192.168.1.20:1883/companion"
