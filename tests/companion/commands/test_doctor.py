"""`companion doctor` on the command line: output, languages, JSON, exit codes, and a table that is running."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from companion import cli, config
from companion.commands import doctor as command
from companion.findings import Finding, bad, look, well
from companion.ops.doctor import machine
from companion.ops.doctor.services import ServicesReading
from hardware.doctor import readings
from vision.commands import doctor as checking


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the doctor skip its waits, running processes and cameras, which have their own tests."""
    monkeypatch.setattr(readings, "WATCH_S", 0.0)
    monkeypatch.setattr(readings, "find_processes", lambda proc, name: iter(()))
    monkeypatch.setattr(checking, "examine", lambda folder: [well("camera.camera", "none")])
    monkeypatch.setenv("LC_ALL", "C")

    def examine(
        folder: Path, running: ServicesReading, page: str = "", salvage: tuple[str, ...] = ()
    ) -> tuple[Finding, ...]:
        return (well("disk.folder", folder=str(folder)), well("memory.free", free_mb=300, total_mb=900))

    monkeypatch.setattr(machine, "examine", examine)


def run(folder: Path, *words: str) -> Result:
    """Run the doctor with a data folder."""
    return CliRunner().invoke(cli.main, ["doctor", *words, "--data", str(folder)])


def test_the_doctor_is_listed_beside_the_others() -> None:
    """The help of the main command lists the doctor."""
    assert "\n  doctor " in CliRunner().invoke(cli.main, ["--help"]).output


def test_everything_is_well(tmp_path: Path) -> None:
    """If all is well, machine, pins and camera each have a line and the exit code is 0."""
    result = run(tmp_path, "--pins", "simulated")
    assert result.exit_code == 0, result.output
    assert "✓ Pins: simulated, as requested" in result.stdout
    assert result.stdout.count("✓ GPIO ") == 14
    assert f"✓ Data folder {tmp_path}: writable" in result.stdout
    assert "✓ Camera: none connected: the game goes on by touch" in result.stdout
    assert result.stdout.endswith("All is well.\n")


def test_french_is_spoken_where_the_system_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor prints in the language of the system, or in the language given with `--lang`."""
    monkeypatch.setenv("LC_ALL", "fr_BE.UTF-8")
    assert run(tmp_path, "--pins", "simulated").stdout.endswith("Tout va bien.\n")
    assert run(tmp_path, "--pins", "simulated", "--lang", "en").stdout.endswith("All is well.\n")


def test_a_line_that_needs_a_look_makes_the_exit_code_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding is printed with its remedy, the last line counts the findings, and the exit code is 1."""
    monkeypatch.setattr(checking, "examine", lambda folder: [look("camera.focus", "free"), bad("camera.light", "dark")])
    result = run(tmp_path, "--pins", "simulated")
    assert result.exit_code == 1
    assert "\n! Focus and exposure: not locked yet. Lay the table, then tap" in result.stdout
    assert "\n✗ Light: too dark: the cards are hard to read. Switch on a lamp above the table.\n" in result.stdout
    assert re.search(r"\n2 of \d+ checks need attention\.\n$", result.stdout)


def test_json_is_one_list_for_programs(tmp_path: Path) -> None:
    """The JSON has a key, a state and a grade beside the words of each check, and nothing else is printed."""
    found = msgspec.json.decode(run(tmp_path, "--pins", "simulated", "--json").stdout)
    assert {each["key"] for each in found} >= {"disk.folder", "buttons.pin", "camera.camera"}
    assert set(found[0]) == {"key", "state", "grade", "fields", "what", "how", "advice"}


def test_buttons_that_were_never_felt_are_named(tmp_path: Path) -> None:
    """Buttons that nobody presses are listed as never detected, and the exit code is 1."""
    result = run(tmp_path, "--pins", "simulated", "--press", "--patience", "0.1")
    assert result.exit_code == 1
    assert result.stdout.count(": never detected.") == 7
    assert re.search(r"\n7 of \d+ checks need attention\.\n$", result.stdout)


def test_bad_settings_are_a_line_like_any_other(tmp_path: Path) -> None:
    """Wrong settings are one finding among others: the doctor examines everything else without a traceback."""
    config.path_in(tmp_path).write_text("[wiring]\nseats = [{ button = 17 }, { button = 17 }]\n", encoding="utf-8")
    result = run(tmp_path, "--pins", "simulated")
    assert result.exit_code == 1 and "Traceback" not in result.output
    assert f"✗ {config.path_in(tmp_path)}, line 2, [wiring]: GPIO 17 is used twice" in result.stdout
    assert result.stdout.count("GPIO 17 is used twice") == 1 and "No pins and no wireless" in result.stdout
    assert "✓ Camera: " in result.stdout


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")
def test_real_pins_where_there_are_none_are_a_line(tmp_path: Path) -> None:
    """A driver that finds no pins is reported among the other findings."""
    result = run(tmp_path, "--pins", "lgpio")
    assert result.exit_code == 1
    assert "✗ Pins: cannot be reached: lgpio" in result.stdout and "✓ Data folder" in result.stdout


def test_a_table_that_runs_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a table is running, the doctor asks it for its findings and opens neither pins nor camera."""

    def never(*_: object) -> list[Finding]:
        raise AssertionError

    monkeypatch.setattr(command, "reachable", lambda bus: "")
    monkeypatch.setattr(command, "ask_table", lambda bus: [well("services.buttons", since="20:00")])
    monkeypatch.setattr(checking, "examine", never)
    monkeypatch.setattr(readings, "read_pins", never)
    assert run(tmp_path).stdout == "✓ Button service: running since 20:00\nAll is well.\n"


def test_a_table_that_does_not_answer_is_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a running table does not answer, the doctor reports that and examines the machine itself."""
    monkeypatch.setattr(command, "reachable", lambda bus: "")
    monkeypatch.setattr(command, "ask_table", lambda bus: None)
    result = run(tmp_path)
    assert result.exit_code == 1 and "but not answering" in result.stdout and "✓ Data folder" in result.stdout
