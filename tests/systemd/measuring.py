"""Measures the package on a machine of Debian 13 and prints it: python -m tests.systemd.measuring

Needs the roots and the archive of `make systemd`, and a package (`make deb`). A busy machine is slower; the load is
printed beside the figures.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.systemd.cards import ONLINE, answer, laid_card, seen_by
from tests.systemd.machine import Machine, booted
from tests.systemd.packages import CLOUD, DEB, DIST, NAME, archive, lacking

PATIENCE = 900.0
FIELDS = "dpkg-query -W -f='${Installed-Size}' table-companion"
FILES = (
    "dpkg -L table-companion | xargs -d '\\n' stat -c '%F %s' | "
    "awk '/^regular/ {t += $NF; n++} END {printf \"%.1f MB in %d files\", t / 1e6, n}'"
)
COMPILED = (
    "find /usr/lib/table-companion -name '*.pyc' -printf '%s\\n' | awk '{t += $1} END {printf \"%.1f\", t / 1e6}'"
)


def is_the_tables(machine: Machine) -> bool:
    """Return whether the first page is the table's own."""
    said = answer(machine)
    return said.startswith("200") and "being installed" not in said


def install() -> None:
    """Print the time to install the package with its dependencies present, and its size."""
    with booted(DEB, binds=(f"{DIST}:/dist",)) as machine:
        began = time.monotonic()
        machine.run("dpkg", "--install", f"/dist/{NAME}", timeout=PATIENCE)
        print(f"installing, what it needs being there: {time.monotonic() - began:.1f} s, the table's start included")
        size, laid = (DIST / NAME).stat().st_size / 1e6, int(machine.sh(FIELDS)) * 1024 / 1e6
        print(f"package {size:.1f} MB; installed {machine.sh(FILES)}, {laid:.1f} MB as dpkg counts them")
        print(f"and {machine.sh(COMPILED)} MB that Python compiles from it")
        machine.end()
        began = time.monotonic()
        machine.start()
        machine.until(lambda: is_the_tables(machine), "the first page", PATIENCE)
        print(f"first page after the machine's start: {time.monotonic() - began:.1f} s, systemd's own included")


def first_boot(root: str, what: str) -> None:
    """Print the time from a machine's start with a new card to the table's first page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        with booted(root, binds=seen_by(folder, laid_card(folder))) as machine:
            machine.sh(ONLINE)
            machine.until(lambda: is_the_tables(machine), "the first page", PATIENCE)
            print(f"first page of a card, {what}: {time.monotonic() - began:.1f} s")
            fetched = "awk '/^Fetched|^Need to get/ {print}' /var/log/companion-first-boot.log | head -4"
            print("  " + machine.sh(fetched, code=None).replace("\n", "\n  "))


def main() -> int:
    """Measure everything; return the exit code."""
    if why := lacking(DEB) or lacking(CLOUD):
        print(why, file=sys.stderr)
        return 1
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    install()
    size = sum(path.stat().st_size for path in archive().glob("*.deb")) / 1e6
    first_boot(CLOUD, f"from a bare root, with an archive of {size:.0f} MB in a folder beside it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
