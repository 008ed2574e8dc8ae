"""Cuts the power at instants spread over an update and its rollback, and checks that each next start shows a page.

COMPANION_CUTS sets the number of instants (40). Each cut uses its own machine from the same disk, so that one cannot
repair another. The results are in results/update-cuts.jsonl, and an interrupted run resumes there until the package
changes. The container's processes end at once, but the kernel still writes its buffers: `tests/faults` tests the loss
of unwritten data with the journal.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.machine import PROJECT, Machine, booted
from tests.systemd.packages import DEB, DIST, NAME, lacking
from tests.systemd.test_update import INSTALLING, prepare, stands, version, well
from tests.systemd.updates import FIRST, LATER, make_all

pytestmark = [
    pytest.mark.faults,
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking(DEB)) and not must_run("systemd"), reason=lacking(DEB) or "none"),
]
CUTS = int(os.environ.get("COMPANION_CUTS", "40"))
MARKER = "test -e /var/lib/table-companion/under-way.json"
ROADS = {"later": "installing", "later-dies": "going back"}
"""The packages whose updates are cut, and why; both convert the journal, which the old version cannot read then."""
SEEN = PROJECT / "results/update-cuts.jsonl"


class Disk:
    """The disk of a machine with the first version, a changed settings file and a value in its journal."""

    def __init__(self, packages: Path, changes: Path) -> None:
        self.packages, self.changes = packages, changes

    @contextmanager
    def started(self) -> Iterator[Machine]:
        """Start a machine from the disk without changing it."""
        with booted(DEB, binds=(f"{self.packages}:/packages",), changes=self.changes) as machine:
            machine.until(lambda: well(machine), "all services run", INSTALLING)
            yield machine


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Disk]:
    """Yield the disk."""
    folder: Path = tmp_path_factory.mktemp("updates")
    make_all(folder)
    with booted(DEB, binds=(f"{folder}:/packages",)) as machine:
        prepare(machine)
        machine.until(lambda: well(machine), "all services run", INSTALLING)
        machine.sh("sync")
        machine.end()
        yield Disk(folder, machine.changes)


def seen() -> list[dict[str, object]]:
    """Return the earlier results for this package and number of cuts."""
    lines = SEEN.read_text().splitlines() if SEEN.exists() else ()
    return [row for row in map(json.loads, lines) if (row["package"], row["cuts"]) == (package(), CUTS)]


def package() -> str:
    """Return a package's fingerprint."""
    return hashlib.sha256((DIST / NAME).read_bytes()).hexdigest()[:16]


def keep(**row: object) -> dict[str, object]:
    """Store the results."""
    SEEN.parent.mkdir(exist_ok=True)
    with SEEN.open("a") as file:
        file.write(json.dumps({"package": package(), "cuts": CUTS, **row}) + "\n")
    return row


def begun(machine: Machine, name: str) -> subprocess.Popen[bytes]:
    """Begin an update, and wait until it first changes the installed version."""
    command = ("nsenter", "--target", str(machine.leader), "--all", "companion", "update", f"/packages/{name}.deb")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    machine.until(lambda: machine.run("sh", "-c", MARKER, code=None).returncode == 0, "it begins", INSTALLING)
    return process


def whole(disk: Disk, name: str) -> float:
    """Return the seconds from an update's first change to its end."""
    with disk.started() as machine:
        process, since = begun(machine, name), time.monotonic()
        process.wait(INSTALLING)
        return time.monotonic() - since


def cut(disk: Disk, name: str, instant: float) -> tuple[str, float]:
    """Cut the power some seconds after the first change, and return the version then and the seconds to its page."""
    with disk.started() as machine:
        process = begun(machine, name)
        threading.Event().wait(instant)
        machine.end()
        process.wait(60)
        since = time.monotonic()
        machine.start()
        machine.until(lambda: well(machine), "all services run", INSTALLING)
        took, found = time.monotonic() - since, version(machine)
        assert found in (FIRST, LATER), (name, instant, found)
        stands(machine, found)
        return found, took


@pytest.mark.parametrize("name", ROADS)
def test_at_every_instant_there_is_a_page_after_the_next_start(
    disk: Disk, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """After a cut at any instant, the next start shows a page of the old or new version, complete with its data."""
    known = [row for row in seen() if row["road"] == name]
    lasting = next((float(str(row["whole"])) for row in known if "whole" in row), 0.0)
    lasting = lasting or float(str(keep(road=name, whole=whole(disk, name))["whole"]))
    told = {int(str(row["number"])): row for row in known if "number" in row}
    count = CUTS // len(ROADS)
    # In bit-reversed order, so that an interrupted run has cuts everywhere and not only at the beginning.
    for number in sorted({*range(count)} - {*told}, key=lambda number: f"{number:016b}"[::-1]):
        instant = lasting * number / count
        found, took = cut(disk, name, instant)
        told[number] = keep(road=name, number=number, instant=round(instant, 1), found=found, page=round(took, 1))
    with capsys.disabled():
        print(f"\n{len(told)} cuts while {ROADS[name]} ({lasting:.1f} s), each with a page afterwards:")
        for _, row in sorted(told.items()):
            print("  at {instant} s: version {found}, page after {page} s".format(**row))
