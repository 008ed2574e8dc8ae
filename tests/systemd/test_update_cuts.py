"""The plug is pulled at instants spread over an update and over its way back; each time the machine starts with a page.

COMPANION_CUTS says how many instants (40). The container's processes end at once; what the kernel has not written to a
disk is not lost here: that is what `tests/faults` does with the journal.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.machine import Machine, booted
from tests.systemd.packages import DEB, lacking
from tests.systemd.test_update import INSTALLING, prepare, stands, update, version, well
from tests.systemd.updates import FIRST, NEW, make_all

pytestmark = [
    pytest.mark.faults,
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking(DEB)) and not must_run("systemd"), reason=lacking(DEB) or "none"),
]
CUTS = int(os.environ.get("COMPANION_CUTS", "40"))
MARKER = "test -e /var/lib/table-companion/under-way.json"
ROADS = {"good": "installing", "table-dies": "going back"}
"""Packages whose updates are cut, and what for."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Give a machine with the first version, a changed settings file and a value in its journal."""
    folder: Path = tmp_path_factory.mktemp("updates")
    make_all(folder)
    with booted(DEB, binds=(f"{folder}:/packages",)) as machine:
        prepare(machine)
        yield machine


def begun(machine: Machine, name: str) -> subprocess.Popen[bytes]:
    """Begin an update, and wait until it touches the installed version."""
    command = ("nsenter", "--target", str(machine.leader), "--all", "companion", "update", f"/packages/{name}.deb")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    machine.until(lambda: machine.run("sh", "-c", MARKER, code=None).returncode == 0, "it begins", INSTALLING)
    return process


def back_to_the_first(machine: Machine) -> None:
    """Have the first version again."""
    if version(machine) != FIRST:
        assert update(machine, "first", "--older")[0] == 0
    machine.until(lambda: well(machine), "all services run")


def test_at_every_instant_there_is_a_page_after_the_next_start(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the version before or the new one, whole; data and settings stand."""
    told = []
    for name, road in ROADS.items():
        process, since = begun(machine, name), time.monotonic()
        process.wait(INSTALLING)
        whole = time.monotonic() - since
        back_to_the_first(machine)
        for number in range(CUTS // len(ROADS)):
            instant = whole * number * len(ROADS) / CUTS
            process = begun(machine, name)
            threading.Event().wait(instant)
            machine.end()
            process.wait(60)
            since = time.monotonic()
            machine.start()
            machine.until(lambda: well(machine), "all services run", INSTALLING)
            found = version(machine)
            told.append((road, round(instant, 1), found, round(time.monotonic() - since, 1)))
            assert found in (FIRST, NEW), told
            stands(machine, found)
            back_to_the_first(machine)
    with capsys.disabled():
        print(f"\n{len(told)} cuts, each with a page afterwards:")
        for row in told:
            print("  {} at {} s: version {}, page after {} s".format(*row))
