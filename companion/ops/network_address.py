"""This machine's current address and names in the local network.

They are looked up each time: a Raspberry Pi starts its services before its Wi-Fi has an address, and a hotspot gives it
another one. Tablets beside the table must reach us at the address, so it is never that of a VPN or of containers.
"""

from __future__ import annotations

import array
import contextlib
import fcntl
import hashlib
import ipaddress
import math
import socket
import struct
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

DOCUMENTATION = ("192.0.2.1", 9)
"""A documentation address (RFC 5737): connecting a datagram socket to it sends nothing, but reveals our own address."""
LOOPBACK = "127.0.0.1"
SIOCGIFCONF, SIOCGIFFLAGS = 0x8912, 0x8913
"""The kernel's request numbers for all IPv4 addresses and for an interface's flags (netdevice(7))."""
IFREQ, NAME_SIZE, MOST = struct.calcsize("16sHH4s16x"), 16, 512
"""Bytes of one of the kernel's answers and of the name in it; maximum number of addresses to read."""
UP, LOOP, POINT_TO_POINT, RUNNING = 0x1, 0x8, 0x10, 0x40
"""Flags of an interface (netdevice(7)). `RUNNING` means that its cable is plugged in or its Wi-Fi joined."""
NO_PEERS = ("docker", "br-", "veth", "podman", "cni", "flannel", "cali", "kube", "nerdctl", "virbr", "vnet", "vmnet",
            "vboxnet", "lxc", "lxd", "incus", "dummy", "ifb")  # fmt: skip
"""Name prefixes of networks that containers and virtual machines create on this machine."""
TUNNELS = ("tun", "utun", "tap", "wg", "tailscale", "zt", "ham", "vpn", "nordlynx", "proton", "mullvad", "ppp", "ipsec",
           "vti", "gre", "sit", "ip6tnl", "wwan", "rmnet")  # fmt: skip
"""Name prefixes of VPNs and mobile networks. Other such networks are point-to-point."""
HIDDEN_PREFIXES = ("lo", *NO_PEERS, *TUNNELS)
"""Name prefixes of interfaces that lead to no tablet."""
CARRIERS = ipaddress.ip_network("100.64.0.0/10")
"""Addresses that carriers and Tailscale assign (RFC 6598): phones at the table rarely have one."""
ROUTES = Path("/proc/net/route")
DEFAULT_ROUTE = "00000000"
INTERFACES = Path("/sys/class/net")


PUBLISHED = "companion"
"""The name that `systemd/address` publishes besides the machine's own, and again with the machine's suffix."""
MACHINES = (Path("/proc/device-tree/serial-number"), Path("/etc/machine-id"))
"""Files that identify the machine, the best one first: a copied card takes its machine-id along."""
LETTERS, SUFFIX_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 4
"""Characters that nobody confuses, and how many of them distinguish machines at a club."""
RESOLVER = Path("/etc/resolv.conf")
"""The file with the network's search domains (resolv.conf(5))."""


def own_names() -> frozenset[str]:
    """Return the names by which other devices may reach this machine, in lower case.

    These are the host name, alone and in full, in `.local` (mDNS) and in each search domain of the network. In
    `.local`, a number or `machine_suffix` may follow each of them.
    """
    found: set[str] = set()
    for name in (socket.gethostname().lower().strip("."), PUBLISHED):
        bare = name.partition(".")[0]
        found |= {name, bare, f"{bare}.local"} | {f"{bare}.{domain}" for domain in search_domains()}
    return frozenset(found - {""})


def published_names() -> tuple[str, ...]:
    """Return the names that `systemd/address` publishes; at a club, another table may have the first one."""
    suffix = machine_suffix()
    return (PUBLISHED, f"{PUBLISHED}-{suffix}") if suffix else (PUBLISHED,)


def machine_suffix() -> str:
    """Return a suffix that distinguishes this machine, such as `k7q2`; empty if no number identifies it.

    It never changes, and does not reveal the number behind it (as machine-id(5) requires).
    """
    for path in MACHINES:
        with contextlib.suppress(OSError):
            number = path.read_bytes().strip(b"\0\n ")
            if number.strip(b"0"):
                digest = hashlib.blake2b(number, digest_size=SUFFIX_LENGTH, person=b"companion").digest()
                return "".join(LETTERS[byte % len(LETTERS)] for byte in digest)
    return ""


def search_domains() -> tuple[str, ...]:
    """Return the domains in which the network looks up bare names, in lower case."""
    try:
        lines = RESOLVER.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    listed = [line.split() for line in lines if line.startswith(("search ", "search\t", "domain ", "domain\t"))]
    return tuple([each.lower().strip(".") for _, *domains in listed for each in domains if each.strip(".")])


class Interface(NamedTuple):
    """One IPv4 address of an interface, which may have several."""

    name: str
    address: str
    flags: int = UP | RUNNING
    metric: float = math.inf
    """The metric of its default route, the lowest first; infinite without one."""
    tap: bool = False
    """Whether a program on this machine is behind it: any VPN, or a container's route to the outside."""


def own_address() -> str:
    """Return this machine's address in the local network, or the loopback address if it has none."""
    visible = interfaces()
    if visible:
        return next(iter(visible.values()))
    return LOOPBACK if read_interfaces() else probe_address()


def probe_address() -> str:
    """Return the source address of outgoing datagrams, for systems that do not list interfaces as Linux does."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(DOCUMENTATION)
        except OSError:
            return LOOPBACK
        address: str = probe.getsockname()[0]
    return address


def interfaces() -> dict[str, str]:
    """Return the IPv4 addresses that tablets may reach, the best first; further ones of `eth0` are named `eth0:1`."""
    found: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for each in lead_to_tablets(read_interfaces()):
        count = counts[each.name]
        found[f"{each.name}:{count}" if count else each.name] = each.address
        counts[each.name] += 1
    return found


def lead_to_tablets(found: Iterable[Interface]) -> list[Interface]:
    """Return the interfaces that may lead to tablets, the best first."""
    leading = [each for each in found if each.flags & UP and not each.flags & (LOOP | POINT_TO_POINT)]
    return sorted([each for each in leading if not each.name.startswith(HIDDEN_PREFIXES)], key=_rank)


def _rank(each: Interface) -> tuple[bool, bool, bool, bool, float, bool]:
    # A VPN often takes the default route; then another interface counts. An unplugged cable may keep its address, and a
    # link-local address helps only if nobody assigns others.
    number = ipaddress.ip_address(each.address)
    carrier = number in CARRIERS
    stopped = not each.flags & RUNNING
    return each.tap, number.is_link_local, stopped, carrier, each.metric, not number.is_private


def read_interfaces() -> list[Interface]:
    """Return all IPv4 addresses of this machine, even loopback and hidden ones; none if the system lists none."""
    metrics = default_metrics()
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, contextlib.suppress(OSError):
        for label, address in _addresses(asking):
            name = label.partition(":")[0]  # "eth0:1" is a further address of eth0
            with contextlib.suppress(OSError):  # the interface has gone meanwhile
                answer = fcntl.ioctl(asking, SIOCGIFFLAGS, struct.pack("256s", name.encode()))
                (flags,) = struct.unpack_from("H", answer, NAME_SIZE)
                tap = (INTERFACES / name / "tun_flags").exists()
                found.append(Interface(name, address, flags, metrics.get(name, math.inf), tap))
    return found


def _addresses(asking: socket.socket) -> list[tuple[str, str]]:
    """Return each interface address with its label."""
    room = array.array("B", bytes(MOST * IFREQ))
    answer = fcntl.ioctl(asking, SIOCGIFCONF, struct.pack("iL", len(room), room.buffer_info()[0]))
    (filled,) = struct.unpack_from("i", answer)
    listed = struct.iter_unpack("16sHH4s16x", room.tobytes()[:filled])
    return [(label.partition(b"\0")[0].decode(), socket.inet_ntoa(number)) for label, _, _, number in listed]


def default_metrics() -> dict[str, int]:
    """Return the metric of each interface's default route."""
    try:
        routes = [line.split() for line in ROUTES.read_text(encoding="ascii").splitlines()[1:]]
    except OSError:
        return {}
    found: dict[str, int] = {}
    for name, to, _, _, _, _, metric, mask, *_ in routes:
        if to == mask == DEFAULT_ROUTE:
            found[name] = min(int(metric), found.get(name, int(metric)))
    return found


def page_address(host: str, port: int) -> str:
    """Return the address of our first page for a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"
