"""Cards for a Raspberry Pi as written by Raspberry Pi Imager, with our two files, for tests and measurements."""

from __future__ import annotations

from pathlib import Path

from tests.systemd.machine import PROJECT, Machine
from tests.systemd.packages import DIST, NAME, archive

VENDOR = PROJECT / "systemd/first-boot/vendor-data"
IMAGER = """#cloud-config
manage_resolv_conf: false

hostname: companion
manage_etc_hosts: true
apt:
  preserve_sources_list: true
  conf: |
    Acquire {
      Check-Date "false";
    };
timezone: Europe/Paris
users:
- name: maker
  groups: users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,sudo
  shell: /bin/bash
  lock_passwd: false
  passwd: $5$abcdefgh$Qm7WzKkqsxVYbgmyB3vyVbXvJYhN7yNvcGmTtXvdkV4
write_files:
- path: /etc/imager-wrote
  content: it did
runcmd:
- [ sh, -c, "date +%s >/var/lib/imager-ran" ]
"""
"""Imager's user data with a user, a name and a time zone, whose keys vendor-data must keep."""
NETWORK = """network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      optional: true
"""
ROUTE = "ip route add default via 10.11.12.254"
CLOCK = "mkdir -p /run/systemd/timesync; touch /run/systemd/timesync/synchronized"
"""Commands that add a route, and that mark the clock as set by the network."""
ONLINE = f"{ROUTE}; {CLOCK}"
NO_CLOCK = "printf '#!/bin/sh\\necho no\\n' >/usr/local/bin/timedatectl; chmod 755 /usr/local/bin/timedatectl"
"""A command that hides the time, because the container shares this machine's kernel, which may know it."""


def laid_card(folder: Path) -> Path:
    """Create a boot partition as Imager leaves it, with our two files, and return its folder."""
    card = folder / "card"
    card.mkdir()
    (card / "user-data").write_text(IMAGER)
    (card / "network-config").write_text(NETWORK)
    (card / "meta-data").write_text("instance-id: rpi-imager-1\n")
    (card / "vendor-data").write_bytes(VENDOR.read_bytes())
    (card / NAME).write_bytes((DIST / NAME).read_bytes())
    return card


def seen_by(folder: Path, card: Path) -> tuple[str, ...]:
    """Return the bind mounts of a machine: the card, the settings of Raspberry Pi OS, the archive and a screen."""
    files = {
        "/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": "datasource_list: [NoCloud, None]\n"
        "datasource:\n  NoCloud:\n    seedfrom: file:///boot/firmware/\n",
        "/etc/apt/sources.list.d/local.list": "deb [trusted=yes] file:/archive ./\n",
        "/etc/tmpfiles.d/screen.conf": "f /dev/tty1 0620 root root -\n",
    }
    lines = [f"{card}:/boot/firmware", f"{archive()}:/archive"]
    for number, (place, text) in enumerate(files.items()):
        (folder / f"file-{number}").write_text(text)
        lines.append(f"{folder / f'file-{number}'}:{place}")
    return tuple(lines)


def answer(machine: Machine, path: str = "/") -> str:
    """Return status and text of the pages' answer."""
    script = (
        "import sys, urllib.request as r, urllib.error as e\n"
        f"try: a = r.urlopen('http://127.0.0.1:8080{path}', timeout=5)\n"
        "except e.HTTPError as x: a = x\n"
        "print(a.status, a.read().decode())"
    )
    return machine.run("python3", "-c", script, code=None).stdout
