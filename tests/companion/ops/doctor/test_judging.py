"""Readings of the machine are judged by tables of cases that each name a finding."""

from __future__ import annotations

from typing import Any

import pytest

from companion.findings import Finding, finding_text, sentences
from companion.i18n import LANGUAGES
from companion.ops.doctor import clock, disk, network, power, services, versions
from companion.ops.doctor.clock import ClockReading
from companion.ops.doctor.disk import DiskReading
from companion.ops.doctor.network import NetworkReading
from companion.ops.doctor.power import BEFORE, CAPPED, SLOWED, SOFT, UNDERVOLTED, PowerReading
from companion.ops.doctor.services import ServiceReading, ServicesReading
from companion.ops.doctor.versions import VersionsReading


def graded(found: list[Finding]) -> dict[str, tuple[str, str]]:
    """Return state and grade of each finding by its key."""
    return {each.key: (each.state, each.grade) for each in found}


@pytest.mark.parametrize(
    ("fields", "key", "state", "grade"),
    [
        ({}, "disk.folder", "ok", "well"),
        ({"there": False}, "disk.folder", "new", "well"),
        ({"error": "Permission denied"}, "disk.folder", "unwritable", "bad"),
        ({"read_only": True, "error": "Read-only file system"}, "disk.folder", "read_only", "bad"),
        ({"free_mb": 500}, "disk.space", "ok", "well"),
        ({"free_mb": 499}, "disk.space", "low", "look"),
        ({"free_mb": 50}, "disk.space", "low", "look"),
        ({"free_mb": 49}, "disk.space", "full", "bad"),
        ({"errors": 2}, "disk.card", "errors", "bad"),
        ({"wear": 2}, "disk.card", "worn", "look"),
        ({"wear": 3}, "disk.card", "worn_out", "bad"),
        ({"journal_mb": 501.0}, "disk.journal", "large", "look"),
        ({"aside": ("journal.db.damaged-1.jsonl",)}, "disk.damaged", "aside", "look"),
    ],
)
def test_disks(fields: dict[str, Any], key: str, state: str, grade: str) -> None:
    """Each case of space, access rights, wear and damaged journals has its finding."""
    found = DiskReading(**{"folder": "/d", "free_mb": 9000, "total_mb": 16000} | fields)
    assert graded(disk.judge(found))[key] == (state, grade)


def test_a_disk_that_is_well_has_no_line_on_its_card() -> None:
    """A disk without faults has findings only for its folder and its space."""
    found = disk.judge(DiskReading("/d", free_mb=9000, total_mb=16000, wear=1))
    assert all(each.well for each in found) and set(graded(found)) == {"disk.folder", "disk.space"}


def test_what_was_cut_off_is_a_line_each() -> None:
    """Each record cut from the journal is a finding with the journal's own sentence."""
    assert [each.fields["said"] for each in disk.judge_salvage(("Record 3 is missing.", "Match 2 cannot."))] == [
        "Record 3 is missing", "Match 2 cannot",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("bits", "celsius", "supply", "heat"),
    [
        (0, 51.0, ("ok", "well"), ("ok", "well")),
        (UNDERVOLTED, 51.0, ("low", "bad"), ("ok", "well")),
        (UNDERVOLTED | CAPPED | SLOWED, 51.0, ("low", "bad"), ("ok", "well")),
        (0x50000, 51.0, ("was_low", "look"), ("ok", "well")),
        (0x50005, 51.0, ("low", "bad"), ("ok", "well")),
        (SLOWED, 71.0, ("ok", "well"), ("hot", "look")),
        (SOFT, 62.0, ("ok", "well"), ("hot", "look")),
        (0, 80.0, ("ok", "well"), ("hot", "look")),
        (0, 79.9, ("ok", "well"), ("ok", "well")),
        (SOFT << BEFORE, 51.0, ("ok", "well"), ("was_hot", "look")),
        (CAPPED << BEFORE, 51.0, ("ok", "well"), ("ok", "well")),
        (SLOWED, None, ("ok", "well"), ("slowed", "look")),
    ],
)
def test_power(bits: int | None, celsius: float | None, supply: tuple[str, str], heat: tuple[str, str]) -> None:
    """The firmware's flags for voltage and heat are judged separately, for the present and since the start."""
    found = graded(power.judge(PowerReading(bits, celsius, 3000, 4000)))
    assert (found["power.supply"], found["power.heat"]) == (supply, heat)


def test_a_machine_that_is_no_pi_is_well() -> None:
    """A machine without a Pi's flags and thermometer has no findings about power."""
    assert graded(power.judge(PowerReading(None, None, 3000, 4000))) == {"memory.free": ("ok", "well")}
    assert power.judge(PowerReading()) == []


@pytest.mark.parametrize(("free", "state"), [(150, "ok"), (149, "short"), (40, "short"), (39, "scarce")])
def test_memory(free: int, state: str) -> None:
    """Little free memory is a finding, because a browser on a small Pi needs much of it."""
    assert graded(power.judge(PowerReading(0, 50.0, free, 900)))["memory.free"][0] == state


@pytest.mark.parametrize(("text", "word"), [("throttled=0x50005\n", 0x50005), ("throttled=0x0", 0), ("error", None)])
def test_the_firmware_s_own_program_is_read(text: str, word: int | None) -> None:
    """The output of `vcgencmd get_throttled` is parsed."""
    assert power.parse_flags(text) == word


@pytest.mark.parametrize(("year", "states"), [(2025, ["wrong"]), (1970, ["wrong"]), (2026, []), (2099, [])])
def test_clocks(year: int, states: list[str]) -> None:
    """A clock has a finding only if its year is impossible, because games do not use it."""
    assert [each.state for each in clock.judge(ClockReading(year, "t")) if not each.well] == states


WIFI = {"wlan0": "192.168.1.20"}


@pytest.mark.parametrize(
    ("found", "key", "state", "grade"),
    [
        (NetworkReading(WIFI), "network.addresses", "ok", "well"),
        (NetworkReading(), "network.addresses", "none", "look"),
        (NetworkReading(WIFI, "http://192.168.1.20:8080"), "network.page", "ok", "well"),
        (NetworkReading(WIFI, "http://192.168.7.7:8080"), "network.page", "moved", "bad"),
        (NetworkReading({}, "http://127.0.0.1:8080"), "network.page", "only_here", "look"),
        (NetworkReading(WIFI, "http://127.0.0.1:8080"), "network.page", "asked_here", "look"),
        (NetworkReading(WIFI, "http://companion.local:8080"), "network.page", "ok", "well"),
        (NetworkReading(WIFI, "http://[::1]:8080"), "network.page", "asked_here", "look"),
        (NetworkReading(WIFI, "http://10.8.0.2:8080", {"10.8.0.2": "wg0"}), "network.page", "hidden", "look"),
        (NetworkReading(WIFI, name="pi"), "network.name", "off", "well"),
        (NetworkReading(WIFI, name="pi", named="192.168.1.20"), "network.name", "ok", "well"),
        (NetworkReading(WIFI, name="pi", named="127.0.1.1"), "network.name", "ok", "well"),
        (NetworkReading(WIFI, name="pi", named="192.168.1.9"), "network.name", "taken", "look"),
        (
            NetworkReading(WIFI, hidden={"172.17.0.1": "docker0"}, name="pi", named="172.17.0.1"),
            "network.name",
            "ok",
            "well",
        ),
        (NetworkReading(WIFI, name="Pi", named="192.168.1.9", known_as="pi.local"), "network.name", "taken", "look"),
        (
            NetworkReading(WIFI, name="pi", named="192.168.1.9", known_as="pi-2.local"),
            "network.name",
            "renamed",
            "look",
        ),
        (NetworkReading(WIFI, name="pi", named=""), "network.name", "silent", "look"),
    ],
)
def test_networks(found: NetworkReading, key: str, state: str, grade: str) -> None:
    """Each case of addresses, page and name in the network has its finding."""
    assert graded(network.judge(found))[key] == (state, grade)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("page", ["http://192.168.7.7:8080", "http://10.8.0.2:8080"])
def test_a_number_that_somebody_chose_is_not_mended_by_a_new_start(page: str, lang: str) -> None:
    """If somebody configured a wrong address, the advice names the setting instead of a restart."""
    found = {each.key: each for each in network.judge(NetworkReading(WIFI, page, {"10.8.0.2": "wg0"}))}["network.page"]
    said = finding_text(found, sentences(lang))
    assert page in said.how and "[web]" in said.advice and "host" in said.advice


def test_without_a_table_there_is_no_page_to_judge() -> None:
    """Without a table the addresses and the name are judged, and the page is not."""
    assert set(graded(network.judge(NetworkReading(WIFI)))) == {"network.addresses", "network.name"}


LOST = ServiceReading("camera", expected=True)
RESTARTED = ServiceReading("camera", True, True, "t", "", 4)
ALIVE = ServiceReading("buttons", alive=True, expected=True, since="2026-11-21 20:00")


@pytest.mark.parametrize(
    ("found", "key", "state", "grade"),
    [
        (ServicesReading("b"), "services.table", "off", "well"),
        (ServicesReading("b", True), "services.table", "listens", "well"),
        (ServicesReading("b", True, "t"), "services.table", "ok", "well"),
        (ServicesReading("b", True, "t", restarts=3), "services.table", "restarted", "look"),
        (ServicesReading("b", True, "t", restarts=2), "services.table", "ok", "well"),
        (ServicesReading("b", True, "t", 0, (ALIVE,)), "services.buttons", "ok", "well"),
        (ServicesReading("b", True, "t", 0, (LOST,)), "services.camera", "lost", "bad"),
        (ServicesReading("b", True, "t", 0, (ServiceReading("camera"),)), "services.camera", "none", "well"),
        (ServicesReading("b", True, "t", 0, (RESTARTED,)), "services.camera", "restarted", "look"),
        (ServicesReading("b", True, "t", tables=(7,)), "services.second", "several", "look"),
        (ServicesReading("b", False, tables=(7, 8)), "services.second", "several", "look"),
    ],
)  # fmt: skip
def test_services(found: ServicesReading, key: str, state: str, grade: str) -> None:
    """Services that are alive, lost, unwanted or restarting each have their finding."""
    assert graded(services.judge(found))[key] == (state, grade)


def test_the_one_table_is_no_second_one() -> None:
    """A single running table is not reported as a second one."""
    assert "services.second" not in graded(services.judge(ServicesReading("b", True, tables=(7,))))


def test_versions() -> None:
    """One finding lists all versions that a report of a fault needs."""
    (found,) = versions.judge(VersionsReading("1.0", "3.13.5", "3.46.1", "Raspberry Pi 5, Debian"))
    assert (found.key, found.well) == ("versions.program", True)
    said = finding_text(found, sentences("en"))
    assert said.how == "1.0, with Python 3.13.5 and SQLite 3.46.1, on Raspberry Pi 5, Debian"
