"""Test the home screen and the wake lock: a game needs only HTTP, and HTTPS adds the functions that browsers reserve
for it."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from companion.engine import Seat
from companion.games.take_a_train import events as ev
from companion.ops.network_address import LOOPBACK, own_address
from tests.web.browser.devices import PHONE, Device, Server, started
from tests.web.browser.room import Room

pytestmark = pytest.mark.browser
WORKERS = """async () => "serviceWorker" in navigator
  ? (await navigator.serviceWorker.getRegistrations()).length : null"""
KEPT = """async (name) => (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname)"""


def certificate(folder: Path) -> tuple[Path, Path]:
    """Return a self-signed certificate and its key."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "table")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(LOOPBACK))]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    plain = serialization.NoEncryption()
    kind = serialization.PrivateFormat.PKCS8
    (folder / "tls.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "tls.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, kind, plain))
    return folder / "tls.pem", folder / "tls.key"


class Proxy:
    """Terminates TLS in front of a server, like Debian's proxy: one request per connection, with the scheme in a
    header."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.target = urlsplit(server.address)
        self.listener = socket.create_server((LOOPBACK, 0))
        self.address = f"https://{LOOPBACK}:{self.listener.getsockname()[1]}"
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(*certificate(folder))
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        """Accept connections until the listener is closed."""
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        """Forward one request, and stream its answer."""
        with suppress(OSError), self.context.wrap_socket(client, server_side=True) as secure:
            data = b""
            while b"\r\n\r\n" not in data:
                more = secure.recv(65536)
                if not more:  # the browser opened this connection in advance
                    return
                data += more
            head, _, body = data.partition(b"\r\n\r\n")
            lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
            lines += [b"X-Forwarded-Proto: https", b"X-Forwarded-For: 192.0.2.77", b"Connection: close"]
            host, port = self.target.hostname, self.target.port
            with socket.create_connection((host or "", port or 0)) as server:
                server.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
                length = next((int(line[15:]) for line in lines if line.lower().startswith(b"content-length:")), 0)
                while len(body) < length:
                    more = secure.recv(65536)
                    server.sendall(more)
                    body += more
                while answer := server.recv(65536):
                    secure.sendall(answer)

    def close(self) -> None:
        """Stop accepting connections."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@contextmanager
def secured(server: Server, folder: Path) -> Iterator[Proxy]:
    """Yield a proxy with TLS in front of a server."""
    proxy = Proxy(server, folder)
    try:
        yield proxy
    finally:
        proxy.close()


@pytest.fixture
def trusting(browser: Browser) -> Iterator[Device]:
    """Yield a phone that trusts every certificate."""
    found = Device(browser, PHONE, ignore_https_errors=True)
    yield found
    found.context.close()


def test_over_plain_http_everything_of_the_game_works(browser: Browser) -> None:
    """Over HTTP the page has no service worker and no wake lock, explains how to keep the screen on, and shows every
    move."""
    host = own_address()
    if host == LOOPBACK:
        pytest.skip("this machine has no address in a network")
    with started(host) as server:
        room = Room(browser, server)
        room.begin()
        page = room.phones[0].page
        assert page.evaluate("isSecureContext") is False
        assert page.evaluate(WORKERS) is None
        page.locator(".menu summary").click()
        assert page.locator("[data-awake-hint]").is_visible()
        assert page.locator("[data-awake]").is_hidden() and page.locator("[data-install]").is_hidden()
        before = page.evaluate("document.body.dataset.shown")
        room.say(ev.StarterNamed(Seat(0)))
        page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)
        complaints = [complaint for device in room.devices for complaint in device.complaints]
        for device in room.devices:
            device.context.close()
        assert complaints == []


def test_a_secure_address_adds_a_page_for_a_lost_table(room: Room, trusting: Device, tmp_path: Path) -> None:
    """Behind a proxy the service worker caches the page for a lost table and hashed files, and no seat's data."""
    room.begin()
    with secured(room.server, tmp_path) as proxy:
        page, path = trusting.page, urlsplit(room.phones[0].page.url).path
        trusting.open(proxy.address + path)
        assert page.evaluate("isSecureContext") is True
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        before = page.evaluate("document.body.dataset.shown")
        room.say(ev.StarterNamed(Seat(0)))
        page.wait_for_function("was => document.body.dataset.shown !== was", arg=before)
        kept, spare = page.evaluate(KEPT, "kept"), page.evaluate(KEPT, "spare")
        assert kept and all(each.startswith("/static/") for each in kept)
        assert "/offline" in spare and {each.rpartition(".")[2] for each in spare} >= {"css", "js", "woff2"}
        assert all(each == "/offline" or each.startswith("/static/") for each in spare)
        assert trusting.complaints == []
    trusting.wanted.append("ERR_|Failed to fetch|net::")
    page.goto(proxy.address + path)
    page.get_by_role("alert").wait_for()
    assert page.locator("body.page-offline").count() == 1
    assert "Jane" not in page.content() and path.strip("/").rpartition("/")[2] not in page.content()
    assert page.evaluate("getComputedStyle(document.querySelector('.bar')).backgroundColor") == "rgb(11, 44, 68)"


def test_the_screen_stays_on_where_it_is_wanted(room: Room) -> None:
    """A tap requests the wake lock; a pause, a hidden page and another tap release it; a page shown again requests
    it anew."""
    room.begin(ev.StarterNamed(Seat(0)))
    phone = room.phones[0]
    phone.context.add_init_script("""
      window.locks = [];
      Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
        const lock = { kind, released: false, release: async () => { lock.released = true; } };
        window.locks.push(lock);
        return lock;
      } } });
    """)
    page = phone.page
    page.reload()
    on = "count => window.locks.filter((each) => !each.released).length === count"
    page.locator(".menu summary").click()
    page.locator("[data-awake]").click()
    page.wait_for_function(on, arg=1)
    assert page.evaluate("window.locks[0].kind") == "screen"
    room.host.send_form("pause", on="1")
    page.wait_for_function(on, arg=0)
    room.host.send_form("pause", on="0")
    page.wait_for_function(on, arg=1)
    page.locator("[data-awake]").click()
    page.wait_for_function(on, arg=0)
    phone.page.evaluate("localStorage.removeItem('awake')")


def test_a_page_opens_from_the_home_screen_where_it_was(room: Room) -> None:
    """The browser accepts the manifest, and its icons are valid."""
    room.begin()
    page = room.phones[0].page
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = page.evaluate("async (where) => (await fetch(where)).json()", found["url"])
    assert manifest["start_url"] == urlsplit(page.url).path and manifest["display"] == "standalone"
    sizes = page.evaluate("""async (icons) => Promise.all(icons.map(async (icon) => {
      const picture = new Image();
      picture.src = icon.src;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }))""", manifest["icons"])  # fmt: skip
    assert sizes == [icon["sizes"] for icon in manifest["icons"]]
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
