"""Tests of the files in `vendor-data` and the order of a first installation, with recorders of the system's programs.

Waiting takes no time: the recorder of `sleep` runs the intermediate events.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.systemd.cards import VENDOR

RECORDER = """#!/bin/bash
name=${0##*/}
case "$name $*" in
  "dpkg-query "*) cat "$STATE/status" 2>/dev/null || exit 1 ;;
  "dpkg --compare-versions "*) exec /usr/bin/dpkg "$@" ;;
  "dpkg --print-architecture") echo arm64 ;;
  "dpkg-deb --field "*Version | "dpkg-deb --fsys-tarfile "*) [ ! -e "$STATE/damaged" ] ;;
  "dpkg-deb --field "*) printf 'needed-%s, also-%s\\n' "${@: -1}" "${@: -1}" ;;
  "ip "*) [ ! -e "$STATE/online" ] || echo default ;;
  "timedatectl "*) [ -e "$STATE/clockless" ] && echo no || echo yes ;;
  "date +"*) exec /usr/bin/date "$@" ;;
  "apt-get update --print-uris") cat "$STATE/lists" 2>/dev/null ;;
  "setpriv "*) exec tail -f /dev/null ;;
  *)
    echo "$name $*" >>"$STATE/record"
    case "$name $*" in
      "sleep 3") touch "$STATE/online"; [ ! -e "$STATE/time-server" ] || rm -f "$STATE/clockless" ;;
      "dpkg --unpack "*) printf unpacked >"$STATE/status" ;;
      "dpkg --force-confold --configure "*) [ ! -e "$STATE/status" ] || printf installed >"$STATE/status" ;;
      "apt-get "*update) [ ! -e "$STATE/unreachable" ] || exit 100 ;;
      "apt-get "*lgpio*) exit 100 ;;
    esac ;;
esac
"""
PROGRAMS = (
    "dpkg-query",
    "dpkg",
    "dpkg-deb",
    "ip",
    "timedatectl",
    "setpriv",
    "sleep",
    "apt-get",
    "systemctl",
    "agetty",
    "sync",
    "date",
)
SYSTEM = 'ID=debian\nVERSION_ID="{}"\nPRETTY_NAME="Debian {}"\n'


class Card:
    """A machine with the two files on its card, of which only the scripts are real."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.state, self.boot = folder, folder / "state", folder / "boot/firmware"
        self.by_hand, self.said = False, ""
        for name in ("state", "tools", "boot/firmware", "etc/systemd/system", "dev", "var/log"):
            (folder / name).mkdir(parents=True)
        for name in PROGRAMS:
            (folder / "tools" / name).write_text(RECORDER)
            (folder / "tools" / name).chmod(0o755)
        (folder / "dev/tty1").touch()
        (folder / "etc/os-release").write_text(SYSTEM.format(13, 13))
        self.package = self.boot / "table-companion_0.2.0_all.deb"
        self.package.touch()

    def run(self, script: Path) -> int:
        """Run a script; return its exit code."""
        tools = f"{self.folder / 'tools'}:{os.environ['PATH']}"
        settings = {**os.environ, "PATH": tools, "STATE": str(self.state)}
        command = ("script", "-qec", f"bash {script}", "/dev/null") if self.by_hand else ("bash", str(script))
        none = subprocess.DEVNULL
        done = subprocess.run(command, env=settings, timeout=60, check=False, stdin=none, stdout=subprocess.PIPE)
        self.said += done.stdout.decode()
        return done.returncode

    def start(self) -> int:
        """Start the machine: cloud-init's part, then the unit if it was created; return the unit's exit code."""
        text = VENDOR.read_text().split("\n", 1)[1]
        for place in ("/var/lib/", "/var/log/", "/etc/", "/boot", "/run/", "/dev/tty1"):
            text = text.replace(place, f"{self.folder}{place}")
        (self.folder / "vendor-data").write_text(text)
        if code := self.run(self.folder / "vendor-data"):
            return code
        unit = self.folder / "var/lib/table-companion/first-boot/install"
        return self.run(unit) if unit.exists() else 0

    @property
    def screen(self) -> str:
        """Return all texts that the screen has shown."""
        return " ".join((self.folder / "dev/tty1").read_text().split())

    @property
    def record(self) -> list[str]:
        """Return the calls of the system's programs, without options."""
        lines = (self.state / "record").read_text().splitlines()
        return [line for line in lines if line.split()[0] in ("apt-get", "dpkg", "systemctl", "sleep", "date")]


@pytest.fixture
def card(tmp_path: Path) -> Card:
    """Yield a machine that was never started."""
    return Card(tmp_path)


def test_it_waits_for_a_network_and_installs(card: Card) -> None:
    """The first start waits for a network, installs in order and keeps the package; later starts do nothing."""
    assert card.start() == 0
    assert card.screen.startswith("There is no network yet.") and "about 3 minutes" in card.screen
    words = [each.split()[-1] if "apt-get" in each else each for each in card.record]
    start = words.index("sleep 3")
    assert words[:start] == [
        "systemctl daemon-reload", "systemctl --quiet enable table-companion-first-boot.service",
        "systemctl --no-block start table-companion-first-boot.service",
    ]  # fmt: skip
    kept = [each for each in card.record if "apt-get" in each or "dpkg --" in each]
    assert [each.rpartition(" --no-install-recommends ")[2] for each in kept if " satisfy " in each] == [
        "needed-Pre-Depends, also-Pre-Depends needed-Depends, also-Depends", "needed-Recommends", " also-Recommends",
    ]  # fmt: skip
    assert kept.index(f"dpkg --unpack --force-confold {card.package}") == len(kept) - 4
    assert all("--force-confold" in each for each in kept)
    assert (card.folder / "var/lib/table-companion/packages/current.deb").exists()
    assert not (card.folder / "run/issue.d/60-companion-first-boot.issue").exists()
    before = card.record
    assert card.start() == 0 and card.record == before


def test_without_the_internet_it_says_so_and_comes_again(card: Card) -> None:
    """Without the internet the unit fails with a message, and systemd starts it again without any input."""
    (card.state / "unreachable").touch()
    assert card.start() == 1
    assert "cannot be fetched from the internet. It is tried again by itself." in card.screen
    assert "Restart=on-failure" in (card.folder / "etc/systemd/system/table-companion-first-boot.service").read_text()
    (card.state / "unreachable").unlink()
    assert card.start() == 0 and (card.state / "status").read_text() == "installed"


@pytest.mark.parametrize("state", ["half-installed", "unpacked", "half-configured"])
def test_after_a_pulled_plug_dpkg_comes_first(card: Card, state: str) -> None:
    """After a power cut dpkg finishes first, because apt refuses to work beside an incomplete package."""
    (card.state / "status").write_text(state)
    (card.state / "online").touch()
    assert card.start() == 0 and (card.state / "status").read_text() == "installed"
    asked = [each for each in card.record if not each.startswith("systemctl")]
    assert asked[:2] == [f"dpkg --unpack --force-confold {card.package}", "dpkg --force-confold --configure -a"]
    assert not any(each.endswith("update") for each in asked)


def test_what_only_a_person_can_mend_is_said(card: Card) -> None:
    """A damaged or missing package and another system are reported, and the machine does not try again."""
    (card.state / "damaged").touch()
    assert card.start() == 0 and "is damaged: copy" in card.screen
    card.package.unlink()
    assert card.start() == 0 and "its package is not on the card" in card.screen
    (card.folder / "etc/os-release").write_text(SYSTEM.format(12, 12))
    assert card.start() == 0 and "and this is Debian 12: write the card anew" in card.screen
    assert not any("apt-get" in each for each in card.record)


def test_beside_a_companion_that_is_installed_it_does_nothing(card: Card) -> None:
    """If the companion or a newer package is already installed, the card changes nothing."""
    (card.state / "status").write_text("installed")
    assert card.start() == 0 and not (card.state / "record").exists() and card.screen == ""


# --- a clock that is not set ----------------------------------------------------------------------


@contextmanager
def lists(card: Card, ahead: float) -> Iterator[int]:
    """Run a web server for package lists whose clock is some seconds ahead, and yield it."""
    moment = int(time.time() + ahead)

    class Server(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.send_response(200)
            self.end_headers()

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string(moment)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Server) as server:
        (card.state / "lists").write_text(f"'http://127.0.0.1:{server.server_port}/dists/trixie/InRelease' a_list 0\n")
        Thread(target=server.serve_forever, daemon=True).start()
        yield moment
        server.shutdown()


def test_it_waits_until_the_network_has_told_the_time(card: Card) -> None:
    """The screen reports that the clock is not set, and no package list is requested before it is."""
    for name in ("online", "clockless", "time-server"):
        (card.state / name).touch()
    assert card.start() == 0 and (card.state / "status").read_text() == "installed"
    assert card.screen.startswith("This machine does not know the time yet") and "about 3 minutes" in card.screen
    asked = [each for each in card.record if not each.startswith("systemctl")]
    assert asked[0] == "sleep 3" and "sleep 3" not in asked[1:] and not any(each.startswith("date") for each in asked)


@pytest.mark.parametrize("ahead", [3 * 86400.0, -3 * 86400.0])
def test_where_no_time_server_answers_the_lists_own_server_is_asked(card: Card, ahead: float) -> None:
    """After two minutes without a time server, the package server's time is used, which never sets the clock back."""
    for name in ("online", "clockless"):
        (card.state / name).touch()
    with lists(card, ahead) as moment:
        assert card.start() == 0 and (card.state / "status").read_text() == "installed"
    asked = [each for each in card.record if not each.startswith("systemctl")]
    assert asked[:40] == ["sleep 3"] * 40
    assert [each for each in asked if each.startswith("date")] == ([f"date --set @{moment}"] if ahead > 0 else [])


def test_lists_that_a_wrong_clock_may_refuse_are_told_so(card: Card) -> None:
    """If package lists fail because of a wrong clock, the screen shows the machine's date."""
    for name in ("online", "clockless", "unreachable"):
        (card.state / name).touch()
    assert card.start() == 1 and f"this machine takes today for {time.strftime('%Y-%m-%d')}. It is tried" in card.screen


# --- by hand --------------------------------------------------------------------------------------


def test_by_hand_it_says_in_the_terminal_why_it_cannot(card: Card) -> None:
    """Run by hand on an old system without cloud-init, the script reports the reason and leaves no file behind."""
    card.by_hand = True
    (card.folder / "etc/os-release").write_text(SYSTEM.format(12, 12))
    assert card.start() == 1 and "needs Raspberry Pi OS Trixie (or Debian 13), and this is Debian 12:" in card.said
    assert not (card.folder / "var/lib/table-companion").exists()
    assert card.record == [] and not any((card.folder / "etc/systemd/system").iterdir())
    (card.folder / "etc/os-release").write_text(SYSTEM.format(13, 13))
    card.package.unlink()
    assert card.start() == 1 and "its package is not on the card" in card.said
    assert card.screen == ""


def test_by_hand_it_installs_where_it_can(card: Card) -> None:
    """Run by hand on a suitable system, the script installs as under cloud-init and prints the next step."""
    card.by_hand = True
    (card.state / "online").touch()
    assert card.start() == 0 and (card.state / "status").read_text() == "installed"
    assert "journalctl --follow --unit table-companion-first-boot.service" in card.said
