"""Tests of scripts after a system upgrade has removed the environment's Python: they must name the remedy."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.systemd.environments import environment_of

SYSTEMD = Path(__file__).parents[2] / "systemd"
NOW, OLD = f"python3.{sys.version_info.minor}", "python3.7"
ADVICE = "In the folder of the companion's source, run sudo systemd/install again. Matches and settings are kept."
GONE = "The companion was built for python3.7, and an upgrade of the system has replaced it."


def sh(script: str, *words: str) -> tuple[int, str]:
    """Run a script that has loaded `systemd/environment`, and return its exit code and output."""
    command = ("bash", "-c", f'. "$0"; {script}', str(SYSTEMD / "environment"), *words)
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    return done.returncode, (done.stdout + done.stderr).strip()


def test_an_environment_whose_python_is_there_works(tmp_path: Path) -> None:
    """An intact environment causes no message and is not reported as broken."""
    environment_of(tmp_path / "now", NOW)
    assert sh('broken "$1"', str(tmp_path / "now")) == (1, "")


def replaced(folder: Path) -> None:
    """Replace the Python at the same path: Debian's link `python3` leads to the new one."""
    environment_of(folder, OLD)


def removed(folder: Path) -> None:
    """Leave a link that leads nowhere."""
    environment_of(folder, OLD)
    (folder / "bin" / "python3").unlink()
    (folder / "bin" / "python3").symlink_to(f"/nowhere/{OLD}")


@pytest.mark.parametrize("lose", [replaced, removed])
def test_an_environment_whose_python_is_gone_does_not(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    """An environment whose Python is missing or lacks its packages is broken."""
    lose(tmp_path / "old")
    assert sh('broken "$1"', str(tmp_path / "old")) == (0, GONE)


def test_without_any_environment_it_says_so(tmp_path: Path) -> None:
    """A missing environment, as after an incomplete removal, is reported."""
    assert sh('broken "$1"', str(tmp_path / "none")) == (0, f"There is no environment for Python in {tmp_path}/none.")


@pytest.mark.parametrize("command", [[], ["address"], ["doctor"], ["backup"], ["wiring", "--write"], ["restore", "x"]])
def test_the_command_says_what_to_do(tmp_path: Path, command: list[str]) -> None:
    """The command prints the remedy instead of `setpriv: failed to execute`, before it asks for rights."""
    root = tmp_path / "companion"
    environment_of(root, OLD)
    shelf = root / "lib" / "companion"
    shelf.mkdir()
    (shelf / "environment").write_text((SYSTEMD / "environment").read_text())
    wrapper = tmp_path / "wrapper"
    wrapper.write_text((SYSTEMD / "companion").read_text().replace("root=/opt/companion", f"root={root}"))
    done = subprocess.run(("bash", str(wrapper), *command), capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{GONE} {ADVICE}\n")


def test_every_script_finds_it_where_it_is_installed() -> None:
    """Scripts that load the check lie beside it, and the command, which lies elsewhere, knows its path."""
    beside = '. "$(dirname "$(readlink -f "$0")")/environment"'
    assert all(beside in (SYSTEMD / name).read_text() for name in ("address", "hotspot"))
    assert '. "$here/environment"' in (SYSTEMD / "install").read_text()
    assert '. "$root/lib/companion/environment"' in (SYSTEMD / "companion").read_text()
    assert 'install -m 644 "$here/environment" "$place/"' in (SYSTEMD / "install").read_text()


IP = """#!/bin/bash
case "$*" in
  *monitor*) exec cat "$NEWS" ;;
  *) cat "$NEWS.addresses" ;;
esac
"""
PROGRAM = """#!/bin/bash
case "$*" in
  *--number) cat "$NEWS.addresses" ;;
  *--names) printf 'companion\\ncompanion-k7q2\\n' ;;
  *--console)
    [ ! -e "$COMPANION_HOTSPOT" ] || printf '%s\\n' 'Wi-Fi: A\\nB'
    echo "The live table is at $(cat "$NEWS.addresses")" ;;
esac
"""
PUBLISH = """#!/bin/bash
echo "$*" >>"$NEWS.published"
exec tail -f /dev/null
"""


class Screen:
    """`systemd/address` with recorders; a pipe delivers the kernel's messages, and the script ends with them."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder, self.news, self.issue = folder, folder / "news", folder / "issue"
        os.mkfifo(self.news)
        os.mkfifo(f"{self.news}.published")
        program = environment_of(folder / "opt", python).with_name("companion")
        tools = folder / "tools"
        tools.mkdir()
        for path, text in ((program, PROGRAM), (tools / "ip", IP), (tools / "avahi-publish", PUBLISH),
                           (tools / "avahi-resolve", "#!/bin/sh\n"), (tools / "agetty", "#!/bin/sh\n"),
                           (tools / "hostname", "#!/bin/sh\necho table\n")):  # fmt: skip
            path.write_text(text)
            path.chmod(0o755)
        self.environment = {
            **os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "NEWS": str(self.news),
            "COMPANION_PROGRAM": str(program), "COMPANION_ISSUE": str(self.issue),
            "COMPANION_HOTSPOT": str(folder / "wifi"),
        }  # fmt: skip

    def shown(self, address: str, names: int = 0) -> tuple[str, list[str]]:
        """Give the machine an address, and return the screen and as many published entries as requested."""
        Path(f"{self.news}.addresses").write_text(address)
        process = subprocess.Popen((str(SYSTEMD / "address"),), env=self.environment, stderr=subprocess.PIPE, text=True)
        with self.news.open("w"), open(f"{self.news}.published", "r+b", buffering=0) as published:
            said: list[str] = []
            while len(said) < names and select.select([published], [], [], 30.0)[0]:
                said.append(published.readline().decode())
        assert "have ended" in process.communicate(timeout=30)[1]
        return self.issue.read_text(), sorted(said)


def test_the_screen_says_what_to_do(tmp_path: Path) -> None:
    """The screen shows the remedy and no name is published, because the table cannot start."""
    said, _ = Screen(tmp_path, OLD).shown("192.168.1.20")
    assert " ".join(said.split()) == f"{GONE} {ADVICE}"
    assert max(map(len, said.splitlines())) < 80


def test_the_screen_shows_the_address_and_both_names_are_published(tmp_path: Path) -> None:
    """The name with this machine's suffix is also published, because companion.local may belong to another table."""
    said, published = Screen(tmp_path, NOW).shown("192.168.1.20", 2)
    assert said == "\nThe live table is at 192.168.1.20\n\n"
    assert published == [
        "--address --no-reverse companion-k7q2.local 192.168.1.20\n",
        "--address --no-reverse companion.local 192.168.1.20\n",
    ]


def test_the_screen_shows_how_to_join_the_hotspot_letter_by_letter(tmp_path: Path) -> None:
    """The screen shows name and password literally, although agetty interprets backslashes."""
    (tmp_path / "wifi").write_text("ssid=A\\nB\n")
    said, _ = Screen(tmp_path, NOW).shown("192.168.1.20")
    assert said == "\nWi-Fi: A\\\\nB\nThe live table is at 192.168.1.20\n\n"
