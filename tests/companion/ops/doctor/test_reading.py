"""Readings come from files like the kernel's, and from this machine."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.findings import finding_text, sentences
from companion.ops.doctor import clock, disk, machine, network, power, services, versions
from companion.ops.doctor.services import ServicesReading, find_processes


def written(path: Path, text: str) -> None:
    """Write a file and create its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("place", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware", "axi/x/soc:firmware"])
def test_the_firmware_s_word_is_found_where_the_kernel_shows_it(tmp_path: Path, place: str) -> None:
    """The firmware's flags are found at each place where a kernel shows them, with heat and memory."""
    written(tmp_path / "sys/devices/platform" / place / "get_throttled", "50005\n")
    written(tmp_path / "sys/class/thermal/thermal_zone0/temp", "48312\n")
    written(tmp_path / "proc/meminfo", "MemTotal:  3884136 kB\nMemFree: 1 kB\nMemAvailable:  3000000 kB\n")
    written(tmp_path / "model", "Raspberry Pi 5 Model B Rev 1.0\0")
    assert power.read(tmp_path / "sys", tmp_path / "proc") == power.PowerReading(0x50005, 48.3, 3072, 3977)
    assert power.read_model(tmp_path / "model") == "Raspberry Pi 5 Model B Rev 1.0"


@pytest.mark.parametrize(("alarm", "flags"), [("1", 0x1), ("0", 0x0)])
def test_the_voltage_comes_from_the_kernel_s_monitor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alarm: str, flags: int
) -> None:
    """The voltage comes from the kernel's monitor, without opening a file that makes the kernel log errors."""
    monkeypatch.setenv("PATH", "")
    written(tmp_path / "class/hwmon/hwmon0/name", "cpu_thermal\n")
    written(tmp_path / "class/hwmon/hwmon1/name", "rpi_volt\n")
    written(tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm", f"{alarm}\n")
    written(tmp_path / "devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    read: list[str] = []
    real = power._read_text
    monkeypatch.setattr(power, "_read_text", lambda path: read.append(path.name) or real(path))
    assert power.read(tmp_path, tmp_path).bits == flags
    assert "get_throttled" not in read


def test_the_firmware_s_program_tells_what_the_monitor_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The firmware's program adds heat and past faults, and the monitor decides about the present voltage."""
    program = tmp_path / "vcgencmd"
    written(program, "#!/bin/sh\necho throttled=0x50008\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert power.read(tmp_path, tmp_path).bits == 0x50008
    written(tmp_path / "class/hwmon/hwmon1/name", "rpi_volt\n")
    written(tmp_path / "class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert power.read(tmp_path, tmp_path).bits == 0x50009


def test_a_machine_that_tells_nothing_is_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without firmware, thermometer and model name gives an empty reading."""
    monkeypatch.setenv("PATH", "")
    assert power.read(tmp_path, tmp_path) == power.PowerReading()
    assert power.read_model(tmp_path / "model") == ""


def test_a_folder_is_tried_by_writing(tmp_path: Path) -> None:
    """Whether a folder is writable is tested by writing, which leaves no file behind."""
    found = disk.read(tmp_path)
    assert (found.there, found.error, found.read_only) == (True, "", False)
    assert found.total_mb >= found.free_mb > 0
    assert list(tmp_path.iterdir()) == []
    assert disk.read(tmp_path / "new" / "er").there is False
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert disk.why_unwritable(tmp_path / "file") == "Not a directory"


def test_the_journal_and_what_it_left_are_seen(tmp_path: Path) -> None:
    """The reading has the size of the journal with its log, and the files of damaged journals."""
    (tmp_path / "journal.db").write_bytes(bytes(1_400_000))
    (tmp_path / "journal.db-wal").write_bytes(bytes(300_000))
    (tmp_path / "journal.db.damaged-20261121T200000.jsonl").write_bytes(b"{}")
    found = disk.read(tmp_path)
    assert (found.journal_mb, found.aside) == (1.7, ("journal.db.damaged-20261121T200000.jsonl",))


def proc(folder: Path, processes: dict[int, tuple[int, str]]) -> Path:
    """Return a folder like /proc with each process's parent and command."""
    for number, (parent, line) in processes.items():
        written(folder / str(number) / "cmdline", line.replace(" ", "\0"))
        written(folder / str(number) / "stat", f"{number} (a (b) c) S {parent} 1 1 0")
    return folder


def test_services_are_found_among_the_processes(tmp_path: Path) -> None:
    """Services are found under every form of their command, without this process and a server's workers."""
    found = proc(
        tmp_path,
        {
            11: (1, "/x/bin/companion buttons"),
            9: (1, "/usr/bin/python3 -m companion buttons --child"),
            12: (1, "/x/bin/companion doctor"),
            13: (1, "vim buttons"),
            20: (1, "/x/bin/python /x/bin/companion table --port 80"),
            21: (20, "/x/bin/python /x/bin/companion table --port 80"),
            os.getpid(): (1, "companion buttons"),
        },
    )
    assert list(find_processes(found, "buttons")) == [9, 11]
    assert list(find_processes(found, "run", "table")) == [20]


def test_a_server_s_worker_does_not_take_its_own_server_for_another(tmp_path: Path) -> None:
    """A server's worker does not count its own server as another table."""
    lines = {19: (1, "timeout 9 companion run"), 20: (19, "companion run"), os.getpid(): (20, "companion run")}
    found = proc(tmp_path, lines | {30: (1, "companion run")})
    assert list(find_processes(found, "run")) == [30]


def test_this_machine_can_be_examined(tmp_path: Path) -> None:
    """This machine can be examined, and every finding has words in both languages."""
    found = machine.examine(tmp_path, ServicesReading("unix:/x"), "http://127.0.0.1:8080")
    parts = {each.part for each in found}
    assert parts == {"memory", "disk", "network", "services", "versions"} | ({"power"} & parts)
    assert not [each for each in found if each.state == "unread"]
    for lang in ("en", "fr"):
        for each in found:
            what, how, _ = finding_text(each, sentences(lang))
            assert not what.startswith("check.") and not how.startswith("check."), each


def test_a_part_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that cannot be read is a finding, and the other parts are examined."""

    def broken(page: str) -> network.NetworkReading:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(network, "read", broken)
    found = {each.key: each for each in machine.examine(tmp_path, ServicesReading("b"))}
    assert found["network.unread"].grade == "look" and "disk.space" in found


def test_what_threatens_a_game_is_found_without_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threats to a running game, low power and a full disk, are found without writing."""
    monkeypatch.setattr(power, "read", lambda: power.PowerReading(0x1, 85.0, 10, 900))
    monkeypatch.setattr(disk, "read", lambda folder, try_it: disk.DiskReading("/d", free_mb=3, total_mb=4, error="no"))
    assert [(each.key, each.state) for each in machine.threats(tmp_path)] == [
        ("power.supply", "low"),
        ("disk.space", "full"),
    ]


def test_the_clock_and_the_versions_are_this_machine_s() -> None:
    """The readings of this machine's clock and versions are plausible."""
    assert clock.read().year >= 2026
    found = versions.read()
    assert found.sqlite.count(".") >= 1 and found.python.startswith("3.") and found.system
    assert services.count_restarts("companion-no-such-unit") == 0
