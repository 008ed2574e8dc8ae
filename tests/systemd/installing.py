"""Installs the companion twice in clean Debian roots and prints the time: make install-test

python -m tests.systemd.installing bookworm trixie bookworm-arm64

On this machine's own architecture, the machine is started and its pages are requested. Another architecture is
emulated, and only the installation and the program's first output are checked.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.systemd.machine import PIP, PROJECT, Failed, booted, debian, missing, roots

PATIENCE = 3600.0
"""The seconds that an installation may take: emulation is some twenty times slower."""
PAGE = "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8080/').status)"
TWICE = "/src/systemd/install && /src/systemd/install && /opt/companion/bin/companion --version"


def in_machine(name: str) -> None:
    """Install twice on a running machine, and request a page each time."""
    with booted(name, pip=True) as machine:
        for time_ in ("first", "second"):
            began = time.monotonic()
            said = machine.run("/src/systemd/install", timeout=PATIENCE).stdout
            print(f"{name}: installed for the {time_} time in {time.monotonic() - began:.0f} s", flush=True)
            if time_ == "first":
                print(said, flush=True)
            page = machine.run("/opt/companion/bin/python", "-c", PAGE).stdout.strip()
            if page != "200":
                raise Failed(f"the first page answers {page}")
        state = machine.sh("systemctl is-active companion-table companion-buttons companion-camera companion-address")
        print(f"{name}: {machine.show('companion-table', 'StatusText')}; {state.split()}", flush=True)
        print(
            machine.sh("systemctl --version | head -1; du -smL /opt/companion; ls -d /usr/local/lib/systemd/system/*.d")
        )


def in_root(name: str) -> None:
    """Install twice in a root of another architecture, without starting it."""
    options = [f"--setenv={name}={value}" for name, value in os.environ.items() if name.startswith("PIP_")]
    options += [f"--bind-ro={path}" for path in PIP if os.path.exists(path)]
    began = time.monotonic()
    command = ("systemd-nspawn", "--quiet", "--directory", str(roots() / name), "--volatile=overlay", "--register=no")
    words = (*command, "--keep-unit", "--pipe", f"--bind-ro={PROJECT}:/src", *options, "bash", "-c", TWICE)
    subprocess.run(words, stdin=subprocess.DEVNULL, check=True, timeout=PATIENCE)
    print(f"{name}: installed twice in {time.monotonic() - began:.0f} s (emulated)", flush=True)


def main(*names: str) -> int:
    """Install in each root; return the exit code."""
    for each in names:
        name = each if each.count("-") else f"{each}-{debian()}"
        why = missing(name)
        if why:
            print(f"{name}: {why}", file=sys.stderr)
            return 1
        if name.endswith(f"-{debian()}"):
            in_machine(name)
        else:
            in_root(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
