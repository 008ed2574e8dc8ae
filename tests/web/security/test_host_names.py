"""Test the host names that this table accepts; a website's own name is not one of them."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import cli, config, findings
from companion.i18n import LANGUAGES
from companion.ops import network_address
from tests.support.web.visitors import Room, said
from web.context import PageOptions
from web.security import host_names
from web.security.host_names import HostNames, WebSettings, web_settings_in

OWN = frozenset({"train-pi", "train-pi.local", "train-pi.lan", "companion.local", "companion"})
PATIENCE = 20.0
PROGRAM = """
import sys
from pathlib import Path
from web.server import serve
serve(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
"""


@pytest.mark.parametrize(
    "host",
    [
        "192.168.1.20", "192.168.1.20:8080", "10.42.0.1:8080", "127.0.0.1:8080", "127.0.0.1.", "[::1]", "[::1]:8080",
        "[fe80::1%eth0]:8080", "[2001:DB8::1]:80", "[::ffff:10.42.0.1]:8080", "localhost", "LOCALHOST:8080",
        "localhost.", "train-pi", "Train-Pi:8080", "train-pi.local", "train-pi-2.local:8080", "train-pi-12.local.",
        "companion.local:8080", "companion-2.local", "companion", "train-pi.lan:80", "train-pi.lan.", "table.example",
        "localhost:",
    ],
)  # fmt: skip
def test_addresses_and_own_names_are_ours(host: str) -> None:
    """IP addresses, localhost, the machine's names in mDNS and the network, and names in the settings are accepted."""
    assert HostNames(["table.example"], lambda: OWN).ours(host) is True


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8080", "192.168.1.20.evil.example", "localhost.evil.example",
        "train-pi.evil.example",
        "evil-train-pi", "xtable.example", "www.table.example", "table.example.evil.example", "train-pi-2.lan",
        "train-pi-2", "train-pi-x.local", "train-pi-2000.local", "evil.local", "local", "127.1", "0x7f000001",
        "2130706433", "127.0.0.01", "1.2.3.4.5", "10.42.0.256", "localhost..evil",
    ],
)  # fmt: skip
def test_other_names_are_not(host: str) -> None:
    """A name that only resembles an accepted one is refused."""
    assert not HostNames(["table.example"], lambda: OWN).ours(host)


@pytest.mark.parametrize(
    "host",
    [
        "", " ", "::1", "::1:8080", "[::1", "[]", "[evil.example]", "[1.2.3.4]", "user@127.0.0.1", "user:x@localhost",
        "a/b",
        "localhost:8080:1", "localhost:x", "localhost:123456", "127.0.0.1, evil.example", "127.0.0.1 evil",
        "ünï.example",
        "127.0.0.1\x00", "local\nhost", "..", "a..b", ".localhost", "localhost..", "１２７.0.0.1", "[::1%]",
        "x" * 5000 + "é",
    ],
)  # fmt: skip
def test_what_is_no_host_at_all_is_none(host: str) -> None:
    """Odd bytes, user names, and a missing or repeated host are malformed."""
    assert HostNames(["table.example"], lambda: OWN).ours(host) is None


def test_the_names_with_this_machines_suffix_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name that `systemd/address` publishes, such as companion-k7q2.local, is accepted, and other suffixes are
    not."""
    monkeypatch.setattr(host_names, "machine_suffix", lambda: "k7q2")
    ours = HostNames(own=lambda: OWN).ours
    assert ours("companion-k7q2.local:8080") and ours("Companion-K7Q2.local.")
    assert not any(map(ours, ("companion-abcd.local", "evil-k7q2.local", "companion-k7q2.example", "companion-k7q2")))
    monkeypatch.setattr(host_names, "machine_suffix", lambda: "")
    assert not HostNames(own=lambda: OWN).ours("companion-.local") and HostNames(own=lambda: OWN).ours(
        "companion.local"
    )


def test_the_machine_knows_its_own_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The host name is accepted alone, in full, in .local, and in the network's current search domains."""
    resolver = tmp_path / "resolv.conf"
    monkeypatch.setattr(network_address, "RESOLVER", resolver)
    monkeypatch.setattr(socket, "gethostname", lambda: "Train-Pi.home.example")
    assert network_address.own_names() == {
        "train-pi.home.example", "train-pi", "train-pi.local", "companion", "companion.local",
    }  # fmt: skip
    resolver.write_bytes(
        b"# search nothing.example\nnameserver 10.0.0.1\nsearch LAN. fritz.box\xff\ndomain home.arpa\nsearch\n"
    )
    found = network_address.own_names()
    assert {"train-pi.lan", "companion.lan", "train-pi.home.arpa"} < found
    assert "train-pi.nothing.example" not in found


def test_further_names_come_from_the_settings(tmp_path: Path) -> None:
    """Further names come from the table [web]; a mistake there gets one sentence, and the other names still count."""
    path = config.path_in(tmp_path)
    check = config.Checker(cli.checks)
    path.write_text('[web]\nnames = ["Table.Example", "games"]\n', encoding="utf-8")
    assert web_settings_in(tmp_path).names == ("table.example", "games") and not check.left_out(tmp_path)
    path.write_text('[web]\naddress = "https://Table.Example/"\n', encoding="utf-8")
    assert web_settings_in(tmp_path).address == "https://table.example" and not check.left_out(tmp_path)
    many = f"names = {['x'] * 21}"
    for bad in (
        'names = "table.example"',
        'names = ["http://x"]',
        "names = [7]",
        'name = ["x"]',
        'names = ["*.x"]',
        many,
        'address = "table.example"',
        'address = "https://table.example/join"',
        'address = "javascript:1"',
        "address = 7",
    ):
        path.write_text(f"[web]\n{bad}\n", encoding="utf-8")
        assert web_settings_in(tmp_path) == WebSettings()
        (finding,) = check.left_out(tmp_path)
        assert finding.key == "settings.web"
        for lang in LANGUAGES:
            what, how, advice = findings.finding_text(finding, findings.sentences(lang))
            assert str(path) in what and how and advice


def test_the_address_that_was_given_for_codes_is_ours(tmp_path: Path) -> None:
    """The name in `address = "http://table.example:8080"` is accepted."""
    from companion.table.table import Table
    from web.app import create_app

    with Table(tmp_path / "journal.db") as table:
        app = create_app(table, tmp_path / "journal.db", PageOptions("http://table.example:8080"), testing=True)
        try:
            client = app.test_client()
            assert client.get("/", headers={"Host": "table.example:8080"}).status_code == 200
            answer = client.get("/", headers={"Host": "evil.example"})
            assert answer.status_code == 421 and 'href="http://table.example:8080"' in answer.text
        finally:
            app.extensions["context"].close()


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_foreign_name_gets_a_page_with_the_right_address(
    game: Room, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """A request with a foreign name is refused on every route and method, with a link to the table."""
    monkeypatch.setattr("web.context.own_address", lambda: "10.42.0.1")
    from web.words import words

    count, visitor = game.count, game.visitor(lang)
    token = game.anybody.token(game.seats[0])
    for path in ("/", "/join", game.seats[0], game.seats[0] + "stream", "/health", "/past/", "/nowhere"):
        for host in ("evil.example", "evil.example:8080", "companion.local.evil.example"):
            answer = visitor.get(path, Host=host)
            assert answer.status_code == 421 and "Jane" not in answer.text
            assert said(answer) == words(lang)("error.wrong_host", address="http://10.42.0.1:8080/")
    posted = game.anybody.client.post(
        game.seats[0] + "propose",
        data={"csrf": token, "event": "starter_named", "seat": "1"},
        headers={"Host": "evil.example", "Origin": "http://evil.example"},
    )
    assert posted.status_code == 421 and game.count == count
    picture = visitor.get("/static/img/icon.svg", Host="evil.example")
    assert picture.status_code == 200
    picture.close()


def test_whole_addresses_as_targets_are_judged_too(room: Room) -> None:
    """A full URL as the target counts like the header, and both must be accepted."""
    for target, code in (
        ("http://127.0.0.1:8080/", 200), ("http://evil.example/", 421), ("HTTPS://evil.example/", 421),
        ("http://user@127.0.0.1/", 400), ("http://[::1/", 400), ("/http://evil.example/", 200), ("*", 200),
    ):  # fmt: skip
        answer = room.anybody.client.get("/", environ_overrides={"RAW_URI": target})
        assert answer.status_code == code, target
    missing = room.anybody.client.get("/", environ_overrides={"HTTP_HOST": ""})
    assert missing.status_code == 400


# --- the real server ------------------------------------------------------------------------------


@pytest.fixture(params=["127.0.0.1", "::1"])
def served(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, int]]:
    """Yield a server's host and port, over IPv4 and over IPv6."""
    host: str = request.param
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((host, 0))
            port = probe.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6")
    command = [sys.executable, "-c", PROGRAM, str(tmp_path), host, str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end and raw(host, port, b"GET /health HTTP/1.0\r\nHost: localhost\r\n\r\n") != 200:
                assert process.poll() is None
            yield host, port
        finally:
            process.terminate()


def raw(host: str, port: int, request: bytes) -> int:
    """Send bytes and return the status of the answer, 0 for none."""
    try:
        with socket.create_connection((host, port), PATIENCE) as connection:
            connection.sendall(request)
            answer = http.client.HTTPResponse(connection)
            answer.begin()
            return answer.status
    except (OSError, http.client.HTTPException):
        return 0


def test_real_requests_over_both_kinds_of_network(served: tuple[str, int]) -> None:
    """The server's own address is accepted with any port; foreign, missing and odd hosts are refused without an
    internal error."""
    host, port = served
    own = f"[{host}]" if ":" in host else host
    for name in (own, f"{own}:{port}", f"{own}:80", "localhost", f"LocalHost.:{port}", f"{socket.gethostname()}.local"):
        assert raw(host, port, f"GET / HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n".encode()) == 200, name
    for name, code in (
        (b"evil.example", 421),
        (b"\xff\xfe", 400),
        (b"a@localhost", 400),
        (b"", 400),
        (b"x" * 3000, 421),
    ):
        assert raw(host, port, b"GET / HTTP/1.1\r\nHost: " + name + b"\r\nConnection: close\r\n\r\n") == code, name
    assert raw(host, port, b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n") == 400
    whole = b"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(host, port, whole) == 421
    two = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
    assert raw(host, port, two) in (400, 421)
