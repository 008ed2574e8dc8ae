"""Test the entrance over TLS: the same pages, forms and streams, and slow, rude and plain-text clients."""

from __future__ import annotations

import hashlib
import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("cryptography")

from companion.hall.certificates import ensure_certificate
from web.server import open_listener
from web.serving.event_stream import Flow, Outbox
from web.serving.server import Listener
from web.serving.tls import SecureEntrance, server_context

LOOP, PATIENCE = "127.0.0.1", 20.0
LONG = bytes(range(256)) * 8192
"""An answer of 2 MB, which no socket accepts at once."""


class TwoDoors:
    """A listener with both entrances around a small application, which a separate thread serves."""

    def __init__(self, folder: Path) -> None:
        certificate = ensure_certificate(folder)
        self.fingerprint = certificate.fingerprint
        self.outbox = Outbox()
        self._listeners = open_listener(LOOP, 0), open_listener(LOOP, 0)
        self.plain, self.secure = (each.getsockname()[1] for each in self._listeners)
        context = server_context(certificate.file, certificate.key_file)
        entrance = SecureEntrance(self._listeners[1], context)
        self.front = Listener(self.answer, self._listeners[0], lambda path: True, lambda *_: 1 << 20, entrance)
        self._thread = threading.Thread(target=self.front.run, daemon=True)
        self._thread.start()

    def answer(self, environment: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer with the scheme, the hash of the body, a long text, or a stream."""
        match environment["PATH_INFO"]:
            case "/stream":
                start("200 OK", [("Content-Type", "text/event-stream")])
                return Flow(self.outbox, iter([b"data: opened\n\n"]), lambda: None)
            case "/long":
                body = LONG
            case "/sent":
                body = hashlib.sha256(environment["wsgi.input"].read()).digest()
            case _:
                body = str(environment["wsgi.url_scheme"]).encode()
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    def connect(self) -> ssl.SSLSocket:
        """Return a connection over TLS."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(socket.create_connection((LOOP, self.secure), PATIENCE))

    def ask(self, path: str, body: bytes | None = None) -> bytes:
        """Return an answer over TLS."""
        with closing(http.client.HTTPConnection(LOOP, self.secure, timeout=PATIENCE)) as connection:
            connection.sock = self.connect()
            connection.request("GET" if body is None else "POST", path, body)
            return connection.getresponse().read()

    def close(self) -> None:
        """Stop the server."""
        self.front.stop(0.2)
        self._thread.join()
        for each in self._listeners:
            each.close()


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[TwoDoors]:
    """Yield a listener with both entrances."""
    found = TwoDoors(tmp_path)
    yield found
    found.close()


def plain(port: int, path: str = "/") -> bytes:
    """Return an answer without TLS."""
    with closing(http.client.HTTPConnection(LOOP, port, timeout=PATIENCE)) as connection:
        connection.request("GET", path)
        return connection.getresponse().read()


def test_the_application_knows_by_which_door_a_request_came(doors: TwoDoors) -> None:
    """The application knows the scheme of a request, and plain HTTP at the secure port gets a plain HTTP answer."""
    assert (plain(doors.plain), doors.ask("/"), plain(doors.secure)) == (b"http", b"https", b"http")


def test_the_certificate_is_the_one_whose_fingerprint_is_said(doors: TwoDoors) -> None:
    """The server's certificate has the announced fingerprint, in the form that browsers display."""
    with doors.connect() as connection:
        shown = connection.getpeercert(binary_form=True)
    assert shown is not None
    pairs = doors.fingerprint.split(":")
    assert bytes.fromhex("".join(pairs)) == hashlib.sha256(shown).digest() and len(pairs) == 32


def test_what_is_long_arrives_whole_both_ways(doors: TwoDoors) -> None:
    """Long requests and answers arrive complete, even with several clients at once, one of them slow."""
    body = LONG[: 1 << 20]
    with doors.connect() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024)
        slow.sendall(b"GET /long HTTP/1.0\r\n\r\n")
        found: list[bytes] = []
        threads = [threading.Thread(target=lambda: found.append(doors.ask("/sent", body))) for _ in range(8)]
        for thread in threads:
            thread.start()
        assert doors.ask("/long") == LONG
        for thread in threads:
            thread.join()
        assert found == [hashlib.sha256(body).digest()] * 8
        taken = b"".join(iter(lambda: slow.recv(30_000), b""))
        assert taken.partition(b"\r\n\r\n")[2] == LONG


def test_a_stream_is_pushed(doors: TwoDoors) -> None:
    """A stream sends message by message, without a thread, until it ends."""
    with doors.connect() as connection:
        connection.sendall(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        seen = b""
        for message in (b"opened", b"one", b"two"):
            while message not in seen:
                seen += connection.recv(4096)
            doors.outbox.put(b"data: two\n\n" if message == b"one" else b"data: one\n\n")
        doors.outbox.put(None)
        assert seen.index(b"opened") < seen.index(b"one") < seen.index(b"two")


@pytest.mark.parametrize("said", [b"", b"\x16", b"\x16\x03\x01\x00\x05hello", b"\x16\x03\x01\xff\xff" + bytes(70_000)])
def test_who_says_nonsense_or_hangs_up_disturbs_nobody(doors: TwoDoors, said: bytes) -> None:
    """A client that sends nonsense or hangs up loses its connection, and the next one is served."""
    with socket.create_connection((LOOP, doors.secure), PATIENCE) as rude:
        rude.sendall(said)
    with socket.create_connection((LOOP, doors.secure), PATIENCE) as waiting:
        waiting.sendall(said)
        assert doors.ask("/") == b"https"


def test_a_handshake_that_stalls_is_given_up(doors: TwoDoors, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stalled handshake is given up like an unfinished request."""
    monkeypatch.setattr("web.serving.slow_clients.stalled_connections.HEADER", 0.0)
    with socket.create_connection((LOOP, doors.secure), PATIENCE) as stalled:
        stalled.sendall(b"\x16\x03")
        with suppress(ConnectionResetError):
            assert stalled.recv(100) == b""
