"""The address under which tablets find this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands import address
from companion.ops import network_address as own


def shown(*found: own.Interface) -> list[str]:
    """Return the addresses that tablets may reach, the best one first."""
    return [each.address for each in own.lead_to_tablets(found)]


WIFI = own.Interface("wlan0", "192.168.1.20", metric=600)
HOTSPOT = own.Interface("wlan0", "10.42.0.1")
NOT_RUNNING = own.UP
TO_ONE_POINT = own.UP | own.RUNNING | own.POINT_TO_POINT


@pytest.mark.parametrize(
    "name",
    ["wg0", "tun0", "tap3", "utun4", "tailscale0", "ztabcdef12", "ham0", "vpn_office", "nordlynx", "proton0", "ppp0",
     "wwan0", "docker0", "br-1f2e3d", "veth12ab", "podman0", "cni0", "cni-podman0", "virbr0", "vmnet8", "vboxnet0",
     "lxcbr0", "lxdbr0", "incusbr0", "flannel.1", "cali0123", "kube-ipvs0", "nerdctl0", "lo"],
)  # fmt: skip
def test_a_network_without_tablets_never_counts(name: str) -> None:
    """VPNs, container networks and mobile networks never count, even with the default route."""
    other = own.Interface(name, "10.8.0.2", metric=50)
    assert shown(other, WIFI) == [WIFI.address] and shown(other, HOTSPOT) == [HOTSPOT.address]
    assert shown(other) == []


@pytest.mark.parametrize(
    "name", ["eth0", "enp3s0", "end0", "wlan0", "wlp2s0", "uap0", "usb0", "br0", "bond0", "eth0.7", "net0"]
)
def test_the_interfaces_of_machines_count(name: str) -> None:
    """Cables, Wi-Fi, bridges and virtual switches count as ways to tablets."""
    assert shown(own.Interface(name, "192.168.1.20")) == ["192.168.1.20"]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (own.Interface("home", "10.8.0.2", TO_ONE_POINT, 50), WIFI),
        (own.Interface("office", "10.8.0.2", metric=50, tap=True), WIFI),
        (own.Interface("eth0", "192.168.0.9", NOT_RUNNING, 100), WIFI),
        (own.Interface("eth0", "169.254.9.9", metric=100), WIFI),
        (own.Interface("eth1", "100.64.3.9", metric=100), HOTSPOT),
        (own.Interface("eth1", "198.105.7.5"), HOTSPOT),
        (own.Interface("eth1", "192.168.8.100", metric=700), WIFI),
        (HOTSPOT, own.Interface("eth0", "192.168.0.9", metric=100)),
        (HOTSPOT, own.Interface("eth0", "198.105.7.5", metric=100)),
    ],
)
def test_of_two_addresses_the_one_that_tablets_reach_comes_first(worse: own.Interface, better: own.Interface) -> None:
    """An address on a plugged-in private network comes before a VPN, a carrier's network and a public address."""
    assert shown(worse, better)[0] == shown(better, worse)[0] == better.address


def test_an_interface_that_is_down_keeps_its_address_and_counts_no_more() -> None:
    """An interface that is down does not count, although it keeps its address."""
    assert shown(own.Interface("wlan0", "192.168.1.20", own.RUNNING)) == []


def test_the_best_address_is_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best address is the machine's own, and with only a VPN there is none."""
    vpn = own.Interface("wg0", "10.8.0.2", metric=50)
    second = own.Interface("wlan0", "10.2.3.4")
    monkeypatch.setattr(own, "read_interfaces", lambda: [vpn, second, WIFI])
    assert own.own_address() == WIFI.address
    assert own.interfaces() == {"wlan0": WIFI.address, "wlan0:1": second.address}
    monkeypatch.setattr(own, "read_interfaces", lambda: [vpn])
    assert (own.own_address(), own.interfaces()) == (own.LOOPBACK, {})


def test_where_no_interfaces_are_listed_the_way_out_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """On systems other than Linux the address is that of the default route, if there is one."""
    monkeypatch.setattr(own, "SIOCGIFCONF", 0)
    monkeypatch.setattr(own, "probe_address", lambda: "192.168.1.20")
    assert (own.read_interfaces(), own.own_address()) == ([], "192.168.1.20")
    monkeypatch.undo()
    monkeypatch.setattr(own, "DOCUMENTATION", ("256.0.0.1", 9))  # an impossible address behaves like a missing route
    assert own.probe_address() == own.LOOPBACK


def test_a_route_by_default_is_known_by_its_metric(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The default route with the lowest metric counts, and OpenVPN's two half routes are ignored."""
    head = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    rows = (("wlan0", "00000000", 600, "00000000"), ("wlan0", "00000000", 20, "00000000"),
            ("tun0", "00000000", 0, "00000080"), ("eth0", "0001A8C0", 100, "00FFFFFF"))  # fmt: skip
    lines = (f"{name}\t{to}\t0101A8C0\t0003\t0\t0\t{metric}\t{mask}\t0\t0\t0\n" for name, to, metric, mask in rows)
    (tmp_path / "route").write_text(head + "".join(lines))
    monkeypatch.setattr(own, "ROUTES", tmp_path / "route")
    assert own.default_metrics() == {"wlan0": 20}
    monkeypatch.setattr(own, "ROUTES", tmp_path / "none")
    assert own.default_metrics() == {}


NETWORK = """
set -e
ip link set lo up
ip link add wlan0 type bridge; ip address add 169.254.9.9/16 dev wlan0; ip address add 192.168.1.20/24 dev wlan0
ip link set wlan0 up; ip route add default via 192.168.1.1 metric 600
ip link add wg0 type bridge; ip address add 10.8.0.2/24 dev wg0; ip link set wg0 up
ip route add default dev wg0 metric 50
exec "$0" -m companion address --number
"""


def test_with_a_vpn_the_kernels_own_lists_lead_to_the_wifi() -> None:
    """With a WireGuard default route and an old address on the Wi-Fi, the right Wi-Fi address is found."""
    alone = ("unshare", "--user", "--map-root-user", "--net")
    if shutil.which("ip") is None or subprocess.run((*alone, "ip", "link", "add", "x", "type", "bridge"),
                                                    capture_output=True).returncode:  # fmt: skip
        pytest.skip("no network namespace can be made here")
    done = subprocess.run((*alone, "bash", "-c", NETWORK, sys.executable), capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("192.168.1.20\n", "")


def test_interfaces_are_those_behind_which_tablets_may_be() -> None:
    """On this machine the interfaces have numeric addresses and do not include the loopback."""
    found = own.interfaces()
    assert "lo" not in found and own.LOOPBACK not in found.values()
    assert all(number.count(".") == 3 for number in found.values())


def test_the_address_is_shown_as_text_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """The QR code contains the number, and the console also shows a name that leads here."""
    monkeypatch.setattr(address, "own_address", lambda: "192.168.1.20")
    monkeypatch.setattr(address.avahi, "name_to_show", lambda: "companion.local")
    said = CliRunner().invoke(address.command, ["--console"]).stdout
    assert "http://192.168.1.20:8080/" in said and "http://companion.local:8080/" in said and "█" in said
    assert CliRunner().invoke(address.command, ["--number"]).stdout == "192.168.1.20\n"
    monkeypatch.setattr(address.avahi, "name_to_show", lambda: "")
    assert ".local" not in CliRunner().invoke(address.command, ["--console"]).stdout


def test_machines_are_told_apart_by_a_suffix_that_stays(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The suffix of a machine comes from its serial number, or else from its hashed machine-id, and stays."""
    serial, identity = tmp_path / "serial-number", tmp_path / "machine-id"
    monkeypatch.setattr(own, "MACHINES", (serial, identity))
    assert (own.machine_suffix(), own.published_names()) == ("", ("companion",))
    identity.write_text("0123456789abcdef0123456789abcdef\n")
    first = own.machine_suffix()
    assert CliRunner().invoke(address.command, ["--suffix"]).stdout == f"{first}\n"
    assert CliRunner().invoke(address.command, ["--names"]).stdout == f"companion\ncompanion-{first}\n"
    assert re.fullmatch("[a-hjkmnp-z2-9]{4}", first) and first == own.machine_suffix()
    serial.write_bytes(b"10000000a1b2c3d4\0")
    second = own.machine_suffix()
    identity.write_text("another\n")
    assert own.machine_suffix() == second != first
    serial.write_bytes(b"0000000000000000\0")  # boards without a serial number report this one
    assert own.machine_suffix() not in ("", second)
    serial.unlink()
    found = set()
    for number in range(300):
        identity.write_text(f"{number:032x}\n")
        found.add(own.machine_suffix())
    assert len(found) >= 299


def test_without_a_network_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network a message says what to do, and no code is shown."""
    monkeypatch.setattr(address, "own_address", lambda: own.LOOPBACK)
    result = CliRunner().invoke(address.command)
    assert result.exit_code == 1 and "companion hotspot on" in result.stderr and not result.stdout


def test_addresses_of_both_kinds_become_pages() -> None:
    """IPv6 addresses are written in brackets."""
    assert own.page_address("::1", 8080) == "http://[::1]:8080/"
    assert own.page_address("192.168.1.20", 80) == "http://192.168.1.20:80/"
