"""Tests of the messages of a release's two files on a Raspberry Pi with Bookworm, which lacks cloud-init."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.must_run import must_run
from tests.systemd.cards import laid_card
from tests.systemd.machine import Machine, booted, debian
from tests.systemd.packages import DEB, NAME, lacking

pytestmark = [
    pytest.mark.systemd,
    pytest.mark.slow,
    pytest.mark.skipif(bool(lacking(DEB)) and not must_run("systemd"), reason=lacking(DEB) or "none"),
]
LEFT = "ls -d /var/lib/table-comp* /etc/systemd/system/table-comp* /usr/lib/table-comp* 2>/dev/null | wc -l"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Yield a machine with the card, which looks like one with a table from systemd/install."""
    card = laid_card(tmp_path_factory.mktemp("bookworm"))
    with booted(f"bookworm-{debian()}-ready", binds=(f"{card}:/boot/firmware",)) as machine:
        machine.sh("mkdir /opt/companion-20260101T000000 && ln -s companion-20260101T000000 /opt/companion")
        yield machine


def test_nothing_runs_what_is_on_the_card(machine: Machine) -> None:
    """No file of the card runs by itself, so no message appears, and the guide leads to the next step."""
    assert machine.run("cloud-init", "--version", code=None).returncode != 0
    assert machine.sh(LEFT) == "0"


def test_vendor_data_by_hand_says_what_to_do(machine: Machine) -> None:
    """Vendor-data run by hand prints advice in the terminal and leaves no file behind."""
    done = machine.run("script", "-qec", "bash /boot/firmware/vendor-data", "/dev/null", code=1)
    assert "needs Raspberry Pi OS Trixie (or Debian 13), and this is Debian GNU/Linux 12 (bookworm):" in done.stdout
    assert machine.sh(LEFT) == "0"


def test_the_package_by_hand_says_what_to_do_and_takes_nothing_over(machine: Machine) -> None:
    """The package gives advice before dpkg unpacks it, and it takes over no file."""
    done = machine.run("dpkg", "--install", f"/boot/firmware/{NAME}", code=1)
    assert "needs Raspberry Pi OS Trixie or Debian 13. An older system installs it from its source" in done.stderr
    assert machine.sh(LEFT) == "0" and machine.sh("readlink /opt/companion") == "companion-20260101T000000"
