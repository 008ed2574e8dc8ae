"""Tests of a card's first start with the real cloud-init: Raspberry Pi Imager's files, vendor-data and the package.

The archive and the card's boot partition are folders of this machine.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.must_run import must_run
from tests.systemd.cards import CLOCK, NO_CLOCK, ONLINE, ROUTE, VENDOR, answer, laid_card, seen_by
from tests.systemd.machine import Machine, booted
from tests.systemd.packages import CLOUD, DIST, NAME, lacking

INSTALLING = 600.0
"""The seconds that an installation may take on a busy machine."""
UNIT = "table-companion-first-boot.service"
PLACE = "/var/lib/table-companion/first-boot"
SCREEN = "tr -s '[:space:]' ' ' </dev/tty1"
ISSUE = "cat /run/issue.d/60-companion-first-boot.issue"


def test_what_vendor_data_lays_out_is_well_formed(tmp_path: Path) -> None:
    """Vendor-data begins as cloud-init requires, and it contains a script, two programs and a unit."""
    text = VENDOR.read_text()
    assert text.startswith("#cloud-boothook\n#!/bin/bash\n")
    subprocess.run(("bash", "-n", str(VENDOR)), check=True)
    files = [part.split("\nEND\n")[0] for part in text.split("<<'END'\n")[1:]]
    assert files[0].startswith("#!/bin/bash\n") and len(files) == 4
    (tmp_path / "install").write_text(files[0])
    subprocess.run(("bash", "-n", str(tmp_path / "install")), check=True)
    compile(files[1], "page", "exec")
    compile(files[2], "clock", "exec")
    assert "WantedBy=multi-user.target" in files[3] and PLACE in files[3]


def on_a_machine(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that starts a machine."""
    why = lacking(CLOUD)
    for mark in (
        pytest.mark.systemd,
        pytest.mark.slow,
        pytest.mark.skipif(bool(why) and not must_run("systemd"), reason=why or "none"),
    ):
        test = mark(test)
    return test


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """Yield a boot partition."""
    return laid_card(tmp_path)


@pytest.fixture
def binds(tmp_path: Path, card: Path) -> tuple[str, ...]:
    """Yield the machine's bind mounts."""
    return seen_by(tmp_path, card)


@pytest.fixture
def machine(binds: tuple[str, ...]) -> Iterator[Machine]:
    """Yield a machine after its first start, without a network."""
    with booted(CLOUD, binds=binds) as machine:
        yield machine


def until_gone(machine: Machine) -> None:
    """Wait until the installation is complete and the unit has removed itself."""
    gone = f"test ! -e {PLACE} && test ! -e /etc/systemd/system/{UNIT} && echo gone"
    machine.until(lambda: machine.sh(gone, code=None) == "gone", "the installation is done", INSTALLING)


@on_a_machine
def test_from_the_card_to_the_first_page(machine: Machine) -> None:
    """The machine reports a missing network and waits for one to install the package and show the table's page."""
    machine.until(
        lambda: "There is no network yet" in machine.sh(SCREEN, code=None), "the screen says what it waits for"
    )
    assert "goes" not in machine.sh("dpkg-query -W table-companion 2>&1", code=None) and "no network" in machine.sh(
        ISSUE
    )
    waiting = answer(machine)
    assert waiting.startswith("200") and "is being installed" in waiting and "s’installe" in waiting
    assert answer(machine, "/health").startswith("503")
    machine.until(lambda: machine.sh("test -e /var/lib/imager-ran; echo $?") == "0", "Imager's own commands have run")
    assert machine.sh("cat /etc/imager-wrote; echo; hostname; id -un maker; cat /etc/timezone").split("\n") == [
        "it did", "companion", "maker", "Europe/Paris",
    ]  # fmt: skip
    awaits_the_clock(machine)
    machine.until(lambda: "about 3 minutes" in machine.sh(SCREEN), "the screen says how long it takes")
    until_gone(machine)
    page = answer(machine)
    assert page.startswith("200") and "being installed" not in page
    assert machine.sh("ls /run/issue.d") == "50-companion.issue"
    assert machine.sh("ls /var/lib/table-companion/packages") == "current.deb"
    assert machine.sh("command -v mosquitto", code=None), "what is recommended and exists is there"
    assert machine.sh("systemctl list-units --failed --no-legend 'companion*' 'table-companion*'") == ""
    again_at_the_next_start(machine)


def awaits_the_clock(machine: Machine) -> None:
    """Check that the machine waits for the network's time before it requests a package list."""
    machine.sh(f"{NO_CLOCK}; {ROUTE}")
    machine.until(lambda: "does not know the time yet" in machine.sh(SCREEN), "the screen says what it waits for")
    assert "does not know the time" in machine.sh(ISSUE) and "about 3 minutes" not in machine.sh(SCREEN)
    assert "is being installed" in answer(machine)
    assert machine.sh("ls /var/lib/apt/lists/*Packages* 2>/dev/null | wc -l") == "0"
    machine.sh(CLOCK)


def again_at_the_next_start(machine: Machine) -> None:
    """Check that at the next start the card's files do nothing and the pages appear."""
    machine.run("systemctl", "--no-block", "reboot")
    machine.until_started_again()
    machine.until(lambda: answer(machine).startswith("200"), "the pages")
    assert machine.sh(f"test -e {PLACE}; echo $?; systemctl list-units --all --no-legend {UNIT}") == "1"


@on_a_machine
def test_a_pulled_plug_in_the_middle(machine: Machine) -> None:
    """After a power cut during the download and one during unpacking, the next start continues."""
    machine.sh(ONLINE)
    for sign in ("test -d /usr/lib/python3/dist-packages/flask", "test -d /usr/lib/table-companion/companion"):
        machine.until(lambda sign=sign: machine.sh(f"{sign}; echo $?") == "0", sign, INSTALLING)
        machine.end()
        machine.start()
        machine.sh(ONLINE)
    until_gone(machine)
    assert "being installed" not in answer(machine) and answer(machine).startswith("200")
    assert machine.sh("dpkg --audit") == ""


@on_a_machine
def test_a_card_with_a_damaged_package_says_so(card: Path, binds: tuple[str, ...]) -> None:
    """A truncated package, a missing package and an unsuitable system are reported on the screen."""
    (card / NAME).write_bytes((DIST / NAME).read_bytes()[:300_000])
    with booted(CLOUD, binds=binds) as machine:
        machine.sh(ONLINE)
        machine.until(lambda: "is damaged" in machine.sh(SCREEN), "the screen says that it is damaged")
        (card / NAME).unlink()
        machine.run("systemctl", "restart", UNIT)
        machine.until(lambda: "is not on the card" in machine.sh(SCREEN), "the screen says that it is missing")
        machine.sh('sed -i \'s/VERSION_ID=.*/VERSION_ID="12"/; s/^PRETTY.*/PRETTY_NAME="Old"/\' /usr/lib/os-release')
        machine.run("systemctl", "restart", UNIT)
        machine.until(lambda: "and this is Old" in machine.sh(SCREEN), "the screen says that the system is too old")
